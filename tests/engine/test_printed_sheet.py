"""The printed sheet and the sheet as the rules know it are two files, because the rules know no paper: they must agree."""

import pytest

from scanner.engine.obelisk import sheet
from scanner.sheet.template import load_template

PRINTED = load_template("obelisk")


def test_the_wall_is_printed_as_the_rules_know_it() -> None:
    wall = PRINTED.grid("wall")
    assert wall.printed == sheet.PRINTED_WALL
    assert (wall.rows, wall.columns) == (sheet.WALL_ROWS, sheet.WALL_COLUMNS)
    assert set("".join(wall.printed)) == set(sheet.SYMBOLS)


def test_the_obelisk_has_the_same_size() -> None:
    obelisk = PRINTED.grid("obelisk")
    assert (obelisk.rows, obelisk.columns) == (sheet.OBELISK_ROWS, sheet.OBELISK_COLUMNS)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_level_points_and_their_circles(level: int) -> None:
    (line,) = [line for line in PRINTED.level_lines if line.level == level]
    assert line.points == sheet.LEVEL_POINTS[level - 1]
    circles = [mark for mark in PRINTED.marks if mark.name.startswith(f"level{level}.")]
    assert tuple(int(mark.name.split(".")[1]) for mark in circles) == sheet.LEVEL_POINTS[level - 1]
    assert tuple(int(mark.label) for mark in circles) == sheet.LEVEL_POINTS[level - 1]


def test_level_lines_lie_on_top_of_their_rows() -> None:
    """At heights 4, 8 and 12 above the base."""
    obelisk = PRINTED.grid("obelisk")
    base = obelisk.origin_mm[1] + obelisk.rows * obelisk.cell_mm
    heights = {line.level: (base - line.line_y_mm) / obelisk.cell_mm for line in PRINTED.level_lines}
    assert heights == pytest.approx({level: sheet.ROWS_A_LEVEL * level for level in (1, 2, 3)})


@pytest.mark.parametrize("scroll", [1, 2, 3])
def test_scroll_points(scroll: int) -> None:
    grid = PRINTED.grid(f"scroll{scroll}")
    assert grid.points == sheet.SCROLL_POINTS[scroll - 1]
    assert (grid.rows, grid.columns) == (2, 2)
