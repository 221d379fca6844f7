"""The audit of a board: what cannot have come about by the rules, and what could not be read.

References: RULES section 3.
"""

from scanner.engine.findings import AuditLine
from scanner.engine.monolyth.scoring import prophecy_points
from scanner.engine.monolyth.state import MonolythState, height_fits
from scanner.engine.monolyth.tables import (
    COLOUR_NAMES,
    EMPTY,
    LEVEL_TOKENS,
    LEVEL_VALUES,
    PROPHECIES,
    PROPHECY_VALUES,
    SIDES,
    STRUCTURE_CARDS,
    STRUCTURE_TOKENS,
    STRUCTURE_VALUES,
    SYMBOLS,
    UNREADABLE,
    tower_height,
)
from scanner.engine.monolyth.tower import Tower, blocks_at, from_rows, full_levels, meets


def cell_name(level: int, row: int, column: int) -> str:
    """E.g. "level2 r1 c4": levels from the bottom, rows from the back, all from 1."""
    return f"level{level + 1} r{row + 1} c{column + 1}"


def audit_board(state: MonolythState) -> tuple[AuditLine, ...]:
    """Every finding: unreadable cells, overhangs, the height, level and structure tokens, prophecies, the sides' colours."""
    tower = from_rows(state.tower)
    return (*_cells(tower), *_height(state), *_tokens(state, tower), *_sides(state, tower))


def _cells(tower: Tower) -> list[AuditLine]:
    found = []
    for z, level in enumerate(tower):
        for i, cell in enumerate(level):
            where = cell_name(z, *divmod(i, 4))
            if cell == UNREADABLE:
                found.append(AuditLine("unreadable", where, "No colour could be read here; it counts for none.", False))
            if cell != EMPTY and z and tower[z - 1][i] == EMPTY:
                found.append(AuditLine("overhang", where, "A block stands here, but the space below it is empty."))
    return found


def _height(state: MonolythState) -> list[AuditLine]:
    if height_fits(state) or state.players is None:
        return []
    right = tower_height(state.players)
    return [
        AuditLine(
            "height", "tower", f"With {state.players} players a tower has {right} levels, but {state.height} are noted here."
        )
    ]


def _tokens(state: MonolythState, tower: Tower) -> list[AuditLine]:
    found = []
    filled, taken = full_levels(tower), len(state.level_tokens)
    if taken > filled:
        found.append(
            AuditLine("level token without a full level", "level tokens", f"{taken} are noted, but {filled} levels are full.")
        )
    if taken < filled:
        found.append(
            AuditLine(
                "level token not taken",
                "level tokens",
                f"{filled} levels are full, but {taken} level tokens are noted.",
                breach=False,
            )
        )
    known = LEVEL_VALUES if state.players is None else LEVEL_TOKENS[state.players]
    for number, token in enumerate(state.level_tokens, 1):
        if token not in known:
            found.append(AuditLine("no such token", f"level token {number}", f"No level token is worth {token}."))
        elif known.count(token) < state.level_tokens.count(token) and state.players is not None:
            found.append(AuditLine("token taken twice", f"level token {number}", f"There is one level token worth {token}."))
    structures = STRUCTURE_VALUES if state.players is None else STRUCTURE_TOKENS[state.players]
    if state.structure_token and state.structure_token not in structures:
        text = f"No structure token is worth {state.structure_token}."
        found.append(AuditLine("no such token", "structure token", text))
    if state.structure_token and not any(meets(tower, card) for card in STRUCTURE_CARDS.values()):
        found.append(
            AuditLine("structure token without a structure", "structure token", "The tower meets none of the structure cards.")
        )
    return found


def _sides(state: MonolythState, tower: Tower) -> list[AuditLine]:
    found = []
    known = PROPHECY_VALUES if state.players is None else PROPHECIES[state.players]
    colours = [side.colour for side in state.sides]
    for name, side in zip(SIDES, state.sides, strict=True):
        if side.colour in tuple(SYMBOLS) and colours.count(side.colour) > 1:
            found.append(
                AuditLine("colour at two sides", f"{name} colour", f"{COLOUR_NAMES[side.colour]} stands at more than one side.")
            )
        if side.prophecy is None:
            continue
        if side.prophecy not in known:
            found.append(AuditLine("no such token", f"{name} prophecy", f"No prophecy is worth {side.prophecy}."))
        if side.colour not in tuple(SYMBOLS):
            text = "A prophecy lies at a side whose colour is not known; it scores nothing."
            found.append(AuditLine("side without a colour", f"{name} colour", text))
        elif not prophecy_points(tower, name, side.colour, side.prophecy):
            shown = blocks_at(tower, name, side.colour)
            found.append(
                AuditLine(
                    "prophecy not fulfilled",
                    f"{name} prophecy",
                    f"The {name} shows {shown} {COLOUR_NAMES[side.colour]} blocks, not {side.prophecy}: it scores nothing.",
                    breach=False,
                )
            )
    return found
