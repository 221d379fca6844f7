"""A filled-in sheet: what a hand writes on a template, and the truth about every place that is read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from scanner.geometry import FloatArray
from scanner.sheet.template import Grid, Template
from scanner.synth.hand import Hand, MarkStyle
from scanner.synth.symbols import Strokes

BoolArray = NDArray[np.bool_]
LABEL_OF: Mapping[str, str] = {
    "O": "sun",
    "*": "star",
    "^": "pyramid",
    "@": "eye",
    "Y": "lotus",
    "x": "crossed",
    "?": "other",
}
SPOILED = "!"
"""In a `Content`: a symbol that was crossed out or written over again. Nobody can tell what counts there; read as `other`."""


_SYMBOLS = np.array(["sun", "star", "pyramid", "eye", "lotus"])


@dataclass(frozen=True, slots=True)
class Content:
    """What is to be written. Keys are the template's names.

    cells: grid -> a string a row of the state's characters ('.' and '_' stay empty, '?' is something that is no symbol, and
        `SPOILED` a symbol crossed out again).
    shapes: grid -> a string a row, '.' or the letter of the shape that covers the cell.
    struck_rows: grid -> how many rows, from the bottom, lie in shadow and are struck in the hand's style.
    marks: names of the marked circles.
    """

    cells: Mapping[str, Sequence[str]]
    shapes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    struck_rows: Mapping[str, int] = field(default_factory=dict)
    marks: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Filling:
    """strokes: float64 (n, 2) each, sheet mm. edges_h, edges_v, struck: as in `scanner.reading.readings.Readings`, but bool:
    whether ink was put there."""

    strokes: Strokes
    edges_h: Mapping[str, BoolArray]
    edges_v: Mapping[str, BoolArray]
    struck: Mapping[str, BoolArray]


def fill(template: Template, content: Content, hand: Hand, rng: Generator) -> Filling:
    """Write `content` on the sheet with `hand`."""
    strokes: Strokes = []
    edges_h: dict[str, BoolArray] = {}
    edges_v: dict[str, BoolArray] = {}
    struck: dict[str, BoolArray] = {}
    for grid in template.grids:
        if "edges" in grid.reads:
            rows = content.shapes.get(grid.name, ["." * grid.columns] * grid.rows)
            outlines, edges_h[grid.name], edges_v[grid.name] = _outlines(grid, rows, hand, rng)
            strokes += outlines
        if "struck" in grid.reads:
            rows = content.shapes.get(grid.name, ["." * grid.columns] * grid.rows)
            strikes = _strikes(grid, content.struck_rows.get(grid.name, 0), rows, hand, rng)
            struck[grid.name] = _crosses_cells(grid, strikes)
            strokes += strikes
        if "content" in grid.reads and grid.name in content.cells:
            strokes += _contents(grid, content.cells[grid.name], hand, rng)
    for mark in template.marks:
        if mark.name in content.marks:
            # The circle beside a scroll is crossed out by rule; points are marked as one likes.
            style: MarkStyle | None = "cross" if mark.name.endswith(".used") and rng.random() < 0.8 else None
            strokes += hand.mark(np.array(mark.centre_mm), mark.diameter_mm, rng, style)
    x, y, w, h = template.name_box_mm
    for i in range(int(rng.integers(0, 7))):
        strokes += hand.place(
            hand.drawings.draw("other", rng), np.array([x + 24 + i * min(12.0, w / 8), y + h * 0.55]), h * 0.5, 1.0, rng
        )
    return Filling(strokes, edges_h, edges_v, struck)


def boundary_edges(rows: Sequence[str], letter: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Horizontal and vertical edges (row, column; see `Readings`) around the cells that carry `letter`."""
    cells = {(r, c) for r, row in enumerate(rows) for c, ch in enumerate(row) if ch == letter}
    horizontal = [(r + d, c) for r, c in sorted(cells) for d in (0, 1) if (r + 2 * d - 1, c) not in cells]
    vertical = [(r, c + d) for r, c in sorted(cells) for d in (0, 1) if (r, c + 2 * d - 1) not in cells]
    return horizontal, vertical


