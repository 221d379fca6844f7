"""Carvings whose outline on the wall was forgotten, or that were carved twice: looked for where symbols stay unexplained."""

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scanner.decode.carving import Carvings, Group, targets_of
from scanner.decode.lattice import IntArray, Lattice
from scanner.engine.obelisk.sheet import PRINTED_WALL, SYMBOLS

OUTLINE_FORGOTTEN: Final = 7.0
"""Price of a carved group without an outline of its own on the wall."""

UNEXPLAINED: Final = 9.0
"""Symbols without a group are looked into from this much likelihood on (one clear symbol and a little more)."""

_MOST: Final = 12


class _Form(NamedTuple):
    """All wall placements of one form: their indices (n,), symbols (n, cells), and the form's targets on the obelisk."""

    placements: IntArray
    symbols: IntArray
    targets: IntArray


@cache
def _forms(wall: Lattice) -> tuple[_Form, ...]:
    by_form: dict[tuple[tuple[int, int], ...], list[int]] = {}
    for index, cells in enumerate(wall.cells):
        places = [divmod(cell, wall.columns) for cell in cells]
        left = min(column for _, column in places)
        by_form.setdefault(tuple((row - places[0][0], column - left) for row, column in places), []).append(index)
    printed = np.array([SYMBOLS.index(symbol) for row in PRINTED_WALL for symbol in row])
    return tuple(
        _Form(np.array(indices), printed[np.array([wall.cells[index] for index in indices])], targets_of(form).array)
        for form, indices in by_form.items()
    )


def forgotten_groups(carvings: Carvings, bare: NDArray[np.bool_]) -> list[Group]:
    """Groups, outlined or not, that would explain symbols in the cells `bare`, bool (60,), where nothing is carved; the best
    few, or none if little is unexplained. Each may stand nowhere at no cost."""
    if float(np.maximum(carvings.gain.max(1), 0.0)[bare].sum()) < UNEXPLAINED:
        return []
    found: list[tuple[float, int]] = []
    for form in _forms(carvings.wall):
        free = form.targets[bare[form.targets].all(1)]
        if len(free):
            gains = carvings.gain[free[None], form.symbols[:, None]].sum(2).max(1)
            found += [(float(gains[n]), int(form.placements[n])) for n in np.flatnonzero(gains > OUTLINE_FORGOTTEN)]
    found.sort(reverse=True)
    groups = []
    for _, index in found[:_MOST]:
        symbols, places, reach = carvings.places(index)
        dearer = tuple(place._replace(regret=place.regret + OUTLINE_FORGOTTEN) for place in places)
        groups.append(Group(index, symbols, dearer, reach, 0.0, outlined=False))
    return groups
