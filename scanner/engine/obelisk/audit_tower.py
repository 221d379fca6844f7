"""Audit of the tower: support, closed areas, shapes.

References: RULES section 1, "Build".
"""

from scanner.engine.findings import AuditLine
from scanner.engine.obelisk.bitboard import (
    OBELISK_BASE,
    OBELISK_FULL,
    bits,
    closed_area,
    neighbours,
    obelisk_bit,
    obelisk_cells,
)
from scanner.engine.obelisk.sheet import BLANK, CROSSED, SYMBOLS, UNREADABLE
from scanner.engine.obelisk.state import ObeliskState
from scanner.engine.obelisk.wording import cell_name, listed


def mask_of(state: ObeliskState, characters: str) -> int:
    """The obelisk mask of all cells that hold one of the characters."""
    return sum(
        obelisk_bit((row, column))
        for row, text in enumerate(state.obelisk)
        for column, cell in enumerate(text)
        if cell in characters
    )


def components(mask: int) -> list[int]:
    """The four-connected parts of an obelisk mask, lowest first."""
    found: list[int] = []
    while mask:
        part = mask & -mask
        while (grown := (part | neighbours(part)) & mask) != part:
            part = grown
        found.append(part)
        mask &= ~part
    return found


def audit_tower(state: ObeliskState) -> list[AuditLine]:
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
        if cells and not part & OBELISK_BASE:
            found.append(
                AuditLine(
                    "built without support",
                    cell_name("obelisk", cells[-1]),
                    f"Nothing joins these spaces to the base: {listed(cells)}.",
                )
            )
        elif len(cells) == 1 and part.bit_count() == 1:
            found.append(
                AuditLine("no shape", cell_name("obelisk", cells[0]), "A single built space is none of the eight shapes.")
            )
    return found
