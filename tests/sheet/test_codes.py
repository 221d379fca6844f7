"""Ids of fiducials: every id says one thing, and what is written is what is read."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.sheet import codes
from scanner.sheet.codes import CornerCode, EdgeCode

DICTIONARY = "DICT_ARUCO_MIP_36h12"


def test_known_ids() -> None:
    # By hand: game 0, seat 2: (0 * 8 + 1) * 4 = 4; 1595113 = ((29 * 38 + 2) * 38 + 24) * 38 + 25.
    assert codes.sheet_ids(0, 2, 1_595_113) == (4, 5, 6, 7, 96 + 29, 96 + 38 + 2, 96 + 76 + 24, 96 + 114 + 25)
    assert codes.sheet_ids(2, 8, 0)[:4] == (92, 93, 94, 95)


def test_every_id_says_one_thing() -> None:
    said = [codes.decode_id(i) for i in range(248)]
    assert None not in said
    assert len(set(said)) == 248
    for fiducial_id, code in enumerate(said):
        if isinstance(code, CornerCode):
            assert codes.corner_id(code.game_index, code.seat, code.corner) == fiducial_id
            assert code.place == code.corner
        else:
            assert isinstance(code, EdgeCode)
            assert codes.edge_id(code.edge, code.digit) == fiducial_id
            assert code.place == 4 + code.edge


@pytest.mark.parametrize("fiducial_id", [-1, 248, 249, 1000])
def test_ids_of_no_sheet(fiducial_id: int) -> None:
    assert codes.decode_id(fiducial_id) is None


@given(st.integers(0, 38**4 - 1))
def test_sheet_numbers_survive_their_digits(number: int) -> None:
    assert codes.number_from_digits(codes.sheet_digits(number)) == number


@pytest.mark.parametrize("lost", range(4))
def test_a_lost_digit_leaves_no_number(lost: int) -> None:
    digits: list[int | None] = [1, 2, 3, 4]
    digits[lost] = None
    assert codes.number_from_digits(digits) is None


def test_ranges() -> None:
    assert codes.SET_NUMBERS - 1 == 260_641
    for bad in ((0, 0, 0), (0, 9, 0), (3, 1, 0), (-1, 1, 0), (0, 1, 4)):
        with pytest.raises(ValueError, match="no corner fiducial"):
            codes.corner_id(*bad)
    for bad_edge in ((4, 0), (0, 38), (0, -1)):
        with pytest.raises(ValueError, match="no edge fiducial"):
            codes.edge_id(*bad_edge)
    for number in (-1, 38**4):
        with pytest.raises(ValueError, match="sheet numbers"):
            codes.sheet_digits(number)
    with pytest.raises(ValueError, match="has no id"):
        codes.modules(DICTIONARY, 250)


def test_modules_are_what_the_detector_reads() -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_ARUCO_MIP_36h12)
    black = codes.modules(DICTIONARY, 137)
    assert black.shape == (8, 8)
    assert black[[0, -1]].all()
    assert black[:, [0, -1]].all()
    picture = np.full((160, 160), 255, np.uint8)
    picture[40:120, 40:120] = np.kron(np.where(black, 0, 255), np.ones((10, 10))).astype(np.uint8)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(picture)
    assert np.ravel(ids).tolist() == [137]
    assert np.asarray(corners)[0, 0, 0] == pytest.approx([40, 40], abs=1)
