"""What the sheets of a game know of each other's levels."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from scanner.night.ledger import Ledger
from scanner.night.table import GameTable, Night
from tests.night.sightings import log, played, written

TOP = played(3)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "results.jsonl") as opened:
        yield opened


def table_of(ledger: Ledger, *levels: list[int]) -> GameTable:
    sheets = [written(replace(TOP, levels=tuple(marked)), seat, 8000 + seat - 1) for seat, marked in enumerate(levels, 1)]
    (table,) = Night([log(ledger, "night/a.jpg", *sheets)], ledger).tables()
    return table


def unmarked(table: GameTable) -> dict[int, set[str]]:
    """Seat -> the levels at which points are said to be forgotten."""
    return {
        sheet.seat: {line.where for line in sheet.result.audit if line.rule == "level points not marked"}
        for sheet in table.game.sheets
    }


def test_the_fourth_player_at_a_level_has_forgotten_nothing(ledger: Ledger) -> None:
    table = table_of(ledger, [3, 5, 8], [2, 3, 0], [1, 1, 0], [0, 0, 5])
    assert unmarked(table) == {1: set(), 2: {"level3"}, 3: {"level3"}, 4: set()}


def test_a_rank_that_nobody_marked_may_have_been_forgotten(ledger: Ledger) -> None:
    assert unmarked(table_of(ledger, [3, 5, 8], [2, 3, 5], [0, 1, 3])) == {1: set(), 2: set(), 3: {"level1"}}
