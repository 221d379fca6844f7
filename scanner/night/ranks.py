"""What the sheets of one game know of each other's levels: who finds all three ranks taken has forgotten nothing."""

from collections.abc import Iterable
from dataclasses import replace

import msgspec

from scanner.engine.obelisk.sheet import LEVEL_POINTS
from scanner.night import places
from scanner.night.grouping import GameOfNight
from scanner.night.sheets import NightSheet
from scanner.result import AuditLine

_NOT_MARKED = "level points not marked"


def knowing_ranks(game: GameOfNight) -> GameOfNight:
    """The game without the remarks that a player marked no points at a level where the others' sheets have all ranks
    (RULES section 1, "Levels": the fourth player and later ones score nothing there)."""
    if game.game != places.GAME:
        return game
    return replace(game, sheets=tuple(_knowing(sheet, game.sheets) for sheet in game.sheets))


def _knowing(sheet: NightSheet, sheets: Iterable[NightSheet]) -> NightSheet:
    marked: list[set[int]] = [set() for _ in LEVEL_POINTS]
    for other in sheets:
        if other.seat != sheet.seat:
            for level, points in enumerate(other.result.state["levels"]):
                marked[level].add(points)
    taken = {f"level{level}" for level, worth in enumerate(LEVEL_POINTS, 1) if marked[level - 1].issuperset(worth)}

    def needless(line: AuditLine) -> bool:
        return line.rule == _NOT_MARKED and line.where in taken

    kept = tuple(line for line in sheet.result.audit if not needless(line))
    return replace(sheet, result=msgspec.structs.replace(sheet.result, audit=kept))
