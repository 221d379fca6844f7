"""The whole game: positions, whose action is expected, and what an action leads to.

A position is immutable; `apply` gives the next one or raises the broken rule (see `broken`). Everyone writes at the same
time; here they do so in turn order from the active player, which is also how the rules rank players who reach a level in the
same step.

References: RULES section 1, "Turn", "Levels", "Scribe", "Renewal", "End".
"""

from enum import IntEnum
from hashlib import sha256
from typing import NamedTuple

from scanner.engine.checks import MAX_SEAT
from scanner.engine.obelisk.actions import Action, Build, Carve, Discard, Pass, Scribe, Tick, UseScroll
from scanner.engine.obelisk.bitboard import LEVELS, level_of
from scanner.engine.obelisk.board import Board
from scanner.engine.obelisk.broken import (
    GameOver,
    NoSuchWorker,
    NotYourTurn,
    PassNotAllowed,
    ScrollNotReady,
    WrongShape,
    WrongStep,
)
from scanner.engine.obelisk.placements import OBELISK_FORM, WALL_FORM
from scanner.engine.obelisk.scoring import Score, Standing, score_sheet, standings
from scanner.engine.obelisk.sheet import LEVEL_POINTS
from scanner.engine.obelisk.workers import WORKERS, Worker

POOL_SIZE = 3


class Step(IntEnum):
    """What is expected next."""

    TICK = 0
    """The active player ticks a worker, or uses a scroll first."""
    BONUS = 1
    """The active player writes alone, with the shape that a scroll gave."""
    WRITE = 2
    """The players write, one after the other in turn order from the active player."""
    RENEWAL = 3
    """The round's last player discards a worker."""
    OVER = 4
    """The game has ended."""


class Position(NamedTuple):
    """A moment of a game. Players are numbered from 0 in seating order. `stack`: the tiles face down, the next to be drawn
    first. `turn`: turns taken in this round. `writer`: how many players have written in this turn. `worker`: the pool's worker
    last ticked. `reached`: how many players have reached levels 1, 2, 3. `ready`: the active player's scrolls that were filled
    before this turn began."""

    boards: tuple[Board, ...]
    pool: tuple[Worker, ...]
    stack: tuple[int, ...]
    first: int = 0
    turn: int = 0
    step: Step = Step.TICK
    writer: int = 0
    worker: int = -1
    reached: tuple[int, ...] = (0,) * LEVELS
    ready: int = 0
    round: int = 1

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return len(self.boards)

    @property
    def active(self) -> int:
        """The player whose turn it is."""
        return (self.first + self.turn) % len(self.boards)

    @property
    def to_move(self) -> int:
        """The player whose action is expected; meaningless once the game is over."""
        return (self.first + self.turn + self.writer) % len(self.boards)

    @property
    def shape(self) -> str:
        """The shape that the player to move writes: the ticked worker's top for the active player, else its bottom."""
        worker = self.pool[self.worker]
        return worker.bottom if self.writer else worker.top

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.step is Step.OVER

    def scores(self) -> tuple[Score, ...]:
        """Every player's score as the sheets stand now."""
        return tuple(score_sheet(board.state()) for board in self.boards)

    def standings(self) -> tuple[Standing, ...]:
        """The places as the sheets stand now, best first."""
        return standings(self.scores())


def stack_of(seed: int) -> tuple[int, ...]:
    """The shuffled tiles of a game. The order is a hash of seed and tile, so that it is the same on every machine and with
    every version of every library."""
    return tuple(sorted(range(len(WORKERS)), key=lambda tile: sha256(f"{seed}:{tile}".encode()).digest()))


def new_game(players: int, seed: int) -> Position:
    """The first position: player 0 begins. ValueError unless there are 1 to 8 players and the seed is not negative."""
    if not 1 <= players <= MAX_SEAT:
        raise ValueError(f"A game has 1 to {MAX_SEAT} players, not {players}.")
    if seed < 0:
        raise ValueError(f"A seed is 0 or more, not {seed}.")
    stack = stack_of(seed)
    return Position((Board(),) * players, tuple(map(Worker, stack[:POOL_SIZE])), stack[POOL_SIZE:])


def legal_actions(position: Position) -> list[Action]:
    """Everything that the player to move may do; empty when the game is over."""
    match position.step:
        case Step.TICK:
            board = position.boards[position.active]
            ticks: list[Action] = [Tick(worker) for worker in range(POOL_SIZE)]
            ticks += [
                UseScroll(scroll, worker)
                for scroll in range(position.ready)
                if not board.used >> scroll & 1
                for worker in range(POOL_SIZE)
            ]
            return ticks
        case Step.BONUS | Step.WRITE:
            return writes(position.boards[position.to_move], position.shape)
        case Step.RENEWAL:
            return [Discard(worker) for worker in range(POOL_SIZE)]
        case Step.OVER:
            return []


