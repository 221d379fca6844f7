"""One sheet from several photos: contradictions go to review."""

from dataclasses import replace

import numpy as np
import pytest

from scanner.night import places
from scanner.night.record import SheetRecord
from scanner.night.sheets import read_sheet, same_writing
from scanner.result import SheetResult
from tests.decode.simulated import Noise, read
from tests.handmade import state
from tests.night.sightings import GOOD, OTHER, POOR, SHEET, pose, record_of, sighting, with_cell, written


def reviewed(result: SheetResult) -> list[str]:
    return [line.where for line in result.review]


def test_one_photo_gives_its_own_result() -> None:
    record = written()
    sheet = read_sheet([sighting(record)])
    assert sheet.result is record.result
    assert sheet.photos == ("photo.jpg",)


def test_two_photos_that_agree_give_the_same_without_a_doubt() -> None:
    alone = written()
    sheet = read_sheet([sighting(written(blur_mm=POOR), "poor.jpg"), sighting(alone, "good.jpg")])
    assert (sheet.result.state, sheet.result.score) == (alone.result.state, alone.result.score)
    assert sheet.photos == ("good.jpg", "poor.jpg"), "best first"
    assert not alone.result.review
    assert not sheet.result.review
    assert sheet.same


def test_a_cell_that_two_photos_read_differently_goes_to_review() -> None:
    # The last row is "^@Y_x": a second pyramid there costs a kind, 5 to 3 points, and gives the second column nothing.
    assert SHEET.rows[-1] == "^@Y_x"
    first, second = written(), written(with_cell(12, 2, "^"))
    sheet = read_sheet([sighting(first, "a.jpg"), sighting(second, "b.jpg")])
    (line,) = (line for line in sheet.result.review if line.where == "obelisk r12 c2")
    total = first.result.score["total"]
    assert set(line.alternatives) >= {"@", "^"}
    assert len(line.changes_total_to) > 1
    assert total in line.changes_total_to
    assert sheet.result.bounds[0] < sheet.result.bounds[1]
    assert sheet.result.bounds[0] <= total <= sheet.result.bounds[1]


@pytest.mark.parametrize("levels", [(1, 5, 0), (0, 3, 0), (1, 3, 8)])
def test_points_that_two_photos_read_differently_go_to_review(levels: tuple[int, ...]) -> None:
    sheet = read_sheet([sighting(written(), "a.jpg"), sighting(written(replace(SHEET, levels=levels)), "b.jpg")])
    (level,) = (n for n in range(3) if levels[n] != SHEET.levels[n])
    assert {where.split()[0] for where in reviewed(sheet.result)} == {f"level{level + 1}"}
    points = SHEET.levels[level], levels[level]
    assert sheet.result.bounds[1] - sheet.result.bounds[0] >= max(points) - min(points)


def test_scroll_points_that_two_photos_read_differently_go_to_review() -> None:
    sheet = read_sheet([sighting(written(), "a.jpg"), sighting(written(replace(SHEET, marked=(False,) * 3)), "b.jpg")])
    assert reviewed(sheet.result) == ["scroll1 points"]
    assert sheet.result.bounds[1] - sheet.result.bounds[0] == 3


def changed(record_blur: float, row: int, column: int, logs: list[float]) -> SheetRecord:
    """A photo of the sheet that says this of one cell."""
    readings = read(np.random.default_rng(3), SHEET, Noise(skip_borders=False))
    content = {name: grid.copy() for name, grid in readings.content.items()}
    content["obelisk"][row - 1, column - 1] = logs
    return record_of(replace(readings, content=content), pose(blur_mm=record_blur))


def test_what_a_photo_cannot_tell_contradicts_nobody() -> None:
    vague = changed(POOR, 12, 2, [float(np.log(1 / 8))] * 8)
    sheet = read_sheet([sighting(written(), "clear.jpg"), sighting(vague, "vague.jpg")])
    assert not sheet.result.review
    assert sheet.result.score == written().result.score


def test_a_thing_that_lies_on_a_cell_in_one_photo_contradicts_nobody() -> None:
    covered = changed(GOOD, 12, 2, [-12.0] * 7 + [0.0])
    sheet = read_sheet([sighting(written(), "clear.jpg"), sighting(covered, "covered.jpg")])
    assert sheet.result.score == written().result.score


def test_different_writing_is_never_fused() -> None:
    first, second = written(), written(OTHER, blur_mm=POOR)
    assert same_writing(first, written(blur_mm=POOR))
    assert not same_writing(first, second)
    sheet = read_sheet([sighting(second, "b.jpg"), sighting(first, "a.jpg")])
    assert not sheet.same
    assert sheet.result.state == first.result.state, "the better photo's"
    line = sheet.result.review[0]
    assert (line.where, line.read, set(line.alternatives)) == ("sheet", "a.jpg", {"a.jpg", "b.jpg"})
    assert sheet.result.bounds[0] <= second.result.score["total"] <= sheet.result.bounds[1]


def test_a_number_that_only_one_photo_shows_is_known() -> None:
    sheet = read_sheet([sighting(written(number=None), "a.jpg"), sighting(written(blur_mm=POOR), "b.jpg")])
    assert sheet.key.sheet_number == 8001


@pytest.mark.parametrize(
    ("where", "reading"),
    [("obelisk r5 c2", "O"), ("level2", "5"), ("scroll2 points", "marked"), ("scroll1 points", "unmarked")],
)
def test_changing_a_place_and_reading_it_again(where: str, reading: str) -> None:
    assert places.readings(places.changed(state(), where, reading)) == places.readings(state()) | {where: reading}
