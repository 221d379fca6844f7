"""Outlines to shapes: the most probable ways to lay shapes of the tile set on a grid, given its drawn edges.

An edge is drawn where a shape meets another shape, a free cell or the grid's border, and nowhere else; neighbouring shapes
share their line. Everything is counted as regret, the log-likelihood lost against the best that each edge and cell could
give for itself, as soon as it is known: a shape decides its whole outline when it is laid. A sweep over the cells in
reading order keeps, for every set of cells taken around the front, the cheapest way there, and how it can be reached: a Viterbi
search over a broken profile. Going back, it is known what each front costs to the end; then only histories are followed that
can be among the best few.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import inf
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from scanner.decode.lattice import IntArray, Lattice
from scanner.geometry import FloatArray

Past = tuple[Any, ...]
"""Placements laid, the last one first, as a linked list: (placement, (placement before, ...)), or () at the start."""

History = tuple[float, Past]
"""Regret so far, and the placements laid."""

Way = tuple[int, float, int]
"""To a node: the node before, the regret, and the placement laid or -1."""

OUTLINE_SLACK = 10.0
"""A shape is considered if the edges that speak against it cost no more than this, natural log-likelihood."""

MOST_CONSIDERED = 180
"""The most placements considered: readable sheets have about half as many."""

BEAM = 64
"""The most fronts kept at a cell."""

_NODES_A_HISTORY = 5
"""So many nodes mostly make one of the best histories more."""

_ROUNDING = 1e-9
"""More than the same costs, summed up in another order, differ by."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Shapes on a grid. gain: log-likelihood over that of the empty grid, natural; placements: indices into the lattice."""

    gain: float
    placements: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outlines:
    """A grid's drawn edges, and what they say of every placement.

    edge_gain: float64 (edge_count,), log-likelihood ratio of drawn against not drawn.
    costs: float64 (placements,), what each placement's outline costs against the best reading of the edges that it decides.
    considered: the placements whose outlines cost at most OUTLINE_SLACK, and of these the best MOST_CONSIDERED.
    shared: for each of these the lines missing from its outline as bits of the cells beyond, with what they cost; a shape
        there has counted them already.
    """

    lattice: Lattice
    edge_gain: FloatArray
    costs: FloatArray
    considered: tuple[int, ...]
    shared: tuple[tuple[tuple[int, float], ...], ...]


def outlines_of(lattice: Lattice, edge_gain: FloatArray) -> Outlines:
    """The outlines that edges, float64 (edge_count,), show on a grid."""
    gain = np.append(edge_gain, 0.0)
    missing, unwanted = np.maximum(-gain, 0.0), np.maximum(gain, 0.0)
    costs = missing[lattice.outline].sum(1) + unwanted[lattice.inside].sum(1)
    good = np.flatnonzero(costs <= OUTLINE_SLACK)
    if len(good) > MOST_CONSIDERED:
        good = np.sort(good[np.argsort(costs[good], kind="stable")[:MOST_CONSIDERED]])
    considered, lost = tuple(good.tolist()), missing.tolist()
    shared = [[(bit, lost[edge]) for edge, bit in around(lattice, index) if bit and lost[edge] > 0] for index in considered]
    return Outlines(lattice, edge_gain, costs, considered, tuple(map(tuple, shared)))


@cache
def around(lattice: Lattice, index: int) -> tuple[tuple[int, int], ...]:
    """The edges of a placement's outline, cell by cell, each with the bit of the cell beyond it, 0 beyond the border."""
    mask = lattice.masks[index]
    return tuple(
        (edge, 1 << beyond if beyond >= 0 else 0)
        for cell in lattice.cells[index]
        for edge, beyond in lattice.neighbours[cell]
        if beyond < 0 or not mask >> beyond & 1
    )


