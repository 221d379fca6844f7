"""Players of the game, and whole games between them: tables as they look during and after play."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np

from scanner.engine.imhotep.game import Action, Position, Take, apply, legal_actions, new_game
from scanner.engine.imhotep.scoring import score_table
from scanner.engine.imhotep.sites import MAX_PLAYERS, MIN_PLAYERS
from scanner.engine.imhotep.state import parse_state
from scanner.engine.play import play_out, replay, seated


class Player(Protocol):
    """Chooses a legal action for the player to move."""

    def __call__(self, position: Position, rng: np.random.Generator) -> Action: ...


def random_player(position: Position, rng: np.random.Generator) -> Action:
    """Any legal action; the kind is drawn first, because playing a lever has many more forms than taking stones."""
    by_kind: dict[type, list[Action]] = {}
    for action in legal_actions(position):
        by_kind.setdefault(type(action), []).append(action)
    kinds = list(by_kind.values())
    actions = kinds[int(rng.integers(len(kinds)))]
    return actions[int(rng.integers(len(actions)))]


_LOOKED_AT = 24


def greedy_player(position: Position, rng: np.random.Generator) -> Action:
    """Looks at some legal actions and takes the one after which its own total is furthest above the others' best, rather one
    that moves stones than one that takes more."""
    actions = legal_actions(position)
    if len(actions) > _LOOKED_AT:
        actions = [actions[int(index)] for index in rng.permutation(len(actions))[:_LOOKED_AT]]
    me = position.to_move
    best: tuple[float, Action] | None = None
    for action in actions:
        after = apply(position, action)
        totals = [score.total for score in score_table(parse_state(after.state())).values()]
        others = max(total for player, total in enumerate(totals) if player != me)
        worth = totals[me] - 0.5 * others + rng.random() - (1.0 if isinstance(action, Take) and position.sleds[me] else 0.0)
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
        """The table's final state in the contract's form: all players are on one sheet."""
        return [self.final.state()]


def play_game(players: Sequence[Player], seed: int) -> PlayedGame:
    """A whole game between the players, in seating order."""
    rng = np.random.default_rng([seed, len(players)])
    start = new_game(len(players), seed)
    final, actions = play_out(start, apply, [partial(player, rng=rng) for player in players])
    return PlayedGame(seed, actions, final)


def simulate(players: int = 4, seed: int = 0, games: int = 1, kind: str | Sequence[str] = "greedy") -> Iterator[PlayedGame]:
    """Whole games, one after the other; game i has the seed `seed` + i. `kind` is "random" or "greedy" for all, or a sequence
    of them by seat. ValueError for a number of players outside 2 to 4, or a kind that is not known or does not fit it."""
    kinds = seated(kind, players, KINDS)
    for game in range(seed, seed + games):
        yield play_game([KINDS[name] for name in kinds], game)


def random_states(rng: np.random.Generator, final_share: float = 0.7) -> Iterator[dict[str, Any]]:
    """Tables without end, in the contract's form, for synthetic photos: games of random players, each cut off at a random
    moment or, with probability `final_share`, played to the end."""
    while True:
        count = int(rng.integers(MIN_PLAYERS, MAX_PLAYERS + 1))
        played = play_game([random_player] * count, int(rng.integers(2**31)))
        position = played.final
        if rng.random() >= final_share:
            until = int(len(played.actions) * rng.random() ** 0.5)
            position = replay(new_game(count, played.seed), apply, played.actions[:until])
        yield position.state()
