"""Which sheets make a game."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scanner.errors import TooBlurred
from scanner.night.ledger import Ledger
from scanner.night.photos import PhotoFile
from scanner.night.table import GameTable, Night
from scanner.result import ErrorInfo, RefusedSheet
from tests.night.sightings import OTHER, SHEET, log, written

BLURRED = ErrorInfo.of(TooBlurred("Too blurred."))


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "results.jsonl") as opened:
        yield opened


def tables(ledger: Ledger, *photos: PhotoFile) -> list[GameTable]:
    return list(Night(photos, ledger).tables())


def shape(table: GameTable) -> tuple[int | None, list[int]]:
    return table.game.set_number, [sheet.seat for sheet in table.game.sheets]


def test_sheets_of_one_set_are_one_game(ledger: Ledger) -> None:
    found = tables(
        ledger,
        log(ledger, "a.jpg", written(SHEET, 2, 8001), written(SHEET, 1, 16)),
        log(ledger, "b.jpg", written(SHEET, 1, 8000)),
    )
    assert [shape(table) for table in found] == [(2, [1]), (1000, [1, 2])]


def test_a_sheet_in_several_photos_is_read_once(ledger: Ledger) -> None:
    photos = [log(ledger, f"{n}.jpg", written()) for n in range(3)]
    (table,) = tables(ledger, *photos)
    (sheet,) = table.game.sheets
    assert sorted(sheet.photos) == ["0.jpg", "1.jpg", "2.jpg"]


def test_a_copy_of_a_photo_is_no_further_evidence(ledger: Ledger) -> None:
    first = log(ledger, "a.jpg", written(), content="same")
    copy = log(ledger, "copy.jpg", written(), content="same")
    (table,) = tables(ledger, first, copy)
    assert table.game.sheets[0].photos == ("a.jpg",)
    assert [one.copy_of for one in Night([first, copy], ledger).verdicts()] == [None, "a.jpg"]


def test_the_same_set_in_two_folders_is_one_game_if_the_writing_is_the_same(ledger: Ledger) -> None:
    one = log(ledger, "phone/a.jpg", written())
    other = log(ledger, "camera/b.jpg", written(), written(SHEET, 1, 8000))
    (table,) = tables(ledger, one, other)
    assert shape(table) == (1000, [1, 2])
    assert table.game.folders == ("camera", "phone")


def test_a_set_that_was_printed_twice_is_two_games_in_two_folders(ledger: Ledger) -> None:
    found = tables(ledger, log(ledger, "friday/a.jpg", written()), log(ledger, "saturday/b.jpg", written(OTHER)))
    assert [(shape(table), table.game.folders) for table in found] == [
        ((1000, [2]), ("friday",)),
        ((1000, [2]), ("saturday",)),
    ]
    assert not any(line.where == "sheet" for table in found for sheet in table.game.sheets for line in sheet.result.review)


def test_in_one_folder_it_is_a_contradiction(ledger: Ledger) -> None:
    (table,) = tables(ledger, log(ledger, "a.jpg", written()), log(ledger, "b.jpg", written(OTHER)))
    assert next(one.kind for one in table.conflicts if one.seats == (2,)) == "photos disagree"
    assert table.game.sheets[0].result.review[0].where == "sheet"


def test_a_sheet_without_a_number_belongs_to_the_set_it_lies_with(ledger: Ledger) -> None:
    together = log(ledger, "a.jpg", written(SHEET, 2, 8001), written(SHEET, 1, None))
    elsewhere = log(ledger, "b.jpg", written(SHEET, 3, 8 * 7 + 2))
    found = tables(ledger, together, elsewhere)
    assert [shape(table) for table in found] == [(7, [3]), (1000, [1, 2])]
    assert found[1].game.guessed == (1,)
    assert "sheet number not readable" in [one.kind for one in found[1].conflicts]


def test_without_a_number_the_writing_tells_whether_it_is_the_same_sheet(ledger: Ledger) -> None:
    numbered = log(ledger, "a.jpg", written(SHEET, 2, 8001))
    again = log(ledger, "b.jpg", written(SHEET, 2, None))
    (table,) = tables(ledger, numbered, again)
    assert shape(table) == (1000, [2])
    another = log(ledger, "c.jpg", written(OTHER, 2, None))
    (table,) = tables(ledger, numbered, again, another)
    assert shape(table) == (1000, [2, 2])
    assert "more than one sheet" in [one.kind for one in table.conflicts]


def test_a_sheet_that_was_photocopied_is_several_sheets_in_one_photo(ledger: Ledger) -> None:
    table_photo = log(ledger, "table.jpg", written(SHEET, 1, 8000), written(OTHER, 1, 8000))
    close_up = log(ledger, "other.jpg", written(OTHER, 1, 8000))
    (table,) = tables(ledger, table_photo, close_up)
    assert shape(table) == (1000, [1, 1])
    assert sorted(sheet.photos for sheet in table.game.sheets) == [("other.jpg", "table.jpg"), ("table.jpg",)]
    (conflict,) = (one for one in table.conflicts if one.kind == "more than one sheet")
    assert conflict.message == (
        "There are 2 sheets of seat 1, all numbered 8000, in other.jpg and table.jpg; only one can be the seat's."
    )
    assert len({table.label(place) for place in table.standings}) == 2


def test_two_copies_that_only_one_photo_shows_are_told_apart(ledger: Ledger) -> None:
    (table,) = tables(ledger, log(ledger, "table.jpg", written(SHEET, 1, 8000), written(OTHER, 1, 8000)))
    assert sorted(table.label(place) for place in table.standings) == [
        "seat 1 in table.jpg, copy 1",
        "seat 1 in table.jpg, copy 2",
    ]
    messages = [one.message for one in table.conflicts if one.kind == "more than one sheet"]
    assert messages == ["There are 2 sheets of seat 1, all numbered 8000, in table.jpg; only one can be the seat's."]


def test_copies_that_read_the_same_are_one_player(ledger: Ledger) -> None:
    (table,) = tables(ledger, log(ledger, "table.jpg", written(SHEET, 1, 8000), written(SHEET, 1, 8000)))
    assert shape(table) == (1000, [1, 1])
    assert [table.label(place) for place in table.standings] == ["seat 1"]
    assert not any(one.kind == "same rank twice" for one in table.conflicts)
    messages = [one.message for one in table.conflicts if one.kind == "more than one sheet"]
    assert messages == ["There are 2 sheets of seat 1, all numbered 8000, in table.jpg; only one can be the seat's."]


def test_numbers_that_cannot_be_read_at_all_make_a_group_by_folder(ledger: Ledger) -> None:
    found = tables(
        ledger,
        log(ledger, "x/a.jpg", written(SHEET, 1, None)),
        log(ledger, "x/b.jpg", written(SHEET, 2, None)),
        log(ledger, "y/c.jpg", written(OTHER, 1, None)),
    )
    assert [(shape(table), table.game.folders) for table in found] == [((None, [1, 2]), ("x",)), ((None, [1]), ("y",))]


def test_a_refused_sheet_is_missing_unless_another_photo_shows_it(ledger: Ledger) -> None:
    refused = log(ledger, "a.jpg", written(), refused=[RefusedSheet(1, 8000, BLURRED)])
    (table,) = tables(ledger, refused)
    assert [(gone.seat, gone.photo) for gone in table.game.missing] == [(1, "a.jpg")]
    assert "sheet refused" in [one.kind for one in table.conflicts]
    better = log(ledger, "b.jpg", written(SHEET, 1, 8000))
    (table,) = tables(ledger, refused, better)
    assert not table.game.missing
    assert [one.code for one in Night([refused, better], ledger).verdicts()] == [4, 0]


def test_photos_that_are_gone_do_not_count(ledger: Ledger) -> None:
    kept = log(ledger, "a.jpg", written())
    log(ledger, "deleted.jpg", written(SHEET, 1, 8000))
    (table,) = tables(ledger, kept)
    assert shape(table) == (1000, [2])
