"""Orders of building, against a plain forward search and against games."""

from collections.abc import Iterator
from functools import cache
from itertools import islice

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from scanner.engine.obelisk.bitboard import level_of, obelisk_cells, obelisk_mask
from scanner.engine.obelisk.board import Board
from scanner.engine.obelisk.play import random_states
from scanner.engine.obelisk.polyomino import Cell, shape_of
from scanner.engine.obelisk.reach import Tiler, components, find_order
from tests.engine.plain_rules import ON_OBELISK, PlainSheet


def plain_order_exists(target: frozenset[Cell], before_level_one: frozenset[Cell]) -> bool:
    """Tries every order forwards, with the plain rules; cells counted from 1."""
    places = [cells for shape in ON_OBELISK.values() for cells in shape if cells <= target]
    if not before_level_one <= target:
        return False

    @cache
    def from_here(done: frozenset[Cell]) -> bool:
        if done == target:
            return True
        sheet = PlainSheet()
        sheet.write({"build": sorted(done)})
        if sheet.crossed & target:
            return False
        for cells in places:
            if cells & done or not any(r == 12 or (r + 1, c) in done for r, c in cells):
                continue
            reaches = any(r <= 9 for r, _ in cells)
            if reaches and not before_level_one <= done:
                continue
            if from_here(done | cells):
                return True
        return False

    return from_here(frozenset())


def plain_division_exists(target: frozenset[Cell]) -> bool:
    if not target:
        return True
    first = min(target)
    return any(
        plain_division_exists(target - cells)
        for shape in ON_OBELISK.values()
        for cells in shape
        if first in cells and cells <= target
    )


def moved(cells: frozenset[Cell]) -> int:
    return obelisk_mask((r - 1, c - 1) for r, c in cells)


low_cells = st.frozensets(st.tuples(st.integers(8, 12), st.integers(1, 4)), max_size=14)


@settings(max_examples=150, deadline=None)
@given(low_cells, st.data())
def test_orders_against_trying_everything_forwards(target: frozenset[Cell], data: st.DataObject) -> None:
    gate = data.draw(st.frozensets(st.sampled_from(sorted(target)), max_size=3)) if target else frozenset()
    reaches = level_of(moved(target)) > 0
    found = find_order(moved(target), [moved(gate)] if reaches else [])
    assert found.decided
    assert (found.places is not None) == plain_order_exists(target, gate if reaches else frozenset())


@settings(max_examples=150)
@given(low_cells)
def test_division_against_trying_everything(target: frozenset[Cell]) -> None:
    assert Tiler().can_divide(moved(target)) == plain_division_exists(target)


def replayed(places: tuple[int, ...]) -> Iterator[Board]:
    board = Board()
    for place in places:
        assert shape_of(obelisk_cells(place)) is not None
        board = board.build(place)
        yield board


def test_orders_of_towers_from_play_can_be_built() -> None:
    for state in islice(random_states(np.random.default_rng(8)), 120):
        built = obelisk_mask((r, c) for r, row in enumerate(state.obelisk) for c, cell in enumerate(row) if cell not in ".x")
        found = find_order(built)
        assert found.places is not None
        boards = list(replayed(found.places))
        assert (boards[-1].built if boards else 0) == built


def test_spaces_before_a_level_are_built_before_it() -> None:
    built = obelisk_mask([(r, c) for r in range(6, 12) for c in range(4)])
    gate = obelisk_mask([(9, 0), (9, 3), (10, 1)])
    found = find_order(built, [gate])
    assert found.places is not None
    for board in replayed(found.places):
        assert not board.level or not gate & ~board.built
    assert find_order(obelisk_mask([(r, 0) for r in range(8, 12)]), [obelisk_mask([(9, 0)])]).places is None


def test_nothing_built_needs_no_shape() -> None:
    assert find_order(0).places == ()
    assert components(0) == []


def test_components() -> None:
    parts = components(obelisk_mask([(11, 0), (11, 1), (10, 2), (0, 4)]))
    assert [obelisk_cells(part) for part in parts] == [((11, 0), (11, 1)), ((10, 2),), ((0, 4),)]
