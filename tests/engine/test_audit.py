"""Audits: each mistake that players make is named, and a sheet without one is left alone."""

from typing import Any

import pytest

from scanner.engine import audit_state
from scanner.engine.obelisk.audit import audit_sheet
from scanner.engine.obelisk.board import Board, obelisk_place, wall_place
from scanner.engine.obelisk.state import parse_state, to_dict
from tests.engine.examples import blank_state, with_bottom, worked_state


def played() -> dict[str, Any]:
    """A short legal game of one: two shapes built, two groups carved, one scroll scribed."""
    board = Board().build(obelisk_place([(10, 0), (10, 1), (11, 0), (11, 1)]))
    board = board.build(obelisk_place([(11, 2), (11, 3), (11, 4), (10, 3)]))
    board = board.carve(wall_place([(11, 0), (11, 1), (10, 0)]), obelisk_place([(11, 0), (11, 1), (10, 0)]))
    board = board.carve(wall_place([(4, 5), (4, 6)]), obelisk_place([(11, 3), (11, 4)]))
    board = board.scribe(wall_place([(0, 4), (0, 5), (1, 4), (1, 5)]))
    return to_dict(board.state())


def rules(state: dict[str, Any]) -> list[tuple[str, str]]:
    return [(line.rule, line.where) for line in audit_state(state)]


def put(rows: list[str], row: int, column: int, cell: str) -> list[str]:
    changed = list(rows)
    changed[row] = rows[row][:column] + cell + rows[row][column + 1 :]
    return changed


def test_nothing_is_found_on_legal_sheets() -> None:
    assert rules(played()) == []
    assert rules(blank_state()) == []


def test_a_state_without_wall_and_levels_is_not_blamed_for_them() -> None:
    assert rules({"game": "obelisk", "obelisk": with_bottom("@O...")}) == []


def test_unreadable_cells_are_named() -> None:
    state = played()
    found = rules(state | {"obelisk": put(state["obelisk"], 11, 0, "?")})
    assert found == [("unreadable", "obelisk r12 c1")]


def test_wrong_symbol_is_named_with_the_group() -> None:
    state = played()
    assert state["obelisk"][11] == "O*_@^"
    (line,) = audit_state(state | {"obelisk": put(state["obelisk"], 11, 1, "Y")})
    assert (line.rule, line.where) == ("symbol copied wrongly", "obelisk r12 c2")
    assert line.message == "Row 12 column 2 shows a lotus; the group carved at the wall's rows 11 to 12 has a star there."


def test_forgotten_group_on_the_obelisk() -> None:
    state = played()
    rows = put(put(state["obelisk"], 11, 3, "_"), 11, 4, "_")
    assert rules(state | {"obelisk": rows}) == [("carved group not on the obelisk", "wall r5 c6")]


def test_forgotten_outline_on_the_wall() -> None:
    state = played()
    wall = put(put(state["wall_shapes"], 4, 5, "."), 4, 6, ".")
    assert rules(state | {"wall_shapes": wall}) == [
        ("carved group not on the wall", "obelisk r12 c4"),
        ("carved group not on the wall", "obelisk r12 c5"),
    ]


def test_scroll_that_is_not_on_the_wall() -> None:
    state = played()
    state["scrolls"][0]["symbols"] = "OOOO"
    assert rules(state) == [("carved group not on the obelisk", "wall r1 c5"), ("scroll not on the wall", "scroll1")]


def test_wrong_symbol_on_a_scroll() -> None:
    state = played()
    assert state["scrolls"][0]["symbols"] == "O^*@"
    state["scrolls"][0]["symbols"] = "O^*Y"
    (line,) = audit_state(state)
    assert (line.rule, line.where) == ("symbol copied wrongly", "scroll1 r2 c2")
    assert line.message == "The scroll has a lotus here; the square carved at the wall's rows 1 to 2 has an eye there."


def test_a_group_that_stands_twice() -> None:
    """What is left over is no symbol out of nowhere: the finding says whose copy it is."""
    wall = put(put(["........"] * 12, 4, 5, "a"), 4, 6, "a")
    again = blank_state(obelisk=with_bottom("@^.@^"), wall_shapes=wall)
    lines = [line for line in audit_state(again) if line.rule == "carved group not on the wall"]
    assert len(lines) == 2
    for line in lines:
        assert line.message.endswith(" here. The one at the wall's row 5 has the same symbols, but stands elsewhere already.")


def test_a_square_that_is_carved_and_scribed() -> None:
    state = played()
    square = state["scrolls"][0]["symbols"]
    state["scrolls"][1] = state["scrolls"][0] | {"points": state["scrolls"][1]["points"]}
    (line,) = [line for line in audit_state(state) if line.rule == "scroll not on the wall"]
    assert line.message == "The square at the wall's rows 1 to 2 has these symbols, but stands elsewhere already."
    assert square == state["scrolls"][1]["symbols"]


