"""Readings as evidence, hardened against overconfidence: likelihoods for cells, log-likelihood ratios for edges."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from scanner.decode.borders import border_drawn
from scanner.decode.lattice import Lattice, lattice
from scanner.decode.peers import beside_clear_marks
from scanner.engine.obelisk.sheet import (
    OBELISK_COLUMNS,
    OBELISK_ROWS,
    ROWS_A_LEVEL,
    SCROLL_POINTS,
    SYMBOLS,
    WALL_COLUMNS,
    WALL_ROWS,
)
from scanner.geometry import FloatArray
from scanner.reading.readings import CONTENT_CHARACTERS, CONTENT_LABELS, LogArray, Readings

CHARACTERS: Final = "_" + SYMBOLS + "x"
"""What a cell may hold, in the order of the last axis of `Evidence.obelisk`."""

_ORDER: Final = [CONTENT_CHARACTERS.index(character) for character in CHARACTERS]
_OTHER: Final = CONTENT_LABELS.index("other")

UNRECOGNISED: Final = 0.003
"""How often a drawn symbol, or dirt on a blank cell, is so odd that it reads as something else altogether."""

FLOOR: Final = 3e-6
"""The least likelihood of anything: no reading is more certain than this."""

WEAK_MARK: Final = 0.2
"""A circle that looks marked, but by less than this share of the sheet's clear marks, may be bare: in a photo that a program
has made black and white, bare circles of a sheet do. Circles here lie apart, so that few are weak for other causes."""

SHAPE_EDGE_DRAWN: Final = 0.999
"""The share of a shape's outline that its player draws, away from the grid's border (for that see `borders`)."""
LEVEL_LINE_DRAWN: Final = 0.95
"""The same on a level line, which is printed bold."""
STRAY_EDGE: Final = 0.0001
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
    marks: dict[str, float]


def gather(readings: Readings) -> Evidence:
    """The evidence in the readings of one obelisk sheet."""
    obelisk = _likelihoods(readings.content["obelisk"]).reshape(-1, len(CHARACTERS))
    scrolls = _likelihoods(np.stack([readings.content[f"scroll{n + 1}"].reshape(4, -1) for n in range(len(SCROLL_POINTS))]))
    grids = {"obelisk": lattice(OBELISK_ROWS, OBELISK_COLUMNS), "wall": lattice(WALL_ROWS, WALL_COLUMNS)}
    odds = {
        name: np.exp(np.clip(grid.flatten_edges(readings.edges_h[name], readings.edges_v[name]), -30.0, 30.0))
        for name, grid in grids.items()
    }
    contents = shares(obelisk)
    anything = np.ones(WALL_ROWS * WALL_COLUMNS)
    covered = {"obelisk": (contents[:, 1:-1].sum(1), contents[:, 0]), "wall": (0 * anything, anything)}
    on_border = border_drawn([(grid, odds[name], *covered[name]) for name, grid in grids.items()], STRAY_EDGE)
    edges = {name: edge_gains(odds[name], _drawn(grid, on_border)) for name, grid in grids.items()}
    marks = beside_clear_marks({name: float(value) for name, value in readings.marks.items()}, WEAK_MARK)
    return Evidence(obelisk, scrolls, edges["obelisk"], edges["wall"], marks)


def _likelihoods(log_probabilities: LogArray) -> FloatArray:
    probabilities = np.exp(np.asarray(log_probabilities, float))
    likely: FloatArray = probabilities[..., _ORDER] + UNRECOGNISED * probabilities[..., [_OTHER]] + FLOOR
    return likely


def edge_gains(odds: FloatArray, drawn: FloatArray) -> FloatArray:
    """Log-likelihood ratio of "a shape's outline runs here" against "none does", from the odds that ink is seen and how often
    an outline is drawn where it runs there.

    Players forget strokes and draw stray ones, so the ratio is bounded however certain the ink is; on the outer border and
    the level lines a missing stroke may say little.
    """
    gains: FloatArray = np.log(drawn * odds + 1 - drawn) - np.log(STRAY_EDGE * odds + 1 - STRAY_EDGE)
    return gains


def _drawn(grid: Lattice, on_border: float) -> FloatArray:
    """float64 (edge_count,): how often a shape's outline is drawn where it runs along each edge."""
    drawn = np.full(grid.edge_count, SHAPE_EDGE_DRAWN)
    for height in range(ROWS_A_LEVEL, grid.rows, ROWS_A_LEVEL):
        row = grid.rows - height
        drawn[row * grid.columns : (row + 1) * grid.columns] = LEVEL_LINE_DRAWN
    drawn[grid.border] = on_border
    return drawn


def shares(weights: FloatArray) -> FloatArray:
    """The weights of the last axis made to sum to one."""
    made: FloatArray = weights / weights.sum(-1, keepdims=True)
    return made
