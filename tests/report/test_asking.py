"""Questions at the terminal: what is shown, what is understood, and what an answer changes."""

import io
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
from rich.console import Console

from scanner import pipeline
from scanner.decode.answers import PLACES
from scanner.errors import Inconsistent
from scanner.pipeline import PhotoScan, SheetScan, read_photo
from scanner.report import asking
from scanner.report.answers import answered
from scanner.report.asking import Asker, Settling, outcome
from scanner.report.halfblocks import drawn, piece, width_for
from scanner.report.where import place_box
from scanner.result import Answer, AuditLine
from scanner.sheet.template import load_template
from tests.doubtful import CELL, CIRCLE, CIRCLE_TRUTH, COLUMN, ROW, SYMBOL, TOTAL, TRUE, doubtful_reader, total_with
from tests.tabletop import tabletop

FILE = "photo.jpg"


@pytest.fixture(scope="module")
def scan() -> Iterator[PhotoScan]:
    """A photo of one sheet with a doubtful cell and a doubtful circle."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "read_sheets", doubtful_reader())
        yield read_photo(tabletop((2, 8001)), name=FILE)


@pytest.fixture
def sheet(scan: PhotoScan) -> SheetScan:
    return scan.sheets[0]


def console(**options: Any) -> Console:
    """With rich's own options."""
    return Console(file=io.StringIO(), width=100, highlight=False, **options)


def ask(
    sheet: SheetScan, *lines: str, known: Mapping[str, str] | None = None
) -> tuple[SheetScan, str, list[dict[str, str]], Asker]:
    """What a person who types these lines is shown, and makes of the sheet; and what was kept after each answer."""
    out, kept = console(), []
    typed = iter([*(f"{line}\n" for line in lines), ""])
    asker = Asker(out, lambda: next(typed))
    after = asker.ask(sheet, FILE, known or {}, lambda answers: kept.append(dict(answers)))
    assert isinstance(out.file, io.StringIO)
    return after, out.file.getvalue(), kept, asker


def letter_of(value: str, text: str, where: str = CELL) -> str:
    """The letter that chooses a value, as it was shown for the place's question."""
    shown = text.split(f"{where}: what stands here?")[1].split("something else", maxsplit=1)[0]
    return next(line.split()[0] for line in shown.splitlines() if line.split()[1:2] == [value])


def where_of(sheet: SheetScan) -> set[str]:
    return {line.where for line in sheet.result.review}


def test_each_doubt_is_shown_with_what_every_answer_does(sheet: SheetScan) -> None:
    assert where_of(sheet) == {CELL, CIRCLE}
    _, text, _, _ = ask(sheet, "s", "s")
    assert text.startswith(f"{FILE}, seat 2, set 1000, sheet 8001: total {sheet.result.score['total']}")
    assert "(2 open)" in text
    assert "(1 open)" in text
    for where in (CELL, CIRCLE):
        shown = text.split(f"{where}: what stands here?")[1].split("something else")[0]
        for value in next(line for line in sheet.result.review if line.where == where).alternatives:
            row = next(line for line in shown.splitlines() if line.split()[1:2] == [value])
            total = answered(sheet, {where: value}).result.score["total"]
            assert row.rstrip().endswith(f"total {total}")
    assert f"total {total_with('x')}" in text
    assert f"{SYMBOL} star" in text
    assert "2 readings still open" in text


def test_answers_settle_their_places_and_the_totals(sheet: SheetScan) -> None:
    text = ask(sheet, "s", "s")[1]
    first, second = (line.where for line in sheet.result.review)
    chosen = {CELL: "x", CIRCLE: CIRCLE_TRUTH}
    after, text, kept, _ = ask(sheet, *(letter_of(chosen[where], text, where) for where in (first, second)))
    total = total_with("x")
    assert total != TOTAL
    assert after.result.score["total"] == total
    assert after.result.bounds == (total, total)
    assert not after.result.review
    assert after.result.answers == (Answer(first, chosen[first]), Answer(second, chosen[second]))
    assert after.result.state["obelisk"][ROW][COLUMN] == "x"
    assert kept == [{first: chosen[first]}, {first: chosen[first], second: chosen[second]}]
    assert f"total {total}; nothing is open any more" in text


