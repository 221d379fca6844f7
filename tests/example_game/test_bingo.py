"""A game that the program knows nothing of is added, printed, photographed, read and scored without any change to it."""

import json
from collections.abc import Iterator
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

from scanner.cli import app
from scanner.decode import DECODERS
from scanner.decode.answers import PLACES
from scanner.engine import GAMES, score_state
from scanner.games import add_game, find_game
from scanner.pipeline import ScanOptions, read_photo
from scanner.report.annotate import sheet_picture
from scanner.report.answers import answered
from scanner.sheet.drawing import sheet_drawing
from scanner.sheet.template import ADDED
from scanner.sheet.writers import WRITERS
from scanner.synth.filling import Content, fill
from scanner.synth.hand import random_hand
from scanner.synth.pen import apply_ink
from scanner.synth.press import press
from tests.example_game.bingo import BINGO, score, written

STATE: dict[str, Any] = {
    "game": "bingo",
    "card": ["x...x...", "xxxxxxxx", "x.......", "x..x....", "x.......", "x.....xx", "x.......", "x......."],
    "joker": True,
}
TOTAL = 19 + 5 * 3


@pytest.fixture
def _bingo() -> Iterator[None]:
    take_out = add_game(BINGO)
    yield
    take_out()


def photographed(scale: float = 6.0) -> NDArray[np.uint8]:
    """The filled-in card on a table, a little turned, BGR."""
    rng = np.random.default_rng(6)
    paper = cv2.cvtColor(press(sheet_drawing(BINGO.template, 3, 808), scale), cv2.COLOR_GRAY2BGR)
    hand, shown = random_hand(rng), written(STATE)
    apply_ink(np.asarray(paper, np.uint8), fill(BINGO.template, Content(shown.cells, marks=shown.marks), hand, rng).strokes,
              hand.pen, scale, rng)  # fmt: skip
    height, width = paper.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), 4.0, 0.9)
    table = cv2.warpAffine(np.asarray(paper, np.uint8), turn, (width, height), borderValue=(90, 110, 120))
    return np.asarray(table, np.uint8)


def test_its_rules() -> None:
    assert score(STATE)["total"] == TOTAL


@pytest.mark.usefixtures("_bingo")
def test_a_card_is_read_and_scored() -> None:
    scan = read_photo(photographed(), ScanOptions(("bingo",)))
    (sheet,) = scan.result.sheets
    assert sheet.state["card"] == tuple(STATE["card"])
    assert sheet.score["total"] == TOTAL
    assert (sheet.state["seat"], sheet.state["sheet_number"]) == (3, 808)
    assert sheet_picture(scan.sheets[0]).ndim == 3
    r, c = next((r, row.index("x")) for r, row in enumerate(STATE["card"]) if "x" in row)
    said = answered(scan.sheets[0], {f"card r{r + 1} c{c + 1}": "free", "joker": "crossed"}).result
    rows = [list(row) for row in STATE["card"]]
    rows[r][c] = "."
    assert said.state["card"] == tuple("".join(row) for row in rows)
    assert said.score["total"] == score({**STATE, "card": list(said.state["card"]), "joker": True})["total"]
    assert not said.review


@pytest.mark.usefixtures("_bingo")
def test_its_states_are_scored_and_its_sheets_printed(tmp_path: Path) -> None:
    assert score_state(STATE)["total"] == TOTAL
    runner = CliRunner()
    assert runner.invoke(app, ["sheet", "--game", "bingo", "-o", str(tmp_path / "cards.pdf")]).exit_code == 0
    assert (tmp_path / "cards.pdf").stat().st_size > 1000
    exported = json.loads(runner.invoke(app, ["layout", "--game", "bingo"]).stdout)
    assert exported["regions"]["card"]["rows"] == 8


def test_what_is_not_added_is_not_known(tmp_path: Path) -> None:
    assert not find_game("bingo")
    assert CliRunner().invoke(app, ["sheet", "--game", "bingo", "-o", str(tmp_path / "cards.pdf")]).exit_code == 2


def test_an_installed_package_offers_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    offered = EntryPoints([EntryPoint("bingo", "tests.example_game.bingo:BINGO", "obelisk_scan.games")])
    monkeypatch.setattr("importlib.metadata.entry_points", offered.select)
    path = tmp_path / "state.json"
    path.write_text(json.dumps(STATE))
    for table in (GAMES, DECODERS, ADDED, WRITERS, PLACES):  # the command line adds it for good
        monkeypatch.setitem(table, "bingo", None)  # so that it is taken out again
        monkeypatch.delitem(table, "bingo")
    done = CliRunner().invoke(app, ["score", "--json", str(path)])
    assert json.loads(done.stdout)["states"][0]["score"]["total"] == TOTAL
    assert find_game("bingo")


def test_parts_that_disagree(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="already"):
        add_game(_with(BINGO, "obelisk"))
    monkeypatch.setitem(GAMES, "bingo", BINGO.rules)
    with pytest.raises(ValueError, match="already"):
        add_game(BINGO)


def _with(game: Any, name: str) -> Any:
    from dataclasses import replace

    import msgspec

    return replace(game, rules=replace(game.rules, name=name), template=msgspec.structs.replace(game.template, game=name))
