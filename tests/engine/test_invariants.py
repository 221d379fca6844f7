"""What must hold at every moment of every game, over thousands of random games.

Each run of the state machine is an evening of games; the table, and the stretches of random actions of its first game, are
hypothesis's to choose and to shrink.
"""

from typing import ClassVar

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from scanner.engine.obelisk.bitboard import OBELISK_FULL, closed_area, is_supported, level_of, shadow_of
from scanner.engine.obelisk.board import Board
from scanner.engine.obelisk.game import POOL_SIZE, Position, Step, apply, new_game
from scanner.engine.obelisk.players import RandomPlayer
from scanner.engine.obelisk.sheet import LEVEL_POINTS
from scanner.engine.obelisk.workers import WORKERS


def check_board(board: Board) -> None:
    """A sheet's parts fit together."""
    assert not board.built & board.crossed
    assert board.built | board.crossed | OBELISK_FULL == OBELISK_FULL
    assert board.crossed == closed_area(board.built)
    assert board.filled & ~board.built == 0
    union = total = 0
    for mask in board.symbols:
        union |= mask
        total += mask.bit_count()
    assert union == board.filled
    assert total == board.filled.bit_count()
    assert sum(group.bit_count() for group in board.groups) == board.marked.bit_count()
    carved = [group for group in board.groups if group not in board.scrolls]
    assert sum(group.bit_count() for group in carved) == board.filled.bit_count()
    assert len(carved) + len(board.scrolls) == len(board.groups)
    assert len(board.scrolls) <= 3
    assert board.used < 1 << len(board.scrolls)
    for level, points in enumerate(board.levels, 1):
        assert points in (0, *LEVEL_POINTS[level - 1])
        assert not points or board.level >= level
    if board.built:
        assert is_supported(board.built, 0)


def check_position(position: Position) -> None:
    """A table's parts fit together."""
    tiles = [worker.tile for worker in position.pool] + list(position.stack)
    assert sorted(tiles) == list(range(len(WORKERS)))
    assert len(position.pool) == POOL_SIZE
    for level in range(3):
        reached = [board for board in position.boards if board.level > level]
        assert position.reached[level] == len(reached)
        marked = sorted((board.levels[level] for board in position.boards if board.levels[level]), reverse=True)
        assert marked == list(LEVEL_POINTS[level][: min(3, len(reached))])
    assert position.over == (position.step is Step.OVER)
    if position.step is Step.RENEWAL:
        assert not position.reached[2]


def check_step(before: Position, after: Position) -> None:
    """What an action may change: one sheet, by one write, upwards only."""
    changed = [player for player, (one, two) in enumerate(zip(before.boards, after.boards, strict=True)) if one != two]
    assert changed in ([], [before.to_move])
    for player in changed:
        one, two = before.boards[player], after.boards[player]
        assert one.built & ~two.built == 0
        assert one.crossed & ~two.crossed == 0
        assert all(old & ~new == 0 for old, new in zip(one.symbols, two.symbols, strict=True))
        assert two.groups[: len(one.groups)] == one.groups
        fresh = two.marked & ~one.marked
        assert not fresh & shadow_of(level_of(one.built))
        grown = (
            (two.built & ~one.built).bit_count(),
            (two.filled & ~one.filled).bit_count(),
            len(two.scrolls) - len(one.scrolls),
        )
        assert sum(map(bool, grown)) <= 1


EVENING = 22


class Evening(RuleBasedStateMachine):
    """An evening of random games at one table. Hypothesis chooses the table and how long it looks on between its own checks;
    the rest of the first game, and the other games, are played when it has seen enough."""

    ended: ClassVar[set[tuple[int, int]]] = set()
    """The games (players, seed) that were played to their ends."""

    @initialize(players=st.integers(1, 5), evening=st.integers(0, 10_000_000))
    def sit_down(self, players: int, evening: int) -> None:
        self.begin(players, evening * EVENING)

    def begin(self, players: int, seed: int) -> None:
        self.game = players, seed
        self.position = new_game(players, seed)
        self.player = RandomPlayer(np.random.default_rng(seed))

    def act(self) -> None:
        after = apply(self.position, self.player.choose(self.position))
        check_step(self.position, after)
        self.position = after

    @rule(actions=st.integers(1, 40))
    def play_on(self, actions: int) -> None:
        for _ in range(actions):
            if not self.position.over:
                self.act()

    @invariant()
    def everything_fits(self) -> None:
        check_position(self.position)
        for board in self.position.boards:
            check_board(board)

    def finish(self) -> None:
        while not self.position.over:
            self.act()
        self.everything_fits()
        scores = self.position.scores()
        winners = {place.total for place in self.position.standings() if place.wins}
        assert winners == {max(score.total for score in scores)}
        assert max(board.level for board in self.position.boards) == 3
        self.ended.add(self.game)

    def teardown(self) -> None:
        players, first = self.game
        self.finish()
        for seed in range(first + 1, first + EVENING):
            # Hypothesis visits some tables more than once.
            if (players, seed) not in self.ended:
                self.begin(players, seed)
                self.finish()


def test_two_thousand_games_to_the_end() -> None:
    run_state_machine_as_test(
        Evening, settings=settings(max_examples=300, stateful_step_count=5, suppress_health_check=[HealthCheck.too_slow])
    )
    assert len(Evening.ended) >= 2000
