"""Crops: the small pictures that the networks read, cut from the rectified sheet at the template's places."""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from scanner.cells.rectify import WHITE_LEVEL, Rectified
from scanner.geometry import RECT_PX_PER_MM, read_only
from scanner.sheet.edges import quantile
from scanner.sheet.template import Grid, Template

CONTENT_SIZE: Final = (64, 64)
"""A cell with a third of a cell of its surroundings: symbols overrun the lines."""
EDGE_SIZE: Final = (32, 56)
"""Height across the edge, width along it; vertical edges are turned so that all lie flat."""
STRUCK_SIZE: Final = (40, 40)
MARK_SIZE: Final = (72, 72)
"""Wide enough to show the neighbours: a circle drawn over the printed one stands out by being heavier than those."""

_BARE: Final = 0.7
_ENOUGH_FOR_PRINT: Final = 80
_FEW_MARKS: Final = 8
_RING_QUANTILE: Final = 0.6
_RING_SIGMA_PX: Final = 1.1

CropArray = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Places:
    """Top left corners of all crops of a template, int (N, 2) as row, column in rectified px, in the order of the grids and
    marks of the template; within a grid row by row."""

    content: NDArray[np.intp]
    edges_h: NDArray[np.intp]
    edges_v: NDArray[np.intp]
    struck: NDArray[np.intp]
    marks: NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Crops:
    """uint8, read-only, in the order of `Places`; content and struck (N, H, W), edges and marks (N, 2, H, W) as `beside_print`
    makes them; edges: first all horizontal ones, then the vertical ones."""

    content: CropArray
    edges: CropArray
    struck: CropArray
    marks: CropArray


def _corners(points_mm: list[tuple[float, float]], size: tuple[int, int]) -> NDArray[np.intp]:
    """Corners (row, column) of crops of `size` (height, width) centred on the points (x, y)."""
    xy = np.array(points_mm, np.float64).reshape(-1, 2) * RECT_PX_PER_MM
    corners: NDArray[np.intp] = np.round(xy[:, ::-1] - np.array(size) / 2).astype(np.intp)
    return corners


def _lattice(grid: Grid, rows: int, columns: int, dx: float, dy: float) -> list[tuple[float, float]]:
    x, y = grid.origin_mm
    return [(x + (c + dx) * grid.cell_mm, y + (r + dy) * grid.cell_mm) for r in range(rows) for c in range(columns)]


@cache
def places(template: Template) -> Places:
    """Where the crops of a template lie."""
    content: list[tuple[float, float]] = []
    edges_h: list[tuple[float, float]] = []
    edges_v: list[tuple[float, float]] = []
    struck: list[tuple[float, float]] = []
    for grid in template.grids:
        if "content" in grid.reads:
            content += _lattice(grid, grid.rows, grid.columns, 0.5, 0.5)
        if "edges" in grid.reads:
            edges_h += _lattice(grid, grid.rows + 1, grid.columns, 0.5, 0)
            edges_v += _lattice(grid, grid.rows, grid.columns + 1, 0, 0.5)
        if "struck" in grid.reads:
            struck += _lattice(grid, grid.rows, grid.columns, 0.5, 0.5)
    return Places(
        read_only(_corners(content, CONTENT_SIZE)),
        read_only(_corners(edges_h, EDGE_SIZE)),
        read_only(_corners(edges_v, EDGE_SIZE[::-1])),
        read_only(_corners(struck, STRUCK_SIZE)),
        read_only(_corners([mark.centre_mm for mark in template.marks], MARK_SIZE)),
    )


def crop(rectified: Rectified, template: Template) -> Crops:
    """All crops of a sheet."""
    where = places(template)
    gray = rectified.gray
    horizontal = _cut(gray, where.edges_h, EDGE_SIZE)
    vertical = _cut(gray, where.edges_v, EDGE_SIZE[::-1]).transpose(0, 2, 1)
    return Crops(
        read_only(_cut(gray, where.content, CONTENT_SIZE)),
        read_only(beside_print(np.concatenate([horizontal, vertical]))),
        read_only(_cut(gray, where.struck, STRUCK_SIZE)),
        read_only(_marks_beside_print(_cut(gray, where.marks, MARK_SIZE), template)),
    )


def beside_print(crops: CropArray) -> CropArray:
    """Like crops of one sheet, uint8 (N, H, W), each beside the sheet's bare print: uint8 (N, 2, H, W).

    Whether a line is printed or drawn often shows only against the other lines of the same sheet in the same light. The bare
    print is what most of the places look like: in each pixel the gray value that _BARE of them do not exceed.
    """
    if not len(crops):  # a sheet may have none of a kind
        return np.empty((0, 2, *crops.shape[1:]), np.uint8)
    some = crops[:: max(1, len(crops) // _ENOUGH_FOR_PRINT)]
    bare = _ranked(some, int(_BARE * (len(some) - 1)))
    paired: CropArray = np.stack([crops, np.broadcast_to(bare, crops.shape)], 1)
    return paired


def _ranked(crops: CropArray, rank: int) -> CropArray:
    """In each pixel the value that stands at `rank` (0 the darkest) among crops (N, H, W), N < 256; uint8 (H, W).

    It is found bit by bit: the largest value below which there are no more than `rank` crops. All pixels at once, that takes a
    fifth of the time of a partition.
    """
    found = np.zeros(crops.shape[1:], np.uint8)
    for bit in 2 ** np.arange(7, -1, -1, dtype=np.uint8):
        trial = found | bit
        below = np.add.reduce(crops < trial, axis=0, dtype=np.uint8)
        found = np.where(below <= rank, trial, found)
    return found


def _marks_beside_print(crops: CropArray, template: Template) -> CropArray:
    """As `beside_print`; a sheet with few circles may have most of them marked, so that each stands beside a circle drawn as
    its own print would be: white paper, and the ring as dark as the crop has it."""
    if len(crops) >= _FEW_MARKS or not len(crops):
        return beside_print(crops)
    height, width = MARK_SIZE
    y, x = np.mgrid[:height, :width]
    from_centre = np.hypot(y - (height - 1) / 2, x - (width - 1) / 2)
    bare = np.empty_like(crops)
    for number, mark in enumerate(template.marks):
        from_ring = from_centre - RECT_PX_PER_MM * mark.diameter_mm / 2
        ring = float(quantile(crops[number][np.abs(from_ring) < 1.0].astype(np.float64), _RING_QUANTILE))
        bare[number] = np.round(WHITE_LEVEL + (ring - WHITE_LEVEL) * np.exp(-((from_ring / _RING_SIGMA_PX) ** 2) / 2))
    return np.stack([crops, bare], 1)


def _cut(gray: NDArray[np.uint8], corners: NDArray[np.intp], size: tuple[int, int]) -> CropArray:
    windows = sliding_window_view(gray, size)
    cut: CropArray = windows[corners[:, 0], corners[:, 1]]
    return cut
