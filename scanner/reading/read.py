"""Crops to readings: every network runs once over all its crops of a sheet."""

import numpy as np
from numpy.typing import NDArray

from scanner.cells.crops import Crops
from scanner.geometry import read_only
from scanner.reading.networks import network
from scanner.reading.readings import CONTENT_LABELS, LogArray, Readings
from scanner.sheet.template import Template


def read(crops: Crops, template: Template) -> Readings:
    """What the networks say of one sheet's crops."""
    content = _Taker(network("content")(crops.content))
    edges = _Taker(network("edges")(crops.edges)[:, 0])
    struck = _Taker(network("struck")(crops.struck)[:, 0])
    marks = network("marks")(crops.marks)[:, 0]
    with_content = [g for g in template.grids if "content" in g.reads]
    with_edges = [g for g in template.grids if "edges" in g.reads]
    with_struck = [g for g in template.grids if "struck" in g.reads]
    return Readings(
        content={g.name: content.take(g.rows, g.columns, len(CONTENT_LABELS)) for g in with_content},
        edges_h={g.name: edges.take(g.rows + 1, g.columns) for g in with_edges},
        edges_v={g.name: edges.take(g.rows, g.columns + 1) for g in with_edges},
        struck={g.name: struck.take(g.rows, g.columns) for g in with_struck},
        marks={mark.name: float(value) for mark, value in zip(template.marks, marks, strict=True)},
    )


class _Taker:
    """Hands out a long array piece by piece, in the order in which the crops were cut."""

    def __init__(self, values: NDArray[np.float32]) -> None:
        self._values = values
        self._next = 0

    def take(self, *shape: int) -> LogArray:
        piece = self._values.reshape(len(self._values), -1)[self._next : self._next + shape[0] * shape[1]].reshape(shape)
        self._next += shape[0] * shape[1]
        return read_only(piece)
