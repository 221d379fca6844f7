"""Patches of colour: a block of a tower belongs to a polyomino of one colour, so that it seldom stands alone among others.

What the neighbours show weighs in on a block whose symbol is open; ink that is clear by itself stands.

References: RULES section 3, "Placing": pieces of several blocks, each of one colour.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from scanner.decode.chains import SYMBOLS, Cell
from scanner.decode.decoded import CONFIDENT_INK
from scanner.geometry import FloatArray

Place = tuple[int, int, int]
"""Level, row and column, from 0."""

_BY_NEIGHBOURS: Final = (0.1, 0.5, 1.0, 1.9, 4.0, 5.7, 5.7)
"""The odds that a block has a colour when so many of its six neighbours have it: the square root of what games between the
engine's own players give, because people may build otherwise."""
_ROUNDS: Final = 2
"""How often the neighbours are asked: open blocks beside each other must not talk each other into certainty."""
_STEPS: Final = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))


def beside_neighbours(cells: Mapping[Place, Cell], inks: Mapping[Place, tuple[str, float]]) -> dict[Place, Cell]:
    """The cells with their colours' probabilities weighed by their neighbours'; whether a space is filled stays as it is.

    inks: what each cell looks like for itself, and how surely. A reading that the neighbours would turn although its ink is
    clear is kept and disputed."""
    alone = {place: np.array([cell.odds.get(symbol, 0.0) for symbol in SYMBOLS]) for place, cell in cells.items()}
    beliefs = dict(alone)
    for _ in range(_ROUNDS):
        beliefs = {place: _weighed(alone[place], _expected(place, beliefs)) for place in cells}
    found = {}
    for place, cell in cells.items():
        odds = dict(cell.odds) | {symbol: float(p) for symbol, p in zip(SYMBOLS, beliefs[place], strict=True)}
        read = max(odds, key=lambda reading: odds[reading]) if cell.read in SYMBOLS and not cell.disputed else cell.read
        ink, certainty = inks[place]
        kept = read != cell.read and cell.read == ink and certainty >= CONFIDENT_INK
        found[place] = Cell(odds, cell.read if kept else read, cell.disputed or kept)
    return found


def _weighed(alone: FloatArray, expected: FloatArray) -> FloatArray:
    """Colours' probabilities, float64 (5,), times what the neighbours make of each; their sum, of being filled, is kept."""
    weighed: FloatArray = alone * expected
    total = weighed.sum()
    return weighed * (alone.sum() / total) if total > 0 else alone


def _expected(place: Place, beliefs: Mapping[Place, FloatArray]) -> FloatArray:
    """The mean of _BY_NEIGHBOURS over how many neighbours may have each colour, float64 (5,)."""
    counts = np.zeros((len(_BY_NEIGHBOURS), len(SYMBOLS)))
    counts[0] = 1.0
    for step in _STEPS:
        near = beliefs.get((place[0] + step[0], place[1] + step[1], place[2] + step[2]))
        if near is not None:
            counts[1:] = counts[1:] * (1 - near) + counts[:-1] * near
            counts[0] *= 1 - near
    expected: FloatArray = np.array(_BY_NEIGHBOURS) @ counts
    return expected
