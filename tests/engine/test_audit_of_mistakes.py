"""Audits of sheets from play: nothing is found on them, and every mistake that is then made on them is."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest

from scanner.engine import audit_state
from scanner.engine.obelisk.play import random_states
from scanner.engine.obelisk.sheet import LEVEL_POINTS, SYMBOLS
from scanner.engine.obelisk.state import to_dict

State = dict[str, Any]
SHEETS = 300
MISTAKEN = 60


@pytest.fixture(scope="module")
def sheets() -> list[State]:
    """From cut and finished games of mixed players."""
    return [to_dict(state) for state in islice(random_states(np.random.default_rng(77)), SHEETS)]


def breaches(state: State) -> list[str]:
    return [line.rule for line in audit_state(state) if line.breach]


def test_nothing_is_found_on_sheets_from_play(sheets: list[State]) -> None:
    assert [found for found in map(breaches, sheets) if found] == []


def put(rows: list[str], cell: tuple[int, int], character: str) -> list[str]:
    row, column = cell
    return [*rows[:row], rows[row][:column] + character + rows[row][column + 1 :], *rows[row + 1 :]]


def mistakes(state: State, rng: np.random.Generator) -> Iterator[tuple[str, State]]:
    """One mistake of each kind that the sheet has room for, and what it is called."""

    def one(rows: list[str], characters: str) -> tuple[int, int] | None:
        cells = [(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell in characters]
        return cells[int(rng.integers(len(cells)))] if cells else None

    def drawn(cell: tuple[int, int], character: str) -> State:
        return state | {"obelisk": put(state["obelisk"], cell, character)}

    def scroll(index: int, **changes: Any) -> State:
        scrolls = list(state["scrolls"])
        return state | {"scrolls": [*scrolls[:index], scrolls[index] | changes, *scrolls[index + 1 :]]}

    if cell := one(state["obelisk"], SYMBOLS):
        other = SYMBOLS[(SYMBOLS.index(state["obelisk"][cell[0]][cell[1]]) + int(rng.integers(1, 5))) % 5]
        yield "another symbol", drawn(cell, other)
        yield "a symbol left out", drawn(cell, "_")
    if cell := one(state["obelisk"], "_"):
        yield "a symbol too many", drawn(cell, SYMBOLS[int(rng.integers(5))])
    if cell := one(state["obelisk"], "x"):
        yield "a cross left out", drawn(cell, ".")
    if cell := one(state["obelisk"], "."):
        yield "a cross too many", drawn(cell, "x")
        yield "a symbol on nothing", drawn(cell, "O")
    wall = state["wall_shapes"]
    if cell := one(wall, "abcdefghijklmnopqrstuvwxyz"):
        letter = wall[cell[0]][cell[1]]
        yield "an outline left out", state | {"wall_shapes": [row.replace(letter, ".") for row in wall]}
        yield "an outline cut short", state | {"wall_shapes": put(wall, cell, ".")}
    filled = sum(bool(entry["symbols"]) for entry in state["scrolls"])
    if filled:
        yield "scroll points forgotten", scroll(filled - 1, marked=False)
        yield "a scroll forgotten", scroll(filled - 1, symbols="", marked=False, used=False)
    if filled < 3:
        yield "points of an empty scroll", scroll(filled, marked=True)
        yield "an empty scroll used", scroll(filled, used=True)
    height = sum(any(cell not in ".x" for cell in row) for row in state["obelisk"])
    if height < 12:
        level = height // 4
        levels = [*state["levels"][:level], LEVEL_POINTS[level][0], *state["levels"][level + 1 :]]
        yield "a level not reached", state | {"levels": levels}


def test_mistakes_on_sheets_from_play_are_found(sheets: list[State]) -> None:
    rng = np.random.default_rng(5)
    made: dict[str, int] = {}
    for state in sheets[:MISTAKEN]:
        for name, mistaken in mistakes(state, rng):
            made[name] = made.get(name, 0) + 1
            assert breaches(mistaken), (name, mistaken)
    assert len(made) == 13
    assert min(made.values()) >= 10, made