def test_something_else_can_be_typed_in_several_ways(sheet: SheetScan) -> None:
    known = {CIRCLE: CIRCLE_TRUTH}
    for typed, value in (("y", "Y"), ("Pyramid", "^"), ("?", "?"), ("blank", "_")):
        after, _, kept, _ = ask(sheet, typed, known=known)
        assert after.result.state["obelisk"][ROW][COLUMN] == value
        assert after.result.score["total"] == total_with(value)
        assert not after.result.review
        assert set(kept[-1]) == {CELL, CIRCLE}


def test_what_is_not_understood_is_asked_again(sheet: SheetScan) -> None:
    after, text, kept, _ = ask(sheet, "zebra", "", "7", "h", "sun", known={CIRCLE: CIRCLE_TRUTH})
    assert text.count(f"{CELL} can hold: . _ O * ^ @ Y x ?.") == 4
    assert after.result.score["total"] == total_with("O")
    assert kept == [{CIRCLE: CIRCLE_TRUTH, CELL: "O"}]


def test_skipped_places_stay_open_and_are_not_asked_again(sheet: SheetScan) -> None:
    first = sheet.result.review[0].where
    after, text, kept, asker = ask(sheet, "s", "s")
    assert where_of(after) == where_of(sheet)
    assert text.count(f"{first}: what stands here?") == 1
    assert not kept
    assert not asker.stopped


@pytest.mark.parametrize("typed", [["q"], ["quit"], ["QUIT"], []])
def test_quitting_or_the_end_of_input_ends_all_questions(sheet: SheetScan, typed: list[str]) -> None:
    after, text, kept, asker = ask(sheet, *typed)
    assert after.result == sheet.result
    assert asker.stopped
    assert not kept
    assert "2 readings still open" in text
    before = text
    assert asker.ask(sheet, FILE, {}).result == sheet.result
    assert isinstance(asker.console.file, io.StringIO)
    assert asker.console.file.getvalue() == before, "no further sheet is asked about"


def test_answers_before_quitting_count(sheet: SheetScan) -> None:
    first = sheet.result.review[0].where
    after, _, kept, _ = ask(sheet, "a", "q")
    assert first == CIRCLE
    assert where_of(after) == where_of(sheet) - {first}
    assert len(kept) == 1


def test_an_answer_can_be_taken_back(sheet: SheetScan) -> None:
    first, second = (line.where for line in sheet.result.review)
    after, text, kept, _ = ask(sheet, "back", "a", "back", "s", "s")
    assert "There is no answer to take back." in text
    assert f"{first} is open again." in text
    assert kept[-1] == {}
    assert after.result == sheet.result
    again, _, kept, _ = ask(sheet, "unmarked", "back", "unmarked", "a")
    assert not again.result.review
    assert set(kept[-1]) == {first, second}


def test_what_no_sheet_can_be_is_said_and_asked_again(sheet: SheetScan, monkeypatch: pytest.MonkeyPatch) -> None:
    def only_unmarked(scan: SheetScan, answers: Mapping[str, str]) -> SheetScan:
        if answers.get(CIRCLE) == "marked":
            raise Inconsistent("Nobody could mark that.")
        return answered(scan, answers)

    monkeypatch.setattr(asking, "answered", only_unmarked)
    after, text, kept, _ = ask(sheet, "marked", "unmarked", "q")
    assert "cannot be: Nobody could mark that." in text
    assert "That cannot be: Nobody could mark that." in text
    assert kept == [{CIRCLE: "unmarked"}]
    assert where_of(after) == {CELL}


def test_nothing_is_shown_of_a_sheet_without_doubts(sheet: SheetScan) -> None:
    after, text, _, _ = ask(sheet, known=TRUE)
    assert text == ""
    assert after.result.score["total"] == TOTAL


