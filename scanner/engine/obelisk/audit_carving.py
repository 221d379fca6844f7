"""Audit of the carved and scribed groups: shapes on the wall, where each stands, symbols that no group explains, shadow.

References: RULES section 1, "Carve", "Scribe", "Levels".
"""

from scanner.engine.findings import AuditLine
from scanner.engine.obelisk.audit_tower import mask_of
from scanner.engine.obelisk.bitboard import level_of, obelisk_bit
from scanner.engine.obelisk.matching import Group, Pairing, lit_rows, pair_groups, uncovered_cells, wall_groups
from scanner.engine.obelisk.polyomino import Cell, Cells
from scanner.engine.obelisk.sheet import BLANK, NAME_OF_CELL, OBELISK_COLUMNS, OBELISK_ROWS, SYMBOLS
from scanner.engine.obelisk.state import ObeliskState
from scanner.engine.obelisk.wording import cell_name, listed, rows_of

MISCOPIED_CELLS = 2
"""Up to this many symbols that differ, a group counts as copied wrongly rather than as missing."""


def audit_carving(state: ObeliskState) -> list[AuditLine]:
    """Findings about the groups; none where the wall is not known."""
    if state.wall_shapes is None:
        return []
    groups = wall_groups(state)
    level = level_of(mask_of(state, BLANK + SYMBOLS))
    found = [
        AuditLine(
            "no shape",
            cell_name("wall", group.cells[0]),
            f"The cells marked {group.letter} form none of the eight shapes: {listed(group.cells)}.",
        )
        for group in groups
        if group.shape is None
    ]
    pairing = pair_groups(state, groups, level)
    if not pairing.complete:
        free = pair_groups(state, groups, None)
        if len(free.unplaced) < len(pairing.unplaced) or free.uncovered.bit_count() < pairing.uncovered.bit_count():
            found += _in_shadow(groups, free, level)
            pairing = free
    if not pairing.complete:
        found += _unpaired(state, groups, pairing)
    return found


def _in_shadow(groups: tuple[Group, ...], pairing: Pairing, level: int) -> list[AuditLine]:
    found = []
    for index, place in sorted(pairing.places.items()):
        group = groups[index]
        if place.scroll is not None:
            continue
        cells, _ = uncovered_cells(place.target)
        if cells[0][0] < lit_rows(group, level):
            found.append(
                AuditLine(
                    "carved from the shadow",
                    cell_name("wall", group.cells[0]),
                    f"The group at the wall's {rows_of(group.cells)} stands on the obelisk's {rows_of(cells)}; when those were "
                    "built, its symbols were in the shadow.",
                )
            )
    return found


def _nearest(state: ObeliskState, group: Group, open_cells: int) -> tuple[Cells, list[Cell]] | None:
    """The place on open cells where the fewest symbols differ, and the cells that do; None if more than MISCOPIED_CELLS do."""
    best: tuple[Cells, list[Cell]] | None = None
    first_row, first_column = group.cells[0]
    for row in range(OBELISK_ROWS):
        for column in range(OBELISK_COLUMNS):
            moved = tuple((r - first_row + row, c - first_column + column) for r, c in group.cells)
            inside = all(0 <= r < OBELISK_ROWS and 0 <= c < OBELISK_COLUMNS for r, c in moved)
            if not inside or any(not obelisk_bit(cell) & open_cells for cell in moved):
                continue
            pairs = zip(moved, group.symbols, strict=True)
            wrong = [cell for cell, symbol in pairs if state.obelisk[cell[0]][cell[1]] != symbol]
            if len(wrong) <= min(MISCOPIED_CELLS, len(moved) - 1) and (best is None or len(wrong) < len(best[1])):
                best = moved, wrong
    return best


def _unpaired(state: ObeliskState, groups: tuple[Group, ...], pairing: Pairing) -> list[AuditLine]:
    found: list[AuditLine] = []
    left = pairing.uncovered
    blank = mask_of(state, BLANK)
    for index in pairing.unplaced:
        group = groups[index]
        near = _nearest(state, group, left | blank)
        if near is None:
            found.append(
                AuditLine(
                    "carved group not on the obelisk",
                    cell_name("wall", group.cells[0]),
                    f"The group at the wall's {rows_of(group.cells)} ({group.symbols}) stands neither on the obelisk "
                    "nor on a scroll.",
                )
            )
            continue
        moved, wrong = near
        left &= ~sum(map(obelisk_bit, moved))
        blank &= ~sum(map(obelisk_bit, moved))
        for cell in wrong:
            shown = NAME_OF_CELL[state.obelisk[cell[0]][cell[1]]]
            printed = NAME_OF_CELL[group.symbols[moved.index(cell)]]
            found.append(
                AuditLine(
                    "symbol copied wrongly",
                    cell_name("obelisk", cell),
                    f"Row {cell[0] + 1} column {cell[1] + 1} is {shown}; the group carved at the wall's {rows_of(group.cells)} "
                    f"has {printed} there.",
                )
            )
    cells, scrolls = uncovered_cells(left)
    found += [
        AuditLine(
            "carved group not on the wall",
            cell_name("obelisk", cell),
            f"No group outlined on the wall explains the {NAME_OF_CELL[state.obelisk[cell[0]][cell[1]]]} here.",
        )
        for cell in cells
    ]
    found += [
        AuditLine("scroll not on the wall", f"scroll{number + 1}", "No square outlined on the wall has these symbols.")
        for number in scrolls
    ]
    return found
