"""What the command line's `night` does with its options."""

import sys
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scanner.errors import MissingFile
from scanner.night.documents import CsvWriter, JsonWriter
from scanner.night.ledger import Ledger
from scanner.night.names import load_names
from scanner.night.photos import find_photos
from scanner.night.run import NightRun, Sink, changes_of, results_file, show, watch
from scanner.night.table import GameTable, Night, PhotoVerdict
from scanner.night.terminal import print_photo, print_table
from scanner.night.workers import Crew, cluster_crew, cores, local_crew

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True, slots=True)
class Orders:
    """The options as they were typed; None where nothing was."""

    places: Sequence[str]
    as_json: bool = False
    as_csv: bool = False
    html: Path | None = None
    names: Path | None = None
    results: Path | None = None
    workers: int | None = None
    cluster: str | None = None
    watch: bool = False


@dataclass(frozen=True, slots=True)
class _Terminal:
    """Tables on standard output, photos that could not be read on standard error."""

    tables: "Console | None"
    complaints: "Console"

    def game(self, table: GameTable) -> None:
        if self.tables is not None:
            print_table(self.tables, table)

    def finish(self, photos: Iterable[PhotoVerdict]) -> None:
        for photo in photos:
            print_photo(self.complaints, photo)


def run_night(orders: Orders, console: "Console", complaints: "Console") -> int:
    """Read and show a night; the exit code. MissingFile and BadState as `find_photos` and `load_names` raise them; OSError for
    files that cannot be written; ImportError, with what to do about it, without the extra `cluster`."""
    players = load_names(orders.names) if orders.names is not None else ()
    if not find_photos(orders.places) and not orders.watch:
        raise MissingFile(f"There is no photo in {', '.join(orders.places)}.", "Name a folder with photos in it.")

    def update(night: Night) -> int:
        if orders.watch and console.is_terminal:
            console.clear()
        return _show(night, orders, console, complaints)

    with _ledger(orders) as ledger, _crew(orders) as crew:
        run = NightRun(orders.places, ledger, crew, players)
        if orders.watch:
            complaints.print("Watching for photos; Ctrl-C ends.", style="dim")
            return watch(run, changes_of(orders.places), update)
        return update(run.read())


def _ledger(orders: Orders) -> Ledger:
    file = orders.results or results_file(orders.places)
    try:
        return Ledger(file)
    except OSError as error:
        hint = "Name a place where results can be kept with --results FILE."
        raise MissingFile(f"Results cannot be kept in {file}: {error.strerror}.", hint) from error


def _crew(orders: Orders) -> AbstractContextManager[Crew]:
    if orders.cluster is None:
        return local_crew(orders.workers or cores())
    try:
        import distributed  # noqa: F401  # only to say at once what is missing
    except ImportError as error:
        raise ImportError("--cluster needs Dask: pip install 'obelisk-scan[cluster]'") from error
    return cluster_crew(orders.cluster)


def _show(night: Night, orders: Orders, console: "Console", complaints: "Console") -> int:
    sinks: list[Sink] = [_Terminal(None if orders.as_json or orders.as_csv else console, complaints)]
    if orders.as_json:
        sinks.append(JsonWriter(sys.stdout))
    if orders.as_csv:
        sinks.append(CsvWriter(sys.stdout))
    if orders.html is None:
        return show(night, sinks)
    from scanner.night.page import PageWriter

    page = PageWriter(orders.html)
    try:
        return show(night, [*sinks, page])
    finally:
        page.abandon()
