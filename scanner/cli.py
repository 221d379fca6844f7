"""The command line: the commands, their options, and what each of them prints. Modules are imported by the commands that need
them. With which status the program ends is `main`'s to say.
"""

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, ParamSpec

import typer
from typer.core import TyperGroup

from scanner.errors import InternalError
from scanner.main import DEBUG, STDIN, console, nobody_reads, scan_photos, status_of

if TYPE_CHECKING:
    from scanner.report.asking import Settling

MAX_SET: Final = 260_641
"""The greatest set number whose sheet numbers, set * 8 + seat - 1, fit the sheet's four digits in base 38."""
MAX_WORKERS: Final = 1024
"""More processes than any machine has cores for."""

_P = ParamSpec("_P")


class Paper(StrEnum):
    """Paper that sheets can be printed on."""

    A4 = "a4"
    LETTER = "letter"


@contextmanager
def _ending_with_the_reader() -> Iterator[None]:
    """Help and versions that nobody reads any more end as commands do; typer would end with 1, which speaks of readings."""
    try:
        yield
    except (BrokenPipeError, SystemExit) as error:
        # rich, which writes the help, ends the program by itself.
        if not isinstance(error.__context__ if isinstance(error, SystemExit) else error, BrokenPipeError):
            raise
        raise typer.Exit(nobody_reads()) from None


