"""Bytes from files and from standard input, never more than are wanted: of photos, and of what people write by hand."""

import errno
import os
import stat
import sys
from pathlib import Path

from scanner.errors import MissingFile
from scanner.photo.limits import MAX_BYTES, check_bytes


def file_bytes(source: str | Path, name: str) -> bytes:
    """The bytes of the photo at `source`, called `name` in messages. MissingFile if it cannot be read, TooLarge over 100 MB."""
    try:
        return regular_bytes(source, name, MAX_BYTES, "Give `-` and pipe the photo to standard input.")
    except FileNotFoundError as error:
        raise MissingFile(f"{name} does not exist.") from error
    except IsADirectoryError as error:
        raise MissingFile(
            f"{name} is a folder, not a photo.", "Name the photos in it, one by one or with a wildcard."
        ) from error
    except PermissionError as error:
        raise MissingFile(
            f"{name} may not be read: permission denied.", "Change the file's permissions, or copy it."
        ) from error
    except (OSError, ValueError) as error:  # ValueError: a path with a zero byte in it
        cause = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise MissingFile(f"{name} cannot be opened: {cause}.") from error


def regular_bytes(source: str | Path, name: str, limit: int, instead: str, too_long: str | None = None) -> bytes:
    """The bytes of a file that is neither a pipe nor a device: MissingFile, with the remedy `instead`, if it is one. TooLarge,
    with the remedy `too_long`, beyond `limit` bytes; OSError as opening a file raises it.

    Looks before opening: a pipe would block for ever, a device may never end, and a large file need not be read.
    """
    if source == "":
        # As a path it would be the folder where one is.
        raise MissingFile("'' cannot be read: the name is empty.", "Give the file's name; an unset variable leaves none.")
    path = Path(source)
    status = path.stat()
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(status.st_mode):
        raise MissingFile(f"{name} is a pipe or device, not a file.", instead)
    check_bytes(status.st_size, name, limit, too_long)
    return path.read_bytes()


def stdin_bytes(limit: int, too_long: str | None = None) -> bytes:
    """Standard input to its end. MissingFile if there is none; TooLarge, with the remedy `too_long`, beyond `limit` bytes."""
    name = "standard input"
    remedy = "Pipe something to it, or name a file instead of `-`."
    if sys.stdin is None:
        raise MissingFile(f"{name} cannot be read: it is closed.", remedy)
    try:
        # No more, because it may have no end.
        content = sys.stdin.buffer.read(limit + 1)
    except OSError as error:
        raise MissingFile(f"{name} cannot be read: {error.strerror or error}.", remedy) from error
    check_bytes(len(content), name, limit, too_long)
    return content
