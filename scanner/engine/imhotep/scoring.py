"""Scoring a table, and who wins.

References: RULES section 2.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from scanner.engine.imhotep.sites import (
    BLUE_CARD_POINTS,
    BURIAL_CHAMBER,
    BURIAL_ROWS,
    FURTHER_STONE,
    OBELISK_POINTS,
    OBELISKS,
    PYRAMID,
    PYRAMID_VALUES,
    STONES_A_DECORATION_POINT,
    TEMPLE,
    UNREADABLE,
    series_points,
)
from scanner.engine.imhotep.state import ImhotepState
from scanner.engine.standings import Place, by_points


class PlayerScore(msgspec.Struct, frozen=True):
    """One player's points by where they come from."""

    pyramid: int
    temple: int
    burial_chamber: int
    obelisks: int
    statues: int
    decorations: int
    blue_cards: int

    @property
    def total(self) -> int:
        """All points."""
        return (
            self.pyramid + self.temple + self.burial_chamber + self.obelisks + self.statues + self.decorations + self.blue_cards
        )


def pyramid_value(place: int) -> int:
    """Points of the stone laid as number `place`, from 0."""
    return PYRAMID_VALUES[place] if place < len(PYRAMID_VALUES) else FURTHER_STONE


def burial_areas(stones: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """The colour and size of every four-connected area of one colour; stones fill columns of three from the top."""
    left = set(range(len(stones)))
    areas = []
    while left:
        open_ends = [min(left)]
        left.remove(open_ends[0])
        colour, size = stones[open_ends[0]], 0
        while open_ends:
            here = open_ends.pop()
            size += 1
            row = here % BURIAL_ROWS
            near = [here - BURIAL_ROWS, here + BURIAL_ROWS]
            near += [here - 1] if row > 0 else []
            near += [here + 1] if row < BURIAL_ROWS - 1 else []
            for other in near:
                if other in left and stones[other] == colour:
                    left.remove(other)
                    open_ends.append(other)
        if colour != UNREADABLE:
            areas.append((colour, size))
    return tuple(areas)


def obelisk_points(heights: Mapping[str, int]) -> dict[str, int]:
    """Points by player; all players at the table are keys. Tied players share the sum of the ranks that they fill, rounded
    down; who has no stone there takes no part."""
    ranks = OBELISK_POINTS[len(heights)]
    points = dict.fromkeys(heights, 0)
    first = 0
    for height in sorted({height for height in heights.values() if height > 0}, reverse=True):
        tied = [player for player, own in heights.items() if own == height]
        for player in tied:
            points[player] = sum(ranks[first : first + len(tied)]) // len(tied)
        first += len(tied)
    return points


def stones_at(state: ImhotepState) -> dict[str, int]:
    """How many stones of all players lie at each site with a decoration."""
    return {
        PYRAMID: len(state.pyramid),
        TEMPLE: state.temple_stones,
        BURIAL_CHAMBER: len(state.burial_chamber),
        OBELISKS: sum(state.obelisks.values()),
    }


def score_table(state: ImhotepState) -> dict[str, PlayerScore]:
    """Every player's score, in the state's order of players."""
    obelisks = obelisk_points(state.obelisks)
    areas = burial_areas(state.burial_chamber)
    decoration = {site: stones // STONES_A_DECORATION_POINT for site, stones in stones_at(state).items()}
    return {
        player: PlayerScore(
            pyramid=sum(pyramid_value(place) for place, stone in enumerate(state.pyramid) if stone == player),
            temple=sum(tops.count(player) for tops in state.temple),
            burial_chamber=sum(series_points(size) for colour, size in areas if colour == player),
            obelisks=obelisks[player],
            statues=series_points(state.statues[player]),
            decorations=sum(decoration[site] for site in state.decorations[player]),
            blue_cards=BLUE_CARD_POINTS * state.blue_cards[player],
        )
        for player in state.players
    }


def to_dict(scores: Mapping[str, PlayerScore]) -> dict[str, Any]:
    """The score in the contract's form, JSON-ready."""
    return {
        "players": {
            player: {**{field: getattr(score, field) for field in PlayerScore.__struct_fields__}, "total": score.total}
            for player, score in scores.items()
        }
    }


def standings(scores: Mapping[str, PlayerScore]) -> tuple[Place, ...]:
    """The players' places, best first; `Place.player` counts in the mapping's order."""
    return by_points([score.total for score in scores.values()])
