"""The pipeline: sources, results, and which errors become whose."""

import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

import scanner
from scanner import pipeline
from scanner.errors import Inconsistent, TooBlurred
from scanner.photo.photo import Photo
from scanner.pipeline import ScanOptions, read_photo, read_photo_safely, scan_photo
from scanner.result import thaw
from scanner.sheet import estimate
from scanner.sheet.pose import SheetIdentity
from scanner.sheet.template import Template
from tests.handmade import SCORE, state
from tests.tabletop import encoded, reader, tabletop


@pytest.fixture(autouse=True)
def _worked_example(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every sheet reads as the worked example: these tests are about the flow, not about the networks."""
    monkeypatch.setattr(pipeline, "read_sheets", reader(state(), state(levels=[2, 0, 0])))


def refuse_first(monkeypatch: pytest.MonkeyPatch, everything: bool = False) -> None:
    """The first sheet found, or all, cannot be trusted."""

    def find(photo: Photo, templates: Sequence[Template]) -> estimate.Detections:
        found = estimate.find_sheets(photo, templates)
        gone = found.poses if everything else found.poses[:1]
        refused = tuple(estimate.Refusal(pose.identity, TooBlurred("Too blurred."), (), None) for pose in gone)
        return replace(found, poses=found.poses[len(gone) :], refused=refused)

    monkeypatch.setattr(pipeline, "find_sheets", find)


def test_a_sheet_is_found_read_and_scored() -> None:
    result = scan_photo(tabletop((2, 8001)))
    assert result.error is None
    assert not result.refused
    (sheet,) = result.sheets
    assert thaw(sheet.score) == SCORE
    assert (sheet.state["game"], sheet.state["seat"], sheet.state["sheet_number"]) == ("obelisk", 2, 8001)
    assert sheet.bounds == (56, 56)
    assert not sheet.review
    assert len(sheet.pose.corners_px) == 4
    width = np.linalg.norm(np.subtract(sheet.pose.corners_px[1], sheet.pose.corners_px[0]))
    assert width == pytest.approx(297 * 4, abs=2)
    assert sheet.pose.residual_mm < 0.1


def test_two_sheets_with_one_seat_and_number_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "read_sheets", reader(state(), state(), state()))
    result = scan_photo(tabletop((2, 8001), (1, 8000), (2, 8001)))
    named = [
        (sheet.state["seat"], [line.message for line in sheet.audit if line.rule == "same sheet twice"])
        for sheet in result.sheets
    ]
    text = "2 sheets here carry seat 2 and number 8001: only one can be the seat's."
    assert sorted(named) == [(1, []), (2, [text]), (2, [text])]


def test_paths_bytes_and_arrays_give_the_same_sheets(tmp_path: Path) -> None:
    data = encoded(tabletop((2, 8001)))
    path = tmp_path / "photo.png"
    path.write_bytes(data)
    by_path, by_text, by_bytes = scan_photo(path), scan_photo(str(path)), scan_photo(data)
    assert by_path.file == by_text.file == str(path)
    assert by_path.sheets == by_text.sheets == by_bytes.sheets == scan_photo(tabletop((2, 8001))).sheets


def test_points_that_were_forgotten_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    scrolls = [dict(scroll) for scroll in state()["scrolls"]]
    scrolls[0]["marked"] = False
    monkeypatch.setattr(pipeline, "read_sheets", reader(state(scrolls=scrolls)))
    (sheet,) = scan_photo(tabletop((2, 8001))).sheets
    assert "scroll1" in [line.where for line in sheet.audit]


def test_several_sheets_in_one_photo() -> None:
    result = scan_photo(tabletop((1, 8000), (2, 8001)))
    assert sorted(sheet.state["sheet_number"] for sheet in result.sheets) == [8000, 8001]
    assert sorted(sheet.score["total"] for sheet in result.sheets) == [55, 56]


@pytest.mark.parametrize(
    ("source", "kind", "code"),
    [
        (b"not a picture", "not_an_image", 3),
        (b"", "not_an_image", 3),
        ("nowhere/photo.jpg", "missing_file", 3),
        (encoded(tabletop((2, 8001)), ".jpg")[:-20_000], "truncated", 3),
        (np.zeros((4, 4), np.uint8), "not_an_image", 3),
        (tabletop(), "no_fiducials", 4),
    ],
    ids=["no picture", "empty", "missing", "cut short", "gray array", "empty table"],
)
def test_errors_of_the_photo_come_back_as_its_error(source: bytes | str, kind: str, code: int) -> None:
    result = scan_photo(source)
    assert result.error is not None
    assert (result.error.kind, result.error.code) == (kind, code)
    assert result.error.message
    assert result.error.hint
    assert not result.sheets
    assert not result.refused


def test_a_sheet_that_cannot_be_trusted_is_refused_and_the_others_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_first(monkeypatch)
    result = scan_photo(tabletop((1, 8000), (2, 8001)))
    assert result.error is None
    (refused,), (sheet,) = result.refused, result.sheets
    assert {refused.sheet_number, sheet.state["sheet_number"]} == {8000, 8001}
    assert refused.error.kind == "too_blurred"
    assert result.worst_code == 4


def test_when_every_sheet_is_refused_nothing_could_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_first(monkeypatch, everything=True)
    result = scan_photo(tabletop((1, 8000), (2, 8001)))
    assert not result.sheets
    assert len(result.refused) == 2
    assert result.error is not None
    assert result.error.kind == "too_blurred"


def test_a_sheet_that_cannot_be_decoded_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_readings: object, _template: object, _identity: SheetIdentity) -> None:
        raise Inconsistent("This makes no sense.")

    monkeypatch.setattr(pipeline, "decode", fail)
    result = scan_photo(tabletop((2, 8001)))
    assert [(refused.seat, refused.error.kind) for refused in result.refused] == [(2, "inconsistent")]


def test_pages_are_read_one_by_one_and_none_is_passed_over() -> None:
    pages = [Image.fromarray(tabletop(*sheets)) for sheets in (((1, 8000),), (), ((2, 8001),))]
    stream = io.BytesIO()
    pages[0].save(stream, "TIFF", save_all=True, append_images=pages[1:])
    scan = read_photo(stream.getvalue(), name="scans.tif")
    assert [(sheet.page, sheet.state["seat"]) for sheet in scan.result.sheets] == [(1, 1), (3, 2)]
    assert [(refused.page, refused.seat, refused.error.kind) for refused in scan.result.refused] == [(2, None, "no_fiducials")]
    assert scan.result.file == "scans.tif"
    assert [scan.photos.index(sheet.photo) for sheet in scan.sheets] == [0, 2]


def test_a_bug_is_one_photos_error_only_where_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_rectified: object, _template: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(pipeline, "read_sheets", fail)
    photo = tabletop((2, 8001))
    with pytest.raises(ZeroDivisionError):
        scan_photo(photo)
    told: list[str] = []
    result = read_photo_safely(photo, name="a.jpg", on_bug=told.append).result
    assert result.error is not None
    assert (result.error.kind, result.error.code, result.file) == ("internal", 70, "a.jpg")
    assert "ZeroDivisionError: a bug" in result.error.message
    assert "report" in result.error.hint
    assert "Traceback" in told[0]


def test_options_are_frozen_and_name_known_games_only() -> None:
    careless: Any = ScanOptions()
    with pytest.raises(AttributeError):
        careless.games = ()
    with pytest.raises(KeyError):
        ScanOptions(("chess",)).templates()


def test_the_package_offers_the_pipeline_by_name() -> None:
    assert scanner.scan_photo is scan_photo
    assert scanner.score_state(state())["total"] == 56
    package: Any = scanner
    with pytest.raises(AttributeError, match="no attribute 'scan_phot'"):
        _ = package.scan_phot


@pytest.mark.parametrize("noise", [0.0, 2.0])
@pytest.mark.parametrize("from_row", [0.5, 0.6, 0.7])
def test_a_part_of_the_sheet_that_is_black_is_not_taken_for_blank_paper(from_row: float, noise: float) -> None:
    """Damaged files decode to black below the damage."""
    picture = cv2.imread(str(Path(__file__).parent.parent / "sample_scans" / "easy" / "easy-01.jpg"))
    assert picture is not None
    below = picture[int(from_row * len(picture)) :]
    below[:] = np.clip(np.random.default_rng(1).normal(0, noise, below.shape), 0, 255) if noise else 0
    result = scan_photo(np.asarray(picture, np.uint8))
    assert not result.sheets
    assert result.error is not None
    assert result.error.kind in ("inconsistent", "too_few_fiducials")
