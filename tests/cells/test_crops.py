"""Crops come from the template's places, turned as promised, and from nowhere else."""

import numpy as np
import pytest

from scanner.cells import crop
from scanner.cells.crops import CONTENT_SIZE, EDGE_SIZE, MARK_SIZE, STRUCK_SIZE, CropArray, beside_print, places
from scanner.geometry import RECT_PX_PER_MM
from scanner.sheet.template import load_template
from tests.cells.flat_sheets import PAPER, with_spots

TEMPLATE = load_template("obelisk")
OBELISK, WALL = TEMPLATE.grid("obelisk"), TEMPLATE.grid("wall")
CELL = 12.5


def darkened(crops: CropArray) -> list[int]:
    return np.flatnonzero((crops < PAPER).any((1, 2))).tolist()


def darkest(crop: CropArray) -> tuple[float, float]:
    """Row and column of the middle of the dark spot, from the crop's middle."""
    rows, columns = np.nonzero(crop < PAPER)
    height, width = crop.shape
    return float(rows.mean() - (height - 1) / 2), float(columns.mean() - (width - 1) / 2)


def test_counts_and_sizes() -> None:
    """60 cells of the obelisk and 12 of the scrolls; 13 x 5 + 13 x 8 edges lie, 12 x 6 + 12 x 9 stand; 96 cells of the wall."""
    crops = crop(with_spots(TEMPLATE, []), TEMPLATE)
    assert crops.content.shape == (72, *CONTENT_SIZE)
    assert crops.edges.shape == (169 + 180, 2, *EDGE_SIZE)
    assert crops.struck.shape == (96, *STRUCK_SIZE)
    assert crops.marks.shape == (15, 2, *MARK_SIZE)
    for array in (crops.content, crops.edges, crops.struck, crops.marks):
        assert array.dtype == np.uint8
        assert not array.flags.writeable


def test_a_crop_shows_its_cell_and_a_third_of_a_cell_around() -> None:
    where = places(TEMPLATE)
    centres_px = where.content[:, ::-1] + (np.array(CONTENT_SIZE) - 1) / 2
    centres_mm = (centres_px + 0.5) / RECT_PX_PER_MM
    x, y = 100 + CELL / 2, 30 + CELL / 2
    # The corner is a whole pixel, so a centre may be half a pixel off.
    for index, centre in ((0, (x, y)), (1, (x + CELL, y)), (5, (x, y + CELL)), (59, (x + 4 * CELL, y + 11 * CELL))):
        assert centres_mm[index] == pytest.approx(centre, abs=0.51 / RECT_PX_PER_MM)
    assert CONTENT_SIZE[0] / RECT_PX_PER_MM / CELL == pytest.approx(4 / 3, abs=0.01)


@pytest.mark.parametrize(("row", "column"), [(0, 0), (0, 4), (3, 1), (11, 4)])
def test_a_spot_in_a_cell_shows_in_that_crop_alone(row: int, column: int) -> None:
    centre = (100 + (column + 0.5) * CELL, 30 + (row + 0.5) * CELL)
    crops = crop(with_spots(TEMPLATE, [(centre, 40)]), TEMPLATE)
    assert darkened(crops.content) == [row * 5 + column]
    assert np.abs(darkest(crops.content[row * 5 + column])).max() <= 1
    assert not darkened(crops.struck)
    assert not darkened(crops.marks[:, 0])


@pytest.mark.parametrize(("name", "first"), [("scroll1", 60), ("scroll2", 64), ("scroll3", 68)])
def test_scrolls_follow_the_obelisk(name: str, first: int) -> None:
    x, y = TEMPLATE.grid(name).origin_mm
    crops = crop(with_spots(TEMPLATE, [((x + 1.5 * CELL, y + 0.5 * CELL), 40)]), TEMPLATE)
    assert darkened(crops.content) == [first + 1]


@pytest.mark.parametrize(("row", "column"), [(0, 0), (5, 7), (11, 3)])
def test_cells_of_the_wall(row: int, column: int) -> None:
    centre = (170 + (column + 0.5) * CELL, 30 + (row + 0.5) * CELL)
    crops = crop(with_spots(TEMPLATE, [(centre, 40)]), TEMPLATE)
    assert darkened(crops.struck) == [row * 8 + column]
    assert not darkened(crops.content)


