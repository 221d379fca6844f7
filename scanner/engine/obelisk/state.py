"""The state of one player's sheet, as the contract writes it in JSON.

Rows are listed from the top as seen on paper. Only `game` and `obelisk` are required; unknown keys are ignored, because
truth files and other programs' JSON carry more than a state needs.
"""

from typing import Any

import msgspec

from scanner.engine.checks import MAX_SEAT, MAX_SHEET_NUMBER, checked_name, kind, shown, whole
from scanner.engine.obelisk.sheet import (
    BLANK,
    CROSSED,
    LEVEL_POINTS,
    OBELISK_COLUMNS,
    OBELISK_ROWS,
    SCROLL_POINTS,
    SYMBOLS,
    UNBUILT,
    UNREADABLE,
    WALL_COLUMNS,
    WALL_ROWS,
)
from scanner.errors import BadState

GAME = "obelisk"
OBELISK_CHARACTERS = UNBUILT + BLANK + SYMBOLS + CROSSED + UNREADABLE
SCROLL_CHARACTERS = SYMBOLS + UNBUILT + UNREADABLE
SCROLL_CELLS = 4


class Scroll(msgspec.Struct, frozen=True):
    """One scroll. `symbols`: "" while empty, else its 2 x 2 cells row by row ('.' for a cell left blank, '?' for one that
    could not be read). `marked`: its points are marked. `used`: its circle is crossed out."""

    points: int
    symbols: str = ""
    marked: bool = False
    used: bool = False

    @property
    def filled(self) -> bool:
        """Whether anything is written in it."""
        return any(symbol != UNBUILT for symbol in self.symbols)


EMPTY_SCROLLS = tuple(Scroll(points) for points in SCROLL_POINTS)


class ObeliskState(msgspec.Struct, frozen=True):
    """One sheet. `obelisk`: 12 strings of 5 (`. _ O * ^ @ Y x ?`). `wall_shapes`: 12 strings of 8, '.' free, a letter a
    shape, or None where the wall is not known. `scrolls`: three, bottom first. `levels`: points marked at level 1, 2, 3,
    or None where the levels are not known (they count nothing)."""

    obelisk: tuple[str, ...]
    wall_shapes: tuple[str, ...] | None = None
    scrolls: tuple[Scroll, ...] = EMPTY_SCROLLS
    levels: tuple[int, int, int] | None = None
    seat: int | None = None
    sheet_number: int | None = None
    player: str | None = None
    game: str = GAME


def _is_list(value: object) -> bool:
    return isinstance(value, list | tuple)


def _grid(value: Any, field: str, rows: int, columns: int, allowed: str, legend: str) -> tuple[str, ...]:
    """Checked rows of a grid; BadState naming the first row and column that is wrong, counted from 1."""
    form = f"Give {rows} strings of {columns} characters, the top row first: {legend}."
    if not _is_list(value):
        raise BadState(f"`{field}` is {kind(value)}, not a list of rows.", form)
    if len(value) != rows:
        raise BadState(f"`{field}` has {len(value)} rows, not {rows}.", form)
    for number, row in enumerate(value, 1):
        if not isinstance(row, str):
            raise BadState(f"`{field}` row {number} is {kind(row)}, not a string.", form)
        if len(row) != columns:
            raise BadState(f"`{field}` row {number} has {len(row)} characters, not {columns}: {shown(row)}.", form)
        for column, character in enumerate(row, 1):
            if character not in allowed:
                raise BadState(f"`{field}` row {number} column {column} is {character!r}, which is no cell.", form)
    return tuple(value)


_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _flag(value: Any, field: str) -> bool:
    if not isinstance(value, bool):
        raise BadState(f"`{field}` is {kind(value)}, not true or false.", "Write true or false, without quotes.")
    return value


def _scroll(value: Any, index: int) -> Scroll:
    field, points = f"scrolls[{index}]", SCROLL_POINTS[index]
    if not isinstance(value, dict):
        raise BadState(
            f"`{field}` is {kind(value)}, not an object.",
            'Give {"points": ..., "symbols": ..., "marked": ..., "used": ...} for each scroll, the bottom one first.',
        )
    given = value.get("points", points)
    if isinstance(given, bool) or not isinstance(given, int):
        raise BadState(f"`{field}.points` is {kind(given)}, not a whole number.", f"This scroll is worth {points}.")
    if given != points:
        raise BadState(
            f"`{field}.points` is {shown(given)}, not {points}.",
            "List the scrolls from the bottom: they are worth 3, 6 and 9.",
        )
    symbols = value.get("symbols", "")
    remedy = (
        f'Give "" for an empty scroll, else its four symbols row by row, from {SYMBOLS} (. for a blank cell, ? unreadable).'
    )
    if not isinstance(symbols, str):
        raise BadState(f"`{field}.symbols` is {kind(symbols)}, not a string.", remedy)
    if len(symbols) not in (0, SCROLL_CELLS):
        raise BadState(f"`{field}.symbols` has {len(symbols)} characters, not 0 or {SCROLL_CELLS}: {shown(symbols)}.", remedy)
    for place, character in enumerate(symbols, 1):
        if character not in SCROLL_CHARACTERS:
            raise BadState(f"`{field}.symbols` character {place} is {character!r}, which is no symbol.", remedy)
    return Scroll(
        points,
        symbols,
        _flag(value.get("marked", False), f"{field}.marked"),
        _flag(value.get("used", False), f"{field}.used"),
    )


