"""What was read on a sheet, drawn over it: every reading in its place, coloured by confidence, and the points."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import exp
from typing import Any, Final

from scanner.reading.readings import CONTENT_CHARACTERS, Readings
from scanner.report.layer import Colour, Layer, Point
from scanner.report.shares import in_percent
from scanner.result import Review, SheetResult, thaw
from scanner.sheet.glyphs import SYMBOLS, glyph
from scanner.sheet.style import HOUSE
from scanner.sheet.template import Grid, Mark, Template
from scanner.sheet.writers import WRITERS
from scanner.sheet.written import Written

SURE: Final[Colour] = (60, 140, 20)
FAIR: Final[Colour] = (0, 140, 235)
DOUBTFUL: Final[Colour] = (40, 40, 220)
POINTS: Final[Colour] = (170, 70, 20)
PAPER: Final[Colour] = (255, 255, 255)
FAINT: Final[Colour] = (150, 150, 150)

SURE_FROM: Final = 0.99
_STRAY_FROM: Final = 0.9
"""Edges without an outline are shown where ink is less certainly absent."""

_BADGE: Final = 0.40
"""Side of a reading's badge, in cells."""


def colour_of(confidence: float, asked: bool = False) -> Colour:
    """Red for what is in review and for nothing else; green from 99 % on; orange where the ink alone leaves more open."""
    return DOUBTFUL if asked else SURE if confidence >= SURE_FROM else FAIR


def _probability(log_odds: float) -> float:
    return 1 / (1 + exp(-max(-500.0, min(500.0, log_odds))))


