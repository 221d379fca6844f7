"""Imhotep's sheet, decoded from readings."""

from typing import Any

import numpy as np
import pytest

from scanner.decode import decode
from scanner.decode.decoded import Decoded
from scanner.engine import GAMES, score_state
from scanner.engine.imhotep.play import random_states
from scanner.errors import Inconsistent
from scanner.reading.readings import Readings
from scanner.sheet.imhotep_places import written
from scanner.sheet.pose import SheetIdentity
from scanner.sheet.template import load_template
from scanner.sheet.written import Written
from tests.decode.written_readings import readings_of

TEMPLATE = load_template("imhotep")
IDENTITY = SheetIdentity("imhotep", 1, 4712)
NAMES = {"w": "white", "k": "black", "b": "brown", "g": "gray"}


def stones(letters: str) -> list[str]:
    return [NAMES[letter] for letter in letters]


TABLE: dict[str, Any] = {
    "game": "imhotep",
    "players": ["white", "black", "gray"],
    "pyramid": stones("wkgwwkgkkgwwgkw"),
    "temple": [stones("wk"), stones("wkgw"), stones("gkgww"), stones("gkgww"), stones("kkgww"), stones("kwgww")],
    "temple_stones": 12,
    "burial_chamber": stones("gggwwk"),
    "obelisks": {"white": 4, "black": 3, "gray": 3},
    "statues": {"white": 3, "black": 0, "gray": 1},
    "decorations": {"white": ["pyramid", "temple"], "black": [], "gray": ["temple"]},
    "blue_cards": {"white": 1, "black": 0, "gray": 2},
}


def decoded(readings: Readings) -> Decoded:
    return decode(readings, TEMPLATE, IDENTITY)


def read(state: dict[str, Any]) -> Decoded:
    return decoded(readings_of(TEMPLATE, written(state)))


def changed(shown: Written, cells: dict[str, list[str]] | None = None, add: str = "", remove: str = "") -> Written:
    marks = (shown.marks | ({add} if add else set())) - {remove}
    return Written({**shown.cells, **(cells or {})}, frozenset(marks))


def test_a_clear_sheet_is_read_exactly() -> None:
    found = read(TABLE)
    assert GAMES["imhotep"].normalise(found.state) == GAMES["imhotep"].normalise(TABLE | {"seat": 1, "sheet_number": 4712})
    assert found.score == score_state(TABLE)
    assert not found.doubts
    assert not found.audit
    totals = [score["total"] for score in found.score["players"].values()]
    assert found.bounds == (min(totals), max(totals))


def test_played_tables_are_read_exactly_or_doubted() -> None:
    rng = np.random.default_rng(11)
    states = random_states(rng)
    exact = 0
    for _ in range(12):
        state = next(states)
        found = decoded(readings_of(TEMPLATE, written(state), rng, hard=0.05, apart=3.6))
        truth = score_state(state)
        exact += found.score == truth
        if found.score != truth:
            assert found.doubts
        totals = [score["total"] for score in truth["players"].values()]
        assert all(found.bounds[0] <= total <= found.bounds[1] for total in totals)
    assert exact >= 9


def test_a_weak_stone_is_asked_for_with_what_it_changes() -> None:
    readings = readings_of(TEMPLATE, written(TABLE))
    cell = np.full(8, np.log(0.01), np.float32)
    cell[1], cell[2] = np.log(0.6), np.log(0.34)  # white's sun, or black's star
    readings.content["pyramid1"].flags.writeable = True
    readings.content["pyramid1"][0, 0] = cell
    found = decoded(readings)
    (doubt,) = found.doubts
    assert (doubt.where, doubt.read) == ("pyramid1 r1 c1", "white")
    assert list(doubt.alternatives)[:2] == ["white", "black"]
    white, black = (found.score["players"][player]["total"] for player in ("white", "black"))
    assert {white, white - 2, black, black + 2} <= set(doubt.changes_total_to)


def test_a_gap_in_the_placing_order_is_kept_and_asked_for() -> None:
    rows = list(written(TABLE).cells["pyramid1"])
    found = decoded(readings_of(TEMPLATE, changed(written(TABLE), {"pyramid1": ["_" + rows[0][1:], *rows[1:]]})))
    assert found.state["pyramid"][0] == "?"
    assert [doubt.where for doubt in found.doubts] == ["pyramid1 r1 c1"]
    assert len(found.state["pyramid"]) == 15


def test_stones_of_a_player_who_is_not_marked_count() -> None:
    found = decoded(readings_of(TEMPLATE, changed(written(TABLE), remove="plays.gray")))
    assert found.state["players"] == ["white", "black", "gray"]
    assert found.score == score_state(TABLE)
    assert [(line.rule, line.where) for line in found.audit] == [("player not marked", "plays gray")]


