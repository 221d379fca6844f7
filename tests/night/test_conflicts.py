"""Conflicts between the sheets of a game, and names."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from scanner.errors import BadState, MissingFile
from scanner.night.grouping import GameOfNight
from scanner.night.ledger import Ledger
from scanner.night.names import NamedPlayer, load_names, names_of
from scanner.night.table import GameTable, Night, set_table
from tests.decode.simulated import Sheet
from tests.night.sightings import log, played, written

TOP = played(3)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "results.jsonl") as opened:
        yield opened


def game(ledger: Ledger, *levels: list[int], seats: tuple[int, ...] = ()) -> GameTable:
    """A game in which the seats marked these points at the levels."""
    taken = seats or tuple(range(1, len(levels) + 1))
    sheets = [written(marking(marked), seat, 8000 + seat - 1) for seat, marked in zip(taken, levels, strict=True)]
    (table,) = Night([log(ledger, "night/a.jpg", *sheets)], ledger).tables()
    return table


def marking(levels: list[int]) -> Sheet:
    """A sheet that reaches all levels, with these points marked."""
    return replace(TOP, levels=tuple(levels))


def kinds(table: GameTable) -> list[tuple[str, tuple[int, ...]]]:
    return [(one.kind, one.seats) for one in table.conflicts]


def test_a_game_in_order_has_no_conflicts(ledger: Ledger) -> None:
    assert not kinds(game(ledger, [3, 3, 5], [2, 5, 8], [1, 0, 0], [0, 1, 0]))


def test_two_players_with_the_same_rank(ledger: Ledger) -> None:
    assert kinds(game(ledger, [3, 5, 8], [3, 0, 0])) == [("same rank twice", (1, 2))]


def test_a_rank_with_none_above_it(ledger: Ledger) -> None:
    table = game(ledger, [3, 5, 8], [1, 0, 0])
    assert kinds(table) == [("rank without the one above", (2,))]
    assert "marked 1 point as third at level 1, but nobody marked 2 points as second" in table.conflicts[0].message


def test_nobody_at_the_top_level(ledger: Ledger) -> None:
    assert kinds(game(ledger, [3, 5, 0], [2, 3, 0])) == [("nobody at the top level", (1, 2))]


def test_a_seat_between_others_is_missing(ledger: Ledger) -> None:
    table = game(ledger, [3, 5, 8], [2, 3, 5], seats=(1, 4))
    assert kinds(table) == [("missing seat", (2, 3))]
    assert not table.settled
    assert not table.needs_look, "no reading does"
    assert not table.in_order


def test_a_named_player_without_a_sheet_is_missing(ledger: Ledger) -> None:
    of_night = game(ledger, [3, 5, 8], [2, 3, 5]).game
    assert kinds(set_table(of_night, [NamedPlayer(3, "Ramses", set=1000)])) == [("missing seat", (3,))]
    assert not kinds(set_table(of_night, [NamedPlayer(3, "Ramses", set=999), NamedPlayer(4, "Ramses")])), "of other games"


def test_seat_and_number_that_disagree(ledger: Ledger) -> None:
    (table,) = Night([log(ledger, "a.jpg", written(marking([3, 5, 8]), 1, 8003))], ledger).tables()
    assert kinds(table) == [("seat and number disagree", (1,))]


def names_file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "names.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_names_of_a_set_count_more_than_those_of_a_folder_and_those_more_than_any(tmp_path: Path) -> None:
    players = load_names(
        names_file(
            tmp_path,
            """
            [[player]]
            seat = 1
            name = "Anyone"
            [[player]]
            seat = 2
            folder = "table 3"
            name = "Folder"
            [[player]]
            seat = 1
            set = 1000
            name = "Nefertari"
            """,
        )
    )
    there = GameOfNight("obelisk", 1000, ("photos/table 3",), ())
    assert names_of(there, players) == {1: "Nefertari", 2: "Folder"}
    assert names_of(GameOfNight("obelisk", 7, ("photos",), ()), players) == {1: "Anyone"}


def test_names_stand_in_the_standings(ledger: Ledger) -> None:
    table = set_table(game(ledger, [3, 5, 8], [2, 3, 5]).game, [NamedPlayer(1, "Nefertari", set=1000)])
    assert table.verdict == "Nefertari (seat 1) wins."


@pytest.mark.parametrize(
    "text",
    [
        "seat = ",
        "player = 3",
        "[[player]]\nseat = 1",
        '[[player]]\nseat = 0\nname = "A"',
        '[[player]]\nseat = 9\nname = "A"',
        '[[player]]\nseat = "1"\nname = "A"',
        '[[player]]\nseat = 1\nname = ""',
        '[[player]]\nseat = 1\nname = "  "',
        '[[player]]\nseat = 1\nname = "Ada\\u001b[31m"',
        '[[player]]\nseat = 1\nset = -1\nname = "A"',
        '[[player]]\nseat = 1\nfolder = "Ada\\u001b[31m"\nname = "A"',
        '[[player]]\nseat = 1\nfolder = "\\u0000"\nname = "A"',
        '[[player]]\nseat = 1\nname = "A"\ncolour = "red"',
        '[[player]]\nseat = 1\nname = "A"\n[[player]]\nseat = 1\nname = "B"',
        '[[players]]\nseat = 1\nname = "A"',
    ],
)
def test_a_malformed_names_file_breaks_the_contract(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadState) as caught:
        load_names(names_file(tmp_path, text))
    assert caught.value.code == 5
    assert "[[player]]" in caught.value.hint
    assert caught.value.message.isprintable()


def test_a_mistake_in_a_names_file_is_said_in_its_own_terms(tmp_path: Path) -> None:
    with pytest.raises(BadState, match=r"Expected `int` <= 8 in \[\[player\]\] number 2, `seat`\.$"):
        load_names(names_file(tmp_path, '[[player]]\nseat = 1\nname = "A"\n[[player]]\nseat = 9\nname = "B"'))


def test_a_names_file_that_is_no_text_or_not_there(tmp_path: Path) -> None:
    (tmp_path / "names.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadState):
        load_names(tmp_path / "names.toml")
    with pytest.raises(MissingFile):
        load_names(tmp_path / "none.toml")
