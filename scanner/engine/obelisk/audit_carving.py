"""Audit of the carved and scribed groups: shapes on the wall, where each stands, symbols that no group explains, shadow.

References: RULES section 1, "Carve", "Scribe", "Levels".
"""

from collections.abc import Mapping

from scanner.engine.findings import AuditLine
from scanner.engine.obelisk.audit_tower import mask_of
from scanner.engine.obelisk.bitboard import OBELISK_CELLS, level_of, obelisk_bit
from scanner.engine.obelisk.matching import (
    Group,
    Pairing,
    Place,
    complete_pairings,
    lit_rows,
    pair_groups,
    places_of,
    shadowing_level,
    uncovered_cells,
    wall_groups,
)
from scanner.engine.obelisk.polyomino import SQUARE, Cell, Cells
from scanner.engine.obelisk.reach import NO_ORDER, Tiler, find_order
from scanner.engine.obelisk.sheet import BLANK, NAME_OF_CELL, OBELISK_COLUMNS, OBELISK_ROWS, SYMBOLS, UNREADABLE
from scanner.engine.obelisk.state import ObeliskState
from scanner.engine.obelisk.wording import cell_name, holds, listed, rows_of, shows, with_article

MISCOPIED_CELLS = 2
"""Up to this many symbols that differ, a group counts as copied wrongly rather than as missing."""

PAIRINGS_TRIED = 20
"""Pairings of groups and places tried before an order counts as possible."""

NOWHERE = Place(-1, 0)
"""Stands for a group that is left out of account."""


def audit_carving(state: ObeliskState, tiler: Tiler) -> list[AuditLine]:
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
    elif not found and not mask_of(state, UNREADABLE):
        found += _too_late(state, groups, level, tiler)
    return found


def _spaces_before(groups: tuple[Group, ...], places: Mapping[int, Place], level: int) -> list[int]:
    """For levels 1 to `level`, the obelisk spaces of the groups that it puts in the shadow."""
    found = [0] * level
    for index, place in places.items():
        shadowing = shadowing_level(groups[index])
        if shadowing <= level and place.scroll is None:
            found[shadowing - 1] |= place.target
    return found


def _too_late(state: ObeliskState, groups: tuple[Group, ...], level: int, tiler: Tiler) -> list[AuditLine]:
    """Whether, however the groups are paired and the tower is built, some group's spaces are built only when it is in the
    shadow. A tower that cannot be built at all is not the groups' fault."""
    built = mask_of(state, BLANK + SYMBOLS)
    if find_order(built, tiler=tiler).places is None:
        return []
    first: Mapping[int, Place] | None = None
    for tried, places in enumerate(complete_pairings(state, groups, level)):
        if find_order(built, _spaces_before(groups, places, level), tiler) != NO_ORDER or tried > PAIRINGS_TRIED:
            return []
        first = first or places
    if first is None:
        return []
    gated = [index for index, place in first.items() if place.scroll is None and shadowing_level(groups[index]) <= level]
    alone = [
        index
        for index in gated
        if find_order(built, _spaces_before(groups, {**first, index: NOWHERE}, level), tiler).places is not None
    ]
    return [
        AuditLine(
            "carved from the shadow",
            cell_name("wall", groups[index].cells[0]),
            f"The group at the wall's {rows_of(groups[index].cells)} was in the shadow before all its spaces on the obelisk "
            "could be built.",
        )
        for index in sorted(alone or gated)
    ]


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


def _nearest_scroll(state: ObeliskState, group: Group, left: int) -> tuple[int, list[int]] | None:
    """The scroll among those left over (mask as in `Pairing.uncovered`) in which the fewest of a square's symbols differ, and
    the places 0 to 3 that do; None if it is no square or more than MISCOPIED_CELLS differ everywhere."""
    if group.shape != SQUARE:
        return None
    best: tuple[int, list[int]] | None = None
    for index in uncovered_cells(left)[1]:
        pairs = zip(state.scrolls[index].symbols, group.symbols, strict=True)
        wrong = [place for place, (written, printed) in enumerate(pairs) if written != printed]
        if len(wrong) <= MISCOPIED_CELLS and (best is None or len(wrong) < len(best[1])):
            best = index, wrong
    return best


def _miscopied_scroll(state: ObeliskState, group: Group, index: int, wrong: list[int]) -> list[AuditLine]:
    return [
        AuditLine(
            "symbol copied wrongly",
            cell_name(f"scroll{index + 1}", divmod(place, 2)),
            f"The scroll {holds(state.scrolls[index].symbols[place])} here; the square carved at the wall's "
            f"{rows_of(group.cells)} has {with_article(NAME_OF_CELL[group.symbols[place]])} there.",
        )
        for place in wrong
    ]


def _unpaired(state: ObeliskState, groups: tuple[Group, ...], pairing: Pairing) -> list[AuditLine]:
    found: list[AuditLine] = []
    left = pairing.uncovered
    blank = mask_of(state, BLANK)
    for index in pairing.unplaced:
        group = groups[index]
        near = _nearest(state, group, left | blank)
        scroll = _nearest_scroll(state, group, left)
        if scroll is not None and (near is None or len(scroll[1]) <= len(near[1])):
            left &= ~(1 << (OBELISK_CELLS + scroll[0]))
            found += _miscopied_scroll(state, group, *scroll)
            continue
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
            shown = shows(state.obelisk[cell[0]][cell[1]])
            printed = with_article(NAME_OF_CELL[group.symbols[moved.index(cell)]])
            found.append(
                AuditLine(
                    "symbol copied wrongly",
                    cell_name("obelisk", cell),
                    f"Row {cell[0] + 1} column {cell[1] + 1} {shown}; the group carved at the wall's {rows_of(group.cells)} "
                    f"has {printed} there.",
                )
            )
    return found + _unexplained(state, groups, left)


def _unexplained(state: ObeliskState, groups: tuple[Group, ...], left: int) -> list[AuditLine]:
    """Findings for the symbols and scrolls of the mask `left`, which no group accounts for; a group may stand there again."""
    cells, scrolls = uncovered_cells(left)
    again: dict[Cell | int, Group] = {}
    for index, group in enumerate(groups):
        for place in places_of(state, index, group):
            if not place.target & ~left:
                copied, scribed = uncovered_cells(place.target)
                again |= dict.fromkeys([*copied, *scribed], group)
    found = []
    for cell in cells:
        text = f"No group outlined on the wall explains the {NAME_OF_CELL[state.obelisk[cell[0]][cell[1]]]} here."
        if cell in again:
            text += f" The one at the wall's {rows_of(again[cell].cells)} has the same symbols, but stands elsewhere already."
        found.append(AuditLine("carved group not on the wall", cell_name("obelisk", cell), text))
    for number in scrolls:
        text = "No square outlined on the wall has these symbols."
        if number in again:
            text = f"The square at the wall's {rows_of(again[number].cells)} has these symbols, but stands elsewhere already."
        found.append(AuditLine("scroll not on the wall", f"scroll{number + 1}", text))
    return found
