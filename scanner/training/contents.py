"""What to write on sheets that networks learn from: like the game's sheets to look at, but free of its rules, so that
no network learns what can stand where."""

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.random import Generator

from scanner.engine.obelisk.polyomino import SHAPES
from scanner.sheet.template import Grid, Template
from scanner.synth.filling import SPOILED, Content

_SHAPES: Final = tuple(SHAPES.values())
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def random_content(template: Template, rng: Generator) -> Content:
    """One sheet: every grid and mark of the template filled at a density of its own."""
    shapes: dict[str, list[str]] = {}
    cells: dict[str, list[str]] = {}
    struck: dict[str, int] = {}
    for grid in template.grids:
        if "edges" in grid.reads:
            from_base = "content" in grid.reads
            shapes[grid.name] = _random_shapes(grid, rng, float(rng.beta(1.5, 1.2)), from_base)
        if "content" in grid.reads:
            cells[grid.name] = _random_cells(grid, shapes.get(grid.name), rng)
        if "struck" in grid.reads:
            struck[grid.name] = int(rng.choice([0, 4, 8, 12]))
    share = rng.uniform(0.1, 0.6)
    marks = frozenset(mark.name for mark in template.marks if rng.random() < share)
    return Content(cells, shapes, struck, marks)


def with_slips(content: Content, rng: Generator, share: float = 0.01) -> Content:
    """The same sheet with a `share` of what is written in cells replaced by something that is no symbol, or taken back, so
    that a network calibrated on played games still knows that people write such things too."""
    slips = ("?", SPOILED)
    cells = {
        name: [
            "".join(slips[int(rng.integers(2))] if ch not in "._" and rng.random() < share else ch for ch in row)
            for row in rows
        ]
        for name, rows in content.cells.items()
    }
    return replace(content, cells=cells)


def _random_shapes(grid: Grid, rng: Generator, density: float, from_base: bool) -> list[str]:
    rows = [["."] * grid.columns for _ in range(grid.rows)]
    wanted = density * grid.rows * grid.columns * (1.0 if from_base else 0.6)
    covered = 0
    letters = iter(_LETTERS)
    for _ in range(300):
        if covered >= wanted:
            break
        shape = np.array(_SHAPES[int(rng.integers(len(_SHAPES)))])
        if rng.random() < 0.5:
            shape = shape[:, ::-1]
        shape = shape * rng.choice([-1, 1], 2)
        column = int(rng.integers(grid.columns))
        row = int(rng.integers(grid.rows))
        places = [(row + int(dr), column + int(dc)) for dr, dc in shape]
        if from_base:
            # Let it sink as far as it goes, as a tower grows.
            while all(_free(rows, r + 1, c) for r, c in places):
                places = [(r + 1, c) for r, c in places]
        if all(_free(rows, r, c) for r, c in places):
            letter = next(letters, None)
            if letter is None:
                break
            for r, c in places:
                rows[r][c] = letter
            covered += len(places)
    return ["".join(row) for row in rows]


def _free(rows: list[list[str]], r: int, c: int) -> bool:
    return 0 <= r < len(rows) and 0 <= c < len(rows[0]) and rows[r][c] == "."


def _random_cells(grid: Grid, shapes: list[str] | None, rng: Generator) -> list[str]:
    """Symbols mostly where a shape stands, crosses mostly where none does; some of everything everywhere."""
    filled = rng.uniform(0.2, 0.95)
    rows = []
    for r in range(grid.rows):
        row = ""
        for c in range(grid.columns):
            built = shapes is None or shapes[r][c] != "."
            symbol, crossed, other = (filled * 0.85, 0.04, 0.1) if built else (0.12, 0.25, 0.1)
            draw = rng.random()
            if draw < symbol and rng.random() < 0.1:
                row += SPOILED
            elif draw < symbol:
                # Eyes are drawn in more ways than the others, and flat suns look like them; all get their share.
                row += str(rng.choice(list("O*^@Y"), p=[0.26, 0.16, 0.17, 0.25, 0.16]))
            elif draw < symbol + crossed:
                row += "x"
            elif draw < symbol + crossed + other:
                row += "?"
            else:
                row += "_" if built else "."
        rows.append(row)
    return rows
