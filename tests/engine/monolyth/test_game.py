"""Playing Monolyth: the ring, the crystal, tokens, and games that end in states without a breach."""

from dataclasses import replace

import numpy as np
import pytest

from scanner.engine import audit_state
from scanner.engine.monolyth.game import (
    Action,
    Build,
    Foresee,
    IllegalAction,
    Pass,
    Piece,
    Position,
    apply,
    legal_actions,
    new_game,
    reached,
)
from scanner.engine.monolyth.play import KINDS, play_game, random_states, simulate
from scanner.engine.monolyth.tables import LEVEL_TOKENS, PROPHECIES, SIDES, STRUCTURE_CARDS
from scanner.engine.monolyth.tower import full_levels, is_complete, placements


def first_build(position: Position, steps: int, block: bool = False) -> Build:
    found = [a for a in legal_actions(position) if isinstance(a, Build) and a.steps == steps and a.block == block]
    return found[0]


def test_setup() -> None:
    start = new_game(4, 3)
    assert sum(piece is not None for piece in start.ring) == 12
    assert len(start.boards) == 4
    assert all(len(set(board.colours)) == len(SIDES) for board in start.boards)
    assert {len(new_game(players, 1).boards[0].tower) for players in (1, 2)} == {4}
    assert {len(new_game(players, 1).boards[0].tower) for players in (3, 4)} == {3}
    for players in (0, 5):
        with pytest.raises(ValueError, match="1 to 4"):
            new_game(players, 0)


def test_the_crystal_moves_takes_and_the_space_behind_it_is_refilled() -> None:
    start = new_game(2, 5)
    target = reached(start, 3)
    assert target == 3
    after = apply(start, first_build(start, 3))
    assert after.crystal == 3
    assert after.ring[3] is None
    assert after.ring[0] == start.box[0]
    assert after.box == start.box[1:]
    assert sum(piece is not None for piece in after.ring) == 12
    assert after.to_move == 1
    # From there the next space clockwise is 4, and 0 is a space like all others.
    assert [reached(after, steps) for steps in range(6)] == [None, 4, 5, 6, 7, None]


def test_a_single_block_of_the_polyominos_colour() -> None:
    start = new_game(2, 5)
    piece = start.ring[2]
    assert piece is not None
    after = apply(start, first_build(start, 2, block=True))
    assert "".join(after.boards[0].tower).replace(".", "") == piece.colour
    assert after.ring[2] is None


def test_level_and_structure_tokens_come_at_once() -> None:
    start = new_game(3, 2)
    level = "O" * 15 + "."
    board = replace(start.boards[0], tower=(level, "." * 16, "." * 16))
    ring = (None, Piece("I2", "@"), *start.ring[2:])
    ready = replace(start, boards=(board, *start.boards[1:]), ring=ring, card="wall")
    after = apply(ready, Build(1, ((3, 3, 0),), block=True))
    assert after.boards[0].level_tokens == (LEVEL_TOKENS[3][0],)
    assert after.levels == LEVEL_TOKENS[3][1:]
    assert after.boards[0].structure_token == 0
    pillar = ("O" * 16, "OOO" + "." * 13, "." * 16)
    ready = replace(ready, boards=(replace(board, tower=pillar), *start.boards[1:]))
    after = apply(ready, Build(1, ((0, 3, 1),), block=True))
    assert after.boards[0].structure_token == start.structures[0]
    assert after.structures == start.structures[1:]
    assert after.boards[0].level_tokens == ()


def test_prophecies() -> None:
    start = new_game(3, 2)
    after = apply(start, Foresee(8, "left"))
    assert after.boards[0].prophecies == (0, 0, 0, 8)
    assert len(after.prophecies) == len(PROPHECIES[3]) - 1
    with pytest.raises(IllegalAction, match="takes no"):
        apply(replace(after, to_move=0), Foresee(8, "left"))
    with pytest.raises(IllegalAction, match="No prophecy"):
        apply(start, Foresee(12, "left"))


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (Build(0, ((0, 0, 0),), True), "cannot move"),
        (Build(5, ((0, 0, 0),), True), "cannot move"),
        (Build(1, ((0, 0, 1),), True), "cannot stand"),
        (Foresee(4, "top"), "takes no"),
        (Pass(), "can be done"),
    ],
)
def test_illegal_actions(action: Action, reason: str) -> None:
    with pytest.raises(IllegalAction, match=reason):
        apply(new_game(3, 2), action)


def test_the_round_is_finished_after_a_tower_is_complete() -> None:
    start = new_game(3, 2)
    nearly = replace(start.boards[1], tower=("O" * 16, "O" * 16, "O" * 15 + "."))
    at = replace(start, boards=(start.boards[0], nearly, start.boards[2]), to_move=1)
    after = apply(at, Build(1, ((3, 3, 2),), block=True))
    assert is_complete(after.boards[1].tower)
    assert after.last_round
    assert not after.over
    end = apply(after, first_build(after, 1))
    assert end.over
    assert legal_actions(end) == []
    with pytest.raises(IllegalAction, match="ended"):
        apply(end, Pass())


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_whole_games(kind: str, players: int) -> None:
    (game,) = simulate(players, seed=players, kind=kind)
    states = game.states()
    assert [state["seat"] for state in states] == list(range(1, players + 1))
    for state, board in zip(states, game.final.boards, strict=True):
        assert not [line for line in audit_state(state) if line.breach]
        assert len(board.level_tokens) == full_levels(board.tower)
    assert any(is_complete(board.tower) for board in game.final.boards)
    taken = [token for board in game.final.boards for token in board.level_tokens]
    assert sorted([*taken, *game.final.levels], reverse=True) == list(LEVEL_TOKENS[players])


def test_games_repeat_and_listed_actions_are_legal() -> None:
    game = play_game([KINDS["random"]] * 2, 8)
    assert game == play_game([KINDS["random"]] * 2, 8)
    at = new_game(2, 8)
    for number, action in enumerate(game.actions):
        listed = legal_actions(at)
        assert action in listed
        if number % 30 == 0:
            for other in listed:
                apply(at, other)
        at = apply(at, action)
    assert at == game.final


def test_random_states_are_legal() -> None:
    states = random_states(np.random.default_rng(3))
    assert all(not [line for line in audit_state(next(states)) if line.breach] for _ in range(5))
    with pytest.raises(ValueError, match="no player"):
        next(simulate(kind="lucky"))


def test_cards_can_be_met_in_the_lowest_towers() -> None:
    assert all(z < 3 for cells in STRUCTURE_CARDS.values() for _, _, z in cells)
    assert list(placements(("O" * 16,) * 3, "I2")) == []
