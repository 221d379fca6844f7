"""The sheets of Imhotep and Monolyth: their geometry, their print, and what a state looks like on them."""

import io
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from scanner.engine.imhotep.sites import BUILDINGS, COLOURS, PYRAMID_VALUES
from scanner.engine.monolyth.tables import LEVEL_VALUES, PROPHECY_VALUES, SIDES, STRUCTURE_VALUES
from scanner.sheet import codes, imhotep_places, monolyth_places
from scanner.sheet.drawing import sheet_drawing
from scanner.sheet.layout import layout
from scanner.sheet.printing import write_sheets
from scanner.sheet.template import Template, load_template
from scanner.synth.press import press
from tests.engine.imhotep.test_state import FULL
from tests.engine.monolyth.test_scoring import BOARD

GAMES = ["imhotep", "monolyth"]


@pytest.fixture(params=GAMES)
def template(request: pytest.FixtureRequest) -> Template:
    return load_template(request.param)


def boxes(template: Template) -> Iterator[tuple[str, tuple[float, float, float, float]]]:
    """Everything that keeps a place for itself: grids, circles, the name box, fiducials with their quiet zones."""
    for grid in template.grids:
        yield grid.name, grid.extent_mm()
    for mark in template.marks:
        (x, y), r = mark.centre_mm, mark.diameter_mm / 2
        yield mark.name, (x - r, y - r, x + r, y + r)
    x, y, width, height = template.name_box_mm
    yield "name", (x, y, x + width, y + height)
    quiet = template.fiducials.quiet_zone_mm
    for place in range(8):
        corners = template.fiducial_corners_mm(place)
        low, high = corners.min(axis=0) - quiet, corners.max(axis=0) + quiet
        yield f"fiducial {place}", (float(low[0]), float(low[1]), float(high[0]), float(high[1]))


def test_nothing_overlaps(template: Template) -> None:
    for (name, a), (other, b) in combinations(boxes(template), 2):
        assert a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3], (name, other)
        assert a[0] >= 5
        assert a[1] >= 5
        assert a[2] <= template.paper_mm[0] - 5
        assert a[3] <= template.paper_mm[1] - 5


def test_the_same_networks_can_read_them(template: Template) -> None:
    """Cells and circles have the sizes that the networks were trained on, and circles do not crowd each other."""
    assert {grid.cell_mm for grid in template.grids} == {12.5}
    assert {mark.diameter_mm for mark in template.marks} == {7.0}
    centres = np.array([mark.centre_mm for mark in template.marks])
    apart = np.abs(centres[:, None] - centres[None]).max(axis=2) + 99 * np.eye(len(centres))
    assert apart.min() >= 9.0


def test_fiducials_are_those_of_all_sheets(template: Template) -> None:
    assert template.fiducials == load_template("obelisk").fiducials
    assert template.game_index == 1 + GAMES.index(template.game)
    names = [mark.name for mark in template.marks] + [grid.name for grid in template.grids]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_pages_are_written(template: Template, paper: Any) -> None:
    target = io.BytesIO()
    write_sheets(target, template.game, 2, paper=paper, number=12)
    assert target.getvalue().startswith(b"%PDF")


def test_legend_and_ornaments_keep_off_the_cells(template: Template) -> None:
    """The whole print differs from the bare one nowhere within a cell or its crop's surroundings, nor in quiet zones."""
    scale = 4.0
    whole = press(sheet_drawing(template, 1, 7), scale)
    bare = Template(**{name: getattr(template, name) for name in Template.__struct_fields__} | {"game": "plain"})
    adorned = whole != press(sheet_drawing(bare, 1, 7), scale)
    assert adorned.mean() > 0.005
    # The text of the name box is part of the legend's style, so both prints carry it.
    for grid in template.grids:
        left, top, right, bottom = (round(scale * edge) for edge in grid.extent_mm())
        near = round(scale * 1.5)
        assert not adorned[top - near : bottom + near, left - near : right + near].any(), grid.name
    for mark in template.marks:
        x, y = (round(scale * at) for at in mark.centre_mm)
        reach = round(scale * 3.8)
        assert not adorned[y - reach : y + reach, x - reach : x + reach].any(), mark.name
    quiet = template.fiducials.quiet_zone_mm
    for place in range(8):
        corners = template.fiducial_corners_mm(place)
        (x0, y0), (x1, y1) = (
            np.rint(scale * (corners[0] - quiet)).astype(int),
            np.rint(scale * (corners[2] + quiet)).astype(int),
        )
        assert not adorned[y0:y1, x0:x1].any(), place


