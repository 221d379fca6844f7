"""The command `night`: read what is new, then show every game, once or whenever photos come."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from scanner.night.ledger import DEFAULT_NAME, Ledger
from scanner.night.names import NamedPlayer
from scanner.night.photos import find_photos, is_photo
from scanner.night.progress import progress_bar
from scanner.night.reading import read_photos
from scanner.night.table import GameTable, Night, PhotoVerdict
from scanner.night.workers import Crew

NEEDS_LOOK = 1


class Sink(Protocol):
    """Where games go: a terminal, a document, a page."""

    def game(self, table: GameTable) -> None: ...
    def finish(self, photos: Iterable[PhotoVerdict]) -> None: ...


def results_file(places: Sequence[str]) -> Path:
    """Where results are kept if nothing else is said: in the first folder."""
    first = Path(places[0])
    return (first if first.is_dir() else first.parent) / DEFAULT_NAME


@dataclass(frozen=True)
class NightRun:
    """One command's work: where the photos lie, where their results are kept, who reads them, and what players are called."""

    places: Sequence[str]
    ledger: Ledger
    crew: Crew
    players: Sequence[NamedPlayer] = ()

    def read(self) -> Night:
        """Read the photos that were not read before. MissingFile for a place that is not there."""
        photos = find_photos(self.places)
        new = [photo for photo in photos if not self.ledger.recall(photo)]
        if new:
            with progress_bar(len(new)) as done:
                read_photos(new, self.ledger, self.crew, done)
        return Night(photos, self.ledger, self.players)


def show(night: Night, sinks: Sequence[Sink]) -> int:
    """Hand every game and photo to the sinks; the exit code that they ask for."""
    code = 0
    for table in night.tables():
        code = max(code, NEEDS_LOOK if table.needs_look else 0)
        for sink in sinks:
            sink.game(table)
    for sink in sinks:
        sink.finish(night.verdicts())
    return max([code, *(one.code for one in night.verdicts())])


def watch(run: NightRun, changes: Iterable[object], update: Callable[[Night], int]) -> int:
    """Read and show now, and again at every change of the folders, until the changes end; the last exit code."""
    code = update(run.read())
    for _ in changes:
        code = update(run.read())
    return code


def changes_of(places: Sequence[str]) -> Iterator[object]:
    """Waits for photos to come, go or change under the places, and gives a value for each batch, without end."""
    from watchfiles import watch as changes

    return changes(*places, watch_filter=lambda _change, path: is_photo(path))
