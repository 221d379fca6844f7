"""Where on a sheet the places lie that reviews name."""

import pytest

from scanner.decode.answers import places
from scanner.report.where import place_box
from scanner.sheet.template import load_template


def test_where_a_place_lies() -> None:
    template = load_template("obelisk")
    assert place_box(template, "obelisk r1 c1", 0.5) == (93.75, 23.75, 118.75, 48.75)
    one, level = place_box(template, "level2 mark 5", 0.5), place_box(template, "level2", 0.5)
    assert one is not None
    assert level is not None
    assert (one[0] + one[2]) / 2 == pytest.approx(74.0)
    assert (level[0] + level[2]) / 2 == pytest.approx(83.0)
    assert place_box(template, "scroll1 points", 0.5) is not None
    assert place_box(template, "nowhere at all", 0.5) is None
    assert place_box(template, "sheet", 0.5) is None
    imhotep = load_template("imhotep")
    (towers,) = (grid for grid in imhotep.grids if grid.name == "obelisks")
    box = place_box(imhotep, "obelisks brown", 0.5)
    assert box is not None
    assert box[2] - box[0] > towers.columns * towers.cell_mm


@pytest.mark.parametrize("game", ["obelisk", "imhotep", "monolyth"])
def test_every_place_has_a_box_on_the_paper(game: str) -> None:
    template = load_template(game)
    width, height = template.paper_mm
    for place in places(game).values():
        box = place_box(template, place.where, 1 / 3)
        assert box is not None
        left, top, right, bottom = box
        assert 0 <= left < right <= width
        assert 0 <= top < bottom <= height
        assert bottom - top < 60
        for mark in template.marks:
            if mark.name in place.marks:
                assert left < mark.centre_mm[0] < right
                assert top < mark.centre_mm[1] < bottom
