"""The photos of a night: files under folders, each known by where it lies."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scanner.errors import MissingFile
from scanner.photo.names import shown_name

READABLE: Final = frozenset({".jpg", ".jpeg", ".jpe", ".png", ".webp", ".tif", ".tiff", ".heic", ".heif", ".pdf"})
OTHER_PICTURES: Final = frozenset({".gif", ".bmp", ".avif", ".jxl", ".jp2", ".dng", ".cr2", ".nef", ".arw"})
"""Pictures that cannot be read. They are taken all the same, so that each is told of and none is passed over in silence."""


@dataclass(frozen=True, slots=True)
class PhotoFile:
    """A photo: its absolute `path`; `name`, how the user would call it; `folder`, where it lies, likewise; and the file's
    size in bytes and time of change in ns since 1970, by which an unchanged file is known again."""

    path: str
    name: str
    folder: str
    size: int
    mtime_ns: int

    @property
    def key(self) -> str:
        """What the photo is called in the results file: its path, as text."""
        return shown_name(self.path)

    @property
    def stamp(self) -> tuple[int, int]:
        """What changes whenever the file does."""
        return self.size, self.mtime_ns


def find_photos(places: Sequence[str]) -> list[PhotoFile]:
    """All photos under the places, which are folders or single photos, in the order of their names, each once.

    Hidden files and folders are left out, and links to folders are not followed. A folder that cannot be looked into is
    one of them, so that it is told of like a photo that cannot be opened. MissingFile for a place that is not there.
    """
    found: dict[str, PhotoFile] = {}
    for place in places:
        root = Path(place)
        if not place or not root.exists():
            raise MissingFile(f"{place or repr(place)} does not exist.")
        for name in _files(root):
            path = os.path.realpath(name)
            try:
                status = os.stat(path)
            except OSError:
                # Gone since the folder was listed, or a link to nowhere: there is no photo.
                continue
            folder = shown_name(os.path.dirname(name) or ".")
            found.setdefault(path, PhotoFile(path, shown_name(name), folder, status.st_size, status.st_mtime_ns))
    return sorted(found.values(), key=lambda photo: photo.name)


def _files(root: Path) -> Iterator[str]:
    if root.is_file():
        yield str(root)
        return
    closed: list[str] = []
    for folder, folders, files in os.walk(root, onerror=lambda error: closed.append(error.filename)):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in files:
            if is_photo(name):
                yield os.path.join(folder, name)
    yield from closed


def is_photo(path: str) -> bool:
    """Whether a file's name is a picture's, and not a hidden one's."""
    name = os.path.basename(path)
    return not name.startswith(".") and os.path.splitext(name)[1].lower() in READABLE | OTHER_PICTURES