def test_layouts_name_every_circle(template: Template) -> None:
    exported = layout(template.game)
    assert {mark["name"] for mark in exported["regions"]["marks"]} == {mark.name for mark in template.marks}
    assert {grid.name for grid in template.grids} <= exported["regions"].keys()
    assert "scrolls" not in exported["regions"]


def test_imhoteps_places_are_those_of_template_and_rules() -> None:
    template = load_template("imhotep")
    assert {grid.name: (grid.rows, grid.columns) for grid in template.grids} == imhotep_places.GRIDS
    assert tuple(imhotep_places.SYMBOL_OF) == COLOURS
    assert imhotep_places.DECORATED == BUILDINGS
    assert len(imhotep_places.PYRAMID) > len(PYRAMID_VALUES)


def test_monolyths_places_are_those_of_template_and_rules() -> None:
    marks = {mark.name for mark in load_template("monolyth").marks}
    assert monolyth_places.SIDES == SIDES
    assert monolyth_places.PROPHECIES == PROPHECY_VALUES
    assert max(*LEVEL_VALUES, *STRUCTURE_VALUES) <= monolyth_places.MOST_POINTS
    assert {f"prophecy.{side}.{value}" for side in SIDES for value in PROPHECY_VALUES} <= marks


def test_a_table_on_its_sheet() -> None:
    shown = imhotep_places.written(FULL)
    template = load_template("imhotep")
    assert shown.cells["pyramid1"] == ("O__", "*__", "?__")
    assert shown.cells["burial_chamber"][0] == "*" + "_" * 8
    assert shown.cells["temple"] == ("O____", "O____", "O*___", "_____", "_____", "_____")
    assert shown.cells["obelisks"] == ("xxxx________", *("_" * 12,) * 3)
    assert shown.marks <= {mark.name for mark in template.marks}
    assert shown.marks == {
        "plays.white", "plays.black", "temple_stones.2", "statues.white.3", "statues.black.1", "blue_cards.white.1",
        "decorations.white.pyramid.1", "decorations.white.pyramid.2",
    }  # fmt: skip


@pytest.mark.parametrize(
    "changes",
    [
        {"players": ["white", "red"]},
        {"pyramid": ["white"] * 26},
        {"burial_chamber": ["white"] * 28},
        {"temple_stones": 40},
        {"obelisks": {"white": 13, "black": 0}},
        {"statues": {"white": 9, "black": 0}},
        {"blue_cards": {"white": 6, "black": 0}},
        {"decorations": {"white": ["temple"] * 3, "black": []}},
    ],
)
def test_what_the_tables_sheet_has_no_room_for(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"room|symbol"):
        imhotep_places.written(FULL | changes)


def test_a_board_on_its_sheet() -> None:
    shown = monolyth_places.written(BOARD)
    assert shown.cells["level1"] == ("OOOO", "*^@Y", "*^@Y", "OOOO")
    assert shown.cells["level3"] == ("OOOO", "*___", "*___", "OOOO")
    assert shown.cells["level4"] == ("____",) * 4
    assert shown.cells["sides"] == ("O", "Y", "^", "*")
    assert shown.marks <= {mark.name for mark in load_template("monolyth").marks}
    assert shown.marks == {
        "players.3", "prophecy.front.12", "prophecy.right.4", "prophecy.back.4", "token1.10", "token2.8", "structure.10",
        "structure.2",
    }  # fmt: skip
    with pytest.raises(ValueError, match="prophecy of 11"):
        monolyth_places.written(BOARD | {"sides": BOARD["sides"] | {"left": {"colour": "*", "prophecy": 11}}})
    with pytest.raises(ValueError, match="up to 19"):
        monolyth_places.written(BOARD | {"structure_token": 20})


def test_corner_codes_tell_the_games_apart() -> None:
    ids = [codes.sheet_ids(load_template(game).game_index, 1, 7)[:4] for game in ("obelisk", *GAMES)]
    assert len({fiducial for corners in ids for fiducial in corners}) == 12
