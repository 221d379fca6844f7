"""The audit of a lone sheet: which rules it breaks as written, and which points were perhaps forgotten.

Every breach is named, not only the first. Nothing is inferred from cells that could not be read: a rule is called broken
only if it is, whatever stands there.

References: RULES section 1.
"""

from functools import lru_cache

from scanner.engine.findings import AuditLine
from scanner.engine.obelisk.audit_carving import audit_carving
from scanner.engine.obelisk.audit_tower import audit_tower, mask_of
from scanner.engine.obelisk.bitboard import LEVELS, height_of
from scanner.engine.obelisk.reach import Tiler
from scanner.engine.obelisk.scoring import score_sheet
from scanner.engine.obelisk.sheet import BLANK, LEVEL_POINTS, ROWS_A_LEVEL, SYMBOLS, UNREADABLE
from scanner.engine.obelisk.state import ObeliskState
from scanner.engine.obelisk.wording import cell_name


@lru_cache(maxsize=8)
def audit_sheet(state: ObeliskState, players: int | None = None) -> tuple[AuditLine, ...]:
    """Every finding: unreadable cells, the tower, levels, scrolls, carved groups. `players` is the number at the table, if
    known: with three or fewer, a level that is reached always gives points.

    A sheet is audited where it is decoded and again where its result is made; the last few audits are remembered."""
    # Tower and groups ask how the same spaces divide into shapes.
    tiler = Tiler()
    total = score_sheet(state).total
    return (
        *_unreadable(state),
        *audit_tower(state, tiler),
        *_levels(state, players, total),
        *_scrolls(state, total),
        *audit_carving(state, tiler),
    )


def _unreadable(state: ObeliskState) -> list[AuditLine]:
    found = [
        AuditLine(
            "unreadable", cell_name("obelisk", (row, column)), "Nothing could be read here; it counts nothing.", breach=False
        )
        for row, text in enumerate(state.obelisk)
        for column, cell in enumerate(text)
        if cell == UNREADABLE
    ]
    found += [
        AuditLine("unreadable", f"scroll{number}", "A symbol of this scroll could not be read.", breach=False)
        for number, scroll in enumerate(state.scrolls, 1)
        if UNREADABLE in scroll.symbols
    ]
    return found


def _heights(state: ObeliskState) -> tuple[int, int]:
    """The lowest and highest height that the unreadable cells allow."""
    sure = mask_of(state, BLANK + SYMBOLS)
    possible = sure | mask_of(state, UNREADABLE)
    return height_of(sure), height_of(possible)


def _levels(state: ObeliskState, players: int | None, total: int) -> list[AuditLine]:
    if state.levels is None:
        return []
    found: list[AuditLine] = []
    sure, possible = _heights(state)
    for level in range(1, LEVELS + 1):
        points, line = state.levels[level - 1], ROWS_A_LEVEL * level
        if points and possible < line:
            found.append(
                AuditLine(
                    "level points without the height",
                    f"level{level}",
                    f"{points} points are marked at level {level}, but the obelisk is {possible} high and the line lies at "
                    f"{line}. Without them the total is {total - points}.",
                )
            )
        if not points and sure >= line:
            ranked = LEVEL_POINTS[level - 1]
            totals = ", ".join(str(total + gain) for gain in ranked[:-1])
            must = players is not None and players <= len(ranked)
            who = "" if must else "The fourth player and later ones mark nothing; otherwise "
            text = f"the total would be {totals} or {total + ranked[-1]} as the first, second or third to reach it."
            found.append(
                AuditLine(
                    "level points not marked",
                    f"level{level}",
                    f"The obelisk reaches level {level}, but no points are marked there. "
                    f"{who}{text if who else text.capitalize()}",
                    breach=must,
                )
            )
    return found


def _scrolls(state: ObeliskState, total: int) -> list[AuditLine]:
    found: list[AuditLine] = []
    for number, scroll in enumerate(state.scrolls, 1):
        where = f"scroll{number}"
        below_empty = any(not below.filled for below in state.scrolls[: number - 1])
        if scroll.filled and not scroll.marked:
            found.append(
                AuditLine(
                    "scroll points not marked",
                    where,
                    f"The scroll is filled, but its {scroll.points} points are not marked, so it scores nothing. "
                    f"With them the total would be {total + scroll.points}.",
                )
            )
        if scroll.marked and not scroll.filled:
            found.append(
                AuditLine(
                    "points of an empty scroll",
                    where,
                    f"{scroll.points} points are marked, but the scroll is empty. They count as marked; without them the total "
                    f"is {total - scroll.points}.",
                )
            )
        if scroll.used and not scroll.filled:
            found.append(AuditLine("empty scroll used", where, "The circle is crossed out, but the scroll is empty."))
        if scroll.filled and "." in scroll.symbols:
            found.append(
                AuditLine("scroll half filled", where, "A scroll takes the four symbols of a square; some are missing.")
            )
        if scroll.filled and below_empty:
            found.append(AuditLine("scroll out of order", where, "It is filled, but a scroll below it is empty."))
    return found