@pytest.mark.parametrize("index", range(15))
def test_marks_in_the_templates_order(index: int) -> None:
    mark = TEMPLATE.marks[index]
    crops = crop(with_spots(TEMPLATE, [(mark.centre_mm, 40)]), TEMPLATE)
    # Its neighbours' crops may reach to it; only its own has it in the middle.
    height, width = MARK_SIZE
    middles = crops.marks[:, 0, height // 2 - 1 : height // 2 + 1, width // 2 - 1 : width // 2 + 1].mean((1, 2))
    assert np.flatnonzero(middles < PAPER).tolist() == [index]


def middle_of_edges(crops: CropArray) -> list[int]:
    height, width = EDGE_SIZE
    return np.flatnonzero(crops[:, height // 2, width // 2] < PAPER).tolist()


@pytest.mark.parametrize(("row", "column"), [(0, 0), (4, 3), (12, 4)])
def test_lying_edges_come_first_row_by_row(row: int, column: int) -> None:
    crops = crop(with_spots(TEMPLATE, [((100 + (column + 0.5) * CELL, 30 + row * CELL), 40)]), TEMPLATE)
    assert middle_of_edges(crops.edges[:, 0]) == [row * 5 + column]
    crops = crop(with_spots(TEMPLATE, [((170 + (column + 0.5) * CELL, 30 + row * CELL), 40)]), TEMPLATE)
    assert middle_of_edges(crops.edges[:, 0]) == [13 * 5 + row * 8 + column]


@pytest.mark.parametrize(("row", "column"), [(0, 0), (4, 3), (11, 5)])
def test_standing_edges_come_after_the_lying_ones_of_both_grids(row: int, column: int) -> None:
    crops = crop(with_spots(TEMPLATE, [((100 + column * CELL, 30 + (row + 0.5) * CELL), 40)]), TEMPLATE)
    assert middle_of_edges(crops.edges[:, 0]) == [169 + row * 6 + column]
    crops = crop(with_spots(TEMPLATE, [((170 + column * CELL, 30 + (row + 0.5) * CELL), 40)]), TEMPLATE)
    assert middle_of_edges(crops.edges[:, 0]) == [169 + 72 + row * 9 + column]


def test_standing_edges_are_laid_flat() -> None:
    """What lies right of a standing edge comes below it, what lies further down comes to its right."""
    edge = (100 + 2 * CELL, 30 + 5.5 * CELL)
    index = 169 + 5 * 6 + 2
    right = crop(with_spots(TEMPLATE, [((edge[0] + 2, edge[1]), 40)]), TEMPLATE).edges[index, 0]
    assert darkest(right) == pytest.approx((2 * RECT_PX_PER_MM, 0), abs=1.1)
    below = crop(with_spots(TEMPLATE, [((edge[0], edge[1] + 3), 40)]), TEMPLATE).edges[index, 0]
    assert darkest(below) == pytest.approx((0, 3 * RECT_PX_PER_MM), abs=1.1)


def test_lying_edges_stay_as_they_are() -> None:
    edge = (100 + 2.5 * CELL, 30 + 5 * CELL)
    spotted = crop(with_spots(TEMPLATE, [((edge[0] + 3, edge[1] + 2), 40)]), TEMPLATE).edges[5 * 5 + 2, 0]
    assert darkest(spotted) == pytest.approx((2 * RECT_PX_PER_MM, 3 * RECT_PX_PER_MM), abs=1.1)


def test_the_bare_print_is_what_most_places_look_like() -> None:
    """Ink on fewer than three places in ten leaves no trace in what comes beside the crops."""
    places = np.full((50, 8, 8), 200, np.uint8)
    places[:, 4] = 120  # the printed line
    drawn = places.copy()
    drawn[::4, 4:6] = 30
    paired = beside_print(drawn)
    assert paired.shape == (50, 2, 8, 8)
    assert np.array_equal(paired[:, 0], drawn)
    assert (paired[:, 1] == places[0]).all()
