"""Placing in a tower, against the rule itself."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scanner.engine.monolyth.polyomino import BLOCK, PIECES, Cells, orientations
from scanner.engine.monolyth.tables import EMPTY, STRUCTURE_CARDS
from scanner.engine.monolyth.tower import (
    Forbidden,
    Tower,
    blocks_at,
    empty_tower,
    from_rows,
    full_levels,
    is_complete,
    meets,
    place,
    placements,
    quarter_turned,
)


def tried_everywhere(tower: Tower, piece: str) -> set[Cells]:
    """Every orientation at every place, as far as `place` allows it."""
    found = set()
    for shape in orientations(piece):
        for row, column, level in product(range(4), range(4), range(len(tower))):
            cells = tuple((r + row, c + column, z + level) for r, c, z in shape)
            try:
                place(tower, "O", cells)
            except Forbidden:
                continue
            found.add(cells)
    return found


towers = st.builds(
    lambda stacks, height: tuple("".join("O" if z < min(stack, height) else EMPTY for stack in stacks) for z in range(height)),
    st.lists(st.integers(0, 4), min_size=16, max_size=16),
    st.sampled_from([3, 4]),
)


@settings(max_examples=12, deadline=None)
@given(towers, st.sampled_from([BLOCK, *PIECES]))
def test_placements_are_exactly_those_that_the_rule_allows(tower: Tower, piece: str) -> None:
    found = list(placements(tower, piece))
    assert len(set(found)) == len(found)
    assert set(found) == tried_everywhere(tower, piece)


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        (((0, 0, 1),), "hang"),
        (((0, 4, 0),), "board"),
        (((-1, 0, 0),), "board"),
        (((0, 0, 3),), "levels"),
        (((1, 1, 0),), "filled"),
        (((1, 1, 1), (1, 2, 1)), "hang"),
    ],
)
def test_what_is_forbidden(cells: Cells, reason: str) -> None:
    tower = place(empty_tower(3), "@", ((1, 1, 0),))
    with pytest.raises(Forbidden, match=reason):
        place(tower, "O", cells)


def test_a_piece_may_rest_on_itself() -> None:
    tower = place(empty_tower(3), "Y", ((0, 0, 0), (0, 0, 1), (0, 0, 2)))
    assert [level[0] for level in tower] == ["Y", "Y", "Y"]
    assert not is_complete(tower)


def test_full_levels() -> None:
    assert full_levels(("O" * 16, "O" * 15 + EMPTY, EMPTY * 16)) == 1
    assert is_complete(("O" * 16,) * 3)


FACES = from_rows(
    [["OO*@", "O..@", "Y..@", "Y^^^"], ["OO*@", "O..Y", "Y..@", "Y^^O"], ["....", "....", "....", "..^."]],
)


@pytest.mark.parametrize(
    ("side", "colour", "blocks"),
    [
        ("back", "O", 4),
        ("back", "*", 2),
        ("right", "@", 5),
        ("right", "O", 1),
        ("front", "^", 6),
        ("front", "Y", 2),
        ("left", "Y", 4),
        ("left", "*", 0),
    ],
)
def test_faces(side: str, colour: str, blocks: int) -> None:
    assert blocks_at(FACES, side, colour) == blocks


@pytest.mark.parametrize("name", sorted(STRUCTURE_CARDS))
def test_structures_are_met_in_all_four_directions(name: str) -> None:
    cells = STRUCTURE_CARDS[name]
    for _ in range(4):
        tower = tuple("".join("O" if (i // 4, i % 4, z) in cells else EMPTY for i in range(16)) for z in range(3))
        assert meets(tower, STRUCTURE_CARDS[name])
        for r, c, z in cells:
            lacking = list(tower)
            lacking[z] = tower[z][: r * 4 + c] + EMPTY + tower[z][r * 4 + c + 1 :]
            assert not meets(tuple(lacking), STRUCTURE_CARDS[name])
        cells = quarter_turned(cells)
    assert tuple(sorted(cells)) == tuple(sorted(STRUCTURE_CARDS[name]))