@dataclass(frozen=True)
class _Drawing:
    """One sheet's drawing: the layer and what goes on it."""

    layer: Layer
    template: Template
    sheet: SheetResult
    readings: Readings
    review: Mapping[str, Review]

    def draw(self) -> None:
        """Whatever the game; the obelisk's sheet shows outlines and points beside its grids as well."""
        if self.template.game == "obelisk":
            self._obelisk()
        else:
            self._any_game()
        self._heading()

    def _any_game(self) -> None:
        writer = WRITERS.get(self.template.game)
        shown = self._as_seen() if writer is None else writer(thaw(self.sheet.state))
        for grid in self.template.grids:
            if grid.name in shown.cells:
                self._cells(grid, tuple(row.replace("_", ".") for row in shown.cells[grid.name]))
        for mark in self.template.marks:
            words = mark.name.replace(".", " ")
            asked = next((line for where, line in self.review.items() if is_within(words, where)), None)
            self._mark(mark, mark.name in shown.marks, asked)

    def _as_seen(self) -> Written:
        """The most probable reading of every place for itself."""
        cells = {
            name: tuple("".join(CONTENT_CHARACTERS[label] for label in row) for row in content.argmax(axis=-1))
            for name, content in self.readings.content.items()
        }
        return Written(cells, frozenset(name for name, log_odds in self.readings.marks.items() if log_odds > 0))

    def _obelisk(self) -> None:
        state = self.sheet.state
        self._wall(self.template.grid("wall"), state["wall_shapes"])
        self._cells(self.template.grid("obelisk"), state["obelisk"])
        for index, scroll in enumerate(state["scrolls"], start=1):
            symbols = scroll["symbols"] or "...."
            self._cells(self.template.grid(f"scroll{index}"), (symbols[:2], symbols[2:]))
        for mark in self.template.marks:
            self._mark(mark, is_marked(state, mark.name), self.review.get(_where_of(mark.name)))
        self._points()

    def _cells(self, grid: Grid, rows: tuple[str, ...]) -> None:
        content = self.readings.content.get(grid.name)
        for r, row in enumerate(rows):
            for c, character in enumerate(row):
                review = self.review.get(f"{grid.name} r{r + 1} c{c + 1}")
                if review is not None:
                    confidence = review.confidence
                else:
                    label = CONTENT_CHARACTERS.index("_" if character == "." else character)
                    confidence = exp(float(content[r, c, label])) if content is not None else 1.0
                self._cell(grid, r, c, character, confidence, review)

    def _cell(self, grid: Grid, r: int, c: int, character: str, confidence: float, review: Review | None) -> None:
        cell = grid.cell_mm
        x, y = grid.origin_mm[0] + c * cell, grid.origin_mm[1] + r * cell
        colour = colour_of(confidence, review is not None)
        if review is not None:
            self.layer.rectangle((x + 0.5, y + 0.5), (cell - 1, cell - 1), DOUBTFUL, width_mm=0.8)
            others = [
                f"{reading} {in_percent(share)}" for reading, share in review.alternatives.items() if reading != review.read
            ]
            self.layer.text(" ".join(others[:2]), (x + 1.2, y + 1.0), 2.2, DOUBTFUL, anchor="lt")
        if character == "." and review is None:
            sure = confidence >= SURE_FROM
            self.layer.circle((x + cell / 2, y + cell / 2), 0.45 if sure else 0.9, FAINT if sure else colour)
            return
        side = _BADGE * cell
        centre = (x + cell - side / 2 - 0.5, y + cell - side / 2 - 0.5)
        self.badge(character, centre, side, colour)

    def badge(self, character: str, centre: Point, side: float, colour: Colour) -> None:
        """A small white tile that shows what was read."""
        corner = (centre[0] - side / 2, centre[1] - side / 2)
        self.layer.rectangle(corner, (side, side), PAPER, opacity=0.92)
        self.layer.rectangle(corner, (side, side), colour, width_mm=0.3)
        if character in SYMBOLS:
            self._glyph(character, centre, side, colour)
        elif character == "x":
            a = side * 0.27
            self.layer.line([(centre[0] - a, centre[1] - a), (centre[0] + a, centre[1] + a)], colour, 0.5)
            self.layer.line([(centre[0] - a, centre[1] + a), (centre[0] + a, centre[1] - a)], colour, 0.5)
        elif character == "?":
            self.layer.text("?", centre, side * 0.8, colour, halo=None)

    def _glyph(self, character: str, centre: Point, side: float, colour: Colour) -> None:
        name = SYMBOLS[character]
        drawn = glyph(name, getattr(HOUSE.designs, name), centre, side / 12.5 * 1.05)
        for stroke in drawn.strokes:
            self.layer.line(stroke.points, colour, 0.3 * stroke.weight, stroke.closed)
        for dot, radius in drawn.dots:
            self.layer.circle(dot, radius, colour)

    def _wall(self, grid: Grid, shapes: tuple[str, ...]) -> None:
        cell, (x0, y0) = grid.cell_mm, grid.origin_mm
        for r, row in enumerate(shapes):
            for c, letter in enumerate(row):
                if letter != ".":
                    self.layer.rectangle((x0 + c * cell, y0 + r * cell), (cell, cell), POINTS, opacity=0.16)
        for (start, end), drawn, log_odds in self._edges(grid, shapes):
            chance = _probability(log_odds)
            confidence = chance if drawn else 1 - chance
            if drawn:
                self.layer.line([start, end], colour_of(confidence), 0.9)
            elif confidence < _STRAY_FROM:
                self.layer.line([_between(start, end, 0.3), _between(start, end, 0.7)], FAIR, 0.6)
        struck = self.readings.struck.get(grid.name)
        for r, row in enumerate(shapes):
            for c in range(len(row)):
                if struck is not None and struck[r, c] > 0:
                    corner = (x0 + c * cell + 1.2, y0 + r * cell + 1.2)
                    end = (corner[0] + 2.2, corner[1] + 2.2)
                    self.layer.line([corner, end], colour_of(_probability(float(struck[r, c]))), 0.5)

    def _edges(self, grid: Grid, shapes: tuple[str, ...]) -> Iterator[tuple[tuple[Point, Point], bool, float]]:
        """Every edge of a wall: its ends in sheet mm, whether the shapes have it drawn, and its reading in log-odds."""
        cell, (x0, y0) = grid.cell_mm, grid.origin_mm

        def at(r: int, c: int) -> str:
            return shapes[r][c] if 0 <= r < grid.rows and 0 <= c < grid.columns else "."

        horizontal, vertical = self.readings.edges_h[grid.name], self.readings.edges_v[grid.name]
        for r in range(grid.rows + 1):
            for c in range(grid.columns + 1):
                here = (x0 + c * cell, y0 + r * cell)
                if c < grid.columns:
                    yield (here, (here[0] + cell, here[1])), at(r, c) != at(r - 1, c), float(horizontal[r, c])
                if r < grid.rows:
                    yield (here, (here[0], here[1] + cell)), at(r, c) != at(r, c - 1), float(vertical[r, c])

    def _mark(self, mark: Mark, marked: bool, review: Review | None) -> None:
        chance = _probability(self.readings.marks[mark.name])
        confidence = review.confidence if review is not None else chance if marked else 1 - chance
        colour = colour_of(confidence, review is not None)
        radius = mark.diameter_mm / 2 + 0.6
        if not marked:
            if review is not None or confidence < SURE_FROM:
                self.layer.circle(mark.centre_mm, radius, colour, 0.4)
            return
        self.layer.circle(mark.centre_mm, radius, colour, 0.9)
        x, y = mark.centre_mm[0] + radius * 0.8, mark.centre_mm[1] - radius * 0.8
        self.layer.circle((x, y), 1.6, PAPER)
        self.layer.line([(x - 0.9, y), (x - 0.2, y + 0.8), (x + 1.0, y - 0.9)], colour, 0.5)

    def _points(self) -> None:
        score, obelisk = self.sheet.score, self.template.grid("obelisk")
        cell, (x0, y0) = obelisk.cell_mm, obelisk.origin_mm
        right, bottom = x0 + obelisk.columns * cell, y0 + obelisk.rows * cell
        for c, points in enumerate(score["columns"]):
            self._number(points, (x0 + (c + 0.5) * cell, bottom + 4.2))
        for r, points in enumerate(score["rows"]):
            self._number(points, (right + 3.7, y0 + (r + 0.5) * cell))
        for line, points in zip(self.template.level_lines, score["levels"], strict=True):
            first = min(mark.centre_mm[0] for mark in self.template.marks if mark.name.startswith(f"level{line.level}."))
            y = next(mark.centre_mm[1] for mark in self.template.marks if mark.name.startswith(f"level{line.level}."))
            self._number(points, (first - 6.4, y))
        for index, points in enumerate(score["scrolls"], start=1):
            grid = self.template.grid(f"scroll{index}")
            self._number(points, (grid.origin_mm[0] - 4.0, grid.origin_mm[1] + grid.rows * grid.cell_mm / 2))

    def _number(self, points: int, at: Point) -> None:
        self.layer.text(str(points), at, 4.6 if points else 3.6, POINTS if points else FAINT)

    def _heading(self) -> None:
        """The total at the top, between the fiducials, opaque so that it stands out from the print."""
        low, high = self.sheet.bounds
        score = self.sheet.score
        if "total" in score:
            text = f"total {score['total']}" + (f" ({low} to {high})" if low != high else "")
        else:
            text = "  ".join(f"{player} {points['total']}" for player, points in score["players"].items())
        seat = self.sheet.state.get("seat")
        x, y, width = 24.0, 7.5, 90.0
        self.layer.rectangle((x, y), (width, 13.0), POINTS)
        self.layer.text(text, (x + 3, y + 6.5), 6.5 if len(text) < 24 else 4.0, PAPER, anchor="lm", halo=None)
        if seat is not None:
            self.layer.text(f"seat {seat}", (x + width - 3, y + 6.5), 4.5, PAPER, anchor="rm", halo=None)


def _between(start: Point, end: Point, share: float) -> Point:
    return (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))


def is_within(place: str, where: str) -> bool:
    """Whether a review's `where` means a place: itself, or all of a group ("statues white" for "statues white 3")."""
    return place == where or place.startswith(where + " ")


def is_marked(state: Mapping[str, Any], mark: str) -> bool:
    """Whether the state has a mark of the template ("level1.3", "scroll2.used") marked."""
    place, what = mark.split(".")
    if place.startswith("level"):
        return bool(state["levels"][int(place.removeprefix("level")) - 1] == int(what))
    scroll = state["scrolls"][int(place.removeprefix("scroll")) - 1]
    return bool(scroll["marked" if what == "points" else "used"])


def _where_of(mark: str) -> str:
    """A mark's name in reviews: "level2 mark 5", "scroll1 points"."""
    place, what = mark.split(".")
    return f"{place} mark {what}" if place.startswith("level") else f"{place} {what}"


def draw_readings(layer: Layer, template: Template, sheet: SheetResult, readings: Readings) -> None:
    """Draw all readings of a sheet, and its points, on a layer over it."""
    _Drawing(layer, template, sheet, readings, {line.where: line for line in sheet.review}).draw()
