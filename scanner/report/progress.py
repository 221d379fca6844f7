"""How far the work is, on standard error, only where that is a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

WIDTH = 78


class Progress:
    """One line that is written over; call it with what is being done now."""

    def __init__(self, of: int) -> None:
        self._of = of
        self._done = 0
        self._shown = sys.stderr.isatty() and of != 1

    def __call__(self, doing: str) -> None:
        """Show what is being done, counted if it was said how many there are."""
        self._done += 1
        if self._shown:
            count = f"[{self._done}/{self._of}] " if self._of else ""
            sys.stderr.write("\r" + f"{count}{doing}"[:WIDTH].ljust(WIDTH))
            sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away before something else is printed."""
        if self._shown:
            sys.stderr.write("\r" + " " * WIDTH + "\r")
            sys.stderr.flush()


@contextmanager
def progress(of: int = 0) -> Iterator[Progress]:
    """A progress line for `of` steps (0: not known), taken away at the end."""
    line = Progress(of)
    try:
        yield line
    finally:
        line.clear()