def _outlines(grid: Grid, rows: Sequence[str], hand: Hand, rng: Generator) -> tuple[Strokes, BoolArray, BoolArray]:
    drawn_h = np.zeros((grid.rows + 1, grid.columns), bool)
    drawn_v = np.zeros((grid.rows, grid.columns + 1), bool)
    strokes: Strokes = []
    for letter in sorted({ch for row in rows for ch in row} - {"."}):
        horizontal, vertical = boundary_edges(rows, letter)
        keep_h = [e for e in horizontal if _keeps(e[0] in (0, grid.rows), bool(drawn_h[e]), hand, rng)]
        keep_v = [e for e in vertical if _keeps(e[1] in (0, grid.columns), bool(drawn_v[e]), hand, rng)]
        corners: dict[tuple[int, int], FloatArray] = {}
        for (row, c0), (_, c1) in _runs(keep_h):
            strokes.append(_along(grid, (row, c0), (row, c1 + 1), corners, hand, rng))
        for (column, r0), (_, r1) in _runs([(c, r) for r, c in keep_v]):
            strokes.append(_along(grid, (r0, column), (r1 + 1, column), corners, hand, rng))
        for edge in keep_h:
            drawn_h[edge] = True
        for edge in keep_v:
            drawn_v[edge] = True
    return strokes, drawn_h, drawn_v


def _keeps(on_border: bool, already: bool, hand: Hand, rng: Generator) -> bool:
    if on_border and hand.skip_borders:
        return False
    return not (already and rng.random() < hand.skip_shared)


