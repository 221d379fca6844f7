"""Synthetic photos of Imhotep's and Monolyth's sheets, read by the shipped networks; wrong games and mixed ones."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from scanner.engine import score_state
from scanner.evaluate.truth import totals_of
from scanner.pipeline import ScanOptions, read_photo, scan_photo
from scanner.report.annotate import sheet_picture
from scanner.report.terminal import print_result
from scanner.synth.camera import SynthPhoto, photograph
from scanner.synth.conditions import scene_for
from scanner.synth.game_samples import states, written_by_somebody
from scanner.synth.scene import Placement

SEATS = {"obelisk": 2, "imhotep": 1, "monolyth": 3}


@cache
def taken(*games: str) -> tuple[SynthPhoto, dict[str, dict[str, Any]]]:
    """An easy photo of one sheet of each game, and their states by game."""
    rng = np.random.default_rng([17, len(games)])
    truths, papers = {}, []
    for game in games:
        state, content = next(states(game, rng))
        truths[game] = state
        papers.append(written_by_somebody(game, content, SEATS[game], 8000 + SEATS[game] - 1, rng))
    scene = scene_for("easy", rng, 3.0 * len(games), fine=False)
    if len(games) > 1:
        sheets = tuple(Placement((0.0, 230.0 * index), 3.0 * index) for index in range(len(games)))
        scene = scene_for("table", rng, 8.0, fine=False)
        scene = type(scene)(**{name: getattr(scene, name) for name in scene.__slots__} | {"sheets": sheets, "occluders": ()})
    return photograph(papers, scene, rng), truths


@pytest.mark.parametrize("game", ["imhotep", "monolyth"])
def test_a_photo_is_read(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    photo, truths = taken(game)
    scan = read_photo(photo.bgr, name="photo.jpg")
    (sheet,) = scan.result.sheets
    truth = score_state(truths[game])
    assert sheet.state["game"] == game
    assert (sheet.state["seat"], sheet.state["sheet_number"]) == (SEATS[game], 8000 + SEATS[game] - 1)
    assert totals_of(sheet.score) == totals_of(truth) or sheet.review
    assert all(sheet.bounds[0] <= total <= sheet.bounds[1] for total in totals_of(truth))
    picture = sheet_picture(scan.sheets[0])
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 50, "readings are drawn in colour"
    from rich.console import Console

    print_result(Console(), scan.result)
    assert all(str(total) in capsys.readouterr().out for total in totals_of(sheet.score)[:1])


@pytest.mark.parametrize("game", ["imhotep", "monolyth"])
def test_the_wrong_game_is_refused(game: str) -> None:
    photo, _ = taken(game)
    result = scan_photo(photo.bgr, ScanOptions(("obelisk",)))
    assert not result.sheets
    assert result.error is not None
    assert result.error.code == 4
    assert result.error.kind in ("unknown_sheet", "no_fiducials")


def test_sheets_of_two_games_in_one_photo() -> None:
    photo, truths = taken("obelisk", "imhotep")
    result = scan_photo(photo.bgr)
    assert sorted(sheet.state["game"] for sheet in result.sheets) == ["imhotep", "obelisk"]
    for sheet in result.sheets:
        truth = score_state(truths[sheet.state["game"]])
        assert totals_of(sheet.score) == totals_of(truth) or sheet.review
    alone = scan_photo(photo.bgr, ScanOptions(("imhotep",)))
    assert [sheet.state["game"] for sheet in alone.sheets] == ["imhotep"]
    assert [refused.error.kind for refused in alone.refused] == ["unknown_sheet"]
    assert "Shadow of the Obelisk" in alone.refused[0].error.message
