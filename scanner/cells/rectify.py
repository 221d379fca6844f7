"""The rectified sheet: sampled straight from the photo once, its light made even."""

from dataclasses import dataclass
from typing import Any, Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.geometry import RECT_PX_PER_MM, FloatArray, GrayImage, read_only
from scanner.photo.photo import Photo

WHITE_LEVEL: Final = 230
"""The gray value that paper white is brought to; above it is room for glare and noise."""

LIGHT_STEP: Final = 4
"""Rectified px to one px of the light estimate, about 1 mm."""

_INK_SPAN: Final = 5  # light px: wider than any stroke, narrower than a shadow
_BAND: Final = 208  # rows sampled at once, a multiple of the map's blocks
_NO_SECOND_MAP: Final[Any] = None  # OpenCV's stubs want one; an empty array in its place is misread
_MIN_SAMPLING: Final = 3.2  # photo px a sheet mm that are kept when a reduced photo is read


class Placed(Protocol):
    """What rectifying needs of a pose: see `scanner.sheet.pose.Pose`."""

    @property
    def paper_mm(self) -> tuple[float, float]: ...
    @property
    def px_per_mm(self) -> float: ...
    def map_grid(self, x_mm: FloatArray, y_mm: FloatArray, reduction: float, /) -> NDArray[np.float32]: ...


@dataclass(frozen=True, slots=True)
class Rectified:
    """gray: uint8 (H, W), read-only; the whole sheet in rectified px, upright, with paper white near WHITE_LEVEL. light:
    uint8 (H / 4, W / 4), read-only; the local paper white in the photo's own gray values, 0 outside the photo."""

    gray: GrayImage
    light: GrayImage


def reading_reduction(px_per_mm: float) -> int:
    """The largest reduction (1, 2 or 4) of the photo that still gives the networks all they can use."""
    for reduction in (4, 2):
        if px_per_mm / reduction >= _MIN_SAMPLING:
            return reduction
    return 1


def rectify(photo: Photo, pose: Placed) -> Rectified:
    """Sample the sheet that lies at `pose` and divide out the light that falls on it."""
    reduction = reading_reduction(pose.px_per_mm)
    source = photo.gray(reduction)
    width, height = (round(side * RECT_PX_PER_MM) for side in pose.paper_mm)
    x_mm = (np.arange(width, dtype=np.float64) + 0.5) / RECT_PX_PER_MM
    y_mm = (np.arange(height, dtype=np.float64) + 0.5) / RECT_PX_PER_MM
    sampled = np.empty((height, width), np.uint8)
    # In bands: maps of the whole sheet are many times its size, and fresh memory costs more time than the sampling.
    for top in range(0, height, _BAND):
        band = slice(top, top + _BAND)
        places = pose.map_grid(x_mm, y_mm[band], reduction)
        cv2.remap(source, places, _NO_SECOND_MAP, cv2.INTER_LINEAR, dst=sampled[band], borderMode=cv2.BORDER_CONSTANT)
    return even_light(sampled)


def even_light(sampled: GrayImage) -> Rectified:
    """Bring the local paper white of a rectified picture, uint8 (H, W), to WHITE_LEVEL.

    A closing takes away what is darker and narrower than _INK_SPAN; the rest is paper under its light, shadows included.
    """
    height, width = sampled.shape
    small = cv2.resize(sampled, (-(-width // LIGHT_STEP), -(-height // LIGHT_STEP)), interpolation=cv2.INTER_AREA)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_INK_SPAN, _INK_SPAN))
    light = cv2.GaussianBlur(cv2.morphologyEx(small, cv2.MORPH_CLOSE, kernel), (0, 0), 1.5)
    full = cv2.resize(light, (width, height), interpolation=cv2.INTER_LINEAR)
    gray = cv2.divide(sampled, full, scale=WHITE_LEVEL)  # OpenCV gives 0 for a division by 0: outside the photo
    return Rectified(read_only(np.asarray(gray, np.uint8)), read_only(np.asarray(light, np.uint8)))
