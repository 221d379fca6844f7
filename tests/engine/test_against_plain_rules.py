"""The engine against the plain second implementation: legal actions, effects, and counts of action sequences."""

import json
from typing import Any

import numpy as np
import pytest

from scanner.engine.obelisk.actions import Action, action_to_dict
from scanner.engine.obelisk.game import Position, Step, apply, legal_actions, new_game, stack_of
from scanner.engine.obelisk.players import RandomPlayer
from tests.engine.plain_rules import FORMS, PlainGame, sequences


def written(actions: list[dict[str, Any]]) -> list[str]:
    return sorted(json.dumps(action, sort_keys=True) for action in actions)


def random_game(players: int, seed: int, length: int = 10_000) -> tuple[Position, PlainGame, list[Action]]:
    """Both implementations after the same random actions."""
    position, plain = new_game(players, seed), PlainGame(players, list(stack_of(seed)))
    player = RandomPlayer(np.random.default_rng(seed))
    actions: list[Action] = []
    while not position.over and len(actions) < length:
        action = player.choose(position)
        position = apply(position, action)
        plain.apply(action_to_dict(action))
        actions.append(action)
    return position, plain, actions


def assert_same_sheets(position: Position, plain: PlainGame) -> None:
    for board, sheet in zip(position.boards, plain.sheets, strict=True):
        state = board.state()
        assert list(state.obelisk) == sheet.obelisk()
        assert state.levels == tuple(sheet.levels)
        assert [scroll.symbols for scroll in state.scrolls if scroll.filled] == sheet.scrolls
        assert {number for number, scroll in enumerate(state.scrolls, 1) if scroll.used} == sheet.used
        assert state.wall_shapes is not None
        marked = {(r, c) for r, row in enumerate(state.wall_shapes, 1) for c, cell in enumerate(row, 1) if cell != "."}
        assert marked == sheet.marked


def test_the_plain_shapes_have_all_forms() -> None:
    assert {shape: len(forms) for shape, forms in FORMS.items()} == {
        "I2": 2, "I3": 2, "V3": 4, "O4": 1, "L4": 8, "T4": 4, "S4": 4, "I4": 2,
    }  # fmt: skip


@pytest.mark.parametrize("players", [1, 2, 3, 5])
def test_random_games_agree_step_by_step(players: int) -> None:
    for seed in range(3):
        position, plain = new_game(players, seed), PlainGame(players, list(stack_of(seed)))
        player = RandomPlayer(np.random.default_rng(seed))
        while not position.over:
            assert written([action_to_dict(action) for action in legal_actions(position)]) == written(plain.legal())
            action = player.choose(position)
            position = apply(position, action)
            plain.apply(action_to_dict(action))
            assert_same_sheets(position, plain)
        assert plain.step == "over"


def count(position: Position, depth: int) -> int:
    actions = legal_actions(position)
    return len(actions) if depth == 1 else sum(count(apply(position, action), depth - 1) for action in actions)


@pytest.mark.parametrize(
    ("players", "seed", "length", "step"),
    [
        (2, 1, 0, Step.TICK),  # the beginning
        (1, 2, 15, Step.TICK),  # a scroll can be used
        (3, 3, 40, Step.RENEWAL),
        (4, 4, 21, Step.TICK),
        (3, 3, 24, Step.WRITE),  # the last to write in a round
    ],
)
def test_counts_of_action_sequences_to_depth_three(players: int, seed: int, length: int, step: Step) -> None:
    """From five fixed positions, reached by random play."""
    position, plain, actions = random_game(players, seed, length)
    assert len(actions) == length
    assert position.step is step
    found = count(position, 3)
    assert found > 50
    assert found == sequences(plain, 3)
