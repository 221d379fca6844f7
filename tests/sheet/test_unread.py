"""Dark squares that lie as a sheet's fiducials do are measured; other dark things are passed over."""

import cv2
import numpy as np
import pytest

from scanner.errors import NoFiducials
from scanner.sheet.estimate import find_sheets
from scanner.sheet.unread import dark_squares
from tests.sheet.paperphoto import OBELISK, Laid, as_photo, photograph, printed, view

SIZE = (1400, 1000)


@pytest.mark.parametrize("blur_px", [1.0, 3.0, 6.0])
def test_their_size_and_blur_are_measured(blur_px: float) -> None:
    laid = Laid(printed(), view(SIZE))
    sides = [np.linalg.norm(np.diff(laid.to_photo(OBELISK.fiducial_corners_mm(p)), axis=0), axis=1).mean() for p in range(8)]
    found = dark_squares(as_photo(photograph([laid], blur_px=blur_px)))
    assert found is not None
    assert found.side_px == pytest.approx(float(np.median(sides)), rel=0.1)
    assert found.blur * found.side_px == pytest.approx(blur_px, rel=0.45)


def test_a_board_is_no_sheet() -> None:
    board = np.full((1000, 1400), 225, np.uint8)
    for row in range(8):
        for column in range(8):
            if (row + column) % 2:
                board[100 + 90 * row : 190 + 90 * row, 300 + 90 * column : 390 + 90 * column] = 40
    assert dark_squares(as_photo(board)) is None


def test_squares_all_over_a_page_are_no_fiducials() -> None:
    page = np.full((1000, 1400), 225, np.uint8)
    for y in range(80, 1000, 200):
        for x in range(80, 1400, 200):
            page[y : y + 30, x : x + 30] = 40
    assert dark_squares(as_photo(page)) is None


def test_text_is_no_sheet_however_blurred() -> None:
    page = np.full((1000, 1400), 225, np.uint8)
    for y in range(60, 960, 40):
        cv2.putText(page, "The quick brown fox jumps over a lazy dog and on", (40, y), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (40,), 3)
    for blur_px in (0.5, 3.0, 8.0):
        soft = np.asarray(cv2.GaussianBlur(page, (0, 0), blur_px), np.uint8)
        with pytest.raises(NoFiducials):
            find_sheets(as_photo(soft), [OBELISK])
