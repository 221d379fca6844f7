"""Turns: ticking, writing, levels, scrolls, renewal, the end; each broken rule by its own exception."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scanner.engine.obelisk import broken
from scanner.engine.obelisk.actions import Action, Build, Carve, Discard, Pass, Scribe, Tick, UseScroll
from scanner.engine.obelisk.board import Board, obelisk_place, wall_place
from scanner.engine.obelisk.game import Position, Step, apply, legal_actions, new_game, stack_of
from scanner.engine.obelisk.polyomino import SHAPES
from scanner.engine.obelisk.workers import WORKERS, Worker


def tower(height: int) -> Board:
    """A board with the left column built to a height (even, or 3 more than even)."""
    board, top = Board(), 12
    while height > 0:
        step = 3 if height % 2 else 2
        board = board.build(obelisk_place([(top - 1 - k, 0) for k in range(step)]))
        top, height = top - step, height - step
    return board


def table(
    *boards: Board,
    pool: tuple[Worker, ...] | None = None,
    first: int = 0,
    reached: tuple[int, int, int] = (0, 0, 0),
    ready: int = 0,
) -> Position:
    """A position with these boards, the active player about to tick."""
    start = new_game(len(boards), 0)
    return start._replace(boards=boards, pool=pool or start.pool, first=first, reached=reached, ready=ready)


def worker_showing(top: str, bottom: str | None = None) -> Worker:
    """A worker that shows these shapes once it is ticked."""
    for tile in range(len(WORKERS)):
        for turned in range(4):
            worker = Worker(tile, turned)
            if worker.ticked().top == top and bottom in (None, worker.ticked().bottom):
                return worker
    raise AssertionError((top, bottom))


def test_tiles_meet_the_rules() -> None:
    sides = Counter(shape for worker in WORKERS for shape in worker)
    assert len(WORKERS) == 12
    assert set(sides) == set(SHAPES)
    assert sides["O4"] >= 8
    assert all(top != bottom for top, _, bottom, _ in WORKERS)
    turned = [{tuple(worker[-k:] + worker[:-k]) for k in range(4)} for worker in WORKERS]
    assert all(not one & other for i, one in enumerate(turned) for other in turned[:i])


def test_ticking_turns_clockwise() -> None:
    """The side on the left comes to the top, the one on the right to the bottom."""
    for tile, (top, right, bottom, left) in enumerate(WORKERS):
        worker = Worker(tile)
        assert (worker.top, worker.bottom) == (top, bottom)
        assert (worker.ticked().top, worker.ticked().bottom) == (left, right)
        assert (worker.ticked().ticked().top, worker.ticked().ticked().bottom) == (bottom, top)
        assert worker.ticked().ticked().ticked().ticked() == worker


def test_the_stack_is_a_shuffle_that_never_changes() -> None:
    """Recorded games replay on every machine and version: these orders are part of the format."""
    assert stack_of(0) == (7, 4, 9, 10, 3, 8, 2, 6, 0, 5, 11, 1)
    firsts = Counter(stack_of(seed)[0] for seed in range(1200))
    assert set(firsts) == set(range(12))
    assert max(firsts.values()) < 150


def test_who_writes_which_shape() -> None:
    position = new_game(3, 5)
    ticked = position.pool[1].ticked()
    position = apply(position, Tick(1))
    order = []
    for _ in range(3):
        order.append((position.to_move, position.shape))
        position = apply(position, legal_actions(position)[0])
    assert order == [(0, ticked.top), (1, ticked.bottom), (2, ticked.bottom)]
    assert (position.active, position.step) == (1, Step.TICK)


def test_rounds_and_renewal() -> None:
    position = new_game(2, 9)
    for active in (0, 1):
        assert position.active == active
        position = apply(position, Tick(0))
        for _ in range(2):
            position = apply(position, legal_actions(position)[0])
    assert (position.step, position.to_move) == (Step.RENEWAL, 1)
    discarded, stack = position.pool[2].tile, position.stack
    position = apply(position, Discard(2))
    assert position.pool[2] == Worker(stack[0])
    assert position.stack == (*stack[1:], discarded)
    assert position.pool[0].turned == 2
    assert (position.round, position.first, position.active) == (2, 1, 1)


def test_levels_are_ranked_in_turn_order_from_the_active_player() -> None:
    pool = (worker_showing("I4", "L4"),) * 3
    position = table(*(tower(3),) * 5, pool=pool, first=2)
    position = apply(position, Tick(0))
    assert position.shape == "I4"
    position = apply(position, Build(obelisk_place([(8, column) for column in range(4)])))
    for _ in range(4):
        assert position.shape == "L4"
        position = apply(position, Build(obelisk_place([(8, 0), (8, 1), (7, 0), (6, 0)])))
    assert [board.levels[0] for board in position.boards] == [0, 0, 3, 2, 1]
    assert position.reached == (5, 0, 0)


def test_a_level_gives_points_only_once() -> None:
    position = apply(table(tower(4).with_level(1, 3), reached=(1, 0, 0), pool=(worker_showing("I2"),) * 3), Tick(0))
    position = apply(position, Build(obelisk_place([(7, 0), (6, 0)])))
    assert position.boards[0].levels == (3, 0, 0)
    assert position.reached == (1, 0, 0)


def test_the_shadow_is_each_players_own() -> None:
    high, low = tower(4), tower(2)
    position = apply(table(high, low, pool=(worker_showing("O4", "I2"),) * 3), Tick(0))
    shadowed = wall_place([(8, 0), (8, 1), (9, 0), (9, 1)])
    with pytest.raises(broken.InShadow):
        apply(position, Scribe(shadowed))
    position = apply(position, Scribe(wall_place([(7, 0), (7, 1), (6, 0), (6, 1)])))
    apply(position, Carve(wall_place([(8, 0), (9, 0)]), obelisk_place([(10, 0), (11, 0)])))


def test_the_wrong_shape() -> None:
    position = apply(table(tower(2), pool=(worker_showing("I2"),) * 3), Tick(0))
    with pytest.raises(broken.WrongShape):
        apply(position, Build(obelisk_place([(11, 1), (11, 2), (11, 3)])))
    with pytest.raises(broken.WrongShape):
        apply(position, Carve(wall_place([(0, 0), (0, 1), (0, 2)]), obelisk_place([(11, 1), (11, 2), (11, 3)])))


def test_passing_only_when_nothing_is_possible() -> None:
    position = apply(new_game(2, 0), Tick(0))
    with pytest.raises(broken.PassNotAllowed):
        apply(position, Pass())
    full = Board(built=(1 << 60) - 1, filled=(1 << 60) - 1)
    stuck = apply(table(full, pool=(worker_showing("I2"),) * 3), Tick(0))
    assert legal_actions(stuck) == [Pass()]
    assert apply(stuck, Pass()).boards == (full,)


def test_a_scroll_is_used_on_a_later_turn_and_once() -> None:
    square = worker_showing("O4")
    position = apply(table(Board(), pool=(square,) * 3), Tick(0))
    position = apply(position, Scribe(wall_place([(0, 0), (0, 1), (1, 0), (1, 1)])))
    position = apply(position, Discard(0))
    assert UseScroll(0, 1) in legal_actions(position)
    with pytest.raises(broken.ScrollNotReady):
        apply(position, UseScroll(1, 1))
    pool = position.pool
    position = apply(position, UseScroll(0, 1))
    assert position.pool[1] == pool[1].ticked()
    assert (position.step, position.to_move, position.shape) == (Step.BONUS, 0, pool[1].ticked().top)
    with pytest.raises(broken.WrongStep):
        apply(position, Tick(0))
    position = apply(position, legal_actions(position)[0])
    assert (position.step, position.active) == (Step.TICK, 0)
    with pytest.raises(broken.ScrollUsed):
        apply(position, UseScroll(0, 1))


def test_a_scroll_filled_by_a_bonus_action_waits_for_the_next_turn() -> None:
    board = Board().scribe(wall_place([(0, 0), (0, 1), (1, 0), (1, 1)]))
    position = table(board, Board(), pool=(worker_showing("O4"),) * 3, ready=1)
    position = apply(position, UseScroll(0, 0))
    position = apply(position, Scribe(wall_place([(0, 2), (0, 3), (1, 2), (1, 3)])))
    with pytest.raises(broken.ScrollNotReady):
        apply(position, UseScroll(1, 1))


def test_a_scroll_serves_its_owner_alone_and_on_own_turns() -> None:
    board = Board().scribe(wall_place([(0, 0), (0, 1), (1, 0), (1, 1)]))
    position = table(Board(), board, ready=0)
    with pytest.raises(broken.ScrollNotReady):
        apply(position, UseScroll(0, 0))
    position = apply(position, Tick(0))
    for _ in range(2):
        position = apply(position, next(action for action in legal_actions(position) if isinstance(action, Build)))
    assert position.active == 1
    before = position.boards[0]
    position = apply(position, UseScroll(0, 0))
    position = apply(position, legal_actions(position)[0])
    assert position.boards[0] is before


def test_who_may_act() -> None:
    """The active player ticks, all write in turn order, and the round's last player discards."""
    position = new_game(3, 4)
    expected = [player for first in range(3) for player in (first, first, (first + 1) % 3, (first + 2) % 3)] + [2]
    for player in expected:
        for other in {0, 1, 2} - {player}:
            with pytest.raises(broken.NotYourTurn):
                apply(position, legal_actions(position)[0], other)
        position = apply(position, legal_actions(position)[0], player)
    assert position.round == 2


