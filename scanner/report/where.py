"""The places that reviews name ("obelisk r3 c2"), understood: which cell it is, and where on the sheet a place lies."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scanner.sheet.template import Template

Box = tuple[float, float, float, float]
"""Left, top, right, bottom, sheet mm."""

_CELL = re.compile(r"(\w+) r(\d+) c(\d+)")


def cell_of(where: str) -> tuple[str, int, int] | None:
    """Grid, row and column (both from 0, rows from the top) of a place such as "obelisk r3 c2"; None for any other place."""
    match = _CELL.fullmatch(where)
    return (match[1], int(match[2]) - 1, int(match[3]) - 1) if match else None


def place_box(template: "Template", where: str, around: float) -> Box | None:
    """Where a review's place lies on its sheet, with so many cells, or circles, of its surroundings, as far as the paper goes;
    None for what is no place, such as the sheet as a whole."""
    from scanner.decode.answers import places

    place = places(template.game).get(where)
    if place is None:
        return None
    boxes = []
    for name, row, column in place.cells:
        grid = template.grid(name)
        x, y = grid.origin_mm[0] + column * grid.cell_mm, grid.origin_mm[1] + row * grid.cell_mm
        margin = around * grid.cell_mm
        boxes.append((x - margin, y - margin, x + grid.cell_mm + margin, y + grid.cell_mm + margin))
    for mark in template.marks:
        if mark.name in place.marks:
            (x, y), reach = mark.centre_mm, (1 + around) * mark.diameter_mm
            boxes.append((x - reach, y - reach, x + reach, y + reach))
    left, top, right, bottom = zip(*boxes, strict=True)
    width, height = template.paper_mm
    return max(0.0, min(left)), max(0.0, min(top)), min(width, max(right)), min(height, max(bottom))
