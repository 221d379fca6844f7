"""Players, simulated games and the sheets drawn from them."""

from itertools import islice

import numpy as np
import pytest

from scanner.engine import audit_state, score_state
from scanner.engine.obelisk.audit import audit_sheet
from scanner.engine.obelisk.play import play_game, random_states, simulate
from scanner.engine.obelisk.players import KINDS, Player
from scanner.engine.obelisk.state import parse_state, to_dict


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_simulated_games_are_whole_legal_and_repeatable(kind: str) -> None:
    games = list(simulate(3, seed=11, games=4, kind=kind))
    assert [game.record.seed for game in games] == [11, 12, 13, 14]
    for game in games:
        assert game.final.over
        assert max(board.level for board in game.final.boards) == 3
        assert game.record.final() == game.final
        for seat, (state, score) in enumerate(zip(game.states(), game.final.scores(), strict=True), 1):
            assert state["seat"] == seat
            assert score_state(state)["total"] == score.total
            assert not [line for line in audit_state(state) if line.breach]
    assert list(simulate(3, seed=11, games=4, kind=kind)) == games


def test_mixed_tables_and_what_cannot_be_simulated() -> None:
    (game,) = simulate(3, 1, 1, ["random", "greedy", "strong"])
    assert game.kinds == ("random", "greedy", "strong")
    for arguments in (
        (0, 0, 1, "random"),
        (9, 0, 1, "random"),
        (2, 0, 1, "perfect"),
        (2, 0, 1, ["random"]),
        (2, -1, 1, "random"),
    ):
        with pytest.raises(ValueError, match=r"\w"):
            list(simulate(*arguments))


def wins(first: str, second: str, games: int) -> float:
    """The share of two-player games that the first kind wins, seats swapped from game to game, a shared win counting half."""
    won = 0.0
    for game in range(games):
        seat = game % 2
        kinds = [first, second] if seat == 0 else [second, first]
        players: list[Player] = [KINDS[kind](np.random.default_rng([game, place])) for place, kind in enumerate(kinds)]
        final, _ = play_game(players, game // 2)
        winners = [place.player for place in final.standings() if place.wins]
        won += (seat in winners) / len(winners)
    return won / games


def test_each_kind_beats_the_one_before() -> None:
    assert wins("greedy", "random", 60) > 0.8
    assert wins("strong", "greedy", 200) >= 0.6


def test_random_states_are_legal_varied_and_repeatable() -> None:
    states = list(islice(random_states(np.random.default_rng(3)), 100))
    assert states == list(islice(random_states(np.random.default_rng(3)), 100))
    assert len(set(states)) > 85
    for state in states:
        assert parse_state(to_dict(state)) == state
        assert not [line for line in audit_sheet(state) if line.breach]
    assert any(scroll.used for state in states for scroll in state.scrolls)
    assert any("x" in row for state in states for row in state.obelisk)
    assert {state.levels is not None and state.levels[2] for state in states} >= {0, 8}