def layouts(
    outlines: Outlines, cell_gain: FloatArray, penalty: FloatArray | None = None, keep: int = 1, slack: float = 10.0
) -> list[Layout]:
    """The best layouts made of the placements considered, best first, at most `keep`, none more than `slack` below the best.

    cell_gain: float64 (cells,), log-likelihood ratio of a cell's being covered by a shape. penalty: float64 (placements,), 0 or
    more, what speaks against each placement beside its outline and its cells.
    """
    histories = _followed(_swept(outlines, cell_gain, penalty, slack), keep, slack)
    potential, unwanted = np.maximum(cell_gain, 0.0).tolist(), np.maximum(outlines.edge_gain, 0.0).tolist()
    best_possible = sum(potential) + sum(unwanted)
    return [Layout(best_possible - cost, _unrolled(past)) for cost, past in histories]


class _Graph(NamedTuple):
    """The nodes at which something was decided, in the order of the cells; the first is the start. costs: of the cheapest way
    there; limits: the most that a history may cost there; ends: the nodes of the last cell's fronts, the cheapest first."""

    costs: list[float]
    limits: list[float]
    ways: list[list[Way]]
    ends: list[int]


@cache
def _borders(lattice: Lattice) -> IntArray:
    """int64 (cells, 2): the edges of each cell that lie on the border, filled up with `edge_count`."""
    found = [[edge for edge, beyond in near if beyond < 0] for near in lattice.neighbours]
    return np.array([[*edges, lattice.edge_count, lattice.edge_count][:2] for edges in found])


def _swept(outlines: Outlines, cell_gain: FloatArray, penalty: FloatArray | None, slack: float) -> _Graph:
    """The ways over the grid, cell by cell; fronts that cost more than `slack` above the cheapest are left."""
    lattice = outlines.lattice
    columns = lattice.columns
    wanted_none = np.maximum(np.append(outlines.edge_gain, 0.0), 0.0)
    left_free = (np.maximum(cell_gain, 0.0) + wanted_none[_borders(lattice)].sum(1)).tolist()
    unwanted = wanted_none.tolist()
    starting = _starting(outlines, cell_gain, penalty)
    graph = _Graph([0.0], [inf], [[]], [])
    costs = graph.costs
    fronts, nodes = [0], [0]
    for cell in range(lattice.rows * columns):
        bit = 1 << cell
        up, back = bit >> columns, bit >> 1 if cell % columns else 0
        new = ~up
        if all(map(bit.__and__, fronts)):
            following = [taken & new for taken in fronts]
            if len(set(following)) == len(fronts):
                # Nothing is decided here, and no two fronts become one.
                fronts = following
                continue
        up_regret, back_regret = unwanted[cell] if up else 0.0, unwanted[lattice.left(cell)] if back else 0.0
        shapes, free = starting[cell], left_free[cell]
        cheapest: dict[int, float] = {}
        ways: defaultdict[int, list[Way]] = defaultdict(list)
        least = limit = inf
        for taken, node in zip(fronts, nodes, strict=True):
            cost = costs[node]
            if taken & bit:
                key = taken & new
                ways[key].append((node, 0.0, -1))
                if cost < cheapest.get(key, inf):
                    cheapest[key] = cost
                if cost < least:
                    least, limit = cost, cost + slack
                continue
            regret = free
            if not taken & up:
                regret += up_regret
            if not taken & back:
                regret += back_regret
            total = cost + regret
            if total <= limit:
                key = taken & new
                ways[key].append((node, regret, -1))
                if total < cheapest.get(key, inf):
                    cheapest[key] = total
                if total < least:
                    least, limit = total, total + slack
            for index, mask, alone, at_least, shared in shapes:
                if not taken & mask and cost + at_least <= limit:
                    regret = alone
                    for beyond, twice in shared:
                        if taken & beyond:
                            regret -= twice
                    total = cost + regret
                    if total <= limit:
                        key = (taken | mask) & new
                        ways[key].append((node, regret, index))
                        if total < cheapest.get(key, inf):
                            cheapest[key] = total
                        if total < least:
                            least, limit = total, total + slack
        # The best first: they set the limit for the others at the next cell.
        fronts = sorted([key for key, cost in cheapest.items() if cost <= limit], key=cheapest.__getitem__)[:BEAM]
        nodes = []
        for key in fronts:
            found = ways[key]
            node, regret, index = found[0]
            if len(found) > 1 or regret or index >= 0:
                node = len(graph.ways)
                costs.append(cheapest[key])
                graph.limits.append(limit)
                graph.ways.append(found)
            nodes.append(node)
    return graph._replace(ends=nodes)


