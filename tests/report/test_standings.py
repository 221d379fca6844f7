"""Sheets of one table, and who won."""

import io

import pytest
from rich.console import Console

from scanner.errors import TooBlurred
from scanner.report.standings import print_standings
from scanner.report.tables import tables
from scanner.result import ErrorInfo, RefusedSheet, ScanResult
from tests.handmade import doubt, photo, sheet

BLURRED = ErrorInfo.of(TooBlurred("Too blurred."))


def printed(*results: ScanResult) -> str:
    out = Console(file=io.StringIO(), width=100, highlight=False)
    print_standings(out, results)
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


def test_sheets_find_each_other_by_their_set() -> None:
    found = tables(
        [
            photo(sheet(seat=2, sheet_number=8001), sheet(seat=1, sheet_number=16)),
            photo(sheet(seat=1, sheet_number=8000), sheet(seat=2, sheet_number=17), sheet(seat=3, sheet_number=None)),
            photo(sheet(seat=1, sheet_number=80)),
        ]
    )
    assert [(table.set_number, [s.state["seat"] for s in table.read]) for table in found] == [(2, [1, 2]), (1000, [1, 2])]


def test_a_sheet_alone_is_no_table() -> None:
    assert not tables([photo(sheet()), photo(sheet(), file="again.jpg")])
    assert printed(photo(sheet())) == ""


def test_two_photos_of_a_sheet_count_once_unless_they_differ() -> None:
    other = sheet(seat=1, sheet_number=8000)
    (table,) = tables([photo(sheet(), other), photo(sheet(wall_shapes=["........"] * 12))])
    assert (len(table.read), table.conflicting) == (2, ())
    (table,) = tables([photo(sheet(), other), photo(sheet(levels=[0, 0, 0]))])
    assert table.conflicting == (2,)
    assert not table.settled
    assert "read differently: seat 2" in printed(photo(sheet(), other), photo(sheet(levels=[0, 0, 0])))


def test_a_refused_sheet_leaves_the_standings_open() -> None:
    result = photo(sheet(), refused=(RefusedSheet(1, 8000, BLURRED),))
    (table,) = tables([result])
    assert table.missing == (1,)
    assert "not in the standings: seat 1" in printed(result)
    again = photo(sheet(seat=1, sheet_number=8000))
    (table,) = tables([result, again])
    assert table.missing == (), "read in another photo"


def test_most_points_win_then_fewest_empty_spaces_then_all() -> None:
    def three(second_empty: int) -> str:
        return printed(
            photo(
                sheet(seat=1, sheet_number=8000, total=50),
                sheet(seat=2, sheet_number=8001, total=56, empty_spaces=37),
                sheet(seat=3, sheet_number=8002, total=56, empty_spaces=second_empty),
            )
        )

    assert "seat 3 wins." in three(36)
    assert "seat 2 wins." in three(38)
    assert "seat 2 and seat 3 share the win." in three(37)
    assert "provisional" not in three(37)


@pytest.mark.parametrize(("bounds", "settled"), [((56, 59), True), ((50, 56), False), ((49, 56), False), ((56, 56), True)])
def test_standings_are_provisional_only_where_doubts_could_change_them(bounds: tuple[int, int], settled: bool) -> None:
    second = sheet(seat=1, sheet_number=8000, total=50)
    result = photo(sheet(total=56, bounds=bounds, review=(doubt(),)), second)
    assert tables([result])[0].settled is settled
    assert ("provisional" not in printed(result)) is settled


def test_players_are_called_by_their_names() -> None:
    text = printed(photo(sheet(player="Nefertari"), sheet(seat=1, sheet_number=8000, total=3)))
    assert "Nefertari (seat 2) wins." in text
