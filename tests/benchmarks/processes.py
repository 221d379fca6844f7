"""Commands run cold: their wall time, processor time and peak memory, each alone."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ONE_THREAD: Final = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
BARE_IMPORTS: Final = (sys.executable, "-c", "import cv2, onnxruntime")

_COMPILED: Final = Path(tempfile.gettempdir()) / "obelisk-scan-benchmarks"

# A new process counts the memory of the one that started it towards its own peak, until it is replaced by its command (Linux
# does so on exec). So a small interpreter starts the command, not this large one.
_LAUNCHER: Final = """
import json, os, sys, time
started = time.perf_counter()
pid = os.fork()
if not pid:
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    os.execv(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(pid, 0)
seconds = time.perf_counter() - started
print(json.dumps([seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, os.waitstatus_to_exitcode(status)]))
"""


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
    """Run a command, its program given by its path, to its end; its output is thrown away.

    Modules are compiled once and found compiled from then on, as installers leave them, whatever this environment says.
    """
    environment = os.environ | ONE_THREAD | {"PYTHONPYCACHEPREFIX": str(_COMPILED)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    launcher = (sys.executable, "-I", "-S", "-c", _LAUNCHER, *command)
    done = subprocess.run(launcher, check=True, capture_output=True, text=True, env=environment)
    seconds, cpu_seconds, peak, code = json.loads(done.stdout)
    return Run(seconds, cpu_seconds, peak * (1 if sys.platform == "darwin" else 1024) / 2**20, code)
