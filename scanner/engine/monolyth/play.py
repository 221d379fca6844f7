"""Players of the game, and whole games between them: sheets as they look during and after play."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np

from scanner.engine.monolyth.game import Action, Build, Foresee, Position, apply, legal_actions, new_game, reached
from scanner.engine.monolyth.tables import MAX_PLAYERS, MIN_PLAYERS, SIDES
from scanner.engine.monolyth.tower import blocks_at, full_levels, place
from scanner.engine.play import play_out, replay, seated


class Player(Protocol):
    """Chooses a legal action for the player to move."""

    def __call__(self, position: Position, rng: np.random.Generator) -> Action: ...


def random_player(position: Position, rng: np.random.Generator) -> Action:
    """Any legal action; now and then a prophecy, else a building, polyominoes rather than single blocks."""
    actions = legal_actions(position)
    for kind, chance in ((Foresee, 0.15), (Build, 1.0)):
        some = [a for a in actions if isinstance(a, kind) and not (isinstance(a, Build) and a.block)]
        if some and rng.random() < chance:
            return some[int(rng.integers(len(some)))]
    return actions[int(rng.integers(len(actions)))]


def greedy_player(position: Position, rng: np.random.Generator) -> Action:
    """Builds what fills most, low down, completes levels, and brings colours to their sides; sets prophecies that its tower
    fulfils already."""
    board = position.boards[position.to_move]
    best: tuple[float, Action] | None = None
    for action in legal_actions(position):
        worth = float(rng.random())
        if isinstance(action, Build):
            space = reached(position, action.steps)
            piece = None if space is None else position.ring[space]
            assert piece is not None
            tower = place(board.tower, piece.colour, action.cells)
            newly = full_levels(tower) - full_levels(board.tower)
            worth += len(action.cells) - 0.7 * sum(z for _, _, z in action.cells)
            worth += sum(position.levels[:newly])
            if piece.colour in board.colours:
                side = SIDES[board.colours.index(piece.colour)]
                shown = blocks_at(tower, side, piece.colour) - blocks_at(board.tower, side, piece.colour)
                worth += 1.2 * shown
        elif isinstance(action, Foresee):
            colour = board.colours[SIDES.index(action.side)]
            missing = action.value - blocks_at(board.tower, action.side, colour)
            worth += action.value - 3.0 * max(0, missing)
        if best is None or worth > best[0]:
            best = worth, action
    assert best is not None
    return best[1]


KINDS: dict[str, Player] = {"random": random_player, "greedy": greedy_player}
"""The players by name."""


class PlayedGame(NamedTuple):
    """A finished game: its seed, all actions in order, and its last position."""

    seed: int
    actions: tuple[Action, ...]
    final: Position

    def states(self) -> list[dict[str, Any]]:
        """Every player's final sheet in the contract's form, by seat."""
        return [self.final.state(player) for player in range(self.final.players)]


def play_game(players: Sequence[Player], seed: int) -> PlayedGame:
    """A whole game between the players, in seating order."""
    rng = np.random.default_rng([seed, len(players)])
    start = new_game(len(players), seed)
    final, actions = play_out(start, apply, [partial(player, rng=rng) for player in players])
    return PlayedGame(seed, actions, final)


def simulate(players: int = 4, seed: int = 0, games: int = 1, kind: str | Sequence[str] = "greedy") -> Iterator[PlayedGame]:
    """Whole games, one after the other; game i has the seed `seed` + i. `kind` is "random" or "greedy" for all, or a sequence
    of them by seat. ValueError for a number of players outside 1 to 4, or a kind that is not known or does not fit it."""
    kinds = seated(kind, players, KINDS)
    for game in range(seed, seed + games):
        yield play_game([KINDS[name] for name in kinds], game)


def random_states(rng: np.random.Generator, final_share: float = 0.6) -> Iterator[dict[str, Any]]:
    """Sheets without end, in the contract's form, for synthetic photos: games of mixed players, each cut off at a random moment
    or, with probability `final_share`, played to the end; every sheet of a game's cut is given once."""
    kinds = list(KINDS.values())
    while True:
        count = int(rng.integers(MIN_PLAYERS, MAX_PLAYERS + 1))
        seated = [kinds[int(rng.integers(len(kinds)))] for _ in range(count)]
        played = play_game(seated, int(rng.integers(2**31)))
        position = played.final
        if rng.random() >= final_share:
            until = int(len(played.actions) * rng.random() ** 0.5)
            position = replay(new_game(count, played.seed), apply, played.actions[:until])
        yield from (position.state(player) for player in range(count))
