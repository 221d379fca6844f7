"""The 3D polyominoes: a table of pieces as data, and their rotations in space.

Cells are (row, column, level): rows from the back, columns from the left, levels from the bottom. Pieces turn in every
direction but are not mirrored: they are solid.

References: RULES section 3. Which pieces the box holds is not in the public record: this table is this project's own.
"""

from collections.abc import Iterable, Iterator
from functools import cache

Cell = tuple[int, int, int]
Cells = tuple[Cell, ...]
"""Sorted cells."""

PIECES: dict[str, Cells] = {
    "I2": ((0, 0, 0), (0, 1, 0)),
    "I3": ((0, 0, 0), (0, 1, 0), (0, 2, 0)),
    "V3": ((0, 0, 0), (0, 1, 0), (1, 0, 0)),
    "I4": ((0, 0, 0), (0, 1, 0), (0, 2, 0), (0, 3, 0)),
    "L4": ((0, 0, 0), (0, 1, 0), (0, 2, 0), (1, 0, 0)),
    "T4": ((0, 0, 0), (0, 1, 0), (0, 2, 0), (1, 1, 0)),
    "S4": ((0, 1, 0), (0, 2, 0), (1, 0, 0), (1, 1, 0)),
    "O4": ((0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0)),
    "tripod": ((0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)),
    "left screw": ((0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 0, 1)),
    "right screw": ((0, 0, 0), (0, 1, 0), (0, 1, 1), (1, 0, 0)),
}
BLOCK = "1x1"
"""The single block, of which there are always enough in every colour."""
COPIES = 2
"""How many of each piece the box holds in each colour."""


def _turns(cell: Cell) -> Iterator[Cell]:
    """The images of a cell under the 24 rotations of space, always in the same order."""
    for axes, signs in _ROTATIONS:
        yield (signs[0] * cell[axes[0]], signs[1] * cell[axes[1]], signs[2] * cell[axes[2]])


def _parity(axes: tuple[int, int, int]) -> int:
    inversions = sum(axes[i] > axes[j] for i in range(3) for j in range(i + 1, 3))
    return -1 if inversions % 2 else 1


_PERMUTATIONS = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
_SIGNS = tuple((a, b, c) for a in (1, -1) for b in (1, -1) for c in (1, -1))
_ROTATIONS = tuple((p, s) for p in _PERMUTATIONS for s in _SIGNS if _parity(p) * s[0] * s[1] * s[2] == 1)
"""Signed permutations of the axes with determinant 1: no mirror images."""


def normalised(cells: Iterable[Cell]) -> Cells:
    """The cells moved so that each smallest coordinate is 0, sorted."""
    found = list(cells)
    low = [min(cell[axis] for cell in found) for axis in range(3)]
    return tuple(sorted((r - low[0], c - low[1], z - low[2]) for r, c, z in found))


def rotations(cells: Iterable[Cell]) -> tuple[Cells, ...]:
    """The different shapes that turning gives, at most 24, sorted."""
    turned = zip(*(_turns(cell) for cell in cells), strict=True)
    return tuple(sorted({normalised(shape) for shape in turned}))


@cache
def orientations(piece: str) -> tuple[Cells, ...]:
    """All orientations of a piece of the table, or of the single block; KeyError for an unknown piece."""
    return (((0, 0, 0),),) if piece == BLOCK else rotations(PIECES[piece])
