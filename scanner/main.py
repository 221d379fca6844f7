"""The program's beginning and end: what is typed is told apart, and results and errors are turned into exit codes.

    0    every sheet read and scored, nothing needs a look
    1    scored, but at least one reading needs a person's look
    2    the command line is wrong
    3    a file is missing, no image, truncated, too large or of an unknown kind
    4    no sheet in a photo, or one that cannot be trusted
    5    a state, a names file or an answers file breaks the contract
    70   a bug
    130  interrupted; 141: nobody reads the output any more (the shells' own numbers for both)

Several inputs: all are processed, and the highest code counts. Photos without options, the commonest command line, are read
from here: loading typer, and what it checks arguments with, takes as long as reading a photo.
"""

import errno
import gc
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scanner.errors import InternalError, MissingFile, ScanError
from scanner.processes import one_thread_for_matrices, stand_in_for_closed_streams

if TYPE_CHECKING:
    from rich.console import Console

    from scanner.pipeline import PhotoScan, ScanOptions
    from scanner.report.asking import Settling
    from scanner.result import ScanResult

INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141
NEEDS_LOOK: Final = 1
STDIN: Final = "-"

COMMANDS: Final = ("scan", "score", "evaluate", "night", "sheet", "layout", "tiles", "simulate")
"""The names of the commands in `cli`."""

DEBUG: Final[ContextVar[bool]] = ContextVar("debug", default=False)
"""Whether tracebacks are printed."""


def main() -> None:
    """The console script."""
    stand_in_for_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            # A terminal that knows no box-drawing characters gets question marks, not a traceback.
            reconfigure(errors="replace")
    one_thread_for_matrices()
    photos = plain_photos(sys.argv[1:])
    if photos:
        # Loading modules and laying out tables makes many objects that stay: looking through them for garbage takes 30 ms.
        gc.set_threshold(200_000)
        sys.exit(status_of(lambda: scan_photos(photos, "--json" in sys.argv)))
    from scanner.cli import app

    app(prog_name="obelisk-scan")


def plain_photos(arguments: Sequence[str]) -> list[str]:
    """The photos of the commonest command lines, `[scan] PHOTO... [--json]`; none if there is anything else to understand."""
    words = arguments[1:] if arguments[:1] == ["scan"] else arguments
    photos = [word for word in words if word != "--json"]
    if any(word.startswith("-") or not word for word in photos) or (words and words[0] in COMMANDS):
        return []
    return photos


def status_of(run: Callable[[], int], passing: tuple[type[Exception], ...] = ()) -> int:
    """The one place where errors become messages on standard error, and return values and errors exit statuses. Exceptions of
    the kinds `passing` are left alone."""
    try:
        code = run()
        sys.stdout.flush()
    except passing:
        raise
    except BrokenPipeError:
        code = nobody_reads()
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted.\n")
        code = INTERRUPTED
    except Exception as error:
        if DEBUG.get():
            traceback.print_exc()
        known = _as_scan_error(error)
        _complain(known)
        code = known.code
    return code


def nobody_reads() -> int:
    """Give up standard output, whose pipe is closed at the other end; the exit code."""
    # Python flushes it once more at exit, which must not fail again.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return BROKEN_PIPE


def _as_scan_error(error: Exception) -> ScanError:
    if isinstance(error, ScanError):
        return error
    if isinstance(error, OSError) and error.filename is not None:
        return MissingFile(f"{error.filename} cannot be used: {error.strerror}.", "Check the path, and who may use it.")
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
        return MissingFile(f"The output cannot be written: {error.strerror}.", "Make room, or let it be written elsewhere.")
    return InternalError(f"obelisk-scan met a bug ({type(error).__name__}: {error}).")


def _complain(error: ScanError) -> None:
    from scanner.report.terminal import error_text
    from scanner.result import ErrorInfo

    console(stderr=True).print(error_text(ErrorInfo.of(error), "obelisk-scan"), soft_wrap=True)


