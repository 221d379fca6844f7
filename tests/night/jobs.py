"""What workers of the tests do instead of reading photos. They run in processes of their own."""

import os
import signal
import time
from pathlib import Path

from scanner.night.record import PhotoRecord, version
from scanner.result import ErrorInfo


def note(path: str, name: str) -> bytes:
    """A record that says who made it. A photo called "deadly" kills its worker; one called "once" does so the first time; one
    called "buggy" raises. Each writes a line into `log` beside the photo."""
    file = Path(path)
    with (file.parent / "log").open("a") as log:
        log.write(f"{file.name} {os.getpid()}\n")
    tried = file.with_suffix(".tried")
    if "deadly" in name or ("once" in name and not tried.exists()):
        tried.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    if "buggy" in name:
        raise ValueError("a bug on the way")
    if "slow" in name:
        time.sleep(0.3)
    status = file.stat()
    error = ErrorInfo(3, "not_an_image", f"by {os.getpid()}", "")
    return PhotoRecord(path, status.st_size, status.st_mtime_ns, f"hash of {file.name}", version(), error).line()


def threads_of(_path: str) -> int:
    """How many threads this process has when NumPy has multiplied matrices and OpenCV has blurred a picture."""
    import cv2
    import numpy as np

    square = np.ones((600, 600))
    assert (square @ square)[0, 0] == 600
    assert cv2.GaussianBlur(np.zeros((2000, 2000), np.uint8), (9, 9), 3).max() == 0
    return len(os.listdir("/proc/self/task"))
