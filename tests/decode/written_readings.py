"""Readings of a sheet whose contents are known, for any game: certain, or with calibrated noise."""

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from scanner.reading.readings import CONTENT_CHARACTERS, Readings
from scanner.sheet.template import Grid, Template
from scanner.sheet.written import Written


def _content(grid: Grid, rows: list[str], apart: NDArray[np.float64], rng: Generator) -> NDArray[np.float32]:
    """Exact posteriors when class c is seen as a unit vector c times `apart` (rows, columns) plus unit noise."""
    truth = np.array([[[character == label for label in CONTENT_CHARACTERS] for character in row] for row in rows], float)
    logits = apart[..., None] * (apart[..., None] * truth + rng.standard_normal((grid.rows, grid.columns, 8)))
    logits -= logits.max(-1, keepdims=True)
    return np.asarray(logits - np.log(np.exp(logits).sum(-1, keepdims=True)), np.float32)


def readings_of(
    template: Template, shown: Written, rng: Generator | None = None, hard: float = 0.0, apart: float = 3.2
) -> Readings:
    """Readings that leave no doubt; with `hard`, that share of cells and circles is seen less clearly, `apart` standard
    deviations of noise apart."""
    rng = rng or np.random.default_rng(0)
    content = {}
    for grid in template.grids:
        rows = [row.replace(".", "_") for row in shown.cells.get(grid.name, ("_" * grid.columns,) * grid.rows)]
        clear = np.where(rng.random((grid.rows, grid.columns)) < hard, apart, 8.0)
        content[grid.name] = _content(grid, rows, clear, rng)
    marks = {}
    for mark in template.marks:
        clear_mark = apart if rng.random() < hard else 8.0
        seen = clear_mark * (1 if mark.name in shown.marks else -1) / 2 + rng.standard_normal()
        marks[mark.name] = float(clear_mark * seen)
    return Readings(content, {}, {}, {}, marks)
