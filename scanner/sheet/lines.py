"""The printed lines of a sheet, measured in a photo: how far each lies from where a pose puts it."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scanner.geometry import FloatArray, GrayImage, read_only
from scanner.sheet.edges import sample
from scanner.sheet.template import Template

POINT_REACH_MM = 1.5
"""How far from a line the points lie that tell the direction across it."""
_MARGIN = 0.14
"""Share of a cell's edge left out at both ends, where other lines cross."""
_SAMPLES = 140
"""Samples a line, over all its profiles."""
_STEP_MM = 0.1
"""Samples of a profile are this far apart, or further if it would have more than `_MOST_ACROSS`."""
_LEAST_ACROSS, _MOST_ACROSS = 17, 41
_BODY_MM = 0.6
"""Half the width in which a line's darkness is added up."""
_LEAST_DARK = 0.02
"""A line that takes less of the paper's light is not seen."""
_LEAST_PAPER = 8.0
"""Gray values of paper in the darkest photos in which a sheet's fiducials are still found, and less."""
_DARKER = 0.33
_PALER = 1.0
"""Natural logarithms of the ratios by which a line may be darker or paler than its like and still count well."""


@dataclass(frozen=True, slots=True)
class PrintedLines:
    """Printed lines of a template, a cell's edge each.

    start_mm, end_mm: float64 (n, 2); axis: (n,) 0 for upright lines (whose x is measured), 1 for level ones; kinds: for each
    kind the indices of its lines, which are printed alike; grid: (n,) index into the template's grids.
    """

    start_mm: FloatArray
    end_mm: FloatArray
    axis: NDArray[np.intp]
    kinds: tuple[NDArray[np.intp], ...]
    grid: NDArray[np.intp]

    @property
    def middle_mm(self) -> FloatArray:
        """float64 (n, 2)."""
        return (self.start_mm + self.end_mm) / 2


@dataclass(frozen=True, slots=True)
class LineOffsets:
    """offset_mm: (n,) how far the dark line lies from its place, along +x for upright lines and +y for level ones; weight:
    (n,) 0 to 1, how much it looks like a printed line alone; darkness: (n,) as a multiple of what is usual for its kind."""

    offset_mm: FloatArray
    weight: FloatArray
    darkness: FloatArray


def lines_of(template: Template) -> PrintedLines:
    """All cell edges of the template's grids; borders, level lines and inner lines are kinds of their own."""
    starts: list[tuple[float, float]] = []
    ends: list[tuple[float, float]] = []
    axes: list[int] = []
    kinds: list[int] = []
    grids: list[int] = []
    levels = {line.line_y_mm for line in template.level_lines}
    for number, grid in enumerate(template.grids):
        x0, y0 = grid.origin_mm
        for axis, lines, cells in ((0, grid.columns, grid.rows), (1, grid.rows, grid.columns)):
            for line in range(lines + 1):
                across = (x0 if axis == 0 else y0) + line * grid.cell_mm
                kind = 2 if axis == 1 and across in levels else int(line in (0, lines))
                for cell in range(cells):
                    first = y0 if axis == 0 else x0
                    low, high = (first + (cell + share) * grid.cell_mm for share in (_MARGIN, 1 - _MARGIN))
                    starts.append((across, low) if axis == 0 else (low, across))
                    ends.append((across, high) if axis == 0 else (high, across))
                    axes.append(axis)
                    kinds.append(kind)
                    grids.append(number)
    by_kind = (np.flatnonzero(np.array(kinds) == kind) for kind in sorted(set(kinds)))
    return PrintedLines(
        read_only(np.array(starts)),
        read_only(np.array(ends)),
        read_only(np.array(axes, dtype=np.intp)),
        tuple(read_only(members) for members in by_kind),
        read_only(np.array(grids, dtype=np.intp)),
    )


def line_points(lines: PrintedLines) -> FloatArray:
    """The points whose places in the photo `measure_lines` must know, (5 * n, 2), sheet mm: every line's start, middle and
    end, and `POINT_REACH_MM` to either side of its middle."""
    normal = np.zeros((len(lines.axis), 2))
    normal[np.arange(len(lines.axis)), lines.axis] = POINT_REACH_MM
    middle = lines.middle_mm
    return np.concatenate([lines.start_mm, middle, lines.end_mm, middle - normal, middle + normal])


