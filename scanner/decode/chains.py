"""Places filled in a fixed order: stones laid one after the other, towers, ticked numbers.

What comes in order leaves no gaps, which is what is known beforehand. A gap that the ink shows clearly stays a gap: it is
given a low prior, not none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp
from typing import Final

import numpy as np

from scanner.decode.circles import bounded
from scanner.decode.decoded import CONFIDENT_INK
from scanner.geometry import FloatArray
from scanner.reading.readings import CONTENT_CHARACTERS, LogArray, unseen

BLANK, UNREADABLE, SYMBOLS = "_", "?", "O*^@Y"

FLOOR: Final = 1e-5
"""The least likelihood of anything: no reading is more certain than this."""
UNRECOGNISED: Final = 0.03
"""How often a drawn symbol, or dirt on a blank cell, is so odd that it reads as something else altogether. Of 0.02 to 0.2, the
smaller the better on symbols of held-out people (log-likelihood, played and random sheets)."""
GAP: Final = 5e-4
"""A place left out although later ones are filled."""
STRANGE: Final = 2e-3
"""A place that holds something that stands for nothing here: a crossing-out, a doodle, another symbol."""
STOPS: Final = 0.12
"""After every filled place, the chance that it was the last."""
_FLATTENED: Final = 25.0
_MOST_FLATTENED: Final = 1.0
"""How much a sheet's readings are flattened: the temperature is 1 and so many times the share that is open, at most doubled."""
EVERY_CIRCLE: Final = 0.1
"""How often a number n is noted by marking all circles from 1 to n rather than the n-th alone."""
TWO_CIRCLES: Final = 2e-3
"""How often two circles are marked where only one number can be meant."""


def likelihoods(log_probabilities: LogArray) -> FloatArray:
    """Likelihoods, float64 (..., 8) over CONTENT_CHARACTERS, hardened against overconfidence."""
    likely = np.exp(np.asarray(log_probabilities, float))
    other = likely[..., [CONTENT_CHARACTERS.index(UNREADABLE)]]
    hardened: FloatArray = likely + UNRECOGNISED * other + FLOOR
    return hardened


def temperature(content: Mapping[str, LogArray]) -> float:
    """How much a sheet's content readings are to be flattened, which is more where many of its filled cells are open: errors
    come in clusters, as one hand and one light make all of a sheet's cells, and a network is too sure of the others then."""
    # What could not be looked at is open, but no hand or light made it so.
    cells = np.concatenate([array[~unseen(array)] for array in content.values()]).astype(float)
    filled = cells[cells[:, CONTENT_CHARACTERS.index(BLANK)] < np.log(0.5)]
    open_share = float((1 - np.exp(filled.max(axis=1))).mean()) if len(filled) else 0.0
    return 1 + min(_MOST_FLATTENED, _FLATTENED * open_share)


def tempered(content: Mapping[str, LogArray]) -> dict[str, LogArray]:
    """A sheet's content readings at its `temperature`."""
    flattened = temperature(content)
    found = {}
    for name, array in content.items():
        flat = array.astype(float) / flattened
        found[name] = (flat - np.log(np.exp(flat).sum(axis=-1, keepdims=True))).astype(np.float32)
    return found


@dataclass(frozen=True, slots=True)
class Cell:
    """A place's posterior probabilities: of each symbol that may stand here, of "_" beyond the last filled place, and of "?"
    for a gap or something strange. disputed: the ink, looked at for itself, clearly says something else than `read`."""

    odds: Mapping[str, float]
    read: str
    disputed: bool


def read_chain(cells: Sequence[LogArray], symbols: str, stops: float = STOPS) -> list[Cell]:
    """The cells of one chain, in its order, each log-probabilities (8,). `symbols`: those that may stand here."""
    if not cells:
        return []
    likely = likelihoods(np.stack(cells))
    column = {character: likely[:, CONTENT_CHARACTERS.index(character)] for character in CONTENT_CHARACTERS}
    foreign = [character for character in SYMBOLS + "x" if character not in symbols]
    usual = (1 - GAP - STRANGE) / len(symbols)
    strange = STRANGE * (column[UNREADABLE] + sum((column[c] for c in foreign), np.zeros(len(cells))))
    parts = {symbol: usual * column[symbol] for symbol in symbols} | {UNREADABLE: strange + GAP * column[BLANK]}
    inside = np.sum(list(parts.values()), axis=0)
    outside = column[BLANK]
    filled = _filled(inside, outside, stops)
    found = []
    for place in range(len(cells)):
        odds = {s: float(filled[place] * part[place] / inside[place]) for s, part in parts.items()}
        odds[BLANK] = float(1 - filled[place])
        found.append(odds)
    reads = [max(odds, key=lambda reading: odds[reading]) for odds in found]
    last = max((place for place, read in enumerate(reads) if read != BLANK), default=-1)
    result = []
    for place, (odds, read) in enumerate(zip(found, reads, strict=True)):
        chosen = UNREADABLE if read == BLANK and place < last else read
        raw = CONTENT_CHARACTERS[int(likely[place].argmax())]
        raw = raw if raw in (*symbols, BLANK) else UNREADABLE
        confident = likely[place].max() >= CONFIDENT_INK
        result.append(Cell(odds, chosen, bool(confident and raw not in (chosen, UNREADABLE)) or chosen == UNREADABLE))
    return result


