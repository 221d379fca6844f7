"""Running the scanner over photos with truth files."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from scanner.decode import Decoder
from scanner.decode.raw import decode_raw
from scanner.engine import audit_state
from scanner.evaluate.compare import Look, PhotoVerdict, compare_photo
from scanner.evaluate.summary import Evaluation
from scanner.evaluate.truth import Case, find_cases
from scanner.pipeline import DEFAULT_OPTIONS, ScanOptions, SheetScan, read_photo_safely
from scanner.processes import settle
from scanner.result import SheetResult

RAW_DECODERS: Final[dict[str, Decoder]] = {"obelisk": decode_raw}
"""game -> what reads its sheets without the rules' correction."""


def evaluate_case(case: Case, options: ScanOptions = DEFAULT_OPTIONS) -> PhotoVerdict:
    """Scan one photo and compare it with its truth. A bug met on the way is part of the verdict, as `failed`."""
    started = time.perf_counter()
    scan = read_photo_safely(case.photo, options)
    seconds = time.perf_counter() - started
    return compare_photo(case.condition, case.truth, scan.result, [_look(sheet) for sheet in scan.sheets], seconds)


def _look(sheet: SheetScan) -> Look:
    raw = RAW_DECODERS.get(sheet.template.game)
    if raw is None:
        return Look(sheet.pose, sheet.decoded.confidence)
    decoded = raw(sheet.readings, sheet.pose.identity)
    result = SheetResult.of(sheet.pose, decoded, audit_state(decoded.audited))
    return Look(sheet.pose, sheet.decoded.confidence, result)


@contextmanager
def _verdicts(cases: Sequence[Case], options: ScanOptions, workers: int) -> Iterator[Iterator[PhotoVerdict]]:
    if workers == 1:
        yield (evaluate_case(case, options) for case in cases)
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # "spawn": forking a process in which onnxruntime's threads run can hang.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=settle) as pool:
        yield pool.map(evaluate_case, cases, [options] * len(cases))


def evaluate_directory(
    directory: Path,
    options: ScanOptions = DEFAULT_OPTIONS,
    workers: int = 1,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> Evaluation:
    """Evaluate all photos under `directory` that have a truth, in `workers` processes; `progress` is told after each photo how
    many of how many are done. Raises MissingFile and BadState as `truth.find_cases` does."""
    cases, without_truth = find_cases(directory)
    photos: list[PhotoVerdict] = []
    with _verdicts(cases, options, workers) as verdicts:
        for verdict in verdicts:
            photos.append(verdict)
            progress(len(photos), len(cases))
    return Evaluation.of(photos, [str(path) for path in without_truth])