def test_steps_and_workers() -> None:
    position = new_game(2, 0)
    for action in (Build(3), Carve(3, 3), Scribe(3), Pass(), Discard(0)):
        with pytest.raises(broken.WrongStep):
            apply(position, action)
    for worker in (-1, 3):
        with pytest.raises(broken.NoSuchWorker):
            apply(position, Tick(worker))


def test_the_round_is_finished_when_level_three_is_reached() -> None:
    pool = (worker_showing("I2"),) * 3
    position = table(*(tower(10),) * 3, pool=pool, reached=(3, 3, 0))
    position = apply(position, Tick(0))
    position = apply(position, Build(obelisk_place([(1, 0), (0, 0)])))
    turns = 0
    while not position.over:
        assert position.round == 1
        turns += isinstance(action := legal_actions(position)[0], Tick)
        position = apply(position, action)
    assert turns == 2
    assert position.boards[0].levels[2] == 8
    assert legal_actions(position) == []
    with pytest.raises(broken.GameOver):
        apply(position, Tick(0))


@pytest.mark.parametrize(("players", "seed"), [(0, 0), (9, 0), (2, -1)])
def test_games_that_cannot_be(players: int, seed: int) -> None:
    with pytest.raises(ValueError, match="not"):
        new_game(players, seed)


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(1, 8), st.data())
def test_every_listed_action_can_be_applied_and_no_other_place(seed: int, players: int, data: st.DataObject) -> None:
    rng = np.random.default_rng(seed)
    position = new_game(players, seed)
    for _ in range(data.draw(st.integers(0, 25))):
        actions = legal_actions(position)
        if not actions:
            break
        position = apply(position, actions[int(rng.integers(len(actions)))])
    listed: list[Action] = legal_actions(position)
    for action in listed[:: max(1, len(listed) // 20)]:
        apply(position, action)
    stray: Action = data.draw(
        st.one_of(
            st.builds(Tick, st.integers(-1, 3)),
            st.builds(UseScroll, st.integers(-1, 3), st.integers(0, 2)),
            st.builds(Build, st.integers(0, 2**60)),
            st.builds(Carve, st.integers(0, 2**96), st.integers(0, 2**60)),
            st.builds(Scribe, st.integers(0, 2**96)),
            st.builds(Discard, st.integers(-1, 3)),
            st.just(Pass()),
        )
    )
    if stray in listed:
        apply(position, stray)
    else:
        with pytest.raises(broken.BrokenRule):
            apply(position, stray)
