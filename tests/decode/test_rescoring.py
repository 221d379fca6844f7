"""Doubts and bounds from the games' own scores."""

from typing import Any

from scanner.decode.rescoring import Question, ask, question
from scanner.errors import BadState


def four_of_a_kind(facts: Any) -> tuple[int, ...]:
    """Ten points for four cells "a", one more for each cell "b"; no cell may be "!"."""
    values = list(facts.values())
    if "!" in values:
        raise BadState("A cell holds '!'.")
    return (10 * (values.count("a") >= 4) + values.count("b"),)


def open_cells(count: int, odds: dict[str, float]) -> list[Question]:
    found = [question(cell, f"cell {cell}", odds, "b") for cell in range(count)]
    return [q for q in found if q is not None]


def test_certain_readings_ask_nothing() -> None:
    assert question("k", "k", {"a": 0.995, "b": 0.005}, "a") is None
    assert question("k", "k", {"a": 0.995, "b": 0.005}, "a", disputed=True) is not None
    asked = question("k", "k", {"a": 0.9, "b": 0.0999, "c": 0.0001}, "a")
    assert asked is not None
    assert set(asked.alternatives) == {"a", "b"}


def test_few_questions_are_tried_together() -> None:
    facts: dict[Any, str] = dict.fromkeys(range(4), "b")
    doubts, bounds = ask(facts, open_cells(4, {"b": 0.6, "a": 0.4}), four_of_a_kind)
    assert bounds == (1, 10)
    assert len(doubts) == 4
    assert doubts[0].changes_total_to == [3, 4]


def test_many_questions_reach_what_takes_several_of_them() -> None:
    """Points that no single change gives: all cells must be changed at once."""
    facts: dict[Any, str] = dict.fromkeys(range(9), "b")
    doubts, bounds = ask(facts, open_cells(9, {"b": 0.5, "a": 0.3, "c": 0.2}), four_of_a_kind)
    assert bounds == (0, 15)
    assert len(doubts) == 9


def test_what_changes_no_total_is_not_asked() -> None:
    facts: dict[Any, str] = {0: "c", 1: "b"}
    doubts, bounds = ask(facts, [Question(0, "cell 0", {"c": 0.6, "d": 0.4})], four_of_a_kind)
    assert (doubts, bounds) == ((), (1, 1))


def test_answers_that_cannot_be_change_no_bound() -> None:
    facts: dict[Any, str] = {0: "b"}
    doubts, bounds = ask(facts, [Question(0, "cell 0", {"b": 0.6, "!": 0.3, "c": 0.1})], four_of_a_kind)
    assert bounds == (0, 1)
    assert doubts[0].changes_total_to == [0, 1]
