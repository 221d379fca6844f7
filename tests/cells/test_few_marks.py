"""Sheets with few circles, or no edges: what stands beside the crops then."""

import numpy as np

from scanner.cells.crops import MARK_SIZE, crop
from scanner.cells.rectify import WHITE_LEVEL, Rectified
from scanner.geometry import RECT_PX_PER_MM
from scanner.sheet.template import load_template
from tests.example_game.bingo import BINGO


def flat(*, ink: bool) -> Rectified:
    """The card's white paper with its printed circle and, if wanted, ink all over it."""
    import cv2

    gray = np.full((round(210 * RECT_PX_PER_MM), round(297 * RECT_PX_PER_MM)), WHITE_LEVEL, np.uint8)
    (x, y), radius = BINGO.template.marks[0].centre_mm, BINGO.template.marks[0].diameter_mm / 2
    centre = (round(x * RECT_PX_PER_MM), round(y * RECT_PX_PER_MM))
    cv2.circle(gray, centre, round(radius * RECT_PX_PER_MM), (90,), 1, cv2.LINE_AA)
    if ink:
        cv2.line(gray, (centre[0] - 12, centre[1] - 12), (centre[0] + 12, centre[1] + 12), (20,), 3, cv2.LINE_AA)
    return Rectified(gray, np.zeros((1, 1), np.uint8))


def test_a_lone_circle_stands_beside_its_own_print_without_the_ink() -> None:
    bare = crop(flat(ink=False), BINGO.template).marks
    marked = crop(flat(ink=True), BINGO.template).marks
    assert bare.shape == (1, 2, *MARK_SIZE)
    middle = MARK_SIZE[0] // 2
    assert marked[0, 0, middle, middle] < 60, "the ink is in the crop"
    assert marked[0, 1, middle, middle] == WHITE_LEVEL, "and not in the print beside it"
    assert np.abs(bare[0, 0].astype(int) - bare[0, 1]).mean() < 5, "an empty circle looks like its print"


def test_sheets_without_outlines_have_no_edges() -> None:
    template = load_template("monolyth")
    width, height = (round(side * RECT_PX_PER_MM) for side in template.paper_mm)
    blank = Rectified(np.full((height, width), WHITE_LEVEL, np.uint8), np.zeros((1, 1), np.uint8))
    crops = crop(blank, template)
    assert len(crops.edges) == len(crops.struck) == 0
    assert len(crops.marks) == len(template.marks)
