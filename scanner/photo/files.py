"""A photo's bytes from its file."""

import stat
from pathlib import Path

from scanner.errors import MissingFile
from scanner.photo.limits import check_bytes


def file_bytes(source: str | Path, name: str) -> bytes:
    """The bytes of the file at `source`, called `name` in messages. MissingFile if it cannot be read, TooLarge over 100 MB.

    Looks before opening: a pipe would block for ever, and a large file need not be read.
    """
    path = Path(source)
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise MissingFile(f"{name} is a folder, not a photo.", "Name the photos in it, one by one or with a wildcard.")
        if not stat.S_ISREG(status.st_mode):
            raise MissingFile(f"{name} is a pipe or device, not a file.", "Give `-` and pipe the photo to standard input.")
        check_bytes(status.st_size, name)
        return path.read_bytes()
    except FileNotFoundError as error:
        raise MissingFile(f"{name} does not exist.") from error
    except PermissionError as error:
        raise MissingFile(
            f"{name} may not be read: permission denied.", "Change the file's permissions, or copy it."
        ) from error
    except (OSError, ValueError) as error:  # ValueError: a path with a zero byte in it
        cause = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise MissingFile(f"{name} cannot be opened: {cause}.") from error
