"""Finding and reading single fiducials."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scanner.geometry import GrayImage
from scanner.sheet.codes import sheet_ids
from scanner.sheet.fiducials import SearchLevel, detect_fiducials, look_for_fiducial, search_levels
from tests.sheet.paperphoto import OBELISK, Laid, as_photo, cover, photograph, printed, view

SIZE = (2000, 1500)
IDS = sheet_ids(0, 1, 1_234_567)


def aruco(name: str, ids: range) -> GrayImage:
    """A page of markers of a dictionary of OpenCV."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))
    page = np.full((1500, 2000), 235, dtype=np.uint8)
    for k, marker in enumerate(ids):
        y, x = 100 + 230 * (k // 8), 100 + 230 * (k % 8)
        page[y : y + 130, x : x + 130] = np.asarray(cv2.aruco.generateImageMarker(dictionary, marker, 130)) // 2 + 20
    return np.asarray(cv2.GaussianBlur(page, (0, 0), 1.0), dtype=np.uint8)


@pytest.mark.parametrize("turn", [0, 90, 180, 270, 33])
def test_corners_are_found_to_a_tenth_of_a_pixel(turn: float) -> None:
    laid = Laid(printed(), view(SIZE, 430, turn=turn))
    photo = as_photo(photograph([laid]))
    found = {fiducial.id: fiducial for fiducial in detect_fiducials(photo, search_levels(photo)[0])}
    assert set(found) == set(IDS)
    for place, fiducial_id in enumerate(IDS):
        truth = laid.to_photo(OBELISK.fiducial_corners_mm(place))
        assert np.linalg.norm(found[fiducial_id].corners_px - truth, axis=1).max() < 0.1
        assert found[fiducial_id].bit_errors == 0


def test_ids_and_corner_order_are_opencv_s() -> None:
    page = aruco("DICT_ARUCO_MIP_36h12", range(0, 250, 6))
    page = np.asarray(cv2.rotate(page, cv2.ROTATE_90_CLOCKWISE), dtype=np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_ARUCO_MIP_36h12)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(page)
    assert ids is not None
    truth = {int(i): np.asarray(c).reshape(4, 2) for i, c in zip(ids.ravel(), corners, strict=True)}
    found = {f.id: f.corners_px for f in detect_fiducials(as_photo(page), SearchLevel(1, 2))}
    assert set(found) == set(truth) == set(range(0, 250, 6))
    for fiducial_id, corner in found.items():
        assert np.abs(corner - truth[fiducial_id]).max() < 2.0


@pytest.mark.parametrize("name", ["DICT_4X4_250", "DICT_5X5_250", "DICT_6X6_250", "DICT_7X7_250", "DICT_APRILTAG_36h11"])
def test_other_dictionaries_are_passed_over(name: str) -> None:
    photo = as_photo(aruco(name, range(48)))
    for level in search_levels(photo):
        assert detect_fiducials(photo, level) == ()


def test_chessboards_and_noise_hold_no_fiducials() -> None:
    rng = np.random.default_rng(6)
    board = np.kron(np.indices((12, 16)).sum(axis=0) % 2, np.ones((120, 120))) * 200 + 20
    bits = np.kron(rng.integers(0, 2, (60, 80)), np.ones((25, 25))) * 200 + 20
    blobs = cv2.GaussianBlur(rng.normal(128, 400, (1500, 2000)).astype(np.float32), (0, 0), 6)
    for picture in (board, bits, np.clip(blobs, 0, 255)):
        photo = as_photo(picture.astype(np.uint8))
        for level in search_levels(photo):
            assert detect_fiducials(photo, level) == ()


def test_a_mirrored_photo_shows_mirrored_fiducials_only() -> None:
    photo = as_photo(photograph([Laid(printed(), view(SIZE))])[:, ::-1].copy())
    level = search_levels(photo)[0]
    assert detect_fiducials(photo, level) == ()
    assert {fiducial.id for fiducial in detect_fiducials(photo, level, mirrored=True)} == set(IDS)


def struck(gray: NDArray[np.uint8], laid: Laid, place: int) -> NDArray[np.uint8]:
    """With a pen stroke through the quiet zone and border of a fiducial."""
    a, b = laid.to_photo(OBELISK.fiducial_corners_mm(place)[:2] + np.array([[-4.0, 3.0], [-11.5, 3.0]]))
    marked = gray.copy()
    cv2.line(marked, tuple(np.rint(a).astype(int)), tuple(np.rint(b).astype(int)), 40, 5)
    return marked


def test_a_fiducial_is_looked_for_where_it_should_be() -> None:
    paper = printed()
    cover(paper, [2])
    laid = Laid(paper, view(SIZE))
    photo = as_photo(struck(photograph([laid]), laid, 0))
    reduction = search_levels(photo)[0].reduction
    near = np.array([5.0, -4.0])
    found = look_for_fiducial(photo, reduction, [IDS[0]], laid.to_photo(OBELISK.fiducial_corners_mm(0)) + near)
    assert found is not None
    assert np.linalg.norm(found.corners_px - laid.to_photo(OBELISK.fiducial_corners_mm(0)), axis=1).max() < 0.3
    assert look_for_fiducial(photo, reduction, [IDS[1]], laid.to_photo(OBELISK.fiducial_corners_mm(0))) is None
    assert look_for_fiducial(photo, reduction, [IDS[2]], laid.to_photo(OBELISK.fiducial_corners_mm(2))) is None
    assert look_for_fiducial(photo, reduction, [IDS[0]], np.full((4, 2), -900.0)) is None


def test_blur_is_measured() -> None:
    rises = []
    for blur in (1.0, 2.0):
        photo = as_photo(photograph([Laid(printed(), view(SIZE))], blur_px=blur))
        rises.append(np.median([fiducial.rise_px for fiducial in detect_fiducials(photo, search_levels(photo)[0])]))
    assert rises[0] < 1.5
    assert 1.5 < rises[1] < 2.5
