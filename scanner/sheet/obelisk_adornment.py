"""The legend and the ornaments of the sheet of Shadow of the Obelisk.

Nothing stands inside a cell, nor nearer than 2 mm to a line on which players draw.
"""

from collections.abc import Iterator
from math import pi
from typing import Final

from scanner.sheet.captions import heading
from scanner.sheet.glyphs import Point, arc, bezier
from scanner.sheet.primitives import Circle, Line, Primitive, Text, rectangle
from scanner.sheet.style import Style
from scanner.sheet.template import Grid, Template

_ORNAMENT_GRAY: Final = 0.62
_ORNAMENT_WIDTH: Final = 0.2
_FAINT: Final = 0.15
"""How much lighter than the text its captions are."""

_SHAPES: Final = (
    ("I2", ("##",)),
    ("I3", ("###",)),
    ("V3", ("#.", "##")),
    ("O4", ("##", "##")),
    ("L4", ("..#", "###")),
    ("T4", (".#.", "###")),
    ("S4", (".##", "##.")),
    ("I4", ("####",)),
)
_ROW_POINTS: Final = (("2", "3"), ("3", "5"), ("4", "8"), ("5", "13"))
_ACTIONS: Final = (
    ("Build", "Draw the shape in the obelisk, resting on something; cross out what gets closed in."),
    ("Carve", "Outline the shape on the wall, clear of the shadow; copy its symbols to blank built cells."),
    ("Scribe", "Square only: copy its four symbols to the lowest empty scroll and mark its points."),
    ("Level", "Reach its line and mark your rank's points; your wall below the line is in shadow."),
)
_RANKS: Final = ("1st", "2nd", "3rd")


def legend(template: Template, style: Style) -> Iterator[Primitive]:
    """Scoring, actions, shapes and captions, in the free places around the grids."""
    yield from _scoring(style)
    yield from _tally(style)
    yield from _actions(style)
    yield from _shapes(style)
    yield from _captions(template, style)


def ornaments(template: Template, style: Style) -> Iterator[Primitive]:
    """A winged sun over the obelisk and steps under it, a cornice over the wall, the scrolls' rods."""
    del style
    obelisk, wall = template.grid("obelisk"), template.grid("wall")
    left, top, right, bottom = obelisk.extent_mm()
    yield from _winged_sun(((left + right) / 2, top - 5.0))
    for step in range(2):
        out, y = 2.0 + 3.0 * step, bottom + 2.2 + 1.9 * step
        yield _rule(rectangle(left - out, y, right + out, y + 1.9), closed=True)
    yield from _cornice(wall)
    for grid in template.grids:
        if grid.points:
            yield from _rods(grid)


def _rule(points: tuple[Point, ...], *, closed: bool = False, gray: float = _ORNAMENT_GRAY) -> Primitive:
    return Line(points, _ORNAMENT_WIDTH, gray, closed=closed)


def _winged_sun(centre: Point) -> Iterator[Primitive]:
    """The sun disc between two wings, as over temple doors."""
    x, y = centre
    yield Circle(centre, 2.0, _ORNAMENT_GRAY, _ORNAMENT_WIDTH)
    yield Circle(centre, 1.35, _ORNAMENT_GRAY)
    for side in (-1, 1):

        def at(along: float, down: float, side: int = side) -> Point:
            return (x + side * along, y + down)

        upper = bezier(at(2.6, -0.9), at(8.0, -2.6), at(16.0, -1.9), at(27.0, -2.2))
        middle = bezier(at(2.6, 0.3), at(8.0, -0.9), at(16.0, -0.7), at(25.2, -0.9))
        lower = bezier(at(2.6, 1.5), at(8.0, 2.4), at(16.0, 1.8), at(22.5, 0.5))
        for curve in (upper, middle, lower):
            yield Line(curve, _ORNAMENT_WIDTH, _ORNAMENT_GRAY, round=True)
        yield Line((upper[-1], middle[-1], lower[-1]), _ORNAMENT_WIDTH, _ORNAMENT_GRAY, round=True)
        for i in range(1, len(upper) - 1, 2):
            yield Line((upper[i], middle[i]), 0.15, _ORNAMENT_GRAY, round=True)
        for i in range(1, len(upper) - 1):
            yield Line((middle[i], lower[i]), 0.15, _ORNAMENT_GRAY, round=True)


def _cornice(wall: Grid) -> Iterator[Primitive]:
    """A cavetto cornice: a torus, upright leaves, a flat band."""
    left, top, right, _ = wall.extent_mm()
    band, leaf_top, torus = top - 7.6, top - 6.6, top - 2.6
    yield _rule(rectangle(left - 2.4, band, right + 2.4, leaf_top), closed=True)
    yield _rule(((left, torus), (right, torus)))
    yield _rule(((left, torus + 0.6), (right, torus + 0.6)))
    yield Line(
        bezier((left, torus), (left, torus - 2.5), (left - 0.6, leaf_top + 0.6), (left - 2.4, leaf_top)), 0.2, _ORNAMENT_GRAY
    )
    yield Line(
        bezier((right, torus), (right, torus - 2.5), (right + 0.6, leaf_top + 0.6), (right + 2.4, leaf_top)),
        0.2,
        _ORNAMENT_GRAY,
    )
    leaves = 5 * wall.columns
    pitch = (right - left) / leaves
    for i in range(leaves):
        middle = left + (i + 0.5) * pitch
        arch = arc((middle, leaf_top + 1.4), (0.36 * pitch, 0.9), -pi, 0, 16)
        foot = torus - 0.5
        yield Line(((arch[0][0], foot), *arch, (arch[-1][0], foot)), 0.15, _ORNAMENT_GRAY)


