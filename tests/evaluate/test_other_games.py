"""Evaluating sheets of games with one player or several on a sheet."""

import json
from pathlib import Path
from typing import Any

import pytest

from scanner.engine import score_state
from scanner.errors import BadState
from scanner.evaluate.compare import compare_sheet
from scanner.evaluate.truth import load_truth
from scanner.result import PoseInfo, Review, SheetResult, freeze
from tests.engine.imhotep.test_state import FULL
from tests.engine.monolyth.test_scoring import BOARD

IMHOTEP = FULL | {"seat": 1, "sheet_number": 8}
MONOLYTH = BOARD | {"sheet_number": 16}


def read_as(state: dict[str, Any], bounds: tuple[int, int] = (0, 200), *where: str) -> SheetResult:
    review = tuple(Review(place, "a", 0.6, freeze({"a": 0.6, "b": 0.4}), (1, 2)) for place in where)
    return SheetResult(freeze(state), freeze(score_state(state)), bounds, review, (), PoseInfo((), 0.1, ()))


def truth_file(folder: Path, state: dict[str, Any]) -> Path:
    path = folder / "a.truth.json"
    path.write_text(json.dumps({"condition": "easy", "sheets": [state]}))
    return path


@pytest.mark.parametrize("state", [IMHOTEP, MONOLYTH], ids=["imhotep", "monolyth"])
def test_a_sheet_read_as_it_is(state: dict[str, Any], tmp_path: Path) -> None:
    truth = load_truth(truth_file(tmp_path, state)).sheets[0]
    verdict = compare_sheet("a.jpg", "easy", truth, read_as(state), None)
    assert verdict.outcome == "exact"
    assert verdict.state_exact
    assert verdict.identity_right
    assert not verdict.misread
    assert verdict.classes["mark"].right == verdict.classes["mark"].of > 0


def test_points_that_moved_from_one_player_to_another_are_wrong(tmp_path: Path) -> None:
    truth = load_truth(truth_file(tmp_path, IMHOTEP)).sheets[0]
    swapped = IMHOTEP | {"statues": {"white": 1, "black": 3}}
    assert sum(p["total"] for p in score_state(swapped)["players"].values()) == truth.total
    silent = compare_sheet("a.jpg", "easy", truth, read_as(swapped), None)
    assert silent.outcome == "silent"
    assert silent.unflagged == 4
    flagged = compare_sheet("a.jpg", "easy", truth, read_as(swapped, (0, 200), "statues white", "statues black"), None)
    assert (flagged.outcome, flagged.unflagged, len(flagged.misread)) == ("flagged", 0, 4)
    beyond = compare_sheet("a.jpg", "easy", truth, read_as(swapped, (0, 20), "statues white"), None)
    assert beyond.outcome == "silent", "a true total lies outside the bounds"


def test_misread_cells_are_named(tmp_path: Path) -> None:
    truth = load_truth(truth_file(tmp_path, MONOLYTH)).sheets[0]
    tower = [BOARD["tower"][0], BOARD["tower"][1], ["OOOO", "*...", "*...", "OO.O"]]
    verdict = compare_sheet("a.jpg", "easy", truth, read_as(MONOLYTH | {"tower": tower}), None)
    assert verdict.misread == ("level3 r4 c3: O read as _",)
    assert verdict.outcome == "silent"


@pytest.mark.parametrize("changes", [{"game": "chess"}, {"players": ["white"]}, {"game": "obelisk"}])
def test_truth_files_of_the_wrong_form(changes: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(BadState):
        load_truth(truth_file(tmp_path, IMHOTEP | changes))
