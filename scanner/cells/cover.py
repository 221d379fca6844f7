"""What lies over a sheet: places where the print that must be there cannot be seen.

A piece of paper, a finger, glare or a blot over a cell leaves nothing to read, which differs from a cell that was left blank.
Whatever covers a cell also covers parts of the lines printed around it; a shadow darkens them and leaves them visible. A blot
that lies within a cell touches no line, but is darker than its surroundings on most sides and wider than any stroke.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from scanner.cells.rectify import LIGHT_STEP, WHITE_LEVEL, Rectified
from scanner.geometry import RECT_PX_PER_MM, FloatArray, GrayImage, read_only
from scanner.sheet.edges import median, quantile
from scanner.sheet.lines import lines_of
from scanner.sheet.template import Template

_PIECES: Final = 3
"""Every cell edge is looked at in so many pieces."""
_PIECE_PX: Final = 11
_ACROSS_PX: Final = 15
_SIDE_PX: Final = 4
"""Rectified px: along a piece, across the line, and of the latter those at either end that show the paper beside it."""
_BARE: Final = 0.2
"""A bare line within a grid is as dark as this share of all pieces at most: others are printed bold, or drawn along."""
_FAINT: Final = 0.28
"""A piece that is so pale beside a bare line is not seen. On clean sheets one in 200 is, by creases and noise."""
_BLACK: Final = 8
"""Gray values of the light: what is darker is no paper in any photo in which fiducials are found."""
_PIECES_LOST: Final = 6
_PERHAPS_LOST: Final = 3
"""Of the 12 pieces around a cell, so many lost mean that something lies on it, or that something may. On clean sheets one cell
in 1000 loses three, and hardly one more."""

_BLOT: Final = 0.7
"""A cell's middle that has less of the light around it holds a dark thing wider than `rectify` lets pass for ink. Ink within
cells of clean sheets leaves at least 0.75."""
_AROUND_CELLS: Final = 0.85
"""Where the light around a cell is taken, in cells from its middle."""
_AROUND: Final = 0.4
"""The share of the places around that may be as dark as the middle: under the straight edge of a shadow half of them are."""

_RING_MM: Final = 1.4
_RING_PLACES: Final = 16
_RING_LOST: Final = 0.65
"""Share of a printed circle that is lost if something lies on it."""

_DISC_PX: Final = 1.5
_INK_AROUND: Final = 1.4
_WITHIN: Final = 0.8
_HALF_DARK: Final = 0.5
"""Of a circle, what lies within _WITHIN of its radius is inside; ink there is what is at least _HALF_DARK as dark as the
darkest within _INK_AROUND of its radius."""

BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Cover:
    """What could not be looked at.

    cells: grid -> bool (rows, columns). perhaps: the same, of cells that lost so few of their lines that it may have other
    causes. edges_h, edges_v: grid -> bool (rows + 1, columns) and (rows, columns + 1), edges no piece of which is seen.
    marks: names of circles. ink: circle -> the share of its inside that is under ink, printed digits included.
    """

    cells: Mapping[str, BoolArray]
    perhaps: Mapping[str, BoolArray]
    edges_h: Mapping[str, BoolArray]
    edges_v: Mapping[str, BoolArray]
    marks: frozenset[str]
    ink: Mapping[str, float]


def find_cover(rectified: Rectified, template: Template) -> Cover:
    """The places of a rectified sheet over which something lies."""
    ground = _ground(template)
    lost = _lost(_depths(rectified.gray, ground))
    cells, perhaps, edges_h, edges_v = {}, {}, {}, {}
    first = 0
    for grid in template.grids:
        middle = first + (grid.columns + 1) * grid.rows
        last = middle + (grid.rows + 1) * grid.columns
        upright = lost[first:middle].reshape(grid.columns + 1, grid.rows).T
        level = lost[middle:last].reshape(grid.rows + 1, grid.columns)
        around = upright[:, :-1] + upright[:, 1:] + level[:-1] + level[1:]
        hidden = around >= _PIECES_LOST
        if "content" in grid.reads:
            hidden = hidden | _blots(rectified.light, ground.around[grid.name])
        cells[grid.name] = read_only(hidden)
        perhaps[grid.name] = read_only(~hidden & (around >= _PERHAPS_LOST))
        edges_h[grid.name] = read_only(level == _PIECES)
        edges_v[grid.name] = read_only(upright == _PIECES)
        first = last
    return Cover(
        cells,
        perhaps,
        edges_h,
        edges_v,
        _marks(rectified.gray, template, ground.rings),
        dict(zip((mark.name for mark in template.marks), _ink(rectified, ground), strict=True)),
    )


@dataclass(frozen=True, slots=True)
class _Ground:
    """Places of a template, int, as (..., row and column): `corners` (n, 2), of the patch over every line, in rectified px;
    `axis` (n,): 0 for upright lines;
    `around`: grid -> (rows, columns, 9 + 16, 2) in px of the light, nine places within a cell and those around it;
    `rings`: (marks, _RING_PLACES, samples, 2) in rectified px, from within every circle outwards;
    `discs`: (marks, places, 2) in rectified px, in and around every circle; `within` (marks, places): which of them are inside;
    `beside`: (marks, 9 + 16, 2) as `around`, for circles."""

    axis: NDArray[np.intp]
    corners: NDArray[np.intp]
    around: Mapping[str, NDArray[np.intp]]
    rings: NDArray[np.intp]
    discs: NDArray[np.intp]
    within: BoolArray
    beside: NDArray[np.intp]


@cache
def _ground(template: Template) -> _Ground:
    lines = lines_of(template)
    along = _PIECES * _PIECE_PX
    size = np.where(lines.axis[:, None] == 0, [along, _ACROSS_PX], [_ACROSS_PX, along])
    corners = np.round(lines.middle_mm[:, ::-1] * RECT_PX_PER_MM - size / 2).astype(np.intp)
    turns = np.linspace(0, 2 * np.pi, _RING_PLACES, endpoint=False)
    directions = np.stack([np.sin(turns), np.cos(turns)], -1)
    near = np.stack(np.meshgrid([-0.1, 0.0, 0.1], [-0.1, 0.0, 0.1]), -1).reshape(-1, 2)
    offsets = np.concatenate([near, _AROUND_CELLS * directions])
    around = {}
    light = np.ceil(np.array(template.paper_mm[::-1]) * RECT_PX_PER_MM / LIGHT_STEP).astype(np.intp)
    for grid in template.grids:
        cells = np.moveaxis(np.indices((grid.rows, grid.columns)), 0, -1)[:, :, None] + 0.5
        places_mm = np.array(grid.origin_mm[::-1]) + (cells + offsets) * grid.cell_mm
        places = np.round(places_mm * RECT_PX_PER_MM / LIGHT_STEP - 0.5).astype(np.intp)
        around[grid.name] = read_only(np.clip(places, 0, light - 1))
    steps = np.arange(-_RING_MM, _RING_MM + 1e-9, 1 / RECT_PX_PER_MM)
    centres = np.array([mark.centre_mm[::-1] for mark in template.marks], np.float64).reshape(-1, 1, 1, 2)
    radius_mm = np.array([mark.diameter_mm / 2 for mark in template.marks]).reshape(-1, 1, 1, 1)
    radii = radius_mm + steps[:, None]
    rings = np.round((centres + radii * directions[:, None]) * RECT_PX_PER_MM - 0.5).astype(np.intp)
    steps = np.arange(-_INK_AROUND, _INK_AROUND, _DISC_PX / RECT_PX_PER_MM / 3.5)
    disc = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2)
    disc = disc[np.hypot(*disc.T) <= _INK_AROUND]
    discs = np.round((centres[:, 0] + radius_mm[:, 0] * disc) * RECT_PX_PER_MM - 0.5).astype(np.intp)
    within = np.broadcast_to(np.hypot(*disc.T) <= _WITHIN, discs.shape[:2])
    beside = np.round((centres[:, 0] + radius_mm[:, 0] * 1.8 * offsets / _AROUND_CELLS) * RECT_PX_PER_MM / LIGHT_STEP - 0.5)
    return _Ground(
        lines.axis,
        read_only(corners),
        around,
        read_only(rings),
        read_only(discs),
        within,
        read_only(np.clip(beside.astype(np.intp), 0, light - 1)),
    )


def _depths(gray: GrayImage, ground: _Ground) -> FloatArray:
    """(n, _PIECES): by how many gray values every piece of a line is darker than the paper on both of its sides."""
    depths = np.empty((len(ground.corners), _PIECES))
    along = _PIECES * _PIECE_PX
    sums = np.repeat(np.eye(_PIECES, dtype=np.float32), _PIECE_PX, axis=0)
    for axis, size in ((0, (along, _ACROSS_PX)), (1, (_ACROSS_PX, along))):
        members = np.flatnonzero(ground.axis == axis)
        row, column = ground.corners[members].T
        patches = sliding_window_view(gray, size)[row, column]
        flat = patches if axis == 1 else patches.transpose(0, 2, 1)
        # Means as a product: numpy's own of so few values take several times as long.
        pieces = (flat.astype(np.float32) @ sums).reshape(len(members), _ACROSS_PX, _PIECES) / np.float32(_PIECE_PX)
        smooth = (pieces[:, :-2] + 2 * pieces[:, 1:-1] + pieces[:, 2:]) / 4
        paper = np.minimum(smooth[:, :_SIDE_PX].max(1), smooth[:, -_SIDE_PX:].max(1))
        depths[members] = paper - smooth[:, 2:-2].min(1)
    return depths


def _lost(depths: FloatArray) -> NDArray[np.intp]:
    """(n,): how many pieces of every line are not seen, beside a bare line of the sheet."""
    lost: NDArray[np.intp] = (depths < _FAINT * quantile(depths.ravel(), _BARE)).sum(1)
    return lost


def _blots(light: GrayImage, around: NDArray[np.intp]) -> BoolArray:
    """bool (rows, columns): cells whose middle is much darker than most of what lies around, or black."""
    values = light[around[..., 0], around[..., 1]].astype(np.float64)
    within, without = median(values[..., :9]), quantile(values[..., 9:], _AROUND)
    blots: BoolArray = (within < _BLOT * without) | (within < _BLACK)
    return blots


def _marks(gray: GrayImage, template: Template, rings: NDArray[np.intp]) -> frozenset[str]:
    """Names of the circles whose printed ring is not seen."""
    if not len(rings):
        return frozenset()
    profiles = gray[rings[..., 0], rings[..., 1]].astype(np.float64)
    smooth = (profiles[..., :-2] + 2 * profiles[..., 1:-1] + profiles[..., 2:]) / 4
    depths = smooth.max(-1) - smooth.min(-1)
    lost = (depths < _FAINT * quantile(depths.ravel(), _BARE)).mean(-1)
    return frozenset(mark.name for mark, share in zip(template.marks, lost.tolist(), strict=True) if share >= _RING_LOST)


def _ink(rectified: Rectified, ground: _Ground) -> list[float]:
    """For every circle, the share of its inside that is under ink."""
    if not len(ground.discs):
        return []
    dark = np.clip(1 - rectified.gray[ground.discs[..., 0], ground.discs[..., 1]] / np.float32(WHITE_LEVEL), 0, 1)
    ink = dark > _HALF_DARK * quantile(dark, 0.95)[:, None]
    covered = (ink & ground.within).sum(1) / ground.within.sum(1)
    # A solid blot is so wide that `rectify` takes it for dark paper.
    covered[_blots(rectified.light, ground.beside)] = 1.0
    shares: list[float] = covered.tolist()
    return shares
