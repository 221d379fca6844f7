"""Which group of the wall stands where on the obelisk or on a scroll: the most probable assignments, and what they leave open.

Every group outlined on the wall was carved once: copied by translation onto the obelisk, or, if a square, onto a scroll. The
symbols on the sheet are those copies and nothing else, so the assignment is an exact cover, softened by prices for what
players do wrong. Costs are regrets in natural log-likelihood: a place's potential is the most that any group could gain
there against leaving it bare; a group pays what it gains less than the potentials of the places it takes, and places left
bare pay their potential. Depth-first branch and bound, the group with the fewest places left first.

References: RULES section 1, "Carve", "Scribe" and "Levels".
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf
from operator import itemgetter
from typing import Final, NamedTuple

import numpy as np

from scanner.decode.evidence import Evidence
from scanner.decode.lattice import Lattice
from scanner.decode.targets import CELLS, targets_of
from scanner.engine.obelisk.polyomino import SQUARE
from scanner.engine.obelisk.sheet import SCROLL_POINTS, SYMBOLS
from scanner.geometry import FloatArray

MISCOPIED: Final = 0.0006
"""A carved cell shows another symbol than the wall's."""
LEFT_OUT: Final = 0.0005
"""A carved cell was left blank."""
CROSSED_OVER: Final = 0.0003
"""A carved cell was crossed out."""
ORPHAN: Final = 0.001
"""A cell shows a symbol although no group was carved there."""
WRITTEN: Final[FloatArray] = np.vstack(
    [
        np.array([[1.0, *[ORPHAN / 5] * 5, 1.0]]),
        np.hstack(
            [
                np.full((5, 1), LEFT_OUT),
                np.full((5, 5), MISCOPIED / 4) + np.eye(5) * (1 - MISCOPIED - LEFT_OUT - MISCOPIED / 4),
                np.full((5, 1), CROSSED_OVER),
            ]
        ),
    ]
)
"""float64 (6, 7): how likely each of `evidence.CHARACTERS` is written where nothing was carved (first; blank and crossed out
are then both as the tower wants them), or where the symbol 1 to 5 was."""

BARE_SCROLL: Final = np.array([1.0, *[ORPHAN / 5] * 5, 0.001])
"""float64 (7,): the same for a scroll's cell where nothing was scribed; nobody crosses those out."""

NEVER_CARVED: Final = -6.2
"""Log-price of a group outlined on the wall that stands nowhere."""
FROM_SHADOW: Final = -6.2
"""Log-price of a group that stands higher than the tower was when its rows fell into the shadow."""
SCROLL_SKIPPED: Final = -6.2
"""Log-price of a scroll filled above an empty one."""

OUTLINES_MISLEAD: Final = 0.01
"""The least probability that the obelisk's outlines leave to a cell's being built, or closed, or neither."""

SLACK: Final = 7.0
"""Assignments that are less likely than the best by more than this are not looked at."""
NODE_LIMIT: Final = 1000
"""The most nodes one search may open."""
SHEET_NODE_LIMIT: Final = 2500
"""The most nodes all searches for one sheet may open: the bound on the worst case."""
EASY: Final = 60
"""A search that needs more nodes than this gets tighter potentials first."""
_ROOM: Final = 10.0
"""The first limit above the bound."""
_ASCENTS: Final = 25
"""Steps of the tightening."""


class Place(NamedTuple):
    """A place for a group: `cells` on the obelisk, or none and the scroll's index. mask: bits of the obelisk's cells, bit
    60 + k for scroll k. regret: see the module."""

    regret: float
    mask: int
    cells: tuple[int, ...]
    scroll: int = -1


@dataclass(frozen=True, slots=True)
class Group:
    """A group outlined on the wall, by its placement in the wall's lattice. symbols: indices into SYMBOLS, in the order of its
    cells; places: least regret first; reach: the bits of all its places; absent: the cost of its standing nowhere.
    outlined: whether it is outlined there."""

    placement: int
    symbols: tuple[int, ...]
    places: tuple[Place, ...]
    reach: int
    absent: float
    outlined: bool = True

    @property
    def least(self) -> float:
        """The least that the group costs, wherever it stands."""
        return min(self.places[0].regret, self.absent) if self.places else self.absent


