"""The eight worker shapes, their orientations, and where they fit in a grid.

A cell is (row, column), rows counted from the top as seen on paper, both from 0. Shapes may be rotated and mirrored.

References: RULES section 1, "Workers" (the set of shapes is this project's decision).
"""

from collections.abc import Iterable
from functools import cache
from itertools import product

Cell = tuple[int, int]
Cells = tuple[Cell, ...]
"""Cells in reading order (top row first, left to right)."""

SHAPES: dict[str, Cells] = {
    "I2": ((0, 0), (0, 1)),
    "I3": ((0, 0), (0, 1), (0, 2)),
    "V3": ((0, 0), (1, 0), (1, 1)),
    "O4": ((0, 0), (0, 1), (1, 0), (1, 1)),
    "L4": ((0, 0), (1, 0), (2, 0), (2, 1)),
    "T4": ((0, 0), (0, 1), (0, 2), (1, 1)),
    "S4": ((0, 1), (0, 2), (1, 0), (1, 1)),
    "I4": ((0, 0), (0, 1), (0, 2), (0, 3)),
}
"""One orientation of each shape, by name."""

SQUARE = "O4"
"""The only shape that may be scribed."""


def normalised(cells: Iterable[Cell]) -> Cells:
    """The cells moved up and left as far as they go, in reading order."""
    found = sorted(set(cells))
    if not found:
        return ()
    top = found[0][0]
    left = min(column for _, column in found)
    return tuple((row - top, column - left) for row, column in found)


def _turned(cells: Cells) -> Cells:
    return normalised((column, -row) for row, column in cells)


def _mirrored(cells: Cells) -> Cells:
    return normalised((row, -column) for row, column in cells)


@cache
def orientations(shape: str) -> tuple[Cells, ...]:
    """All different rotated and mirrored forms of a shape, normalised, sorted. KeyError for an unknown name."""
    found: set[Cells] = set()
    form = normalised(SHAPES[shape])
    for _ in range(4):
        found |= {form, _mirrored(form)}
        form = _turned(form)
    return tuple(sorted(found))


_NAME_OF: dict[Cells, str] = {form: name for name in SHAPES for form in orientations(name)}


def shape_of(cells: Iterable[Cell]) -> str | None:
    """The name of the shape that the cells form, wherever they lie and however turned; None if they form none."""
    return _NAME_OF.get(normalised(cells))


@cache
def form_placements(form: Cells, rows: int, columns: int) -> tuple[Cells, ...]:
    """Every translation of a normalised form that stays inside a grid of rows x columns, in reading order of the offset."""
    height = 1 + max(row for row, _ in form)
    width = 1 + max(column for _, column in form)
    return tuple(
        tuple((row + down, column + right) for row, column in form)
        for down, right in product(range(rows - height + 1), range(columns - width + 1))
    )


@cache
def placements(shape: str, rows: int, columns: int) -> tuple[Cells, ...]:
    """Every place of a shape, in any orientation, inside a grid of rows x columns. KeyError for an unknown name."""
    return tuple(place for form in orientations(shape) for place in form_placements(form, rows, columns))
