"""The eight shapes against counts known from the theory of polyominoes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.engine.obelisk.polyomino import SHAPES, form_placements, normalised, orientations, placements, shape_of

FIXED = {"I2": 2, "I3": 2, "V3": 4, "O4": 1, "L4": 8, "T4": 4, "S4": 4, "I4": 2}


@pytest.mark.parametrize(("shape", "count"), FIXED.items())
def test_number_of_orientations_is_the_number_of_fixed_polyominoes(shape: str, count: int) -> None:
    assert len(orientations(shape)) == count


def test_shapes_are_the_free_polyominoes_of_two_to_four_cells() -> None:
    """All connected sets of 2, 3, 4 cells, grown cell by cell, are named, and nothing else of five cells is."""
    grown = {normalised([(0, 0)])}
    counts = []
    for _ in range(4):
        grown = {
            normalised([*cells, (row + dr, column + dc)])
            for cells in grown
            for row, column in cells
            for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))
            if (row + dr, column + dc) not in cells
        }
        counts.append(len(grown))
        if len(next(iter(grown))) <= 4:
            assert all(shape_of(cells) for cells in grown)
        else:
            assert not any(shape_of(cells) for cells in grown)
    assert counts == [2, 6, 19, 63]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("rows", "columns"), [(12, 5), (12, 8), (2, 2), (1, 4)])
def test_placements_are_every_subset_that_forms_the_shape(shape: str, rows: int, columns: int) -> None:
    found = placements(shape, rows, columns)
    assert len(set(found)) == len(found)
    expected = 0
    for form in orientations(shape):
        height, width = 1 + max(row for row, _ in form), 1 + max(column for _, column in form)
        expected += max(0, rows - height + 1) * max(0, columns - width + 1)
    assert len(found) == expected
    for cells in found:
        assert shape_of(cells) == shape
        assert all(0 <= row < rows and 0 <= column < columns for row, column in cells)


@given(st.sampled_from(sorted(SHAPES)), st.data())
def test_shape_of_does_not_mind_place_turn_or_mirror(shape: str, data: st.DataObject) -> None:
    form = data.draw(st.sampled_from(orientations(shape)))
    down, right = data.draw(st.tuples(st.integers(-50, 50), st.integers(-50, 50)))
    moved = [(row + down, column + right) for row, column in form]
    assert shape_of(data.draw(st.permutations(moved))) == shape
    assert shape_of([(column, row) for row, column in moved]) == shape
    assert shape_of([(-row, column) for row, column in moved]) == shape


def test_what_is_no_shape() -> None:
    assert shape_of([]) is None
    assert shape_of([(0, 0)]) is None
    assert shape_of([(0, 0), (1, 1)]) is None
    assert shape_of([(0, 0), (0, 1), (0, 2), (0, 3), (0, 4)]) is None


def test_a_form_that_is_too_large_has_no_place() -> None:
    assert form_placements(((0, 0), (0, 1), (0, 2), (0, 3)), 12, 3) == ()
