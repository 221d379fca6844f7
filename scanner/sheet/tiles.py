"""The worker tiles to print and cut out: a page of fronts, and a page of backs for its other side."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import cos, pi, sin
from typing import Final

from scanner.sheet.glyphs import Point, arc
from scanner.sheet.pdf import Destination, write_pdf
from scanner.sheet.primitives import Area, Circle, Drawing, Line, Primitive, Text, rectangle

Cells = Sequence[tuple[int, int]]
"""A shape's cells as (row, column), rows from the top."""

TILE_MM: Final = 60.0
COLUMNS: Final = 3
ROWS: Final = 4
PAGE_MM: Final = (210.0, 297.0)
"""A4 upright; the block of tiles is centred, so that the backs meet the fronts whichever way the paper is turned over."""

_CELL_MM: Final = 5.2
_DEPTH_MM: Final = 12.5
"""From a tile's edge to the middle of the shape on that side."""
_MEDALLION_MM: Final = 8.5
_INK: Final = 0.15
_FAINT: Final = 0.6


def write_tiles(destination: Destination, workers: Sequence[tuple[str, str, str, str]], shapes: Mapping[str, Cells]) -> None:
    """Write the tiles as vector PDF: page 1 the fronts, page 2 the backs.

    workers: names of the shapes at the top, right, bottom and left of each tile in its starting orientation; `shapes`
    gives the cells of each. KeyError for a shape that is not in `shapes`, ValueError for more tiles than a page holds,
    OSError if the file cannot be written.
    """
    write_pdf(destination, [fronts(workers, shapes), backs(len(workers))], PAGE_MM, "Shadow of the Obelisk, worker tiles")


def tile_centres(count: int) -> list[Point]:
    """The middles of the tiles on the page of fronts, row by row, mm; ValueError for more than a page holds."""
    if count > COLUMNS * ROWS:
        raise ValueError(f"a page holds {COLUMNS * ROWS} tiles, not {count}")
    left, top = (PAGE_MM[0] - COLUMNS * TILE_MM) / 2, (PAGE_MM[1] - ROWS * TILE_MM) / 2
    places = [(left + (c + 0.5) * TILE_MM, top + (r + 0.5) * TILE_MM) for r, c in product(range(ROWS), range(COLUMNS))]
    return places[:count]


def fronts(workers: Sequence[tuple[str, str, str, str]], shapes: Mapping[str, Cells]) -> Drawing:
    """The page of fronts. A side's shape stands upright when that side is at the top."""
    primitives: list[Primitive] = []
    for number, (centre, sides) in enumerate(zip(tile_centres(len(workers)), workers, strict=True), start=1):
        primitives += _face(centre)
        for turn, name in enumerate(sides):
            primitives += _side(centre, shapes[name], turn)
        primitives += _medallion(centre, number)
    primitives += _cutting_lines()
    return Drawing(PAGE_MM, tuple(primitives))


def backs(count: int) -> Drawing:
    """The page of backs, all alike; its rows are mirrored against the fronts, for paper turned over sideways."""
    primitives: list[Primitive] = []
    for x, y in tile_centres(count):
        primitives += _back((PAGE_MM[0] - x, y))
    primitives += _cutting_lines()
    return Drawing(PAGE_MM, tuple(primitives))


def _turned(point: Point, turn: int) -> Point:
    """A point around a tile's middle after `turn` quarter turns clockwise (y points down)."""
    x, y = point
    for _ in range(turn):
        x, y = -y, x
    return x, y


def _cutting_lines() -> Iterator[Primitive]:
    """Lines between the tiles that run out into the margin, where the knife is set."""
    left, top = (PAGE_MM[0] - COLUMNS * TILE_MM) / 2, (PAGE_MM[1] - ROWS * TILE_MM) / 2
    out = 7.0
    for column in range(COLUMNS + 1):
        x = left + column * TILE_MM
        yield Line(((x, top - out), (x, top + ROWS * TILE_MM + out)), 0.12, _FAINT)
    for row in range(ROWS + 1):
        y = top + row * TILE_MM
        yield Line(((left - out, y), (left + COLUMNS * TILE_MM + out, y)), 0.12, _FAINT)