Found = tuple[tuple[int, ...], tuple[Place, ...], int]
"""A group's symbols, places and reach."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """One place, or None, for each group. cost: regret, the bare places' potentials included."""

    cost: float
    places: tuple[Place | None, ...]


class Carvings:
    """What the sheet's cells say about groups: the gain of each symbol at each place, and the places of each group."""

    def __init__(self, evidence: Evidence, wall: Lattice, built: FloatArray, closed: FloatArray) -> None:
        """built, closed: float64 (60,), how probable the obelisk's outlines make it that a cell is built, or is closed."""
        self.wall = wall
        # Where nothing is carved, a cell is blank, unless it is closed; then it is crossed out.
        bare = np.tile(WRITTEN[0], (CELLS, 1))
        bare[:, 0] = np.maximum(1 - closed, OUTLINES_MISLEAD)
        bare[:, -1] = np.maximum(closed, OUTLINES_MISLEAD)
        self.gain = _gain(evidence.obelisk, bare) + np.log(np.maximum(built, OUTLINES_MISLEAD))[:, None]
        self.scroll_gain = _gain(evidence.scrolls, np.tile(BARE_SCROLL, (3, 4, 1)))
        self.potential: list[float] = [
            *np.maximum(self.gain.max(1), 0.0).tolist(),
            *np.maximum(self.scroll_gain.max(2).sum(1), 0.0).tolist(),
        ]
        self.with_potential = _positive(self.potential)
        self.base = 0.0
        self.tight = False
        self._potential = np.array(self.potential)
        self._padded_gain = np.vstack([self.gain, np.zeros((1, len(SYMBOLS)))])
        self._known: dict[int, Found] = {}

    def reprice(self, groups: Sequence[Group], upper: float) -> None:
        """Choose potentials under which fewer of these groups want the same places. `base` makes up for the difference."""
        self.base += float(self._potential.sum())
        self._potential = _tightened(groups, self._potential, upper - self.base)
        self.base -= float(self._potential.sum())
        self.potential = self._potential.tolist()
        self.with_potential = _positive(self.potential)
        self.tight = True
        known = list(self._known)
        self._known.clear()
        self.places_of(known)

    def places_of(self, placements: Sequence[int]) -> list[Found]:
        """Of each wall placement the symbols, the places where carving it is likelier than not having carved it at all, least
        regret first, and the bits of all these."""
        missing = [placement for placement in placements if placement not in self._known]
        if missing:
            self._known.update(zip(missing, self._places(missing), strict=True))
        return [self._known[placement] for placement in placements]

    def _places(self, placements: Sequence[int]) -> list[Found]:
        targets = targets_of(self.wall)
        forms, symbols = targets.forms[placements], targets.symbols[placements]
        gains = self._padded_gain[targets.array[forms], symbols[:, None]].sum(2)
        gains[targets.tops[forms] < targets.lit[placements][:, None]] += FROM_SHADOW
        owners, numbers = np.nonzero((gains > NEVER_CARVED) & targets.real[forms])
        cells = targets.array[forms[owners], numbers]
        regrets = np.append(self._potential[:CELLS], 0.0)[cells].sum(1) - gains[owners, numbers]
        order = np.lexsort((regrets, owners))
        chosen = (forms[owners] * targets.array.shape[1] + numbers)[order].tolist()
        made = [
            Place(regret, targets.masks[target], targets.cells[target])
            for regret, target in zip(regrets[order].tolist(), chosen, strict=True)
        ]
        found, start = [], 0
        for placement, count in zip(placements, np.bincount(owners, minlength=len(placements)).tolist(), strict=True):
            places, printed = made[start : start + count], targets.symbols_of[placement]
            start += count
            if self.wall.shapes[placement] == SQUARE:
                places = sorted([*places, *self._scroll_places(printed)], key=lambda place: place.regret)
            reach = 0
            for place in places:
                reach |= place.mask
            found.append((printed, tuple(places), reach))
        return found

    def _scroll_places(self, symbols: tuple[int, ...]) -> list[Place]:
        found = []
        for scroll in range(len(SCROLL_POINTS)):
            gain = float(self.scroll_gain[scroll, range(4), symbols].sum())
            if gain > NEVER_CARVED:
                found.append(Place(self.potential[CELLS + scroll] - gain, 1 << CELLS + scroll, (), scroll))
        return found