def _scrolls(value: Any) -> tuple[Scroll, ...]:
    remedy = "Give the scrolls from the bottom, at most three, or leave `scrolls` out."
    if not _is_list(value):
        raise BadState(f"`scrolls` is {kind(value)}, not a list.", remedy)
    if len(value) > len(SCROLL_POINTS):
        raise BadState(f"`scrolls` has {len(value)} entries, not {len(SCROLL_POINTS)}.", remedy)
    given = tuple(_scroll(scroll, index) for index, scroll in enumerate(value))
    return given + EMPTY_SCROLLS[len(given) :]


def _levels(value: Any) -> tuple[int, int, int]:
    remedy = "Give the points marked at level 1, 2 and 3, each 0 where none is marked."
    if not _is_list(value):
        raise BadState(f"`levels` is {kind(value)}, not a list.", remedy)
    if len(value) != len(LEVEL_POINTS):
        raise BadState(f"`levels` has {len(value)} entries, not {len(LEVEL_POINTS)}.", remedy)
    for index, (points, possible) in enumerate(zip(value, LEVEL_POINTS, strict=True)):
        if isinstance(points, bool) or not isinstance(points, int):
            raise BadState(f"`levels[{index}]` is {kind(points)}, not a whole number.", remedy)
        if points not in (0, *possible):
            first, second, third = possible
            raise BadState(
                f"`levels[{index}]` is {shown(points)}.",
                f"Level {index + 1} gives {first}, {second} or {third} points; write 0 where none is marked.",
            )
    first, second, third = value
    return first, second, third


def parse_state(value: Any) -> ObeliskState:
    """The state that a JSON object holds. Keys that are null count as left out. BadState names the field that is wrong,
    counting rows and columns from 1, and says how to mend it."""
    if not isinstance(value, dict):
        raise BadState(f"The state is {kind(value)}, not a JSON object.", 'Give an object with "game" and "obelisk".')
    if value.get("game") != GAME:
        raise BadState(f"`game` is {shown(value.get('game'))}, not {GAME!r}.", f'Write "game": "{GAME}".')
    if value.get("obelisk") is None:
        raise BadState(
            "`obelisk` is missing.", f"Give {OBELISK_ROWS} strings of {OBELISK_COLUMNS} characters, the top row first."
        )
    obelisk = _grid(
        value["obelisk"],
        "obelisk",
        OBELISK_ROWS,
        OBELISK_COLUMNS,
        OBELISK_CHARACTERS,
        f"{UNBUILT} unbuilt, {BLANK} built and blank, {' '.join(SYMBOLS)} symbols, {CROSSED} crossed out, "
        f"{UNREADABLE} unreadable",
    )
    wall, scrolls, levels = value.get("wall_shapes"), value.get("scrolls"), value.get("levels")
    seat, number, player = value.get("seat"), value.get("sheet_number"), value.get("player")
    legend = ". free, the same letter (a to z, A to Z) for all cells of a shape"
    return ObeliskState(
        obelisk=obelisk,
        wall_shapes=None if wall is None else _grid(wall, "wall_shapes", WALL_ROWS, WALL_COLUMNS, "." + _LETTERS, legend),
        scrolls=EMPTY_SCROLLS if scrolls is None else _scrolls(scrolls),
        levels=None if levels is None else _levels(levels),
        seat=None if seat is None else whole(seat, "seat", 1, MAX_SEAT),
        sheet_number=None if number is None else whole(number, "sheet_number", 0, MAX_SHEET_NUMBER),
        player=None if player is None else checked_name(player, "player", "Give the name as a string, or null."),
    )


def to_dict(state: ObeliskState) -> dict[str, Any]:
    """The state in the contract's form: JSON-ready, keys in the contract's order. `wall_shapes` is left out where the wall is
    not known; everything else is always there."""
    found: dict[str, Any] = {
        "game": state.game,
        "seat": state.seat,
        "sheet_number": state.sheet_number,
        "player": state.player,
        "obelisk": list(state.obelisk),
    }
    if state.wall_shapes is not None:
        found["wall_shapes"] = list(state.wall_shapes)
    found["scrolls"] = [
        {"points": scroll.points, "symbols": scroll.symbols, "marked": scroll.marked, "used": scroll.used}
        for scroll in state.scrolls
    ]
    found["levels"] = list(state.levels or (0, 0, 0))
    return found
