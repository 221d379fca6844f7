"""Obelisk and wall as bits of an int, so that a rule is a few shifts.

Obelisk: bit 5 * height + column, heights from the base (0) up, so that the number's size is the tower's height. Wall: bit
8 * height + column likewise, so that a shadow is the lowest 32 * level bits. Text lists rows from the top; only the
functions here turn one into the other.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from scanner.engine.obelisk.polyomino import SHAPES, Cell, Cells, orientations
from scanner.engine.obelisk.sheet import (
    OBELISK_COLUMNS,
    OBELISK_ROWS,
    PRINTED_WALL,
    ROWS_A_LEVEL,
    SYMBOLS,
    WALL_COLUMNS,
    WALL_ROWS,
)

OBELISK_CELLS = OBELISK_ROWS * OBELISK_COLUMNS
OBELISK_FULL = (1 << OBELISK_CELLS) - 1
OBELISK_BASE = (1 << OBELISK_COLUMNS) - 1
OBELISK_TOP = OBELISK_BASE << (OBELISK_CELLS - OBELISK_COLUMNS)
_LEFT = sum(1 << (OBELISK_COLUMNS * height) for height in range(OBELISK_ROWS))
_NOT_LEFT = OBELISK_FULL & ~_LEFT
_NOT_RIGHT = OBELISK_FULL & ~(_LEFT << (OBELISK_COLUMNS - 1))
LEVELS = OBELISK_ROWS // ROWS_A_LEVEL
WALL_FULL = (1 << (WALL_ROWS * WALL_COLUMNS)) - 1


def obelisk_bit(cell: Cell) -> int:
    """The bit of an obelisk cell (row from the top, column)."""
    return 1 << ((OBELISK_ROWS - 1 - cell[0]) * OBELISK_COLUMNS + cell[1])


def wall_bit(cell: Cell) -> int:
    """The bit of a wall cell (row from the top, column)."""
    return 1 << ((WALL_ROWS - 1 - cell[0]) * WALL_COLUMNS + cell[1])


def obelisk_mask(cells: Iterable[Cell]) -> int:
    """The bits of obelisk cells."""
    return sum(map(obelisk_bit, set(cells)))


def wall_mask(cells: Iterable[Cell]) -> int:
    """The bits of wall cells."""
    return sum(map(wall_bit, set(cells)))


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits set, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def obelisk_cells(mask: int) -> Cells:
    """The cells (row from the top, column) of an obelisk mask, in reading order."""
    return tuple(sorted((OBELISK_ROWS - 1 - bit // OBELISK_COLUMNS, bit % OBELISK_COLUMNS) for bit in bits(mask)))


def wall_cells(mask: int) -> Cells:
    """The cells (row from the top, column) of a wall mask, in reading order."""
    return tuple(sorted((WALL_ROWS - 1 - bit // WALL_COLUMNS, bit % WALL_COLUMNS) for bit in bits(mask)))


def height_of(built: int) -> int:
    """The height of the tower: 0 with nothing built, 12 when its top row is touched."""
    return (built.bit_length() + OBELISK_COLUMNS - 1) // OBELISK_COLUMNS


def level_of(built: int) -> int:
    """The highest level reached (0 to 3): the top of a built cell touches or passes its line."""
    return height_of(built) // ROWS_A_LEVEL


def shadow_of(level: int) -> int:
    """The wall cells in shadow once a level is reached."""
    return (1 << (WALL_COLUMNS * ROWS_A_LEVEL * level)) - 1


def is_supported(mask: int, built: int) -> bool:
    """Whether a cell of the mask rests on the base or on a built cell directly below it."""
    return bool(mask & ((built << OBELISK_COLUMNS) | OBELISK_BASE))


def neighbours(mask: int) -> int:
    """The cells beside, above and below the obelisk cells of a mask; some of them may be in the mask too."""
    spread = (mask << OBELISK_COLUMNS) | (mask >> OBELISK_COLUMNS) | ((mask & _NOT_RIGHT) << 1) | ((mask & _NOT_LEFT) >> 1)
    return spread & OBELISK_FULL


def closed_area(built: int) -> int:
    """The unbuilt cells with no four-neighbour path through unbuilt cells to the open top above the highest row."""
    unbuilt = OBELISK_FULL & ~built
    if not unbuilt & (built >> OBELISK_COLUMNS):
        # Without an overhang every unbuilt cell sees the sky.
        return 0
    reached = unbuilt & (OBELISK_TOP | (OBELISK_FULL >> built.bit_length() << built.bit_length()))
    while True:
        spread = (neighbours(reached) | reached) & unbuilt
        if spread == reached:
            return unbuilt & ~reached
        reached = spread


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
        anchors = sum(1 << (up * columns + right) for up in range(rows - height + 1) for right in range(columns - width + 1))
        return shifts, anchors, sum(1 << shift for shift in shifts)

    return Form(number, shape, cells, *on(OBELISK_ROWS, OBELISK_COLUMNS), *on(WALL_ROWS, WALL_COLUMNS))


FORMS: tuple[Form, ...] = tuple(
    _form(number, shape, cells)
    for number, (shape, cells) in enumerate((shape, cells) for shape in SHAPES for cells in orientations(shape))
)
"""All orientations of all shapes, shape by shape."""

FORMS_OF: dict[str, tuple[Form, ...]] = {shape: tuple(form for form in FORMS if form.shape == shape) for shape in SHAPES}

OBELISK_FORM: dict[int, Form] = {form.obelisk_cells << anchor: form for form in FORMS for anchor in bits(form.obelisk_anchors)}
"""The form of every placement on the obelisk, by its mask."""

WALL_FORM: dict[int, Form] = {form.wall_cells << anchor: form for form in FORMS for anchor in bits(form.wall_anchors)}
"""The form of every placement on the wall, by its mask."""

WALL_SYMBOLS: dict[int, tuple[int, ...]] = {
    mask: tuple(SYMBOLS.index(PRINTED_WALL[WALL_ROWS - 1 - bit // WALL_COLUMNS][bit % WALL_COLUMNS]) for bit in bits(mask))
    for mask in WALL_FORM
}
"""The printed symbols (indices in SYMBOLS) under every placement on the wall, in the order of its bits: base first, left to
right. A translation keeps that order."""


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
