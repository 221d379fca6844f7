"""All eight EXIF orientations, wherever a format carries them, and the frame of the reduced pixels."""

import struct

import numpy as np
import pytest

from scanner.geometry import reduced_px
from scanner.photo import load_photos
from scanner.photo.exif import orientation_of
from tests.photo.pictures import HEIGHT, WIDTH, encode, exif_with, luma, scene, stored_as, with_app1

ORIENTATIONS = range(1, 9)
EVEN, ODD = (WIDTH, HEIGHT), (131, 97)


@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize(
    ("kind", "options", "size"),
    [
        ("JPEG", {"quality": 95}, EVEN),
        ("JPEG", {"quality": 95}, ODD),
        ("JPEG", {"quality": 95, "progressive": True}, ODD),
        ("PNG", {}, ODD),
        ("WEBP", {"lossless": True}, ODD),
        ("TIFF", {}, ODD),
        ("TIFF", {"compression": "tiff_lzw"}, ODD),
        ("HEIF", {"quality": 95}, (65, 48)),
    ],
)
def test_turned_upright(orientation: int, kind: str, options: dict[str, object], size: tuple[int, int]) -> None:
    upright = scene(*size)
    stored = stored_as(upright, orientation)
    if kind == "TIFF":
        data = encode(stored, kind, tiffinfo={0x0112: orientation}, **options)
    else:  # for HEIF the encoder writes the properties irot and imir beside the tag, as phones do
        data = encode(stored, kind, exif=exif_with(orientation), **options)
    (photo,) = load_photos(data)
    assert (photo.width, photo.height) == size
    expected = luma(upright)
    assert np.abs(photo.gray() - expected).mean() < 4
    assert np.abs(photo.bgr()[:, :, ::-1].astype(int) - upright).mean() < 12
    # What is reduced averages blocks that are counted from the upright picture's corner, whatever way it was stored.
    for reduction in (2, 4):
        (fresh,) = load_photos(data, reduction=reduction)
        rows, columns = (side // reduction * reduction for side in expected.shape)
        blocks = expected[:rows, :columns].reshape(rows // reduction, reduction, columns // reduction, reduction).mean((1, 3))
        for reduced in (photo.gray(reduction), fresh.gray(reduction)):
            assert reduced.shape == (-(-size[1] // reduction), -(-size[0] // reduction))
            assert np.abs(reduced[: blocks.shape[0], : blocks.shape[1]] - blocks).mean() < 3
        assert fresh.bgr(reduction).shape[:2] == fresh.gray(reduction).shape


@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("size", [(320, 240), (321, 243), (322, 241)])
def test_a_spot_stays_where_the_frame_says(orientation: int, size: tuple[int, int]) -> None:
    """The centre of gravity of a soft spot, in full and in reduced pixels: to a twentieth of a pixel."""
    spot = np.array([211.3, 94.6])
    y, x = np.mgrid[0 : size[1], 0 : size[0]]
    bright = 220 * np.exp(-((x - spot[0]) ** 2 + (y - spot[1]) ** 2) / (2 * 6.0**2))
    stored = stored_as(np.repeat(bright.astype(np.uint8)[:, :, None], 3, axis=2), orientation)
    data = encode(stored, "JPEG", quality=97, exif=exif_with(orientation))
    for reduction in (1, 2, 4):
        (photo,) = load_photos(data, reduction=reduction)
        grey = photo.gray(reduction).astype(np.float64)
        grey[grey < 12] = 0
        rows, columns = np.mgrid[0 : grey.shape[0], 0 : grey.shape[1]]
        centre = np.array([(columns * grey).sum(), (rows * grey).sum()]) / grey.sum()
        assert np.abs(centre - reduced_px(spot, reduction)).max() < 0.05


@pytest.mark.parametrize("size", [(1, 1), (1, 9), (3, 2), (5, 5), (63, 7), (65, 64), (66, 67), (129, 130)])
def test_sizes_are_rounded_up(size: tuple[int, int]) -> None:
    for kind in ("JPEG", "PNG"):
        for reduction in (1, 2, 4):
            (photo,) = load_photos(encode(scene(*size), kind), reduction=reduction)
            assert photo.gray(reduction).shape == (-(-size[1] // reduction), -(-size[0] // reduction))
            assert photo.bgr(reduction).shape == (*photo.gray(reduction).shape, 3)


@pytest.mark.parametrize(
    "block",
    [
        b"",
        b"Exif\0\0",
        b"Exif\0\0II",
        b"Exif\0\0II*\0\xff\xff\xff\xff",
        b"Exif\0\0MM\0*\0\0\0\x08\xff\xff",
        b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0",
        b"Exif\0\0" + bytes(range(256)),
        b"Exif\0\0II*\0\x08\0\0\0" + struct.pack("<HHHIHH", 1, 0x0112, 3, 1, 9, 0),
        b"Exif\0\0II*\0\x08\0\0\0" + struct.pack("<HHHIHH", 1, 0x0112, 3, 1, 0, 0),
        b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>",
    ],
)
def test_broken_exif_is_ignored(block: bytes) -> None:
    data = with_app1(encode(scene(), "JPEG", quality=95), block)
    (photo,) = load_photos(data)
    assert np.abs(photo.gray() - luma(scene())).mean() < 2


@pytest.mark.parametrize("order", ["<", ">"])
def test_both_byte_orders_and_widths(order: str) -> None:
    start = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(order + "I", 8)
    short = start + struct.pack(order + "HHHIHH", 1, 0x0112, 3, 1, 6, 0)
    long = start + struct.pack(order + "HHHII", 1, 0x0112, 4, 1, 6)
    assert orientation_of(short) == orientation_of(b"Exif\0\0" + short) == orientation_of(long) == 6
