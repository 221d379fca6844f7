"""Which sheet that was found is which of the truth."""

import msgspec

from scanner.evaluate.match import match
from scanner.evaluate.truth import TruthPose, TruthSheet
from tests.handmade import SCORE, sheet, state

CORNERS = ((0.0, 0.0), (297.0, 0.0), (297.0, 210.0), (0.0, 210.0))


def moved(x: float) -> tuple[tuple[float, float], ...]:
    return tuple((px + x, py) for px, py in CORNERS)


def truth(seat: int, number: int, x: float | None = None) -> TruthSheet:
    sheet_truth = msgspec.convert(state(score=SCORE, seat=seat, sheet_number=number), TruthSheet)
    if x is None:
        return sheet_truth
    return msgspec.structs.replace(sheet_truth, pose=TruthPose(CORNERS, moved(x)))


def test_seat_and_number_come_before_place() -> None:
    truths = [truth(1, 8000, 0), truth(2, 8001, 1000)]
    found = [sheet(seat=2, sheet_number=8001, corners=moved(0)), sheet(seat=1, sheet_number=8000, corners=moved(1000))]
    assert match(truths, found, ()).read == {0: 1, 1: 0}


def test_place_tells_sheets_apart_that_carry_the_same_numbers() -> None:
    truths = [truth(1, 8000, 0), truth(1, 8000, 1000)]
    found = [sheet(seat=1, sheet_number=8000, corners=moved(1010)), sheet(seat=1, sheet_number=8000, corners=moved(5))]
    assert match(truths, found, ()).read == {0: 1, 1: 0}


def test_place_finds_a_sheet_whose_number_was_misread() -> None:
    matching = match([truth(1, 8000, 0)], [sheet(seat=3, sheet_number=None, corners=moved(20))], ())
    assert matching.read == {0: 0}
    far = match([truth(1, 8000, 0)], [sheet(seat=3, sheet_number=None, corners=moved(2000))], ())
    assert far.read == {}
    assert far.unexpected == (0,)


def test_without_a_place_the_seat_must_do() -> None:
    assert match([truth(1, 8000)], [sheet(seat=1, sheet_number=None)], ()).read == {0: 0}
    assert match([truth(1, 8000)], [sheet(seat=1, sheet_number=7)], ()).read == {}


def test_one_find_serves_one_truth() -> None:
    matching = match([truth(1, 8000), truth(1, 8000)], [sheet(seat=1, sheet_number=8000)], ())
    assert matching.read == {0: 0}
    twice = match([truth(1, 8000)], [sheet(seat=1, sheet_number=8000)] * 2, ())
    assert twice.unexpected == (1,)
