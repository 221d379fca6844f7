"""Scores: worked examples, and what must hold for every sheet."""

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.engine import score_state
from scanner.engine.obelisk.scoring import Score, column_points, row_points, standings
from tests.engine.examples import blank_state, obelisks, states, with_bottom, worked_state


def test_worked_example_of_the_rules() -> None:
    score = score_state(worked_state())
    assert score["columns"] == [2, 3, 2, 3, 0]
    assert score["rows"] == [0, 0, 0, 0, 5, 3, 8, 0, 5, 3, 8, 8]
    assert score["levels"] == [3, 0, 0]
    assert score["scrolls"] == [3, 0, 0]
    assert score["total"] == 56
    assert score["empty_spaces"] == 37


@pytest.mark.parametrize(
    ("row", "points"),
    [
        (".....", 0), ("_____", 0), ("xxxxx", 0), ("O....", 0), ("OOOOO", 0), ("O*...", 3), ("OO**O", 3), ("_O_*_", 3),
        ("O*^..", 5), ("O*^O*", 5), ("O*^@.", 8), ("O*^@O", 8), ("O*^@Y", 13), ("Y@^*O", 13), ("O*^@x", 8), ("O*^@?", 8),
    ],
)  # fmt: skip
def test_rows(row: str, points: int) -> None:
    assert row_points(row) == points
    assert score_state(blank_state(obelisk=with_bottom(row)))["rows"] == [0] * 11 + [points]


@pytest.mark.parametrize(
    ("column", "points"),
    [
        ("............", 0), ("_____xxxx...", 0), ("O...........", 1), ("O*^@Y.......", 1), ("O*O^O_x.....", 3),
        ("OO**........", 2), ("@@@@@@@@@@@@", 12), ("?O?O........", 2),
    ],
)  # fmt: skip
def test_columns(column: str, points: int) -> None:
    assert column_points(column) == points
    rows = [cell + "...." for cell in column]
    assert score_state(blank_state(obelisk=rows))["columns"] == [points, 0, 0, 0, 0]


def test_a_full_sheet() -> None:
    """Twelve rows of five different symbols, each column of one symbol: the most that rows and columns can give."""
    full = blank_state(obelisk=["O*^@Y"] * 12, levels=[3, 5, 8])
    full["scrolls"] = [{"points": points, "symbols": "O*^@", "marked": True, "used": True} for points in (3, 6, 9)]
    score = score_state(full)
    assert score["total"] == 12 * 13 + 5 * 12 + 16 + 18
    assert score["empty_spaces"] == 0


def test_scrolls_count_as_marked() -> None:
    def scroll_points(*marked: bool) -> Any:
        filled = [
            {"points": points, "symbols": "O*^@", "marked": mark, "used": True}
            for points, mark in zip((3, 6, 9), marked, strict=True)
        ]
        return score_state(blank_state(scrolls=filled))["scrolls"]

    assert scroll_points(True, False, True) == [3, 0, 9]
    assert scroll_points(False, True, False) == [0, 6, 0]


def test_empty_spaces_count_blank_and_unbuilt_but_neither_crosses_nor_symbols() -> None:
    assert score_state(blank_state(obelisk=with_bottom("_x.O?")))["empty_spaces"] == 55 + 2


@given(states)
def test_total_is_the_sum_of_its_parts(state: dict[str, Any]) -> None:
    score = score_state(state)
    assert score["total"] == sum(map(sum, (score["columns"], score["rows"], score["levels"], score["scrolls"])))
    assert [len(score[part]) for part in ("columns", "rows", "levels", "scrolls")] == [5, 12, 3, 3]


@given(states, st.permutations(range(5)))
def test_swapping_columns_swaps_only_the_columns_points(state: dict[str, Any], order: list[int]) -> None:
    before = score_state(state)
    after = score_state(state | {"obelisk": ["".join(row[column] for column in order) for row in state["obelisk"]]})
    assert after["columns"] == [before["columns"][column] for column in order]
    assert {**after, "columns": 0} == {**before, "columns": 0}


@given(states, st.permutations(range(12)))
def test_swapping_rows_swaps_only_the_rows_points(state: dict[str, Any], order: list[int]) -> None:
    before = score_state(state)
    after = score_state(state | {"obelisk": [state["obelisk"][row] for row in order]})
    assert after["rows"] == [before["rows"][row] for row in order]
    assert {**after, "rows": 0} == {**before, "rows": 0}


@given(states, st.permutations("O*^@Y"))
def test_renaming_symbols_changes_nothing(state: dict[str, Any], names: list[str]) -> None:
    renamed = str.maketrans("O*^@Y", "".join(names))
    assert score_state(state | {"obelisk": [row.translate(renamed) for row in state["obelisk"]]}) == score_state(state)


@given(states)
def test_blank_crossed_unbuilt_and_unreadable_score_alike(state: dict[str, Any]) -> None:
    before = score_state(state)
    for other in "._x?":
        after = score_state(state | {"obelisk": [row.translate(str.maketrans("._x", other * 3)) for row in state["obelisk"]]})
        assert {**after, "empty_spaces": 0} == {**before, "empty_spaces": 0}


@given(obelisks, st.integers(0, 11), st.integers(0, 4), st.sampled_from("O*^@Y"))
def test_a_further_symbol_never_costs_points_and_fills_its_space(rows: list[str], row: int, column: int, symbol: str) -> None:
    def holding(cell: str) -> list[str]:
        return [*rows[:row], rows[row][:column] + cell + rows[row][column + 1 :], *rows[row + 1 :]]

    empty, filled = holding("_"), holding(symbol)
    before, after = score_state(blank_state(obelisk=empty)), score_state(blank_state(obelisk=filled))
    assert after["total"] >= before["total"]
    assert after["empty_spaces"] == before["empty_spaces"] - 1
    assert after["total"] - before["total"] <= 1 + 5


def test_standings_by_total_then_fewest_empty_spaces_then_shared() -> None:
    def score(total: int, empty: int) -> dict[str, int]:
        return {"total": total, "empty_spaces": empty}

    found = standings([score(40, 20), score(50, 30), score(50, 25), score(50, 25), score(60, 60)])
    assert [(place.player, place.place, place.wins) for place in found] == [
        (4, 1, True),
        (2, 2, False),
        (3, 2, False),
        (1, 4, False),
        (0, 5, False),
    ]
    shared = standings([score(50, 25), score(50, 26), score(50, 25)])
    assert [place.player for place in shared if place.wins] == [0, 2]
    assert standings([]) == ()


def test_standings_take_score_objects() -> None:
    low, high = Score((), (), (), (), 1, 9), Score((), (), (), (), 2, 9)
    assert [place.player for place in standings([low, high])] == [1, 0]


def test_standings_do_not_depend_on_the_seating() -> None:
    points = [(50, 25), (50, 25), (60, 3), (10, 0)]
    for order in permutations(points):
        found = standings([{"total": total, "empty_spaces": empty} for total, empty in order])
        assert [(place.total, place.empty_spaces, place.place) for place in found] == [
            (60, 3, 1),
            (50, 25, 2),
            (50, 25, 2),
            (10, 0, 4),
        ]
