"""Audit of the tower: support, closed areas, shapes.

References: RULES section 1, "Build".
"""

from scanner.engine.findings import AuditLine
from scanner.engine.obelisk.bitboard import (
    OBELISK_BASE,
    OBELISK_FULL,
    bits,
    closed_area,
    obelisk_cells,
)
from scanner.engine.obelisk.reach import NO_ORDER, Tiler, components, find_order
from scanner.engine.obelisk.sheet import BLANK, CROSSED, SYMBOLS, UNREADABLE
from scanner.engine.obelisk.state import ObeliskState
from scanner.engine.obelisk.wording import cell_name, listed


def mask_of(state: ObeliskState, characters: str) -> int:
    """The obelisk mask of all cells that hold one of the characters."""
    # The highest bit comes first in a number's digits: the rows from the top, each from the right.
    return int("".join(["1" if cell in characters else "0" for row in state.obelisk for cell in reversed(row)]), 2)


def audit_tower(state: ObeliskState, tiler: Tiler) -> list[AuditLine]:
    """Findings about what is built and crossed out. An unreadable cell may be built or not."""
    built = mask_of(state, BLANK + SYMBOLS)
    crossed = mask_of(state, CROSSED)
    unknown = mask_of(state, UNREADABLE)
    found: list[AuditLine] = []
    closed_for_sure = closed_area(built)
    closed_perhaps = closed_area(built | unknown) if unknown else closed_for_sure
    for bit in bits(closed_for_sure & OBELISK_FULL & ~(built | crossed | unknown)):
        (cell,) = obelisk_cells(1 << bit)
        found.append(
            AuditLine(
                "closed area not crossed out",
                cell_name("obelisk", cell),
                "The space has no way to the open top, so it must be crossed out.",
            )
        )
    for bit in bits(crossed & ~closed_perhaps):
        (cell,) = obelisk_cells(1 << bit)
        found.append(
            AuditLine(
                "crossed out but not closed",
                cell_name("obelisk", cell),
                "The space is crossed out, but it has a way to the open top.",
            )
        )
    for part in components(built | unknown):
        cells = obelisk_cells(part & built)
        if not cells:
            continue
        if not part & OBELISK_BASE:
            found.append(
                AuditLine(
                    "built without support",
                    cell_name("obelisk", cells[-1]),
                    f"Nothing joins these spaces to the base: {listed(cells)}.",
                )
            )
        elif part & ~built == 0 and not tiler.can_divide(part):
            found.append(
                AuditLine(
                    "no shapes",
                    cell_name("obelisk", cells[-1]),
                    f"These built spaces cannot be divided into the eight shapes: {listed(cells)}.",
                )
            )
    if not found and not unknown and find_order(built, tiler=tiler) == NO_ORDER:
        found.append(
            AuditLine(
                "no order of building",
                cell_name("obelisk", obelisk_cells(built)[-1]),
                "In whatever order the shapes are built, one has no support or covers a space that is closed by then.",
            )
        )
    return found