def _runs(edges: Sequence[tuple[int, int]]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Edges (line, position) joined into runs: (first edge, last edge) of each."""
    runs: list[tuple[tuple[int, int], tuple[int, int]]] = []
    for line, position in sorted(edges):
        if runs and runs[-1][1] == (line, position - 1):
            runs[-1] = (runs[-1][0], (line, position))
        else:
            runs.append(((line, position), (line, position)))
    return runs


def _along(
    grid: Grid,
    start: tuple[int, int],
    end: tuple[int, int],
    corners: dict[tuple[int, int], FloatArray],
    hand: Hand,
    rng: Generator,
) -> FloatArray:
    """A stroke between two lattice points (row, column); in one go the corners of a shape stay where they were put."""
    ends = []
    for row, column in (start, end):
        exact = np.array(grid.origin_mm) + grid.cell_mm * np.array([column, row])
        if hand.outline_in_one:
            corner = corners.setdefault((row, column), exact + rng.normal(0, hand.outline_wobble_mm, 2))
        else:
            corner = exact + rng.normal(0, hand.outline_wobble_mm, 2)
        ends.append(corner)
    a, b = ends
    if not hand.outline_in_one:
        reach = rng.normal(0.01, 0.02, 2)
        a, b = a - (b - a) * reach[0], b + (b - a) * reach[1]
    return hand.segment(a, b, rng)


def _centre(grid: Grid, row: float, column: float) -> FloatArray:
    return np.array(grid.origin_mm) + grid.cell_mm * np.array([column + 0.5, row + 0.5])


def _contents(grid: Grid, rows: Sequence[str], hand: Hand, rng: Generator) -> Strokes:
    strokes: Strokes = []
    done: set[tuple[int, int]] = set()
    for r in range(grid.rows):
        for c in range(grid.columns):
            if rows[r][c] == SPOILED:
                strokes += _spoiled(_centre(grid, r, c), grid.cell_mm, hand, rng)
            label = LABEL_OF.get(rows[r][c])
            if label is None or (r, c) in done:
                continue
            if label == "crossed" and hand.big_crosses:
                height, width = _crossed_block(rows, r, c)
                done |= {(r + i, c + j) for i in range(height) for j in range(width)}
                if height * width > 1:
                    strokes += _big_cross(grid, r, c, height, width, hand, rng)
                    continue
            strokes += hand.symbol(label, _centre(grid, r, c), grid.cell_mm, rng)
    return strokes


def _spoiled(centre: FloatArray, cell_mm: float, hand: Hand, rng: Generator) -> Strokes:
    """A symbol with a cross, a line or two, a wave or another symbol over it."""
    first, second = (str(label) for label in rng.permutation(_SYMBOLS)[:2])
    written = hand.symbol(first, centre, cell_mm, rng)
    points = np.vstack(written)
    middle = (points.min(0) + points.max(0)) / 2
    cover = str(rng.choice(["cross", "cross", "line", "line", "lines", "wave", second]))
    # What takes a symbol back reaches beyond it.
    size = max(rng.uniform(0.5, 0.9) * cell_mm, rng.uniform(1.1, 1.6) * float(np.ptp(points, axis=0).max()))
    # Most people strike out from left to right.
    angle = rng.normal(0, 0.12) if rng.random() < 0.6 else rng.uniform(0, np.pi)
    along, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    if cover in ("line", "lines"):
        gap = 0.0 if cover == "line" else rng.uniform(0.08, 0.2) * size
        middles = [middle + shift * gap * across for shift in ((0.0,) if cover == "line" else (-0.5, 0.5))]
        over = [hand.segment(m - 0.5 * size * along, m + 0.5 * size * along, rng) for m in middles]
    elif cover == "wave":
        t = np.linspace(-0.5, 0.5, 40)[:, None]
        swing = rng.uniform(0.06, 0.15) * np.sin(2 * np.pi * rng.uniform(2, 4) * t + rng.uniform(0, 6.3))
        over = [middle + size * (t * along + swing * across)]
    else:
        over = hand.place(hand.drawings.draw(cover, rng), middle + rng.normal(0, 0.04, 2) * cell_mm, size, 1.0, rng)
    # Who takes something back often presses hard or goes over it twice.
    bold = rng.random() < 0.5
    return written + over + ([stroke + rng.normal(0, 0.12, 2) for stroke in over] if bold else [])


def _crossed_block(rows: Sequence[str], r: int, c: int) -> tuple[int, int]:
    """Height and width of a block of crossed cells from (r, c) rightwards, else downwards, at most three long."""
    width = 1
    while width < 3 and c + width < len(rows[r]) and rows[r][c + width] == "x":
        width += 1
    if width > 1:
        return 1, width
    height = 1
    while height < 3 and r + height < len(rows) and rows[r + height][c] == "x":
        height += 1
    return height, 1


def _big_cross(grid: Grid, r: int, c: int, height: int, width: int, hand: Hand, rng: Generator) -> Strokes:
    a = _centre(grid, r - 0.5, c - 0.5)
    size = grid.cell_mm * np.array([width, height])
    inset = rng.uniform(0.02, 0.15, (4, 2)) * size
    return [
        hand.segment(a + inset[0], a + size - inset[1], rng),
        hand.segment(a + size * [1, 0] + inset[2] * [-1, 1], a + size * [0, 1] + inset[3] * [1, -1], rng),
    ]


def _strikes(grid: Grid, struck_rows: int, shapes: Sequence[str], hand: Hand, rng: Generator) -> Strokes:
    strokes: Strokes = []
    first = grid.rows - struck_rows
    if hand.shadow_style == "each":
        for r in range(first, grid.rows):
            for c in range(grid.columns):
                if shapes[r][c] == "." or hand.strike_shapes:
                    strokes += hand.symbol("crossed", _centre(grid, r, c), grid.cell_mm, rng)
    elif hand.shadow_style == "lines":
        for r in range(first, grid.rows):
            left, right = rng.normal(r, 0.12, 2)
            strokes.append(hand.segment(_centre(grid, left, -0.4), _centre(grid, right, grid.columns - 0.6), rng))
    elif hand.shadow_style in ("band", "hatch"):
        for top in range(first, grid.rows, 4):
            bottom = min(top + 4, grid.rows)
            if hand.shadow_style == "band":
                strokes += _big_cross(grid, top, 0, bottom - top, grid.columns, hand, rng)
                continue
            step = rng.uniform(0.8, 1.6)
            for x in np.arange(-3.0, grid.columns, step):
                a, b = max(0.0, x) - 0.5, min(float(grid.columns), x + 4) - 0.5
                strokes.append(hand.segment(_centre(grid, top + a - x, a), _centre(grid, top + b - x, b), rng))
    return strokes


def _crosses_cells(grid: Grid, strokes: Strokes) -> BoolArray:
    """Whether a stroke runs through the inner part of each cell, bool (rows, columns)."""
    hit = np.zeros((grid.rows, grid.columns), bool)
    for stroke in strokes:
        along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(stroke, axis=0).T))])
        at = np.linspace(0, along[-1], int(along[-1]) + 2)
        points = np.stack([np.interp(at, along, stroke[:, 0]), np.interp(at, along, stroke[:, 1])], 1)
        where = (points - np.array(grid.origin_mm)) / grid.cell_mm
        cell = np.floor(where).astype(int)
        inner = (np.abs(where - cell - 0.5) < 0.3).all(1) & (cell >= 0).all(1)
        inner &= (cell[:, 0] < grid.columns) & (cell[:, 1] < grid.rows)
        hit[cell[inner, 1], cell[inner, 0]] = True
    return hit
