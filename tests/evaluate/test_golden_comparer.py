"""The comparer of the golden test must notice what it is there for."""

from pathlib import Path

import msgspec
import pytest

from scanner.errors import NotAnImage
from scanner.evaluate.compare import PhotoVerdict, compare_photo
from scanner.evaluate.summary import Evaluation
from scanner.evaluate.truth import Truth, TruthSheet
from scanner.result import ErrorInfo, ScanResult
from tests.golden import Comparison, Floor, compare, floors_reached, load_floors
from tests.handmade import SCORE, doubt, photo, sheet, state

TRUTH = Truth((msgspec.convert(state(score=SCORE), TruthSheet),))
FLOOR = Floor(photos=2, sheets=2, exact=2, silent=0, review=0.5)
GOOD = photo(sheet())
FLAGGED = photo(sheet(total=59, bounds=(56, 59), review=(doubt(),)))
SILENT = photo(sheet(total=59))


def verdict(result: ScanResult, truth: Truth = TRUTH) -> PhotoVerdict:
    return compare_photo("dim", truth, result)


def held(*results: ScanResult, floor: Floor = FLOOR) -> Comparison:
    return compare(Evaluation.of([verdict(result) for result in results]), {"dim": floor})


def test_what_reaches_its_floor_passes() -> None:
    assert held(GOOD, GOOD) == Comparison()


@pytest.mark.parametrize(
    ("results", "breach"),
    [
        ((GOOD,), "dim: 1 photos instead of 2"),
        ((GOOD, GOOD, GOOD), "dim: 3 photos instead of 2"),
        ((GOOD, FLAGGED), "dim: 1 exact, at least 2 expected"),
        ((GOOD, SILENT), "dim: 1 silently wrong, at most 0 allowed"),
        ((GOOD, photo()), "dim: 1 silently wrong, at most 0 allowed"),
        ((GOOD, photo(error=ErrorInfo.of(NotAnImage("No.")))), "dim: 1 silently wrong, at most 0 allowed"),
        ((GOOD, photo(sheet(), sheet(seat=5, sheet_number=44))), "dim: 1 silently wrong, at most 0 allowed"),
        (
            (photo(sheet(review=(doubt(), doubt("obelisk r1 c1")))), GOOD),
            "dim: 1.00 in review a sheet, at most 0.50 allowed",
        ),
    ],
    ids=["photo lost", "photo added", "not exact", "silent", "missing", "failed", "unexpected", "too many questions"],
)
def test_what_falls_short_is_a_breach(results: tuple[ScanResult, ...], breach: str) -> None:
    assert breach in held(*results).breaches


def test_a_sheet_read_in_a_photo_without_one_is_a_breach() -> None:
    evaluation = Evaluation.of([verdict(GOOD, Truth(()))])
    assert compare(evaluation, {"dim": Floor(1, 0, 0, 0, 0)}).breaches == ["dim: 1 silently wrong, at most 0 allowed"]


def test_what_is_better_than_its_floor_is_reported() -> None:
    floor = msgspec.structs.replace(FLOOR, exact=1, silent=1)
    comparison = held(GOOD, GOOD, floor=floor)
    assert comparison.breaches == []
    assert comparison.better == ["dim: 2 exact, floor 1", "dim: 0 silently wrong, 1 allowed"]


def test_conditions_and_floors_must_be_the_same() -> None:
    evaluation = Evaluation.of([verdict(GOOD)], ["new.jpg"])
    floors = {"blur": FLOOR}
    assert compare(evaluation, floors).breaches == ["blur: no photos", "dim: no floor", "new.jpg: no truth"]


def test_floors_are_read_from_toml(tmp_path: Path) -> None:
    path = tmp_path / "golden.toml"
    path.write_text("[dim]\nphotos = 2\nsheets = 2\nexact = 2\nsilent = 0\nreview = 0.5\n")
    assert load_floors(path) == {"dim": FLOOR}
    path.write_text("[dim]\nphotos = 2\nsheets = 2\nexakt = 2\nsilent = 0\nreview = 0.5\n")
    with pytest.raises(msgspec.ValidationError, match="exakt"):
        load_floors(path)


def test_an_evaluation_reaches_the_floors_that_it_is_said_to_reach(tmp_path: Path) -> None:
    evaluation = Evaluation.of([verdict(GOOD), verdict(FLAGGED), verdict(SILENT), compare_photo("easy", TRUTH, GOOD)])
    path = tmp_path / "golden.toml"
    path.write_text(floors_reached(evaluation))
    floors = load_floors(path)
    assert floors["dim"] == Floor(photos=3, sheets=3, exact=1, silent=1, review=0.5)
    assert compare(evaluation, floors) == Comparison()
