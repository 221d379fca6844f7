"""Rectified sheets to readings: every network runs once over the crops of all sheets of a photo."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scanner.cells import Cover, Rectified, crop, find_cover
from scanner.geometry import read_only
from scanner.reading.networks import network
from scanner.reading.readings import CONTENT_LABELS, LogArray, Readings
from scanner.sheet.template import Template

_SYMBOLS: Final = slice(CONTENT_LABELS.index("sun"), CONTENT_LABELS.index("lotus") + 1)
_CROSSED: Final = slice(CONTENT_LABELS.index("crossed"), CONTENT_LABELS.index("crossed") + 1)
_SURE: Final = 0.9
"""Nothing lies on a cell that lost few of its lines if a symbol is seen there so surely: its own strokes hid them, or noise."""
_CLEAR: Final = 0.99
_LIES_THERE: Final = 0.25
"""How often something does if a crossing-out is seen: the rim of what lies there may look like one; or if a symbol is seen as
clearly as _CLEAR in a cell that lost most of its lines."""

TAKEN_BACK_ODDS: Final = 3.0
"""The most, in log-odds, that a circle under very much ink counts for a mark: people take marks back by scribbling on them."""
_BLACKENED: Final = 0.65
"""Share of a circle's inside under ink. Ticks, crosses and scribbles that mark it cover 0.61 at most on clean photos, marks
that were scribbled out 0.7 and more."""
_HEAVIER: Final = 0.3
"""How much more of it is under ink than of any of the sheet's other marked circles. By one hand none was on clean photos."""


def read_sheets(sheets: Sequence[Rectified], template: Template) -> list[Readings]:
    """What the networks say of sheets of one template, in order; nothing of places over which something lies."""
    if not sheets:
        return []
    crops = [crop(sheet, template) for sheet in sheets]
    content = _Taker(network("content")(np.concatenate([c.content for c in crops])))
    edges = _Taker(network("edges")(np.concatenate([c.edges for c in crops])))
    struck = _Taker(network("struck")(np.concatenate([c.struck for c in crops])))
    marks = _Taker(network("marks")(np.concatenate([c.marks for c in crops])))
    return [veiled(_readings(template, content, edges, struck, marks), find_cover(sheet, template)) for sheet in sheets]


def veiled(readings: Readings, cover: Cover) -> Readings:
    """The readings without what they say of places that could not be looked at: see `Readings`."""
    open_cells = {
        name: cover.perhaps[name] & ~cover.cells[name] & ~_shows(content, _SYMBOLS)
        for name, content in readings.content.items()
    }
    # A cell that has lost most of its lines may have lost them to the very symbol that is clearly seen there.
    doubtful = {
        name: (cells & _shows(readings.content[name], _CROSSED))
        | (cover.cells[name] & _shows(readings.content[name], _SYMBOLS, _CLEAR))
        for name, cells in open_cells.items()
    }
    hidden = {name: (cover.cells[name] | cells) & ~doubtful[name] for name, cells in open_cells.items()}
    taken_back = _perhaps_taken_back(readings.marks, cover.ink)
    return replace(
        readings,
        content=_veil(_half_veil(readings.content, doubtful), hidden, -np.log(len(CONTENT_LABELS))),
        edges_h=_veil(readings.edges_h, cover.edges_h, 0.0),
        edges_v=_veil(readings.edges_v, cover.edges_v, 0.0),
        struck=_veil(readings.struck, cover.cells, 0.0),
        marks={
            name: 0.0 if name in cover.marks else min(log_odds, TAKEN_BACK_ODDS) if name in taken_back else log_odds
            for name, log_odds in readings.marks.items()
        },
    )


def _shows(content: LogArray, labels: slice, at_least: float = _SURE) -> NDArray[np.bool_]:
    """bool (rows, columns), of log-probabilities (rows, columns, 8): whether one of the labels is seen so surely."""
    shown = content[..., labels].max(axis=-1)
    sure: NDArray[np.bool_] = (shown > np.log(at_least)) & (shown == content.max(axis=-1))
    return sure


def _perhaps_taken_back(marks: Mapping[str, float], ink: Mapping[str, float]) -> set[str]:
    """A marked circle under much more ink than any other, or a single one that is all but black."""
    marked = {name for name, log_odds in marks.items() if log_odds > 0}
    found = set()
    for name in marked:
        others = [ink[other] for other in marked - {name}]
        if ink[name] >= (max(others) + _HEAVIER if others else _BLACKENED):
            found.add(name)
    return found


def _veil(arrays: Mapping[str, LogArray], hidden: Mapping[str, NDArray[np.bool_]], unknown: float) -> dict[str, LogArray]:
    found = dict(arrays)
    for name, array in arrays.items():
        if hidden[name].any():
            changed = array.copy()
            changed[hidden[name]] = unknown
            found[name] = read_only(changed)
    return found


def _half_veil(content: Mapping[str, LogArray], cells: Mapping[str, NDArray[np.bool_]]) -> dict[str, LogArray]:
    """Log-probabilities that allow, in those cells, for something that lies there."""
    found = dict(content)
    for name, array in content.items():
        if cells[name].any():
            changed = array.copy()
            seen = np.exp(array[cells[name]].astype(float))
            changed[cells[name]] = np.log((1 - _LIES_THERE) * seen + _LIES_THERE / len(CONTENT_LABELS))
            found[name] = read_only(changed)
    return found


def _readings(template: Template, content: "_Taker", edges: "_Taker", struck: "_Taker", marks: "_Taker") -> Readings:
    with_edges = [g for g in template.grids if "edges" in g.reads]
    return Readings(
        content={g.name: content.take(g.rows, g.columns, len(CONTENT_LABELS)) for g in template.grids if "content" in g.reads},
        edges_h={g.name: edges.take(g.rows + 1, g.columns) for g in with_edges},
        edges_v={g.name: edges.take(g.rows, g.columns + 1) for g in with_edges},
        struck={g.name: struck.take(g.rows, g.columns) for g in template.grids if "struck" in g.reads},
        marks={mark.name: float(marks.take(1, 1)[0, 0]) for mark in template.marks},
    )


class _Taker:
    """Hands out a network's outputs piece by piece, in the order in which the crops were cut."""

    def __init__(self, outputs: NDArray[np.float32]) -> None:
        self._outputs = outputs
        self._next = 0

    def take(self, rows: int, columns: int, *labels: int) -> LogArray:
        piece = self._outputs[self._next : self._next + rows * columns].reshape(rows, columns, *labels)
        self._next += rows * columns
        return read_only(piece)
