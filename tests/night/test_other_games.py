"""Nights of Imhotep, whose sheets hold a whole table, and of Monolyth."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from scanner.night.ledger import Ledger
from scanner.night.record import SheetRecord
from scanner.night.table import GameTable, Night
from scanner.sheet import imhotep_places, monolyth_places
from scanner.sheet.template import load_template
from tests.decode.written_readings import readings_of
from tests.night.sightings import GOOD, log, pose, record_of

IMHOTEP: dict[str, Any] = {
    "game": "imhotep",
    "players": ["white", "black"],
    "pyramid": ["white", "black", "white"],
    "temple": [["white"], ["white", "black"], [], [], [], []],
    "temple_stones": 2,
    "burial_chamber": ["white", "white", "black"],
    "obelisks": {"white": 2, "black": 1},
    "statues": {"white": 3, "black": 1},
    "decorations": {"white": [], "black": []},
    "blue_cards": {"white": 1, "black": 0},
}
SIDES = {"front": "O", "right": "*", "back": "^", "left": "@"}
MONOLYTH: dict[str, Any] = {
    "game": "monolyth", "seat": 1, "players": 3, "height": 3,
    "tower": [["OOOO", "****", "OOOO", "****"], ["....", "....", "....", "...."], ["....", "....", "....", "...."]],
    "sides": {side: {"colour": colour, "prophecy": None} for side, colour in SIDES.items()},
    "level_tokens": [], "structure_token": 0,
}  # fmt: skip


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "results.jsonl") as opened:
        yield opened


def written(state: Mapping[str, Any], seat: int, number: int, blur_mm: float = GOOD) -> SheetRecord:
    places = imhotep_places if state["game"] == "imhotep" else monolyth_places
    readings = readings_of(load_template(state["game"]), places.written(state))
    return record_of(readings, pose(seat, number, blur_mm, game=state["game"]))


def standings(table: GameTable) -> list[tuple[str, int, bool]]:
    return [(table.label(place), place.contender.key[0], place.wins) for place in table.standings]


def test_a_sheet_of_imhotep_is_a_game_of_its_own(ledger: Ledger) -> None:
    again = {**IMHOTEP, "obelisks": {"white": 1, "black": 4}, "statues": {"white": 1, "black": 5}}
    photos = [
        log(ledger, "a.jpg", written(IMHOTEP, 1, 8)),
        log(ledger, "b.jpg", written(IMHOTEP, 1, 8, 0.2)),
        log(ledger, "c.jpg", written(again, 2, 9)),
    ]
    first, second = Night(photos, ledger).tables()
    assert [len(sheet.photos) for sheet in (*first.game.sheets, *second.game.sheets)] == [2, 1]
    assert first.title.startswith("Set 1, Imhotep")
    assert [name for name, _, wins in standings(first) if wins] == ["white"]
    assert [name for name, _, wins in standings(second) if wins] == ["black"]
    assert not first.conflicts


def test_photos_of_imhotep_that_disagree_leave_everything_open(ledger: Ledger) -> None:
    other = {**IMHOTEP, "obelisks": {"white": 2, "black": 4}}
    photos = [log(ledger, "a.jpg", written(IMHOTEP, 1, 8)), log(ledger, "b.jpg", written(other, 1, 8))]
    (table,) = Night(photos, ledger).tables()
    assert [line.where for line in table.game.sheets[0].result.review]
    assert not table.settled


def test_players_of_monolyth_by_their_points(ledger: Ledger) -> None:
    better = {**MONOLYTH, "seat": 2, "level_tokens": [10]}
    photos = [log(ledger, "a.jpg", written(MONOLYTH, 1, 8), written(better, 2, 9))]
    (table,) = Night(photos, ledger).tables()
    names = [name for name, _, _ in standings(table)]
    assert names == ["seat 2", "seat 1"]
    assert table.standings[0].contender.key[0] > table.standings[1].contender.key[0]
