"""What the command line's `night` does with its options."""

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from scanner.errors import MissingFile
from scanner.night.answers import NightAnswers
from scanner.night.arrivals import Arrivals
from scanner.night.documents import CsvWriter, JsonWriter
from scanner.night.ledger import Ledger, is_results_file
from scanner.night.names import NamedPlayer, load_names
from scanner.night.photos import PhotoFile, find_photos
from scanner.night.run import NightRun, Sink, changes_of, results_file, show, watch
from scanner.night.table import GameTable, Night, PhotoVerdict
from scanner.night.terminal import print_photo, print_table
from scanner.night.workers import ClusterGone, Crew, cluster_crew, cores, local_crew
from scanner.report.answers import say_wrong
from scanner.report.outputs import WrongOutput, check_outputs

if TYPE_CHECKING:
    from rich.console import Console

    from scanner.night.page import PageWriter


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
    strict: bool = False
    answers: Path | None = None


@dataclass(slots=True)
class _Terminal:
    """Tables on standard output; on standard error photos that could not be read, and names that are of no game here."""

    tables: "Console | None"
    complaints: "Console"
    unused: list[NamedPlayer]

    def game(self, table: GameTable) -> None:
        self.unused = [one for one in self.unused if not one.is_of(table.game)]
        if self.tables is not None:
            print_table(self.tables, table)

    def finish(self, photos: Iterable[PhotoVerdict]) -> None:
        for photo in photos:
            print_photo(self.complaints, photo)
        for one in self.unused:
            self.complaints.print(f"{one.name.strip()} (seat {one.seat}) is in no game here: none is of {one.where}.")


class _Page:
    """The page, whose failure must not cost the tables: it is kept until they are shown."""

    def __init__(self, path: Path) -> None:
        self.failure: OSError | None = None
        self._path = path
        self._writer: PageWriter | None = None
        self._attempt(self._open)

    def _attempt(self, step: Callable[[], None]) -> None:
        if self.failure is None:
            try:
                step()
            except OSError as error:
                self.failure = error

    def _open(self) -> None:
        from scanner.night.page import PageWriter

        self._writer = PageWriter(self._path)

    def game(self, table: GameTable) -> None:
        self._attempt(lambda: self._whole().game(table))

    def finish(self, photos: Iterable[PhotoVerdict]) -> None:
        self._attempt(lambda: self._whole().finish(photos))

    def abandon(self) -> None:
        """Take the draft away, if the page is not whole."""
        if self._writer is not None:
            self._writer.abandon()

    def _whole(self) -> "PageWriter":
        assert self._writer is not None
        return self._writer


def run_night(orders: Orders, console: "Console", complaints: "Console") -> int:
    """Read and show a night; the exit code. MissingFile and BadState as `find_photos` and `load_names` raise them; MissingFile
    also for files that cannot be written, WrongOutput for those that must not be; ImportError, with what to do about it,
    without the extra `cluster`."""
    players = load_names(orders.names) if orders.names is not None else ()
    photos = find_photos(orders.places)
    answers = NightAnswers.load(orders.answers, [photo.path for photo in photos]) if orders.answers is not None else None
    if not photos and not orders.watch:
        raise MissingFile(f"There is no photo in {', '.join(orders.places)}.", "Name a folder with photos in it.")
    results = orders.results or results_file(orders.places)
    _check_outputs(orders, results, photos)

    def update(night: Night) -> int:
        if orders.watch and console.is_terminal:
            console.clear()
        code = _show(night, orders, console, complaints)
        if answers is not None:
            code = max(code, say_wrong(answers.wrong, answers.book.unused(), complaints))
        if night.arriving:
            complaints.print(f"Still arriving: {', '.join(night.arriving)}", style="dim")
        return code

    with _ledger(results) as ledger, _crew(orders) as crew:
        try:
            if orders.watch:
                complaints.print("Watching for photos; Ctrl-C ends.", style="dim")
                run = NightRun(orders.places, ledger, crew, players, Arrivals(), answers)
                return watch(run, changes_of(orders.places), update)
            return update(NightRun(orders.places, ledger, crew, players, answers=answers).read())
        except ClusterGone as error:
            raise MissingFile(
                f"The Dask cluster at {orders.cluster} does not answer any more.",
                f"What was read is kept in {results}. Run again when the cluster is there, or without --cluster: only the rest "
                "is read.",
            ) from error


def _check_outputs(orders: Orders, results: Path, photos: Iterable[PhotoFile]) -> None:
    """Say what must not or cannot be written before hours are spent on reading photos."""
    outputs = {"--results": results} | ({} if orders.html is None else {"--html": orders.html})
    written_by_hand = [path for path in (orders.names, orders.answers) if path is not None]
    check_outputs(outputs, [*written_by_hand, *(photo.path for photo in photos)])
    if results.is_file() and not is_results_file(results):
        text = f"--results {results} is there and holds no results; name a new file, or one that night has written"
        raise WrongOutput(text)
    if orders.html is not None:
        _check_page(orders.html)


def _check_page(path: Path) -> None:
    page = _Page(path)
    page.abandon()
    if page.failure is not None:
        raise _unwritable(path, page.failure, "Name another place with --html FILE. Nothing has been read yet.")


def _unwritable(path: Path, error: OSError, hint: str) -> MissingFile:
    return MissingFile(f"{path} cannot be written: {error.strerror}.", hint)


def _ledger(file: Path) -> Ledger:
    try:
        return Ledger(file)
    except OSError as error:
        hint = "Name a place where results can be kept with --results FILE."
        raise MissingFile(f"Results cannot be kept in {file}: {error.strerror}.", hint) from error


def _crew(orders: Orders) -> AbstractContextManager[Crew]:
    if orders.cluster is None:
        return local_crew(orders.workers or cores())
    try:
        # Only to say at once what is missing.
        import_module("distributed")
    except ImportError as error:
        raise ImportError("--cluster needs Dask: pip install 'obelisk-scan[cluster]'") from error
    return cluster_crew(orders.cluster)


def _show(night: Night, orders: Orders, console: "Console", complaints: "Console") -> int:
    unused = [one for one in night.players if one.precision]
    sinks: list[Sink] = [_Terminal(None if orders.as_json or orders.as_csv else console, complaints, unused)]
    if orders.as_json:
        sinks.append(JsonWriter(sys.stdout))
    if orders.as_csv:
        sinks.append(CsvWriter(sys.stdout))
    if orders.html is None:
        return show(night, sinks, orders.strict)
    page = _Page(orders.html)
    try:
        code = show(night, [*sinks, page], orders.strict)
    finally:
        page.abandon()
    if page.failure is not None:
        hint = "The readings are kept: run again, perhaps with another --html FILE, and only the page is made."
        raise _unwritable(orders.html, page.failure, hint)
    return code
