"""The state of one player's sheet, as the contract writes it in JSON.

Only `game` and `tower` are required; what is left out counts nothing. Unknown keys are ignored.
"""

from typing import Any

import msgspec

from scanner.engine.checks import checked_list, checked_object, identity, kind, shown, whole
from scanner.engine.monolyth.tables import EMPTY, GAME, MAX_PLAYERS, MIN_PLAYERS, SIDE, SIDES, SYMBOLS, UNREADABLE, tower_height
from scanner.errors import BadState

CELLS = EMPTY + SYMBOLS + UNREADABLE
MOST_POINTS = 99
"""A sanity bound for what a token is worth."""


class Side(msgspec.Struct, frozen=True):
    """One side of the board: its colour ("" if unknown, "?" if unreadable) and the value of the prophecy set there, if any."""

    colour: str = ""
    prophecy: int | None = None


class MonolythState(msgspec.Struct, frozen=True):
    """One board. `tower`: the levels, lowest first, each four rows of four, back row first, left to right as seen from the
    front. `sides` by `tables.SIDES`. `structure_token` is 0 for none."""

    tower: tuple[tuple[str, ...], ...]
    sides: tuple[Side, Side, Side, Side]
    level_tokens: tuple[int, ...] = ()
    structure_token: int = 0
    players: int | None = None
    seat: int | None = None
    sheet_number: int | None = None
    game: str = GAME

    @property
    def height(self) -> int:
        """How many levels the tower has."""
        return len(self.tower)


def _tower(value: Any, height: int | None) -> tuple[tuple[str, ...], ...]:
    remedy = (
        f"Give 3 or 4 levels, the lowest first, each {SIDE} strings of {SIDE} characters, the back row first: "
        f"{EMPTY} empty, {' '.join(SYMBOLS)} colours, {UNREADABLE} unreadable."
    )
    if value is None:
        raise BadState("`tower` is missing.", remedy)
    levels = checked_list(value, "tower", remedy)
    if height is not None and len(levels) != height:
        raise BadState(f"`tower` has {len(levels)} levels, but `height` is {height}.", remedy)
    if len(levels) not in (3, 4):
        raise BadState(f"`tower` has {len(levels)} levels, not 3 or 4.", remedy)
    found = []
    for level, given in enumerate(levels):
        rows = checked_list(given, f"tower[{level}]", remedy)
        if len(rows) != SIDE:
            raise BadState(f"`tower[{level}]` has {len(rows)} rows, not {SIDE}.", remedy)
        for row, text in enumerate(rows):
            field = f"tower[{level}][{row}]"
            if not isinstance(text, str):
                raise BadState(f"`{field}` is {kind(text)}, not a string.", remedy)
            if len(text) != SIDE:
                raise BadState(f"`{field}` has {len(text)} characters, not {SIDE}: {shown(text)}.", remedy)
            for column, character in enumerate(text, 1):
                if character not in CELLS:
                    raise BadState(f"`{field}` column {column} is {character!r}, which is no colour.", remedy)
        found.append(tuple(rows))
    return tuple(found)


def _side(value: Any, name: str) -> Side:
    field = f"sides.{name}"
    if value is None:
        return Side()
    side = checked_object(value, field, 'Give {"colour": ..., "prophecy": ... or null} for each side.')
    colour, prophecy = side.get("colour"), side.get("prophecy")
    if colour is not None and (not isinstance(colour, str) or colour not in (*SYMBOLS, UNREADABLE)):
        raise BadState(f"`{field}.colour` is {shown(colour)}, which is no colour.", f"The colours are {' '.join(SYMBOLS)}.")
    return Side(colour or "", None if prophecy is None else whole(prophecy, f"{field}.prophecy", 1, MOST_POINTS))


def _sides(value: Any) -> tuple[Side, Side, Side, Side]:
    sides = {} if value is None else checked_object(value, "sides", f"Give an object with the keys {', '.join(SIDES)}.")
    for name in sides:
        if name not in SIDES:
            raise BadState(f"`sides` has the key {shown(name)}, which is no side.", f"The sides are {', '.join(SIDES)}.")
    front, right, back, left = (_side(sides.get(name), name) for name in SIDES)
    return front, right, back, left


def _level_tokens(value: Any, height: int) -> tuple[int, ...]:
    remedy = f"List the points of the level tokens taken, at most {height}."
    tokens = [] if value is None else checked_list(value, "level_tokens", remedy)
    if len(tokens) > height:
        raise BadState(f"`level_tokens` has {len(tokens)} entries; the tower has {height} levels.", remedy)
    return tuple(whole(token, f"level_tokens[{index}]", 0, MOST_POINTS) for index, token in enumerate(tokens))


def parse_state(value: Any) -> MonolythState:
    """The state that a JSON object holds; keys that are null count as left out. BadState names the field that is wrong."""
    state = checked_object(value, "the state", 'Give an object with "game" and "tower".')
    seat, number = identity(state, GAME)
    players, height = state.get("players"), state.get("height")
    count = None if players is None else whole(players, "players", MIN_PLAYERS, MAX_PLAYERS)
    tower = _tower(state.get("tower"), None if height is None else whole(height, "height", 3, 4))
    structure = state.get("structure_token")
    return MonolythState(
        tower=tower,
        sides=_sides(state.get("sides")),
        level_tokens=_level_tokens(state.get("level_tokens"), len(tower)),
        structure_token=0 if structure is None else whole(structure, "structure_token", 0, MOST_POINTS),
        players=count,
        seat=seat,
        sheet_number=number,
    )


def height_fits(state: MonolythState) -> bool:
    """Whether the tower's height is that for the number of players, if that is known."""
    return state.players is None or tower_height(state.players) == state.height


def to_dict(state: MonolythState) -> dict[str, Any]:
    """The state in the contract's form, JSON-ready, keys in its order; the sheet number only where it is known."""
    found: dict[str, Any] = {"game": GAME, "seat": state.seat}
    if state.sheet_number is not None:
        found["sheet_number"] = state.sheet_number
    return found | {
        "players": state.players,
        "height": state.height,
        "tower": [list(rows) for rows in state.tower],
        "sides": {
            name: {"colour": side.colour or None, "prophecy": side.prophecy}
            for name, side in zip(SIDES, state.sides, strict=True)
        },
        "level_tokens": list(state.level_tokens),
        "structure_token": state.structure_token,
    }
