"""Things on the sheet are seen by the print that they hide, or as something dark within a cell; shadows hide nothing."""

from collections.abc import Callable
from functools import cache

import cv2
import numpy as np
import pytest

from scanner.cells import Cover, find_cover
from scanner.cells.rectify import even_light
from scanner.geometry import RECT_PX_PER_MM, FloatArray, GrayImage
from scanner.sheet.drawing import sheet_drawing
from scanner.sheet.template import load_template
from scanner.synth.press import press

TEMPLATE = load_template("obelisk")
OBELISK = TEMPLATE.grid("obelisk")
PAPER = 200
Point = tuple[float, float]


@cache
def photographed() -> GrayImage:
    """A printed sheet as a photo might show it: gray paper, a little blurred, with noise; rectified px."""
    width, height = (round(side * RECT_PX_PER_MM) for side in TEMPLATE.paper_mm)
    large = press(sheet_drawing(TEMPLATE, 1, 8), 2 * RECT_PX_PER_MM)
    small = cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(5).normal(0, 3, small.shape)
    seen = cv2.GaussianBlur(small, (0, 0), 1.0) * (PAPER / 255) + noise
    photo: GrayImage = np.clip(seen, 0, 255).astype(np.uint8)
    return photo


def cell_mm(row: int, column: int) -> Point:
    (x, y), cell = OBELISK.origin_mm, OBELISK.cell_mm
    return x + (column + 0.5) * cell, y + (row + 0.5) * cell


def outline(centre: Point, width: float, height: float, turn: float) -> FloatArray:
    half = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    turned = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    corners: FloatArray = half @ turned + np.array(centre)
    return corners


def lay(gray: GrayImage, centre: Point, width: float, height: float, turn: float, value: int) -> None:
    """A rectangle of one gray value over the sheet; sizes in mm."""
    points = outline(centre, width, height, turn) * RECT_PX_PER_MM
    cv2.fillPoly(gray, [np.round(points * 16).astype(np.int32)], (value,), cv2.LINE_AA, 4)


def blot(gray: GrayImage, centre: Point, radius: float, value: int) -> None:
    x, y = (round(v * RECT_PX_PER_MM) for v in centre)
    cv2.circle(gray, (x, y), round(radius * RECT_PX_PER_MM), (value,), -1, cv2.LINE_AA)


def covered_with(spoil: Callable[[GrayImage], None]) -> Cover:
    gray = photographed().copy()
    spoil(gray)
    return find_cover(even_light(gray), TEMPLATE)


def covered(cover: Cover, grid: str = "obelisk") -> set[tuple[int, int]]:
    return {(int(row), int(column)) for row, column in np.argwhere(cover.cells[grid] | cover.perhaps[grid])}


def test_nothing_lies_on_a_clean_sheet() -> None:
    cover = covered_with(lambda _gray: None)
    assert not any(
        cells.any() for found in (cover.cells, cover.perhaps, cover.edges_h, cover.edges_v) for cells in found.values()
    )
    assert not cover.marks
    assert max(cover.ink.values()) < 0.4, "digits are printed in some"


@pytest.mark.parametrize("turn", [0.0, 0.4, 0.8])
@pytest.mark.parametrize("value", [PAPER, PAPER - 12, 120, 40])
def test_paper_on_a_cell_hides_it_whatever_its_gray(value: int, turn: float) -> None:
    cover = covered_with(lambda gray: lay(gray, cell_mm(5, 2), 15, 14, turn, value))
    assert (5, 2) in covered(cover)
    assert covered(cover) <= {(row, column) for row in (4, 5, 6) for column in (1, 2, 3)}


def test_edges_under_paper_are_not_seen_and_those_beside_it_are() -> None:
    cover = covered_with(lambda gray: lay(gray, cell_mm(5, 2), 20, 20, 0.0, PAPER))
    assert np.argwhere(cover.edges_h["obelisk"]).tolist() == [[5, 2], [6, 2]]
    assert np.argwhere(cover.edges_v["obelisk"]).tolist() == [[5, 2], [5, 3]]


