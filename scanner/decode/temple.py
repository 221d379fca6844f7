"""The temple's rounds together: stones laid from left to right, level on level, and never taken away.

A stone is seen at the end of every round until another one covers it, so each round's reading speaks for the others'. A beam
search goes through the rounds; a hypothesis is how many stones lay there after each of them.

References: RULES section 2, "Temple".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, inf, log
from operator import add
from typing import Final

import numpy as np

from scanner.decode.chains import BLANK, GAP, STRANGE, SYMBOLS, UNREADABLE, Cell, likelihoods
from scanner.decode.decoded import CONFIDENT_INK
from scanner.geometry import FloatArray
from scanner.reading.readings import CONTENT_CHARACTERS, LogArray

_LAID: Final = (0.25, 0.15, 0.17, 0.17, 0.15, 0.05, 0.03, 0.02, 0.01)
"""How often so many stones reach the temple in a round: one ship's, and some by cards."""
_NOT_PLAYED: Final = 0.05
"""How often a sheet ends with a round."""
_BEAM: Final = 32
_SLACK: Final = 14.0
"""Hypotheses that are less likely than the best by more than this are dropped."""
_AGAINST: Final = 9.0
"""If the rounds are so much likelier each for itself than together, they were not noted by the rules."""


@dataclass(frozen=True, slots=True)
class _Stone:
    """A visible stone: its space, the rounds in which it was seen, and its colour's log-likelihood, by colour."""

    space: int
    rounds: tuple[int, ...]
    colour: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Hypothesis:
    """weight: natural log. tops: the visible stone of each covered space; covered: stones that are no longer seen."""

    weight: float
    stones: int
    tops: tuple[_Stone, ...] = ()
    covered: tuple[_Stone, ...] = ()

    @property
    def full_weight(self) -> float:
        """With what the stones still to be seen say."""
        return self.weight + sum(_evidence(stone) for stone in self.tops)


def _evidence(stone: _Stone) -> float:
    top = max(stone.colour)
    return top + log(sum(exp(value - top) for value in stone.colour) / len(stone.colour))


@dataclass(frozen=True, slots=True)
class Temple:
    """cells: by round and space. counts: posterior probability of the number of stones in the end. agreement: how likely what
    is noted of that number is by the rounds alone."""

    cells: tuple[tuple[Cell, ...], ...]
    counts: Mapping[int, float]
    agreement: float


def read_temple(rounds: Sequence[Sequence[LogArray]], symbols: str, counted: Mapping[int, float]) -> Temple | None:
    """The rounds' cells, each log-probabilities (8,), by round and space. `counted`: how likely each number of stones in the
    end is by what is noted of it. None if the rounds do not follow from each other: then each is to be read for itself."""
    likely = likelihoods(np.array(rounds))
    index = {character: CONTENT_CHARACTERS.index(character) for character in CONTENT_CHARACTERS}
    own = likely[..., [index[symbol] for symbol in symbols]]
    strange = STRANGE * (likely[..., index[UNREADABLE]] + likely[..., index["x"]]) + GAP * likely[..., index[BLANK]]
    # A symbol may be another player's by a slip of the pen.
    slip = STRANGE * likely[..., [index[symbol] for symbol in SYMBOLS]].sum(-1)
    seen = np.log((1 - GAP - 2 * STRANGE) * own + (strange + slip)[..., None])
    blank = np.log(likely[..., index[BLANK]])
    most = max(counted)
    found = _search(seen, blank, most)
    top = max(h.weight for h in found)
    shares = [exp(h.weight - top) for h in found]
    agreement = sum(share * counted.get(h.stones, 0.0) for share, h in zip(shares, found, strict=True)) / sum(shares)
    best = _knowing(found, counted)
    alone = np.maximum(blank, np.log(np.maximum(own.max(-1), 1e-300)))
    if float(alone.sum()) - max(h.weight - _colour_prior(h, len(symbols)) for h in best) > _AGAINST + 2.0 * len(rounds):
        return None
    return _posterior(best, likely, symbols, agreement)


def _colour_prior(hypothesis: _Hypothesis, colours: int) -> float:
    """What drawing every stone's colour at random costs, which rounds read for themselves do not pay."""
    return -log(colours) * len(hypothesis.covered)


