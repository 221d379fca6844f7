"""The legend and the ornaments of Monolyth's sheet.

Nothing stands inside a cell, nor nearer than 2 mm to one.
"""

from collections.abc import Iterator
from typing import Final

from scanner.sheet.captions import ORNAMENT_GRAY, ORNAMENT_WIDTH, caption, frieze, heading, label
from scanner.sheet.monolyth_places import LEVELS, SIDES, TOKENS
from scanner.sheet.primitives import Line, Primitive, rectangle
from scanner.sheet.style import Style, symbol_primitives
from scanner.sheet.template import Template

_COLOURS: Final = (("O", "orange"), ("*", "white"), ("^", "black"), ("@", "blue"), ("Y", "teal"))
_HELP: Final = (
    "Draw the symbol of its colour for each block. Three or four players build three levels, one or two build four.",
    "A prophecy scores if that side's edge shows at least so many blocks of the side's colour, on all levels together.",
)


def legend(template: Template, style: Style) -> Iterator[Primitive]:
    """Headings, the colours' symbols, and what is noted where."""
    names = ("LEVEL 1, LOWEST", "LEVEL 2", "LEVEL 3", "LEVEL 4, 1-2 PLAYERS")
    for number in range(LEVELS):
        left, top, right, bottom = template.grid(f"level{number + 1}").extent_mm()
        middle = (left + right) / 2
        yield from heading(names[number], (middle, top - 6.4), (right - left) / 2, style)
        yield caption("back", (middle, top - 2.4), style, "middle", size=1.5)
        yield caption("front", (middle, bottom + 3.8), style, "middle", size=1.5)
    yield from _sides(template, style)
    yield from _tokens(template, style)
    for i, (character, name) in enumerate(_COLOURS):
        x = 31.0 + 23.0 * i
        yield from symbol_primitives(character, (x, 183.5), 0.55, style, gray=style.text_gray, width=0.35)
        yield caption(name, (x + 4.2, 184.3), style, size=1.7)
    for i, words in enumerate(_HELP):
        yield caption(words, (165.0, 193.0 + 4.0 * i), style, size=1.5)


def ornaments(template: Template, style: Style) -> Iterator[Primitive]:
    """A frieze, and a block seen at an angle beside the title."""
    del template, style
    yield from frieze(27.0, 269.0, 94.0)
    x, y, a = 66.0, 17.6, 5.0
    front = rectangle(x, y - a, x + a, y)
    roof = ((x, y - a), (x + 2.2, y - a - 1.6), (x + a + 2.2, y - a - 1.6), (x + a, y - a))
    wall = ((x + a, y - a), (x + a + 2.2, y - a - 1.6), (x + a + 2.2, y - 1.6), (x + a, y))
    for face in (front, roof, wall):
        yield Line(face, ORNAMENT_WIDTH, ORNAMENT_GRAY, closed=True)


def _sides(template: Template, style: Style) -> Iterator[Primitive]:
    marks = {mark.name: mark.centre_mm for mark in template.marks}
    grid = template.grid("sides")
    left, top, right, _ = grid.extent_mm()
    yield from heading("SIDES AND PROPHECIES", (92.0, top - 5.6), 64.0, style)
    yield caption("colour", ((left + right) / 2, top - 2.4), style, "middle", size=1.5)
    yield caption("value of the prophecy set here", (117.0, top - 2.4), style, "middle", size=1.5)
    for row, side in enumerate(SIDES):
        yield label(side, (left - 4.5, top + (row + 0.5) * grid.cell_mm + 0.9), style, "end", size=2.0)
        for value in (10, 12):
            x, y = marks[f"prophecy.{side}.{value}"]
            yield label(str(value), (x, y + 6.2), style, "middle", size=1.8)
    y = marks["players.1"][1]
    yield label("Players in this game", (78.0, y + 0.9), style, "end", size=2.0)


def _tokens(template: Template, style: Style) -> Iterator[Primitive]:
    marks = {mark.name: mark.centre_mm for mark in template.marks}
    first = marks["token1.10"]
    yield from heading("LEVEL TOKENS", (first[0] + 38.0, 102.4), 48.0, style)
    yield label("10", (first[0], 108.4), style, "middle", size=1.6)
    yield caption("ones", (marks["token1.5"][0], 108.4), style, "middle", size=1.5)
    for number in range(1, TOKENS + 1):
        yield label(f"token {number}", (177.0, marks[f"token{number}.10"][1] + 0.9), style, "end")
    yield from heading("STRUCTURE TOKEN", (first[0] + 38.0, 158.4), 48.0, style)
    yield label("10", (marks["structure.10"][0], marks["structure.10"][1] + 6.2), style, "middle", size=1.6)
    yield label("token", (177.0, marks["structure.10"][1] + 0.9), style, "end")
