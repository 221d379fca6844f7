"""Carvings whose outline on the wall was forgotten, or that were carved twice: looked for where symbols stay unexplained."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from scanner.decode.carving import Carvings, Group
from scanner.decode.targets import targets_of

OUTLINE_FORGOTTEN: Final = 7.0
"""Price of a carved group without an outline of its own on the wall."""

UNEXPLAINED: Final = 9.0
"""Symbols without a group are looked into from this much likelihood on (one clear symbol and a little more)."""

_MOST: Final = 12


def forgotten_groups(carvings: Carvings, bare: NDArray[np.bool_]) -> list[Group]:
    """Groups, outlined or not, that would explain symbols in the cells `bare`, bool (60,), where nothing is carved; the best
    few, or none if little is unexplained. Each may stand nowhere at no cost."""
    if float(np.maximum(carvings.gain.max(1), 0.0)[bare].sum()) < UNEXPLAINED:
        return []
    found: list[tuple[float, int]] = []
    targets = targets_of(carvings.wall)
    for form, size in enumerate(targets.sizes):
        cells = targets.array[form, targets.real[form], :size]
        free = cells[bare[cells].all(1)]
        if len(free):
            placements = np.flatnonzero(targets.forms == form)
            gains = carvings.gain[free[None], targets.symbols[placements, None, :size]].sum(2).max(1)
            found += [(float(gains[n]), int(placements[n])) for n in np.flatnonzero(gains > OUTLINE_FORGOTTEN)]
    found.sort(reverse=True)
    best = [index for _, index in found[:_MOST]]
    groups = []
    for index, (symbols, places, reach) in zip(best, carvings.places_of(best), strict=True):
        dearer = tuple(place._replace(regret=place.regret + OUTLINE_FORGOTTEN) for place in places)
        groups.append(Group(index, symbols, dearer, reach, 0.0, outlined=False))
    return groups
