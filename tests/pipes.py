"""Pipes that lie about as if they were files."""

import os
import threading
from pathlib import Path


def pipe_in(folder: Path, name: str = "pipe") -> Path:
    """A pipe. Whoever opens it to read finds nothing in it; without a writer he would wait for ever."""
    pipe = folder / name
    os.mkfifo(pipe)
    threading.Thread(target=lambda: pipe.open("wb").close(), daemon=True).start()
    return pipe
