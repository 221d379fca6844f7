"""Players of the game: random, greedy, and a stronger one.

All are deterministic given a position and a numpy Generator, which is used for choices between equals and by the random
player.
"""

from collections.abc import Callable
from typing import Protocol

import numpy as np

from scanner.engine.obelisk.actions import Action, Build, Carve, Discard, Pass, Scribe, Tick, UseScroll
from scanner.engine.obelisk.board import Board
from scanner.engine.obelisk.game import POOL_SIZE, Position, Step, legal_actions
from scanner.engine.obelisk.judgement import GREEDY, STRONG, Judge, Weights


class Player(Protocol):
    """Chooses actions."""

    def choose(self, position: Position) -> Action:
        """A legal action for the player to move."""


class RandomPlayer:
    """Any legal action; when writing, first the kind (build, carve, scribe) is drawn, then the place, because carvings
    outnumber the rest many times over. Scrolls are used half of the time."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng

    def _one(self, count: int) -> int:
        return int(self.rng.random() * count)

    def choose(self, position: Position) -> Action:
        if position.step in (Step.TICK, Step.RENEWAL):
            actions = legal_actions(position)
            scrolls = [action for action in actions if isinstance(action, UseScroll)]
            if scrolls and self.rng.random() < 0.5:
                return scrolls[self._one(len(scrolls))]
            rest = [action for action in actions if not isinstance(action, UseScroll)]
            return rest[self._one(len(rest))]
        board, shape = position.boards[position.to_move], position.shape
        kinds: list[list[Action]] = [
            [Build(place) for place in board.builds(shape)],
            [Carve(place, target) for place, target in board.carvings(shape)],
            [Scribe(place) for place in board.scribings(shape)],
        ]
        possible = [kind for kind in kinds if kind]
        if not possible:
            return Pass()
        kind = possible[self._one(len(possible))]
        return kind[self._one(len(kind))]


class JudgingPlayer:
    """Writes what its judge values most, ticks the worker that lets it do so, and uses a scroll as soon as that is worth it.
    What others gain from a tick counts against it by the judge's `envy`."""

    def __init__(self, weights: Weights, rng: np.random.Generator) -> None:
        self.judge = Judge(weights)
        self.weights = weights
        self.rng = rng

    def choose(self, position: Position) -> Action:
        if position.step is Step.RENEWAL:
            return Discard(int(self.rng.random() * POOL_SIZE))
        board = position.boards[position.to_move]
        ends = bool(position.reached[-1])
        if position.step is not Step.TICK:
            return self.judge.best_write(board, position.shape, position.reached, ends)[1]
        tops = [worker.ticked().top for worker in position.pool]
        values = [self.judge.best_write(board, shape, position.reached, ends)[0] for shape in tops]
        for scroll in range(position.ready):
            if not board.used >> scroll & 1 and (ends or max(values) >= self.weights.use_scroll):
                return UseScroll(scroll, values.index(max(values)))
        if self.weights.envy:
            for index, worker in enumerate(position.pool):
                values[index] -= self.weights.envy * self._others(position, worker.ticked().bottom, ends)
        best = max(values)
        equal = [index for index, value in enumerate(values) if value >= best - 1e-9]
        return Tick(equal[int(self.rng.random() * len(equal))] if len(equal) > 1 else equal[0])

    def _others(self, position: Position, shape: str, ends: bool) -> float:
        active = position.active
        found = [
            self.judge.best_write(board, shape, position.reached, ends)[0]
            for player, board in enumerate(position.boards)
            if player != active
        ]
        return sum(found) / max(1, len(found))


def greedy(rng: np.random.Generator) -> JudgingPlayer:
    """Takes the most points at once, and builds as low as it can when building is worth more."""
    return JudgingPlayer(GREEDY, rng)


def strong(rng: np.random.Generator) -> JudgingPlayer:
    """The same with weights tuned by play against others."""
    return JudgingPlayer(STRONG, rng)


KINDS: dict[str, Callable[[np.random.Generator], Player]] = {"random": RandomPlayer, "greedy": greedy, "strong": strong}
"""The players by name."""

__all__ = ["KINDS", "Board", "JudgingPlayer", "Player", "RandomPlayer", "greedy", "strong"]
