"""What a night looks like: at a terminal, as JSON, as CSV, as a page."""

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from rich.console import Console

from scanner.errors import NotAnImage, TooBlurred
from scanner.night.documents import COLUMNS, CsvWriter, JsonWriter
from scanner.night.ledger import Ledger
from scanner.night.names import NamedPlayer
from scanner.night.page import PageWriter
from scanner.night.run import show
from scanner.night.table import Night
from scanner.night.terminal import print_photo, print_table
from scanner.result import ErrorInfo, RefusedSheet
from tests.night.sightings import OTHER, SHEET, log, played, with_cell, written

EVIL = '<script src="https://example.org/x.js"></script>&"'


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "results.jsonl") as opened:
        yield opened


def a_night(ledger: Ledger) -> Night:
    """Two games: one in order with a contradiction, one of a single sheet; and photos that could not be read."""
    top = replace(played(3), levels=(3, 5, 8))
    photos = [
        log(ledger, "x/a.jpg", written(SHEET, 1, 8000), written(top, 2, 8001)),
        log(ledger, "x/b.jpg", written(with_cell(12, 2, "^"), 1, 8000)),
        log(ledger, "y/c.jpg", written(OTHER, 1, 80), refused=[RefusedSheet(2, 81, ErrorInfo.of(TooBlurred("Too blurred.")))]),
        log(ledger, "y/note.jpg", error=ErrorInfo.of(NotAnImage("y/note.jpg is no picture."))),
    ]
    return Night(photos, ledger, [NamedPlayer(1, "Nefertari", set=1000), NamedPlayer(2, EVIL, folder="x")])


def test_the_exit_code_is_the_highest(ledger: Ledger) -> None:
    night = a_night(ledger)
    assert show(night, []) == 4
    assert show(replace(night, photos=night.photos[:2]), []) == 1, "a reading needs a look"
    top = [written(replace(played(3), levels=(3, 5, 8)), 1, 16), written(replace(SHEET, levels=(2, 3, 0)), 2, 17)]
    fine = Night([log(ledger, "z/fine.jpg", *top)], ledger)
    assert (show(fine, []), show(fine, [], strict=True)) == (0, 0)
    conflict = Night([log(ledger, "z/twice.jpg", top[0], written(replace(played(3), levels=(3, 5, 8)), 2, 17))], ledger)
    assert (show(conflict, []), show(conflict, [], strict=True)) == (0, 1), "nobody has to look at a reading, but at the paper"


def test_json_is_one_document_with_everything(ledger: Ledger) -> None:
    out = io.StringIO()
    night = a_night(ledger)
    show(night, [JsonWriter(out)])
    document = json.loads(out.getvalue())
    assert document["schema"] == "obelisk-scan/1"
    small, large = document["games"]
    assert (small["set"], large["set"]) == (10, 1000)
    assert [one["kind"] for one in small["conflicts"]] == ["sheet refused"]
    assert [player["name"] for player in sorted(large["players"], key=lambda player: player["seat"])] == ["Nefertari", EVIL]
    (sheet,) = (sheet for sheet in large["sheets"] if sheet["state"]["seat"] == 1)
    assert sheet["photos"] == ["x/a.jpg", "x/b.jpg"]
    assert sheet["state"]["player"] == "Nefertari"
    assert [line["where"] for line in sheet["review"]] == ["obelisk r12 c2"]
    assert sheet["bounds"][0] < sheet["bounds"][1]
    assert [photo["file"] for photo in document["photos"]] == ["x/a.jpg", "x/b.jpg", "y/c.jpg", "y/note.jpg"]
    assert document["photos"][3]["error"]["kind"] == "not_an_image"
    assert document["photos"][2]["refused"][0]["error"]["kind"] == "too_blurred"


def test_an_empty_night_is_a_document_as_well(ledger: Ledger) -> None:
    out = io.StringIO()
    show(Night([], ledger), [JsonWriter(out)])
    assert json.loads(out.getvalue()) == {"schema": "obelisk-scan/1", "games": [], "photos": []}


