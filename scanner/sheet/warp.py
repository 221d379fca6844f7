"""A smooth displacement over the paper: a uniform cubic B-spline on a lattice, and its fit to scattered measurements.

Reference: P. H. C. Eilers, B. D. Marx, "Flexible smoothing with B-splines and penalties", Statistical Science 11, 1996;
here with the thin plate's bending energy as the penalty.
"""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.geometry import FloatArray, read_only

CELLS = (12, 9)
"""Lattice cells across and down the paper: about 25 mm each on A4, fine enough for a crease, too coarse for a pen stroke."""

_CELL_ROWS = 2
"""Rows of lattice cells whose points `Normal` takes together."""

# The Gauss-Legendre rule of four points on [-1, 1], written out: numpy's module of polynomials is slow to load.
_GAUSS_POINTS = np.sqrt(3 / 7 + 2 / 7 * np.sqrt(6 / 5) * np.array([1, -1, -1, 1])) * np.array([-1, -1, 1, 1])
_GAUSS_WEIGHTS = (18 + np.sqrt(30) * np.array([-1, 1, 1, -1])) / 36


def basis(positions: FloatArray, length: float, cells: int) -> FloatArray:
    """The cubic B-splines' values at `positions` (n,), float64 (n, cells + 3), on [0, length] in equal cells. Positions
    outside are taken to the nearest end."""
    u = np.minimum(np.maximum(positions / length, 0.0), 1.0) * cells
    first = np.minimum(u.astype(np.intp), cells - 1)
    rows = np.zeros((len(u), cells + 3))
    rows[np.arange(len(u))[:, None], first[:, None] + np.arange(4)] = _cubics(u - first)
    return rows


def _cubics(f: FloatArray) -> FloatArray:
    """The four cubic B-splines that are not zero at the fraction `f` (n,) of a cell, (n, 4)."""
    g = 1 - f
    f2, g2 = f * f, g * g
    f3, g3 = f2 * f, g2 * g
    return np.stack([g3, 3 * f3 - 6 * f2 + 4, 3 * g3 - 6 * g2 + 4, f3], axis=-1) / 6


@dataclass(frozen=True, slots=True)
class Sampler:
    """How the spline's values at n scattered points come from its coefficients: sixteen of them a point, whose places in
    the flattened lattice are `index` (n, 16), with `weights` (n, 16)."""

    index: NDArray[np.intp]
    weights: FloatArray
    nodes: int

    def values(self, coefficients: FloatArray) -> FloatArray:
        """The values (n, k) of a spline with coefficients (rows, columns, k)."""
        flat = coefficients.reshape(self.nodes, -1)
        result: FloatArray = (self.weights[:, :, None] * flat[self.index]).sum(axis=1)
        return result

    def design(self) -> FloatArray:
        """The same as a dense matrix (n, nodes)."""
        matrix = np.zeros((len(self.index), self.nodes))
        np.put_along_axis(matrix, self.index, self.weights, axis=1)
        return matrix


def sampler(points_mm: FloatArray, paper_mm: tuple[float, float], cells: tuple[int, int] = CELLS) -> Sampler:
    """The sampler of a lattice of `cells` (across, down) for the points (n, 2)."""
    u = np.clip(points_mm / np.array(paper_mm), 0.0, 1.0) * np.array(cells)
    first = np.minimum(u.astype(np.intp), np.array(cells) - 1)
    weights = _cubics(u - first)
    columns = cells[0] + 3
    steps = np.arange(4)
    index = (first[:, 1, None, None] + steps[:, None]) * columns + (first[:, 0, None, None] + steps)
    both = weights[:, 1, :, None] * weights[:, 0, None, :]
    return Sampler(index.reshape(-1, 16), both.reshape(-1, 16), columns * (cells[1] + 3))


@dataclass(frozen=True, slots=True)
class Scattered:
    """Many points (n, 2), sheet mm, of which the spline is often asked: with the B-splines across (n, columns) and down
    (n, rows), a small matrix product and a sum are quicker than gathering."""

    points_mm: FloatArray
    across: FloatArray
    down: FloatArray

    def moved(self, coefficients: FloatArray) -> FloatArray:
        """The points, each moved by the spline with coefficients (rows, columns, 2); (n, 2)."""
        moved = self.points_mm.copy()
        for k in (0, 1):
            moved[:, k] += np.einsum("ij,ij->i", self.down @ coefficients[..., k], self.across)
        return moved


def scattered(points_mm: FloatArray, paper_mm: tuple[float, float]) -> Scattered:
    """The points, ready to be moved by splines on the lattice of `CELLS`."""
    across, down = (basis(points_mm[:, k], paper_mm[k], CELLS[k]) for k in (0, 1))
    return Scattered(read_only(points_mm), read_only(across), read_only(down))


