"""Where shapes can lie on a grid of cells: every placement with its cells, its outline and the edges inside it.

Cells are numbered row by row from the top left, `row * columns + column`. Edges are numbered horizontals first: the one
above row r, column c is `r * columns + c` (row index `rows` is the bottom border); then the verticals: the one left of
column c in row r is `(rows + 1) * columns + r * (columns + 1) + c`.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scanner.engine.obelisk.polyomino import SHAPES, orientations
from scanner.geometry import FloatArray, read_only

IntArray = NDArray[np.int64]

_OUTLINE = 10  # the most edges that an outline of four cells has
_INSIDE = 4
_MOST_CELLS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """All placements of all shapes, in every orientation, on a grid of `rows` x `columns` cells.

    shapes: the shape's name, a placement. cells: its cells, ascending; masks: the same as bits.
    outline: int64 (placements, 10), inside: int64 (placements, 4): edges on its outline and inside it, filled up with
        `edge_count` (an edge that does not exist).
    covers: bool (placements, cells), the same as a matrix.
    neighbours: cell -> its four edges with the cell beyond each, -1 beyond the border.
    border: bool (edge_count,), the edges on the grid's outer border.
    """

    rows: int
    columns: int
    edge_count: int
    shapes: tuple[str, ...]
    cells: tuple[tuple[int, ...], ...]
    masks: tuple[int, ...]
    outline: IntArray
    inside: IntArray
    covers: NDArray[np.bool_]
    neighbours: tuple[tuple[tuple[int, int], ...], ...]
    border: NDArray[np.bool_]

    def above(self, cell: int) -> int:
        """The edge above a cell; the one below it is `above(cell) + columns`."""
        return cell

    def left(self, cell: int) -> int:
        """The edge left of a cell; the one right of it is `left(cell) + 1`."""
        return (self.rows + 1) * self.columns + cell + cell // self.columns

    def flatten_edges(self, horizontal: NDArray[np.floating], vertical: NDArray[np.floating]) -> FloatArray:
        """float64 (edge_count,) from values (rows + 1, columns) and (rows, columns + 1)."""
        return np.concatenate([np.asarray(horizontal, float).ravel(), np.asarray(vertical, float).ravel()])


@cache
def lattice(rows: int, columns: int) -> Lattice:
    """The lattice of a grid's size, made once."""
    edge_count = (rows + 1) * columns + rows * (columns + 1)
    vertical = (rows + 1) * columns
    cells, names = _all_placements(rows, columns)
    left = vertical + cells + cells // columns
    edges = np.stack([cells, cells + columns, left, left + 1], axis=2)
    edges[cells < 0] = edge_count
    edges = np.sort(edges.reshape(len(cells), -1), axis=1)
    # An edge between two of a placement's cells is there twice, one on its outline once.
    again = np.zeros(edges.shape, bool)
    again[:, 1:] = edges[:, 1:] == edges[:, :-1]
    twice = np.zeros(edges.shape, bool)
    twice[:, :-1] = again[:, 1:]
    outline = np.sort(np.where(again | twice, edge_count, edges), axis=1)[:, :_OUTLINE].copy()
    inside = np.sort(np.where(again, edges, edge_count), axis=1)[:, :_INSIDE].copy()
    covers = np.zeros((len(cells), rows * columns + 1), bool)
    np.put_along_axis(covers, cells, True, axis=1)  # what fills up is the last column
    found = [tuple(row[:count]) for row, count in zip(cells.tolist(), (cells >= 0).sum(1).tolist(), strict=True)]
    bits = [1 << cell for cell in range(rows * columns)]
    border = np.zeros(edge_count, bool)
    border[:columns] = border[rows * columns : vertical] = True
    border[vertical :: columns + 1] = border[vertical + columns :: columns + 1] = True
    return Lattice(
        rows,
        columns,
        edge_count,
        names,
        tuple(found),
        tuple(sum([bits[cell] for cell in cells]) for cells in found),
        read_only(outline),
        read_only(inside),
        read_only(covers[:, :-1].copy()),
        tuple(_neighbours(cell, rows, columns) for cell in range(rows * columns)),
        read_only(border),
    )


def _all_placements(rows: int, columns: int) -> tuple[IntArray, tuple[str, ...]]:
    """int64 (placements, 4): every placement's cells, ascending, filled up with -1, sorted by their cells; and the names of the
    shapes."""
    found, shapes = [], []
    for shape in SHAPES:
        for form in orientations(shape):
            down, right = np.array(form).T
            corners = np.arange(rows - down.max())[:, None] * columns + np.arange(columns - right.max())
            cells = np.full((corners.size, _MOST_CELLS), -1)
            cells[:, : len(form)] = corners.reshape(-1, 1) + down * columns + right
            found.append(cells)
            shapes += [shape] * corners.size
    cells = np.concatenate(found)
    order = np.lexsort(cells.T[::-1])
    return cells[order], tuple(shapes[index] for index in order.tolist())


def _neighbours(cell: int, rows: int, columns: int) -> tuple[tuple[int, int], ...]:
    row, column = divmod(cell, columns)
    left = (rows + 1) * columns + cell + row
    return (
        (cell, cell - columns if row else -1),
        (cell + columns, cell + columns if row < rows - 1 else -1),
        (left, cell - 1 if column else -1),
        (left + 1, cell + 1 if column < columns - 1 else -1),
    )
