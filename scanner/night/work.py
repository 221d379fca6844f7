"""What a worker does: read one photo, and give its record as a line for the results file.

The same function runs in a process of this machine and on a cluster.
"""

import os
from functools import cache

from scanner.errors import InternalError, ScanError
from scanner.night.record import PhotoRecord, version
from scanner.photo.names import shown_name
from scanner.result import ErrorInfo


@cache
def _prepare() -> None:
    import cv2

    # The work is shared by photos, on a cluster as well, whose workers set the matrices' threads by themselves.
    cv2.setNumThreads(1)


def read_file(path: str, name: str) -> bytes:
    """Read the photo at `path`, called `name` in messages; its record's line. Whatever is wrong is part of the record."""
    from scanner.photo.files import file_bytes
    from scanner.pipeline import read_photo_safely

    _prepare()
    key = shown_name(path)
    stamp = _stamp(path)
    try:
        content = file_bytes(path, name)
    except ScanError as error:
        return PhotoRecord(key, *stamp, "", version(), ErrorInfo.of(error)).line()
    scan = read_photo_safely(content, name=name)
    return PhotoRecord.of(key, stamp, content, scan).line()


def _stamp(path: str) -> tuple[int, int]:
    """As `PhotoFile.stamp`, of the file before it is read; zeros where there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return 0, 0
    return status.st_size, status.st_mtime_ns


def lost_line(path: str, name: str, cause: str) -> bytes:
    """The record's line of a photo whose reading came to nothing."""
    error = InternalError(
        f"{name} could not be read: {cause}.", "Run again to try it once more; if it happens again, scan that photo alone."
    )
    return PhotoRecord(shown_name(path), 0, 0, "", version(), ErrorInfo.of(error)).line()
