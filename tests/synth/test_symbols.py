"""Drawings of the synthetic hand: in their box, with the parts that make them what they are, and varied."""

import numpy as np
import pytest
from numpy.random import Generator

from scanner.geometry import FloatArray
from scanner.reading.readings import CONTENT_LABELS
from scanner.synth.symbols import MARKS, SYMBOLS, Draw, Strokes, arc, line, other, smooth, sun

ALL: dict[str, Draw] = {**SYMBOLS, **MARKS}
STYLES = np.linspace(0, 0.999, 41)


def rng_of(seed: int) -> Generator:
    return np.random.default_rng(seed)


def extent(strokes: Strokes) -> FloatArray:
    points = np.vstack(strokes)
    size: FloatArray = points.max(0) - points.min(0)
    return size


def test_there_is_a_generator_for_every_label_but_blank() -> None:
    assert set(SYMBOLS) == set(CONTENT_LABELS) - {"blank"}


@pytest.mark.parametrize("label", ALL)
def test_drawings_are_strokes_in_the_unit_box(label: str) -> None:
    """Centred near the origin, the larger side about 1, whatever the habit."""
    for style in STYLES:
        rng = rng_of(int(style * 1000))
        for strokes in (ALL[label](float(style), rng) for _ in range(5)):
            assert strokes
            for stroke in strokes:
                assert stroke.dtype == np.float64
                assert stroke.shape[0] >= 2
                assert stroke.shape[1] == 2
                assert np.isfinite(stroke).all()
            assert np.abs(np.vstack(strokes)).max() < 1.0
            if label != "other":  # a dot or a stray stroke may be small
                assert 0.45 < extent(strokes).max() < 1.7


@pytest.mark.parametrize("label", ALL)
def test_the_seed_decides_all(label: str) -> None:
    first, again, later = (ALL[label](0.3, rng_of(seed)) for seed in (5, 5, 6))
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert len(first) != len(later) or any(not np.array_equal(a, b) for a, b in zip(first, later, strict=False))


@pytest.mark.parametrize("label", SYMBOLS)
def test_people_differ_in_how_they_draw(label: str) -> None:
    """Habits change the number of strokes or their course, not merely their wobble."""
    if label == "sun":
        turns = {round(total_turning(sun(float(s), rng_of(2))[0]) / np.pi) for s in STYLES}
        assert len(turns) >= 2, "once round and twice round"
    else:
        counts = {len(SYMBOLS[label](float(s), rng_of(2))) for s in STYLES}
        assert len(counts) >= 2


def total_turning(stroke: FloatArray) -> float:
    """The angle swept about the origin, radians, without sign."""
    angles = np.unwrap(np.arctan2(stroke[:, 1], stroke[:, 0]))
    return abs(float(angles[-1] - angles[0]))


def test_suns_go_round() -> None:
    swept = np.array([sum(total_turning(s) for s in sun(float(style), rng_of(i))) for i, style in enumerate(STYLES)])
    assert (swept > 1.5 * np.pi).all()
    assert (swept > 2.6 * np.pi).any(), "nobody draws a circle twice"
    assert (swept < 1.9 * np.pi).any(), "nobody leaves a circle open"


def test_pyramids_are_wide_below_and_pointed_above() -> None:
    for i, style in enumerate(STYLES):
        points = np.vstack(SYMBOLS["pyramid"](float(style), rng_of(i)))
        middle = (points[:, 1].max() + points[:, 1].min()) / 2
        height = np.ptp(points[:, 1])
        top = points[points[:, 1] < middle - 0.25 * height]
        bottom = points[points[:, 1] > middle + 0.25 * height]
        assert np.ptp(bottom[:, 0]) > 1.2 * np.ptp(top[:, 0])


def test_eyes_are_wider_than_high_and_hold_a_pupil() -> None:
    for i, style in enumerate(STYLES):
        strokes = SYMBOLS["eye"](float(style), rng_of(i))
        almond = strokes[0]
        assert np.ptp(almond[:, 0]) > np.ptp(almond[:, 1])
        assert any(np.abs(s.mean(0)).max() < 0.3 and np.ptp(s[:, 0]) < 0.62 for s in strokes[1:]), f"no pupil at habit {style}"


def test_a_lotus_has_a_stem_through_its_bowl() -> None:
    for i, style in enumerate(STYLES):
        points = np.vstack(SYMBOLS["lotus"](float(style), rng_of(i)))
        low = points[points[:, 1] > 0.35]
        assert len(low), "no stem"
        assert np.abs(low[:, 0]).max() < 0.4
        upper = points[points[:, 1] < -0.15]
        assert np.ptp(upper[:, 0]) > 0.5, "no bowl"


def test_a_star_has_five_or_six_tips() -> None:
    for i, style in enumerate(STYLES):
        points = np.vstack(SYMBOLS["star"](float(style), rng_of(i)))
        points = points - (points.max(0) + points.min(0)) / 2
        angle, radius = np.arctan2(points[:, 1], points[:, 0]), np.hypot(points[:, 0], points[:, 1])
        # The outline's radius by direction; tips are its local greatest values.
        bins = np.floor((angle + np.pi) / (2 * np.pi) * 24).astype(int) % 24
        outline = np.array([radius[bins == b].max(initial=0) for b in range(24)])
        tall = outline > 0.62 * outline.max()
        tips = int((tall & ~np.roll(tall, 1)).sum())
        assert 3 <= tips <= 8, f"{tips} tips at habit {style}"


@pytest.mark.parametrize("style", [0.1, 0.3, 0.45])
def test_a_plain_cross_is_two_strokes_that_meet(style: float) -> None:
    a, b = SYMBOLS["crossed"](style, rng_of(3))
    nearest = min(float(np.hypot(*(p - q))) for p in smooth(a, 20) for q in smooth(b, 20))
    assert nearest < 0.1
    assert np.prod(a[-1] - a[0]) * np.prod(b[-1] - b[0]) < 0, "one goes down to the right, the other to the left"


def test_other_things_are_many() -> None:
    rng = rng_of(4)
    shapes = {tuple(len(s) for s in other(float(rng.random()), rng)) for _ in range(300)}
    assert len(shapes) > 15


def test_smooth_curves_pass_through_their_points() -> None:
    points = np.array([[0.0, 0], [1, 2], [3, 1], [4, 4]])
    curve = smooth(points, 6)
    assert len(curve) == 3 * 6 + 1
    assert np.allclose(curve[::6], points)
    assert np.array_equal(smooth(points[:2]), points[:2])


def test_lines_keep_their_ends() -> None:
    stroke = line((0.0, 1.0), (2.0, 3.0), rng_of(1))
    assert np.allclose(stroke[[0, -1]], [[0, 1], [2, 3]])


def test_arcs_start_and_sweep_as_told() -> None:
    stroke = arc((0, 0), (1, 1), 0.0, np.pi / 2, rng_of(1))
    assert stroke[0][0] > 0.8
    assert stroke[-1][1] > 0.8, "clockwise on paper, where y points down"