def test_a_player_may_have_nothing_but_a_card() -> None:
    nothing = {"statues": {"white": 3, "black": 0, "gray": 1}, "blue_cards": {"white": 1, "black": 2, "gray": 2}}
    poor = TABLE | nothing | {
        "pyramid": stones("wggw"), "temple": [stones("wg")] * 6, "temple_stones": 2, "burial_chamber": stones("ggg"),
        "obelisks": {"white": 4, "black": 0, "gray": 3},
    }  # fmt: skip
    found = decoded(readings_of(TEMPLATE, changed(written(poor), remove="plays.black")))
    assert found.score == score_state(poor)
    assert [line.where for line in found.audit] == ["plays black"]


def test_a_lone_stone_does_not_make_a_player_of_a_colour_whose_circle_is_bare() -> None:
    """Of many stones one looks like a brown one: a sun that was drawn flat, rather than a fourth player's only stone."""
    readings = readings_of(TEMPLATE, written(TABLE))
    cell = np.full(8, np.log(1e-5), np.float32)
    cell[1], cell[3] = np.log(0.009), np.log(0.99)
    readings.content["burial_chamber"].flags.writeable = True
    readings.content["burial_chamber"][0, 1] = cell  # the chamber's fourth stone, a white one
    found = decoded(readings)
    assert found.state["players"] == ["white", "black", "gray"]
    assert not found.audit
    assert "burial_chamber r1 c2" in [doubt.where for doubt in found.doubts]


def test_two_players_and_the_fifth_space_of_the_temple() -> None:
    two = TABLE | {
        "players": ["white", "black"],
        "pyramid": stones("wk"),
        "temple": [stones("wkwk")] * 6,
        "temple_stones": 4,
        "burial_chamber": [],
        "obelisks": {"white": 2, "black": 1},
        "statues": {"white": 0, "black": 0},
        "decorations": {"white": [], "black": []},
        "blue_cards": {"white": 0, "black": 0},
    }
    assert read(two).score == score_state(two)
    rows = list(written(two).cells["temple"])
    found = decoded(readings_of(TEMPLATE, changed(written(two), {"temple": ["O*O*O", *rows[1:]]})))
    assert ("space not in use", "temple r1 c5") in [(line.rule, line.where) for line in found.audit]


def test_two_numbers_marked_are_asked_for() -> None:
    found = decoded(readings_of(TEMPLATE, changed(written(TABLE), add="statues.white.6")))
    (doubt,) = found.doubts
    assert doubt.where == "statues white"
    assert {"3", "6"} <= set(doubt.alternatives)
    assert {6, 17} <= {score - found.score["players"]["white"]["total"] + found.score["players"]["white"]["statues"]
                       for score in doubt.changes_total_to}  # fmt: skip


def test_the_temples_rounds_settle_the_number_of_stones() -> None:
    readings = readings_of(TEMPLATE, written(TABLE))
    marks = dict(readings.marks) | {"temple_stones.10": -1.0}
    found = decoded(Readings(readings.content, {}, {}, {}, marks))
    assert found.state["temple_stones"] == 12, "two stones cannot have covered five spaces"


def test_stones_laid_since_the_last_round_count_and_are_asked_about() -> None:
    early = TABLE | {"temple": [[]] * 6, "temple_stones": 2}
    found = decoded(readings_of(TEMPLATE, written(early)))
    assert found.state["temple_stones"] == 2
    assert [doubt.where for doubt in found.doubts] in ([], ["temple_stones"])


def test_what_all_tens_look_like_is_no_thirty() -> None:
    """Circles without a number in them, in a bad light, all look a little like marked ones."""
    readings = readings_of(TEMPLATE, written(TABLE | {"temple": [stones("wk")] * 6, "temple_stones": 2}))
    marks = dict(readings.marks) | {"temple_stones.10": 2.0, "temple_stones.20": 2.2, "temple_stones.30": 1.5}
    found = decoded(Readings(readings.content, {}, {}, {}, marks))
    assert found.state["temple_stones"] == 2


def test_many_statues_need_a_clear_circle() -> None:
    readings = readings_of(TEMPLATE, written(TABLE))
    found = decoded(Readings(readings.content, {}, {}, {}, dict(readings.marks) | {"statues.black.8": 1.0}))
    assert found.state["statues"]["black"] == 0
    assert [doubt.where for doubt in found.doubts] == ["statues black"]


def test_an_unused_sheet_is_refused_with_the_remedy() -> None:
    with pytest.raises(Inconsistent) as caught:
        decoded(readings_of(TEMPLATE, Written({}, frozenset())))
    assert "players" in caught.value.message
    assert "Mark" in caught.value.hint
