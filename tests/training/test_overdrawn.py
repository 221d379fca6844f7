"""Crops with something over them."""

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.reading.readings import CONTENT_LABELS
from scanner.training.overdrawn import PAPER, written_over

SUN, OTHER = CONTENT_LABELS.index("sun"), CONTENT_LABELS.index("other")


def suns(count: int) -> NDArray[np.uint8]:
    """Rings on white paper, uint8 (count, 64, 64)."""
    crop = np.full((64, 64), int(PAPER), np.uint8)
    cv2.circle(crop, (32, 32), 12, 60, 2, cv2.LINE_AA)
    return np.repeat(crop[None], count, axis=0)


def test_some_symbols_are_struck_out_and_are_none_then() -> None:
    crops, labels = suns(400), np.full(400, SUN, np.int64)
    drawn, now = written_over(crops, labels, "content", np.random.default_rng(1))
    struck = np.flatnonzero(now != labels)
    assert 35 <= len(struck) <= 90
    assert set(now[struck].tolist()) == {OTHER}
    for i in struck.tolist():
        darker = np.argwhere(drawn[i] < 150)
        assert np.ptp(darker, axis=0).max() >= 26, "the line reaches beyond the ring"
    assert (crops == suns(400)).all(), "what was given is left alone"


def test_stains_change_nothing_about_what_is_written() -> None:
    blank = np.full((400, 64, 64), int(PAPER), np.uint8)
    labels = np.zeros(400, np.int64)
    drawn, now = written_over(blank, labels, "content", np.random.default_rng(2))
    assert (now == labels).all()
    changed = (drawn != blank).any(axis=(1, 2))
    assert 8 <= changed.sum() <= 50
    assert (drawn <= blank).all(), "nothing gets whiter than paper"


def test_what_lies_beside_a_circle_stays_bare() -> None:
    pairs = np.full((200, 2, 72, 72), int(PAPER), np.uint8)
    drawn, now = written_over(pairs, np.arange(200) % 2, "marks", np.random.default_rng(3))
    assert (now == np.arange(200) % 2).all()
    assert (drawn[:, 1] == pairs[:, 1]).all()
    assert 30 <= (drawn[:, 0] != pairs[:, 0]).any(axis=(1, 2)).sum() <= 90


def test_struck_cells_are_left_as_they_are() -> None:
    crops = suns(50)
    drawn, _ = written_over(crops, np.zeros(50, np.int64), "struck", np.random.default_rng(4))
    assert (drawn == crops).all()


def test_the_same_seed_draws_the_same() -> None:
    labels = np.full(60, SUN, np.int64)
    first, second = (written_over(suns(60), labels, "content", np.random.default_rng(5)) for _ in range(2))
    assert (first[0] == second[0]).all()
    assert (first[1] == second[1]).all()
