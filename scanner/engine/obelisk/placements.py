"""Every placement of every shape on both grids, by its mask (see `bitboard`), for play: reading sheets does without."""

from scanner.engine.obelisk.bitboard import bits
from scanner.engine.obelisk.forms import FORMS, Form
from scanner.engine.obelisk.sheet import PRINTED_WALL, SYMBOLS, WALL_COLUMNS, WALL_ROWS

OBELISK_FORM: dict[int, Form] = {form.obelisk_cells << anchor: form for form in FORMS for anchor in bits(form.obelisk_anchors)}
"""The form of every placement on the obelisk, by its mask."""

WALL_FORM: dict[int, Form] = {form.wall_cells << anchor: form for form in FORMS for anchor in bits(form.wall_anchors)}
"""The form of every placement on the wall, by its mask."""

WALL_SYMBOLS: dict[int, tuple[int, ...]] = {
    mask: tuple(SYMBOLS.index(PRINTED_WALL[WALL_ROWS - 1 - bit // WALL_COLUMNS][bit % WALL_COLUMNS]) for bit in bits(mask))
    for mask in WALL_FORM
}
"""The printed symbols (indices in SYMBOLS) under every placement on the wall, in the order of its bits: base first, left to
right. A translation keeps that order."""
