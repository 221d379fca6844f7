"""The most probable sheet that the rules allow: wall and obelisk read together."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf
from typing import Final

import numpy as np

from scanner.decode.building import Tower
from scanner.decode.carving import (
    EASY,
    NEVER_CARVED,
    NODE_LIMIT,
    SHEET_NODE_LIMIT,
    SLACK,
    Assignment,
    Carvings,
    Group,
    assign,
)
from scanner.decode.evidence import Evidence
from scanner.decode.forgotten import forgotten_groups
from scanner.decode.outlines import OUTLINE_SLACK, Layout, Outlines, around, layouts
from scanner.decode.targets import CELLS
from scanner.engine.obelisk.sheet import WALL_COLUMNS, WALL_ROWS
from scanner.geometry import FloatArray

_CELL_BONUS: Final = 0.6
"""Prefers layouts that cover more cells, because a shape too many is found out when it stands nowhere."""
LAYOUTS: Final = 48
"""The most layouts of the wall that are tried."""


@dataclass(frozen=True, slots=True)
class Carved:
    """The wall's groups and the symbols of one sheet.

    groups, assignment: the best solution: the groups on the wall and where each was carved; a group that stands nowhere and
    costs less than NEVER_CARVED is no group, but space between others.
    owners: float64 (60, 6): posterior probability that nothing was carved in an obelisk cell (first), or the symbol 1 to 5.
    scrolls: float64 (3, 4, 6), the same for the scrolls' cells.
    cost: regret of the best solution. complete: whether the search ended by itself.
    """

    groups: tuple[Group, ...]
    assignment: Assignment
    owners: FloatArray
    scrolls: FloatArray
    cost: float
    complete: bool


def carve(evidence: Evidence, outlines: Outlines, tower: Tower) -> Carved | None:
    """The most probable groups and carvings, and how probable others are; None if none was found within the bounds.

    outlines: those on the wall. tower: what the obelisk's outlines show."""
    wall, edges = outlines.lattice, outlines.edge_gain
    carvings = Carvings(evidence, wall, tower.built, tower.closed)
    penalty = np.zeros(len(wall.cells))
    for index, (_, places, _) in zip(outlines.considered, carvings.places_of(outlines.considered), strict=True):
        penalty[index] = min(places[0].regret if places else inf, -NEVER_CARVED)
    gains = edges.tolist()
    solutions: list[tuple[float, tuple[Group, ...], Assignment]] = []
    best, complete, nodes_left = inf, True, SHEET_NODE_LIMIT
    base = float(np.maximum(edges, 0.0).sum())
    covering = np.full(WALL_ROWS * WALL_COLUMNS, _CELL_BONUS)
    for layout in layouts(outlines, covering, penalty, LAYOUTS, OUTLINE_SLACK):
        laid = list(layout.placements)
        edge_cost = base - (layout.gain + float(penalty[laid].sum()) - _CELL_BONUS * float(wall.covers[laid].sum()))
        groups = groups_of(layout, carvings, gains)
        limit = best + SLACK - edge_cost
        allowance = min(NODE_LIMIT if carvings.tight else EASY, nodes_left)
        found, nodes = assign(groups, carvings, limit, allowance)
        nodes_left -= nodes
        if nodes > allowance and not carvings.tight:
            bound = carvings.base + sum(group.least for group in groups)
            carvings.reprice(groups, min([limit, bound + 30.0, *(assignment.cost for assignment in found)]))
            groups = groups_of(layout, carvings, gains)
            allowance = min(NODE_LIMIT, nodes_left)
            again, nodes = assign(groups, carvings, limit, allowance)
            found = again or found
            nodes_left -= nodes
        complete &= nodes <= allowance
        solutions += [(edge_cost + assignment.cost, groups, assignment) for assignment in found]
        best = min([best, *(edge_cost + assignment.cost for assignment in found)])
    if not solutions:
        return None
    _, groups, assignment = min(solutions, key=lambda s: s[0])
    bare = np.ones(CELLS, bool)
    for place in assignment.places:
        if place is not None:
            bare[list(place.cells)] = False
    extra = forgotten_groups(carvings, bare)
    if extra:
        # The wall stays as it was read; only the symbols are explained anew.
        edge_cost = best - assignment.cost
        widened = (*groups, *extra)
        found, nodes = assign(widened, carvings, best + SLACK - edge_cost, NODE_LIMIT)
        complete &= nodes <= NODE_LIMIT
        solutions += [(edge_cost + again.cost, widened, again) for again in found]
        best = min([best, *(edge_cost + again.cost for again in found)])
    solutions = sorted((s for s in solutions if s[0] <= best + SLACK), key=lambda s: s[0])
    owners, scrolls, total = np.zeros((CELLS, 6)), np.zeros((3, 4, 6)), 0.0
    for cost, groups, assignment in solutions:
        weight = exp(best - cost)
        total += weight
        for group, place in zip(groups, assignment.places, strict=True):
            if place is None:
                continue
            for index, symbol in enumerate(group.symbols):
                if place.scroll >= 0:
                    scrolls[place.scroll, index, symbol + 1] += weight
                else:
                    owners[place.cells[index], symbol + 1] += weight
    owners[:, 0] = total - owners.sum(1)
    scrolls[:, :, 0] = total - scrolls.sum(2)
    return Carved(solutions[0][1], solutions[0][2], owners / total, scrolls / total, best, complete)


def groups_of(layout: Layout, carvings: Carvings, edge_gain: Sequence[float]) -> tuple[Group, ...]:
    """The layout's shapes as groups, each with what it costs to have it carved nowhere: the price for that, or what its
    outline costs if it is no group at all but space left between others."""
    wall = carvings.wall
    taken = 0
    for index in layout.placements:
        taken |= wall.masks[index]
    groups = []
    for index, (symbols, places, reach) in zip(layout.placements, carvings.places_of(layout.placements), strict=True):
        alone = sum([edge_gain[edge] for edge, beyond in around(wall, index) if not taken & beyond])
        groups.append(Group(index, symbols, places, reach, min(alone, -NEVER_CARVED)))
    return tuple(groups)
