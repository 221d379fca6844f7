"""Files that are no photos: each gets its error class, a message that names file and cause, and a remedy."""

import io
import os
import socket
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from reportlab.pdfgen.canvas import Canvas

from scanner.errors import MissingFile, NotAnImage, PhotoError, Truncated, UnknownFormat
from scanner.photo import load_photos
from tests.photo.pictures import encode, scene


def refusal(data: bytes | Path) -> PhotoError:
    with pytest.raises(PhotoError) as caught:
        load_photos(data, name=None if isinstance(data, Path) else "table.jpg")
    assert "table.jpg" in caught.value.message
    assert caught.value.hint
    assert caught.value.code == 3
    assert "\n" not in caught.value.message + caught.value.hint
    return caught.value


def ftyp(major: bytes, *compatible: bytes) -> bytes:
    body = b"ftyp" + major + b"\0\0\0\0" + b"".join(compatible)
    return struct.pack(">I", len(body) + 4) + body + struct.pack(">I4s", 16, b"mdat") + bytes(8)


OTHERS = {
    "GIF": encode(scene(20, 10), "GIF"),
    "BMP": encode(scene(20, 10), "BMP"),
    "PNM": encode(scene(20, 10), "PPM"),
    "JPEG 2000": encode(scene(20, 10), "JPEG2000"),
    "AVIF": encode(scene(64, 64), "AVIF"),
    "Windows icon": encode(scene(32, 32), "ICO"),
    "SVG": b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>',
    "Photoshop": b"8BPS\0\x01" + bytes(60),
    "JPEG XL": b"\xff\x0a" + bytes(60),
    "OpenEXR": b"v/1\x01" + bytes(60),
    "Canon raw": ftyp(b"crx ", b"crx ", b"isom"),
    "Fujifilm raw": b"FUJIFILMCCD-RAW 0201" + bytes(60),
    "Panasonic raw": b"IIU\0\x18\0\0\0" + bytes(60),
    "Olympus raw": b"IIRO\x08\0\0\0" + bytes(60),
    "video (MP4": ftyp(b"isom", b"iso2", b"avc1", b"mp41"),
    "video (MP4 or QuickTime": ftyp(b"qt  ", b"qt  "),
    "AVI video": b"RIFF\x40\0\0\0AVI LIST" + bytes(60),
    "Matroska or WebM video": b"\x1aE\xdf\xa3" + bytes(60),
}


@pytest.mark.parametrize("kind", OTHERS)
def test_other_formats_are_named(kind: str) -> None:
    error = refusal(OTHERS[kind])
    assert isinstance(error, UnknownFormat)
    assert kind in error.message
    assert ("frame of the video" in error.hint) == ("video" in kind)
    assert ("camera" in error.hint) == ("raw" in kind)


@pytest.mark.parametrize("tags", [{50706: b"\x01\x04\0\0"}, {262: 32803}, {254: 1}])
def test_raw_files_in_tiff_clothing(tags: dict[int, object]) -> None:
    """DNG, NEF, ARW and their like begin as TIFF does."""
    error = refusal(encode(np.asarray(scene(20, 10)[:, :, 0]), "TIFF", tiffinfo=tags))
    assert isinstance(error, UnknownFormat)
    assert "raw" in error.message
    assert "camera" in error.hint


@pytest.mark.parametrize("dtype", [np.float32, np.int32])
def test_measurements_are_no_photo(dtype: type) -> None:
    error = refusal(encode(scene(20, 10)[:, :, 0].astype(dtype), "TIFF"))
    assert isinstance(error, UnknownFormat)


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (b"", "empty"),
        (b"Row 3: sun, star\n" * 100, "text"),
        ("Zeile 3: ☀ ★\n".encode() * 200, "text"),
        (b"\xef\xbb\xbf{}", "text"),
        (b"<!DOCTYPE html><html><body>Sign in</body></html>", "web page"),
        (b"PK\x03\x04" + bytes(60), "ZIP"),
        (b"RIFF\x24\0\0\0WAVEfmt " + bytes(30), "RIFF"),
        (bytes(4096), "no known format"),
        (np.random.default_rng(1).bytes(5000), "no known format"),
        (b"\xff", "no known format"),
    ],
)
def test_what_is_no_picture(content: bytes, cause: str) -> None:
    error = refusal(content)
    assert type(error) is NotAnImage
    assert cause in error.message


def test_beginnings_alone_are_truncated() -> None:
    for start in (
        b"\xff\xd8",
        b"\xff\xd8\xff\xe1",
        b"\x89PNG\r\n\x1a\n",
        b"II*\0",
        b"MM\0*",
        b"RIFF\0\0\0\0WEBP",
        b"%PDF-1.7\n",
    ):
        assert type(refusal(start)) is Truncated
        assert type(refusal(start + bytes(200))) is Truncated


def test_paths_that_cannot_be_read(tmp_path: Path) -> None:
    gone = tmp_path / "table.jpg"
    assert "does not exist" in refusal(gone).message
    dangling = tmp_path / "link to table.jpg"
    dangling.symlink_to(gone)
    assert type(refusal(dangling)) is MissingFile
    loop = tmp_path / "loop of table.jpg"
    loop.symlink_to(loop)
    assert "cannot be opened" in refusal(loop).message
    folder = tmp_path / "table.jpg.d"
    folder.mkdir()
    assert "folder" in refusal(folder).message
    assert type(refusal(folder / "table.jpg" / "table.jpg")) is MissingFile
    within_a_file = tmp_path / "file"
    within_a_file.write_bytes(b"")
    assert type(refusal(within_a_file / "table.jpg")) is MissingFile
    assert type(refusal(tmp_path / ("table.jpg" * 60))) is MissingFile
    assert type(refusal(Path("table.jpg\0"))) is MissingFile


def test_pipes_and_sockets_are_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe table.jpg"
    os.mkfifo(pipe)
    error = refusal(pipe)
    assert type(error) is MissingFile
    assert "pipe" in error.message
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "s table.jpg"))
        assert type(refusal(tmp_path / "s table.jpg")) is MissingFile


def test_a_file_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulated, because the superuser may read everything."""

    def forbidden(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(self))

    path = tmp_path / "table.jpg"
    path.write_bytes(encode(scene(), "JPEG"))
    monkeypatch.setattr(Path, "read_bytes", forbidden)
    error = refusal(path)
    assert type(error) is MissingFile
    assert "permission" in error.message
    assert "permissions" in error.hint


def test_a_disk_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(self: Path) -> bytes:
        raise OSError(5, "Input/output error", str(self))

    path = tmp_path / "table.jpg"
    path.write_bytes(encode(scene(), "JPEG"))
    monkeypatch.setattr(Path, "read_bytes", failing)
    assert "Input/output error" in refusal(path).message


def test_a_locked_pdf() -> None:
    stream = io.BytesIO()
    canvas = Canvas(stream, encrypt="secret")
    canvas.drawString(10, 10, "sheet")
    canvas.save()
    error = refusal(stream.getvalue())
    assert type(error) is UnknownFormat
    assert "password" in error.message


def test_bytes_like_inputs() -> None:
    data = encode(scene(), "JPEG")
    unpromised: list[Any] = [bytearray(data), memoryview(data)]
    for same in unpromised:
        assert load_photos(same)[0].width == 160