def _search(seen: FloatArray, blank: FloatArray, most: int) -> list[_Hypothesis]:
    """The best hypotheses at the end, all stones covered and their evidence weighed in; at least that nothing was laid."""
    beam = [_Hypothesis(0.0, 0)]
    finished: list[_Hypothesis] = []
    by_space = [[tuple(colours) for colours in row] for row in seen.tolist()]
    for number in range(len(seen)):
        rest = float(blank[number:].sum()) + log(_NOT_PLAYED)
        finished += [_closed(replace(h, weight=h.weight + rest)) for h in beam]
        grown: list[tuple[float, int, _Hypothesis]] = []
        for hypothesis in beam:
            for laid, share in enumerate(_LAID):
                if hypothesis.stones + laid <= most:
                    after = _laid(hypothesis, laid, log(share), number, by_space[number], blank[number])
                    grown.append((after.full_weight, -len(grown), after))
        grown.sort(reverse=True)
        limit = grown[0][0] - _SLACK if grown else inf
        beam = [h for weight, _, h in grown[:_BEAM] if weight >= limit]
    return finished + [_closed(h) for h in beam]


def _knowing(finished: Sequence[_Hypothesis], counted: Mapping[int, float]) -> list[_Hypothesis]:
    """The best hypotheses once the number of stones that is noted is weighed in."""
    weighed = [replace(h, weight=h.weight + log(max(counted.get(h.stones, 0.0), 1e-12))) for h in finished]
    top = max(h.weight for h in weighed)
    return [h for h in weighed if h.weight >= top - _SLACK]


def _laid(
    hypothesis: _Hypothesis, laid: int, price: float, number: int, seen: Sequence[tuple[float, ...]], blank: FloatArray
) -> _Hypothesis:
    """After a round in which so many stones were laid, at that log-price."""
    spaces = len(seen)
    new = {stone % spaces for stone in range(hypothesis.stones, hypothesis.stones + laid)}
    stones = hypothesis.stones + laid
    tops, covered, weight = [], list(hypothesis.covered), hypothesis.weight + price
    for space in range(min(spaces, stones)):
        if space in new:
            if space < len(hypothesis.tops):
                gone = hypothesis.tops[space]
                covered.append(gone)
                weight += _evidence(gone)
            tops.append(_Stone(space, (number,), seen[space]))
        else:
            stone = hypothesis.tops[space]
            colour = tuple(map(add, stone.colour, seen[space]))
            tops.append(_Stone(space, (*stone.rounds, number), colour))
    weight += float(blank[len(tops) :].sum())
    return _Hypothesis(weight, stones, tuple(tops), tuple(covered))


def _closed(hypothesis: _Hypothesis) -> _Hypothesis:
    return _Hypothesis(hypothesis.full_weight, hypothesis.stones, (), hypothesis.covered + hypothesis.tops)


def _posterior(hypotheses: Sequence[_Hypothesis], likely: FloatArray, symbols: str, agreement: float) -> Temple:
    top = max(h.weight for h in hypotheses)
    shares = [exp(h.weight - top) for h in hypotheses]
    total = sum(shares)
    counts: dict[int, float] = {}
    filled = np.zeros((*likely.shape[:2], len(symbols)))
    for hypothesis, share in zip(hypotheses, shares, strict=True):
        counts[hypothesis.stones] = counts.get(hypothesis.stones, 0.0) + share / total
        for stone in hypothesis.covered:
            colours = np.exp(np.array(stone.colour) - max(stone.colour))
            filled[list(stone.rounds), stone.space] += share / total * colours / colours.sum()
    cells = tuple(
        tuple(_cell(filled[number, space], likely[number, space], symbols) for space in range(likely.shape[1]))
        for number in range(len(likely))
    )
    return Temple(cells, counts, agreement)


def _cell(filled: FloatArray, likely: FloatArray, symbols: str) -> Cell:
    odds = {symbol: float(share) for symbol, share in zip(symbols, filled, strict=True)}
    odds[BLANK] = max(0.0, 1.0 - sum(odds.values()))
    odds[UNREADABLE] = 0.0
    read = max(odds, key=lambda reading: odds[reading])
    ink = CONTENT_CHARACTERS[int(likely.argmax())]
    disputed = ink != read and ink in odds and ink != UNREADABLE and bool(likely.max() >= CONFIDENT_INK)
    return Cell(odds, ink if disputed else read, disputed)
