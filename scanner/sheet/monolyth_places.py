"""Monolyth's sheet: which place stands for what, and what a state looks like on it."""

from collections.abc import Mapping
from typing import Any, Final

from scanner.sheet.written import Written, number_marks

LEVELS: Final = 4
SIDE: Final = 4
SIDES: Final = ("front", "right", "back", "left")
"""In the order of the rows of the grid of colours."""
PROPHECIES: Final = (4, 5, 6, 7, 8, 9, 10, 12)
"""The values that can be noted at a side."""
TOKENS: Final = LEVELS
MOST_POINTS: Final = 19
"""The most that a level or structure token can be noted with."""
PLAYERS: Final = (1, 2, 3, 4)


def written(state: Mapping[str, Any]) -> Written:
    """What the sheet of a player shows; ValueError if it cannot be noted."""
    cells: dict[str, tuple[str, ...]] = {f"level{n + 1}": ("_" * SIDE,) * SIDE for n in range(LEVELS)}
    for number, rows in enumerate(state["tower"], 1):
        cells[f"level{number}"] = tuple(row.replace(".", "_") for row in rows)
    cells["sides"] = tuple(state["sides"][side]["colour"] or "_" for side in SIDES)
    marks = {f"players.{state['players']}"} if state["players"] else set()
    for side in SIDES:
        value = state["sides"][side]["prophecy"]
        if value is not None:
            if value not in PROPHECIES:
                raise ValueError(f"the sheet has no circle for a prophecy of {value}")
            marks.add(f"prophecy.{side}.{value}")
    for name, value in (
        *((f"token{n}", v) for n, v in enumerate(state["level_tokens"], 1)),
        ("structure", state["structure_token"]),
    ):
        if not 0 <= value <= MOST_POINTS:
            raise ValueError(f"the sheet notes tokens up to {MOST_POINTS}, not {value}")
        marks |= number_marks(name, value)
    return Written(cells, frozenset(marks))
