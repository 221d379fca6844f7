"""Where on the obelisk the wall's placements can be copied to: the translations of their forms, in one table."""

from functools import cache
from itertools import product
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scanner.decode.lattice import IntArray, Lattice
from scanner.engine.obelisk.sheet import (
    OBELISK_COLUMNS,
    OBELISK_ROWS,
    PRINTED_WALL,
    ROWS_A_LEVEL,
    SYMBOLS,
    level_of_row,
)
from scanner.geometry import read_only

CELLS: Final = OBELISK_ROWS * OBELISK_COLUMNS
_MOST_CELLS: Final = 4


class Targets(NamedTuple):
    """Placements by their index in the wall's lattice, forms and each form's targets by number.

    forms: int64 (placements,); symbols: int64 (placements, 4), indices into SYMBOLS, and as tuples without what fills up.
    lit: int64 (placements,), the topmost row of the obelisk that was there before the placement fell into the shadow.
    array: int64 (forms, targets, 4), the targets' cells, filled up with CELLS; tops: int64 (forms, targets), their highest
    rows; real: bool (forms, targets), false for targets that fill up. sizes: the forms' numbers of cells.
    cells, masks: the targets' cells as tuples and as bits, of target t of form f at f * targets + t.
    """

    forms: IntArray
    symbols: IntArray
    symbols_of: tuple[tuple[int, ...], ...]
    lit: IntArray
    array: IntArray
    tops: IntArray
    real: NDArray[np.bool_]
    sizes: tuple[int, ...]
    cells: tuple[tuple[int, ...], ...]
    masks: tuple[int, ...]


@cache
def targets_of(wall: Lattice) -> Targets:
    """The targets of all the wall's placements."""
    placed = np.array([(*cells, *(-1,) * (_MOST_CELLS - len(cells))) for cells in wall.cells])
    fills = placed < 0
    rows, columns = np.divmod(placed, wall.columns)
    offsets = np.stack([rows - rows[:, :1], columns - np.where(fills, wall.columns, columns).min(1, keepdims=True)], axis=2)
    offsets[fills] = -1
    found, forms = np.unique(offsets.reshape(len(placed), -1), axis=0, return_inverse=True)
    printed = np.array([SYMBOLS.index(symbol) for row in PRINTED_WALL for symbol in row])
    symbols = np.where(fills, 0, printed[placed])
    # When these rows fell into the shadow the tower was as high as their level; the group was carved before.
    lowest_lit = np.array([OBELISK_ROWS + 1 - ROWS_A_LEVEL * level_of_row(row) for row in range(wall.rows)])
    targets = [_translations([(row, column) for row, column in form.reshape(-1, 2).tolist() if row >= 0]) for form in found]
    most = max(map(len, targets))
    array = np.full((len(found), most, _MOST_CELLS), CELLS)
    for form, made in enumerate(targets):
        array[form, : len(made), : len(made[0])] = made
    cells = tuple(cells for made in targets for cells in [*made, *[()] * (most - len(made))])
    return Targets(
        read_only(forms.ravel()),
        read_only(symbols),
        tuple(tuple(row[: len(cells)]) for row, cells in zip(symbols.tolist(), wall.cells, strict=True)),
        read_only(lowest_lit[rows.max(1, where=~fills, initial=0)]),
        read_only(array),
        read_only(array[:, :, 0] // OBELISK_COLUMNS),
        read_only(array[:, :, 0] < CELLS),
        tuple(len(made[0]) for made in targets),
        cells,
        tuple(sum([1 << cell for cell in target]) for target in cells),
    )


def _translations(form: list[tuple[int, int]]) -> list[tuple[int, ...]]:
    """The cells of every translation of a form, given as row and column offsets, on the obelisk."""
    height = 1 + max(row for row, _ in form)
    width = 1 + max(column for _, column in form)
    corners = product(range(OBELISK_ROWS - height + 1), range(OBELISK_COLUMNS - width + 1))
    return [tuple((row + top) * OBELISK_COLUMNS + column + left for row, column in form) for top, left in corners]