def _positive(values: Iterable[float]) -> int:
    """The bits of the values over 0."""
    return sum([1 << number for number, value in enumerate(values) if value > 0])


def _gain(likelihoods: FloatArray, bare: FloatArray) -> FloatArray:
    """float64 (..., 5): log-likelihood gained by a carved symbol at a cell against no carving there. The cell's reading may
    differ from either, at the players' prices."""
    gain: FloatArray = np.log(likelihoods @ WRITTEN[1:].T) - np.log((likelihoods * bare).sum(-1))[..., None]
    return gain


def assign(groups: Sequence[Group], carvings: Carvings, limit: float, nodes: int) -> tuple[list[Assignment], int]:
    """The assignments of the groups with a cost of at most `limit`, and at most SLACK above the best, unordered; and how many
    nodes were opened: more than `nodes` if the search had to stop early.

    The search deepens: narrow limits prune most places at once.
    """
    search = _Search(groups, carvings, nodes)
    if search.bound > limit:
        return [], 0
    room = _ROOM
    while True:
        tried = min(limit, search.bound + room)
        found = search.run(tried)
        if found or tried >= limit or search.exhausted:
            break
        room *= 2
    best = min((assignment.cost for assignment in found), default=limit)
    if found and best + SLACK > tried and not search.exhausted:
        found = search.run(min(limit, best + SLACK)) or found
    return [assignment for assignment in found if assignment.cost <= best + SLACK], search.nodes


def _tightened(groups: Sequence[Group], start: FloatArray, upper: float) -> FloatArray:
    """float64 (63,): other potentials, by subgradient ascent on the bound (a Lagrangian dual of "no place is taken twice").

    start: the present ones, which the groups' regrets are made with; upper: a cost, less the base, that the best assignment
    is not expected to exceed."""
    places = [place for group in groups for place in group.places]
    if not places:
        return start
    counts = np.array([len(group.places) for group in groups])
    held = np.flatnonzero(counts)
    first = np.concatenate([[0], np.cumsum(counts[held])[:-1]])
    masks = np.array([place.mask for place in places], np.uint64)
    takes = (masks[:, None] >> np.arange(len(start), dtype=np.uint64) & np.uint64(1)).astype(float)
    absent = np.array([group.absent for group in groups])
    gains = takes @ start - np.array([place.regret for place in places])
    owner = np.repeat(np.arange(len(held)), counts[held])
    fixed = float(absent[counts == 0].sum() + start.sum())
    prices, best_prices, best_bound, scale = start, start, -inf, 1.0
    for _ in range(_ASCENTS):
        regrets = takes @ prices - gains
        lowest = np.minimum.reduceat(regrets, first)
        bound = fixed - float(prices.sum()) + float(np.minimum(lowest, absent[held]).sum())
        if bound > best_bound + 1e-6:
            best_bound, best_prices = bound, prices
        else:
            scale *= 0.7
        # Of the places that cost a group least, the first is the one it would take.
        cheapest = np.flatnonzero(regrets == lowest[owner])
        cheapest = cheapest[np.diff(owner[cheapest], prepend=-1) > 0]
        slope = takes[cheapest[lowest < absent[held]]].sum(0) - 1
        slope[(prices <= 0) & (slope < 0)] = 0
        norm = float(slope @ slope)
        if norm == 0:
            break
        prices = np.maximum(prices + scale * max(upper - bound, 1.0) / norm * slope, 0.0)
    return best_prices


