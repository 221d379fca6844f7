"""Open readings to doubts, for any game: every alternative is scored by the game's own rules.

A sheet's readings are facts, `key -> value`; the game builds a state from them. A question says what else a fact may be.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, Final

from scanner.decode.decoded import ALTERNATIVE_BOUND, DOUBT_BOUND, Doubt
from scanner.errors import BadState

Facts = Mapping[Hashable, Any]
Totals = tuple[int, ...]
"""The totals that a sheet gives: one, or one a player."""

JOINT_LIMIT: Final = 200
"""Up to so many combinations of alternatives all are scored; beyond, extremes are sought one question after the other."""


@dataclass(frozen=True, slots=True)
class Question:
    """A fact that is not certain. where: as in `Doubt`. alternatives: value -> posterior probability; named: what a value is
    called, `str(value)` if it is not there."""

    key: Hashable
    where: str
    alternatives: Mapping[Any, float]
    named: Callable[[Any], str] = str


def question(
    key: Hashable,
    where: str,
    odds: Mapping[Any, float],
    read: Any,
    *,
    disputed: bool = False,
    named: Callable[[Any], str] = str,
) -> Question | None:
    """A question if the reading is not certain enough, or disputed; with the alternatives worth listing, which for a disputed
    reading are all: what stands there may be anything."""
    if not disputed and odds.get(read, 0.0) >= 1 - DOUBT_BOUND:
        return None
    listed = {value: share for value, share in odds.items() if disputed or share >= ALTERNATIVE_BOUND}
    return Question(key, where, {read: odds.get(read, 0.0)} | listed, named)


def keep_answers(
    facts: dict[Hashable, Any],
    questions: Iterable[Question | None],
    answers: Mapping[str, Any],
    where_of: Callable[[Hashable], str],
) -> list[Question]:
    """The questions that stay open: what people said is now a fact, whatever the rules make of it, and is not asked about.

    answers: as in `Readings`; where_of: what reviews call a fact's place."""
    for key in facts:
        where = where_of(key)
        if where in answers:
            facts[key] = answers[where]
    return [asked for asked in questions if asked is not None and asked.where not in answers]


def ask(
    facts: Facts, questions: Sequence[Question], totals_of: Callable[[Facts], Totals]
) -> tuple[tuple[Doubt, ...], tuple[int, int]]:
    """Doubts, most important first, and the lowest and highest total, of any player on the sheet, that they allow together.

    totals_of may raise BadState for facts that cannot be: such alternatives change no bound. Questions that can change no
    total, neither alone nor together with others, are dropped.
    """
    present = totals_of(facts)
    low, high, matters = _extremes(facts, questions, totals_of, present)
    found: list[tuple[float, Doubt]] = []
    for index, asked in enumerate(questions):
        if not matters[index]:
            continue
        weight, changed = 0.0, set()
        for value, share in asked.alternatives.items():
            totals = _totals(facts, {asked.key: value}, totals_of)
            if totals is None:
                continue
            weight += share * sum(abs(a - b) for a, b in zip(totals, present, strict=False))
            if len(totals) == len(present):
                changed |= {total for a, b in zip(totals, present, strict=True) if a != b for total in (a, b)}
            else:
                changed |= set(totals)
        read = facts[asked.key]
        ordered = sorted(asked.alternatives.items(), key=lambda item: -item[1])
        alternatives = {asked.named(value): round(share, 4) for value, share in ordered}
        confidence = round(asked.alternatives.get(read, 0.0), 4)
        found.append(
            (-weight, Doubt(asked.where, asked.named(read), confidence, alternatives, sorted(changed or {max(present)})))
        )
    found.sort(key=lambda entry: entry[0])
    return tuple(doubt for _, doubt in found), (low, high)


def _totals(facts: Facts, changes: Mapping[Hashable, Any], totals_of: Callable[[Facts], Totals]) -> Totals | None:
    try:
        return totals_of({**facts, **changes})
    except BadState:
        return None


def _extremes(
    facts: Facts, questions: Sequence[Question], totals_of: Callable[[Facts], Totals], present: Totals
) -> tuple[int, int, list[bool]]:
    """The lowest and highest total of any player, and which questions matter."""
    if prod(len(asked.alternatives) for asked in questions) <= JOINT_LIMIT:
        outcomes = {}
        for choice in product(*(asked.alternatives for asked in questions)):
            changes = dict(zip((asked.key for asked in questions), choice, strict=True))
            totals = _totals(facts, changes, totals_of)
            if totals is not None:
                outcomes[choice] = totals
        seen = [present, *outcomes.values()]
        matters = [
            any(len({outcomes[c] for c in group if c in outcomes}) > 1 for group in _groups(list(outcomes), index).values())
            for index in range(len(questions))
        ]
        return min(map(min, seen)), max(map(max, seen)), matters
    low, high = min(present), max(present)
    for start in _starts(facts, questions):
        for player in range(len(present)):
            for sign in (1, -1):
                reached = _climb(facts, questions, totals_of, present, start, player, sign)
                low, high = min(low, reached), max(high, reached)
    return low, high, [True] * len(questions)


def _starts(facts: Facts, questions: Sequence[Question]) -> list[dict[Hashable, Any]]:
    """Answers from which extremes are sought: the readings themselves; for every value, all questions that may have it
    answered by it, and all that read it answered otherwise. Points that take several cells of a colour need such leaps."""
    starts: list[dict[Hashable, Any]] = [{}]
    values = dict.fromkeys(value for asked in questions for value in asked.alternatives)
    for value in values:
        starts.append({asked.key: value for asked in questions if value in asked.alternatives})
        others = {
            asked.key: _likeliest_other(asked.alternatives, value)
            for asked in questions
            if facts[asked.key] == value and len(asked.alternatives) > 1
        }
        if others:
            starts.append(others)
    return starts


def _likeliest_other(alternatives: Mapping[Any, float], value: Any) -> Any:
    others = {other: share for other, share in alternatives.items() if other != value}
    return max(others, key=lambda other: others[other])


def _groups(choices: Sequence[tuple[Any, ...]], index: int) -> dict[tuple[Any, ...], list[tuple[Any, ...]]]:
    """Choices that differ in the answer to one question only."""
    groups: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
    for choice in choices:
        groups.setdefault(choice[:index] + choice[index + 1 :], []).append(choice)
    return groups


def _climb(
    facts: Facts,
    questions: Sequence[Question],
    totals_of: Callable[[Facts], Totals],
    present: Totals,
    start: Mapping[Hashable, Any],
    player: int,
    sign: int,
) -> int:
    """One player's total when, from the answers `start` on, each question gets its best (sign 1) or worst (-1) answer."""
    changes = dict(start)
    first = _totals(facts, changes, totals_of)
    best = first[player] if first is not None and len(first) == len(present) else present[player]
    for _ in range(1 if start else 2):
        for asked in questions:
            for value in asked.alternatives:
                totals = _totals(facts, changes | {asked.key: value}, totals_of)
                if totals is not None and len(totals) == len(present) and sign * totals[player] > sign * best:
                    best = totals[player]
                    changes = changes | {asked.key: value}
    return best
