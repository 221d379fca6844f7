"""Games written as JSON Lines and replayed."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scanner.engine.obelisk.play import PlayedGame, simulate
from scanner.engine.obelisk.record import GameRecord, from_lines, games_from_lines, to_lines
from scanner.errors import BadState


def one(players: int, seed: int, kind: str = "random") -> PlayedGame:
    (played,) = simulate(players, seed, 1, kind)
    return played


@settings(max_examples=30)
@given(st.integers(1, 6), st.integers(0, 2**40), st.sampled_from(["random", "greedy", "strong"]))
def test_games_replay_exactly(players: int, seed: int, kind: str) -> None:
    played = one(players, seed, kind)
    lines = list(to_lines(played.record))
    again = from_lines(lines)
    assert again == played.record
    assert again.final() == played.final
    assert list(again.positions())[-1] == played.final
    assert list(to_lines(again)) == lines


def test_the_form_of_the_lines() -> None:
    lines = [json.loads(line) for line in to_lines(one(2, 7).record)]
    assert lines[0] == {"schema": "obelisk-game/1", "game": "obelisk", "players": 2, "seed": 7}
    assert set(lines[1]) == {"tick"}
    kinds = {key for line in lines[1:] for key in line}
    assert kinds <= {"tick", "use_scroll", "build", "carve", "onto", "scribe", "pass", "discard"}
    for line in lines[1:]:
        for row, column in line.get("build", []) + line.get("onto", []):
            assert 1 <= row <= 12
            assert 1 <= column <= 5


def test_blank_lines_are_passed_over() -> None:
    lines = list(to_lines(one(2, 7).record))
    assert from_lines(["", *lines[:3], "  ", *lines[3:], ""]) == from_lines(lines)


HEADER = '{"schema": "obelisk-game/1", "game": "obelisk", "players": 2, "seed": 7}'


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "Line 1 is no header"),
        (["{}"], "Line 1 is no header"),
        (["", "nonsense"], "Line 2 is no header"),
        ([HEADER.replace("game/1", "game/9")], "Line 1 is of 'obelisk-game/9'"),
        ([HEADER.replace("2", "9")], "Line 1 is no game"),
        ([HEADER.replace("7", "-7")], "Line 1 is no game"),
        ([HEADER, '{"tick": 4}'], "Line 2 breaks a rule"),
        ([HEADER, '{"tick": true}'], "Line 2: An action has True"),
        ([HEADER, '{"jump": 1}'], "Line 2: This is no action"),
        ([HEADER, "[]"], "Line 2: This is no action"),
        ([HEADER, '{"tick": 1}', "", '{"pass": true}'], "Line 4 breaks a rule"),
        ([HEADER, '{"tick": 1}', '{"pass": 1}'], "Line 3: This is no action"),
        ([HEADER, '{"tick": ' + "[" * 100_000 + "]" * 100_000 + "}"], "Line 2 is no JSON: it is nested too deeply"),
        ([HEADER[:-1] + ', "more": ' + "[" * 100_000 + "]" * 100_000 + "}"], "Line 1 is no header of a game: it is nested"),
        ([HEADER, '{"tick": 2}', HEADER], "Line 3: This is no action"),
        ([HEADER, '{"tick": 1}', '{"build": [[12, 1], [12, 3]]}'], "Line 3 breaks a rule"),
        ([HEADER, '{"tick": 1}', '{"build": [[13, 1], [12, 1]]}'], "Line 3 breaks a rule"),
        ([HEADER, '{"tick": 1}', '{"build": 5}'], "Line 3: An action has 5 where cells belong"),
        ([HEADER, '{"tick": 1}', '{"build": [[12]]}'], "where cells belong"),
        ([HEADER, '{"tick": 1'], "Line 2 is no JSON"),
    ],
)
def test_wrong_lines_are_named(lines: list[str], message: str) -> None:
    with pytest.raises(BadState, match="Line") as caught:
        from_lines(lines)
    assert message in caught.value.message
    assert caught.value.hint


def test_several_games_are_read_one_by_one() -> None:
    games = [played.record for played in simulate(2, 7, 3, "random")]
    lines = [line for game in games for line in ("", *to_lines(game))]
    assert list(games_from_lines(lines)) == games
    assert list(games_from_lines(["", " "])) == []
    first, *rest = games_from_lines(lines[: len(lines) - 3])
    assert (first, rest[0]) == (games[0], games[1])
    assert rest[1].actions == games[2].actions[:-3]
    wrong = len(list(to_lines(games[0]))) + 3
    read = games_from_lines([*lines[:wrong], '{"jump": 1}'])
    assert next(read) == games[0]
    with pytest.raises(BadState, match=rf"^Line {wrong + 1}: This is no action"):
        next(read)
    with pytest.raises(BadState, match=r"^Line 1 is no header"):
        next(games_from_lines(['{"tick": 1}', *lines]))


def test_an_unfinished_game_replays_too() -> None:
    played = one(3, 4)
    half = GameRecord(3, 4, played.record.actions[:10])
    assert from_lines(to_lines(half)) == half
    assert not half.final().over
