"""The orientations of the shapes as bit patterns on the obelisk and the wall (see `bitboard`), for play and search."""

from typing import NamedTuple

from scanner.engine.obelisk.polyomino import SHAPES, Cells, orientations
from scanner.engine.obelisk.sheet import (
    OBELISK_COLUMNS,
    OBELISK_ROWS,
    WALL_COLUMNS,
    WALL_ROWS,
)


class Form(NamedTuple):
    """One orientation of a shape on both grids. An anchor is the bit of the bottom left corner of the form's bounding box;
    `*_shifts` lead from it to the form's cells, `*_anchors` are the anchors that keep the form inside the grid, and
    `*_cells << anchor` are the cells covered."""

    number: int
    shape: str
    cells: Cells
    obelisk_shifts: tuple[int, ...]
    obelisk_anchors: int
    obelisk_cells: int
    wall_shifts: tuple[int, ...]
    wall_anchors: int
    wall_cells: int


def _form(number: int, shape: str, cells: Cells) -> Form:
    height = 1 + max(row for row, _ in cells)
    width = 1 + max(column for _, column in cells)

    def on(rows: int, columns: int) -> tuple[tuple[int, ...], int, int]:
        shifts = tuple(sorted((height - 1 - row) * columns + column for row, column in cells))
        in_a_row = (1 << columns - width + 1) - 1
        anchors = sum([in_a_row << up * columns for up in range(rows - height + 1)])
        return shifts, anchors, sum(1 << shift for shift in shifts)

    return Form(number, shape, cells, *on(OBELISK_ROWS, OBELISK_COLUMNS), *on(WALL_ROWS, WALL_COLUMNS))


FORMS: tuple[Form, ...] = tuple(
    _form(number, shape, cells)
    for number, (shape, cells) in enumerate((shape, cells) for shape in SHAPES for cells in orientations(shape))
)
"""All orientations of all shapes, shape by shape."""

FORMS_OF: dict[str, tuple[Form, ...]] = {shape: tuple(form for form in FORMS if form.shape == shape) for shape in SHAPES}


def free_anchors(form: Form, free: int) -> int:
    """The obelisk anchors at which the form covers only cells of `free`."""
    anchors = form.obelisk_anchors
    for shift in form.obelisk_shifts:
        anchors &= free >> shift
    return anchors


def free_wall_anchors(form: Form, free: int) -> int:
    """The wall anchors at which the form covers only cells of `free`."""
    anchors = form.wall_anchors
    for shift in form.wall_shifts:
        anchors &= free >> shift
    return anchors


def touching_anchors(form: Form, cells: int) -> int:
    """The obelisk anchors at which the form covers at least one of the cells."""
    anchors = 0
    for shift in form.obelisk_shifts:
        anchors |= cells >> shift
    return anchors & form.obelisk_anchors
