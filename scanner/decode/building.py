"""What is built on the obelisk: shapes that tile it, stand on something, and close exactly the areas that are crossed out.

References: RULES section 1, "Build" and "Levels".
"""

from collections.abc import Iterable, Sequence
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
from scanner.engine.obelisk.bitboard import closed_area, height_of, obelisk_bit, obelisk_mask
from scanner.engine.obelisk.sheet import OBELISK_COLUMNS, ROWS_A_LEVEL
from scanner.geometry import FloatArray

BoolArray = NDArray[np.bool_]

CROSS_FORGOTTEN: Final = 0.0004
"""A closed cell that was not crossed out."""
STRAY_CROSS: Final = 0.001
"""A cell that is crossed out without being closed."""
OPEN_CELL: Final = np.array([1 - STRAY_CROSS - ORPHAN, *[ORPHAN / 5] * 5, STRAY_CROSS])
CLOSED_CELL: Final = np.array([CROSS_FORGOTTEN, *[ORPHAN / 5] * 5, 1 - CROSS_FORGOTTEN - ORPHAN])
"""float64 (7,): how likely each of `evidence.CHARACTERS` is written in a cell that is built or open to the top, or closed."""

UNSUPPORTED: Final = 6.0
"""Price of a shape that stands on nothing."""
SYMBOL_IN_THE_AIR: Final = 7.0
"""Price of a symbol where nothing is built."""

_CELL_BONUS: Final = 0.2
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
    at_best = np.maximum(if_open, if_closed)
    found = layouts(outlines, if_built - at_best + _CELL_BONUS, keep=_LAYOUTS, slack=_SLACK)
    # Many layouts divide the same cells in different ways.
    from_base = _from_base(grid)
    masks = [sum([from_base[index] for index in layout.placements]) for layout in found]
    towers = {mask: number for number, mask in enumerate(dict.fromkeys(masks))}
    which = [towers[mask] for mask in masks]
    built = _cells(towers)
    closed = _cells(map(closed_area, towers))
    reached = np.array([[height_of(mask) >= ROWS_A_LEVEL * level for level in (1, 2, 3)] for mask in towers])
    # The layout's gain counts every free cell at its best; now it is known which are closed.
    free = np.where(built, 0.0, np.where(closed, if_closed, if_open)).sum(1).tolist()
    counted = (np.where(built, 0.0, at_best).sum(1) + _CELL_BONUS * built.sum(1)).tolist()
    risen = np.where(reached, level_gains, 0.0).sum(1).tolist()
    gains = [
        layout.gain + free[number] - counted[number] - UNSUPPORTED * _hanging(grid, layout.placements) + risen[number]
        for layout, number in zip(found, which, strict=True)
    ]
    best = max(range(len(gains)), key=gains.__getitem__)
    weights = [exp(gain - gains[best]) for gain in gains]
    total, shares = sum(weights), np.array(weights)[:, None]
    p_built, p_closed, p_reached = ((shares * of[which]).sum(0) / total for of in (built, closed, reached))
    first, second, third = p_reached.tolist()
    chosen = which[best]
    return Tower(
        found[best].placements,
        tuple(built[chosen].tolist()),
        tuple(closed[chosen].tolist()),
        p_built,
        p_closed,
        (first, second, third),
    )


_BIT: Final = np.array([obelisk_bit(divmod(cell, OBELISK_COLUMNS)) for cell in range(CELLS)], np.uint64)
"""uint64 (60,): each cell's bit in the engine's masks, which count from the base."""


@cache
def _from_base(grid: Lattice) -> tuple[int, ...]:
    """The cells of every placement as the engine's masks have them."""
    return tuple(obelisk_mask([divmod(cell, OBELISK_COLUMNS) for cell in cells]) for cells in grid.cells)


def _cells(masks: Iterable[int]) -> BoolArray:
    """bool (masks, 60): the cells of the engine's masks."""
    cells: BoolArray = (np.array(list(masks), np.uint64)[:, None] & _BIT) != 0
    return cells


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