_Start = tuple[int, int, float, float, tuple[tuple[int, float], ...]]


def _starting(outlines: Outlines, cell_gain: FloatArray, penalty: FloatArray | None) -> list[list[_Start]]:
    """For each cell the placements considered that begin there: index, bits, regret, the least that is left of it when all
    shared lines were counted, and these."""
    lattice = outlines.lattice
    costs = (outlines.costs if penalty is None else outlines.costs + penalty).tolist()
    forgone = np.maximum(-cell_gain, 0.0).tolist()
    starting: list[list[_Start]] = [[] for _ in range(lattice.rows * lattice.columns)]
    for index, shared in zip(outlines.considered, outlines.shared, strict=True):
        cells = lattice.cells[index]
        regret = costs[index] + sum([forgone[cell] for cell in cells])
        least = regret - sum([twice for _, twice in shared]) - _ROUNDING
        starting[cells[0]].append((index, lattice.masks[index], regret, least, shared))
    return starting


_regret = itemgetter(0)


def _followed(graph: _Graph, keep: int, slack: float) -> list[History]:
    """The best histories, at most `keep` and none more than `slack` above the best, best first."""
    ahead = _ahead(graph)
    totals = [least + rest for least, rest in zip(graph.costs, ahead, strict=True)]
    dearest = ahead[0] + slack + _ROUNDING
    good = sorted([total for total in totals if total <= dearest])
    # As long as there are enough histories by the best nodes, no others need to be followed.
    tried = _NODES_A_HISTORY * keep
    while True:
        bound = good[tried] + _ROUNDING if tried < len(good) else dearest
        found = _within(graph, [node for node, total in enumerate(totals) if total <= bound], ahead, keep, bound)
        if len(found) >= keep or bound >= dearest:
            return found
        tried *= 4


def _within(graph: _Graph, nodes: Sequence[int], ahead: Sequence[float], keep: int, bound: float) -> list[History]:
    """The best histories that cost at most `bound` in all, at most `keep`, best first; nodes: those that they may go by."""
    limits, ways = graph.limits, graph.ways
    histories: dict[int, list[History]] = {0: [(0.0, ())]}
    for node in nodes[1:]:
        most = min(bound - ahead[node], limits[node])
        made: list[History] = []
        for before, regret, index in ways[node]:
            if before not in histories:
                continue
            past = histories[before]
            if past[-1][0] + regret > most:
                past = [entry for entry in past if entry[0] + regret <= most]
            if index >= 0:
                made += [(cost + regret, (index, laid)) for cost, laid in past]
            else:
                made += [(cost + regret, laid) for cost, laid in past]
        if len(ways[node]) > 1:
            made.sort(key=_regret)
            del made[keep:]
        if made:
            histories[node] = made
    return sorted([entry for node in graph.ends for entry in histories.get(node, ())], key=_regret)[:keep]


def _ahead(graph: _Graph) -> list[float]:
    """What each node costs at least to the end."""
    ahead = [inf] * len(graph.ways)
    for node in graph.ends:
        ahead[node] = 0.0
    for node in range(len(ahead) - 1, 0, -1):
        rest = ahead[node]
        if rest < inf:
            for before, regret, _ in graph.ways[node]:
                ahead[before] = min(ahead[before], regret + rest)
    return ahead


def _unrolled(past: Past) -> tuple[int, ...]:
    found: list[int] = []
    while past:
        index, past = past
        found.append(index)
    return tuple(reversed(found))
