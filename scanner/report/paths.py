"""Which file a path means."""

import os
from pathlib import Path


def followed(path: str | Path) -> Path:
    """The absolute path that a path leads to, its links followed. Unlike `Path.resolve`, it takes links in a circle as they
    are."""
    return Path(os.path.realpath(path))


def file_key(path: str | Path) -> str:
    """The same for all paths that mean one file, also where the case of letters makes no difference."""
    return str(followed(path)).casefold()
