"""`simulate` for every game."""

import json

import pytest
from typer.testing import CliRunner

from scanner.cli import app
from scanner.engine import score_state
from scanner.engine.obelisk.record import games_from_lines
from scanner.report.simulation import seating


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["simulate", "--seed", "3", *words], env={"COLUMNS": "80"})
    return done.exit_code, done.stdout


@pytest.mark.parametrize(("game", "states"), [("imhotep", 1), ("monolyth", 3)])
def test_states_scores_and_moves(game: str, states: int) -> None:
    code, text = run("--game", game, "--players", "3", "--moves", "--json")
    assert code == 0
    document = json.loads(text)
    assert len(document["states"]) == states
    for entry in document["states"]:
        assert entry["score"] == score_state(entry["state"])
    (one,) = document["games"]
    assert one["kinds"] == ["greedy"] * 3
    assert one["turns"] == len(one["moves"]) > 0
    assert {len(move) for move in one["moves"]} == {1}
    assert run("--game", game, "--players", "3", "--moves", "--json") == (0, text), "the same seed, the same game"


HEADINGS = {
    "obelisk": ["place", "player", "plays", "columns", "rows", "levels", "scrolls", "total", "spaces"],
    "imhotep": [
        "place", "player", "plays", "pyramid", "temple", "burial chamber", "obelisks", "statues", "decorations", "blue cards",
        "total",
    ],
    "monolyth": ["place", "player", "plays", "levels", "structure", "prophecies", "total"],
}  # fmt: skip


@pytest.mark.parametrize(("game", "players"), [("obelisk", 8), ("imhotep", 4), ("monolyth", 4)])
def test_standings_fit_eighty_columns_with_all_their_headings(game: str, players: int) -> None:
    code, text = run("--game", game, "--players", str(players))
    assert code == 0
    assert "Game with seed 3" in text
    assert "…" not in text
    assert all(heading in text for heading in HEADINGS[game])
    assert text.count("greedy") == players
    assert max(map(len, text.splitlines())) <= 80


def test_standings_show_each_players_points() -> None:
    """A row a player, or a column a player, best first."""
    words = ("--game", "imhotep", "--players", "2")
    (score,) = (entry["score"]["players"] for entry in json.loads(run(*words, "--json")[1])["states"])
    best = sorted(score, key=lambda name: -score[name]["total"])
    lines = {line[2:18].strip(): line[18:].split() for line in run(*words)[1].splitlines()}
    assert lines["player"] == best
    for part in ("pyramid", "burial chamber", "blue cards", "total"):
        assert lines[part] == [str(score[name][part.replace(" ", "_")]) for name in best]
    entries = json.loads(run("--players", "2", "--json")[1])["states"]
    rows = [line.split() for line in run("--players", "2")[1].splitlines() if " seat " in line]
    assert [int(row[8]) for row in rows] == sorted((entry["score"]["total"] for entry in entries), reverse=True)


def test_moves_are_lines_that_replay() -> None:
    words = ["simulate", "--seed", "3", "--kinds", "random,strong", "--games", "3", "--moves"]
    done = CliRunner().invoke(app, words, env={"COLUMNS": "80"})
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert len([json.loads(line) for line in lines]) == len(lines), "nothing else is on standard output"
    records = list(games_from_lines(lines))
    assert [record.seed for record in records] == [3, 4, 5]
    rows = [line.split() for line in done.stderr.splitlines() if " seat " in line]
    assert len(rows) == 6
    totals = [int(row[8]) for row in rows]
    for record, best, other in zip(records, totals[::2], totals[1::2], strict=True):
        assert sorted((score.total for score in record.final().scores()), reverse=True) == [best, other]


def test_several_games_are_summed_up_by_kind() -> None:
    words = ("--kinds", "strong,greedy", "--games", "5")
    document = json.loads(run(*words, "--json")[1])
    totals = [entry["score"]["total"] for entry in document["states"]]
    text = run(*words)[1]
    assert "5 games, median length" in text
    lines = [line.split() for line in text.splitlines()]
    wins = {}
    for kind, seat in (("strong", 0), ("greedy", 1)):
        (line,) = [line for line in lines if line[:1] == [kind]]
        assert line[1] == "5"
        assert float(line[2]) == pytest.approx(sum(totals[seat::2]) / 5, abs=0.05)
        wins[kind] = float(line[3])
    assert sum(wins.values()) == 5
    assert "median length" not in run("--players", "2")[1]


@pytest.mark.parametrize(
    ("game", "players", "kind", "kinds", "seats"),
    [
        ("obelisk", None, None, None, ["greedy"] * 4),
        ("obelisk", 2, "strong", None, ["strong"] * 2),
        ("obelisk", None, None, "strong, random,greedy", ["strong", "random", "greedy"]),
        ("obelisk", 2, None, "random,greedy", ["random", "greedy"]),
        ("imhotep", None, "random", None, ["random"] * 4),
        ("monolyth", None, None, "random", ["random"]),
    ],
)
def test_who_plays(game: str, players: int | None, kind: str | None, kinds: str | None, seats: list[str]) -> None:
    assert list(seating(game, players, kind, kinds)) == seats


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("--kind", "genius"), "choose from random, greedy, strong"),
        (("--kinds", "greedy,"), "no player ''"),
        (("--kinds", "greedy,strong", "--players", "3"), "names 2 players"),
        (("--kinds", "greedy,strong", "--kind", "random"), "not both"),
        (("--game", "imhotep", "--kind", "strong"), "choose from random, greedy"),
        (("--game", "imhotep", "--players", "1"), "2 to 4 players, not 1"),
        (("--game", "imhotep", "--players", "5"), "2 to 4 players, not 5"),
        (("--game", "monolyth", "--players", "5"), "1 to 4 players, not 5"),
        (("--kinds", ",".join(["greedy"] * 9)), "1 to 8 players, not 9"),
    ],
)
def test_tables_that_cannot_be(words: tuple[str, ...], named: str) -> None:
    done = CliRunner().invoke(app, ["simulate", *words], env={"COLUMNS": "200"})
    assert done.exit_code == 2
    assert named in done.stderr
