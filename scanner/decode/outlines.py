"""Outlines to shapes: the most probable ways to lay shapes of the tile set on a grid, given its drawn edges.

An edge is drawn where a shape meets another shape, a free cell or the grid's border, and nowhere else; neighbouring shapes
share their line. Everything is counted as regret, the log-likelihood lost against the best that each edge and cell could
give for itself, as soon as it is known: a shape decides its whole outline when it is laid. A sweep over the cells in
reading order keeps, for every set of cells taken around the front, the best few histories: a k-best Viterbi search over a
broken profile.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from operator import itemgetter
from typing import Any

import numpy as np

from scanner.decode.lattice import Lattice
from scanner.geometry import FloatArray

Past = tuple[Any, ...]
"""Placements laid, the last one first, as a linked list: (placement, (placement before, ...)), or () at the start."""

History = tuple[float, Past]
"""Regret so far, and the placements laid."""

OUTLINE_SLACK = 10.0
"""A shape is considered if the edges that speak against it cost no more than this, natural log-likelihood."""

MOST_CONSIDERED = 180
"""The most placements considered: readable sheets have about half as many."""

BEAM = 64
"""The most fronts kept at a cell."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Shapes on a grid. gain: log-likelihood over that of the empty grid, natural; placements: indices into the lattice."""

    gain: float
    placements: tuple[int, ...]


def outline_costs(lattice: Lattice, edge_gain: FloatArray) -> FloatArray:
    """float64 (placements,): what each placement's outline costs against the best reading of the edges that it decides.

    edge_gain: float64 (edge_count,), log-likelihood ratio of drawn against not drawn."""
    gain = np.append(edge_gain, 0.0)
    missing, unwanted = np.maximum(-gain, 0.0), np.maximum(gain, 0.0)
    costs: FloatArray = missing[lattice.outline].sum(1) + unwanted[lattice.inside].sum(1)
    return costs


def considered(lattice: Lattice, edge_gain: FloatArray) -> list[int]:
    """The placements whose outlines cost at most OUTLINE_SLACK, and of these the best MOST_CONSIDERED."""
    costs = outline_costs(lattice, edge_gain)
    best = np.argsort(costs, kind="stable")[:MOST_CONSIDERED]
    return sorted(best[costs[best] <= OUTLINE_SLACK].tolist())


def layouts(
    lattice: Lattice,
    edge_gain: FloatArray,
    allowed: Sequence[int],
    cell_gain: FloatArray,
    penalty: FloatArray | None = None,
    keep: int = 1,
    slack: float = 10.0,
) -> list[Layout]:
    """The best layouts made of the placements `allowed`, best first, at most `keep`, none more than `slack` below the best.

    cell_gain: float64 (cells,), log-likelihood ratio of a cell's being covered by a shape. penalty: float64 (placements,), 0 or
    more, what speaks against each placement beside its outline and its cells.
    """
    count, columns = lattice.rows * lattice.columns, lattice.columns
    missing = np.maximum(-edge_gain, 0.0).tolist()
    unwanted = np.maximum(edge_gain, 0.0).tolist()
    costs = outline_costs(lattice, edge_gain).tolist()
    potential = np.maximum(cell_gain, 0.0).tolist()
    if penalty is not None:
        costs = [cost + more for cost, more in zip(costs, penalty.tolist(), strict=True)]
    forgone = np.maximum(-cell_gain, 0.0).tolist()
    starting: list[list[tuple[int, int, float, list[tuple[int, float]], float]]] = [[] for _ in range(count)]
    for index in allowed:
        cells, mask = lattice.cells[index], lattice.masks[index]
        regret = costs[index] + sum(forgone[cell] for cell in cells)
        shared = []
        for cell in cells:
            for edge, beyond in lattice.neighbours[cell]:
                if beyond >= 0 and not mask >> beyond & 1 and missing[edge] > 0:
                    shared.append((1 << beyond, missing[edge]))
        starting[cells[0]].append((index, mask, regret, shared, sum(twice for _, twice in shared)))
    states: dict[int, list[History]] = {0: [(0.0, ())]}
    for cell in range(count):
        row, column = divmod(cell, columns)
        bit = 1 << cell
        old = ~(1 << (cell - columns)) if cell >= columns else -1
        on_border = potential[cell] + sum(unwanted[edge] for edge, beyond in lattice.neighbours[cell] if beyond < 0)
        up = (1 << cell - columns, unwanted[lattice.above(cell)]) if row else (0, 0.0)
        back = (1 << cell - 1, unwanted[lattice.left(cell)]) if column else (0, 0.0)
        following: dict[int, list[History]] = {}
        limit = inf
        for taken, histories in states.items():
            cheapest = histories[0][0]
            if taken & bit:
                limit = min(limit, cheapest + slack)
                _merge(following, taken & old, histories, keep)
                continue
            regret = on_border
            if not taken & up[0]:
                regret += up[1]
            if not taken & back[0]:
                regret += back[1]
            if cheapest + regret <= limit:
                limit = min(limit, cheapest + regret + slack)
                _merge(following, taken & old, [(cost + regret, past) for cost, past in histories], keep)
            for index, mask, alone, shared, most_shared in starting[cell]:
                if not taken & mask and cheapest + alone - most_shared <= limit:
                    regret = alone
                    for beyond, twice in shared:
                        if taken & beyond:
                            regret -= twice
                    if cheapest + regret <= limit:
                        limit = min(limit, cheapest + regret + slack)
                        grown = [(cost + regret, (index, past)) for cost, past in histories]
                        _merge(following, (taken | mask) & old, grown, keep)
        kept = [
            (key, histories if histories[-1][0] <= limit else [entry for entry in histories if entry[0] <= limit])
            for key, histories in following.items()
            if histories[0][0] <= limit
        ]
        # The best first: they set the limit for the others at the next cell.
        kept.sort(key=lambda entry: entry[1][0][0])
        del kept[BEAM:]
        states = dict(kept)
    ended = sorted((entry for histories in states.values() for entry in histories), key=lambda entry: entry[0])[:keep]
    best_possible = sum(potential) + sum(unwanted)
    return [Layout(best_possible - cost, _unrolled(past)) for cost, past in ended]


_regret = itemgetter(0)


def _merge(into: dict[int, list[History]], key: int, histories: list[History], keep: int) -> None:
    present = into.get(key)
    if present is None:
        into[key] = histories
    elif keep == 1:
        if histories[0][0] < present[0][0]:
            into[key] = histories
    else:
        both = present + histories
        both.sort(key=_regret)
        into[key] = both[:keep]


def _unrolled(past: Past) -> tuple[int, ...]:
    found: list[int] = []
    while past:
        index, past = past
        found.append(index)
    return tuple(reversed(found))