_regret = itemgetter(0)


class _Search:
    """The branch and bound's state; `chosen` is the path, everything else is passed down."""

    def __init__(self, groups: Sequence[Group], carvings: Carvings, node_limit: int) -> None:
        self.potential = carvings.potential
        self.base = base = carvings.base
        self.node_limit = node_limit
        self.places = [group.places for group in groups]
        self.absent = [group.absent for group in groups]
        self.reach = [group.reach for group in groups]
        self.with_potential = carvings.with_potential
        self.chosen: list[Place | None] = [None] * len(groups)
        self.found: list[Assignment] = []
        self.limit = 0.0
        self.nodes = 0
        reachable = 0
        self.bound = base
        for group in groups:
            self.bound += group.least
            reachable |= group.reach
        self.bound += self._bare(self.with_potential & ~reachable)

    @property
    def exhausted(self) -> bool:
        """Whether more nodes were opened than allowed, so that something may have been missed."""
        return self.nodes > self.node_limit

    def run(self, limit: float) -> list[Assignment]:
        """All assignments found with a cost up to `limit`, and up to SLACK above the best."""
        self.limit = limit
        self.found = []
        room = limit - self.bound
        start: list[Sequence[Place]] = []
        for places, absent in zip(self.places, self.absent, strict=True):
            enough = room + (min(places[0].regret, absent) if places else absent)
            start.append([place for place in places if place.regret <= enough])
        self._descend(0, self.base, list(range(len(start))), start)
        return self.found

    def _descend(self, covered: int, cost: float, waiting: list[int], places: list[Sequence[Place]]) -> None:
        """Assign the groups `waiting`, whose free places are `places` (by group)."""
        self.nodes += 1
        if self.exhausted:
            return
        bound = cost
        for group in waiting:
            options, absent = places[group], self.absent[group]
            bound += options[0].regret if options and options[0].regret < absent else absent
        if bound > self.limit:
            return
        lost = self.with_potential & ~covered
        for group in waiting:
            if lost & self.reach[group]:
                for place in places[group]:
                    lost &= ~place.mask
        if lost:
            bound += self._bare(lost)
        if bound > self.limit:
            return
        if not waiting:
            self._keep(covered, bound)
            return
        room = self.limit - bound
        fewest, pick, floor = 1 << 30, waiting[0], 0.0
        for group in waiting:
            options, absent = places[group], self.absent[group]
            least = min(options[0].regret, absent) if options else absent
            enough = least + room
            viable = int(absent <= enough)
            for place in options:
                if place.regret > enough:
                    break
                viable += 1
            if viable < fewest:
                fewest, pick, floor = viable, group, least
                if viable <= 1:
                    break
        rest = [group for group in waiting if group != pick]
        ways: list[tuple[float, Place | None]] = [(place.regret, place) for place in places[pick]]
        ways.append((self.absent[pick], None))
        ways.sort(key=_regret)
        for regret, way in ways:
            if bound - floor + regret > self.limit:
                break
            self.chosen[pick] = way
            if way is None:
                self._descend(covered, cost + regret, rest, places)
            else:
                mask = way.mask
                narrowed = list(places)
                for group in rest:
                    if self.reach[group] & mask:
                        narrowed[group] = [other for other in places[group] if not other.mask & mask]
                self._descend(covered | mask, cost + regret, rest, narrowed)

    def _bare(self, mask: int) -> float:
        """The potentials of the places in `mask` together."""
        total = 0.0
        while mask:
            lowest = mask & -mask
            total += self.potential[lowest.bit_length() - 1]
            mask ^= lowest
        return total

    def _keep(self, covered: int, cost: float) -> None:
        scrolls = covered >> CELLS
        if scrolls & (scrolls + 1):
            cost -= SCROLL_SKIPPED
            if cost > self.limit:
                return
        self.found.append(Assignment(cost, tuple(self.chosen)))
        self.limit = min(self.limit, cost + SLACK)
