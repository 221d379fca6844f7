"""Scoring a board, and who wins.

References: RULES section 3: structure token, level tokens, fulfilled prophecies.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from scanner.engine.monolyth.state import MonolythState
from scanner.engine.monolyth.tables import SIDES, SYMBOLS
from scanner.engine.monolyth.tower import Tower, blocks_at, from_rows
from scanner.engine.standings import Place, by_points


class Score(msgspec.Struct, frozen=True):
    """Points of one board; `prophecies` by `tables.SIDES`."""

    levels: int
    structure: int
    prophecies: tuple[int, int, int, int]

    @property
    def total(self) -> int:
        """All points."""
        return self.levels + self.structure + sum(self.prophecies)


def prophecy_points(tower: Tower, side: str, colour: str, value: int | None) -> int:
    """The value, if the tower's face at the side shows at least that many blocks of the side's colour; else 0."""
    if value is None or colour not in tuple(SYMBOLS):
        return 0
    return value if blocks_at(tower, side, colour) >= value else 0


def score_board(state: MonolythState) -> Score:
    """The score of what is noted: tokens count as they are, an audit says what is odd about them."""
    tower = from_rows(state.tower)
    front, right, back, left = (
        prophecy_points(tower, name, side.colour, side.prophecy) for name, side in zip(SIDES, state.sides, strict=True)
    )
    return Score(sum(state.level_tokens), state.structure_token, (front, right, back, left))


def to_dict(score: Score) -> dict[str, Any]:
    """The score in the contract's form, JSON-ready."""
    return {
        "levels": score.levels,
        "structure": score.structure,
        "prophecies": dict(zip(SIDES, score.prophecies, strict=True)),
        "total": score.total,
    }


def standings(scores: Sequence[Score]) -> tuple[Place, ...]:
    """The players' places, best first."""
    return by_points([score.total for score in scores])
