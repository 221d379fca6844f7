"""Prints a drawing as pixels: the paper as it leaves the printer, before hands and cameras.

Every primitive is painted by its coverage of each pixel (box filter): axis-parallel lines and areas exactly, all else by
supersampling within its bounding box.
"""

from functools import cache, lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.geometry import GrayImage, read_only
from scanner.sheet.primitives import Area, Circle, Drawing, Line, Text

_FINE: Final = 4
"""Supersampling of what is not axis-parallel."""
_SHIFT: Final = 6
"""Fractional bits of OpenCV's drawing coordinates."""

Canvas = NDArray[np.float32]


def press(drawing: Drawing, px_per_mm: float) -> GrayImage:
    """The drawing at `px_per_mm`: uint8 (H, W), 255 white.

    The paper's top left corner is the top left pixel's top left corner: the point (x, y) mm is at (x * px_per_mm - 0.5,
    y * px_per_mm - 0.5) px when the centre of the top left pixel is (0, 0).
    """
    width, height = (round(side * px_per_mm) for side in drawing.paper_mm)
    canvas = np.full((height, width), 255.0, np.float32)
    for primitive in drawing.primitives:
        if isinstance(primitive, Line):
            _line(canvas, primitive, px_per_mm)
        elif isinstance(primitive, Circle):
            _circle(canvas, primitive, px_per_mm)
        elif isinstance(primitive, Area):
            _area(canvas, primitive, px_per_mm)
        else:
            _text(canvas, primitive, px_per_mm)
    return np.asarray(cv2.convertScaleAbs(canvas), np.uint8)


def _paint(canvas: Canvas, left: int, top: int, coverage: Canvas, gray: float) -> None:
    """Blend `gray` by `coverage` (0..1) into the canvas at (left, top), clipped to the canvas."""
    height, width = canvas.shape
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + coverage.shape[1], width), min(top + coverage.shape[0], height)
    if x0 >= x1 or y0 >= y1:
        return
    part = canvas[y0:y1, x0:x1]
    part += coverage[y0 - top : y1 - top, x0 - left : x1 - left] * (np.float32(255 * gray) - part)


def _covered(low: float, high: float, first: int, count: int) -> Canvas:
    """How much of each of `count` unit intervals from `first` on lies between low and high."""
    starts = np.arange(first, first + count)
    covered = np.minimum(high, starts + 1) - np.maximum(low, starts)
    return np.asarray(np.clip(covered, 0, 1), np.float32)


def _box(canvas: Canvas, low: tuple[float, float], high: tuple[float, float], gray: float) -> None:
    """An axis-parallel box between two corners, px from the canvas's top left corner."""
    (left, top), (right, bottom) = low, high
    x0, y0, x1, y1 = int(np.floor(left)), int(np.floor(top)), int(np.ceil(right)), int(np.ceil(bottom))
    coverage = np.outer(_covered(top, bottom, y0, y1 - y0), _covered(left, right, x0, x1 - x0))
    _paint(canvas, x0, y0, coverage, gray)


def _line(canvas: Canvas, line: Line, scale: float) -> None:
    ends = line.points[1:] + line.points[:1] if line.closed else line.points[1:]
    pairs = list(zip(line.points, ends, strict=False))
    if not line.round and all(a[0] == b[0] or a[1] == b[1] for a, b in pairs):
        half = line.width / 2
        reach = half if line.closed else 0.0
        for (ax, ay), (bx, by) in pairs:
            along_x, along_y = (reach, half) if ay == by else (half, reach)
            left, right = sorted((ax, bx))
            top, bottom = sorted((ay, by))
            low = (scale * (left - along_x), scale * (top - along_y))
            _box(canvas, low, (scale * (right + along_x), scale * (bottom + along_y)), line.gray)
        return
    _fine_line(canvas, line, scale)


def _circle(canvas: Canvas, circle: Circle, scale: float) -> None:
    """Distance to the centre gives the coverage of the edges to well under a grey level's worth of a pixel."""
    x, y = circle.centre[0] * scale, circle.centre[1] * scale
    outer = circle.radius * scale + (0.0 if circle.width is None else circle.width * scale / 2)
    left, top = int(np.floor(x - outer - 1)), int(np.floor(y - outer - 1))
    side = int(np.ceil(2 * outer + 3))
    dx = np.arange(left, left + side, dtype=np.float32) + np.float32(0.5 - x)
    dy = np.arange(top, top + side, dtype=np.float32) + np.float32(0.5 - y)
    distance = np.sqrt(dx[None, :] ** 2 + dy[:, None] ** 2)
    coverage = np.clip(np.float32(outer + 0.5) - distance, 0, 1)
    if circle.width is not None:
        coverage -= np.clip(np.float32(outer - circle.width * scale + 0.5) - distance, 0, 1)
    _paint(canvas, left, top, coverage, circle.gray)


def _area(canvas: Canvas, area: Area, scale: float) -> None:
    contours = [np.array(contour) * scale for contour in area.contours]
    if not all(_orthogonal(contour) for contour in contours):
        _fine_area(canvas, contours, area.gray)
        return
    points = np.concatenate(contours)
    left, top = np.floor(points.min(axis=0)).astype(int)
    right, bottom = np.ceil(points.max(axis=0)).astype(int)
    winding = np.zeros((bottom - top, right - left), np.float32)
    for contour in contours:
        # Green's theorem: each vertical side adds, signed by its direction, all that lies left of it.
        for (ax, ay), (_, by) in zip(contour, np.roll(contour, -1, axis=0), strict=True):
            if ay != by:
                rows = _covered(min(ay, by), max(ay, by), top, bottom - top)
                winding += np.outer(rows, _covered(left, ax, left, right - left) * np.float32(np.sign(by - ay)))
    _paint(canvas, left, top, np.abs(winding), area.gray)