def _face(centre: Point) -> Iterator[Primitive]:
    """A frame, and the lines that part the four sides."""
    x, y = centre
    half = TILE_MM / 2 - 2.5
    for inset, width in ((0.0, 0.35), (0.9, 0.15)):
        yield Line(rectangle(x - half + inset, y - half + inset, x + half - inset, y + half - inset), width, _INK, closed=True)
    near = (_MEDALLION_MM + 1.2) / 2**0.5
    for sx, sy in product((-1, 1), repeat=2):
        yield Line(((x + sx * near, y + sy * near), (x + sx * (half - 0.9), y + sy * (half - 0.9))), 0.2, _FAINT)


def _side(centre: Point, cells: Cells, turn: int) -> Iterator[Primitive]:
    rows, columns = zip(*cells, strict=True)
    width, height = max(columns) + 1, max(rows) + 1
    if height > width:
        # Lying shapes keep clear of the middle.
        cells = [(column, height - 1 - row) for row, column in cells]
        width, height = height, width
    for row, column in cells:
        left = (column - width / 2) * _CELL_MM
        top = (row - height / 2) * _CELL_MM - (TILE_MM / 2 - _DEPTH_MM)
        square = (_turned(corner, turn) for corner in rectangle(left, top, left + _CELL_MM, top + _CELL_MM))
        outline = tuple((centre[0] + dx, centre[1] + dy) for dx, dy in square)
        yield Area((outline,), 0.85)
        yield Line(outline, 0.4, _INK, closed=True)


def _medallion(centre: Point, number: int) -> Iterator[Primitive]:
    """The tile's number, upright in its starting orientation, in an arrow that shows which way ticking turns it."""
    x, y = centre
    yield Circle(centre, _MEDALLION_MM, _INK, 0.35)
    yield Circle(centre, _MEDALLION_MM - 3.2, _INK, 0.15)
    ring = _MEDALLION_MM - 1.6
    end = 1.35 * pi
    yield Line(arc(centre, (ring, ring), -0.35 * pi, end, 60), 0.5, _INK)
    tip, half = end + 0.26, 0.8
    head = tuple((x + r * cos(a), y + r * sin(a)) for r, a in ((ring, tip), (ring + half, end), (ring - half, end)))
    yield Area((head,), _INK)
    yield Text(str(number), (x, y + 1.9), 3.4, _INK, "middle", bold=True, family="serif")
    yield Text("start", (x, y - 2.7), 1.1, 0.4, "middle")


def _back(centre: Point) -> Iterator[Primitive]:
    """An obelisk before the rising sun, and its shadow."""
    x, y = centre
    half = TILE_MM / 2 - 2.5
    for inset, width in ((0.0, 0.6), (1.3, 0.2)):
        yield Line(rectangle(x - half + inset, y - half + inset, x + half - inset, y + half - inset), width, _INK, closed=True)
    ground = y + 11.0
    sun = (x, ground)
    for i in range(25):
        a = -pi * i / 24
        inner, outer = 13.0, 20.5 if i % 2 else 17.5
        yield Line(((x + inner * cos(a), ground + inner * sin(a)), (x + outer * cos(a), ground + outer * sin(a))), 0.3, _INK)
    yield Line(arc(sun, (11.5, 11.5), -pi, 0, 48), 0.4, _INK)
    yield Line(arc(sun, (10.3, 10.3), -pi, 0, 48), 0.15, _INK)
    shadow = ((x - 2.8, ground + 1.6), (x + 2.8, ground + 1.6), (x + 15.0, ground + 8.6), (x + 13.0, ground + 9.4))
    yield Area((shadow,), 0.55)
    shaft = (
        (x - 2.8, ground + 1.6),
        (x - 1.7, ground - 23.0),
        (x, ground - 27.0),
        (x + 1.7, ground - 23.0),
        (x + 2.8, ground + 1.6),
    )
    yield Area((shaft,), 1.0)
    yield Area(((shaft[2], shaft[3], shaft[4], (x + 0.7, ground + 1.6), (x + 0.45, ground - 23.0)),), 0.8)
    yield Line(shaft, 0.35, _INK, closed=True)
    yield Line((shaft[1], (x + 0.45, ground - 23.0), shaft[3]), 0.25, _INK)
    yield Line(((x + 0.45, ground - 23.0), (x + 0.7, ground + 1.6)), 0.2, _INK)
    for side in (-1, 1):
        yield Line(((x + side * 3.6, ground), (x + side * (half - 1.3), ground)), 0.3, _INK)
    yield Text("SHADOW OF THE OBELISK", (x, y + half - 3.6), 1.9, _INK, "middle", bold=True, family="serif")
