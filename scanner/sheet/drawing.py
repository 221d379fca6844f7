"""A printed sheet as a drawing in sheet mm, independent of where it is drawn.

`sheet_drawing` turns a template into a `Drawing`; `scanner.sheet.printing` writes it as PDF, `scanner.synth.press` as
pixels.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from scanner.sheet import codes, glyphs
from scanner.sheet.adornment import ADORNMENTS
from scanner.sheet.primitives import Area, Circle, Drawing, Line, Primitive, Text, rectangle
from scanner.sheet.style import HOUSE, PLAIN, Designs, Style, random_style, symbol_primitives
from scanner.sheet.template import Grid, Template

__all__ = [
    "HOUSE",
    "PLAIN",
    "Area",
    "Circle",
    "Designs",
    "Drawing",
    "Line",
    "Primitive",
    "Style",
    "Text",
    "random_style",
    "sheet_drawing",
]


def sheet_drawing(template: Template, seat: int, sheet_number: int, style: Style = HOUSE) -> Drawing:
    """The printed sheet of one seat; ValueError for a seat outside 1..8 or a sheet number outside its range."""
    ids = codes.sheet_ids(template.game_index, seat, sheet_number)
    adornment = ADORNMENTS.get(template.game)
    primitives: list[Primitive] = []
    if adornment is not None and style.ornaments:
        primitives += adornment.ornaments(template, style)
    for grid in template.grids:
        primitives += _cells(grid, style)
        primitives += _printed(grid, style)
        primitives.append(_border(grid, style))
    primitives += _level_lines(template, style)
    primitives += _marks(template, style)
    primitives += _heading(template, seat, sheet_number, style)
    if adornment is not None and style.legend:
        primitives += adornment.legend(template, style)
    primitives += [_fiducial(template, place, fiducial_id, style.ink_gray) for place, fiducial_id in enumerate(ids)]
    return Drawing(template.paper_mm, tuple(primitives))


def _cells(grid: Grid, style: Style) -> Iterator[Primitive]:
    left, top, right, bottom = grid.extent_mm()
    for column in range(1, grid.columns):
        x = left + column * grid.cell_mm
        yield Line(((x, top), (x, bottom)), style.cell_width, style.cell_gray)
    for row in range(1, grid.rows):
        y = top + row * grid.cell_mm
        yield Line(((left, y), (right, y)), style.cell_width, style.cell_gray)


def _border(grid: Grid, style: Style) -> Primitive:
    return Line(rectangle(*grid.extent_mm()), style.border_width, style.border_gray, closed=True)


def _printed(grid: Grid, style: Style) -> Iterator[Primitive]:
    scale = style.glyph_scale * grid.cell_mm / glyphs.CELL_MM
    for row, symbols in enumerate(grid.printed):
        for column, character in enumerate(symbols):
            centre = (grid.origin_mm[0] + (column + 0.5) * grid.cell_mm, grid.origin_mm[1] + (row + 0.5) * grid.cell_mm)
            yield from symbol_primitives(character, centre, scale, style, gray=style.glyph_gray, width=style.glyph_width)


def _level_lines(template: Template, style: Style) -> Iterator[Primitive]:
    spans = [grid.extent_mm() for grid in template.grids if "edges" in grid.reads]
    for line in template.level_lines:
        left = min(span[0] for span in spans) - style.level_overhang
        right = max(span[2] for span in spans) + style.level_overhang
        yield Line(((left, line.line_y_mm), (right, line.line_y_mm)), style.level_width, style.level_gray)


def _marks(template: Template, style: Style) -> Iterator[Primitive]:
    for mark in template.marks:
        yield Circle(mark.centre_mm, mark.diameter_mm / 2, style.circle_gray, style.circle_width)
        if mark.label:
            origin = (mark.centre_mm[0], mark.centre_mm[1] + style.label_height / 2)
            yield Text(mark.label, origin, style.label_height, style.label_gray, "middle", style.label_bold)


def _heading(template: Template, seat: int, sheet_number: int, style: Style) -> Iterator[Primitive]:
    x, y, width, height = template.name_box_mm
    yield Line(rectangle(x, y, x + width, y + height), style.name_width, style.name_gray, closed=True)
    yield Text("NAME", (x + 1.2, y + 3.4), 1.8, style.name_gray)
    if style.title:
        yield Text(template.title, (26.0, 17.6), style.title_height, style.text_gray, bold=True, family=style.title_family)
    if style.legend:
        yield Text(f"Seat {seat}   No. {sheet_number}", (x + width - 1.2, y + height - 1.4), 1.6, style.name_gray, "end")


def _fiducial(template: Template, place: int, fiducial_id: int, gray: float) -> Primitive:
    black = codes.modules(template.fiducials.dictionary, fiducial_id)
    corner = template.fiducial_corners_mm(place)[0]
    module = template.fiducials.size_mm / len(black)
    contours = [
        tuple((float(corner[0] + x * module), float(corner[1] + y * module)) for x, y in contour)
        for contour in _outlines(black)
    ]
    return Area(tuple(contours), gray)


def _outlines(black: NDArray[np.bool_]) -> Iterator[list[tuple[int, int]]]:
    """Closed contours (x, y) around the true cells, which lie on the right hand of each contour's direction.

    One path around all modules leaves no hairlines between them, as single squares would on some printers and viewers.
    """
    padded = np.pad(black, 1)
    following: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for y, x in zip(*np.nonzero(padded), strict=True):
        left, top = int(x) - 1, int(y) - 1
        for (dx, dy), start, end in (
            ((0, -1), (left, top), (left + 1, top)),
            ((1, 0), (left + 1, top), (left + 1, top + 1)),
            ((0, 1), (left + 1, top + 1), (left, top + 1)),
            ((-1, 0), (left, top + 1), (left, top)),
        ):
            if not padded[y + dy, x + dx]:
                following.setdefault(start, []).append(end)
    while following:
        start = next(iter(following))
        contour = [start]
        here = start
        while True:
            ends = following[here]
            end = ends.pop()
            if not ends:
                del following[here]
            if end == start:
                break
            contour.append(end)
            here = end
        straight = [
            (a[0] - b[0]) * (c[1] - b[1]) == (a[1] - b[1]) * (c[0] - b[0])
            for a, b, c in zip(contour[-1:] + contour[:-1], contour, contour[1:] + contour[:1], strict=True)
        ]
        yield [point for point, dull in zip(contour, straight, strict=True) if not dull]
