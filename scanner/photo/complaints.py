"""Hearing what a C library has to complain about when it tells nobody but standard error."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from scanner.errors import Truncated

_STDERR = 2


@contextmanager
def complaints_are_damage(name: str) -> Iterator[None]:
    """While the block runs, what is written to the process's standard error is kept; any of it raises Truncated at the end.

    libtiff goes on after a bad strip, and Pillow reports a picture that is partly rubbish as read. Its warnings are off in
    Pillow, so that all it writes are errors. The file descriptor belongs to the whole process: other threads should not
    write there at the same time.
    """
    if sys.stderr is not None:
        sys.stderr.flush()
    try:
        original = os.dup(_STDERR)
    except OSError:  # closed, as for a daemon: nothing to be heard
        yield
        return
    with tempfile.TemporaryFile() as kept:
        os.dup2(kept.fileno(), _STDERR)
        try:
            yield
        finally:
            os.dup2(original, _STDERR)
            os.close(original)
        kept.seek(0)
        said = kept.read(400).decode("utf-8", errors="replace").strip()
    if said:
        raise Truncated(f"{name} is damaged inside: {said.splitlines()[0].rstrip('.')}.")
