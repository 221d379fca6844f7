"""What is built on the obelisk: shapes that tile it, stand on something, and close exactly the areas that are crossed out.

References: RULES section 1, "Build" and "Levels".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import exp
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scanner.decode.carving import ORPHAN
from scanner.decode.evidence import Evidence
from scanner.decode.lattice import Lattice
from scanner.decode.outlines import Outlines, layouts
from scanner.decode.targets import CELLS
from scanner.engine.obelisk.bitboard import closed_area, obelisk_bit
from scanner.engine.obelisk.sheet import OBELISK_COLUMNS, OBELISK_ROWS, ROWS_A_LEVEL
from scanner.geometry import FloatArray

BoolArray = NDArray[np.bool_]

CROSS_FORGOTTEN: Final = 0.002
"""A closed cell that was not crossed out."""
STRAY_CROSS: Final = 0.0004
"""A cell that is crossed out without being closed."""
OPEN_CELL: Final = np.array([1 - STRAY_CROSS - ORPHAN, *[ORPHAN / 5] * 5, STRAY_CROSS])
CLOSED_CELL: Final = np.array([CROSS_FORGOTTEN, *[ORPHAN / 5] * 5, 1 - CROSS_FORGOTTEN - ORPHAN])
"""float64 (7,): how likely each of `evidence.CHARACTERS` is written in a cell that is built or open to the top, or closed."""

UNSUPPORTED: Final = 6.0
"""Price of a shape that stands on nothing."""
SYMBOL_IN_THE_AIR: Final = 7.0
"""Price of a symbol where nothing is built."""

_CELL_BONUS: Final = 0.5
"""Prefers layouts that cover more cells, because space left between shapes is found out when nobody crossed it out."""
_LAYOUTS: Final = 32
_SLACK: Final = 8.0


@dataclass(frozen=True, slots=True)
class Tower:
    """built, closed: float64 (60,), posterior probabilities that a cell is built, or unbuilt and closed. reached: of the three
    levels. layout: the best layout's placements in the obelisk's lattice; is_built, is_closed: its cells, bool (60,)."""

    layout: tuple[int, ...]
    is_built: tuple[bool, ...]
    is_closed: tuple[bool, ...]
    built: FloatArray
    closed: FloatArray
    reached: tuple[float, float, float]


def outlined(outlines: Outlines) -> Tower:
    """The tower that the outlines alone show, whatever stands in the cells."""
    anything = np.zeros(CELLS)
    return _tower(outlines, anything, anything, anything, (0.0, 0.0, 0.0))


def build(evidence: Evidence, outlines: Outlines, carved: Sequence[int], level_gains: Sequence[float]) -> Tower:
    """The most probable tower under the symbols.

    carved: for each of the 60 cells the symbol carved there, 1 to 5, or 0. level_gains: log-likelihood ratio of each level's
    circles if it was reached against if it was not.
    """
    has_symbol = np.array(carved, bool)
    if_built = np.log(evidence.obelisk @ OPEN_CELL)
    if_open = if_built.copy()
    if_closed = np.log(evidence.obelisk @ CLOSED_CELL)
    if_built[has_symbol] = 0.0
    if_open[has_symbol] = if_closed[has_symbol] = -SYMBOL_IN_THE_AIR
    return _tower(outlines, if_built, if_open, if_closed, level_gains)


def _tower(
    outlines: Outlines,
    if_built: FloatArray,
    if_open: FloatArray,
    if_closed: FloatArray,
    level_gains: Sequence[float],
) -> Tower:
    """The most probable tower, given the log-likelihood of each cell's contents, float64 (60,), for what the cell may be."""
    grid = outlines.lattice
    covered = if_built - np.maximum(if_open, if_closed)
    at_best = np.maximum(if_open, if_closed)
    weighed = []
    # Many layouts divide the same cells in different ways.
    towers: dict[int, tuple[BoolArray, BoolArray, list[bool], float, float, float]] = {}
    for layout in layouts(outlines, covered + _CELL_BONUS, keep=_LAYOUTS, slack=_SLACK):
        mask = sum(grid.masks[index] for index in layout.placements)
        if mask not in towers:
            built = np.any(grid.covers[list(layout.placements)], axis=0)
            closed = _closed(built)
            height = OBELISK_ROWS - int(built.argmax()) // OBELISK_COLUMNS if built.any() else 0
            reached = [height >= ROWS_A_LEVEL * level for level in (1, 2, 3)]
            free = float(np.where(closed, if_closed, if_open)[~built].sum())
            counted = float(at_best[~built].sum()) + _CELL_BONUS * float(built.sum())
            risen = sum((level_gain for level_gain, on in zip(level_gains, reached, strict=True) if on), 0.0)
            towers[mask] = built, closed, reached, free, counted, risen
        built, closed, reached, free, counted, risen = towers[mask]
        # The layout's gain counts every free cell at its best; now it is known which are closed.
        gain = layout.gain + free - counted - UNSUPPORTED * _hanging(grid, layout.placements) + risen
        weighed.append((gain, layout.placements, built, closed, reached))
    best = max(weighed, key=lambda entry: entry[0])
    weights = [exp(entry[0] - best[0]) for entry in weighed]
    total, shares = sum(weights), np.array(weights)[:, None]
    p_built, p_closed, p_reached = (
        (shares * np.array(which)).sum(0) for which in zip(*(entry[2:] for entry in weighed), strict=True)
    )
    first, second, third = (p_reached / total).tolist()
    return Tower(
        best[1], tuple(best[2].tolist()), tuple(best[3].tolist()), p_built / total, p_closed / total, (first, second, third)
    )


@cache
def _engine_bits() -> tuple[int, ...]:
    return tuple(obelisk_bit(divmod(cell, OBELISK_COLUMNS)) for cell in range(CELLS))


def _closed(built: BoolArray) -> BoolArray:
    """bool (60,): the unbuilt cells without a way to the open top."""
    bits = _engine_bits()
    closed = closed_area(sum(bits[cell] for cell in np.flatnonzero(built).tolist()))
    if not closed:
        return np.zeros(CELLS, bool)
    return np.array([bool(closed & bit) for bit in bits])


def _hanging(grid: Lattice, placements: Sequence[int]) -> int:
    """How many shapes cannot have been built in any order, because nothing that was built bears them."""
    # Moved down by one row, a shape lies on what bears it; the ground is the row below the last.
    standing, waiting = (1 << CELLS + OBELISK_COLUMNS) - (1 << CELLS), [grid.masks[index] for index in reversed(placements)]
    while True:
        left = []
        for mask in waiting:
            if mask << OBELISK_COLUMNS & standing:
                standing |= mask
            else:
                left.append(mask)
        if not left or len(left) == len(waiting):
            return len(left)
        waiting = left