def evaluate(coefficients: FloatArray, points_mm: FloatArray, paper_mm: tuple[float, float]) -> FloatArray:
    """The spline at scattered points (n, 2); coefficients (rows, columns, k) as in `Pose.warp_mm`; returns (n, k)."""
    rows, columns = coefficients.shape[:2]
    return sampler(points_mm, paper_mm, (columns - 3, rows - 3)).values(coefficients)


def evaluate_grid(coefficients: FloatArray, x_mm: FloatArray, y_mm: FloatArray, paper_mm: tuple[float, float]) -> FloatArray:
    """The spline at every (x, y) of a grid, (k, len(y), len(x)): two small matrix products a plane."""
    rows, columns = coefficients.shape[:2]
    across = basis(x_mm, paper_mm[0], columns - 3)
    down = basis(y_mm, paper_mm[1], rows - 3)
    return np.stack([down @ coefficients[..., k] @ across.T for k in range(coefficients.shape[2])])


@cache
def bending(paper_mm: tuple[float, float]) -> FloatArray:
    """The thin plate's bending energy as a quadratic form on the flattened coefficients, (nodes, nodes), averaged over the
    paper; per mm^2 when the displacement is in mm."""
    moments = []
    for length, cells in zip(paper_mm, CELLS, strict=True):
        step = length / cells
        f = (_GAUSS_POINTS + 1) / 2
        value = _cubics(f)
        slope = np.stack([-((1 - f) ** 2), 3 * f**2 - 4 * f, -3 * f**2 + 2 * f + 1, f**2], axis=-1) / 2 / step
        curve = np.stack([1 - f, 3 * f - 2, 1 - 3 * f, f], axis=-1) / step**2
        forms = []
        for values in (value, slope, curve):
            small = np.einsum("q,qa,qb->ab", _GAUSS_WEIGHTS / 2, values, values) / cells
            form = np.zeros((cells + 3, cells + 3))
            for k in range(cells):
                form[k : k + 4, k : k + 4] += small
            forms.append(form)
        moments.append(forms)
    (x0, x1, x2), (y0, y1, y2) = moments
    return read_only(np.kron(y0, x2) + 2 * np.kron(y1, x1) + np.kron(y2, x0))


@cache
def penalty(paper_mm: tuple[float, float], stiffness: float) -> FloatArray:
    """What a fit adds to its normal equations, (nodes, nodes), read-only; stiffness: mm^2, what a unit of mean bending energy
    costs beside the weighted squares. Where nothing is measured and nothing bends, the surface stays at zero."""
    form = stiffness * bending(paper_mm)
    form.flat[:: len(form) + 1] += 1e-3
    return read_only(form)


def solve(normal: FloatArray, right: FloatArray) -> FloatArray:
    """Coefficients (rows, columns, k) of the smooth surfaces through measurements, from their normal equations: (nodes, nodes),
    `penalty` included, and (nodes, k)."""
    # Symmetric and positive definite: OpenCV's Cholesky takes a third of the time of numpy's general solver.
    _, solution = cv2.solve(normal, right, flags=cv2.DECOMP_CHOLESKY)
    return np.asarray(solution, dtype=np.float64).reshape(CELLS[1] + 3, CELLS[0] + 3, -1)


@dataclass(frozen=True, slots=True)
class Normal:
    """What many points give to the normal equations, made anew for other weights: a few rows of cells at a time, whose points
    know a part of the nodes only, as most of a full product would be zeros.

    matrix: (n, nodes), as from `Sampler.design`; parts: places of points, places of nodes, and that part of the matrix.
    """

    matrix: FloatArray
    parts: tuple[tuple[slice, slice, FloatArray], ...]

    def plus(self, other: FloatArray, weights: FloatArray) -> FloatArray:
        """The matrix of the normal equations, (nodes, nodes), for weights (n,), added to `other`."""
        total = other.copy()
        roots = np.sqrt(weights)[:, None]
        for rows, nodes, part in self.parts:
            weighted = part * roots[rows]
            total[nodes, nodes] += weighted.T @ weighted
        return total


def normal_of(points_mm: FloatArray, paper_mm: tuple[float, float]) -> Normal:
    """For points (n, 2) in the order of their y."""
    where = sampler(points_mm, paper_mm)
    matrix = read_only(where.design())
    across = CELLS[0] + 3
    cell_rows = where.index[:, 0] // across
    parts = []
    for row in range(0, CELLS[1], _CELL_ROWS):
        first, end = np.searchsorted(cell_rows, (row, row + _CELL_ROWS)).tolist()
        nodes = slice(row * across, (row + _CELL_ROWS + 3) * across)
        if end > first:
            parts.append((slice(first, end), nodes, read_only(matrix[first:end, nodes].copy())))
    return Normal(matrix, tuple(parts))