def writes(board: Board, shape: str) -> list[Action]:
    """Everything that a player may write with a shape: passing only when nothing else is possible."""
    found: list[Action] = [Build(place) for place in board.builds(shape)]
    found += [Carve(place, target) for place, target in board.carvings(shape)]
    found += [Scribe(place) for place in board.scribings(shape)]
    return found or [Pass()]


def apply(position: Position, action: Action, player: int | None = None) -> Position:
    """The position after an action; raises the BrokenRule that forbids it. `player` is who acts; left out, it is the player to
    move."""
    step = position.step
    if step is Step.OVER:
        raise GameOver("The game has ended.")
    if player is not None and player != position.to_move:
        raise NotYourTurn(f"It is seat {position.to_move + 1} that acts now, not seat {player + 1}.")
    if isinstance(action, Build | Carve | Scribe | Pass):
        if step is not Step.WRITE and step is not Step.BONUS:
            raise WrongStep("Nothing is written before a worker is ticked.")
        return _written(position, action)
    if not 0 <= action.worker < POOL_SIZE:
        raise NoSuchWorker(f"The pool has {POOL_SIZE} workers.")
    if isinstance(action, Discard):
        if step is not Step.RENEWAL:
            raise WrongStep("A worker is discarded only after the round's last turn.")
        return _renewed(position, action.worker)
    if step is not Step.TICK:
        raise WrongStep("A worker was ticked already; its shape comes first.")
    pool = list(position.pool)
    pool[action.worker] = pool[action.worker].ticked()
    if isinstance(action, Tick):
        return position._replace(pool=tuple(pool), step=Step.WRITE, worker=action.worker)
    active = position.active
    board = position.boards[active].use_scroll(action.scroll)
    if action.scroll >= position.ready:
        raise ScrollNotReady("A scroll is used on a later turn than the one that filled it.")
    return position._replace(
        boards=_with(position.boards, active, board), pool=tuple(pool), step=Step.BONUS, worker=action.worker
    )


def _with(boards: tuple[Board, ...], player: int, board: Board) -> tuple[Board, ...]:
    return (*boards[:player], board, *boards[player + 1 :])


def _written(position: Position, action: Build | Carve | Scribe | Pass) -> Position:
    boards, pool, stack, first, turn, step, writer, worker, reached, ready, round_ = position
    players = len(boards)
    player = (first + turn + writer) % players
    board, shape = boards[player], position.shape
    if isinstance(action, Build):
        form = OBELISK_FORM.get(action.place)
        if form is not None and form.shape != shape:
            raise WrongShape(f"The worker shows {shape}, not {form.shape}.")
        level = level_of(board.built)
        board = board.build(action.place)
        for level_reached in range(level + 1, level_of(board.built) + 1):
            ranked = LEVEL_POINTS[level_reached - 1]
            before = reached[level_reached - 1]
            if before < len(ranked):
                board = board.with_level(level_reached, ranked[before])
            reached = (*reached[: level_reached - 1], before + 1, *reached[level_reached:])
    elif isinstance(action, Pass):
        if board.can_act(shape):
            raise PassNotAllowed(f"{shape} can be built, carved or scribed, so passing is not allowed.")
    else:
        form = WALL_FORM.get(action.place)
        if form is not None and form.shape != shape:
            raise WrongShape(f"The worker shows {shape}, not {form.shape}.")
        board = board.carve(action.place, action.target) if isinstance(action, Carve) else board.scribe(action.place)
    if not isinstance(action, Pass):
        boards = _with(boards, player, board)
    if step is Step.BONUS:
        return Position(boards, pool, stack, first, turn, Step.TICK, 0, worker, reached, ready, round_)
    if writer + 1 < players:
        return Position(boards, pool, stack, first, turn, Step.WRITE, writer + 1, worker, reached, ready, round_)
    if turn + 1 < players:
        ready = len(boards[(first + turn + 1) % players].scrolls)
        return Position(boards, pool, stack, first, turn + 1, Step.TICK, 0, worker, reached, ready, round_)
    step = Step.OVER if reached[-1] else Step.RENEWAL
    return Position(boards, pool, stack, first, turn, step, 0, worker, reached, 0, round_)


def _renewed(position: Position, worker: int) -> Position:
    drawn, *rest = position.stack
    pool = list(position.pool)
    stack = (*rest, pool[worker].tile)
    pool[worker] = Worker(drawn)
    first = (position.first + 1) % position.players
    ready = len(position.boards[first].scrolls)
    return Position(
        position.boards, tuple(pool), stack, first, 0, Step.TICK, 0, -1, position.reached, ready, position.round + 1
    )
