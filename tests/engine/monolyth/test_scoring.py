"""Monolyth's points, the form of its states, and the audit."""

from typing import Any

import pytest

from scanner.engine import GAMES, audit_state, score_state
from scanner.engine.monolyth.scoring import score_board, standings
from scanner.engine.monolyth.state import parse_state
from scanner.engine.monolyth.tables import LEVEL_TOKENS, PROPHECIES, STRUCTURE_TOKENS, tower_height
from scanner.errors import BadState

FULL_LEVEL = ["OOOO", "*^@Y", "*^@Y", "OOOO"]
NOTHING = ["....", "....", "....", "...."]
BOARD: dict[str, Any] = {
    "game": "monolyth",
    "seat": 1,
    "players": 3,
    "height": 3,
    "tower": [FULL_LEVEL, FULL_LEVEL, ["OOOO", "*...", "*...", "OOOO"]],
    "sides": {
        "front": {"colour": "O", "prophecy": 12},
        "right": {"colour": "Y", "prophecy": 4},
        "back": {"colour": "^", "prophecy": 4},
        "left": {"colour": "*", "prophecy": None},
    },
    "level_tokens": [10, 8],
    "structure_token": 12,
}


def test_the_seeds_prophecy() -> None:
    """A 12 at the orange side counts with at least 12 orange blocks on that edge."""
    score = score_state(BOARD)
    assert score == {
        "levels": 18,
        "structure": 12,
        "prophecies": {"front": 12, "right": 4, "back": 0, "left": 0},
        "total": 46,
    }
    one_less = BOARD | {"tower": [FULL_LEVEL, FULL_LEVEL, ["OOOO", "*...", "*...", "OOO."]]}
    assert score_state(one_less)["prophecies"]["front"] == 0


def test_unknown_colours_fulfil_nothing() -> None:
    sides = {"front": {"colour": "?", "prophecy": 4}, "back": {"prophecy": 4}}
    assert score_state(BOARD | {"sides": sides})["total"] == 30


def test_only_the_tower_is_required() -> None:
    bare = {"game": "monolyth", "tower": [NOTHING] * 4}
    assert score_state(bare)["total"] == 0
    whole = GAMES["monolyth"].normalise(bare)
    assert (whole["height"], whole["players"], whole["structure_token"]) == (4, None, 0)
    assert whole["sides"]["left"] == {"colour": None, "prophecy": None}
    assert GAMES["monolyth"].normalise(BOARD) == BOARD
    assert list(GAMES["monolyth"].normalise(BOARD)) == list(BOARD)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"tower": None}, "`tower`"),
        ({"tower": [NOTHING] * 2, "height": None}, "`tower`"),
        ({"height": 4}, "`tower`"),
        ({"height": 5}, "`height`"),
        ({"tower": [NOTHING, NOTHING, NOTHING[:3]]}, "`tower[2]`"),
        ({"tower": [NOTHING, NOTHING, "...."]}, "`tower[2]`"),
        ({"tower": [NOTHING, NOTHING, ["....", "...", "....", "...."]]}, "`tower[2][1]`"),
        ({"tower": [NOTHING, NOTHING, ["....", 7, "....", "...."]]}, "`tower[2][1]`"),
        ({"tower": [NOTHING, NOTHING, ["..x.", "....", "....", "...."]]}, "`tower[2][0]` column 3"),
        ({"players": 5}, "`players`"),
        ({"sides": []}, "`sides`"),
        ({"sides": {"top": {}}}, "`sides`"),
        ({"sides": {"left": 3}}, "`sides.left`"),
        ({"sides": {"left": {"colour": "red"}}}, "`sides.left.colour`"),
        ({"sides": {"left": {"colour": "O", "prophecy": 0}}}, "`sides.left.prophecy`"),
        ({"level_tokens": 10}, "`level_tokens`"),
        ({"level_tokens": [10, 8, 6, 4]}, "`level_tokens`"),
        ({"level_tokens": [10, "8"]}, "`level_tokens[1]`"),
        ({"structure_token": -1}, "`structure_token`"),
    ],
)
def test_what_is_wrong_is_named(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(BadState) as caught:
        score_state(BOARD | changes)
    assert field in caught.value.message
    assert caught.value.hint


def rules_broken(state: dict[str, Any]) -> set[str]:
    return {line.rule for line in audit_state(state) if line.breach}


def test_the_audit() -> None:
    assert rules_broken(BOARD) == {"no such token"}, "with three players no prophecy is worth 12"
    board = BOARD | {"sides": {}}
    assert rules_broken(board) == set()
    assert rules_broken(board | {"players": 2}) == {"height"}
    assert rules_broken(board | {"level_tokens": [10, 8, 4]}) == {"level token without a full level"}
    assert [line.rule for line in audit_state(board | {"level_tokens": [10]})] == ["level token not taken"]
    assert rules_broken(board | {"level_tokens": [10, 10]}) == {"token taken twice"}
    assert rules_broken(board | {"level_tokens": [10, 3]}) == {"no such token"}
    assert rules_broken(board | {"structure_token": 13}) == {"no such token"}
    hanging = [["O...", *NOTHING[1:]], ["O...", *NOTHING[1:]], [".O..", *NOTHING[1:]]]
    found = audit_state(board | {"tower": hanging, "level_tokens": [], "structure_token": 12})
    assert [(line.rule, line.where) for line in found] == [
        ("overhang", "level3 r1 c2"),
        ("structure token without a structure", "structure token"),
    ]
    twice = {"front": {"colour": "O"}, "left": {"colour": "O"}}
    assert rules_broken(board | {"sides": twice}) == {"colour at two sides"}
    unknown = {"front": {"prophecy": 4}}
    assert rules_broken(board | {"sides": unknown}) == {"side without a colour"}


def test_standings_share_places() -> None:
    scores = [score_board(parse_state(BOARD | {"structure_token": token})) for token in (5, 12, 12, 0)]
    found = standings(scores)
    assert [(place.place, place.player, place.wins) for place in found] == [
        (1, 1, True),
        (1, 2, True),
        (3, 0, False),
        (4, 3, False),
    ]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_there_are_enough_tokens(players: int) -> None:
    tokens = LEVEL_TOKENS[players]
    assert len(tokens) == players * tower_height(players)
    assert list(tokens) == sorted(set(tokens), reverse=True)
    assert len(STRUCTURE_TOKENS[players]) == players
    assert max(PROPHECIES[players]) <= 4 * tower_height(players)
