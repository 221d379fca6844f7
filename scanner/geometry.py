"""Frames, quads and homographies.

Three frames are used, and every array of points is named after its frame:

- photo px (`*_px`): pixels of the upright photo at full resolution; x right, y down; the centre of the top left pixel
  is (0, 0).
- sheet mm (`*_mm`): millimetres on the printed sheet; origin at its top left corner, x right, y down.
- rectified px (`*_rect`): pixels of the rectified sheet, `RECT_PX_PER_MM` to the millimetre; the centre of the top left
  pixel is (0, 0).

Points are float64 arrays of shape (..., 2), x first.
"""

from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

_Scalar = TypeVar("_Scalar", bound=np.generic)
_Float = TypeVar("_Float", bound=np.floating)

RECT_PX_PER_MM: Final = 3.84
"""The rectified sheet's scale: a cell of 12.5 mm is 48 px wide."""

FloatArray = NDArray[np.float64]
GrayImage = NDArray[np.uint8]
"""uint8 (H, W)."""
BgrImage = NDArray[np.uint8]
"""uint8 (H, W, 3), blue first."""


def reduced_px(points_px: NDArray[_Float], reduction: float) -> NDArray[_Float]:
    """Photo px to the px of the photo scaled down by `reduction` (2: half the width), where a pixel averages a block."""
    shift = 0.5 / reduction - 0.5
    # In the points' own type, which a map of float32 keeps.
    scaled = np.multiply(points_px, 1 / reduction, dtype=points_px.dtype)
    reduced: NDArray[_Float] = np.add(scaled, shift, dtype=points_px.dtype)
    return reduced


def full_px(points_reduced: FloatArray, reduction: float) -> FloatArray:
    """The inverse of `reduced_px`."""
    return (points_reduced + 0.5) * reduction - 0.5


def apply_homography(a_to_b: FloatArray, points_a: FloatArray) -> FloatArray:
    """Map points (..., 2) of frame a to frame b by the 3 x 3 homography `a_to_b` (column vectors)."""
    h = points_a @ a_to_b[:2, :2].T + a_to_b[:2, 2]
    w = points_a @ a_to_b[2, :2] + a_to_b[2, 2]
    result: FloatArray = h / w[..., None]
    return result


def read_only(array: NDArray[_Scalar]) -> NDArray[_Scalar]:
    """The same array, marked so that nobody writes to it."""
    array.flags.writeable = False
    return array