class _ScanByDefault(TyperGroup):
    """`obelisk-scan PHOTO...` is `obelisk-scan scan PHOTO...`, and `--debug` may stand anywhere."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        before = args[: args.index("--")] if "--" in args else args
        debug = [arg for arg in before if arg == "--debug"][:1]
        args = [arg for arg in before if arg != "--debug"] + args[len(before) :]
        if args and args[0] not in self.commands and args[0] not in ("--help", "--version"):
            args = ["scan", *args]
        return super().parse_args(ctx, debug + args)

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        with _ending_with_the_reader():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        with _ending_with_the_reader():
            return super().invoke(ctx)


app = typer.Typer(
    cls=_ScanByDefault,
    add_completion=False,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    subcommand_metavar="PHOTO... | COMMAND [ARGS]...",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"obelisk-scan {version('obelisk-scan')}")
        raise typer.Exit


@app.callback()
def _root(
    _version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version and stop.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Print tracebacks when something goes wrong inside.")] = False,
) -> None:
    """Reads hand-filled game sheets from photos and scores them, never silently wrong.

    `obelisk-scan PHOTO...` is the same as `obelisk-scan scan PHOTO...`.
    """
    DEBUG.set(debug)


def _command(function: Callable[_P, int]) -> Callable[_P, None]:
    """A command that returns its exit status, made one that ends the program with it."""

    @functools.wraps(function)
    def run(*args: _P.args, **kwargs: _P.kwargs) -> None:
        raise typer.Exit(status_of(functools.partial(function, *args, **kwargs), (typer.BadParameter, typer.Exit)))

    return run


def _only_one_stdin(names: list[str]) -> list[str]:
    if names.count(STDIN) > 1:
        raise typer.BadParameter("standard input (-) can be read only once")
    return names


def _game(name: str) -> str:
    from scanner.games import find_game
    from scanner.pipeline import READABLE_GAMES

    if not find_game(name):
        raise typer.BadParameter(f"{name!r} is none of: {', '.join(READABLE_GAMES)}")
    return name


def _check_template(game: str) -> None:
    from scanner.games import find_game

    if not find_game(game):
        raise typer.BadParameter(f"there is no sheet for {game!r}")


Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output and nothing else.")]


@app.command()
@_command
def scan(
    photos: Annotated[
        list[str],
        typer.Argument(
            metavar="PHOTO...",
            callback=_only_one_stdin,
            help="JPEG, PNG, WebP, TIFF, HEIC or PDF; - reads one from standard input.",
        ),
    ],
    as_json: Json = False,
    annotate: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", file_okay=False, help="Write pictures into DIR: each photo and each sheet with what was read."
        ),
    ] = None,
    game: Annotated[str | None, typer.Option(help="Look for sheets of this game only.")] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="End with 1 also for audit lines and for sheets whose number cannot be read.")
    ] = False,
    review: Annotated[bool, typer.Option("--review", help="Ask about doubtful readings, here at the terminal.")] = False,
    answers: Annotated[
        Path | None,
        typer.Option(metavar="FILE", dir_okay=False, help="TOML: answers to reviews, as --save-answers writes them."),
    ] = None,
    save_answers: Annotated[
        Path | None,
        typer.Option(metavar="FILE", dir_okay=False, help="With --review: keep the answers in FILE, for --answers."),
    ] = None,
) -> int:
    """Read and score the sheets in photos."""
    from scanner.photo.opencv import check_opencv

    check_opencv()
    from scanner.pipeline import ScanOptions

    options = ScanOptions((_game(game),)) if game is not None else ScanOptions()
    settling = _settling(photos, as_json, review, answers, save_answers)
    return scan_photos(photos, as_json, options, annotate, strict, settling)


def _settling(
    photos: list[str], as_json: bool, review: bool, answers: Path | None, save_answers: Path | None
) -> "Settling | None":
    """What answers reviews: a file, the person at the terminal, both, or None."""
    if save_answers is not None and not review:
        raise typer.BadParameter("--save-answers keeps what --review asks; give both")
    if answers is None and not review:
        return None
    asking = None
    if review:
        # Standard output is the document's; where it is none, questions may stand there.
        streams = [sys.stderr] if as_json else [sys.stderr, sys.stdout]
        shown = next((stream for stream in streams if stream.isatty()), None)
        if STDIN in photos:
            raise typer.BadParameter("--review takes answers from standard input, which cannot be a photo (-) as well")
        if shown is None or sys.stdin is None or not sys.stdin.isatty():
            raise typer.BadParameter("--review asks at a terminal, and this is none; give answers in a file with --answers")
        asking = console(stderr=shown is sys.stderr)
    from scanner.report.asking import Settling
    from scanner.report.outputs import WrongOutput

    try:
        return Settling.begin(photos, answers, save_answers, asking, _typed_line)
    except WrongOutput as error:
        raise typer.BadParameter(str(error)) from error


def _typed_line() -> str:
    # Looked up when it is asked for: nobody may be asked, and standard input closed.
    return sys.stdin.readline()


@app.command()
@_command
def score(
    states: Annotated[
        list[str],
        typer.Argument(metavar="STATE.json...", callback=_only_one_stdin, help="States; - reads one from standard input."),
    ],
    audit: Annotated[
        bool,
        typer.Option("--audit", help="Could legal play lead to each state? Name every breach of the rules. JSON always does."),
    ] = False,
    as_json: Json = False,
) -> int:
    """Score states without a photo."""
    from scanner.report.scoring import judge_file, read_state, read_stdin

    judged = [judge_file(name, read_stdin if name == STDIN else functools.partial(read_state, name)) for name in states]
    results = [one.scored for one in judged]
    if as_json:
        from scanner.result import states_json

        typer.echo(states_json(results))
    told = [one for one in judged if one.scored.error is not None or not as_json]
    if told:
        from scanner.report.audit import print_judged

        for one in told:
            print_judged(console(stderr=one.scored.error is not None), one, audit)
    return max(result.error.code if result.error else 0 for result in results)


@app.command()
@_command
def evaluate(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="Photos with truth files (NAME.truth.json) beside them.")],
    as_json: Json = False,
    workers: Annotated[int, typer.Option(min=1, max=MAX_WORKERS, help="Processes to share the work.")] = 1,
) -> int:
    """Measure accuracy over photos whose truth is known."""
    from scanner.photo.opencv import check_opencv

    check_opencv()
    from scanner.evaluate.run import evaluate_directory
    from scanner.report.progress import progress

    with progress() as step:
        result = evaluate_directory(directory, workers=workers, progress=lambda done, of: step(f"photo {done} of {of}"))
    if as_json:
        from scanner.result import pretty_json

        typer.echo(pretty_json(result.to_dict()))
    else:
        from scanner.report.evaluation import print_evaluation

        print_evaluation(console(), result)
    # Wrong readings are what is measured, and no failure of the command; a bug met on the way is one.
    return InternalError.code if InternalError.kind in result.overall.refusals else 0


@app.command()
@_command
def night(
    places: Annotated[
        list[str], typer.Argument(metavar="DIR...", help="Folders of photos, searched to the bottom, or photos.")
    ],
    as_json: Json = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print one CSV row a player on standard output.")] = False,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", dir_okay=False, help="Write one self-contained page for people.")
    ] = None,
    names: Annotated[
        Path | None, typer.Option(metavar="FILE", dir_okay=False, help=r"TOML: [\[player]] with set or folder, seat, name.")
    ] = None,
    results: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            dir_okay=False,
            help="Where results are kept, so that no photo is read twice; else in the first DIR.",
        ),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, max=MAX_WORKERS, help="Processes to share the work; else one a core.")
    ] = None,
    cluster: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Work on the Dask cluster at this address.")] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Go on: read photos as they come, until interrupted.")] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="End with 1 also for conflicts between sheets and for audit lines.")
    ] = False,
    answers: Annotated[
        Path | None,
        typer.Option(metavar="FILE", dir_okay=False, help="TOML: answers to reviews, as `scan --save-answers` writes them."),
    ] = None,
) -> int:
    """A game night: read the photos in folders, and say who won each game."""
    from scanner.night.command import Orders, run_night
    from scanner.photo.opencv import check_opencv
    from scanner.report.outputs import WrongOutput

    if as_json and as_csv:
        raise typer.BadParameter("--json and --csv exclude each other")
    if watch and (as_json or as_csv):
        raise typer.BadParameter("--watch shows tables, or keeps a page current with --html")
    if cluster is not None and workers is not None:
        raise typer.BadParameter("--workers is of this machine, --cluster is another")
    check_opencv()
    orders = Orders(places, as_json, as_csv, html, names, results, workers, cluster, watch, strict, answers)
    try:
        return run_night(orders, console(), console(stderr=True))
    except BrokenPipeError:
        # A connection's error as well, but that of a reader who goes away.
        raise
    except (ImportError, ConnectionError, WrongOutput) as error:
        raise typer.BadParameter(str(error)) from error


@app.command()
@_command
def sheet(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", dir_okay=False, help="The PDF to write.")],
    game: Annotated[str, typer.Option(help="Which game's sheet.")] = "obelisk",
    seats: Annotated[int, typer.Option(min=1, max=8, help="Sheets to print, one a seat.")] = 4,
    paper: Annotated[Paper, typer.Option(help="Paper size.")] = Paper.A4,
    number: Annotated[int | None, typer.Option(min=0, max=MAX_SET, help="The set's number; random if it is left out.")] = None,
) -> int:
    """Write a set of sheets to print and play on."""
    from scanner.sheet.printing import write_sheets

    if number is None:
        import secrets

        number = secrets.randbelow(MAX_SET + 1)
    _check_template(game)
    write_sheets(output, game, seats, paper=paper.value, number=number)
    typer.echo(f"{output}: set {number}, {seats} {'sheet' if seats == 1 else 'sheets'}, {paper.value}", err=True)
    return 0


@app.command()
@_command
def layout(
    game: Annotated[str, typer.Option(help="Which game's sheet.")] = "obelisk",
) -> int:
    """Print the geometry of a sheet as JSON."""
    from scanner.result import pretty_json
    from scanner.sheet.layout import layout as layout_of

    _check_template(game)
    typer.echo(pretty_json(layout_of(game)))
    return 0


@app.command()
@_command
def tiles(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", dir_okay=False, help="The PDF to write.")],
) -> int:
    """Write the 12 worker tiles to print and cut out."""
    from scanner.engine.obelisk.polyomino import SHAPES
    from scanner.engine.obelisk.workers import WORKERS
    from scanner.sheet.tiles import write_tiles

    write_tiles(output, WORKERS, SHAPES)
    typer.echo(f"{output}: {len(WORKERS)} tiles, page 2 is their backs", err=True)
    return 0


@app.command()
@_command
def simulate(
    game: Annotated[Literal["obelisk", "imhotep", "monolyth"], typer.Option(help="Which game.")] = "obelisk",
    players: Annotated[
        int | None, typer.Option(min=1, max=8, help="Players in each game; 4, or one for each of --kinds, if it is left out.")
    ] = None,
    kind: Annotated[
        str | None, typer.Option(help="How all play: random, greedy or strong (obelisk only); else greedy.")
    ] = None,
    kinds: Annotated[str | None, typer.Option(metavar="KIND,KIND...", help="How each plays, by seat.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of the first game; random if it is left out.")] = None,
    games: Annotated[int, typer.Option(min=1, help="How many games; each has the seed after the one before.")] = 1,
    moves: Annotated[
        bool, typer.Option("--moves", help="Give every game's actions as JSON Lines; tables go to standard error.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Play whole games and give every player's final state."""
    from scanner.report.simulation import play, print_games, seating, simulation_json

    try:
        seated = seating(game, players, kind, kinds)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    if seed is None:
        import secrets

        seed = secrets.randbelow(2**31)
    played = play(game, seated, seed, games, moves)
    if as_json:
        typer.echo(simulation_json(played))
    else:
        # The moves are for programs, which get nothing else on standard output.
        print_games(console(stderr=moves), sys.stdout, played)
    return 0
