"""The form of Imhotep's states."""

from typing import Any

import pytest

from scanner.engine import GAMES, score_state
from scanner.errors import BadState

FULL: dict[str, Any] = {
    "game": "imhotep",
    "players": ["white", "black"],
    "pyramid": ["white", "black", "?"],
    "temple": [["white"], ["white"], ["white", "black"], [], [], []],
    "temple_stones": 2,
    "burial_chamber": ["black"],
    "obelisks": {"white": 4, "black": 0},
    "statues": {"white": 3, "black": 1},
    "decorations": {"white": ["pyramid", "pyramid"], "black": []},
    "blue_cards": {"white": 1, "black": 0},
}


def test_a_full_state_stays_as_it_is() -> None:
    normalise = GAMES["imhotep"].normalise
    assert normalise(FULL) == FULL
    assert list(normalise(FULL)) == list(FULL)
    assert normalise(FULL | {"seat": 1, "sheet_number": 8000, "note": "kept out"}) == FULL | {"seat": 1, "sheet_number": 8000}


def test_what_is_left_out_counts_nothing() -> None:
    bare = {"game": "imhotep", "players": ["white", "black"]}
    assert {score["total"] for score in score_state(bare)["players"].values()} == {0}
    whole = GAMES["imhotep"].normalise(bare)
    assert whole["temple"] == [[]] * 6
    assert whole["obelisks"] == {"white": 0, "black": 0}
    assert GAMES["imhotep"].normalise(bare | {"temple": [["white", "black"]]})["temple_stones"] == 2


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"players": None}, "`players`"),
        ({"players": ["white"]}, "`players`"),
        ({"players": list("abcde")}, "`players`"),
        ({"players": ["white", "white"]}, "`players[1]`"),
        ({"players": ["white", 2]}, "`players[1]`"),
        ({"players": ["white", "?"]}, "`players[1]`"),
        ({"pyramid": "white"}, "`pyramid`"),
        ({"pyramid": ["white", "gray"]}, "`pyramid[1]`"),
        ({"burial_chamber": ["white", None]}, "`burial_chamber[1]`"),
        ({"temple": [[]] * 7}, "`temple`"),
        ({"temple": [["white"] * 5]}, "`temple[0]`"),
        ({"temple": [[], ["gray"]]}, "`temple[1][0]`"),
        ({"temple_stones": -1}, "`temple_stones`"),
        ({"temple_stones": 3.0}, "`temple_stones`"),
        ({"obelisks": {"gray": 1}}, "`obelisks`"),
        ({"obelisks": {"white": True}}, "`obelisks.white`"),
        ({"statues": [1, 2]}, "`statues`"),
        ({"statues": {"white": -2}}, "`statues.white`"),
        ({"decorations": {"white": ["market"]}}, "`decorations.white[0]`"),
        ({"decorations": {"white": [["pyramid"]]}}, "`decorations.white[0]`"),
        ({"blue_cards": {"white": "1"}}, "`blue_cards.white`"),
        ({"seat": 9}, "`seat`"),
        ({"sheet_number": -1}, "`sheet_number`"),
    ],
)
def test_what_is_wrong_is_named(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(BadState) as caught:
        score_state(FULL | changes)
    assert field in caught.value.message
    assert caught.value.hint
