"""From photos to poses and refusals."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from scanner.errors import Inconsistent, NoFiducials, SheetError, TooBlurred, TooFewFiducials, TooSmall, UnknownSheet
from scanner.geometry import FloatArray, GrayImage
from scanner.sheet.codes import sheet_ids
from scanner.sheet.estimate import Detections, find_sheets
from scanner.sheet.pose import SheetIdentity
from tests.sheet.paperphoto import (
    OBELISK,
    PRINT_PX_PER_MM,
    Bend,
    Laid,
    as_photo,
    bowed,
    cover,
    flat,
    photograph,
    points_inside,
    printed,
    view,
)

SIZE = (2000, 1500)
GRIDS = ("obelisk", "wall", "scroll1", "scroll2", "scroll3")
NUMBER = 1_234_567
IDS = sheet_ids(0, 1, NUMBER)


def sheets_in(laid: Sequence[Laid], blur_px: float = 0.8) -> Detections:
    return find_sheets(as_photo(photograph(laid, SIZE, blur_px=blur_px)), [OBELISK])


def refusal(laid: Sequence[Laid], blur_px: float = 0.8) -> SheetError:
    found = sheets_in(laid, blur_px)
    assert found.poses == ()
    assert len(found.refused) == 1
    return found.refused[0].error


@pytest.mark.parametrize(
    ("homography", "bend"),
    [
        (view(SIZE), flat),
        (view(SIZE, 430, turn=90), flat),
        (view(SIZE, 430, turn=217), bowed),
        (view(SIZE, 380, tilt=56, turn=20), flat),
        (view(SIZE, 430, tilt=45, turn=-30), bowed),
        (view(SIZE, 800, turn=70), flat),
    ],
    ids=["flat", "on its side", "bowed", "steep", "bowed and tilted", "small"],
)
def test_poses_are_right_to_a_tenth_of_a_millimetre(homography: FloatArray, bend: Bend) -> None:
    laid = Laid(printed(), homography, bend)
    found = sheets_in([laid])
    assert found.refused == ()
    (pose,) = found.poses
    assert pose.identity == SheetIdentity("obelisk", 1, NUMBER)
    assert pose.fiducials == IDS
    off = laid.error_mm(pose.to_photo, points_inside(*GRIDS))
    assert off.mean() < 0.05
    assert off.max() < 0.2
    assert pose.residual_mm < 0.05
    paper = np.array([[0.0, 0.0], [297.0, 0.0], [297.0, 210.0], [0.0, 210.0]])
    assert np.linalg.norm(pose.corners_px - laid.to_photo(paper), axis=1).max() < 6.0


def test_pen_outlines_along_the_lines_do_not_pull_the_pose() -> None:
    paper = printed()
    rng = np.random.default_rng(11)
    for name in ("obelisk", "wall"):
        grid = OBELISK.grid(name)
        for _ in range(60):
            start = np.array([rng.integers(0, grid.columns), rng.integers(0, grid.rows)])
            step = np.array([1, 0]) if rng.random() < 0.5 else np.array([0, 1])
            ends = (np.array([start, start + step]) * grid.cell_mm + np.array(grid.origin_mm)) + rng.uniform(0, 0.8, 2)
            a, b = (tuple(int(v) for v in np.rint(end * PRINT_PX_PER_MM)) for end in ends)
            cv2.line(paper, a, b, 60, 5)
    laid = Laid(paper, view(SIZE, tilt=15), bowed)
    (pose,) = sheets_in([laid]).poses
    off = laid.error_mm(pose.to_photo, points_inside("obelisk", "wall"))
    assert off.mean() < 0.08
    assert off.max() < 0.35


@pytest.mark.parametrize(("places", "bend"), [([0], bowed), ([0, 4, 7], bowed), ([0, 1, 2], bowed), ([0, 3, 7], flat)])
def test_three_fiducials_may_be_missing(places: list[int], bend: Bend) -> None:
    paper = printed()
    cover(paper, places)
    laid = Laid(paper, view(SIZE), bend)
    (pose,) = sheets_in([laid]).poses
    assert set(pose.fiducials) == {fiducial_id for place, fiducial_id in enumerate(IDS) if place not in places}
    assert pose.identity.sheet_number == (None if any(place >= 4 for place in places) else NUMBER)
    assert laid.error_mm(pose.to_photo, points_inside(*GRIDS)).max() < 0.2


def test_with_four_missing_the_refusal_names_them() -> None:
    paper = printed()
    cover(paper, [0, 5, 6, 2])
    error = refusal([Laid(paper, view(SIZE))])
    assert isinstance(error, TooFewFiducials)
    assert "missing: top left corner, bottom right corner, right edge, bottom edge." in error.message


def test_a_fiducial_that_moved_is_left_out() -> None:
    paper = printed()
    corners = np.rint(OBELISK.fiducial_corners_mm(3) * PRINT_PX_PER_MM).astype(int)
    (x0, y0), (x1, y1) = corners[0] - 10, corners[2] + 10
    moved = paper[y0:y1, x0:x1].copy()
    paper[y0:y1, x0:x1] = 240
    paper[y0 - 35 : y1 - 35, x0 + 28 : x1 + 28] = moved
    laid = Laid(paper, view(SIZE))
    (pose,) = sheets_in([laid]).poses
    assert set(pose.fiducials) == set(IDS) - {IDS[3]}
    assert laid.error_mm(pose.to_photo, points_inside(*GRIDS)).max() < 0.2


def test_a_set_of_sheets_is_told_apart() -> None:
    places = ((315, 230), (-20, 230), (315, -20), (-20, -20))
    laid = [Laid(printed(k + 1, 8000 + k), view(SIZE, 720, turn=4 * k, centre_mm=c)) for k, c in enumerate(places)]
    found = sheets_in(laid)
    assert found.refused == ()
    assert [pose.identity for pose in found.poses] == [SheetIdentity("obelisk", k + 1, 8000 + k) for k in range(4)]
    for pose, sheet in zip(found.poses, laid, strict=True):
        assert sheet.error_mm(pose.to_photo, points_inside(*GRIDS)).max() < 0.3


def test_two_prints_of_one_sheet_are_told_apart_by_place() -> None:
    laid = [Laid(printed(), view(SIZE, 700, turn=2, centre_mm=c)) for c in ((310, 215), (-10, -5))]
    found = sheets_in(laid)
    assert found.refused == ()
    assert len(found.poses) == 2
    errors = [[sheet.error_mm(pose.to_photo, points_inside(*GRIDS)).max() for pose in found.poses] for sheet in laid]
    assert sorted(np.argmin(errors, axis=1)) == [0, 1]
    assert np.min(errors, axis=1).max() < 0.3


def test_a_sheet_that_is_partly_hidden_by_another_is_refused_beside_it() -> None:
    below, above = (Laid(printed(seat), view(SIZE, 600, centre_mm=c)) for seat, c in ((1, (215, 160)), (2, (100, 70))))
    found = sheets_in([below, above])
    assert [pose.identity.seat for pose in found.poses] == [2]
    assert [refused.identity.seat for refused in found.refused if refused.identity] == [1]


def test_a_sheet_that_leaves_the_photo_is_refused() -> None:
    error = refusal([Laid(printed(), view(SIZE, centre_mm=(200, 105)))])
    assert isinstance(error, TooFewFiducials)
    assert "scroll1" in error.message


def test_a_small_sheet_is_refused_with_its_cells_size() -> None:
    error = refusal([Laid(printed(), view(SIZE, 1350, turn=10))])
    assert isinstance(error, TooSmall)
    assert "a cell is 18." in error.message


def error_in(gray: GrayImage) -> SheetError:
    """Why the one sheet of a photo is not read."""
    try:
        found = find_sheets(as_photo(gray), [OBELISK])
    except SheetError as error:
        return error
    assert found.poses == ()
    return found.refused[0].error


def test_a_sheet_too_small_for_its_codes_is_refused_with_its_cells_size() -> None:
    gray = photograph([Laid(printed(), view(SIZE))])
    tiny = cv2.resize(gray, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    error = error_in(np.asarray(tiny, np.uint8))
    assert isinstance(error, TooSmall)
    assert "a cell is " in error.message


@pytest.mark.parametrize("blur_px", [5.5, 8.0, 12.0])
def test_a_blurred_photo_is_refused(blur_px: float) -> None:
    with pytest.raises(TooBlurred):
        sheets_in([Laid(printed(), view(SIZE))], blur_px=blur_px)


@pytest.mark.parametrize("length", [21, 35, 49])
def test_a_shaken_photo_is_refused(length: int) -> None:
    shake = np.zeros((length, length), np.float32)
    cv2.line(shake, (0, length // 4), (length - 1, 3 * length // 4), 1.0, 1)
    shaken = cv2.filter2D(photograph([Laid(printed(), view(SIZE))]), -1, shake / shake.sum())
    assert isinstance(error_in(np.asarray(shaken, np.uint8)), TooBlurred)


def test_a_mirrored_photo_is_refused() -> None:
    with pytest.raises(Inconsistent, match="mirrored"):
        sheets_in([Laid(printed()[:, ::-1].copy(), view(SIZE))])


def test_another_drawing_between_the_fiducials_is_refused() -> None:
    paper = printed()
    cv2.rectangle(paper, (200, 200), (2100, 1450), 240, -1)
    error = refusal([Laid(paper, view(SIZE))])
    assert isinstance(error, Inconsistent)
    assert "obelisk" in error.message


def test_a_sheet_of_an_unknown_game_is_named_as_such() -> None:
    other = msgspec.structs.replace(OBELISK, game_index=2)
    assert isinstance(refusal([Laid(printed(3, 77, other), view(SIZE))]), UnknownSheet)


def test_edge_fiducials_alone_belong_to_nobody() -> None:
    paper = printed()
    cover(paper, [0, 1, 2, 3])
    found = sheets_in([Laid(paper, view(SIZE))])
    assert [refused.identity for refused in found.refused] == [None]
    assert isinstance(found.refused[0].error, TooFewFiducials)


def test_blank_paper_is_no_sheet() -> None:
    with pytest.raises(NoFiducials):
        sheets_in([Laid(np.full_like(printed(), 240), view(SIZE))])


@pytest.mark.parametrize("name", ["qr-codes", "unknown-kind", "foreign-aruco", "april-tags"])
def test_squares_of_another_kind_are_not_blamed_on_blur(name: str) -> None:
    """Their photos are no softer than a sheet's that can be read."""
    picture = cv2.imread(str(Path(__file__).parents[2] / "sample_scans" / "not_a_sheet" / f"{name}.jpg"))
    assert picture is not None
    with pytest.raises(NoFiducials):
        find_sheets(as_photo(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)), [OBELISK])


def test_foreign_fiducials_beside_a_sheet_are_passed_over() -> None:
    gray = photograph([Laid(printed(), view(SIZE, 500, centre_mm=(200, 105)))])
    for k, name in enumerate(("DICT_ARUCO_MIP_36h12", "DICT_6X6_250", "DICT_APRILTAG_36h11")):
        marker = 249 if k == 0 else 7
        image = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name)), marker, 80)
        x = 1650
        y = 200 + 300 * k
        gray[y - 15 : y + 95, x - 15 : x + 95] = 240
        gray[y : y + 80, x : x + 80] = np.asarray(image) // 2 + 20
    found = find_sheets(as_photo(gray), [OBELISK])
    assert len(found.poses) == 1
    assert found.refused == ()


@pytest.mark.parametrize("size", [(1, 3000), (3000, 1), (1, 1), (49, 49)])
def test_a_picture_too_narrow_for_any_sheet_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(NoFiducials, match="pixels"):
        find_sheets(as_photo(np.full(size, 255, np.uint8)), [OBELISK])
