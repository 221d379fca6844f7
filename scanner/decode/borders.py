"""Whether this sheet's player draws outlines along the grids' outer borders, where a printed line is there already.

Most players always do or never do. Who does has left a cell free where no line is seen there; of who does not, a missing line
says nothing.
"""

from collections.abc import Iterable
from typing import Final

import numpy as np

from scanner.decode.lattice import Lattice
from scanner.geometry import FloatArray

HABITS: Final = {0.03: 0.4, 0.5: 0.2, 0.95: 0.4}
"""The share of their outlines' edges on the border that players draw: share -> how many players. (Edges that were drawn but
cannot be seen count as not drawn.)"""


COVERED: Final = np.linspace(0.02, 0.9, 8)
"""How large a share of a grid's cells whose contents say nothing shapes may cover, each as likely as the others."""


def border_drawn(seen: Iterable[tuple[Lattice, FloatArray, FloatArray, FloatArray]], stray: float) -> float:
    """The share of outlines' edges on the border that the player draws, as expected from one sheet.

    seen: grids, each with float64 (edge_count,), the odds that ink is seen on its edges, and two float64 (cells,), how probable
    each cell's contents make it that a shape covers it, and that they say nothing of it. stray: the share of edges without an
    outline that carry a stroke."""
    habits = np.array(list(HABITS))
    fits = np.log(list(HABITS.values()))
    for grid, odds, certain, unknown in seen:
        edges, cells = _border(grid)
        ink = odds[edges][:, None, None]
        # (edges, habits, shares covered)
        outline = certain[cells][:, None, None] + unknown[cells][:, None, None] * COVERED
        drawn = habits[:, None] * ink + 1 - habits[:, None]
        likely = np.log(outline * drawn + (1 - outline) * (stray * ink + 1 - stray)).sum(0)
        fits = fits + np.log(np.exp(likely - likely.max()).sum(1)) + likely.max()
    weights = np.exp(fits - fits.max())
    return float((weights * habits).sum() / weights.sum())


def _border(grid: Lattice) -> tuple[list[int], list[int]]:
    """The edges on the border, and the cell at each."""
    pairs = [(edge, cell) for cell, near in enumerate(grid.neighbours) for edge, beyond in near if beyond < 0]
    return [edge for edge, _ in pairs], [cell for _, cell in pairs]