def console(stderr: bool = False) -> "Console":
    """Standard output or standard error, for people."""
    from rich.console import Console

    # rich itself looks at NO_COLOR, at the terminal and at its width.
    class PipeConsole(Console):
        """Leaves a closed pipe to `status_of`, which knows its exit code; rich would end the program with 1."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return PipeConsole(stderr=stderr, highlight=False, markup=False)


def scan_photos(
    photos: Sequence[str],
    as_json: bool,
    options: "ScanOptions | None" = None,
    annotate: Path | None = None,
    strict: bool = False,
    settling: "Settling | None" = None,
) -> int:
    """Read and score the sheets in photos, as the command `scan` does, and print what was found; the exit code."""
    from scanner.photo.opencv import check_opencv

    check_opencv()
    from scanner.pipeline import DEFAULT_OPTIONS
    from scanner.report.progress import progress
    from scanner.report.terminal import print_refusals, print_result

    annotator, unwritten = None, None
    if annotate is not None:
        from scanner.report.annotate import Annotator

        try:
            annotator = Annotator(annotate, [name for name in photos if name != STDIN])
        except OSError as error:
            unwritten = _unwritten(annotate, error)
    output, complaints = console(), console(stderr=True)
    results: list[ScanResult] = []
    with progress(len(photos)) as step:
        for name in photos:
            step(name)
            found = _read(name, options or DEFAULT_OPTIONS)
            if settling is not None:
                step.clear()
                found = settling.settle(found)
            results.append(_with_hint(found.result))
            if annotator is not None and annotate is not None:
                try:
                    annotator.write(found)
                except OSError as error:
                    annotator, unwritten = None, _unwritten(annotate, error)
            step.clear()
            if not as_json:
                print_result(output, results[-1])
            print_refusals(complaints, results[-1])
    if as_json:
        from scanner.result import photos_json

        sys.stdout.write(photos_json(results) + "\n")
    else:
        from scanner.report.standings import print_standings

        print_standings(output, results)
    wrong_answers = settling.end(complaints) if settling is not None else 0
    if unwritten is not None:
        _complain(unwritten)
    not_written = unwritten.code if unwritten is not None else 0
    return max(wrong_answers, not_written, *(scan_code(result, strict) for result in results))


def _read(name: str, options: "ScanOptions") -> "PhotoScan":
    """The photo of that name, or that of standard input."""
    from scanner.photo.files import stdin_bytes
    from scanner.photo.limits import MAX_BYTES
    from scanner.pipeline import PhotoScan, read_photo_safely
    from scanner.result import ErrorInfo, ScanResult

    try:
        source = stdin_bytes(MAX_BYTES) if name == STDIN else name
    except ScanError as error:
        return PhotoScan(ScanResult(name, ErrorInfo.of(error)))
    return read_photo_safely(source, options, name, _print_traceback if DEBUG.get() else _say_nothing)


def _unwritten(directory: Path, error: OSError) -> ScanError:
    """Pictures that cannot be written take no verdict with them."""
    return MissingFile(
        f"The annotated pictures cannot be written to {directory}: {error.strerror or error}.",
        "Everything was read all the same; give --annotate a folder that can be written.",
    )


def _say_nothing(_text: str) -> None:
    """Tracebacks are for `--debug`."""


def _print_traceback(text: str) -> None:
    sys.stderr.write(text + "\n")


def _with_hint(result: "ScanResult") -> "ScanResult":
    """A missing file that looks like a mistyped command says so."""
    if result.error is None or result.error.kind != MissingFile.kind:
        return result
    import difflib

    import msgspec

    close = difflib.get_close_matches(result.file, COMMANDS, n=1)
    if not close:
        return result
    hint = f"{result.error.hint} Or was the command `{close[0]}` meant?"
    return msgspec.structs.replace(result, error=msgspec.structs.replace(result.error, hint=hint))


def scan_code(result: "ScanResult", strict: bool = False) -> int:
    """The exit code for one photo. With `strict`, audit lines and unreadable sheet numbers need a look as well."""
    open_points = result.needs_look or (
        strict and any(sheet.audit or sheet.state.get("sheet_number") is None for sheet in result.sheets)
    )
    return max(result.worst_code, NEEDS_LOOK if open_points else 0)
