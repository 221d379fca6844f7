"""Could this tower have been built? Dividing the built spaces into shapes, and finding an order in which they can be built.

An order must give every shape support when it is built, must not close a space that is built later, and must not reach a level
before the groups that this level puts in the shadow have their spaces. The search is exact; when it takes too many steps it
says that it does not know.

References: RULES section 1, "Build", "Levels", "Carve".
"""

from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from operator import or_
from typing import NamedTuple

from scanner.engine.obelisk.bitboard import (
    OBELISK_BASE,
    OBELISK_CELLS,
    OBELISK_FULL,
    OBELISK_TOP,
    closed_area,
    hanging,
    level_of,
    neighbours,
)
from scanner.engine.obelisk.forms import FORMS
from scanner.engine.obelisk.sheet import OBELISK_COLUMNS

SEARCH_STEPS = 1000
"""Positions looked at before a search gives up. Towers from play take up to twenty; of 1,000 of them with one space changed,
one takes more than this."""


@cache
def _down_from(bit: int) -> tuple[int, ...]:
    """All placements whose highest bit is that of the space, the largest first."""
    found = []
    for form in FORMS:
        anchor = bit - form.obelisk_shifts[-1]
        if anchor >= 0 and form.obelisk_anchors >> anchor & 1:
            found.append(form.obelisk_cells << anchor)
    return tuple(sorted(found, key=lambda place: (-place.bit_count(), place)))


@cache
def _downwards() -> tuple[int, ...]:
    """All placements on the obelisk, the highest first, and of these the largest."""
    return tuple(place for bit in reversed(range(OBELISK_CELLS)) for place in _down_from(bit))


def components(mask: int) -> list[int]:
    """The four-connected parts of an obelisk mask, lowest first."""
    found: list[int] = []
    while mask:
        part = mask & -mask
        while (grown := (part | neighbours(part)) & mask) != part:
            part = grown
        found.append(part)
        mask &= ~part
    return found


class Tiler:
    """Answers whether spaces can be divided into shapes; remembers what it found.

    With `before_level` (see `find_order`), only into shapes that could be built in time: one that reaches a level cannot hold
    what must stand before that."""

    def __init__(self, before_level: Sequence[int] = ()) -> None:
        # For each level what must stand before it, or before one below, is reached.
        self._before = tuple(accumulate(before_level, or_, initial=0)) if any(before_level) else ()
        self._down: dict[int, tuple[int, ...]] = {}
        self._known: dict[int, bool] = {0: True}
        self.orders: dict[int, Order] = {}
        """What was found for towers of which no spaces had to stand before a level."""

    def _in_time(self, place: int) -> bool:
        return not place & self._before[min(level_of(place), len(self._before) - 1)]

    def _down_from(self, bit: int) -> tuple[int, ...]:
        if not self._before:
            return _down_from(bit)
        known = self._down.get(bit)
        if known is None:
            known = self._down[bit] = tuple(filter(self._in_time, _down_from(bit)))
        return known

    def can_divide(self, mask: int) -> bool:
        """Whether the obelisk mask is a union of disjoint placements of the eight shapes."""
        known = self._known.get(mask)
        if known is None:
            known = False
            # From the top: what is left of a tower that is taken down was mostly asked about before.
            for place in self._down_from(mask.bit_length() - 1):
                if place & mask == place and self.can_divide(mask ^ place):
                    known = True
                    break
            self._known[mask] = known
        return known

    def within(self, mask: int) -> list[int]:
        """All placements inside the obelisk mask, the highest first, and of these the largest."""
        places = [place for place in _downwards() if place & mask == place]
        return list(filter(self._in_time, places)) if self._before else places


class Order(NamedTuple):
    """What the search for an order found. `places`: the shapes in the order of building, or None. `decided`: False if the
    search gave up, so that there may be an order after all."""

    places: tuple[int, ...] | None
    decided: bool


NO_ORDER = Order(None, decided=True)
"""Every order was tried, and none is legal."""


def find_order(built: int, before_level: Sequence[int] = (), tiler: Tiler | None = None) -> Order:
    """An order in which the built spaces (obelisk mask) can be built. `before_level[k - 1]` are the spaces that must be built
    before level k is reached, because groups stand there that level k puts in the shadow."""
    gated = any(before_level)
    known = tiler.orders.get(built) if tiler else None
    # The order that was found without regard to the groups mostly suits them, too.
    if known and (not gated or (known.places is not None and _is_in_time(known.places, before_level))):
        return known
    search = _TakingDown(before_level, Tiler(before_level) if gated or tiler is None else tiler)
    found = search.run(built)
    order = Order(tuple(reversed(search.places)) if found else None, found or search.steps <= SEARCH_STEPS)
    if tiler and not gated:
        tiler.orders[built] = order
    return order


def _is_in_time(places: Sequence[int], before_level: Sequence[int]) -> bool:
    """Whether shapes, built in this order, put up everything that must stand before each level is reached."""
    standing = 0
    for place in places:
        grown = standing | place
        if any(spaces & ~standing for spaces in before_level[level_of(standing) : level_of(grown)]):
            return False
        standing = grown
    return True


class _TakingDown:
    """Takes the tower down shape by shape, the highest first: a shape taken last was built first. Going backwards, a wrong step
    shows at once, as a part that hangs in the air or cannot be divided."""

    def __init__(self, before_level: Sequence[int], tiler: Tiler) -> None:
        self.before_level = before_level
        self.tiler = tiler
        self.places: list[int] = []
        self.failed: set[int] = set()
        self.hung: dict[int, tuple[int, int]] = {}
        """For each shape what hung in the air when it was tried, and the spaces around that, none of which stood: as long as
        that is so, what is left of it hangs in the air again."""
        self.steps = 0

    def run(self, built: int) -> bool:
        """Whether what is built can be taken down; `places` then holds the shapes in the order of taking."""
        return not hanging(built) and self._taken_down(built, self.tiler.within(built))

    def _taken_down(self, standing: int, possible: Sequence[int]) -> bool:
        """The same for what still stands, grounded; `possible` are its placements, and perhaps others."""
        if not standing:
            return True
        if standing in self.failed:
            return False
        self.steps += 1
        if self.steps > SEARCH_STEPS:
            return False
        # While a level stands, what had to be built before it cannot be taken.
        takeable = standing
        for spaces in self.before_level[: level_of(standing)]:
            takeable &= ~spaces
        # A shape that was built last was open to the top: it touches the open, or the top.
        open_spaces = OBELISK_FULL & ~standing & ~closed_area(standing)
        at_the_open = neighbours(open_spaces) | OBELISK_TOP
        possible = [place for place in possible if place & standing == place]
        for place in possible:
            if place & ~takeable or not place & at_the_open:
                continue
            if (hung := self.hung.get(place)) and hung[0] & standing and not hung[1] & standing:
                continue
            before = standing ^ place
            if before in self.failed or not place & (before << OBELISK_COLUMNS | OBELISK_BASE):
                continue
            if in_the_air := hanging(before):
                self.hung[place] = in_the_air, neighbours(in_the_air) & ~in_the_air & ~place
            elif self.tiler.can_divide(before):
                self.places.append(place)
                if self._taken_down(before, possible):
                    return True
                self.places.pop()
                if self.steps > SEARCH_STEPS:
                    return False
        self.failed.add(standing)
        return False
