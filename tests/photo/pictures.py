"""Pictures for the tests of this folder, and their encodings."""

import io
import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

WIDTH, HEIGHT = 160, 120


def scene(width: int = WIDTH, height: int = HEIGHT, seed: int = 7) -> NDArray[np.uint8]:
    """RGB, uint8 (height, width, 3): smooth, coloured, without any symmetry, a little grainy so that no JPEG block is empty."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    u, v = x / width, y / height
    rgb = np.stack([40 + 180 * u, 60 + 150 * v, 120 + 60 * np.sin(9 * u * v + 2 * u)], axis=-1)
    rgb[: height // 3, : width // 5] = (250, 245, 235)
    rgb[-height // 4 :, -width // 3 :] *= 0.4
    return np.clip(rgb + rng.normal(0, 4, rgb.shape), 0, 255).astype(np.uint8)


def luma(rgb: NDArray[np.uint8]) -> NDArray[np.float64]:
    """ITU-R BT.601, as JPEG defines it."""
    grey: NDArray[np.float64] = rgb.astype(np.float64) @ np.array([0.299, 0.587, 0.114])
    return grey


def encode(picture: Image.Image | NDArray[np.uint8], kind: str, **options: Any) -> bytes:
    """The bytes of a file, through Pillow, or libheif for HEIF."""
    image = Image.fromarray(picture) if isinstance(picture, np.ndarray) else picture
    if kind == "HEIF":
        import pillow_heif

        stream = io.BytesIO()
        pillow_heif.encode(image.mode, image.size, image.tobytes(), stream, **options)
        return stream.getvalue()
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def exif_with(orientation: int) -> bytes:
    """An Exif block that states only an orientation."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    return b"Exif\0\0" + exif.tobytes().removeprefix(b"Exif\0\0")


def with_app1(jpeg: bytes, content: bytes) -> bytes:
    """The JPEG with an APP1 segment of that content right after its start."""
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(content) + 2) + content + jpeg[2:]


def png_chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def stored_as(upright: NDArray[np.uint8], orientation: int) -> NDArray[np.uint8]:
    """The rows and columns that a camera writes so that a viewer who obeys `orientation` sees `upright`.

    After the table of the Exif standard (which side of the picture the first row and the first column are), and so independent
    of the code under test.
    """
    rows_first, columns_first = {
        1: ("top", "left"),
        2: ("top", "right"),
        3: ("bottom", "right"),
        4: ("bottom", "left"),
        5: ("left", "top"),
        6: ("right", "top"),
        7: ("right", "bottom"),
        8: ("left", "bottom"),
    }[orientation]
    stored = upright
    if "right" in (rows_first, columns_first):
        stored = stored[:, ::-1]
    if "bottom" in (rows_first, columns_first):
        stored = stored[::-1]
    if rows_first in ("left", "right"):
        stored = stored.swapaxes(0, 1)
    return np.ascontiguousarray(stored)
