"""Circles beside the sheet's others: weak marks are held down, and what stands out among bare circles is perhaps none."""

import numpy as np

from scanner.decode.chains import read_circle
from scanner.decode.peers import beside_bare_circles, beside_clear_marks
from scanner.reading.readings import SETTLED


def test_a_mark_that_is_weak_beside_the_others_is_open() -> None:
    marks = {"a": 25.0, "b": 30.0, "c": 27.0, "spilt": 8.3, "bare": -17.0, "told": SETTLED}
    found = beside_clear_marks(marks)
    assert {name for name in marks if found[name] != marks[name]} == {"spilt"}
    assert read_circle(found["spilt"], 0.1) < 0.9 < read_circle(marks["spilt"], 0.1)
    faint = {"a": 11.0, "b": 8.3, "c": -12.0}
    assert beside_clear_marks(faint) == faint
    assert beside_clear_marks(marks, share=0.0) == marks


def test_a_circle_that_stands_out_among_bare_ones_is_not_bare_for_certain() -> None:
    rng = np.random.default_rng(5)
    marks = {f"bare {n}": float(odds) for n, odds in enumerate(rng.normal(-12, 0.8, 60))}
    marks |= {"small": -2.1, "clear": 27.0, "told": -SETTLED}
    found = beside_bare_circles(marks)
    assert {name for name in marks if found[name] != marks[name]} == {"small"}
    assert 0.1 < read_circle(found["small"], 0.1) < 0.9
    # Bare circles that vary are no news; nor is one among a few.
    varied = {name: odds * 3 + 24 if name.startswith("bare") else odds for name, odds in marks.items()}
    assert beside_bare_circles(varied) == varied
    few = {name: odds for name, odds in marks.items() if name in ("bare 1", "bare 2", "small")}
    assert beside_bare_circles(few) == few
