"""A played sheet of which a symbol that may be crossed out and a circle are open, for tests of what asks and takes answers."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from scanner.engine import score_state
from scanner.reading.readings import CONTENT_CHARACTERS, Readings
from scanner.sheet.template import Template
from tests.decode.simulated import Noise, play, read, truth_state

SHEET = play(np.random.default_rng(1), turns=24)
TRUTH = truth_state(SHEET)
TOTAL = int(score_state(TRUTH)["total"])


def with_cell(row: int, column: int, character: str) -> dict[str, Any]:
    """The true state with another character in a cell, counted from 0."""
    rows = list(TRUTH["obelisk"])
    rows[row] = rows[row][:column] + character + rows[row][column + 1 :]
    return {**TRUTH, "obelisk": rows}


def total_with(character: str) -> int:
    """The sheet's total if the open cell holds this."""
    return int(score_state(with_cell(ROW, COLUMN, character))["total"])


ROW, COLUMN = next(
    (row, column)
    for row, column in np.argwhere(np.isin(SHEET.obelisk, list("O*^@Y"))).tolist()
    if score_state(with_cell(row, column, "x"))["total"] != TOTAL
)
SYMBOL = str(SHEET.obelisk[ROW, COLUMN])
CELL = f"obelisk r{ROW + 1} c{COLUMN + 1}"
CIRCLE = "level1 mark 3"
CIRCLE_TRUTH = "marked" if SHEET.levels[0] == 3 else "unmarked"
TRUE = {CELL: SYMBOL, CIRCLE: CIRCLE_TRUTH}


def doubtful() -> Readings:
    """The sheet's readings; only the two places leave doubts."""
    readings = read(np.random.default_rng(3), SHEET, Noise(circles=0.0, skip_borders=False))
    cell = np.full(len(CONTENT_CHARACTERS), 1e-9)
    cell[CONTENT_CHARACTERS.index(SYMBOL)], cell[CONTENT_CHARACTERS.index("x")] = 0.7, 0.3
    grid = readings.content["obelisk"].copy()
    grid[ROW, COLUMN] = np.log(cell)
    odds = 0.5 if CIRCLE_TRUTH == "marked" else -0.5
    marks = {**readings.marks, CIRCLE.replace(" mark ", "."): odds}
    return replace(readings, content={**readings.content, "obelisk": grid}, marks=marks)


def doubtful_reader() -> Callable[[Sequence[object], Template], list[Readings]]:
    """Stands in for `read_sheets`: whatever the pictures show, every sheet is read so."""

    def read_all(rectified: Sequence[object], _template: Template) -> list[Readings]:
        return [doubtful() for _ in rectified]

    return read_all
