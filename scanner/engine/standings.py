"""Places at a table, for games in which nothing but the points counts."""

from collections.abc import Sequence
from typing import NamedTuple


class Place(NamedTuple):
    """A player's place, from 1; tied players share it, and the win if it is the first. `player`: index in the totals given."""

    place: int
    player: int
    total: int
    wins: bool


def by_points(totals: Sequence[int]) -> tuple[Place, ...]:
    """The places, best first, tied players in the order given. Who is tied shares the place (a decision: the rules that are
    public name no tie-breaker)."""
    order = sorted(range(len(totals)), key=lambda player: (-totals[player], player))
    found = []
    for player in order:
        place = 1 + sum(other > totals[player] for other in totals)
        found.append(Place(place, player, totals[player], place == 1))
    return tuple(found)
