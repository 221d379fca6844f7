"""Scoring a sheet, and who wins.

References: RULES section 1, "Scoring": columns count their commonest symbol, rows their different symbols; blank, unbuilt,
crossed-out and unreadable cells never count; level and scroll points count as they are marked.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from scanner.engine.obelisk.sheet import BLANK, ROW_POINTS, SYMBOLS, UNBUILT
from scanner.engine.obelisk.state import ObeliskState


class Score(msgspec.Struct, frozen=True):
    """Points of one sheet: `columns` left to right, `rows` top first, `levels` 1 to 3, `scrolls` bottom first.
    `empty_spaces`: cells that hold neither a symbol nor a cross, built or not; an unreadable cell is none of them."""

    columns: tuple[int, ...]
    rows: tuple[int, ...]
    levels: tuple[int, ...]
    scrolls: tuple[int, ...]
    total: int
    empty_spaces: int


def column_points(column: Sequence[str]) -> int:
    """How often the column's commonest symbol stands in it."""
    return max(column.count(symbol) for symbol in SYMBOLS)


def row_points(row: Sequence[str]) -> int:
    """0/0/3/5/8/13 for 0/1/2/3/4/5 different symbols."""
    return ROW_POINTS[len(set(row) & set(SYMBOLS))]


def score_sheet(state: ObeliskState) -> Score:
    """The score of what is written: points count where they are marked, whether or not the rules gave them (an audit says
    so); a filled scroll whose points are not marked scores nothing."""
    columns = tuple(column_points(column) for column in zip(*state.obelisk, strict=True))
    rows = tuple(row_points(row) for row in state.obelisk)
    levels = state.levels or (0, 0, 0)
    scrolls = tuple(scroll.points if scroll.marked else 0 for scroll in state.scrolls)
    total = sum(columns) + sum(rows) + sum(levels) + sum(scrolls)
    empty = sum(row.count(UNBUILT) + row.count(BLANK) for row in state.obelisk)
    return Score(columns, rows, levels, scrolls, total, empty)


def to_dict(score: Score) -> dict[str, Any]:
    """The score in the contract's form, JSON-ready."""
    return {
        "columns": list(score.columns),
        "rows": list(score.rows),
        "levels": list(score.levels),
        "scrolls": list(score.scrolls),
        "total": score.total,
        "empty_spaces": score.empty_spaces,
    }


class Standing(msgspec.Struct, frozen=True):
    """A player's place. `place` counts from 1; tied players share it and the next places stay empty (1, 1, 3).
    `player` is the index in the scores given."""

    place: int
    player: int
    total: int
    empty_spaces: int
    wins: bool


def standings(scores: Sequence[Score | Mapping[str, Any]]) -> tuple[Standing, ...]:
    """The players' places, best first, tied players in the order given. Most points win; ties go to the fewest empty spaces;
    players still tied share the place, and the win if it is the first. Takes scores or their contract form; only `total` and
    `empty_spaces` are looked at."""
    points = [
        (score.total, score.empty_spaces) if isinstance(score, Score) else (score["total"], score["empty_spaces"])
        for score in scores
    ]
    keys = [(-total, empty) for total, empty in points]
    order = sorted(range(len(keys)), key=lambda index: (keys[index], index))
    found: list[Standing] = []
    for index in order:
        place = 1 + sum(other < keys[index] for other in keys)
        total, empty = points[index]
        found.append(Standing(place, index, total, empty, wins=place == 1))
    return tuple(found)
