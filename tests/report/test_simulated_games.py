"""`simulate` for every game."""

import json

import pytest
from typer.testing import CliRunner

from scanner.cli import app
from scanner.engine import score_state


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["simulate", "--seed", "3", *words])
    return done.exit_code, done.stdout


@pytest.mark.parametrize(("game", "states"), [("imhotep", 1), ("monolyth", 3)])
def test_states_scores_and_moves(game: str, states: int) -> None:
    code, text = run("--game", game, "--players", "3", "--moves", "--json")
    assert code == 0
    document = json.loads(text)
    assert len(document["states"]) == states
    for entry in document["states"]:
        assert entry["score"] == score_state(entry["state"])
    moves = document["games"][0]["moves"]
    assert moves
    assert {len(move) for move in moves} == {1}
    assert run("--game", game, "--players", "3", "--moves", "--json") == (0, text), "the same seed, the same game"


@pytest.mark.parametrize("game", ["imhotep", "monolyth"])
def test_standings_are_shown(game: str) -> None:
    code, text = run("--game", game, "--players", "2")
    assert code == 0
    assert "Game with seed 3" in text
    assert {line.split()[0] for line in text.splitlines() if line.strip()[:1].isdigit()} <= {"1", "2"}


@pytest.mark.parametrize(("game", "players"), [("imhotep", 1), ("imhotep", 5), ("monolyth", 5)])
def test_numbers_of_players(game: str, players: int) -> None:
    assert run("--game", game, "--players", str(players))[0] == 2
