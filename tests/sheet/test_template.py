"""The template is consistent in itself."""

import numpy as np
import pytest

from scanner.sheet.template import Template, load_template


@pytest.fixture(scope="module")
def template() -> Template:
    return load_template("obelisk")


def test_unknown_game() -> None:
    with pytest.raises(KeyError):
        load_template("chess")


def test_grids_by_name(template: Template) -> None:
    assert template.grid("wall").columns == 8
    assert template.grid("obelisk").extent_mm() == (100.0, 30.0, 162.5, 180.0)
    with pytest.raises(KeyError):
        template.grid("moat")


def test_the_wall_is_printed_whole(template: Template) -> None:
    wall = template.grid("wall")
    assert [len(row) for row in wall.printed] == [wall.columns] * wall.rows
    assert set("".join(wall.printed)) == set("O*^@Y")


def test_names_are_unique(template: Template) -> None:
    names = [mark.name for mark in template.marks] + [grid.name for grid in template.grids]
    assert len(set(names)) == len(names)


def test_level_lines_lie_on_the_obelisk(template: Template) -> None:
    obelisk = template.grid("obelisk")
    for line in template.level_lines:
        assert line.line_y_mm == obelisk.extent_mm()[3] - line.height_rows * obelisk.cell_mm
        assert {f"level{line.level}.{points}" for points in line.points} <= {mark.name for mark in template.marks}


def test_scrolls_rise_from_the_bottom(template: Template) -> None:
    scrolls = [template.grid(f"scroll{i}") for i in (1, 2, 3)]
    assert [scroll.points for scroll in scrolls] == [3, 6, 9]
    assert sorted((s.origin_mm[1] for s in scrolls), reverse=True) == [s.origin_mm[1] for s in scrolls]


def test_fiducial_corners(template: Template) -> None:
    assert template.fiducial_corners_mm(0).tolist() == [[8, 8], [20, 8], [20, 20], [8, 20]]
    assert template.fiducial_corners_mm(5).tolist() == [[277, 99], [289, 99], [289, 111], [277, 111]]


def test_nothing_overlaps(template: Template) -> None:
    """Grids, marks, name box and the fiducials with their quiet zones keep clear of each other and of the paper's edge."""
    boxes = {grid.name: grid.extent_mm() for grid in template.grids}
    for mark in template.marks:
        (x, y), r = mark.centre_mm, mark.diameter_mm / 2
        boxes[mark.name] = (x - r, y - r, x + r, y + r)
    x, y, width, height = template.name_box_mm
    boxes["name"] = (x, y, x + width, y + height)
    quiet = template.fiducials.quiet_zone_mm
    for place in range(8):
        corners = template.fiducial_corners_mm(place)
        low, high = corners.min(axis=0) - quiet, corners.max(axis=0) + quiet
        boxes[f"fiducial {place}"] = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
    all_boxes = np.array(list(boxes.values()))
    assert (all_boxes[:, :2] >= 5).all()
    assert (all_boxes[:, 2:] <= np.array(template.paper_mm) - 5).all()
    names = list(boxes)
    for i, a in enumerate(all_boxes):
        for j, b in enumerate(all_boxes[:i]):
            apart = a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3]
            assert apart, (names[i], names[j])
