"""Photos that are still being copied into a folder that is watched.

A copy in progress is a file that ends early. It is read when it has stopped growing; if it is damaged even so, the copy may
only be slow, and nobody is told before a while has passed in which nothing more came.
"""

import time
from collections.abc import Callable
from typing import Final

from scanner.errors import NotAnImage, Truncated
from scanner.night.photos import PhotoFile

QUIET_S: Final = 1.5
"""A file that has not changed for so long is read."""
PATIENCE_S: Final = 60.0
"""A file that has not changed for so long will not change any more: if it is damaged now, it is damaged."""
UNFINISHED: Final = frozenset({Truncated.kind, NotAnImage.kind})
"""What half a file is taken for."""


class Arrivals:
    """How long each file has been as it is."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        """`clock`: seconds since 1970."""
        self._clock = clock
        self._seen: dict[str, tuple[tuple[int, int], float]] = {}

    def quiet_s(self, photo: PhotoFile) -> float:
        """For how many seconds the file has not changed, by its own time of change when it is seen first, and from then on by
        the clock here: the two need not agree, and a copy may be given the original's time while it is still being written."""
        now = self._clock()
        stamp, since = self._seen.get(photo.path, ((0, 0), 0.0))
        if stamp != photo.stamp:
            since = now if photo.path in self._seen else min(now, photo.mtime_ns / 1e9)
            self._seen[photo.path] = photo.stamp, since
        return now - since

    def is_quiet(self, photo: PhotoFile) -> bool:
        """Whether the file has stopped growing, so that it can be read."""
        return self.quiet_s(photo) >= QUIET_S

    def may_be_unfinished(self, photo: PhotoFile, error_kind: str) -> bool:
        """Whether what is wrong with a photo may be only that the rest of it has not come yet."""
        return error_kind in UNFINISHED and self.quiet_s(photo) < PATIENCE_S
