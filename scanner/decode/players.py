"""Who plays, as an Imhotep sheet shows it: by the circles of those who play, and by whose stones and cards are noted.

Every set of colours that may play is weighed. A circle may have been forgotten; a stone may have been misread, or be a stray
drawing. The stones of those who play are shared out as by Polya's urn: whoever laid none among many hardly plays.

References: RULES section 2.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from math import exp, inf, lgamma, log
from typing import Final

import numpy as np

from scanner.decode.chains import BLANK, STRANGE, SYMBOLS, likelihoods
from scanner.engine.imhotep.sites import MIN_PLAYERS
from scanner.reading.readings import CONTENT_CHARACTERS, Readings
from scanner.sheet.imhotep_places import GRIDS, SYMBOL_OF

PLAYS: Final = 0.75
"""How often a colour takes part ..."""
FORGOTTEN: Final = 0.03
"""... and how often its circle is not marked then."""
STRAY_MARK: Final = 0.0001
"""A circle that is marked although its colour does not play."""
NOTHING_YET: Final = 0.15
"""How often a player has neither a card nor a stone in an obelisk."""
CARD_HELD: Final = 0.1
"""How often a circle for a card is marked."""
_CLEAR: Final = 12.0
"""Log-odds of circles beyond this add nothing."""
_LEAST: Final = 1e-5
_TEMPLE: Final = 0.5
"""A stone of the temple is noted in several rounds, and each time says nothing new."""


@dataclass(frozen=True, slots=True)
class Players:
    """plays: the likeliest set of players. odds: colour -> the probability that it plays. bare: whether it is
    likelier that fewer play than a game needs, as on a sheet that nobody has used."""

    plays: Mapping[str, bool]
    odds: Mapping[str, float]
    bare: bool


def who_plays(readings: Readings, heights: Mapping[str, Mapping[int, float]]) -> Players:
    """heights: colour -> the posterior probability of every height of its obelisk. What people answered, about a circle or
    about a cell in which a colour's symbol stands, is certain."""
    answers = readings.answers
    drawn = {colour for colour, symbol in SYMBOL_OF.items() if symbol in answers.values()}
    balance = {colour: _balance(readings, colour, heights[colour]) for colour in SYMBOL_OF}
    for colour in SYMBOL_OF:
        answer = answers.get(f"plays {colour}", True if colour in drawn else None)
        if answer is not None:
            balance[colour] = (0.0, -inf) if answer else (-inf, 0.0)
    logs = {}
    for choice in product((False, True), repeat=len(SYMBOL_OF)):
        players = [colour for colour, on in zip(SYMBOL_OF, choice, strict=True) if on]
        if players:
            sides = sum(balance[colour][0 if on else 1] for colour, on in zip(SYMBOL_OF, choice, strict=True))
            logs[choice] = sides + _stones(readings, "".join(SYMBOL_OF[colour] for colour in players))
    none = sum(off for _, off in balance.values()) + _stones(readings, "")
    enough = {choice: weight for choice, weight in logs.items() if sum(choice) >= MIN_PLAYERS}
    top = max(*logs.values(), none)
    total = sum(exp(weight - top) for weight in logs.values()) + exp(none - top)
    shares = {choice: exp(weight - top) for choice, weight in enough.items()}
    likely = sum(shares.values())
    best = max(enough, key=lambda choice: enough[choice])
    odds = {
        colour: sum(share for choice, share in shares.items() if choice[index]) / max(likely, 1e-300)
        for index, colour in enumerate(SYMBOL_OF)
    }
    return Players(dict(zip(SYMBOL_OF, best, strict=True)), odds, bare=likely < 0.5 * total)


def _balance(readings: Readings, colour: str, heights: Mapping[int, float]) -> tuple[float, float]:
    """Log-likelihoods of the colour's circles and obelisk if it plays, and if it does not."""
    gain = _gain(readings.marks[f"plays.{colour}"])
    on = log(PLAYS) + log((1 - FORGOTTEN) * gain + FORGOTTEN)
    off = log(1 - PLAYS) + log(STRAY_MARK * gain + 1 - STRAY_MARK)
    nothing = max(heights.get(0, 0.0), _LEAST)
    off += log(nothing)
    for mark, log_odds in readings.marks.items():
        what, *names = mark.split(".")
        # That most of a colour's circles are bare says nothing of whether it plays.
        if what != "plays" and names[0] == colour and log_odds > 0:
            gain = _gain(log_odds)
            held, stray = CARD_HELD * gain + 1 - CARD_HELD, STRAY_MARK * gain + 1 - STRAY_MARK
            nothing *= (1 - CARD_HELD) / held
            on += log(held)
            off += log(stray)
    return on + log(nothing * NOTHING_YET + 1 - nothing), off


def _gain(log_odds: float) -> float:
    return exp(max(-_CLEAR, min(_CLEAR, log_odds)))


def _stones(readings: Readings, symbols: str) -> float:
    """Log-likelihood of what stands in the sites' cells if only these symbols may."""
    blank = CONTENT_CHARACTERS.index(BLANK)
    own = [CONTENT_CHARACTERS.index(symbol) for symbol in symbols]
    foreign = [CONTENT_CHARACTERS.index(symbol) for symbol in SYMBOLS if symbol not in symbols]
    counts, total = np.zeros(len(symbols)), 0.0
    for grid in GRIDS:
        if grid == "obelisks":
            continue
        likely = likelihoods(readings.content[grid]).reshape(-1, len(CONTENT_CHARACTERS))
        every = likely[:, blank] + likely[:, own].sum(1) + STRANGE * likely[:, foreign].sum(1)
        weight = _TEMPLE if grid == "temple" else 1.0
        total += weight * float(np.log(every).sum())
        counts += weight * (likely[:, own] / every[:, None]).sum(0)
    if not own:
        return total
    urn = lgamma(len(own)) + sum(lgamma(count + 1) for count in counts) - lgamma(counts.sum() + len(own))
    return total + urn