def measure_lines(
    gray: GrayImage, lines: PrintedLines, points_px: FloatArray, reach_mm: float, expected_mm: float
) -> LineOffsets:
    """Look for every line within `reach_mm` of its place, and rather within `expected_mm`; `points_px` are the places of
    `line_points` in `gray`."""
    n = len(lines.axis)
    s, t, u, favour = _profile(reach_mm, expected_mm)
    count = len(t)
    # x and y first, so that each is a map for `sample` as it comes.
    start, centre, end, before, after = points_px.T.reshape(2, 5, n).swapaxes(0, 1).astype(np.float32)[..., None]
    # Second-order in both directions: a profile is short against the paper's bends and the perspective.
    along = s * (end - start) / 2 + s**2 * ((end + start) / 2 - centre)
    across = centre + u * ((after - before) / 2) + u**2 * ((after + before) / 2 - centre)
    x, y = along[..., None] + across[..., None, :]
    values = sample(gray, x, y)

    profile = _mean_along(values)
    edge = max(2, count // 8)
    ramp = (t + 1) / 2
    left, right = profile[:, :edge].max(axis=1), profile[:, -edge:].max(axis=1)
    paper = np.maximum(left[:, None] * (1 - ramp) + right[:, None] * ramp, np.float32(1))
    # Beside black, which is what damaged files decode to, nothing is a line, and the black itself is none.
    lit = np.minimum(left, right)[:, None] >= _LEAST_PAPER
    mean = (1 - profile / paper) * lit
    usual = _usual(np.asarray((_smooth(mean) * favour).max(axis=1)), lines.kinds)
    # A symbol's stroke is darker than the line, but is dark for a part of its length only: what is darker than the line
    # usually is counts no more than the line does.
    dark = (1 - _mean_along(np.maximum(values, (paper * (1 - np.float32(1.2) * usual[:, None]))[:, None])) / paper) * lit
    smooth = _smooth(dark)
    rows = np.arange(n)
    inner = np.minimum(np.maximum((smooth * favour).argmax(axis=1), 1), count - 4)
    low, top, high = smooth[rows, inner - 1], smooth[rows, inner], smooth[rows, inner + 1]
    curve = np.maximum(2 * top - low - high, 1e-6)
    step = 2 * reach_mm / (count - 1)
    peak = inner + 1
    offset = t[peak].astype(np.float64) * reach_mm + np.clip((high - low) / (2 * curve), -1, 1) * step
    around = _around(count, step)[peak]
    body = (np.maximum(mean, 0) * around).sum(axis=1)

    darkness = _relative(mean[rows, peak], lines.kinds)
    unlikeness = _unlikeness(darkness) + _unlikeness(_relative(body, lines.kinds))
    weight = np.exp(-unlikeness) * (top > _LEAST_DARK) * ((top >= low) & (top >= high))
    return LineOffsets(offset, weight, darkness)


@cache
def _profile(reach_mm: float, expected_mm: float) -> tuple[NDArray[np.float32], ...]:
    """Where profiles are sampled, float32: along the line, as shares of its half length; across it, as shares of the reach,
    and of `POINT_REACH_MM`; and how much the inner samples count by their place."""
    count = int(np.clip(2 * round(reach_mm / _STEP_MM) + 1, _LEAST_ACROSS, _MOST_ACROSS))
    s = np.linspace(-1, 1, max(4, round(_SAMPLES / count)), dtype=np.float32)
    t = np.linspace(-1, 1, count, dtype=np.float32)
    # Pen outlines run along the same lines: of two dark ones, the one that is nearer to its place counts more.
    favour = np.exp(-0.5 * (t[1:-1] * reach_mm / expected_mm) ** 2)
    return read_only(s), read_only(t), read_only(t * np.float32(reach_mm / POINT_REACH_MM)), read_only(favour)


@cache
def _around(count: int, step_mm: float) -> NDArray[np.bool_]:
    """For every sample of a profile (count, count), the samples that lie within `_BODY_MM`."""
    places = np.arange(count)
    return read_only(np.abs(places - places[:, None]) * step_mm < _BODY_MM)


def _mean_along(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """The mean profile (n, count) of several (n, m, count) each."""
    mean: NDArray[np.float32] = np.einsum("nij->nj", values) * np.float32(1 / values.shape[1])
    return mean


def _smooth(profiles: NDArray[np.float32]) -> NDArray[np.float32]:
    """Profiles (n, m) smoothed over three samples, without their ends, (n, m - 2)."""
    result: NDArray[np.float32] = (profiles[:, :-2] + np.float32(2) * profiles[:, 1:-1] + profiles[:, 2:]) / np.float32(4)
    return result


def _usual(values: NDArray[np.float32], kinds: tuple[NDArray[np.intp], ...]) -> NDArray[np.float32]:
    """For each value the median of its kind, the lower of two."""
    usual = np.empty_like(values)
    for kind in kinds:
        middle = (len(kind) - 1) // 2
        usual[kind] = np.partition(values[kind], middle)[middle]
    return usual


def _relative(values: NDArray[np.float32], kinds: tuple[NDArray[np.intp], ...]) -> FloatArray:
    """Each value as a multiple of the median of its kind."""
    seen = np.maximum(values, np.float32(1e-3))
    result: FloatArray = (seen / _usual(seen, kinds)).astype(np.float64)
    return result


def _unlikeness(relative: FloatArray) -> FloatArray:
    """How far from the median of their kind values are that are `relative` to it: a little when they are less (a line in the
    distance), much when they are more (a pen went along it)."""
    ratio = np.log(relative)
    result: FloatArray = (ratio / np.where(ratio > 0, _DARKER, _PALER)) ** 2
    return result


def cells_hidden(template: Template, found: NDArray[np.bool_]) -> tuple[int, ...]:
    """By grid, how many cells show less than two of their four sides; `found` (n,) as `lines_of` orders the lines."""
    counts = []
    first = 0
    for grid in template.grids:
        middle = first + (grid.columns + 1) * grid.rows
        last = middle + (grid.rows + 1) * grid.columns
        upright = found[first:middle].reshape(grid.columns + 1, grid.rows).T.astype(int)
        level = found[middle:last].reshape(grid.rows + 1, grid.columns).astype(int)
        sides = upright[:, :-1] + upright[:, 1:] + level[:-1] + level[1:]
        counts.append(int(np.count_nonzero(sides < 2)))
        first = last
    return tuple(counts)
