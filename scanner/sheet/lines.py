"""The printed lines of a sheet, measured in a photo: how far each lies from where a pose puts it."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scanner.geometry import FloatArray, GrayImage, read_only
from scanner.sheet.edges import bilinear
from scanner.sheet.template import Template

_PIECES = 2
"""Pieces that a cell's edge is measured in."""
_MARGIN = 0.14
"""Share of a cell's edge left out at both ends, where other lines cross."""
_ALONG = 4
_ACROSS = 25
_BODY_MM = 0.6
_LIKENESS = 0.4


@dataclass(frozen=True, slots=True)
class PrintedLines:
    """Pieces of printed lines on a template.

    start_mm, end_mm: float64 (n, 2); axis: (n,) 0 for upright lines (whose x is measured), 1 for level ones; kind: (n,)
    pieces of one kind are printed alike; grid: (n,) index into the template's grids.
    """

    start_mm: FloatArray
    end_mm: FloatArray
    axis: NDArray[np.intp]
    kind: NDArray[np.intp]
    grid: NDArray[np.intp]

    @property
    def middle_mm(self) -> FloatArray:
        """float64 (n, 2)."""
        return (self.start_mm + self.end_mm) / 2


@dataclass(frozen=True, slots=True)
class LineOffsets:
    """offset_mm: (n,) how far the dark line lies from its place, along +x for upright lines and +y for level ones; weight:
    (n,) 0 to 1, how much it looks like a printed line alone."""

    offset_mm: FloatArray
    weight: FloatArray


def lines_of(template: Template) -> PrintedLines:
    """All cell edges of the template's grids, in pieces."""
    starts: list[tuple[float, float]] = []
    ends: list[tuple[float, float]] = []
    axes: list[int] = []
    kinds: list[int] = []
    grids: list[int] = []
    levels = {line.line_y_mm for line in template.level_lines}
    shares = np.linspace(_MARGIN, 1 - _MARGIN, _PIECES + 1)
    for number, grid in enumerate(template.grids):
        x0, y0 = grid.origin_mm
        for axis, lines, cells in ((0, grid.columns, grid.rows), (1, grid.rows, grid.columns)):
            for line in range(lines + 1):
                across = (x0 if axis == 0 else y0) + line * grid.cell_mm
                border = line in (0, lines)
                kind = 3 * number + (2 if axis == 1 and across in levels else int(border))
                for cell in range(cells):
                    for a, b in pairwise(shares):
                        low, high = ((y0 if axis == 0 else x0) + (cell + share) * grid.cell_mm for share in (a, b))
                        starts.append((across, low) if axis == 0 else (low, across))
                        ends.append((across, high) if axis == 0 else (high, across))
                        axes.append(axis)
                        kinds.append(kind)
                        grids.append(number)
    return PrintedLines(
        read_only(np.array(starts)),
        read_only(np.array(ends)),
        read_only(np.array(axes, dtype=np.intp)),
        read_only(np.array(kinds, dtype=np.intp)),
        read_only(np.array(grids, dtype=np.intp)),
    )


def measure_lines(
    gray: GrayImage, to_gray: Callable[[FloatArray], FloatArray], lines: PrintedLines, reach_mm: float, expected_mm: float
) -> LineOffsets:
    """Look for every line within `reach_mm` of its place, and rather within `expected_mm`; `to_gray` maps sheet mm (n, 2) to
    px of `gray`."""
    n = len(lines.axis)
    normal = np.zeros((n, 2))
    normal[np.arange(n), lines.axis] = reach_mm
    middle = lines.middle_mm
    placed = to_gray(np.concatenate([lines.start_mm, middle, lines.end_mm, middle - normal, middle + normal]))
    start, centre, end, before, after = placed.reshape(5, n, 2)
    # Second-order in both directions: a profile is short against the paper's bends and the perspective.
    s = np.linspace(-1, 1, _ALONG)[:, None, None]
    t = np.linspace(-1, 1, _ACROSS)[:, None]
    along = s * (end - start)[:, None, None] / 2 + s**2 * ((end + start) / 2 - centre)[:, None, None]
    across = t * ((after - before) / 2)[:, None] + t**2 * ((after + before) / 2 - centre)[:, None]
    points = centre[:, None, None] + along + across[:, None]
    profile = bilinear(gray, points).mean(axis=1)

    edge = max(2, _ACROSS // 8)
    left = profile[:, :edge].max(axis=1)
    right = profile[:, -edge:].max(axis=1)
    ramp = (t[:, 0] + 1) / 2
    paper = left[:, None] * (1 - ramp) + right[:, None] * ramp
    dark = 1 - profile / np.maximum(paper, 1.0)
    smooth = dark.copy()
    smooth[:, 1:-1] = (dark[:, :-2] + 2 * dark[:, 1:-1] + dark[:, 2:]) / 4
    # Pen outlines run along the same lines: of two dark ones, the one that is nearer to its place counts more.
    favour = np.exp(-0.5 * (t[1:-1, 0] * reach_mm / expected_mm) ** 2)
    peak = (smooth[:, 1:-1] * favour).argmax(axis=1) + 1
    rows = np.arange(n)
    low, top, high = smooth[rows, peak - 1], smooth[rows, peak], smooth[rows, peak + 1]
    curve = np.maximum(2 * top - low - high, 1e-6)
    step = 2 * reach_mm / (_ACROSS - 1)
    offset = t[peak, 0] * reach_mm + np.clip((high - low) / (2 * curve), -1, 1) * step
    around = np.abs(np.arange(_ACROSS) - peak[:, None]) * step < _BODY_MM
    body = (np.clip(dark, 0, None) * around).sum(axis=1)

    unlikeness = _log_ratio(top, lines.kind) ** 2 + _log_ratio(body, lines.kind) ** 2
    weight = np.exp(-unlikeness / _LIKENESS**2) * (top > 0.02) * (peak > 1) * (peak < _ACROSS - 2)
    return LineOffsets(offset, weight)


def _log_ratio(values: FloatArray, kind: NDArray[np.intp]) -> FloatArray:
    """The logarithm of each value's ratio to the median of its kind."""
    logs = np.log(np.maximum(values, 1e-3))
    usual = np.zeros(int(kind.max()) + 1)
    for k in np.unique(kind):
        usual[k] = np.median(logs[kind == k])
    result: FloatArray = logs - usual[kind]
    return result
