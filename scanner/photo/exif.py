"""The EXIF turn: finding it in an Exif block, and applying it to pixels.

References: Exif 2.32, tag 0x0112 Orientation; TIFF 6.0, section 2 (image file directories).
"""

import struct
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

UPRIGHT: Final = 1
ORIENTATION_TAG: Final = 0x0112
_SHORT, _LONG = 3, 4

# How each orientation turns the stored rows and columns: (transpose first, then flip left-right, then flip top-bottom).
_TURNS: Final = {
    1: (False, False, False),
    2: (False, True, False),
    3: (False, True, True),
    4: (False, False, True),
    5: (True, False, False),
    6: (True, True, False),
    7: (True, True, True),
    8: (True, False, True),
}


def orientation_of(exif: bytes) -> int:
    """The orientation, 1 to 8, that an Exif block states; 1 when it states none or cannot be understood.

    `exif` is a TIFF structure, with or without the "Exif\\0\\0" before it. A broken block is no reason to refuse a photo:
    the pixels are whole, and the sheet's own fiducials tell which way is up.
    """
    tiff = exif.removeprefix(b"Exif\0\0")
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None:
        return UPRIGHT
    try:
        (directory,) = struct.unpack_from(order + "I", tiff, 4)
        (entries,) = struct.unpack_from(order + "H", tiff, directory)
        for index in range(entries):
            tag, kind, count = struct.unpack_from(order + "HHI", tiff, directory + 2 + 12 * index)
            if tag == ORIENTATION_TAG and count == 1 and kind in (_SHORT, _LONG):
                (value,) = struct.unpack_from(order + ("H" if kind == _SHORT else "I"), tiff, directory + 10 + 12 * index)
                return int(value) if value in _TURNS else UPRIGHT
    except struct.error:
        return UPRIGHT
    return UPRIGHT


def swaps_sides(orientation: int) -> bool:
    """Whether the turn makes the stored width the upright height."""
    return _TURNS[orientation][0]


def flipped_axes(orientation: int) -> tuple[bool, bool]:
    """Whether the turn reverses the stored columns, and whether it reverses the stored rows."""
    transposed, left_right, top_bottom = _TURNS[orientation]
    return (top_bottom, left_right) if transposed else (left_right, top_bottom)


def turn_upright(stored: NDArray[np.uint8], orientation: int) -> NDArray[np.uint8]:
    """Stored pixels (H, W) or (H, W, 3) to upright ones, by EXIF orientation 1 to 8."""
    transposed, left_right, top_bottom = _TURNS[orientation]
    upright = cv2.transpose(stored) if transposed else stored
    if left_right or top_bottom:
        upright = cv2.flip(upright, -1 if left_right and top_bottom else 1 if left_right else 0)
    return np.asarray(upright, dtype=np.uint8)