def test_outline_that_is_no_shape() -> None:
    state = played()
    assert ("no shape", "wall r5 c6") in rules(state | {"wall_shapes": put(state["wall_shapes"], 4, 6, ".")})


def test_crosses() -> None:
    closed = ["OOO..", ".*O..", "OOO.."]
    assert ("closed area not crossed out", "obelisk r11 c1") in rules({"game": "obelisk", "obelisk": with_bottom(*closed)})
    assert rules({"game": "obelisk", "obelisk": with_bottom("OOO..", "x*O..", "OOO..")}) == []
    assert rules({"game": "obelisk", "obelisk": with_bottom("OOO..", "x*O..", "OOO.x")}) == [
        ("crossed out but not closed", "obelisk r12 c5")
    ]


def test_support() -> None:
    assert rules({"game": "obelisk", "obelisk": with_bottom(".__..", ".....", "__...")}) == [
        ("built without support", "obelisk r10 c3")
    ]
    assert rules({"game": "obelisk", "obelisk": with_bottom("__.._")}) == [("no shapes", "obelisk r12 c5")]


def test_levels() -> None:
    high = with_bottom(*["_...."] * 4)
    assert rules(blank_state(obelisk=high, levels=[2, 0, 0])) == []
    assert rules(blank_state(obelisk=[*high[1:], "_...."], levels=[2, 5, 0])) == [("level points without the height", "level2")]
    (line,) = audit_state(blank_state(obelisk=high))
    assert (line.rule, line.where, line.breach) == ("level points not marked", "level1", False)
    assert "3, 2 or 1" in line.message
    (must,) = audit_sheet(parse_state(blank_state(obelisk=high)), players=3)
    assert must.breach


@pytest.mark.parametrize(
    ("scrolls", "rule", "where"),
    [
        ([{"symbols": "YOO^", "marked": False}], "scroll points not marked", "scroll1"),
        ([{"symbols": "YOO^", "marked": True}, {"symbols": "", "marked": True}], "points of an empty scroll", "scroll2"),
        ([{"symbols": "YOO^", "marked": True}, {"symbols": "", "used": True}], "empty scroll used", "scroll2"),
        ([{}, {"symbols": "YOO^", "marked": True}], "scroll out of order", "scroll2"),
        ([{"symbols": "YOO.", "marked": True}], "scroll half filled", "scroll1"),
    ],
)
def test_scrolls(scrolls: list[dict[str, Any]], rule: str, where: str) -> None:
    wall = ["aa......", "aa......"] + ["........"] * 10
    assert (rule, where) in rules(blank_state(scrolls=scrolls, wall_shapes=wall))


def test_forgotten_scroll_points_come_with_the_total_they_would_give() -> None:
    state = worked_state()
    state["scrolls"][0]["marked"] = False
    lines = [line for line in audit_state(state) if line.rule == "scroll points not marked"]
    assert [line.where for line in lines] == ["scroll1"]
    assert "56" in lines[0].message


def test_group_from_the_shadow() -> None:
    """A group of the wall's lowest rows stands on a row that was built only when they were in the shadow."""
    board = Board().build(obelisk_place([(11, 0), (10, 0), (9, 0), (8, 0)])).build(obelisk_place([(7, 0), (7, 1)]))
    state = to_dict(board.with_level(1, 3).state())
    state["obelisk"][7] = "O*..."
    state["wall_shapes"][11] = "aa......"
    assert rules(state) == [("carved from the shadow", "wall r12 c1")]


def test_spaces_that_no_shapes_make() -> None:
    """A cross of five spaces."""
    assert rules({"game": "obelisk", "obelisk": with_bottom(".._..", ".___.", ".._..")}) == [("no shapes", "obelisk r12 c3")]


def test_group_in_the_shadow_before_its_spaces_could_be_built() -> None:
    """An eye above a sun, from the wall's lowest rows, on the second and third space of a column of four: whatever shape holds
    the third space reaches level 1. On the two lowest spaces the group could stand."""
    wall = put(put(["........"] * 12, 10, 0, "a"), 11, 0, "a")
    too_late = with_bottom("_....", "@....", "O....", "_....")
    assert rules(blank_state(obelisk=too_late, levels=[3, 0, 0], wall_shapes=wall)) == [
        ("carved from the shadow", "wall r11 c1")
    ]
    in_time = with_bottom("_....", "_....", "@....", "O....")
    assert rules(blank_state(obelisk=in_time, levels=[3, 0, 0], wall_shapes=wall)) == []


def test_a_tower_without_an_order() -> None:
    """It divides into shapes in some ways, but in each a shape hangs in the air or comes after its space is closed."""
    state = {"game": "obelisk", "obelisk": with_bottom("____.", "_xx__", "__x__", "xx___")}
    assert rules(state) == [("no order of building", "obelisk r12 c5")]
