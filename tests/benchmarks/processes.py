"""Commands run cold: their wall time and the peak memory of each alone."""

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Final

ONE_THREAD: Final = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
BARE_IMPORTS: Final = (sys.executable, "-c", "import cv2, onnxruntime")


def scan_command(*photos: str) -> tuple[str, ...]:
    """The console command of this very environment."""
    return (str(Path(sys.executable).parent / "obelisk-scan"), *photos)


@dataclass(frozen=True)
class Run:
    """seconds: wall time. cpu_seconds: processor time. peak_mb: largest resident size, MiB. code: exit status."""

    seconds: float
    cpu_seconds: float
    peak_mb: float
    code: int


def run_cold(command: Sequence[str]) -> Run:
    """Run a command to its end, its output thrown away."""
    started = perf_counter()
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | ONE_THREAD
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)  # it has been waited for
    peak_bytes = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return Run(seconds, usage.ru_utime + usage.ru_stime, peak_bytes / 2**20, process.returncode)
