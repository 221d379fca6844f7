"""Obelisk and wall as bits of an int, so that a rule is a few shifts.

Obelisk: bit 5 * height + column, heights from the base (0) up, so that the number's size is the tower's height. Wall: bit
8 * height + column likewise, so that a shadow is the lowest 32 * level bits. Text lists rows from the top; only the
functions here turn one into the other.
"""

from collections.abc import Iterable, Iterator

from scanner.engine.obelisk.polyomino import Cell, Cells
from scanner.engine.obelisk.sheet import (
    OBELISK_COLUMNS,
    OBELISK_ROWS,
    ROWS_A_LEVEL,
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


def hanging(built: int) -> int:
    """The cells of the mask whose four-connected parts do not touch the base."""
    left, right = built & _NOT_LEFT, built & _NOT_RIGHT
    found, grown = 0, built & OBELISK_BASE
    # The neighbours are spelt out: the search for an order of building asks this a hundred thousand times.
    while grown != found:
        found = grown
        spread = found << OBELISK_COLUMNS | found >> OBELISK_COLUMNS
        grown |= spread & built | found << 1 & left | found >> 1 & right
    return built ^ found


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
