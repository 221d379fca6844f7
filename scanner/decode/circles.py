"""Circles to level points and scroll marks, knowing what the obelisk's height and the scrolls make likely."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp, log
from typing import Final

from scanner.decode.decoded import AuditLine
from scanner.decode.questions import PointsQuestion
from scanner.engine.obelisk.sheet import LEVEL_POINTS, SCROLL_POINTS
from scanner.reading.readings import SETTLED

CIRCLE_CERTAINTY: Final = 8.0
"""Log-odds beyond this add nothing: no reading of a circle is more certain."""

MARK_IF_REACHED: Final = 0.25
"""Each of a level's three circles, if the player reached the level; a fourth player, or one who forgets, marks none."""
MARK_IF_NOT_REACHED: Final = 0.003
SECOND_MARK: Final = 0.003
"""A further mark at the same level, which the rules do not know."""
POINTS_IF_FILLED: Final = 0.97
USED_IF_FILLED: Final = 0.4
CIRCLE_IF_EMPTY: Final = 0.005
"""Either circle of an empty scroll."""

OPEN_INK: Final = 5.5
"""Log-odds below which a circle's ink alone does not settle it (clear ones lie beyond ten): whatever the rules make of it, it
is asked about. Players do mark circles that they should not, and shapes that made a circle likely may have been missed."""

MARKED, UNMARKED = "marked", "unmarked"


@dataclass(frozen=True, slots=True)
class Circles:
    """levels: points marked, 0 for none. marked, used: the scrolls' circles, bottom first. questions: one a circle whose
    reading is wrong with more than the bound asked for, whose ink is open, that stands beside another at its level, or that
    is marked although nothing earns it."""

    levels: tuple[int, int, int]
    marked: tuple[bool, ...]
    used: tuple[bool, ...]
    questions: tuple[PointsQuestion, ...]


def read_circles(
    marks: Mapping[str, float],
    earned: Sequence[bool],
    full: Sequence[bool],
    doubt_bound: float,
    reached: Sequence[float] = (),
    filled: Sequence[float] = (),
) -> Circles:
    """marks: circle -> log-odds that it is marked. earned, full: the levels that the sheet, as it was read, reaches, and its
    scrolls with something on them. reached, filled: the probabilities of both, if they are open."""
    odds = {name: max(-SETTLED, min(SETTLED, bounded(value))) for name, value in marks.items()}
    questions: list[PointsQuestion] = []
    levels: list[int] = []
    for level, (points, earns) in enumerate(zip(LEVEL_POINTS, earned, strict=True), 1):
        likely = reached[level - 1] if reached else float(earns)
        read, asked = _level(level, points, [odds[f"level{level}.{p}"] for p in points], likely, doubt_bound, earns)
        levels.append(read)
        questions += asked
    marked, used = [], []
    for scroll, (worth, earns) in enumerate(zip(SCROLL_POINTS, full, strict=True), 1):
        likely = filled[scroll - 1] if filled else float(earns)
        log_odds = odds[f"scroll{scroll}.points"]
        probability = _posterior(log_odds, likely * POINTS_IF_FILLED + (1 - likely) * CIRCLE_IF_EMPTY)
        marked.append(probability > 0.5)
        shown = _open(probability, log_odds, doubt_bound)
        if shown is None and marked[-1] and not earns and log_odds < SETTLED:
            shown = probability
        if shown is not None:
            questions.append(_question(f"scroll{scroll} points", shown, worth, 0, is_read=marked[-1]))
        used.append(_posterior(odds[f"scroll{scroll}.used"], likely * USED_IF_FILLED + (1 - likely) * CIRCLE_IF_EMPTY) > 0.5)
    first, second, third = levels
    return Circles((first, second, third), tuple(marked), tuple(used), tuple(questions))


def bounded(log_odds: float) -> float:
    """A circle's log-odds as far as they count: a network's are never more certain than CIRCLE_CERTAINTY, a person's are."""
    return log_odds if abs(log_odds) >= SETTLED else max(-CIRCLE_CERTAINTY, min(CIRCLE_CERTAINTY, log_odds))


