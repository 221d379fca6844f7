"""Finding the coded fiducials (ArUco MIP 36h12) in a photo: search in a small picture, decode in a finer one.

A fiducial is eight modules wide: a black border of one module around 6 x 6 bits, with a white quiet zone of a module
outside. Candidates are the dark four-cornered outlines of the small picture. Their sides are then fitted in the finer
picture, where the modules are sampled and compared with the dictionary, all candidates at once.

References: S. Garrido-Jurado, R. Munoz-Salinas, F. J. Madrid-Cuevas, R. Medina-Carnicer, "Generation of fiducial marker
dictionaries using mixed integer linear programming", Pattern Recognition 51, 2016 (the dictionary: 250 codes, 12 bits apart).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from scanner.geometry import FloatArray, GrayImage, full_px, read_only, reduced_px
from scanner.photo.photo import Photo
from scanner.sheet.edges import bilinear, fit_sides, median

MODULES = 8
"""Modules along a fiducial's side, border included."""

_SEARCH_SIDE = 1000
"""Long side, about, of the picture in which outlines are searched first."""
_FINE_SIDE = 1500
"""Least long side of the picture in which the first candidates are decoded."""
_WINDOW = 21
"""Side of the window, in px of the search picture, whose mean is the local level; it must see past a black border."""
_DARK_SHARE = 0.88
_MIN_OUTLINE = 18
"""Least length of an outline in px of the search picture: below, even the finer picture cannot hold the bits."""
_MAX_BORDER_ERRORS = 3
_MAX_BIT_ERRORS = 3
"""Bits that may be wrong in a free search: a random square passes with a probability of about 1e-4 before its border is
looked at."""
_MAX_EXPECTED_ERRORS = 5
"""The dictionary's full reach, where one certain fiducial is expected."""
_MAX_ASTRAY = 0.6
"""How far, in sides, a corner may lie from where it is expected."""
_USUAL_SIDE = 30
"""A side in px that suits the window."""
_MIN_CONTRAST = 10.0


@dataclass(frozen=True, slots=True)
class Fiducial:
    """One decoded fiducial.

    id: its index in the dictionary.
    corners_px: float64 (4, 2), photo px, the outer corners of its black border, from its own top left clockwise.
    bit_errors: bits (of 36) and border modules (of 28) that differ from the code.
    rise_px: standard deviation of the blur across its sides, photo px (0.3 or so for a sharp picture).
    """

    id: int
    corners_px: FloatArray
    bit_errors: int
    rise_px: float

    @property
    def centre_px(self) -> FloatArray:
        """float64 (2,), photo px."""
        centre: FloatArray = self.corners_px.mean(axis=0)
        return centre

    @property
    def side_px(self) -> float:
        """Mean side, photo px."""
        a, b, c, d = self.corners_px.tolist()
        return (math.dist(a, b) + math.dist(b, c) + math.dist(c, d) + math.dist(d, a)) / 4


@dataclass(frozen=True, slots=True)
class SearchLevel:
    """Decode in the photo reduced by `reduction` (1, 2 or 4); search in that picture reduced by a further `shrink`."""

    reduction: int
    shrink: int


