"""Players' mistakes, written onto simulated sheets."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.random import Generator

from scanner.engine.obelisk.sheet import PRINTED_WALL, SYMBOLS
from tests.decode.simulated import Sheet

Mistake = Callable[[Generator, Sheet], Sheet | None]


def _carved(sheet: Sheet, group: int) -> list[tuple[int, int]]:
    """A place on the obelisk where the group's symbols stand; empty if there is none."""
    cells = [(int(r), int(c)) for r, c in np.argwhere(sheet.wall == group)]
    for top in range(-12, 13):
        for left in range(-8, 6):
            moved = [(r + top, c + left) for r, c in cells]
            pairs = zip(moved, cells, strict=True)
            if all(0 <= y < 12 and 0 <= x < 5 and sheet.obelisk[y, x] == PRINTED_WALL[r][c] for (y, x), (r, c) in pairs):
                return moved
    return []


def _some_symbol(rng: Generator, sheet: Sheet) -> tuple[int, int] | None:
    cells = np.argwhere(np.isin(sheet.obelisk, list(SYMBOLS)))
    if not len(cells):
        return None
    row, column = cells[rng.integers(len(cells))].tolist()
    return row, column


def _write(sheet: Sheet, cells: list[tuple[int, int]], character: str) -> Sheet:
    obelisk = sheet.obelisk.copy()
    for cell in cells:
        obelisk[cell] = character
    return replace(sheet, obelisk=obelisk)


def miscopied(rng: Generator, sheet: Sheet) -> Sheet | None:
    """One carved symbol is another than the wall's."""
    cell = _some_symbol(rng, sheet)
    if cell is None:
        return None
    others = [symbol for symbol in SYMBOLS if symbol != sheet.obelisk[cell]]
    return _write(sheet, [cell], str(rng.choice(others)))


def left_out(rng: Generator, sheet: Sheet) -> Sheet | None:
    """One symbol of a carved group is missing."""
    cell = _some_symbol(rng, sheet)
    return None if cell is None else _write(sheet, [cell], "_")


def never_carved(rng: Generator, sheet: Sheet) -> Sheet | None:
    """A group is outlined on the wall, but stands nowhere."""
    groups = [group for group in range(int(sheet.wall.max()) + 1) if _carved(sheet, group)]
    if not groups:
        return None
    return _write(sheet, _carved(sheet, int(rng.choice(groups))), "_")


def outline_forgotten(rng: Generator, sheet: Sheet) -> Sheet | None:
    """A carved group has no outline on the wall."""
    groups = [group for group in range(int(sheet.wall.max()) + 1) if _carved(sheet, group)]
    if not groups:
        return None
    wall = sheet.wall.copy()
    wall[wall == int(rng.choice(groups))] = -1
    return replace(sheet, wall=wall)


def stray_cross(rng: Generator, sheet: Sheet) -> Sheet | None:
    """A built cell is crossed out."""
    cells = np.argwhere(sheet.obelisk == "_")
    if not len(cells):
        return None
    row, column = cells[rng.integers(len(cells))].tolist()
    return _write(sheet, [(row, column)], "x")


def cross_forgotten(rng: Generator, sheet: Sheet) -> Sheet | None:
    """A closed cell is not crossed out."""
    cells = np.argwhere(sheet.obelisk == "x")
    if not len(cells):
        return None
    row, column = cells[rng.integers(len(cells))].tolist()
    return _write(sheet, [(row, column)], ".")


def points_forgotten(rng: Generator, sheet: Sheet) -> Sheet | None:  # noqa: ARG001  (the mistakes share one signature)
    """A filled scroll's points are not marked."""
    return replace(sheet, marked=(False, *sheet.marked[1:])) if sheet.scrolls[0] else None


def level_points_forgotten(rng: Generator, sheet: Sheet) -> Sheet | None:  # noqa: ARG001
    """A level was reached, but no points are marked there."""
    reached = [level for level, points in enumerate(sheet.levels) if points]
    if not reached:
        return None
    return replace(sheet, levels=tuple(0 if level == reached[-1] else points for level, points in enumerate(sheet.levels)))


def carved_twice(rng: Generator, sheet: Sheet) -> Sheet | None:
    """A group that was carved stands a second time, on cells that were built and blank."""
    for group in rng.permutation(int(sheet.wall.max()) + 1).tolist():
        cells = [(int(r), int(c)) for r, c in np.argwhere(sheet.wall == group)]
        for top in range(-12, 13):
            for left in range(-8, 6):
                moved = [(r + top, c + left) for r, c in cells]
                if all(0 <= y < 12 and 0 <= x < 5 and sheet.obelisk[y, x] == "_" for y, x in moved):
                    obelisk = sheet.obelisk.copy()
                    for place, (row, column) in zip(moved, cells, strict=True):
                        obelisk[place] = PRINTED_WALL[row][column]
                    return replace(sheet, obelisk=obelisk)
    return None


MISTAKES: dict[str, Mistake] = {
    "miscopied": miscopied,
    "left out": left_out,
    "never carved": never_carved,
    "outline forgotten": outline_forgotten,
    "stray cross": stray_cross,
    "cross forgotten": cross_forgotten,
    "points forgotten": points_forgotten,
    "level points forgotten": level_points_forgotten,
    "carved twice": carved_twice,
}