@pytest.mark.parametrize(("radius", "value"), [(3.8, 40), (5.5, 40), (7.0, 40), (12.0, 40), (5.5, 110)])
def test_blots_are_seen_even_within_a_cell(radius: float, value: int) -> None:
    assert (8, 3) in covered(covered_with(lambda gray: blot(gray, cell_mm(8, 3), radius, value)))


def test_a_pen_across_the_sheet_hides_the_cells_under_it() -> None:
    cover = covered_with(lambda gray: lay(gray, cell_mm(6, 2), 90, 9, 1.2, 60))
    assert {(6, 2), (5, 2), (7, 2)} <= covered(cover)
    assert (6, 0) not in covered(cover)


def test_washed_out_light_hides_and_what_is_beside_it_stays() -> None:
    def glare(gray: GrayImage) -> None:
        y, x = np.mgrid[: gray.shape[0], : gray.shape[1]] / RECT_PX_PER_MM
        centre = cell_mm(3, 2)
        light = 400 * np.exp(-((x - centre[0]) ** 2 + (y - centre[1]) ** 2) / (2 * 10.0**2))
        gray[:] = np.clip(gray + light, 0, 255)

    cover = covered_with(glare)
    assert (3, 2) in covered(cover)
    assert (8, 2) not in covered(cover)


def test_a_dark_shadow_hides_nothing() -> None:
    def shade(gray: GrayImage) -> None:
        mask = np.zeros_like(gray)
        lay(mask, cell_mm(6, 2), 43, 37, 0.5, 255)
        soft = cv2.GaussianBlur(mask, (0, 0), 0.8 * RECT_PX_PER_MM) / 255
        gray[:] = gray * (1 - 0.6 * soft)

    assert not any(covered(covered_with(shade), grid.name) for grid in TEMPLATE.grids)


def test_strokes_within_a_cell_and_along_its_lines_hide_nothing() -> None:
    def draw(gray: GrayImage) -> None:
        x, y = cell_mm(6, 2)
        for turn in (0.8, -0.8):
            lay(gray, (x, y), 11, 1.6, turn, 30)
        for dx, dy, turn in ((0, 6.25, 0.0), (0, -6.25, 0.0), (6.25, 0, np.pi / 2), (-6.25, 0, np.pi / 2)):
            lay(gray, (x + dx, y + dy), 12.5, 1.5, turn, 30)

    assert not covered(covered_with(draw))


def test_circles_under_paper_are_not_seen() -> None:
    names = {"level1.3", "level1.2"}
    places = {mark.name: mark.centre_mm for mark in TEMPLATE.marks}

    def hide(gray: GrayImage) -> None:
        for name in names:
            lay(gray, places[name], 8.8, 12, 0.0, PAPER - 10)

    assert covered_with(hide).marks == names


def test_marked_circles_are_seen() -> None:
    def fill(gray: GrayImage) -> None:
        for index, mark in enumerate(TEMPLATE.marks):
            if index % 2:
                blot(gray, mark.centre_mm, 3.6, 40)
            else:
                lay(gray, mark.centre_mm, 9, 1.2, 0.7, 40)

    assert not covered_with(fill).marks


def test_ink_in_circles_is_measured() -> None:
    rng = np.random.default_rng(8)

    def scribble(gray: GrayImage) -> None:
        for index, mark in enumerate(TEMPLATE.marks):
            points = np.array(mark.centre_mm) + rng.uniform(-3.5, 3.5, (26 if index % 2 == 0 else 5, 2))
            drawn = [np.round(points * RECT_PX_PER_MM * 16).astype(np.int32)]
            cv2.polylines(gray, drawn, False, (60,), 2, cv2.LINE_AA, 4)

    ink = list(covered_with(scribble).ink.values())
    assert min(ink[::2]) > 0.65
    assert max(ink[1::2]) < 0.5


def test_solid_circles_are_all_ink() -> None:
    places = {mark.name: mark.centre_mm for mark in TEMPLATE.marks}
    assert covered_with(lambda gray: blot(gray, places["level2.5"], 3.8, 40)).ink["level2.5"] == 1.0
