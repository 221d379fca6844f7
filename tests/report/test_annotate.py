"""Annotated pictures: they show what was read where it stands, and their names never collide."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scanner import pipeline
from scanner.geometry import FloatArray
from scanner.pipeline import PhotoScan, read_photo
from scanner.report.annotate import SHEET_PX_PER_MM, Annotator, photo_picture, sheet_picture
from scanner.report.layer import Layer, to_sheet
from scanner.report.marks import DOUBTFUL, FAIR, SURE, colour_of
from scanner.sheet.pose import Pose, SheetIdentity
from tests.handmade import state
from tests.tabletop import reader, tabletop


@pytest.fixture(scope="module")
def scan() -> PhotoScan:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "read_sheets", reader(state()))
        return read_photo(tabletop((2, 8001)), name="photo.jpg")


def bent_pose() -> Pose:
    warp_mm = np.random.default_rng(3).uniform(-2, 2, (6, 7, 2))
    homography = np.array([[4.0, 0.3, 80], [-0.2, 3.8, 90], [1e-4, 2e-4, 1]])
    return Pose(
        SheetIdentity("obelisk", 1, 1), (297.0, 210.0), homography, warp_mm, 0.1, 4.0, 0.1, np.zeros((4, 2)), ()
    )  # fmt: skip


def test_to_sheet_is_the_inverse_of_to_photo() -> None:
    pose = bent_pose()
    points: FloatArray = np.random.default_rng(1).uniform((0, 0), pose.paper_mm, (200, 2))
    assert np.abs(to_sheet(pose, pose.to_photo(points)) - points).max() < 0.02


def test_what_is_drawn_on_the_sheet_appears_there_in_the_photo() -> None:
    pose = bent_pose()
    layer = Layer(pose.paper_mm, 8.0)
    dots = [(30.0, 30.0), (250.0, 40.0), (150.0, 105.0), (40.0, 180.0), (280.0, 190.0)]
    for dot in dots:
        layer.circle(dot, 1.5, (0, 0, 255))
    black: NDArray[np.uint8] = np.zeros((1100, 1400, 3), np.uint8)
    red = layer.over_photo(black, 1, pose)[..., 2]
    count, _, _, centres = cv2.connectedComponentsWithStats((red > 128).astype(np.uint8))
    assert count == 1 + len(dots)
    expected = pose.to_photo(np.array(dots))
    for centre in centres[1:]:
        assert np.linalg.norm(expected - centre, axis=1).min() < 0.6


def at(picture: NDArray[np.uint8], x_mm: float, y_mm: float) -> tuple[int, ...]:
    return tuple(int(v) for v in picture[round(y_mm * SHEET_PX_PER_MM), round(x_mm * SHEET_PX_PER_MM)])


def test_the_sheets_picture_shows_readings_and_points(scan: PhotoScan) -> None:
    picture = sheet_picture(scan.sheets[0])
    plain = cv2.cvtColor(
        cv2.resize(scan.sheets[0].rectified.gray, (picture.shape[1], round(210 * SHEET_PX_PER_MM))), cv2.COLOR_GRAY2BGR
    )
    coloured = np.ptp(picture[: plain.shape[0]].astype(int), axis=2) > 60

    def has_colour(x_mm: float, y_mm: float, radius_mm: float) -> bool:
        x0, x1 = (round((x_mm + d) * SHEET_PX_PER_MM) for d in (-radius_mm, radius_mm))
        y0, y1 = (round((y_mm + d) * SHEET_PX_PER_MM) for d in (-radius_mm, radius_mm))
        return bool(coloured[y0:y1, x0:x1].any())

    assert has_colour(100 + 1.5 * 12.5 + 3, 30 + 4.5 * 12.5 + 3, 2.5), "the eye read at row 5, column 2"
    assert not has_colour(100 + 4.5 * 12.5, 30 + 0.5 * 12.5, 5), "nothing built at row 1, column 5"
    assert has_colour(74, 130, 5), "level 1, first"
    assert not has_colour(83, 130, 4), "level 1, second"
    assert has_colour(166, 30 + 4.5 * 12.5, 2.5), "the points of row 5"
    assert has_colour(100 + 1.5 * 12.5, 184, 2.5), "the points of column 2"
    assert has_colour(170, 42.5, 1), "the outline of a shape on the wall"


def test_the_photos_picture_outlines_every_sheet(scan: PhotoScan) -> None:
    picture = photo_picture(scan.photos[0], scan.sheets)
    assert picture.shape == (scan.photos[0].height, scan.photos[0].width, 3)
    for x, y in scan.sheets[0].pose.corners_px:
        window = picture[int(y) - 3 : int(y) + 4, int(x) - 3 : int(x) + 4].reshape(-1, 3).astype(int)
        assert (np.abs(window - SURE).max(axis=1) < 40).any()


def test_colours_follow_confidence_and_only_review_is_red() -> None:
    assert [colour_of(c) for c in (1.0, 0.99, 0.98, 0.0)] == [SURE, SURE, FAIR, FAIR]
    assert [colour_of(c, asked=True) for c in (1.0, 0.6)] == [DOUBTFUL, DOUBTFUL]


def named(scan: PhotoScan, file: str) -> PhotoScan:
    import msgspec

    return PhotoScan(msgspec.structs.replace(scan.result, file=file), scan.photos, scan.sheets)


def test_names_never_collide(scan: PhotoScan, tmp_path: Path) -> None:
    names = ["a/photo.jpg", "b/photo.jpg", "c/PHOTO.png", "-"]
    annotator = Annotator(tmp_path / "new" / "out", names)
    written = [path.name for name in names for path in annotator.write(named(scan, name))]
    assert written == [
        "photo.photo.jpg", "photo.seat2.png", "photo.photo-2.jpg", "photo.seat2-2.png",
        "PHOTO.photo-3.jpg", "PHOTO.seat2-3.png", "stdin.photo.jpg", "stdin.seat2.png",
    ]  # fmt: skip
    assert {path.name for path in (tmp_path / "new" / "out").iterdir()} == set(written)


def test_photos_are_never_written_over(scan: PhotoScan, tmp_path: Path) -> None:
    precious = tmp_path / "x.photo.jpg"
    precious.write_bytes(b"the player's own")
    annotator = Annotator(tmp_path, [str(tmp_path / "x.jpg"), str(precious)])
    annotator.write(named(scan, str(tmp_path / "x.jpg")))
    assert precious.read_bytes() == b"the player's own"
    assert (tmp_path / "x.photo-2.jpg").exists()


def test_a_photo_without_a_sheet_has_no_picture(tmp_path: Path) -> None:
    assert Annotator(tmp_path, ["a.png"]).write(read_photo(b"nothing", name="a.png")) == []
