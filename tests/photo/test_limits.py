"""200 megapixels and 100 MB, found in the headers: nothing large is ever unpacked or even read."""

import io
import resource
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from scanner.errors import TooLarge
from scanner.photo import load_photos
from scanner.photo.limits import MAX_BYTES, MAX_PIXELS, check_pixels
from tests.photo.pictures import encode, png_chunk, scene


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def png_bomb(width: int, height: int) -> bytes:
    """A sound PNG of one bit a pixel, all black."""
    packer = zlib.compressobj(1)
    row = bytes(1 + (width + 7) // 8)
    packed = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    return (
        b"\x89PNG\r\n\x1a\n"
        + png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
        + png_chunk(b"IDAT", packed)
        + png_chunk(b"IEND", b"")
    )


def jpeg_stating(width: int, height: int) -> bytes:
    data = bytearray(encode(scene(), "JPEG"))
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = struct.pack(">HH", height, width)
    return bytes(data)


def webp_stating(width: int, height: int, kind: bytes) -> bytes:
    whole = bytearray(encode(scene(), "WEBP", lossless=kind == b"VP8L", exif=b"Exif\0\0MM\0*" if kind == b"VP8X" else b""))
    assert whole[12:16] == kind
    if kind == b"VP8X":
        whole[24:30] = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    elif kind == b"VP8L":
        whole[21:25] = ((width - 1) | (height - 1) << 14).to_bytes(4, "little")
    else:
        whole[26:30] = struct.pack("<HH", width, height)
    return bytes(whole)


def tiff_stating(width: int, height: int, **options: str) -> bytes:
    whole = bytearray(encode(scene(), "TIFF", **options))
    (at,) = struct.unpack_from("<I", whole, 4)
    (count,) = struct.unpack_from("<H", whole, at)
    for entry in range(at + 2, at + 2 + 12 * count, 12):
        (tag,) = struct.unpack_from("<H", whole, entry)
        if tag in (256, 257):
            struct.pack_into("<HHII", whole, entry, tag, 4, 1, width if tag == 256 else height)
    return bytes(whole)


def heic_stating(width: int, height: int) -> bytes:
    whole = encode(scene(), "HEIF")
    return whole.replace(b"ispe\0\0\0\0" + struct.pack(">II", 160, 120), b"ispe\0\0\0\0" + struct.pack(">II", width, height))


def pdf_page(width: float, height: float) -> bytes:
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=(width, height))
    canvas.drawString(10, 10, "sheet")
    canvas.save()
    return stream.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        jpeg_stating(20000, 10001),
        jpeg_stating(65535, 65535),
        png_bomb(20000, 10001),
        webp_stating(16383, 16383, b"VP8 "),
        webp_stating(16384, 16384, b"VP8L"),
        webp_stating(1 << 20, 1 << 11, b"VP8X"),
        tiff_stating(20000, 10001),
        tiff_stating(1 << 20, 1 << 20, compression="tiff_lzw"),
        heic_stating(20000, 10001),
        pdf_page(200 * 72, 200 * 72),
    ],
    ids=["JPEG", "largest JPEG", "PNG", "WebP", "WebP lossless", "WebP extended", "TIFF", "TIFF LZW", "HEIC", "PDF"],
)
def test_pixels(data: bytes) -> None:
    before = peak_mb()
    with pytest.raises(TooLarge, match="megapixels") as caught:
        load_photos(data, name="huge.jpg")
    assert "huge.jpg" in caught.value.message
    assert peak_mb() - before < 60


def test_a_large_picture_inside_of_a_pdf() -> None:
    data = encode(scene(), "PDF")
    frame = data.index(b"\xff\xc0")
    large = bytearray(data.replace(b"/Width 160", b"/Width 20500", 1).replace(b"/Height 120", b"/Height 10500", 1))
    frame = large.index(b"\xff\xc0")
    large[frame + 5 : frame + 9] = struct.pack(">HH", 10500, 20500)
    with pytest.raises(TooLarge, match="A picture in"):
        load_photos(bytes(large))


def test_the_limit_itself_is_within() -> None:
    check_pixels(20_000, MAX_PIXELS // 20_000, "photo")
    with pytest.raises(TooLarge):
        check_pixels(MAX_PIXELS + 1, 1, "photo")


@pytest.mark.parametrize(
    "data", [png_bomb(640, 480), encode(scene(), "TIFF"), encode(scene(), "WEBP"), encode(scene(), "HEIF")]
)
def test_another_packages_limit_does_not_show(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pillow warns from 89 megapixels and refuses from twice that, here from 1000 pixels; its setting is left as it was."""
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 1000)
    assert load_photos(data)[0].gray(1).size >= 160 * 120
    assert Image.MAX_IMAGE_PIXELS == 1000


def test_bytes(tmp_path: Path) -> None:
    path = tmp_path / "huge.jpg"
    with path.open("wb") as file:
        file.write(encode(scene(), "JPEG"))
        file.truncate(MAX_BYTES + 1)
    before = peak_mb()
    with pytest.raises(TooLarge, match="100 MB"):
        load_photos(path)
    assert peak_mb() - before < 20
    with path.open("r+b") as file:
        file.truncate(MAX_BYTES)
    assert load_photos(path)[0].width == 160


def test_arrays() -> None:
    wide = np.lib.stride_tricks.as_strided(np.zeros(3, np.uint8), (20000, 10001, 3), (0, 0, 1), writeable=False)
    with pytest.raises(TooLarge):
        load_photos(wide)
