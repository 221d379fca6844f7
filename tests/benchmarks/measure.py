"""The table of speed and memory: `python -m tests.benchmarks.measure PHOTO... [--rounds N] [--cold-rounds N] [--cpu]`.

Everything on one thread, so that on a busy machine processor time (`--cpu`) can stand in for wall time. What is compared is
measured in turns, so that a machine that slows down slows both down, and medians are compared. "imdecode" is `cv2.imdecode`
of the same file in full colour.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from scanner.photo import load_photos
from scanner.reading.networks import models_folder
from tests.benchmarks.processes import BARE_IMPORTS, run_cold, scan_command
from tests.benchmarks.stages import STAGES, Stopwatch, scan_and_report, watched


def models_bytes() -> int:
    """The size of all networks together."""
    return sum(path.stat().st_size for path in models_folder().glob("*.onnx"))


def time_warm(data: bytes, rounds: int, clock: Callable[[], float]) -> tuple[list[float], list[float], list[dict[str, float]]]:
    """Seconds of the whole, of imdecode, and by stage, round by round, in turns; a first round is thrown away."""
    encoded = np.frombuffer(data, np.uint8)
    whole, decode, stages = [], [], []
    for _ in range(rounds + 1):
        started = clock()
        cv2.imdecode(encoded, cv2.IMREAD_COLOR)
        decode.append(clock() - started)
        started = clock()
        scan_and_report(data)
        whole.append(clock() - started)
        stopwatch = Stopwatch(clock)
        with watched(stopwatch):
            scan_and_report(data)
        stages.append(dict(stopwatch.seconds))
    return whole[1:], decode[1:], stages[1:]


def time_cold(photo: str, rounds: int, cpu: bool) -> tuple[float, float, float, int]:
    """Median seconds of the command and of the bare imports, run in turns; the command's peak memory, MiB, and exit code."""
    run_cold(scan_command(photo))
    pairs = [(run_cold(scan_command(photo)), run_cold(BARE_IMPORTS)) for _ in range(rounds)]
    commands, imports = (median(run.cpu_seconds if cpu else run.seconds for run in runs) for runs in zip(*pairs, strict=True))
    return commands, imports, max(command.peak_mb for command, _ in pairs), pairs[0][0].code


def main() -> None:
    parser = argparse.ArgumentParser(description="Time and memory of obelisk-scan, on one thread.")
    parser.add_argument("photos", nargs="+", metavar="PHOTO")
    parser.add_argument("--rounds", type=int, default=15, help="warm rounds a photo")
    parser.add_argument("--cold-rounds", type=int, default=7, help="cold rounds a photo; 0 for none")
    parser.add_argument("--cpu", action="store_true", help="processor time instead of wall time")
    options = parser.parse_args()
    cv2.setNumThreads(1)

    warm = Table(title=f"Warm, ms of {'processor' if options.cpu else 'wall'} time (medians)")
    cold = Table(title="Cold")
    for column in ("photo", "MP", "imdecode", "whole", "ratio", *STAGES):
        warm.add_column(column, justify="left" if column == "photo" else "right")
    for column in ("photo", "command s", "imports s", "difference s", "peak MB", "exit code"):
        cold.add_column(column, justify="left" if column == "photo" else "right")
    for photo in options.photos:
        data = Path(photo).read_bytes()
        (page, *_) = load_photos(data)
        whole, decode, stages = time_warm(data, options.rounds, process_time if options.cpu else perf_counter)
        ratio = median(w / d for w, d in zip(whole, decode, strict=True))
        by_stage = [1000 * median(round_.get(stage, 0.0) for round_ in stages) for stage in STAGES]
        figures = [1000 * median(decode), 1000 * median(whole)]
        warm.add_row(
            Path(photo).name,
            f"{page.width * page.height / 1e6:.1f}",
            *(f"{figure:.1f}" for figure in figures),
            f"{ratio:.2f}",
            *(f"{figure:.1f}" for figure in by_stage),
        )
        if options.cold_rounds:
            command, imports, peak, code = time_cold(photo, options.cold_rounds, options.cpu)
            difference = f"{command - imports:+.2f}"
            cold.add_row(Path(photo).name, f"{command:.2f}", f"{imports:.2f}", difference, f"{peak:.0f}", str(code))
    console = Console(width=150)
    console.print(warm)
    if options.cold_rounds:
        console.print(cold)
    console.print(f"Networks together: {models_bytes() / 1e6:.3f} MB")


if __name__ == "__main__":
    main()
