"""A hand puts symbols where it is told, in its own manner, and people differ."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from scanner.synth.hand import Hand, MarkStyle, SyntheticDrawings, random_hand, synthetic_drawings
from scanner.synth.symbols import MARKS, SYMBOLS, Strokes

CENTRE = np.array([50.0, 80.0])
CELL = 12.5


@dataclass
class Square:
    """Everybody's drawing is the outline of the unit box; remembers what was asked for."""

    asked: list[str]

    def draw(self, label: str, rng: Generator) -> Strokes:  # noqa: ARG002 - the protocol's parameters
        self.asked.append(label)
        return [np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5], [-0.5, -0.5]])]


def steady(seed: int = 1, **changes: Any) -> Hand:
    """A hand without tremor, slant or spread, that draws squares."""
    hand = replace(random_hand(np.random.default_rng(seed), Square([])), size=0.6, size_spread=0.0, slant=0.0, tremor_mm=0.0)
    return replace(hand, offset=0.0, outline_wobble_mm=0.0, **changes)


def test_symbols_lie_in_the_middle_of_their_cell_and_have_the_hands_size() -> None:
    rng = np.random.default_rng(2)
    drawn = [np.vstack(steady().symbol("sun", CENTRE, CELL, rng)) for _ in range(200)]
    middles = np.array([(p.max(0) + p.min(0)) / 2 for p in drawn])
    assert np.median(middles, axis=0) == pytest.approx(CENTRE, abs=0.02)
    sides = np.median([p.max(0) - p.min(0) for p in drawn], axis=0)
    assert sides == pytest.approx([0.6 * CELL] * 2, rel=0.1)


def test_some_symbols_are_small_in_a_corner() -> None:
    rng = np.random.default_rng(2)
    drawn = [np.vstack(steady().symbol("sun", CENTRE, CELL, rng)) for _ in range(600)]
    small = [p for p in drawn if (p.max(0) - p.min(0)).max() < 0.45 * CELL]
    assert 0.01 < len(small) / len(drawn) < 0.09


def test_symbols_stay_with_their_cell() -> None:
    """They may overrun the lines, but their middle stays in the cell: otherwise the truth would be wrong."""
    rng = np.random.default_rng(5)
    for seed in range(40):
        hand = random_hand(np.random.default_rng(seed), Square([]))
        for _ in range(25):
            points = np.vstack(hand.symbol("star", CENTRE, CELL, rng))
            assert np.abs((points.max(0) + points.min(0)) / 2 - CENTRE).max() < 0.5 * CELL


def test_a_slanted_hand_leans() -> None:
    rng = np.random.default_rng(3)
    upright, leaning = steady(), replace(steady(), slant=0.4)
    lean = [
        np.mean([s[0][0, 0] - s[0][3, 0] for s in (hand.symbol("sun", CENTRE, CELL, rng) for _ in range(100))])
        for hand in (upright, leaning)
    ]
    assert lean[1] - lean[0] > 0.2 * 0.6 * CELL, "the top of the box lies further right"


def test_tremor_shakes_the_points() -> None:
    rng = np.random.default_rng(4)
    start, end = np.array([0.0, 0.0]), np.array([30.0, 0.0])
    assert np.abs(steady().segment(start, end, rng)[:, 1]).max() == 0
    shaken = replace(steady(), tremor_mm=0.2).segment(start, end, rng)[:, 1]
    assert 0.1 < shaken.std() < 0.4


def test_segments_run_from_start_to_end_and_drift_between() -> None:
    rng = np.random.default_rng(4)
    start, end = np.array([10.0, 5.0]), np.array([10.0, 55.0])
    straight = steady().segment(start, end, rng)
    assert np.allclose(straight[[0, -1]], [start, end])
    assert np.ptp(straight[:, 0]) == 0
    drifting = replace(steady(), outline_wobble_mm=0.5).segment(start, end, rng)
    assert 0.1 < np.abs(drifting[:, 0] - 10).max() < 2


@pytest.mark.parametrize("style", ["tick", "cross", "circle", "scribble"])
def test_marks_are_made_by_habit_or_as_told(style: MarkStyle) -> None:
    rng = np.random.default_rng(6)
    drawings = Square([])
    hand = replace(steady(), drawings=drawings, mark_style=style)
    points = np.vstack(hand.mark(CENTRE, 7.0, rng))
    assert drawings.asked == [style]
    assert np.abs(points.mean(0) - CENTRE).max() < 3
    hand.mark(CENTRE, 7.0, rng, "cross")
    assert drawings.asked == [style, "cross"]


def test_a_circle_goes_round_the_printed_one() -> None:
    rng = np.random.default_rng(7)
    sizes = [np.ptp(np.vstack(steady().mark(CENTRE, 7.0, rng, "circle"))[:, 0]) for _ in range(100)]
    assert np.median(sizes) > 7.0


def test_habits_cover_every_label_and_are_kept() -> None:
    rng = np.random.default_rng(8)
    habits = synthetic_drawings(rng)
    assert set(habits.styles) == {*SYMBOLS, *MARKS}
    # Habit 0.3 is a circle in one stroke; 0.75 a star in five.
    stars = [len(SyntheticDrawings({"star": 0.6}).draw("star", rng)) for _ in range(100)]
    assert 0.8 < np.mean(np.array(stars) == 5) < 1.0, "mostly the habit, at times another"


def test_people_differ() -> None:
    people = [random_hand(np.random.default_rng(seed)) for seed in range(300)]
    assert {p.shadow_style for p in people} == {"none", "each", "lines", "band", "hatch"}
    assert {p.mark_style for p in people} == {"tick", "cross", "circle", "scribble"}
    for habit in ("outline_in_one", "skip_borders", "strike_shapes", "big_crosses"):
        assert {getattr(p, habit) for p in people} == {True, False}
    assert all(0.4 <= p.size <= 0.9 for p in people)
    assert all(p.outline_wobble_mm < 0.6 for p in people)
    assert random_hand(np.random.default_rng(1)).size == random_hand(np.random.default_rng(1)).size