def marked_twice(marks: Mapping[str, float]) -> list[AuditLine]:
    """Findings for levels at which several circles are marked without a doubt: a state holds one, the highest."""
    found = []
    for level, points in enumerate(LEVEL_POINTS, 1):
        marked = [str(worth) for worth in points if marks[f"level{level}.{worth}"] >= OPEN_INK]
        if len(marked) > 1:
            text = f"{' and '.join(marked)} are marked; a player ranks once at a level. The {marked[0]} counts."
            found.append(AuditLine("marked twice at a level", f"level{level}", text))
    return found


def level_gains(marks: Mapping[str, float]) -> list[float]:
    """Log-likelihood ratio of each level's circles if it was reached against if it was not."""
    gains = []
    for level, points in enumerate(LEVEL_POINTS, 1):
        seen = sum(exp(max(-CIRCLE_CERTAINTY, min(CIRCLE_CERTAINTY, marks[f"level{level}.{p}"]))) for p in points)
        reached = 1 - 3 * MARK_IF_REACHED + MARK_IF_REACHED * seen
        gains.append(log(reached / (1 - 3 * MARK_IF_NOT_REACHED + MARK_IF_NOT_REACHED * seen)))
    return gains


def _posterior(log_odds: float, prior: float) -> float:
    on = prior * exp(log_odds)
    return on / (on + 1 - prior)


def _level(
    level: int, points: Sequence[int], odds: Sequence[float], reached: float, doubt_bound: float, earned: bool
) -> tuple[int, list[PointsQuestion]]:
    """The points read at one level, and the questions that stay open there."""
    one = reached * MARK_IF_REACHED + (1 - reached) * MARK_IF_NOT_REACHED
    weights: dict[tuple[int, ...], float] = {(): 1 - 3 * one}
    for size in range(1, len(points) + 1):
        for chosen in combinations(range(len(points)), size):
            weights[chosen] = one * SECOND_MARK ** (size - 1) * exp(sum(odds[circle] for circle in chosen))
    total = sum(weights.values())
    marked = [sum(weight for chosen, weight in weights.items() if circle in chosen) / total for circle in range(len(points))]
    best = [circle for circle, probability in enumerate(marked) if probability > 0.5]
    clear = [circle for circle in best if odds[circle] >= OPEN_INK]
    # The highest of those that are marked without a doubt, or else the likeliest.
    counted = clear or sorted(best, key=lambda circle: -odds[circle])
    read = points[counted[0]] if counted else 0
    asked = []
    for circle, (worth, probability) in enumerate(zip(points, marked, strict=True)):
        if circle in clear[1:]:
            # It is marked, and counts only if the one that does is not: the finding says so.
            continue
        shown = _open(probability, odds[circle], doubt_bound)
        # A player's slip, or something else that runs through the circle: a stain, a shadow, a line.
        if shown is None and (len(best) > 1 or not earned) and circle in best and odds[circle] < SETTLED:
            shown = probability
        if shown is not None:
            second = points[clear[1]] if clear[1:] else 0
            otherwise = second if worth == read else read
            asked.append(_question(f"level{level} mark {worth}", shown, worth, otherwise, is_read=worth == read))
    return read, asked


def _open(posterior: float, log_odds: float, doubt_bound: float) -> float | None:
    """The probability of a mark to ask with, or None if there is nothing to ask: the posterior if it is open, else the ink's
    own if that is, as far as it does not speak against the reading."""
    if min(posterior, 1 - posterior) > doubt_bound:
        return posterior
    if abs(log_odds) >= OPEN_INK:
        return None
    ink = 1 / (1 + exp(-log_odds))
    return max(ink, 0.5) if posterior > 0.5 else min(ink, 0.5)


def _question(where: str, probability: float, worth: int, otherwise: int, is_read: bool) -> PointsQuestion:
    return PointsQuestion(
        where,
        MARKED if is_read else UNMARKED,
        {MARKED: probability, UNMARKED: 1 - probability},
        {MARKED: worth, UNMARKED: otherwise},
    )
