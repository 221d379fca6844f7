"""Parsing of states: what is accepted, and that each mistake is named with its field and its remedy."""

import json
from typing import Any

import pytest
from hypothesis import given

from scanner.engine import score_state
from scanner.engine.obelisk.state import Scroll, parse_state, to_dict
from scanner.errors import BadState
from tests.engine.examples import blank_state, states, worked_state


def test_only_game_and_obelisk_are_needed() -> None:
    state = parse_state({"game": "obelisk", "obelisk": ["....."] * 12})
    assert state.wall_shapes is None
    assert state.levels is None
    assert state.scrolls == (Scroll(3), Scroll(6), Scroll(9))
    assert score_state({"game": "obelisk", "obelisk": ["....."] * 12}) == {
        "columns": [0] * 5,
        "rows": [0] * 12,
        "levels": [0] * 3,
        "scrolls": [0] * 3,
        "total": 0,
        "empty_spaces": 60,
    }


def test_unknown_keys_and_nulls_are_passed_over() -> None:
    extra = worked_state() | {
        "score": {"total": -1},
        "shadow_rows": 4,
        "pose": None,
        "drawn": {},
        "player": None,
        "wall_shapes": None,
    }
    extra["scrolls"][0]["colour"] = "red"
    assert parse_state(extra) == parse_state(worked_state())


@given(states)
def test_to_dict_and_back(state: dict[str, Any]) -> None:
    once = to_dict(parse_state(state))
    assert to_dict(parse_state(json.loads(json.dumps(once)))) == once
    assert all(once[key] == value for key, value in state.items())


def test_to_dict_keeps_every_key_of_the_contract() -> None:
    full = blank_state(seat=2, sheet_number=9, player="Ada")
    assert to_dict(parse_state(full)) == full


def test_fewer_scrolls_are_filled_up() -> None:
    state = parse_state(blank_state(scrolls=[{"points": 3, "symbols": "OOYY"}]))
    assert state.scrolls == (Scroll(3, "OOYY"), Scroll(6), Scroll(9))


def replaced_row(row: int, text: Any) -> list[Any]:
    rows: list[Any] = ["....."] * 12
    rows[row] = text
    return rows


def scroll(**changes: Any) -> list[dict[str, Any]]:
    return [{"points": 3, "symbols": "OOYY", "marked": True, "used": False} | changes]


BROKEN: list[tuple[dict[str, Any], str]] = [
    ({"game": None}, "`game`"),
    ({"game": "go"}, "'go'"),
    ({"game": ["obelisk"]}, "`game`"),
    ({"obelisk": None}, "`obelisk` is missing"),
    ({"obelisk": "....."}, "`obelisk` is a text"),
    ({"obelisk": {"0": "....."}}, "`obelisk` is an object"),
    ({"obelisk": ["....."] * 11}, "`obelisk` has 11 rows, not 12"),
    ({"obelisk": ["....."] * 13}, "13 rows"),
    ({"obelisk": replaced_row(2, "......")}, "row 3 has 6 characters, not 5"),
    ({"obelisk": replaced_row(2, "")}, "row 3 has 0 characters"),
    ({"obelisk": replaced_row(2, [".", ".", ".", ".", "."])}, "row 3 is a list"),
    ({"obelisk": replaced_row(11, None)}, "row 12 is null"),
    ({"obelisk": replaced_row(11, 0)}, "row 12 is a whole number"),
    ({"obelisk": replaced_row(4, "..o..")}, "row 5 column 3 is 'o'"),
    ({"obelisk": replaced_row(4, "..0..")}, "row 5 column 3 is '0'"),
    ({"obelisk": replaced_row(4, "....X")}, "column 5 is 'X'"),
    ({"wall_shapes": ["....."] * 12}, "`wall_shapes` row 1 has 5 characters, not 8"),
    ({"wall_shapes": ["...1...."] + ["........"] * 11}, "column 4 is '1'"),
    ({"wall_shapes": 7}, "`wall_shapes` is a whole number"),
    ({"scrolls": {}}, "`scrolls` is an object"),
    ({"scrolls": scroll() * 4}, "`scrolls` has 4 entries"),
    ({"scrolls": ["OOYY"]}, "`scrolls[0]` is a text"),
    ({"scrolls": scroll(points=9)}, "`scrolls[0].points` is 9, not 3"),
    ({"scrolls": scroll(points=True)}, "`scrolls[0].points` is true or false"),
    ({"scrolls": scroll(points="3")}, "`scrolls[0].points` is a text"),
    ({"scrolls": scroll(symbols="OOY")}, "`scrolls[0].symbols` has 3 characters"),
    ({"scrolls": scroll(symbols="OOYx")}, "character 4 is 'x'"),
    ({"scrolls": scroll(symbols=None)}, "`scrolls[0].symbols` is null"),
    ({"scrolls": scroll(marked=1)}, "`scrolls[0].marked` is a whole number, not true or false"),
    ({"scrolls": scroll(used="no")}, "`scrolls[0].used` is a text"),
    ({"levels": 3}, "`levels` is a whole number"),
    ({"levels": [3, 5]}, "`levels` has 2 entries"),
    ({"levels": [4, 0, 0]}, "`levels[0]` is 4"),
    ({"levels": [0, 2, 0]}, "`levels[1]` is 2"),
    ({"levels": [0, 0, 1]}, "`levels[2]` is 1"),
    ({"levels": [True, 0, 0]}, "`levels[0]` is true or false"),
    ({"levels": [0, None, 0]}, "`levels[1]` is null"),
    ({"levels": [3.0, 0, 0]}, "`levels[0]` is a number, not a whole number"),
    ({"seat": 0}, "`seat` is 0"),
    ({"seat": 9}, "`seat` is 9"),
    ({"seat": True}, "`seat` is true or false"),
    ({"sheet_number": -1}, "`sheet_number` is -1"),
    ({"sheet_number": 38**4}, "`sheet_number` is"),
    ({"sheet_number": "12"}, "`sheet_number` is a text"),
    ({"player": 5}, "`player` is a whole number"),
    ({"player": "Ada\x1b[31m"}, "control characters"),
    ({"player": "Ada\nBob"}, "control characters"),
]


@pytest.mark.parametrize(("changes", "named"), BROKEN)
def test_mistakes_are_named_with_a_remedy(changes: dict[str, Any], named: str) -> None:
    with pytest.raises(BadState) as caught:
        score_state(blank_state(**changes))
    assert named in caught.value.message
    assert len(caught.value.hint) > 10
    assert caught.value.code == 5


@pytest.mark.parametrize("value", [None, [], "obelisk", 3, True])
def test_what_is_no_object(value: Any) -> None:
    with pytest.raises(BadState, match="object"):
        score_state(value)
    with pytest.raises(BadState, match="object"):
        parse_state(value)


def test_missing_game_lists_the_known_ones() -> None:
    with pytest.raises(BadState) as caught:
        score_state({"obelisk": ["....."] * 12})
    assert '"obelisk"' in caught.value.hint
