"""Imhotep's sheet: which place stands for what, and what a state looks like on it.

A player's colour is tied to a symbol by the printed legend. The eye stands for nobody: of the five symbols it is the one that
people draw most differently, and a hasty one looks like a sun.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from scanner.sheet.written import Written, down_the_columns, number_marks, rows_with

SYMBOL_OF: Final = {"white": "O", "black": "*", "brown": "^", "gray": "Y"}
"""The players' colours in the order of the sheet's rows, and their symbols."""
UNREADABLE: Final = "?"

PYRAMID: Final = tuple(
    (grid, row, column)
    for grid, rows, columns in (("pyramid1", 3, 3), ("pyramid2", 2, 2), ("pyramid3", 3, 4))
    for row, column in down_the_columns(rows, columns)
)
"""Grid, row and column of the pyramid's stones in placing order."""
BURIAL_CHAMBER: Final = tuple(("burial_chamber", row, column) for row, column in down_the_columns(3, 9))
"""The same for the burial chamber's."""
ROUNDS: Final = 6
SPACES: Final = 5
OBELISK_ROOM: Final = 12
STATUES: Final = 8
BLUE_CARDS: Final = 5
"""The largest numbers that can be noted for a player."""
DECORATED: Final = ("pyramid", "temple", "burial_chamber", "obelisks")
COPIES: Final = 2
"""Circles for the decorations of a site, for each player."""
MOST_TEMPLE_STONES: Final = 39

GRIDS: Final = {
    "pyramid1": (3, 3),
    "pyramid2": (2, 2),
    "pyramid3": (3, 4),
    "burial_chamber": (3, 9),
    "temple": (ROUNDS, SPACES),
    "obelisks": (len(SYMBOL_OF), OBELISK_ROOM),
}
"""Rows and columns of the template's grids."""


def written(state: Mapping[str, Any]) -> Written:
    """What the sheet of a table shows; ValueError if it has no room for the state, or no symbol for one of its players."""
    unknown = [player for player in state["players"] if player not in SYMBOL_OF]
    if unknown:
        raise ValueError(f"the sheet has no symbol for {', '.join(unknown)}")
    symbols = SYMBOL_OF | {UNREADABLE: UNREADABLE}
    cells: dict[str, dict[tuple[int, int], str]] = {grid: {} for grid in GRIDS}

    def lay(places: Sequence[tuple[str, int, int]], stones: Sequence[str], what: str) -> None:
        if len(stones) > len(places):
            raise ValueError(f"the sheet has room for {len(places)} stones in the {what}, not {len(stones)}")
        for (grid, row, column), stone in zip(places, stones, strict=False):
            cells[grid][row, column] = symbols[stone]

    lay(PYRAMID, state["pyramid"], "pyramid")
    lay(BURIAL_CHAMBER, state["burial_chamber"], "burial chamber")
    for number, tops in enumerate(state["temple"]):
        lay([("temple", number, space) for space in range(SPACES)], tops, "temple")
    marks = number_marks("temple_stones", _within(state["temple_stones"], MOST_TEMPLE_STONES, "temple stones"))
    for row, player in enumerate(SYMBOL_OF):
        if player not in state["players"]:
            continue
        for space in range(_within(state["obelisks"][player], OBELISK_ROOM, "stones of an obelisk")):
            cells["obelisks"][row, space] = "x"
        marks.add(f"plays.{player}")
        for what, most in (("statues", STATUES), ("blue_cards", BLUE_CARDS)):
            count = _within(state[what][player], most, what.replace("_", " "))
            marks |= {f"{what}.{player}.{count}"} if count else set()
        for site in DECORATED:
            count = _within(list(state["decorations"][player]).count(site), COPIES, "decorations of a site")
            marks |= {f"decorations.{player}.{site}.{copy}" for copy in range(1, count + 1)}
    return Written({grid: rows_with(*GRIDS[grid], found) for grid, found in cells.items()}, frozenset(marks))


def _within(number: int, most: int, what: str) -> int:
    if number > most:
        raise ValueError(f"the sheet has room for {most} {what}, not {number}")
    return number
