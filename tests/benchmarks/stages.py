"""Time by stage of a real scan: the pipeline's own functions, wrapped for as long as one is watched."""

import io
import pkgutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Final
from unittest.mock import patch

from rich.console import Console

from scanner.pipeline import read_photo
from scanner.report.terminal import print_result
from scanner.result import ScanResult

STAGES: Final = {
    "decode": ("scanner.pipeline.load_photos", "scanner.photo.load.LoadedPhoto.gray"),
    "fiducials": ("scanner.sheet.estimate.detect_fiducials", "scanner.sheet.estimate.look_for_fiducial"),
    "pose": ("scanner.pipeline.find_sheets",),
    "rectify": ("scanner.pipeline.rectify",),
    "crops": ("scanner.reading.read.crop",),
    "networks": ("scanner.pipeline.read_sheets",),
    "decoding": ("scanner.pipeline.decode",),
    "report": ("tests.benchmarks.stages.report",),
}
"""Each stage's functions, by the names under which they are called. A stage's time is without that of the stages within."""


class Stopwatch:
    """Seconds by stage; only one stage runs at a time, the innermost."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._clock = clock
        self._open: list[str] = []
        self._since = 0.0

    def _turn(self) -> None:
        now = self._clock()
        if self._open:
            self.seconds[self._open[-1]] += now - self._since
        self._since = now

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        self._turn()
        self._open.append(name)
        try:
            yield
        finally:
            self._turn()
            self._open.pop()


def report(result: ScanResult) -> str:
    """What a person sees at a terminal of 100 columns."""
    console = Console(file=io.StringIO(), width=100, force_terminal=True)
    print_result(console, result)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def scan_and_report(data: bytes) -> ScanResult:
    """What is timed as the whole: from a file's bytes to the finished tables."""
    result = read_photo(data, name="photo").result
    report(result)
    return result


@contextmanager
def watched(stopwatch: Stopwatch) -> Iterator[None]:
    """While the block runs, the stages' functions report to the stopwatch."""
    with ExitStack() as stack:
        for stage, places in STAGES.items():
            for place in places:
                original = pkgutil.resolve_name(place)
                stack.enter_context(patch(place, _timed(original, stopwatch, stage)))
        yield


def _timed(function: Callable[..., Any], stopwatch: Stopwatch, stage: str) -> Callable[..., Any]:
    def timed(*args: Any, **kwargs: Any) -> Any:
        with stopwatch.stage(stage):
            return function(*args, **kwargs)

    return timed