def _orthogonal(contour: NDArray[np.float64]) -> bool:
    steps = np.roll(contour, -1, axis=0) - contour
    return bool(np.all((steps == 0).any(axis=1)))


def _fine_patch(low: NDArray[np.float64], high: NDArray[np.float64]) -> tuple[int, int, GrayImage]:
    left, top = (int(v) for v in np.floor(low))
    right, bottom = (int(v) for v in np.ceil(high))
    return left, top, np.zeros(((bottom - top) * _FINE, (right - left) * _FINE), np.uint8)


def _fixed(points: NDArray[np.float64], left: int, top: int) -> NDArray[np.int32]:
    """Canvas px (from its corner) to the fine patch's pixel centres, in OpenCV's fixed-point form."""
    fine = (points - (left, top)) * _FINE - 0.5
    return np.rint(fine * (1 << _SHIFT)).astype(np.int32).reshape(-1, 1, 2)


def _paint_fine(canvas: Canvas, left: int, top: int, patch: GrayImage, gray: float) -> None:
    height, width = patch.shape
    small = cv2.resize(patch, (width // _FINE, height // _FINE), interpolation=cv2.INTER_AREA)
    _paint(canvas, left, top, small.astype(np.float32) / np.float32(255), gray)


def _fine_line(canvas: Canvas, line: Line, scale: float) -> None:
    px = np.array(line.points) * scale
    margin = line.width * scale / 2 + 1
    left, top, patch = _fine_patch(px.min(axis=0) - margin, px.max(axis=0) + margin)
    fixed = [_fixed(px, left, top)]
    # OpenCV's lines are 1, 3, 5, 7 ... pixels wide (thickness 1, 2, 4, 6 ...): mix the two next to the width that is wanted.
    wanted = line.width * scale * _FINE
    wider = max(2, 2 * round((wanted + 0.5) / 2))
    narrower = max(1, wider - 2)
    cv2.polylines(patch, fixed, line.closed, (255,), narrower, cv2.LINE_8, _SHIFT)
    if wanted < 1:
        patch = np.asarray(cv2.convertScaleAbs(patch, alpha=wanted), np.uint8)
    else:
        other = np.zeros_like(patch)
        cv2.polylines(other, fixed, line.closed, (255,), wider, cv2.LINE_8, _SHIFT)
        share = (wanted - (narrower + (narrower > 1))) / 2
        patch = np.asarray(cv2.addWeighted(patch, 1 - share, other, share, 0), np.uint8)
    _paint_fine(canvas, left, top, patch, line.gray)


def _fine_area(canvas: Canvas, contours: list[NDArray[np.float64]], gray: float) -> None:
    points = np.concatenate(contours)
    left, top, patch = _fine_patch(points.min(axis=0) - 1, points.max(axis=0) + 1)
    cv2.fillPoly(patch, [_fixed(contour, left, top) for contour in contours], 255, cv2.LINE_8, _SHIFT)
    _paint_fine(canvas, left, top, patch, gray)


_TEXT_PX: Final = 100
_WEIGHTS: Final = {False: 400, True: 700}


@cache
def _font() -> cv2.FontFace:
    return cv2.FontFace("sans")


@lru_cache(maxsize=512)
def _text_mask(text: str, bold: bool) -> tuple[NDArray[np.uint8], int, int]:
    """A line of text at a size of 100 px: its mask, the column of its start and the row of its baseline."""
    _, _, width, _ = cv2.getTextSize((1, 1), text, (0, 0), _font(), _TEXT_PX, _WEIGHTS[bold])
    start, baseline = 10, 110
    mask = np.zeros((150, width + 2 * start), np.uint8)
    cv2.putText(mask, text, (start, baseline), (255,), _font(), _TEXT_PX, _WEIGHTS[bold])
    return read_only(mask), start, baseline


@cache
def _cap_height_px() -> int:
    mask, _, baseline = _text_mask("H", False)
    return baseline - int(np.flatnonzero(mask.max(axis=1) > 127)[0])


def _text(canvas: Canvas, text: Text, scale: float) -> None:
    mask, start, baseline = _text_mask(text.text, text.bold)
    shrink = text.cap_height * scale / _cap_height_px()
    width = mask.shape[1] - 2 * start
    shift = {"start": 0.0, "middle": width / 2, "end": float(width)}[text.anchor]
    # Where the mask's top left corner goes on the canvas, px.
    corner = np.array(text.origin) * scale - shrink * np.array([start + shift, baseline])
    left, top = (int(v) for v in np.floor(corner))
    size = np.ceil(corner + shrink * np.array(mask.shape[::-1])).astype(int) - (left, top)
    fine = shrink * _FINE
    offset = (corner - (left, top)) * _FINE
    # Pixel centres are half a pixel from the corners in both images.
    matrix = np.array([[fine, 0, offset[0] + fine / 2 - 0.5], [0, fine, offset[1] + fine / 2 - 0.5]])
    patch = cv2.warpAffine(mask, matrix, (int(size[0]) * _FINE, int(size[1]) * _FINE), flags=cv2.INTER_LINEAR)
    _paint_fine(canvas, left, top, np.asarray(patch, np.uint8), text.gray)