def _rods(scroll: Grid) -> Iterator[Primitive]:
    """The rods on which the papyrus is rolled, above and below a scroll."""
    left, top, right, bottom = scroll.extent_mm()
    for y in (top - 3.4, bottom + 3.4):
        yield _rule(rectangle(left - 1.0, y - 0.9, right + 1.0, y + 0.9), closed=True)
        for x, start in ((left - 1.0, pi / 2), (right + 1.0, -pi / 2)):
            outward = -1 if start > 0 else 1
            tip = x + outward * 1.2
            yield _rule(((x, y - 0.45), (tip, y - 0.45), (tip, y + 0.45), (x, y + 0.45)), closed=True)
            yield Circle((x + outward * 1.9, y), 0.7, _ORNAMENT_GRAY, _ORNAMENT_WIDTH)


def _scoring(style: Style) -> Iterator[Primitive]:
    left, right = 24.0, 66.0
    yield from heading("SCORING", ((left + right) / 2, 28.0), 20.5, style)
    text = 1.65
    faint = style.text_gray + _FAINT

    def entry(label: str, words: str, y: float) -> Iterator[Primitive]:
        yield Text(label, (left, y), text, style.text_gray, bold=True)
        yield Text(words, (left + 14.0, y), text, faint)

    yield from entry("Row", "different symbols", 34.0)
    yield from _row_table((left + 14.0, 36.0), style)
    yield from entry("Column", "most of one symbol", 49.5)
    yield from entry("Level", "the points marked", 53.7)
    yield from entry("Scroll", "the points marked", 57.9)
    yield from entry("Tie", "fewest empty spaces", 62.1)


def _row_table(corner: Point, style: Style) -> Iterator[Primitive]:
    """How many symbols differ in a row, and the points for it."""
    x, y = corner
    cell, height = 6.4, 4.6
    width = cell * len(_ROW_POINTS)
    yield Line(rectangle(x, y, x + width, y + 2 * height), 0.2, style.text_gray, closed=True)
    yield Line(((x, y + height), (x + width, y + height)), 0.15, style.text_gray)
    for i, (count, points) in enumerate(_ROW_POINTS):
        middle = x + (i + 0.5) * cell
        if i:
            yield Line(((x + i * cell, y), (x + i * cell, y + 2 * height)), 0.15, style.text_gray)
        yield Text(count, (middle, y + height / 2 + 0.9), 1.8, style.text_gray + _FAINT, "middle")
        yield Text(points, (middle, y + 1.5 * height + 1.0), 2.0, style.text_gray, "middle", bold=True)


def _tally(style: Style) -> Iterator[Primitive]:
    """Boxes in which players who like to add up themselves can do so."""
    left, right, top, height = 83.0, 95.0, 143.0, 6.6
    yield from heading("TALLY", (83.0, top - 2.6), 12.5, style)
    for i, label in enumerate(("Columns", "Rows", "Levels", "Scrolls", "Total")):
        y, last = top + i * height, label == "Total"
        yield Text(label, (70.5, y + height / 2 + 0.8), 1.65, style.text_gray, bold=last)
        yield Line(rectangle(left, y, right, y + height), 0.35 if last else 0.15, style.text_gray, closed=True)


def _actions(style: Style) -> Iterator[Primitive]:
    for i, (action, words) in enumerate(_ACTIONS):
        y = 190.6 + 3.6 * i
        yield Text(action, (26.0, y), 1.7, style.text_gray, bold=True)
        yield Text(words, (37.5, y), 1.6, style.text_gray + _FAINT)


def _shapes(style: Style) -> Iterator[Primitive]:
    """The eight shapes with their names."""
    cell, first, pitch = 2.2, 172.4, 13.6
    yield from heading("SHAPES", (first + 3.5 * pitch, 187.4), 50.0, style)
    for i, (name, rows) in enumerate(_SHAPES):
        middle = first + i * pitch
        left, top = middle - len(rows[0]) * cell / 2, 192.6 - len(rows) * cell / 2
        for row, cells in enumerate(rows):
            for column, character in enumerate(cells):
                if character == "#":
                    x, y = left + column * cell, top + row * cell
                    yield Line(rectangle(x, y, x + cell, y + cell), 0.2, style.text_gray, closed=True)
        yield Text(name, (middle, 198.6), 1.4, style.text_gray + _FAINT, "middle")
    yield Text("Turn and flip them as you like.", (first + 3.5 * pitch, 202.2), 1.4, style.text_gray + _FAINT, "middle")


def _captions(template: Template, style: Style) -> Iterator[Primitive]:
    """Which circle is what."""
    faint = style.text_gray + _FAINT
    marks = {mark.name: mark for mark in template.marks}
    for line in template.level_lines:
        places = [marks[f"level{line.level}.{points}"] for points in line.points]
        top = places[0].centre_mm[1] - places[0].diameter_mm / 2
        for rank, mark in zip(_RANKS, places, strict=True):
            yield Text(rank, (mark.centre_mm[0], top - 1.0), 1.3, faint, "middle")
        middle = places[len(places) // 2].centre_mm[0]
        yield Text(f"LEVEL {line.level}", (middle, top - 3.7), 1.6, style.text_gray, "middle", bold=True, family="serif")
    for name, mark in marks.items():
        scroll, _, role = name.partition(".")
        if scroll.startswith("scroll"):
            below = (mark.centre_mm[0], mark.centre_mm[1] + mark.diameter_mm / 2 + 2.3)
            yield Text({"points": "points", "used": "extra turn"}[role], below, 1.3, faint, "middle")