def search_levels(photo: Photo) -> tuple[SearchLevel, SearchLevel]:
    """A quick level that finds what fills a photo, and one of twice its resolution for small sheets."""
    side = max(photo.width, photo.height)
    reduction = next((r for r in (4, 2) if side / r >= _FINE_SIDE), 1)
    shrink = max(1, round(side / reduction / _SEARCH_SIDE))
    if reduction > 1:
        return SearchLevel(reduction, shrink), SearchLevel(reduction // 2, shrink)
    return SearchLevel(1, shrink), SearchLevel(1, max(1, shrink // 2))


def detect_fiducials(photo: Photo, level: SearchLevel, *, mirrored: bool = False) -> tuple[Fiducial, ...]:
    """All fiducials of the dictionary that `level` can see, in no particular order, each id and place once.

    With `mirrored`, the photo is looked at flipped left to right, and corners are px of the flipped photo.
    """
    gray = photo.gray(level.reduction)
    if mirrored:
        gray = np.ascontiguousarray(gray[:, ::-1])
    outlines = _outlines(gray, level.shrink)
    outlines = outlines[_dark_in_light(gray, outlines)]
    if not len(outlines):
        return ()
    quads, _, found = fit_sides(gray, outlines, along=6, across=13)
    return _unique(_decode(gray, level.reduction, np.where(found[:, None, None], quads, outlines), None))


def look_for_fiducial(photo: Photo, reduction: int, allowed: Sequence[int], corners_px: FloatArray) -> Fiducial | None:
    """Look again, in the photo reduced by `reduction`, for a fiducial whose corners should be near `corners_px` (4, 2) photo
    px and whose id is one of `allowed`; what a stroke or a shadow hid from the free search can so be found."""
    gray = photo.gray(reduction)
    expected = reduced_px(corners_px, reduction)
    side = float(np.linalg.norm(expected - np.roll(expected, 1, axis=0), axis=1).max())
    low = np.maximum(np.floor(expected.min(axis=0) - 0.7 * side), 0).astype(int)
    high = np.minimum(np.ceil(expected.max(axis=0) + 0.7 * side) + 1, gray.shape[::-1]).astype(int)
    if (high - low < 8).any():
        return None
    part = gray[low[1] : high[1], low[0] : high[0]]
    outlines = _outlines(part, max(1, round(side / _USUAL_SIDE)))
    quads, _, found = fit_sides(part, np.concatenate([expected[None] - low, outlines]), along=8, across=21, reach=1.3)
    fiducials = _decode(part, 1, quads[found], allowed)
    if not fiducials:
        return None
    best = min(fiducials, key=lambda f: f.bit_errors)
    turned = full_px(best.corners_px + low, reduction)
    if np.linalg.norm(turned - corners_px, axis=1).max() > _MAX_ASTRAY * side * reduction:
        return None
    return Fiducial(best.id, read_only(turned), best.bit_errors, best.rise_px * reduction)


def dark_contours(gray: MatLike, share: float) -> Sequence[MatLike]:
    """Outlines, int32 (n, 1, 2), inner ones too, of what in a picture, uint8 (H, W), has less than this share of the local
    level."""
    limit = np.clip(np.arange(256) * share - 2, 0, 255).astype(np.uint8)
    dark = cv2.compare(gray, cv2.LUT(cv2.blur(gray, (_WINDOW, _WINDOW)), limit), cv2.CMP_LT)
    return cv2.findContours(dark, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)[0]


def _outlines(gray: GrayImage, shrink: int) -> FloatArray:
    """Dark four-cornered outlines, float64 (n, 4, 2), px of `gray`, clockwise on the picture."""
    height, width = gray.shape
    small = cv2.resize(gray, (width // shrink, height // shrink), interpolation=cv2.INTER_AREA) if shrink > 1 else gray
    quads = []
    for contour in dark_contours(small, _DARK_SHARE):
        if len(contour) < _MIN_OUTLINE:
            continue
        corners = cv2.approxPolyDP(contour, 0.05 * len(contour), True)
        if len(corners) == 4 and cv2.isContourConvex(corners):
            quads.append(corners)
    if not quads:
        return np.empty((0, 4, 2))
    found = np.array(quads, dtype=np.float64).reshape(-1, 4, 2)
    diagonals = found[:, 2:] - found[:, :2]
    area = diagonals[:, 0, 0] * diagonals[:, 1, 1] - diagonals[:, 0, 1] * diagonals[:, 1, 0]
    found[area < 0] = found[area < 0, ::-1]
    sides = np.linalg.norm(found - np.roll(found, 1, axis=1), axis=2)
    squarish = (np.abs(area) > 25) & (sides.min(axis=1) > 0.2 * sides.max(axis=1))
    scale = np.array([width / small.shape[1], height / small.shape[0]])
    result: FloatArray = (found[squarish] + 0.5) * scale - 0.5
    return result


def _dark_in_light(gray: GrayImage, quads: FloatArray) -> NDArray[np.bool_]:
    """Which outlines (n, 4, 2) may be fiducials at all: a quick look at a few points inside and outside of each side."""
    if not len(quads):
        return np.zeros(0, dtype=np.bool_)
    ends = np.roll(quads, -1, axis=1)
    middle = quads.mean(axis=1)[:, None, None]
    shares = np.array([0.2, 0.4, 0.6, 0.8])[:, None]
    on_side = quads[:, :, None] + shares * (ends - quads)[:, :, None]
    # Half a module inwards of the side, and outwards as much or more: coarse outlines lie a little inside.
    values = bilinear(gray, np.stack([middle + k * (on_side - middle) for k in (0.9, 1.22)], axis=1))
    black, white = (values[:, k].reshape(len(quads), -1) for k in (0, 1))
    black_level, white_level = black.mean(axis=1), white.mean(axis=1)
    middle_level = ((black_level + white_level) / 2)[:, None]
    right = np.count_nonzero(black < middle_level, axis=1) + np.count_nonzero(white > middle_level, axis=1)
    result: NDArray[np.bool_] = (white_level - black_level > _MIN_CONTRAST) & (right >= 21)
    return result


@cache
def _codes() -> NDArray[np.float32]:
    """The dictionary as +1 (white) and -1, (250 * 4, 36): every id in the four ways a quarter turn can show it.

    Row 4 * id + turn holds what is seen when the first corner of the quad is `turn` corners before the code's top left.
    """
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_ARUCO_MIP_36h12)
    # Four turns a code, the other way round, of five bytes each, the last with the four bits that are left.
    packed = np.array(dictionary.bytesList, dtype=np.uint8).reshape(-1, 4, 5)[:, [0, 3, 2, 1]]
    packed[..., -1] <<= 4
    bits = np.unpackbits(packed, axis=2)[..., :36]
    return read_only((bits.astype(np.float32) * 2 - 1).reshape(-1, 36))


@cache
def _module_points() -> FloatArray:
    """Where modules are sampled, (10, 10, 4, 2), in units of the fiducial's side: quiet zone, border and bits, each with
    four points around its centre."""
    centres = (np.arange(-1, MODULES + 1) + 0.5) / MODULES
    around = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * 0.2 / MODULES
    grid = np.stack(np.meshgrid(centres, centres), axis=-1)
    return read_only(grid[:, :, None, :] + around)


def _from_unit_square(quads: FloatArray) -> FloatArray:
    """Homographies (n, 3, 3) that take the unit square's corners (0, 0), (1, 0), (1, 1), (0, 1) to those of `quads`."""
    p0, p1, p2, p3 = (quads[:, k] for k in range(4))
    d1, d2, d3 = p1 - p2, p3 - p2, p0 - p1 + p2 - p3
    determinant = d1[:, 0] * d2[:, 1] - d1[:, 1] * d2[:, 0]
    determinant = np.where(np.abs(determinant) < 1e-9, 1e-9, determinant)
    g = (d3[:, 0] * d2[:, 1] - d3[:, 1] * d2[:, 0]) / determinant
    h = (d1[:, 0] * d3[:, 1] - d1[:, 1] * d3[:, 0]) / determinant
    result = np.empty((len(quads), 3, 3))
    result[:, :2, 0] = p1 - p0 + g[:, None] * p1
    result[:, :2, 1] = p3 - p0 + h[:, None] * p3
    result[:, :2, 2] = p0
    result[:, 2, 0], result[:, 2, 1], result[:, 2, 2] = g, h, 1.0
    return result


def _modules(gray: GrayImage, quads: FloatArray) -> NDArray[np.float32]:
    """The mean gray of every module, float32 (n, 10, 10), quiet zone included."""
    points = _module_points().reshape(-1, 2)
    homogeneous = np.concatenate([points, np.ones((len(points), 1))], axis=1)
    mapped = homogeneous @ _from_unit_square(quads).swapaxes(1, 2)
    depth = np.where(mapped[..., 2:] > 1e-6, mapped[..., 2:], 1e-6)
    values: NDArray[np.float32] = bilinear(gray, mapped[..., :2] / depth).reshape(-1, 10, 10, 4).mean(axis=3)
    return values


@cache
def _planes() -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.float32], NDArray[np.float32]]:
    """Masks (10, 10) of quiet zone and border, and for each the matrix (100, members) that extends a plane fitted to the
    members over all modules."""
    index = np.arange(10)
    ring = np.minimum(np.minimum(index[:, None], index), np.minimum(9 - index[:, None], 9 - index))
    quiet, border = ring == 0, ring == 1
    y, x = np.mgrid[:10, :10] - 4.5
    design = np.stack([np.ones(100), x.ravel(), y.ravel()], axis=1)
    planes = [(design @ np.linalg.pinv(design[mask.ravel()])).astype(np.float32) for mask in (quiet, border)]
    return quiet, border, planes[0], planes[1]


def _decode(gray: GrayImage, reduction: int, quads: FloatArray, allowed: Sequence[int] | None) -> list[Fiducial]:
    """The fiducials among `quads` (n, 4, 2), px of `gray`; all ids, or those `allowed`."""
    if not len(quads):
        return []
    modules = _modules(gray, quads)
    quiet, border, quiet_plane, border_plane = _planes()
    white, black = median(modules[:, quiet]), median(modules[:, border])
    # One level for the whole fiducial stands pen strokes in the quiet zone; a level that slopes stands a shadow's edge.
    level = np.broadcast_to(((white + black) / 2)[:, None, None], modules.shape)
    sloped = (modules[:, quiet] @ quiet_plane.T + modules[:, border] @ border_plane.T).reshape(modules.shape) / 2
    codes = _codes() if allowed is None else _codes().reshape(-1, 4, 36)[list(allowed)].reshape(-1, 36)
    limit = _MAX_EXPECTED_ERRORS if allowed is not None and len(allowed) == 1 else _MAX_BIT_ERRORS
    best_errors = np.full(len(quads), 99)
    best_row = np.zeros(len(quads), dtype=np.intp)
    for threshold in (level, sloped):
        bright = modules > threshold
        border_errors = np.count_nonzero(bright[:, border], axis=1)
        seen = np.where(bright[:, 2:-2, 2:-2], 1, -1).reshape(len(quads), 36).astype(np.float32)
        distance = np.rint((36 - seen @ codes.T) / 2).astype(int)
        rows = distance.argmin(axis=1)
        errors = distance[np.arange(len(quads)), rows]
        good = (errors <= limit) & (border_errors <= _MAX_BORDER_ERRORS) & (white - black > _MIN_CONTRAST)
        total = np.where(good, errors + border_errors, 99)
        better = total < best_errors
        best_errors = np.where(better, total, best_errors)
        best_row = np.where(better, rows, best_row)
    kept = np.flatnonzero(best_errors < 99)
    if not len(kept):
        return []
    fine, rise, found = fit_sides(gray, quads[kept], along=16, across=25)
    fiducials = []
    for place, index in enumerate(kept):
        if not found[place]:
            continue
        marker, turn = divmod(int(best_row[index]), 4)
        marker = marker if allowed is None else allowed[marker]
        corners = full_px(np.roll(fine[place], -turn, axis=0), reduction)
        fiducials.append(Fiducial(marker, read_only(corners), int(best_errors[index]), float(rise[place]) * reduction))
    return fiducials


def _unique(fiducials: list[Fiducial]) -> tuple[Fiducial, ...]:
    """Without the second and further finds of one and the same fiducial (inner and outer outline); the best stays."""
    kept: list[tuple[Fiducial, list[float], float]] = []
    for fiducial in sorted(fiducials, key=lambda f: f.bit_errors):
        centre: list[float] = fiducial.centre_px.tolist()
        if not any(math.dist(centre, other) < near for _, other, near in kept):
            kept.append((fiducial, centre, 0.5 * fiducial.side_px))
    return tuple(fiducial for fiducial, _, _ in kept)
