"""The results file: one line a photo, appended and flushed as it is read, so that an interrupted run goes on where it was.

Only an index is held in memory; records are read from the file when they are asked for.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from scanner.errors import ScanError
from scanner.night.photos import PhotoFile
from scanner.night.record import PhotoRecord, version
from scanner.photo.files import file_bytes

DEFAULT_NAME: Final = "obelisk-night.jsonl"
"""What the results file is called where no other name is given; it lies in the first folder of the night."""


class SheetKey(msgspec.Struct, frozen=True):
    """Which sheet was seen, as far as its codes could be read."""

    game: str
    seat: int
    sheet_number: int | None


class _Head(msgspec.Struct, frozen=True):
    """The part of a record that every version's has; the rest of the line is skipped."""

    path: str
    size: int
    mtime_ns: int
    sha256: str
    version: str


_BEGINNING: Final = b'{"path":"'
"""How a record begins."""


def is_results_file(file: Path) -> bool:
    """Whether a file holds a record of any version, or the beginning of one that was torn off, or nothing. Any other must not
    be written to. OSError if it cannot be read."""
    empty = True
    with file.open("rb") as lines:
        for line in lines:
            if not line.strip():
                continue
            if _head(line) is not None or _is_torn(line):
                return True
            empty = False
    return empty


def _head(line: bytes) -> _Head | None:
    try:
        return msgspec.json.decode(line, type=_Head)
    except (msgspec.MsgspecError, RecursionError):
        return None


def _is_torn(line: bytes) -> bool:
    try:
        msgspec.json.decode(line, type=msgspec.Raw)
    except (msgspec.MsgspecError, RecursionError):
        return line.startswith(_BEGINNING)
    return False


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a photo's record stands in the file, and what it is about. `content`: the SHA-256; `refused`: whether sheets
    were."""

    offset: int
    length: int
    stamp: tuple[int, int]
    content: str
    sheets: tuple[SheetKey, ...]
    refused: bool


class Ledger:
    """The records of one results file. Use it as a context manager, or call `close`."""

    def __init__(self, file: Path) -> None:
        """Open the file or make it. OSError if that cannot be done.

        Lines that are no records of this version are passed over: the end that a killed run tore off, older versions' records.
        """
        self.file = file
        self._by_path: dict[str, Entry] = {}
        self._by_content: dict[str, Entry] = {}
        self._sizes: set[int] = set()
        self._fd = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o644)
        offset, line = 0, b"\n"
        for line in self._lines():
            self._note(line, offset)
            offset += len(line)
        if not line.endswith(b"\n"):
            self._write(b"\n")

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        os.close(self._fd)

    def _lines(self) -> Iterator[bytes]:
        with self.file.open("rb") as lines:
            yield from lines

    def _note(self, line: bytes, offset: int) -> bool:
        head = _head(line)
        if head is None or head.version != version():
            return False
        try:
            # The whole record: one that is broken inside is none, and its photo is read again.
            record = msgspec.json.decode(line, type=PhotoRecord)
        except (msgspec.MsgspecError, RecursionError):
            return False
        sheets = tuple(SheetKey(sheet.game, sheet.seat, sheet.sheet_number) for sheet in record.sheets)
        entry = Entry(offset, len(line), (head.size, head.mtime_ns), head.sha256, sheets, bool(record.refused))
        self._by_path[head.path] = entry
        if entry.content:
            self._by_content.setdefault(entry.content, entry)
            self._sizes.add(head.size)
        return True

    def _write(self, line: bytes) -> int:
        """Where the line was written."""
        # One write, straight to the system: a process that is killed afterwards has lost nothing.
        view = memoryview(line)
        while view:
            try:
                view = view[os.write(self._fd, view) :]
            except OSError as error:
                raise OSError(error.errno, error.strerror, str(self.file)) from error
        # Another run may append to the same file: only the system knows where this line went.
        return os.lseek(self._fd, 0, os.SEEK_CUR) - len(line)

    def append(self, line: bytes) -> bool:
        """Add a record's line; whether it is one of this version."""
        return self._note(line, self._write(line))

    def recall(self, photo: PhotoFile) -> bool:
        """Whether the photo's record is there, so that it need not be read: it lies where it did and has not changed, or the
        same content was read elsewhere. Photos that could not be opened, or whose worker died, are always tried again."""
        entry = self._by_path.get(photo.key)
        if entry is not None and entry.stamp == photo.stamp and entry.content:
            return True
        if photo.size not in self._sizes:
            return False
        try:
            content = sha256(file_bytes(photo.path, photo.name)).hexdigest()
        except ScanError:
            return False
        same = self._by_content.get(content)
        if same is None:
            return False
        record = msgspec.structs.replace(self.load(same), path=photo.key, size=photo.size, mtime_ns=photo.mtime_ns)
        self.append(record.line())
        return True

    def entry(self, photo: PhotoFile) -> Entry | None:
        """The photo's newest record, wherever it stands."""
        return self._by_path.get(photo.key)

    def load(self, entry: Entry) -> PhotoRecord:
        """The whole record, from the file."""
        with self.file.open("rb") as stream:
            stream.seek(entry.offset)
            return PhotoRecord.parse(stream.read(entry.length))
