"""The command `night`: read what is new, then show every game, once or whenever photos come."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from scanner.night.answers import NightAnswers
from scanner.night.arrivals import Arrivals
from scanner.night.ledger import DEFAULT_NAME, Ledger
from scanner.night.names import NamedPlayer
from scanner.night.photos import PhotoFile, find_photos, is_photo
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
    arrivals: Arrivals | None = None
    answers: NightAnswers | None = None

    def read(self) -> Night:
        """Read the photos that were not read before; with `arrivals`, only those that have wholly come. MissingFile for a place
        that is not there."""
        found = find_photos(self.places)
        photos = [photo for photo in found if self.arrivals is None or self.arrivals.is_quiet(photo)]
        new = [photo for photo in photos if not self.ledger.recall(photo)]
        if new:
            with progress_bar(len(new)) as done:
                read_photos(new, self.ledger, self.crew, done)
        whole = [photo for photo in photos if not self._may_be_unfinished(photo)]
        arriving = {photo.name for photo in found} - {photo.name for photo in whole}
        return Night(whole, self.ledger, self.players, tuple(sorted(arriving)), self.answers)

    def _may_be_unfinished(self, photo: PhotoFile) -> bool:
        entry = self.ledger.entry(photo)
        if self.arrivals is None or entry is None or entry.sheets or entry.refused:
            return False
        error = self.ledger.load(entry).error
        return error is not None and self.arrivals.may_be_unfinished(photo, error.kind)


def show(night: Night, sinks: Sequence[Sink], strict: bool = False) -> int:
    """Hand every game and photo to the sinks; the exit code that they ask for. As for single photos, a reading asks for a
    look, what cannot be right on the paper does so with `strict` only."""
    code = 0
    for table in night.tables():
        if table.needs_look or (strict and not table.in_order):
            code = NEEDS_LOOK
        for sink in sinks:
            sink.game(table)
    for sink in sinks:
        sink.finish(night.verdicts())
    return max([code, *(one.code for one in night.verdicts())])


def watch(run: NightRun, changes: Iterable[object], update: Callable[[Night], int]) -> int:
    """Read and show now, and again whenever the folders have changed, until the changes end or the user interrupts; the last
    exit code. A change that is false says only that time has passed, which is of interest while photos are on their way."""
    night = run.read()
    code = update(night)
    try:
        for change in changes:
            if not change and not night.arriving:
                continue
            before, night = night, run.read()
            if (night.photos, night.arriving) != (before.photos, before.arriving):
                code = update(night)
    except KeyboardInterrupt:
        # The way to end it, and no failure.
        pass
    return code


def changes_of(places: Sequence[str]) -> Iterator[object]:
    """Waits for photos to come, go or change under the places, and gives a value for each batch, without end; every second in
    which nothing happens, a false one."""
    from watchfiles import watch as changes

    return changes(
        *places, watch_filter=lambda _change, path: is_photo(path), debounce=500, rust_timeout=1000, yield_on_timeout=True
    )
