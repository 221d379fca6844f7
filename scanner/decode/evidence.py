"""Readings as evidence, hardened against overconfidence: likelihoods for cells, log-likelihood ratios for edges."""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from scanner.decode.chains import beside_clear_marks
from scanner.decode.lattice import Lattice, lattice
from scanner.engine.obelisk.sheet import (
    OBELISK_COLUMNS,
    OBELISK_ROWS,
    ROWS_A_LEVEL,
    SCROLL_POINTS,
    SYMBOLS,
    WALL_COLUMNS,
    WALL_ROWS,
)
from scanner.geometry import FloatArray, read_only
from scanner.reading.readings import CONTENT_CHARACTERS, CONTENT_LABELS, LogArray, Readings

CHARACTERS: Final = "_" + SYMBOLS + "x"
"""What a cell may hold, in the order of the last axis of `Evidence.obelisk`."""

_ORDER: Final = [CONTENT_CHARACTERS.index(character) for character in CHARACTERS]
_OTHER: Final = CONTENT_LABELS.index("other")

UNRECOGNISED: Final = 0.1
"""How often a drawn symbol, or dirt on a blank cell, is so odd that it reads as something else altogether."""

FLOOR: Final = 1e-5
"""The least likelihood of anything: no reading is more certain than this."""

WEAK_MARK: Final = 0.2
"""A circle that looks marked, but by less than this share of the sheet's clear marks, may be bare: in a photo that a program
has made black and white, bare circles of a sheet do. Circles here lie apart, so that few are weak for other causes."""

SHAPE_EDGE_DRAWN: Final = 0.985
"""The share of a shape's outline that its player draws, away from the grid's border."""
BORDER_DRAWN: Final = 0.5
"""The same on the grid's outer border, where a printed line is there already and many players draw none."""
LEVEL_LINE_DRAWN: Final = 0.95
"""The same on a level line, which is printed bold."""
STRAY_EDGE: Final = 0.004
"""The share of other edges that carry a stroke."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """obelisk: float64 (60, 7), scrolls: float64 (3, 4, 7): likelihoods of CHARACTERS, up to a factor a cell.
    obelisk_edges, wall_edges: float64 (edges of the lattice,), log-likelihood ratio of "a shape's outline runs here".
    marks: circle -> log-odds that it is marked."""

    obelisk: FloatArray
    scrolls: FloatArray
    obelisk_edges: FloatArray
    wall_edges: FloatArray
    wall_struck: FloatArray
    marks: dict[str, float]


def gather(readings: Readings) -> Evidence:
    """The evidence in the readings of one obelisk sheet."""
    obelisk = _likelihoods(readings.content["obelisk"]).reshape(-1, len(CHARACTERS))
    scrolls = _likelihoods(np.stack([readings.content[f"scroll{n + 1}"].reshape(4, -1) for n in range(len(SCROLL_POINTS))]))
    grids = {"obelisk": lattice(OBELISK_ROWS, OBELISK_COLUMNS), "wall": lattice(WALL_ROWS, WALL_COLUMNS)}
    edges = {
        name: edge_gains(grid, grid.flatten_edges(readings.edges_h[name], readings.edges_v[name]))
        for name, grid in grids.items()
    }
    struck = np.asarray(readings.struck["wall"], float).ravel()
    marks = beside_clear_marks({name: float(value) for name, value in readings.marks.items()}, WEAK_MARK)
    return Evidence(obelisk, scrolls, edges["obelisk"], edges["wall"], struck, marks)


def _likelihoods(log_probabilities: LogArray) -> FloatArray:
    probabilities = np.exp(np.asarray(log_probabilities, float))
    likely: FloatArray = probabilities[..., _ORDER] + UNRECOGNISED * probabilities[..., [_OTHER]] + FLOOR
    return likely


def edge_gains(grid: Lattice, log_odds: FloatArray) -> FloatArray:
    """Log-likelihood ratio of "a shape's outline runs here" against "none does", from the log-odds that ink is seen.

    Players forget strokes and draw stray ones, so the ratio is bounded however certain the ink is; on the outer border and
    the level lines a missing stroke says little.
    """
    drawn = _drawn(grid)
    odds = np.exp(np.clip(log_odds, -30.0, 30.0))
    gains: FloatArray = np.log(drawn * odds + 1 - drawn) - np.log(STRAY_EDGE * odds + 1 - STRAY_EDGE)
    return gains


@cache
def _drawn(grid: Lattice) -> FloatArray:
    """float64 (edge_count,): how often a shape's outline is drawn where it runs along each edge."""
    drawn = np.full(grid.edge_count, SHAPE_EDGE_DRAWN)
    for height in range(ROWS_A_LEVEL, grid.rows, ROWS_A_LEVEL):
        row = grid.rows - height
        drawn[row * grid.columns : (row + 1) * grid.columns] = LEVEL_LINE_DRAWN
    drawn[grid.border] = BORDER_DRAWN
    return read_only(drawn)
