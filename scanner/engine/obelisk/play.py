"""Whole games between players: simulation, and sheets as they look during and after play."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from scanner.engine.checks import MAX_SEAT
from scanner.engine.obelisk.actions import Action
from scanner.engine.obelisk.game import Position, apply, new_game
from scanner.engine.obelisk.players import KINDS, Player
from scanner.engine.obelisk.record import GameRecord
from scanner.engine.obelisk.state import ObeliskState, to_dict
from scanner.engine.play import play_out, replay, seated


class PlayedGame(NamedTuple):
    """A finished game: its record, its last position, and the kinds of its players by seat."""

    record: GameRecord
    final: Position
    kinds: tuple[str, ...]

    def states(self) -> list[dict[str, Any]]:
        """Every player's final sheet in the contract's form, by seat; sheet number and name are left open."""
        return [to_dict(board.state(seat=seat)) for seat, board in enumerate(self.final.boards, 1)]


def play_game(players: Sequence[Player], seed: int) -> tuple[Position, tuple[Action, ...]]:
    """The last position and the actions of a game between the players, in seating order."""
    return play_out(new_game(len(players), seed), apply, [player.choose for player in players])


def _players(kinds: Sequence[str], seed: int) -> list[Player]:
    return [KINDS[kind](np.random.default_rng([seed, seat])) for seat, kind in enumerate(kinds)]


def simulate(players: int = 4, seed: int = 0, games: int = 1, kind: str | Sequence[str] = "greedy") -> Iterator[PlayedGame]:
    """Whole games, one after the other; game i has the seed `seed` + i. `kind` is "random", "greedy" or "strong" for all, or a
    sequence of them by seat. ValueError for a number of players outside 1 to 8, a negative seed, or a kind that is not known
    or does not fit the number of players."""
    if not 1 <= players <= MAX_SEAT:
        raise ValueError(f"A game has 1 to {MAX_SEAT} players, not {players}.")
    kinds = seated(kind, players, KINDS)
    for game in range(seed, seed + games):
        final, actions = play_game(_players(kinds, game), game)
        yield PlayedGame(GameRecord(players, game, actions), final, kinds)


def random_states(rng: np.random.Generator, final_share: float = 0.5) -> Iterator[ObeliskState]:
    """Sheets without end, for synthetic photos: games of one to five players of mixed kinds, each cut off at a random moment
    or, with probability `final_share`, played to the end; every sheet of a game's cut is given once. Seats, sheet numbers and
    names are left open. All sheets come from legal play."""
    # Strong players fill their sheets, as people do; the others leave the odd ones.
    kinds, shares = ("random", "greedy", "strong"), (0.2, 0.2, 0.6)
    while True:
        count = int(rng.choice((1, 2, 3, 4, 5), p=(0.1, 0.2, 0.25, 0.3, 0.15)))
        seed = int(rng.integers(2**31))
        final, actions = play_game(_players([str(kind) for kind in rng.choice(kinds, size=count, p=shares)], seed), seed)
        if rng.random() < final_share:
            position = final
        else:
            # Early moments are rarer than late ones: an almost empty sheet teaches little.
            until = round(len(actions) * rng.random() ** 0.5)
            position = replay(new_game(count, seed), apply, actions[:until])
        for board in position.boards:
            yield board.state()
