"""The comparer itself: what counts as exact, flagged and silent, which places are wrong, and how far off a pose is."""

from typing import Any

import msgspec
import numpy as np
import pytest

from scanner.errors import NotAnImage, TooBlurred
from scanner.evaluate.compare import Tally, compare_photo, compare_sheet, outlines, pose_error, same_shapes
from scanner.evaluate.truth import Truth, TruthPose, TruthSheet
from scanner.result import ErrorInfo, RefusedSheet, SheetResult
from scanner.sheet.pose import Pose, SheetIdentity
from tests.handmade import OBELISK, SCORE, WALL, doubt, photo, sheet, state


def truth(**changes: object) -> TruthSheet:
    return msgspec.convert(state(score=SCORE) | changes, TruthSheet)


def misread(row: int, column: int, character: str) -> list[str]:
    rows = [list(line) for line in OBELISK]
    rows[row - 1][column - 1] = character
    return ["".join(line) for line in rows]


def test_a_perfect_reading_is_exact() -> None:
    verdict = compare_sheet("a.jpg", "easy", truth(), sheet(), None)
    assert verdict.outcome == "exact"
    assert verdict.state_exact
    assert verdict.walls_exact
    assert verdict.identity_right
    assert not verdict.misread
    assert sum(verdict.classes.values(), Tally()) == Tally(60 + 12 + 6 + 3, 60 + 12 + 6 + 3)
    assert verdict.classes["sun"] == Tally(6, 6)
    assert verdict.wall_edges == Tally(13 * 8 + 12 * 9, 13 * 8 + 12 * 9)


@pytest.mark.parametrize(
    ("bounds", "reviewed", "outcome"),
    [
        ((59, 59), False, "silent"),
        ((56, 59), True, "flagged"),
        ((57, 59), True, "silent"),
        ((56, 59), False, "silent"),
    ],
    ids=["certain", "in review and within bounds", "in review but outside bounds", "bounds without a review"],
)
def test_a_wrong_total_is_silent_unless_review_and_bounds_cover_it(
    bounds: tuple[int, int], reviewed: bool, outcome: str
) -> None:
    review = (doubt(totals=(57, 59)),) if reviewed else ()
    found = sheet(total=59, bounds=bounds, review=review, obelisk=misread(5, 2, "Y"))
    assert compare_sheet("a.jpg", "easy", truth(), found, None).outcome == outcome


def test_misread_places_are_named_and_counted_by_what_they_truly_hold() -> None:
    review = (doubt("obelisk r5 c2"), doubt("level1 mark 3"))
    scrolls = [dict(scroll) for scroll in state()["scrolls"]]
    scrolls[0] |= {"symbols": "O^Y@", "used": True}
    found = sheet(review=review, obelisk=misread(5, 2, "O"), levels=[0, 0, 0], scrolls=scrolls)
    verdict = compare_sheet("a.jpg", "easy", truth(), found, None)
    assert verdict.misread == (
        "obelisk r5 c2: @ read as O (in review)",
        "scroll1 r2 c2: * read as @",
        "scroll1 used: False read as True",
        "level1: 3 read as 0 (in review)",
    )
    assert verdict.unflagged == 2
    assert not verdict.state_exact
    assert verdict.classes["eye"] == Tally(5, 6)
    assert verdict.classes["scroll"] == Tally(11, 12)
    assert verdict.classes["mark"] == Tally(7, 9)


def test_outlines_of_a_shape() -> None:
    assert outlines(["aa", ".b"]) == {
        ("h", 0, 0), ("h", 0, 1), ("h", 1, 0), ("h", 1, 1), ("h", 2, 1),
        ("v", 0, 0), ("v", 0, 2), ("v", 1, 1), ("v", 1, 2),
    }  # fmt: skip


