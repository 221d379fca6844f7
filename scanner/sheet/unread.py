"""Dark squares that lie as a sheet's fiducials do, but cannot be read: too blurred, or too small."""

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from scanner.geometry import FloatArray, GrayImage
from scanner.photo.photo import Photo
from scanner.sheet.edges import bilinear
from scanner.sheet.fiducials import dark_contours

_LONG_SIDES: Final = (1000, 500, 250)
"""Long sides, about, of the pictures in which squares are sought: what is blurred is sharp in a smaller one."""
_DARK_SHARE: Final = 0.85
_LEAST_OUTLINE: Final = 16
_FILLED: Final = 0.7
"""Share of the least rectangle around it that a square fills at least; blur rounds its corners."""
_SLENDER: Final = 3.5
_LIKE: Final = 2.2
"""Squares of one sheet differ by so much in size at most, seen from a low angle."""
_APART: Final = 4.0
"""A sheet's squares lie so many of their sides apart; letters, keys and the fields of a board do not."""
_LEAST: Final = 5
_SHARE: Final = 0.5
"""At least so many of the things of one size lie well apart, or it is a pattern of which some happen to."""
_OFF_HULL: Final = 0.6
"""How far, in sides, a square may lie within the hull of all: a bowed sheet's edges are no straight lines."""
_PALE: Final = 0.72
"""A fiducial, white bits and blur included, has at most this share of the light around it."""


@dataclass(frozen=True, slots=True)
class DarkSquares:
    """side_px: median side, photo px. blur: standard deviation of the blur across their sides, in sides."""

    side_px: float
    blur: float


def dark_squares(photo: Photo) -> DarkSquares | None:
    """Squares that lie as a sheet's fiducials do, which is around an empty middle; None if there are none.

    Slow beside the search for fiducials: it is meant for photos in which those were not found.
    """
    gray = photo.gray(1)
    best: FloatArray = np.empty((0, 4, 2))
    for side in _LONG_SIDES:
        found = _apart(_squares(gray, max(1, round(max(gray.shape) / side))))
        if len(found) and (not len(best) or np.median(_sides(found)) > np.median(_sides(best))):
            best = found
    if not len(best):
        return None
    side_px = float(np.median(_sides(best)))
    centres = best.mean(axis=1).astype(np.float32)
    hull = cv2.convexHull(centres)
    if any(cv2.pointPolygonTest(hull, (float(x), float(y)), True) > _OFF_HULL * side_px for x, y in centres):
        return None
    return DarkSquares(side_px, _blur(gray, best) / side_px)


def _blur(gray: GrayImage, quads: FloatArray) -> float:
    """The standard deviation of the blur across the sides of squares (n, 4, 2), in px: median over all sides, of the steepest
    place beside the whole step."""
    middles = (quads + np.roll(quads, -1, axis=1)) / 2
    along = (np.roll(quads, -1, axis=1) - quads) * np.linspace(-0.3, 0.3, 9)[:, None, None, None]
    outwards = middles - quads.mean(axis=1)[:, None]
    steps = np.linspace(-0.3, 0.9, 97)
    # (n, 4, along, across, 2)
    points = (middles + along).transpose(1, 2, 0, 3)[:, :, :, None] + outwards[:, :, None, None] * steps[:, None]
    profiles = bilinear(gray, points).mean(axis=2)
    step_px = np.linalg.norm(outwards, axis=2) * (steps[1] - steps[0])
    widths = np.ptp(profiles, axis=2) / np.maximum(np.diff(profiles, axis=2).max(axis=2), 0.05) * step_px
    # A shaken photo is blurred in one direction only.
    by_square = np.maximum(widths[:, 0] + widths[:, 2], widths[:, 1] + widths[:, 3]) / 2
    return float(np.median(by_square)) / math.sqrt(2 * math.pi)


def _sides(quads: FloatArray) -> FloatArray:
    """(n,): mean sides of quads (n, 4, 2)."""
    sides: FloatArray = np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2).mean(axis=1)
    return sides


def _squares(gray: GrayImage, shrink: int) -> FloatArray:
    """Compact dark things, as the least rectangles around them, float64 (n, 4, 2), px of `gray`, clockwise on the picture."""
    small = np.asarray(cv2.resize(gray, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA), np.uint8)
    quads = []
    for contour in dark_contours(small, _DARK_SHARE):
        if len(contour) < _LEAST_OUTLINE:
            continue
        box = cv2.minAreaRect(contour)
        width, height = (side + 1 for side in box[1])
        area = cv2.contourArea(contour) + len(contour) / 2
        if max(width, height) < _SLENDER * min(width, height) and area > _FILLED * width * height:
            quads.append(cv2.boxPoints(box))
    corners: FloatArray = np.array(quads, np.float64).reshape(-1, 4, 2)
    if len(corners):
        middle = corners.mean(axis=1)[:, None]
        shares = np.linspace(0, 1, 5)[:, None, None, None]
        border = (
            (corners * (1 - shares) + np.roll(corners, -1, axis=1) * shares).transpose(1, 0, 2, 3).reshape(len(corners), -1, 2)
        )
        inside = np.concatenate([middle + (border - middle) * share for share in (0.3, 0.6, 0.9)], axis=1)
        light = bilinear(small, middle + (border - middle) * 1.5).mean(axis=1)
        corners = corners[bilinear(small, inside).mean(axis=1) < _PALE * light]
    return (corners + 0.5) * shrink - 0.5


def _apart(quads: FloatArray) -> FloatArray:
    """The quads of the largest size of which `_LEAST` or more, and most, lie well apart; or none."""
    if not len(quads):
        return quads
    sides, centres = _sides(quads), quads.mean(axis=1)
    for side in np.unique(sides)[::-1]:
        alike = np.flatnonzero((sides >= side / _LIKE) & (sides <= side))
        gaps = np.linalg.norm(centres[alike, None] - centres[alike], axis=2) / sides[alike]
        # The inner and the outer outline of one thing are one square.
        gaps[gaps < 0.7] = np.inf
        kept: list[int] = []
        for index in alike[gaps.min(axis=1) > _APART]:
            if all(np.linalg.norm(centres[index] - centres[other]) > sides[index] for other in kept):
                kept.append(int(index))
        if len(kept) >= max(_LEAST, _SHARE * len(alike)):
            return quads[kept]
    return quads[:0]
