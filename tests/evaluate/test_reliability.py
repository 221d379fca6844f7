"""Confidence held against truth."""

import msgspec
import pytest

from scanner.evaluate.compare import Look, compare_photo, compare_sheet
from scanner.evaluate.reliability import LEVELS, NOTHING, measure, together
from scanner.evaluate.truth import Truth, TruthSheet
from tests.handmade import OBELISK, SCORE, photo, sheet, state

TRUTH = msgspec.convert(state(score=SCORE), TruthSheet)


def test_readings_are_grouped_by_the_confidence_that_they_were_given() -> None:
    confidence = {"a": 0.4, "b": 0.5, "c": 0.989, "d": 0.99, "e": 0.9995, "f": 1.0}
    found = measure([(where, where != "d") for where in "abcdefg"], confidence)
    assert [(group.of, group.right) for group in found] == [(1, 1), (1, 1), (1, 1), (1, 0), (2, 2)]
    assert [group.expected for group in found] == pytest.approx([0.4, 0.5, 0.989, 0.99, 1.9995])
    assert len(found) == len(LEVELS)


def test_groups_add_up() -> None:
    one = measure([("a", True)], {"a": 0.95})
    two = measure([("a", False)], {"a": 0.97})
    total = together([one, two])[2]
    assert (total.of, total.right) == (2, 1)
    assert total.expected == pytest.approx(1.92)
    assert together([]) == NOTHING


def test_a_sheets_cells_are_measured_and_empty_ones_are_right_whether_built_or_not() -> None:
    rows = [*OBELISK]
    rows[3] = ".." + rows[3][2:]  # truly built and blank
    rows[4] = rows[4].replace("@", "O")  # truly an eye
    confidence = {"obelisk r4 c1": 0.995, "obelisk r5 c2": 0.999, "obelisk r5 c3": 0.98}
    verdict = compare_sheet("a.jpg", "easy", TRUTH, sheet(obelisk=rows), None, confidence)
    assert [(group.of, group.right) for group in verdict.reliability] == [(0, 0), (0, 0), (1, 1), (1, 1), (1, 0)]


def test_whether_the_bounds_hold_the_truth() -> None:
    held = [compare_sheet("a", "easy", TRUTH, sheet(bounds=bounds), None).within for bounds in [(50, 56), (57, 60), (40, 55)]]
    assert held == [True, False, False]


def test_the_raw_reading_is_judged_beside_the_decoded_one() -> None:
    truth = Truth((TRUTH,))
    verdict = compare_photo("easy", truth, photo(sheet()), [Look(raw=sheet(total=59, levels=[0, 0, 0]))]).sheets[0]
    assert verdict.outcome == "exact"
    assert verdict.raw is not None
    assert (verdict.raw.outcome, verdict.raw.misread) == ("silent", ("level1: 3 read as 0",))
    assert compare_photo("easy", truth, photo(sheet()), [Look()]).sheets[0].raw is None