def _filled(inside: FloatArray, outside: FloatArray, stops: float) -> FloatArray:
    """Posterior probability of each place that the chain has not ended before it (n,); forward and backward sums."""
    ends = np.ones(len(inside) + 1)
    np.cumprod(outside[::-1], out=ends[:-1][::-1])
    weights = np.empty(len(inside) + 1)
    reach = 1.0
    for length in range(len(inside) + 1):
        weights[length] = reach * (stops if length < len(inside) else 1.0) * ends[length]
        if length < len(inside):
            reach *= (1 - stops) * inside[length]
    weights /= weights.sum()
    filled: FloatArray = np.cumsum(weights[::-1])[::-1][1:]
    return np.clip(filled, 1e-12, 1 - 1e-12)


_CLEAR_INK: Final = 3.0
"""Log-odds from which on ink, or its absence, is taken for what it is although a tower has no gaps."""


def read_height(cells: Sequence[LogArray], flattened: float = 1.0) -> tuple[int, dict[int, float], bool]:
    """How many places from the first on carry any ink: the number, its posterior, and whether the ink contradicts it.

    The cells are not tempered; what is `flattened` are the odds of ink: many unlikely kinds of it are not a likely one."""
    likely = likelihoods(np.stack(cells))
    blank = likely[:, CONTENT_CHARACTERS.index(BLANK)]
    ink = np.maximum(1 - np.exp(np.stack(cells)[:, CONTENT_CHARACTERS.index(BLANK)].astype(float)), 0) + FLOOR
    odds = np.where(unseen(np.stack(cells)), 0.0, (np.log(ink) - np.log(blank)) / flattened)
    logs = np.concatenate([[0.0], np.cumsum(odds)])
    weights = np.exp(logs - logs.max())
    posterior = {height: float(weight / weights.sum()) for height, weight in enumerate(weights)}
    read = max(posterior, key=lambda height: posterior[height])
    inked = int((odds > 0).sum())
    last = int(np.flatnonzero(odds > 0).max(initial=-1)) + 1
    if inked == last == read:
        return read, posterior, False
    # A gap in the tower: as many cells as are crossed, or as high as the highest one.
    posterior = {height: share * 0.5 for height, share in posterior.items()}
    for height in (inked, last):
        posterior[height] = posterior.get(height, 0.0) + 0.25
    clear = bool((np.abs(odds) > _CLEAR_INK).all())
    return inked if clear else read, posterior, True


def read_number(
    odds: Mapping[int, float], prior: Mapping[int, float] | None = None, *, in_runs: bool = True
) -> tuple[dict[int, float], bool]:
    """A number noted by marking one of the circles `odds` (number -> log-odds that it is marked), or none for 0: its posterior,
    and whether several circles seem to be marked that are no one number. `prior`: how likely each number is, all alike if
    left out. in_runs: all circles from the lowest to the number's may be marked, too."""
    numbers = sorted(odds)
    gain = {number: exp(bounded(odds[number])) for number in numbers}
    expected = dict.fromkeys([0, *numbers], 1.0) if prior is None else dict(prior)
    weights = {0: expected.get(0, 0.0)}
    habit = EVERY_CIRCLE if in_runs else 0.0
    run = gain[numbers[0]]
    for index, number in enumerate(numbers):
        run = run * gain[number] if index else run
        every = habit * run if index else 0.0
        weights[number] = expected.get(number, 0.0) * ((1 - habit) * gain[number] + every)
    clash = 0.0
    pairs = list(combinations(numbers, 2))
    for a, b in pairs:
        if not in_runs or (a, b) != tuple(numbers[:2]):
            weight = TWO_CIRCLES * gain[a] * gain[b] * max(expected.get(a, 0.0), expected.get(b, 0.0))
            clash += weight
            for number in (a, b):
                weights[number] += weight / 2
    total = sum(weights.values())
    return {number: weight / total for number, weight in weights.items()}, clash > 0.5 * total


def read_circle(log_odds: float, prior: float = 0.5) -> float:
    """The posterior probability that a circle is marked."""
    on = prior * exp(bounded(log_odds))
    return on / (on + 1 - prior)
