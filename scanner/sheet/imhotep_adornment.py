"""The legend and the ornaments of Imhotep's sheet.

Nothing stands inside a cell, nor nearer than 2 mm to one. The legend ties each player to a symbol and so belongs to the game;
ornaments do not.
"""

from collections.abc import Iterator
from typing import Final

from scanner.sheet.captions import caption, frieze, heading, label
from scanner.sheet.glyphs import Point
from scanner.sheet.imhotep_places import DECORATED, SYMBOL_OF
from scanner.sheet.primitives import Line, Primitive
from scanner.sheet.style import Style, symbol_primitives
from scanner.sheet.template import Grid, Template

_VALUES: Final = {
    "pyramid1": ("2 1 3", "2 4 3", "2 1 3"),
    "pyramid2": ("2 3", "1 3"),
    "pyramid3": ("4 1 1", "1 1 1", "1 1 1", "1 1 1"),
}
"""Points of the pyramid's stones by column, from the top."""
_HELP: Final = (
    ("Symbols", "Draw the owner's symbol for each stone, in placing order: down a column, then the next one."),
    ("Temple", "After each round note whose stones are on top, from the left; with two players use four spaces."),
    ("Circles", "Who plays, how many statues and unused blue cards, and one circle for each decoration, by its site."),
)
_POINTS: Final = (
    ("Chamber, statues", "1 3 6 10 15, then 2 more for each further one"),
    ("Obelisks", "2 players 10 1, 3 players 12 6 1, 4 players 15 10 5 1"),
    ("Cards", "decoration: 1 for 3 stones at its site; unused blue card: 1"),
)


def legend(template: Template, style: Style) -> Iterator[Primitive]:
    """Headings, points, and which row and symbol is whose."""
    yield from _sites(template, style)
    yield from _players(template, style)
    for i, (what, words) in enumerate(_HELP):
        yield label(what, (26.0, 195.2 + 3.2 * i), style, size=1.6)
        yield caption(words, (38.0, 195.2 + 3.2 * i), style, size=1.5)
    for i, (what, words) in enumerate(_POINTS):
        yield label(what, (172.0, 195.2 + 3.2 * i), style, size=1.6)
        yield caption(words, (196.0, 195.2 + 3.2 * i), style, size=1.5)


def ornaments(template: Template, style: Style) -> Iterator[Primitive]:
    """Friezes over the temple stones and the obelisks."""
    del style
    obelisks = template.grid("obelisks").extent_mm()
    yield from frieze(obelisks[0] - 24.0, obelisks[2], 72.0)


def _glyph(player: str, centre: Point, style: Style) -> Iterator[Primitive]:
    yield from symbol_primitives(SYMBOL_OF[player], centre, 0.62, style, gray=style.text_gray, width=0.35)


def _over(grid: Grid, text: str, style: Style, *, to: Grid | None = None) -> Iterator[Primitive]:
    """A heading over a grid, or over several side by side."""
    left, top, right, _ = grid.extent_mm()
    right = right if to is None else to.extent_mm()[2]
    yield from heading(text, ((left + right) / 2, top - 2.2), (right - left) / 2, style)


def _sites(template: Template, style: Style) -> Iterator[Primitive]:
    yield from _over(template.grid("pyramid1"), "PYRAMID", style, to=template.grid("pyramid3"))
    yield from _over(template.grid("burial_chamber"), "BURIAL CHAMBER", style)
    yield from _over(template.grid("temple"), "TEMPLE", style)
    yield from _over(template.grid("obelisks"), "OBELISKS", style)
    for name, columns in _VALUES.items():
        grid = template.grid(name)
        left, _, _, bottom = grid.extent_mm()
        for column, values in enumerate(columns):
            yield caption(values, (left + (column + 0.5) * grid.cell_mm, bottom + 3.6), style, "middle", size=1.5)
    yield caption("level 1", (23.0, 67.1), style, "end", size=1.5)
    yield caption("level 2", (78.0, 58.0), style, "middle", size=1.5)
    yield caption("level 3, and all further stones", (119.5, 70.2), style, "middle", size=1.5)
    temple = template.grid("temple")
    left, top, _, _ = temple.extent_mm()
    for row in range(temple.rows):
        yield label(str(row + 1), (left - 3.6, top + (row + 0.5) * temple.cell_mm + 0.9), style, "middle")
    marks = {mark.name: mark.centre_mm for mark in template.marks}
    tens, ones = marks["temple_stones.10"], marks["temple_stones.1"]
    yield label("Stones in the", (100.0, tens[1] - 0.8), style)
    yield label("temple at the end", (100.0, tens[1] + 2.6), style)
    for number in (10, 20, 30):
        x, y = marks[f"temple_stones.{number}"]
        yield label(str(number), (x, y - 4.6), style, "middle", size=1.6)
    yield caption("ones", (ones[0] + 38.0, ones[1] - 4.6), style, "middle", size=1.4)
    obelisks = template.grid("obelisks")
    left, top, _, _ = obelisks.extent_mm()
    yield caption("a crossed cell a stone", (left - 3.0, top - 1.5), style, "end", size=1.5)
    for row, player in enumerate(SYMBOL_OF):
        y = top + (row + 0.5) * obelisks.cell_mm
        yield label(player, (left - 11.5, y + 0.9), style, "end")
        yield from _glyph(player, (left - 6.5, y), style)


def _players(template: Template, style: Style) -> Iterator[Primitive]:
    marks = {mark.name: mark.centre_mm for mark in template.marks}
    first = marks["plays.white"]
    over = first[1] - 4.7
    yield label("PLAYERS", (26.0, over), style, size=1.6)
    yield caption("plays", (first[0], over), style, "middle", size=1.4)
    yield label("STATUES", (marks["statues.white.1"][0] - 3.5, over), style, size=1.6)
    yield label("DECORATIONS", (marks["decorations.white.pyramid.1"][0] - 4.5, over), style, "end", size=1.6)
    for site in DECORATED:
        middle = (marks[f"decorations.white.{site}.1"][0] + marks[f"decorations.white.{site}.2"][0]) / 2
        yield caption(site.split("_")[0], (middle, over), style, "middle", size=1.5)
    yield label("UNUSED BLUE CARDS", (marks["blue_cards.white.1"][0] - 3.5, over), style, size=1.6)
    for player in SYMBOL_OF:
        _, y = marks[f"plays.{player}"]
        yield from _glyph(player, (28.0, y), style)
        yield label(player, (33.0, y + 0.9), style)
        yield Line(((42.0, y + 2.2), (57.5, y + 2.2)), 0.15, style.text_gray)
