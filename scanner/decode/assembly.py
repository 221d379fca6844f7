"""A decoded sheet from its parts."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from scanner.decode.circles import Circles
from scanner.decode.decoded import ALTERNATIVE_BOUND, AuditLine, Decoded
from scanner.decode.lattice import Lattice
from scanner.decode.questions import CellQuestion, ask
from scanner.engine.obelisk.audit import audit_sheet
from scanner.engine.obelisk.scoring import score_sheet, to_dict
from scanner.engine.obelisk.sheet import (
    BLANK,
    CROSSED,
    OBELISK_COLUMNS,
    OBELISK_ROWS,
    ROWS_A_LEVEL,
    SCROLL_POINTS,
    UNBUILT,
    UNREADABLE,
)
from scanner.engine.obelisk.state import parse_state
from scanner.sheet.pose import SheetIdentity

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def rows_of(characters: Sequence[str]) -> list[str]:
    """The obelisk's 60 characters as its rows, top first."""
    return ["".join(characters[start : start + OBELISK_COLUMNS]) for start in range(0, len(characters), OBELISK_COLUMNS)]


def levels_read(grid: Sequence[str]) -> tuple[bool, bool, bool]:
    """Which levels a tower, read as rows, top first, reaches."""
    height = max((OBELISK_ROWS - row for row, cells in enumerate(grid) if set(cells) - {UNBUILT, CROSSED}), default=0)
    first, second, third = (height >= ROWS_A_LEVEL * level for level in (1, 2, 3))
    return first, second, third


def scroll_symbols(characters: Sequence[str]) -> str:
    """A scroll's four readings in the state's form: "" if all are blank."""
    symbols = "".join(UNBUILT if c == BLANK else UNREADABLE if c == CROSSED else c for c in characters)
    return "" if symbols == UNBUILT * len(symbols) else symbols


def letters(grid: Lattice, placements: Sequence[int]) -> list[str]:
    """The shapes laid on a grid as rows of letters, '.' free."""
    cells = [UNBUILT] * (grid.rows * grid.columns)
    for letter, index in zip(_LETTERS, placements, strict=False):
        for cell in grid.cells[index]:
            cells[cell] = letter
    return ["".join(cells[start : start + grid.columns]) for start in range(0, len(cells), grid.columns)]


def answered_cells(answers: Mapping[str, Any], grid: str = "obelisk", columns: int = OBELISK_COLUMNS) -> dict[int, str]:
    """What people say stands in cells of a grid, by the cells' numbers; see `Readings.answers`."""
    found = {}
    for where, character in answers.items():
        name, *place = where.split()
        if name == grid and len(place) == 2 and place[0][0] == "r":
            found[(int(place[0][1:]) - 1) * columns + int(place[1][1:]) - 1] = str(character)
    return found


def listed(odds: Mapping[str, float], read: str) -> dict[str, float]:
    """The alternatives worth listing, and always the reading itself."""
    return {reading: float(p) for reading, p in odds.items() if p >= ALTERNATIVE_BOUND or reading == read}


def finish(
    identity: SheetIdentity,
    grid: Sequence[str],
    wall_shapes: Sequence[str],
    scrolls: Sequence[str],
    circles: Circles,
    questions: Sequence[CellQuestion],
    built_grid: Sequence[str] | None = None,
) -> Decoded:
    """The sheet scored as it is written, its doubts weighed, and the rules that it breaks named.

    grid: the obelisk's rows; wall_shapes: the wall's rows of letters; scrolls: their symbols, bottom first, "" if empty;
    built_grid: the obelisk's rows with crossed-out cells of shapes as built ones, if there are any.
    """
    state: dict[str, Any] = {
        "game": identity.game,
        "seat": identity.seat,
        "sheet_number": identity.sheet_number,
        "player": None,
        "obelisk": list(grid),
        "wall_shapes": list(wall_shapes),
        "scrolls": [
            {"points": points, "symbols": symbols, "marked": marked, "used": used}
            for points, symbols, marked, used in zip(SCROLL_POINTS, scrolls, circles.marked, circles.used, strict=True)
        ],
        "levels": list(circles.levels),
    }
    parsed = parse_state(state)
    score = to_dict(score_sheet(parsed))
    doubts, bounds = ask(grid, score["total"], questions, circles.questions)
    as_built = None if built_grid is None else state | {"obelisk": list(built_grid)}
    audited = parsed if as_built is None else parse_state(as_built)
    audit = tuple(AuditLine(line.rule, line.where, line.message) for line in audit_sheet(audited))
    return Decoded(state, score, bounds, doubts, audit, as_built=as_built)
