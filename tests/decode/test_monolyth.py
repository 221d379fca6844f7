"""Monolyth's sheet, decoded from readings."""

from typing import Any

import numpy as np
import pytest

from scanner.decode import decode
from scanner.decode.decoded import Decoded
from scanner.engine import GAMES, audit_state, score_state
from scanner.engine.monolyth.play import random_states
from scanner.reading.readings import Readings
from scanner.sheet.monolyth_places import written
from scanner.sheet.pose import SheetIdentity
from scanner.sheet.template import load_template
from scanner.sheet.written import Written
from tests.decode.written_readings import readings_of
from tests.engine.monolyth.test_scoring import BOARD

TEMPLATE = load_template("monolyth")
IDENTITY = SheetIdentity("monolyth", 1, 4712)


def decoded(readings: Readings) -> Decoded:
    return decode(readings, TEMPLATE, IDENTITY)


def with_cells(shown: Written, **cells: list[str]) -> Written:
    return Written({**shown.cells, **cells}, shown.marks)


def test_a_clear_sheet_is_read_exactly() -> None:
    found = decoded(readings_of(TEMPLATE, written(BOARD)))
    assert GAMES["monolyth"].normalise(found.state) == GAMES["monolyth"].normalise(BOARD | {"sheet_number": 4712})
    assert found.score == score_state(BOARD)
    assert not found.doubts
    assert found.bounds == (found.score["total"], found.score["total"])


def test_played_boards_are_read_exactly_or_doubted() -> None:
    rng = np.random.default_rng(12)
    states = random_states(rng)
    exact = 0
    for _ in range(16):
        state = next(states)
        found = decoded(readings_of(TEMPLATE, written(state), rng, hard=0.05, apart=3.6))
        truth = score_state(state)
        exact += found.score == truth
        assert found.score == truth or found.doubts
        assert found.bounds[0] <= truth["total"] <= found.bounds[1]
    assert exact >= 13


def weakened(readings: Readings, grid: str, row: int, column: int, **shares: float) -> Readings:
    labels = ("blank", "sun", "star", "pyramid", "eye", "lotus", "crossed", "other")
    cell = np.array([np.log(shares.get(label, 0.003)) for label in labels], np.float32)
    content = {name: array.copy() for name, array in readings.content.items()}
    content[grid][row, column] = cell
    return Readings(content, {}, {}, {}, readings.marks)


def test_a_block_under_another_is_there() -> None:
    readings = weakened(readings_of(TEMPLATE, written(BOARD)), "level1", 1, 1, blank=0.6, pyramid=0.38)
    assert decoded(readings).state["tower"][0] == BOARD["tower"][0]


def test_an_overhang_that_is_clear_ink_stays() -> None:
    shown = with_cells(written(BOARD), level2=["OOOO", "*^@Y", "_^@Y", "OOOO"])
    found = decoded(readings_of(TEMPLATE, shown))
    assert found.state["tower"] == [BOARD["tower"][0], ["OOOO", "*^@Y", ".^@Y", "OOOO"], BOARD["tower"][2]]
    assert ("overhang", "level3 r3 c1") in [(line.rule, line.where) for line in audit_state(found.state)]


def test_colours_differ_from_side_to_side() -> None:
    readings = weakened(readings_of(TEMPLATE, written(BOARD)), "sides", 2, 0, star=0.5, pyramid=0.47)
    assert decoded(readings).state["sides"]["back"]["colour"] == "^", "the star is the left side's"


def test_prophecies_and_tokens_have_values_that_exist() -> None:
    readings = readings_of(TEMPLATE, written(BOARD))
    marks = dict(readings.marks) | {"token2.8": 1.0, "token2.3": 1.2}
    found = decoded(Readings(readings.content, {}, {}, {}, marks))
    assert found.state["level_tokens"] == [10, 8], "no level token of three players is worth 3"


def test_the_number_of_players_tells_the_height() -> None:
    two = BOARD | {"players": 2, "height": 4, "tower": [*BOARD["tower"], ["...."] * 4]}
    assert decoded(readings_of(TEMPLATE, written(two))).state["height"] == 4
    fourth = with_cells(written(BOARD), level4=["O___", "____", "____", "____"])
    found = decoded(readings_of(TEMPLATE, fourth))
    assert (found.state["players"], found.state["height"]) == (3, 4)
    assert "height" in [line.rule for line in audit_state(found.state)]


@pytest.mark.parametrize("colour", ["_", "x"])
def test_sides_without_a_colour(colour: str) -> None:
    shown = with_cells(written(BOARD), sides=["O", colour, "^", "*"])
    found = decoded(readings_of(TEMPLATE, shown))
    assert found.state["sides"]["right"]["colour"] == (None if colour == "_" else "?")
    assert found.score["prophecies"]["right"] == 0
    assert [doubt.where for doubt in found.doubts] == ([] if colour == "_" else ["sides r2 c1"])


OPEN = {"sun": 0.4, "star": 0.35, "eye": 0.2}


def test_blocks_that_no_prophecy_can_count_are_not_asked_about() -> None:
    """Of BOARD's sides only the left one has no prophecy; what stands within the tower is seen from no side."""
    readings = readings_of(TEMPLATE, written(BOARD))
    assert not decoded(weakened(readings, "level1", 1, 1, **OPEN)).doubts
    assert not decoded(weakened(readings, "level1", 2, 0, **OPEN)).doubts
    for row, column in ((1, 3), (3, 1), (0, 1)):
        places = {doubt.where for doubt in decoded(weakened(readings, "level1", row, column, **OPEN)).doubts}
        # Only the right side's prophecy hangs by one block.
        assert places == ({"level1 r2 c4"} if column == 3 else places & {f"level1 r{row + 1} c{column + 1}"})


def test_a_token_is_asked_about_where_a_block_may_have_been_missed() -> None:
    full = BOARD | {"tower": [BOARD["tower"][0]] * 3, "level_tokens": [10, 8, 4]}
    readings = weakened(readings_of(TEMPLATE, written(full)), "level3", 3, 1, blank=0.9, sun=0.05)
    marks = dict(readings.marks) | {"token3.4": 3.0}
    assert "token3" in {doubt.where for doubt in decoded(Readings(readings.content, {}, {}, {}, marks)).doubts}


def test_a_block_is_seldom_alone_in_its_colour() -> None:
    readings = weakened(readings_of(TEMPLATE, written(BOARD)), "level2", 0, 1, eye=0.5, sun=0.45)
    assert decoded(readings).state["tower"][1][0] == "OOOO"


def test_an_unused_sheet_scores_nothing() -> None:
    found = decoded(readings_of(TEMPLATE, Written({}, frozenset())))
    assert found.score["total"] == 0
    state: dict[str, Any] = found.state
    assert state["players"] is None
