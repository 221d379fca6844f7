"""Answers given to a night: to the evidence of all the photos of a sheet."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from scanner.cli import app
from scanner.errors import BadState
from scanner.night.answers import NightAnswers, answered_sheet
from scanner.night.grouping import GameOfNight
from scanner.night.ledger import DEFAULT_NAME
from scanner.night.sheets import NightSheet, Sighting, read_sheet
from scanner.report.answers import AnswerBook, SheetAnswers
from scanner.result import Answer, thaw
from tests.doubtful import CELL, CIRCLE, CIRCLE_TRUTH, TOTAL, doubtful, total_with
from tests.night.sightings import OTHER, pose, record_of, sighting, written
from tests.tabletop import encoded, tabletop

CROSSED = {CELL: "x"}


def sheet(*names: str, number: int | None = 8001) -> NightSheet:
    return read_sheet([sighting(record_of(doubtful(), pose(number=number)), name) for name in names])


def game(*sheets: NightSheet) -> GameOfNight:
    return GameOfNight("obelisk", 1000, ("/night",), sheets)


def answers(*entries: SheetAnswers) -> NightAnswers:
    return NightAnswers(AnswerBook(Path("answers.toml"), entries, ()))


def entry(photo: str | None = "a.jpg", number: int | None = 8001, said: Mapping[str, str] = CROSSED) -> SheetAnswers:
    return SheetAnswers(2, photo, number, answers=dict(said))


def where_of(one: NightSheet) -> set[str]:
    return {line.where for line in one.result.review}


@pytest.mark.parametrize("photo", ["a.jpg", "b.jpg", "night/b.jpg", None])
def test_an_answer_for_any_photo_of_a_sheet_is_for_the_sheet(photo: str | None) -> None:
    given = answers(entry(photo))
    (found,) = given.given_to(game(sheet("a.jpg", "b.jpg"))).sheets
    assert not given.wrong
    assert not given.book.unused()
    assert found.result.answers == (Answer(CELL, "x"),)
    assert found.result.score["total"] == total_with("x") != TOTAL
    assert where_of(found) == {CIRCLE}
    assert found.decoded().score == thaw(found.result.score), "the page shows the same"


def test_answers_for_other_sheets_change_nothing() -> None:
    given = answers(entry("c.jpg"), entry(number=1), entry(None, number=1))
    before = game(sheet("a.jpg"))
    assert given.given_to(before).sheets[0].result == before.sheets[0].result
    assert len(given.book.unused()) == 3


def test_wrong_answers_are_named_and_the_others_count() -> None:
    given = answers(entry(said={CELL: "x", "obelisk r13 c1": "O", CIRCLE: "7"}), entry(None, said={CELL: "O"}))
    (found,) = given.given_to(game(sheet("a.jpg"))).sheets
    assert found.result.answers == (Answer(CELL, "x"),)
    assert len(given.wrong) == 3
    for error, said in zip(given.wrong, ("r13", CIRCLE, "Two things"), strict=True):
        assert said in error.message
        assert error.code == 5
    given.begin()
    assert not given.wrong


def test_an_answer_that_fits_two_sheets_is_named() -> None:
    given = answers(entry(number=None))
    given.given_to(game(sheet("a.jpg", number=None), sheet("a.jpg", number=None)))
    assert ["more than one sheet" in error.message for error in given.wrong] == [True]


def test_photos_that_contradict_each_other_still_do_but_for_what_was_answered() -> None:
    one, other = doubtful(), doubtful()
    grid = other.content["obelisk"].copy()
    grid[0, 0] = np.log(np.where(np.arange(8) == 1, 1 - 7e-7, 1e-7))
    records = [record_of(one, pose()), record_of(replace(other, content={**other.content, "obelisk": grid}), pose(blur_mm=0.3))]
    torn = read_sheet([Sighting(sighting(record).photo, record) for record in records])
    contradicted = where_of(torn) - {CELL, CIRCLE}
    assert contradicted == {"obelisk r1 c1"}
    found = answered_sheet(torn, {CELL: "x", CIRCLE: CIRCLE_TRUTH})
    assert where_of(found) == contradicted
    assert found.result.bounds[0] <= found.result.score["total"] <= found.result.bounds[1]
    settled = answered_sheet(torn, {CELL: "x", CIRCLE: CIRCLE_TRUTH, "obelisk r1 c1": "."})
    assert not settled.result.review
    assert settled.result.bounds == (total_with("x"), total_with("x"))


def test_there_is_no_answer_for_photos_of_different_writing() -> None:
    torn = read_sheet([sighting(written(), "a.jpg"), sighting(written(OTHER), "b.jpg")])
    assert not torn.same
    with pytest.raises(BadState, match="same writing"):
        answered_sheet(torn, {CELL: "x"})


# The command


def run(*args: object) -> Result:
    return CliRunner().invoke(app, [str(arg) for arg in args], prog_name="obelisk-scan")


def sheets_of(result: Result) -> Sequence[dict[str, Any]]:
    (found,) = json.loads(result.stdout)["games"]
    sheets: Sequence[dict[str, Any]] = found["sheets"]
    return sheets


def test_the_command_takes_answers_without_reading_photos_again(tmp_path: Path) -> None:
    (tmp_path / "table.png").write_bytes(encoded(tabletop((2, 8001))))
    plain = run("night", tmp_path, "--workers", "1", "--json")
    before = (tmp_path / DEFAULT_NAME).read_bytes()
    path = tmp_path / "answers.toml"
    form = '[[sheet]]\nphoto = "table.png"\nseat = 2\n[sheet.answers]\n'
    path.write_text(f'{form}"obelisk r12 c1" = "O"\n"level1 mark 3" = true\n')
    answered = run("night", tmp_path, "--answers", path, "--json")
    assert answered.exit_code == plain.exit_code, answered.output
    (sheet_out,) = sheets_of(answered)
    assert "answers" not in sheets_of(plain)[0]
    assert sheet_out["answers"] == [
        {"where": "obelisk r12 c1", "read": "O", "by": "human"},
        {"where": "level1 mark 3", "read": "marked", "by": "human"},
    ]
    assert sheet_out["state"]["levels"] == [3, 0, 0]
    assert (tmp_path / DEFAULT_NAME).read_bytes() == before
    table = run("night", tmp_path, "--answers", path)
    assert "level1 mark 3: marked, as answered by hand" in " ".join(table.stdout.split())
    path.write_text(f'{form}"obelisk r12 c1" = "Q"\n[[sheet]]\nphoto = "nowhere.png"\nseat = 1\n')
    wrong = run("night", tmp_path, "--answers", path, "--json")
    assert wrong.exit_code == 5
    assert 'cannot hold "Q"' in wrong.stderr
    assert '"nowhere.png", seat 1 were not used' in wrong.stderr
