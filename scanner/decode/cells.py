"""One cell of the obelisk: what stands there, by the rules and by its ink, and what a person is to be asked about it."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from scanner.decode.assembly import listed
from scanner.decode.decoded import CONFIDENT_INK, DOUBT_BOUND
from scanner.engine.obelisk.sheet import BLANK, CROSSED, SYMBOLS, UNBUILT, UNREADABLE

SETTLED_INK: Final = 0.999
"""Ink that looks so certain for itself settles its cell where the rules agree or cannot explain it: a breach is the paper's own
and stands in the audit. Where a carved group has something else, one of the two may still have been misread."""

ORPHAN_SETTLED: Final = 0.95
"""But a lone symbol that nothing explains only if the rules, too, leave it so probable: it is a misreading about as often as a
player's own invention."""

OWN_WORD: Final = 0.999
"""A symbol or a crossing-out that looks so certain for itself stands as it was drawn, whatever a carved group has there: people
do miscopy. The breach is for the audit to name, and the cell is asked about. (At 0.99, misread cells would win too often: of
sheets with 10 % of their cells misread 93 % would come out exact, not 98.)"""

UNLIKE_INK: Final = 0.15
"""What the rules make of a cell is asked about when the cell, looked at alone, is less likely than this to hold it."""

LONE_SYMBOL: Final = 0.999
"""A symbol that no carved group explains breaks the rules: unless it is as likely as this, it is asked about. So is one whose
group looks otherwise in another cell: that group may not have been carved there at all."""

SPOILED_INK: Final = 0.15
"""A symbol that looks crossed out or like none with this probability is asked about, even where a carved group vouches for what
stood there: players cross out what they have written."""

NAMELESS_INK: Final = 0.2
"""Ink that looks like nothing known with this probability may be any symbol, drawn as nobody else draws it; so may ink that is
taken for none although the rules want one."""

FOREIGN_SHARE: Final = 0.1
"""How much rarer letters and doodles are on played sheets than the networks' calibration has it. Where nothing was carved, a
cell that still shows one more likely than anything else cannot be read."""


class Sight(NamedTuple):
    """What is known of a cell. Keys are the state's characters, with the one of '_' and '.' that fits the tower.

    chances: posterior probabilities by the rules, of all but '?'; alone: the network's, of all; vouched: that a group with the
    symbol was carved here, or none ('_' or '.'). carved: whether one was in the best solution; whole: and all its cells look as
    they should. covered: whether something lies on the cell. complete: whether the search for solutions ended by itself.
    """

    chances: Mapping[str, float]
    alone: Mapping[str, float]
    vouched: Mapping[str, float]
    carved: bool
    whole: bool
    covered: bool
    complete: bool


class Judged(NamedTuple):
    """The cell's reading with its posterior probability, and the alternatives to ask about, or none."""

    reading: str
    probability: float
    alternatives: Mapping[str, float]


def judge(sight: Sight) -> Judged:
    """The most probable reading, and the question that it leaves."""
    alone = sight.alone
    ink = max(alone, key=alone.__getitem__)
    sure = alone[ink] >= CONFIDENT_INK
    chances = sight.chances
    # A group that was carved here vouches for a symbol; what is certainly none is still asked about.
    if not sight.carved or (sure and ink == UNREADABLE):
        other = alone[UNREADABLE]
        foreign = FOREIGN_SHARE * other / (1.0 if sight.carved else FOREIGN_SHARE * other + 1 - other)
        chances = {key: value * (1 - foreign) for key, value in chances.items()} | {UNREADABLE: foreign}
    reading = max(chances, key=chances.__getitem__)
    if alone[ink] >= OWN_WORD and ink in SYMBOLS + CROSSED:
        reading = ink
    if ink == reading != UNREADABLE and alone[ink] >= SETTLED_INK:
        others = sum([value for symbol, value in sight.vouched.items() if symbol in SYMBOLS and symbol != ink])
        explained = sight.whole or ink not in SYMBOLS or chances[ink] >= ORPHAN_SETTLED
        if others < DOUBT_BOUND and explained:
            return Judged(reading, chances[reading], {})

    unlike = alone[reading] < UNLIKE_INK
    disputed = unlike or (ink != reading and (sure or not sight.complete))
    taken_back = alone[CROSSED] + alone[UNREADABLE]
    spoiled = reading in SYMBOLS and taken_back >= SPOILED_INK
    orphan = reading in SYMBOLS and not sight.whole and chances[reading] < LONE_SYMBOL
    # To the score, a doodle in a closed cell is as good as a crossing-out.
    alike = chances[reading] + (chances.get(UNREADABLE, 0.0) if reading == CROSSED else 0.0)
    unsure = reading == UNREADABLE or alike < 1 - DOUBT_BOUND
    if not (sight.covered or disputed or spoiled or orphan or unsure):
        return Judged(reading, chances[reading], {})

    alternatives = listed(chances, reading)
    if spoiled:
        # The rules know of the symbol, not of what was done to it later: that only the ink can tell.
        shown = min(taken_back, 0.5)
        alternatives[CROSSED] = max(chances[CROSSED], shown)
        alternatives[reading] = min(chances[reading], 1 - shown)
    if sight.covered or orphan:
        # Whatever the rules make of it, a person must lift what lies there and look; and a symbol that nothing explains may be
        # none.
        alternatives = dict(chances) | alternatives
    if disputed:
        seen = [ink, *(key for key in alone if unlike and alone[key] >= UNLIKE_INK)]
        alternatives.update({key: alternatives.get(key, chances[key]) for key in seen if key in chances})
    nameless = alone[UNREADABLE] >= NAMELESS_INK and alone[BLANK if BLANK in alone else UNBUILT] < 1 - SPOILED_INK
    if nameless or (unlike and ink not in SYMBOLS):
        alternatives = {symbol: chances[symbol] for symbol in SYMBOLS} | alternatives
    return Judged(reading, chances[reading], _shown(reading, alternatives))


def _shown(reading: str, alternatives: Mapping[str, float]) -> dict[str, float]:
    """What a person is shown: the reading first, nothing likelier than it (ink may stand against the rules, and the rules
    against what was done to the ink later), and no more than one in all."""
    likeliest = max(alternatives, key=lambda character: alternatives[character])
    shown = {reading: alternatives[reading]} | dict(alternatives)
    if shown[likeliest] > shown[reading]:
        shown[likeliest] = shown[reading] = (shown[likeliest] + shown[reading]) / 2
    total = sum(shown.values())
    return {character: share / max(total, 1.0) for character, share in shown.items()}
