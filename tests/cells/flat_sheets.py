"""Rectified sheets made up pixel by pixel, to see where crops come from."""

from collections.abc import Iterable

import numpy as np

from scanner.cells import Rectified
from scanner.geometry import RECT_PX_PER_MM, FloatArray, GrayImage, read_only
from scanner.sheet.template import Template

PAPER = 230


def blank_sheet(template: Template) -> GrayImage:
    """White paper of the sheet's size in rectified px."""
    width, height = (round(side * RECT_PX_PER_MM) for side in template.paper_mm)
    return np.full((height, width), PAPER, np.uint8)


def spot(gray: GrayImage, centre_mm: tuple[float, float] | FloatArray, value: int, half_px: int = 1) -> None:
    """A square spot of `value` around a point of the sheet, in place."""
    x, y = (round(v * RECT_PX_PER_MM - 0.5) for v in centre_mm)
    gray[y - half_px : y + half_px + 1, x - half_px : x + half_px + 1] = value


def rectified(gray: GrayImage) -> Rectified:
    """As it comes from `rectify`."""
    return Rectified(read_only(gray), read_only(np.full((gray.shape[0] // 4, gray.shape[1] // 4), 200, np.uint8)))


def with_spots(template: Template, spots: Iterable[tuple[tuple[float, float], int]]) -> Rectified:
    """White paper with spots (centre, value)."""
    gray = blank_sheet(template)
    for centre, value in spots:
        spot(gray, centre, value)
    return rectified(gray)