def test_letters_of_wall_shapes_do_not_matter_but_their_parts_do() -> None:
    assert same_shapes(["aa.", "b.."], ["xx.", "a.."])
    assert not same_shapes(["aa.", "b.."], ["aa.", "a.."]), "two shapes read as one"
    assert not same_shapes(["aa.", "a.."], ["aa.", "b.."]), "one shape read as two"
    assert not same_shapes(["aa.", "b.."], ["aa.", "..."]), "a shape overlooked"
    assert not same_shapes(["aa.", "..."], ["aa.", "b.."]), "a shape invented"


def test_an_overlooked_edge_costs_that_edge() -> None:
    wall = [row.replace("i", "e") for row in WALL]  # no shared border between e and i: the letters alone differ
    assert compare_sheet("a", "easy", truth(), sheet(wall_shapes=wall), None).wall_edges == Tally(212, 212)
    wall = [WALL[0], WALL[1].replace("aa", "a."), *WALL[2:]]
    assert compare_sheet("a", "easy", truth(), sheet(wall_shapes=wall), None).wall_edges == Tally(208, 212)


def a_pose(homography: np.ndarray) -> Pose:
    return Pose(
        SheetIdentity("obelisk", 1, 1), (297.0, 210.0), homography, np.zeros((5, 5, 2)), 0.0, 4.0, 0.1, np.zeros((4, 2)), ()
    )


def test_pose_error_is_in_millimetres_of_the_sheet() -> None:
    mm = [(x, y) for x in (0.0, 100.0, 200.0) for y in (0.0, 100.0)]
    px = [(4 * x + 7, 4 * y - 2) for x, y in mm]
    pose = a_pose(np.array([[4.0, 0, 7], [0, 4, -2], [0, 0, 1]]))
    exact = pose_error(pose, TruthPose(tuple(mm), tuple(px)))
    assert exact is not None
    assert exact.max_mm == pytest.approx(0, abs=1e-9)
    shifted = pose_error(pose, TruthPose(tuple(mm), tuple((x + 2, y) for x, y in px)))
    assert shifted is not None
    assert shifted.rms_mm == pytest.approx(0.5)
    hidden = ((px[0][0] + 400, px[0][1]), *px[1:])
    seen = pose_error(pose, TruthPose(tuple(mm), hidden, (False, True, True, True, True, True)))
    assert seen is not None
    assert seen.max_mm == pytest.approx(0, abs=1e-9)
    assert pose_error(pose, TruthPose(tuple(mm), tuple(px), (False,) * 6)) is None


def compared(*sheets: SheetResult, truths: tuple[TruthSheet, ...], **changes: Any) -> list[str]:
    verdict = compare_photo("easy", Truth(truths), photo(*sheets, **changes))
    return [v.outcome for v in verdict.sheets] + ["unexpected"] * verdict.unexpected


def test_refused_failed_and_missing_sheets_are_told_apart() -> None:
    blurred = ErrorInfo.of(TooBlurred("Too blurred."))
    seat1, seat2 = truth(seat=1, sheet_number=8000), truth()
    assert compared(sheet(), truths=(seat1, seat2)) == ["missing", "exact"]
    assert compared(sheet(), truths=(seat1, seat2), refused=(RefusedSheet(1, 8000, blurred),)) == ["refused", "exact"]
    assert compared(sheet(), truths=(seat1, seat2), refused=(RefusedSheet(1, None, blurred),)) == ["refused", "exact"]
    assert compared(sheet(), truths=(seat1, seat2), refused=(RefusedSheet(None, None, blurred),)) == ["refused", "exact"]
    assert compared(sheet(), truths=(seat1, seat2), refused=(RefusedSheet(5, 9, blurred),)) == ["missing", "exact"]
    assert compared(truths=(seat1, seat2), error=blurred) == ["refused", "refused"]
    assert compared(truths=(seat1,), error=ErrorInfo.of(NotAnImage("No."))) == ["failed"]


def test_a_sheet_where_none_is_is_unexpected() -> None:
    assert compared(sheet(), truths=()) == ["unexpected"]
    verdict = compare_photo("not_a_sheet", Truth(()), photo(sheet()))
    assert verdict.foreign
    assert verdict.unexpected == 1