def test_places_that_cannot_be_answered_for_are_named(sheet: SheetScan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(PLACES, "obelisk")
    _, text, _, _ = ask(sheet)
    assert f"{CELL} cannot be answered for here; look at the photo." in text


def test_what_the_photo_says_of_the_sheet_stays(sheet: SheetScan) -> None:
    line = AuditLine("same sheet twice", "sheet", "Two of them.")
    noted = replace(sheet, result=msgspec.structs.replace(sheet.result, audit=(*sheet.result.audit, line)))
    audit = answered(noted, {CELL: "O"}).result.audit
    assert audit.count(line) == 1
    assert CELL in {found.where for found in audit}, "the wall has another symbol there"


def test_without_answers_nothing_changes(scan: PhotoScan) -> None:
    assert Settling().settle(scan) is scan


def test_outcomes_of_tables_name_the_players_whose_totals_change() -> None:
    now = {"players": {"white": {"total": 23}, "black": {"total": 7}, "gray": {"total": 9}}}
    then = {"players": {"white": {"total": 24}, "black": {"total": 7}, "brown": {"total": 0}}}
    assert outcome(now, then) == "white 24, brown 0, without gray"
    assert outcome(now, now) == "the totals stay"
    assert outcome({"total": 3}, {"total": 5}) == "total 5"


# Pictures


def test_a_place_is_cut_upright_from_a_turned_photo(sheet: SheetScan) -> None:
    template = load_template("obelisk")
    box = place_box(template, "obelisk r12 c1", 1 / 3)
    assert box is not None
    grid = template.grid("obelisk")
    assert box == pytest.approx((95.833, 163.333, 116.667, 184.167), abs=0.01)
    picture = piece(sheet.photo, sheet.pose, box, 40)
    assert picture.shape == (40, 40, 3)
    dark = picture.mean(axis=2) < 200
    left = round((grid.origin_mm[0] - box[0]) / (box[2] - box[0]) * 40)
    assert dark[:28, left - 1 : left + 1].any(axis=1).mean() > 0.9, "the obelisk's border stands upright at its place"
    assert dark.mean() < 0.4
    assert np.median(picture) > 225, "paper is white"


def test_wide_places_get_wide_pictures_that_fit_the_terminal() -> None:
    assert width_for(console(), (0, 0, 20, 20)) == 40
    assert width_for(console(), (0, 0, 90, 15)) == 96
    assert width_for(Console(file=io.StringIO(), width=30), (0, 0, 20, 20)) == 26


def cross() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A red cross on white paper, uint8 (20, 20, 3)."""
    picture = np.full((20, 20, 3), 245, np.uint8)
    cv2.line(picture, (3, 3), (16, 16), (40, 40, 200), 2)
    cv2.line(picture, (3, 16), (16, 3), (40, 40, 200), 2)
    return picture


def printed(out: Console) -> str:
    assert isinstance(out.file, io.StringIO)
    out.print(drawn(out, cross()), end="")
    return out.file.getvalue()


def test_pictures_are_in_colour_where_the_terminal_has_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    text = printed(console(force_terminal=True, color_system="truecolor"))
    assert text.count("▀") == 200
    assert "38;2;200;40;40" in text
    assert "48;2;245;245;245" in text


def test_without_colours_ink_is_drawn_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    for out in (console(force_terminal=True, color_system="truecolor"), console()):
        text = printed(out)
        lines = text.splitlines()
        assert len(lines) == 10
        assert "\x1b[3" not in text
        assert set(text) <= set(" ▀▄█\n")
        assert lines[5][8:12].strip(), "the cross has a middle"
        assert not (lines[5] + "  ")[:6].strip(), "and nothing beside it"


def test_a_terminal_without_blocks_gets_plain_characters() -> None:
    out = Console(
        file=io.TextIOWrapper(io.BytesIO(), encoding="ascii"), width=60, force_terminal=True, color_system="truecolor"
    )
    out.print(drawn(out, cross()), end="")
    out.file.flush()
    assert isinstance(out.file, io.TextIOWrapper)
    text = out.file.buffer.getvalue().decode("ascii")
    assert "#" in text
