"""Whole games between players, whatever the game: the loop, games stopped early, and who sits where."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final, Protocol, TypeVar

RECORD_SCHEMA: Final = "obelisk-game/1"
"""The form in which games are written down, whatever the game: see `scanner.engine.obelisk.record`."""


class Moment(Protocol):
    """What the loop asks of a game's position."""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""

    @property
    def to_move(self) -> int:
        """The player whose action is expected, from 0; meaningless once the game is over."""


P = TypeVar("P", bound=Moment)
A = TypeVar("A")


def play_out(start: P, apply: Callable[[P, A], P], choose: Sequence[Callable[[P], A]]) -> tuple[P, tuple[A, ...]]:
    """The last position of a game and its actions in order. `choose` has one function a player, which chooses a legal action
    in the position that it is given; `apply` is the game's."""
    position = start
    actions: list[A] = []
    while not position.over:
        action = choose[position.to_move](position)
        position = apply(position, action)
        actions.append(action)
    return position, tuple(actions)


def replay(start: P, apply: Callable[[P, A], P], actions: Iterable[A]) -> P:
    """The position after some actions; raises what `apply` raises for one that is not legal."""
    position = start
    for action in actions:
        position = apply(position, action)
    return position


def seated(kind: str | Sequence[str], players: int, known: Collection[str]) -> tuple[str, ...]:
    """The kinds of the players by seat: `kind` for all, or the kinds given. ValueError for a kind that is not among the
    `known`, or for more or fewer kinds than players."""
    kinds = (kind,) * players if isinstance(kind, str) else tuple(kind)
    for name in kinds:
        if name not in known:
            raise ValueError(f"There is no player {name!r}; choose from {', '.join(known)}.")
    if len(kinds) != players:
        raise ValueError(f"{players} players cannot be of {len(kinds)} kinds.")
    return kinds
