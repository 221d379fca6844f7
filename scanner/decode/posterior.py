"""Posterior probabilities of what stands in the obelisk's cells, over all solutions that were found."""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from scanner.decode.building import CLOSED_CELL, OPEN_CELL, Tower
from scanner.decode.carving import ORPHAN, WRITTEN
from scanner.decode.evidence import CHARACTERS, Evidence, shares
from scanner.decode.joint import Carved
from scanner.engine.obelisk.sheet import OBELISK_COLUMNS, OBELISK_ROWS, SYMBOLS
from scanner.geometry import FloatArray, read_only

ORPHAN_RATES: Final = {ORPHAN: 0.985, 0.05: 0.01, 0.3: 0.005}
"""How often a symbol stands where no group was carved, as far as the outlines show: rate -> share of the sheets. Usually it is
a slip of the pen; on few sheets the outlines were not drawn, or cannot be seen."""

BESIDE_ORPHAN: Final = 0.5
"""The same rate beside such a symbol: shapes have two cells and more, so that it hardly stands alone."""

_IS_SYMBOL: Final = np.isin(list(CHARACTERS), list(SYMBOLS))


@dataclass(frozen=True, slots=True)
class Posterior:
    """odds: float64 (60, 7), of `evidence.CHARACTERS` in every cell. unlined: that symbols stand on this sheet without the
    outlines that would explain them, more than by a slip of the pen; orphans: how many do."""

    odds: FloatArray
    unlined: float
    orphans: int


def posterior(evidence: Evidence, carved: Carved, tower: Tower) -> Posterior:
    """What each cell holds, carved or not, and whether the outlines can be relied on.

    How often symbols stand where nothing was carved is the sheet's own: where several clearly do, the others may as well.
    """
    bare, unlined, orphans = _bare(evidence, carved, tower)
    mixed: FloatArray = carved.owners[:, [0]] * bare
    for symbol in range(1, len(SYMBOLS) + 1):
        mixed += carved.owners[:, [symbol]] * shares(evidence.obelisk * WRITTEN[symbol])
    return Posterior(mixed, unlined, orphans)


def _bare(evidence: Evidence, carved: Carved, tower: Tower) -> tuple[FloatArray, float, int]:
    """float64 (60, 7): the odds in cells where nothing was carved; and `Posterior.unlined` and `orphans`."""
    alone = carved.owners[:, 0] > 0.5
    fits, odds = [], []
    for rate, share in ORPHAN_RATES.items():
        likely, shared = _at_rate(evidence, tower, rate)
        fits.append(float(np.log(share) + np.log(likely[alone]).sum()))
        odds.append(shared)
    chances = shares(np.exp(np.array(fits) - max(fits)))
    mixed: FloatArray = np.tensordot(chances, np.array(odds), 1)
    orphan = (alone & (mixed[:, _IS_SYMBOL].sum(1) > 0.5)).reshape(OBELISK_ROWS, OBELISK_COLUMNS)
    near = np.zeros((OBELISK_ROWS + 2, OBELISK_COLUMNS + 2), bool)
    for row, column in ((0, 1), (2, 1), (1, 0), (1, 2)):
        near[row : row + OBELISK_ROWS, column : column + OBELISK_COLUMNS] |= orphan
    beside = near[1:-1, 1:-1].ravel()
    mixed[beside] = _at_rate(evidence, tower, BESIDE_ORPHAN)[1][beside]
    return mixed, float(1 - chances[0]), int(orphan.sum())


def _at_rate(evidence: Evidence, tower: Tower, rate: float) -> tuple[FloatArray, FloatArray]:
    """float64 (60,) and (60, 7): the likelihoods of the cells, and their odds, if symbols stand at this rate in bare ones."""
    closed = tower.closed[:, None]
    when_open, when_closed = _models(rate)
    likely = evidence.obelisk * ((1 - closed) * when_open + closed * when_closed)
    odds = (1 - closed) * shares(evidence.obelisk * when_open) + closed * shares(evidence.obelisk * when_closed)
    return likely.sum(1), odds


@cache
def _models(rate: float) -> tuple[FloatArray, FloatArray]:
    """OPEN_CELL and CLOSED_CELL, with symbols at another rate."""
    symbols, others = rate / len(SYMBOLS), [np.where(_IS_SYMBOL, 0.0, model) for model in (OPEN_CELL, CLOSED_CELL)]
    opened, closed = (read_only(np.where(_IS_SYMBOL, symbols, other * (1 - rate) / other.sum())) for other in others)
    return opened, closed
