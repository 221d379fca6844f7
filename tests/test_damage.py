"""Damage from the photo's file to the paper itself, through the whole pipeline: never read as if it were whole."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scanner import scan_photo
from scanner.geometry import apply_homography
from tests.tabletop import encoded, tabletop

Picture = NDArray[np.uint8]
SHEET = (2, 8001)
TURNED = np.vstack([cv2.getRotationMatrix2D((594.0, 420.0), 2.0, 1.0), [0, 0, 1]])
TO_PHOTO = np.array([[1.0, 0, 66], [0, 1, 70], [0, 0, 1]]) @ TURNED @ np.diag([4.0, 4.0, 1.0])
"""Sheet mm to px of `tabletop`, which prints 4 px a mm."""


def photo() -> Picture:
    """A sheet on which nobody has written."""
    return tabletop(SHEET)


def laid_on(picture: Picture, centre_mm: tuple[float, float], size_mm: tuple[float, float], colour: int) -> Picture:
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size_mm) / 2
    corners = apply_homography(TO_PHOTO, half + np.array(centre_mm))
    cv2.fillPoly(picture, [np.round(corners * 16).astype(np.int32)], (colour,) * 3, cv2.LINE_AA, 4)
    return picture


def reviewed(picture: Picture) -> set[str]:
    """What is asked about the one sheet of a picture."""
    result = scan_photo(picture)
    assert result.error is None, result.error
    (sheet,) = result.sheets
    return {line.where for line in sheet.review}


def test_a_clean_sheet_needs_no_look() -> None:
    assert reviewed(photo()) == set()


@pytest.mark.parametrize("colour", [245, 130, 25])
def test_what_lies_on_a_cell_is_asked_about(colour: int) -> None:
    row5_column3 = (100 + 2.5 * 12.5, 30 + 4.5 * 12.5)
    assert "obelisk r5 c3" in reviewed(laid_on(photo(), row5_column3, (17, 15), colour))


def test_what_lies_on_circles_is_asked_about() -> None:
    assert {"level1 mark 3", "level1 mark 2", "level1 mark 1"} <= reviewed(laid_on(photo(), (83, 130), (31, 12), 250))


def test_something_large_on_the_sheet_refuses_it() -> None:
    result = scan_photo(laid_on(photo(), (131, 90), (60, 70), 235))
    assert result.error is not None
    assert result.error.kind == "inconsistent"
    assert "obelisk" in result.error.message


@pytest.mark.parametrize("suffix", [".jpg", ".webp", ".png"])
def test_bytes_overwritten_inside_a_file_never_make_a_whole_sheet_of_a_part(suffix: str) -> None:
    """Every verdict is the right one, or names what is open, or refuses."""
    whole = encoded(photo(), suffix)
    rng = np.random.default_rng(17)
    for place in np.linspace(0.15, 0.85, 8):
        damaged = bytearray(whole)
        at = int(place * len(whole))
        damaged[at : at + 16] = rng.bytes(16)
        result = scan_photo(bytes(damaged))
        assert result.error is not None or all(sheet.score["total"] == 0 or sheet.review for sheet in result.sheets)
        if suffix == ".png":
            assert result.error is not None
            assert result.error.kind == "truncated"
