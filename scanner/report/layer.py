"""A transparent layer over a sheet, drawn in sheet mm, and laid over the rectified sheet or over the photo.

The layer is premultiplied BGRA: OpenCV's smoothed drawing blends every channel alike, which is exactly "over" for opaque
colours on premultiplied values.
"""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.geometry import BgrImage, FloatArray, apply_homography, full_px, reduced_px
from scanner.sheet.pose import Pose

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont, ImageFont

Colour = tuple[int, int, int]
"""Blue, green, red."""
Point = tuple[float, float]

_SHIFT: Final = 4
"""Fractional bits of the coordinates that OpenCV draws with."""
_STEP: Final = 16
"""Photo px between exactly mapped points when the layer is laid over a photo."""


@cache
def _font(height_px: int) -> "FreeTypeFont | ImageFont":
    from PIL import ImageFont

    return ImageFont.load_default(height_px)


class Layer:
    """`pixels`: uint8 (H, W, 4), premultiplied BGRA, `px_per_mm` px a sheet mm over the whole paper."""

    def __init__(self, paper_mm: tuple[float, float], px_per_mm: float) -> None:
        self.paper_mm = paper_mm
        self.px_per_mm = px_per_mm
        width, height = (round(side * px_per_mm) for side in paper_mm)
        self.pixels: NDArray[np.uint8] = np.zeros((height, width, 4), np.uint8)

    def _fixed(self, points_mm: Sequence[Point] | FloatArray) -> NDArray[np.int32]:
        px = np.asarray(points_mm, np.float64) * self.px_per_mm - 0.5
        return np.round(px * (1 << _SHIFT)).astype(np.int32)

    def _width(self, width_mm: float) -> int:
        return max(1, round(width_mm * self.px_per_mm))

    def line(self, points_mm: Sequence[Point], colour: Colour, width_mm: float, closed: bool = False) -> None:
        """A line through the points."""
        cv2.polylines(
            self.pixels, [self._fixed(points_mm)], closed, (*colour, 255), self._width(width_mm), cv2.LINE_AA, _SHIFT
        )  # fmt: skip

    def area(self, points_mm: Sequence[Point], colour: Colour, opacity: float = 1.0) -> None:
        """A filled polygon. What is below a see-through area is lost, so draw those first."""
        blue, green, red = (round(channel * opacity) for channel in colour)
        cv2.fillPoly(self.pixels, [self._fixed(points_mm)], (blue, green, red, round(255 * opacity)), cv2.LINE_AA, _SHIFT)

    def rectangle(self, corner_mm: Point, size_mm: Point, colour: Colour, opacity: float = 1.0, width_mm: float = 0.0) -> None:
        """An axis-parallel rectangle by its top left corner: filled, or drawn if a width is given."""
        (x, y), (w, h) = corner_mm, size_mm
        corners = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
        if width_mm:
            self.line(corners, colour, width_mm, closed=True)
        else:
            self.area(corners, colour, opacity)

    def circle(self, centre_mm: Point, radius_mm: float, colour: Colour, width_mm: float = 0.0) -> None:
        """A circle: filled, or drawn if a width is given."""
        centre = self._fixed([centre_mm])[0]
        radius = round(radius_mm * self.px_per_mm * (1 << _SHIFT))
        thickness = self._width(width_mm) if width_mm else -1
        cv2.circle(self.pixels, (int(centre[0]), int(centre[1])), radius, (*colour, 255), thickness, cv2.LINE_AA, _SHIFT)

    def text(
        self,
        text: str,
        at_mm: Point,
        height_mm: float,
        colour: Colour,
        anchor: str = "mm",
        halo: Colour | None = (255, 255, 255),
    ) -> None:
        """Text at a point by Pillow's anchors ("mm": its middle), with a halo that keeps it legible over ink."""
        from PIL import Image, ImageDraw

        font = _font(self._width(height_mm))
        position = (at_mm[0] * self.px_per_mm, at_mm[1] * self.px_per_mm)
        around = self._width(height_mm * 0.14) if halo is not None else 0
        left, top, right, bottom = ImageDraw.Draw(Image.new("L", (1, 1))).textbbox(
            position, text, font=font, anchor=anchor, stroke_width=around
        )
        x0, y0 = max(0, int(left) - 1), max(0, int(top) - 1)
        x1, y1 = min(self.pixels.shape[1], int(right) + 2), min(self.pixels.shape[0], int(bottom) + 2)
        if x1 <= x0 or y1 <= y0:
            return
        for ink, stroke in ((halo, around), (colour, 0)):
            if ink is None:
                continue
            mask = Image.new("L", (x1 - x0, y1 - y0))
            ImageDraw.Draw(mask).text(
                (position[0] - x0, position[1] - y0), text, fill=255, font=font, anchor=anchor, stroke_width=stroke
            )
            cover = np.asarray(mask, np.float32)[..., None] / 255
            window = self.pixels[y0:y1, x0:x1]
            window[:] = np.round(window * (1 - cover) + np.array((*ink, 255), np.float32) * cover)

    def over(self, picture: BgrImage) -> BgrImage:
        """The layer over a picture of its own size."""
        return _composite(picture, self.pixels)

    def over_photo(self, photo_bgr: BgrImage, reduction: float, pose: Pose) -> BgrImage:
        """The layer over a photo scaled down by `reduction`, where the sheet lies at `pose`."""
        height, width = photo_bgr.shape[:2]
        border = reduced_px(pose.to_photo(border_mm(self.paper_mm)), reduction)
        x0, y0 = np.floor(border.min(axis=0)).astype(int).clip(0, (width - 1, height - 1))
        x1, y1 = np.ceil(border.max(axis=0)).astype(int).clip(0, (width - 1, height - 1)) + 1
        # Exact at the centres of blocks of _STEP px, which is where a linear resize puts its support points.
        columns = np.arange(-(-(x1 - x0) // _STEP)) * _STEP + (_STEP - 1) / 2 + x0
        rows = np.arange(-(-(y1 - y0) // _STEP)) * _STEP + (_STEP - 1) / 2 + y0
        points_mm = to_sheet(pose, full_px(np.stack(np.meshgrid(columns, rows), -1), reduction))
        # Shrink the layer first to about the photo's own scale: remapping alone would alias thin lines.
        scale = min(1.0, 1.5 * pose.px_per_mm / reduction / self.px_per_mm)
        layer = cv2.resize(self.pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        coarse = (points_mm * (self.px_per_mm * scale) - 0.5).astype(np.float32)
        fine = cv2.resize(coarse, None, fx=_STEP, fy=_STEP, interpolation=cv2.INTER_LINEAR)[: y1 - y0, : x1 - x0]
        map_x, map_y = cv2.split(fine)
        laid = cv2.remap(layer, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        inside = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillPoly(inside, [np.round((border - (x0, y0)) * 16).astype(np.int32)], (1,), cv2.LINE_8, 4)
        result = photo_bgr.copy()
        result[y0:y1, x0:x1] = _composite(result[y0:y1, x0:x1], np.asarray(laid * inside[..., None], np.uint8))
        return result


def _composite(picture: BgrImage, layer: NDArray[np.uint8]) -> BgrImage:
    below = picture.astype(np.uint16) * (255 - layer[..., 3:].astype(np.uint16))
    return np.asarray((below + 127) // 255 + layer[..., :3], np.uint16).clip(0, 255).astype(np.uint8)


def border_mm(paper_mm: tuple[float, float], steps: int = 24) -> FloatArray:
    """Points along the paper's border, clockwise from the top left corner, float64 (4 * steps, 2), sheet mm."""
    width, height = paper_mm
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    along = np.arange(steps)[:, None] / steps
    return np.concatenate([corners[i] + along * (corners[(i + 1) % 4] - corners[i]) for i in range(4)])


def to_sheet(pose: Pose, points_px: FloatArray, rounds: int = 4) -> FloatArray:
    """Photo px (..., 2) to sheet mm: the inverse of `pose.to_photo`, by a fixed-point iteration on the residual warp, which
    is a few millimetres and smooth. Outside the paper the warp of its nearest border point is used."""
    photo_to_flat: FloatArray = np.linalg.inv(pose.homography).astype(np.float64)
    flat = apply_homography(photo_to_flat, points_px)
    points = flat
    for _ in range(rounds):
        on_paper = points.clip((0, 0), pose.paper_mm)
        points = flat - (apply_homography(photo_to_flat, pose.to_photo(on_paper)) - on_paper)
    return points