def test_csv_has_a_row_a_player(ledger: Ledger) -> None:
    out = io.StringIO()
    night = a_night(ledger)
    show(replace(night, players=[NamedPlayer(1, '=HYPERLINK("x"),\n"y"')]), [CsvWriter(out)])
    rows = list(csv.DictReader(io.StringIO(out.getvalue())))
    assert tuple(rows[0]) == COLUMNS
    assert [(row["set"], row["seat"]) for row in rows if row["set"] == "10"] == [("10", "1")]
    assert len(rows) == 3
    for row in rows:
        assert int(row["total"]) == sum(int(row[part]) for part in ("columns", "rows", "levels", "scrolls"))
        assert row["name"] in ('\'=HYPERLINK("x"), "y"', "")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", "\r\n+", "\uff1d", "\uff0b", "\uff0d", "\uff20"])
def test_no_spreadsheet_takes_a_text_of_the_csv_for_a_formula(ledger: Ledger, start: str) -> None:
    out = io.StringIO()
    night = Night([log(ledger, f"{start}folder/a.jpg", written(SHEET, 1, 8000))], ledger, [NamedPlayer(1, f"{start}1")])
    show(night, [CsvWriter(out)])
    (row,) = csv.DictReader(out.getvalue().splitlines())
    first = start.strip()
    assert (row["name"], row["folder"], row["photos"]) == (f"'{first}1", f"'{first}folder", f"'{first}folder/a.jpg")


def printed(night: Night, width: int = 100) -> str:
    out = Console(file=io.StringIO(), width=width, highlight=False)
    for table in night.tables():
        print_table(out, table)
    for photo in night.verdicts():
        print_photo(out, photo)
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


def test_the_terminal_says_who_won_and_what_is_open(ledger: Ledger) -> None:
    text = printed(a_night(ledger))
    for expected in (
        "Set 1000 (x)",
        "Nefertari (seat 1): ? obelisk r12 c2: read @",
        "The sheet of seat 2 in y/c.jpg could not be read. Too blurred.",
        "y/note.jpg is no picture.",
        "y/c.jpg, seat 2 is not scored: Too blurred.",
    ):
        assert expected in text
    assert printed(a_night(ledger), 40)


class _Page(HTMLParser):
    """Checks that elements are closed in order, and gathers what could ask somebody outside for something."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.addresses: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "srcset", "action", "data")]
        if tag not in ("meta", "img", "br", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def page_of(night: Night, path: Path) -> str:
    show(night, [PageWriter(path)])
    return path.read_text("utf-8")


def test_the_page_is_whole_and_asks_nobody_outside(ledger: Ledger, tmp_path: Path) -> None:
    text = page_of(a_night(ledger), tmp_path / "night.html")
    page = _Page()
    page.feed(text)
    assert not page.open
    assert not page.tags & {"script", "link", "iframe", "object", "embed", "form", "base"}
    assert all(address.startswith("data:image/") for address in page.addresses)
    assert not re.search(r"url\(|@import", text)
    assert "default-src 'none'" in text


def test_the_page_escapes_names(ledger: Ledger, tmp_path: Path) -> None:
    text = page_of(a_night(ledger), tmp_path / "night.html")
    assert EVIL not in text
    assert "&lt;script src=" in text


def test_photos_that_are_gone_leave_the_page_readable(ledger: Ledger, tmp_path: Path) -> None:
    """The photos of this night were never there."""
    text = page_of(a_night(ledger), tmp_path / "night.html")
    assert text.count("The photo is no longer there") == 3
    assert "Nefertari (seat 1)" in text


def test_a_page_that_breaks_off_leaves_the_old_one(ledger: Ledger, tmp_path: Path) -> None:
    path = tmp_path / "night.html"
    path.write_text("the old page")
    writer = PageWriter(path)
    writer.game(next(iter(a_night(ledger).tables())))
    writer.abandon()
    assert path.read_text() == "the old page"
    assert [one.name for one in tmp_path.iterdir() if one.suffix != ".jsonl"] == ["night.html"]
