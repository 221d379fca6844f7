"""The board: each rule kept and each breach raising its own error, against hand-drawn positions and plain re-computation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.engine.obelisk import broken
from scanner.engine.obelisk.bitboard import closed_area, height_of, level_of, obelisk_cells, obelisk_mask, shadow_of, wall_cells
from scanner.engine.obelisk.board import Board, obelisk_place, wall_place
from scanner.engine.obelisk.polyomino import Cell, placements
from tests.engine.examples import with_bottom


def mask(*rows: str) -> int:
    """Built cells of the lowest rows, top first: everything that is neither '.' nor 'x'."""
    full = with_bottom(*rows)
    return obelisk_mask((r, c) for r, row in enumerate(full) for c, cell in enumerate(row) if cell not in ".x")


def square(row: int, column: int) -> list[Cell]:
    return [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]


def plain_closed(built: set[Cell]) -> set[Cell]:
    """Closed areas by flooding a grid with one more, open row on top."""
    reached, frontier = set(), [(-1, column) for column in range(5)]
    while frontier:
        row, column = frontier.pop()
        if (row, column) in reached or not (-1 <= row < 12 and 0 <= column < 5) or (row, column) in built:
            continue
        reached.add((row, column))
        frontier += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    return {(r, c) for r in range(12) for c in range(5)} - built - reached


@given(st.sets(st.tuples(st.integers(0, 11), st.integers(0, 4)), max_size=50))
def test_closed_area_against_plain_flooding(built: set[Cell]) -> None:
    assert set(obelisk_cells(closed_area(obelisk_mask(built)))) == plain_closed(built)


@pytest.mark.parametrize(
    "picture",
    [
        ["OOO..", "xxO..", "OOO.."],  # sides are walls
        ["..OOO", "..Oxx", "..OOO"],
        [".OOO.", ".OxO.", ".OOO."],
        ["OOOOO", "xxxxx", "xxOxx"],
        [".OO..", ".O...", ".OO.."],  # open to the right
        ["OO...", "xO...", "OO.OO"],
        [".OO.O", "OxO.O", "OOO.O"],  # a diagonal gap is no path
        ["OO...", "xxO..", "OOO.."],  # the gap to the right is only diagonal
    ],
)
def test_closed_areas_drawn(picture: list[str]) -> None:
    crossed = obelisk_mask(
        (12 - len(picture) + r, c) for r, row in enumerate(picture) for c, cell in enumerate(row) if cell == "x"
    )
    assert closed_area(mask(*picture)) == crossed


def test_the_top_row_opens_to_above() -> None:
    """A gap in row 12 is open even between full neighbours."""
    rows = ["OO.OO"] + ["OOOOO"] * 11
    assert closed_area(mask(*rows)) == 0
    assert closed_area(mask(*(["OOOOO"] + ["OO.OO"] + ["OOOOO"] * 10))) == obelisk_mask([(1, 2)])


@pytest.mark.parametrize(("height", "level"), [(0, 0), (1, 0), (3, 0), (4, 1), (7, 1), (8, 2), (11, 2), (12, 3)])
def test_height_and_level(height: int, level: int) -> None:
    built = mask(*["O...."] * height) if height else 0
    assert (height_of(built), level_of(built)) == (height, level)


def test_shadow_covers_four_rows_a_level() -> None:
    for level in range(4):
        assert {row for row, _ in wall_cells(shadow_of(level))} == set(range(12 - 4 * level, 12))
        assert shadow_of(level).bit_count() == 32 * level


def test_building_rests_on_base_or_built() -> None:
    board = Board().build(obelisk_place(square(10, 0)))
    assert board.build(obelisk_place([(9, 1), (9, 2), (9, 3)])).height == 3  # one cell rests, two hang over
    with pytest.raises(broken.NotSupported):
        board.build(obelisk_place([(9, 2), (9, 3)]))
    with pytest.raises(broken.NotSupported):
        board.build(obelisk_place([(10, 2), (10, 3)]))  # touching sideways is no support
    with pytest.raises(broken.SpaceTaken):
        board.build(obelisk_place([(11, 1), (11, 2)]))


def test_building_outside_or_no_shape() -> None:
    for cells in ([(11, 4), (11, 5)], [(12, 0), (11, 0)], [(-1, 0), (0, 0)], [(11, -1), (11, 0)]):
        with pytest.raises(broken.OutsideObelisk):
            obelisk_place(cells)
    with pytest.raises(broken.NotAShape):
        obelisk_place([(11, 0), (11, 2)])
    with pytest.raises(broken.NotAShape):
        Board().build(1)


def test_closed_spaces_are_crossed_out_and_never_built() -> None:
    board = Board().build(obelisk_place([(9, 0), (10, 0), (11, 0)]))
    board = board.build(obelisk_place([(11, 3), (11, 4)]))
    board = board.build(obelisk_place([(8, 0), (8, 1), (8, 2), (8, 3)]))
    assert board.crossed == 0
    board = board.build(obelisk_place([(9, 4), (10, 4)]))  # meets the roof only at a corner, and yet closes
    assert obelisk_cells(board.crossed) == ((9, 1), (9, 2), (9, 3), (10, 1), (10, 2), (10, 3), (11, 1), (11, 2))
    with pytest.raises(broken.SpaceCrossedOut):
        board.build(obelisk_place([(11, 1), (11, 2)]))
    assert not any(place & board.crossed for place in board.builds("I2"))


def test_carving_is_by_translation_onto_blank_built_spaces() -> None:
    board = Board().build(obelisk_place(square(10, 0))).build(obelisk_place(square(10, 2)))
    wall = wall_place([(0, 0), (0, 1), (1, 0)])  # YO over O
    carved = board.carve(wall, obelisk_place([(10, 1), (10, 2), (11, 1)]))
    assert carved.state().obelisk[10:] == ("_YO_.", "_O__.")
    assert carved.state().wall_shapes is not None
    with pytest.raises(broken.NotATranslation):
        board.carve(wall, obelisk_place([(10, 1), (11, 1), (11, 2)]))
    with pytest.raises(broken.NotATranslation):
        board.carve(wall, obelisk_place([(10, 1), (10, 2), (11, 2)]))
    with pytest.raises(broken.NotBuilt):
        board.carve(wall, obelisk_place([(10, 3), (10, 4), (11, 3)]))
    with pytest.raises(broken.SpaceFilled):
        carved.carve(wall_place([(5, 0), (5, 1)]), obelisk_place([(10, 0), (10, 1)]))
    with pytest.raises(broken.AlreadyMarked):
        carved.carve(wall_place([(0, 1), (0, 2)]), obelisk_place([(11, 2), (11, 3)]))


def test_carving_outside_the_wall_or_in_the_shadow() -> None:
    for cells in ([(11, 7), (11, 8)], [(12, 0), (11, 0)]):
        with pytest.raises(broken.OutsideWall):
            wall_place(cells)
    with pytest.raises(broken.NotAShape):
        wall_place([(0, 0)])
    three_high = Board().build(obelisk_place([(9, 0), (10, 0), (11, 0)])).build(obelisk_place([(11, 1), (11, 2)]))
    lowest, above = wall_place([(8, 0), (8, 1)]), wall_place([(7, 0), (7, 1)])
    across = wall_place([(7, 4), (8, 4)])
    target = obelisk_place([(11, 1), (11, 2)])
    three_high.carve(lowest, target)
    four_high = three_high.build(obelisk_place([(8, 0), (8, 1)]))
    with pytest.raises(broken.InShadow):
        four_high.carve(lowest, target)
    with pytest.raises(broken.InShadow):
        four_high.scribe(wall_place(square(8, 0)))
    with pytest.raises(broken.InShadow):
        four_high.carve(across, obelisk_place([(9, 0), (10, 0)]))
    assert four_high.carve(above, target).state().obelisk[11] == "_O*.."


def test_scribing_fills_scrolls_from_the_bottom() -> None:
    board = Board()
    with pytest.raises(broken.NotASquare):
        board.scribe(wall_place([(0, 0), (0, 1)]))
    for column in (0, 2, 4):
        board = board.scribe(wall_place(square(0, column)))
    scrolls = board.state().scrolls
    assert [(scroll.points, scroll.symbols, scroll.marked, scroll.used) for scroll in scrolls] == [
        (3, "YOO^", True, False),
        (6, "@^Y@", True, False),
        (9, "O^*@", True, False),
    ]
    with pytest.raises(broken.NoEmptyScroll):
        board.scribe(wall_place(square(4, 0)))
    assert board.scribings("O4") == []


def test_using_scrolls() -> None:
    board = Board().scribe(wall_place(square(0, 0)))
    used = board.use_scroll(0)
    assert used.state().scrolls[0].used
    with pytest.raises(broken.ScrollUsed):
        used.use_scroll(0)
    with pytest.raises(broken.ScrollNotReady):
        used.use_scroll(1)


@given(st.data())
def test_listed_actions_are_exactly_those_that_raise_nothing(data: st.DataObject) -> None:
    """Over random boards: the lists against trying every place of the shape."""
    board = Board()
    for _ in range(data.draw(st.integers(0, 8))):
        shape = data.draw(st.sampled_from(["I2", "I3", "V3", "O4", "L4", "T4", "S4", "I4"]))
        kind = data.draw(st.sampled_from(["build", "build", "carve", "scribe"]))
        if kind == "build" and (builds := board.builds(shape)):
            board = board.build(data.draw(st.sampled_from(builds)))
        elif kind == "carve" and (carvings := board.carvings(shape)):
            board = board.carve(*data.draw(st.sampled_from(carvings)))
        elif kind == "scribe" and (scribings := board.scribings(shape)):
            board = board.scribe(data.draw(st.sampled_from(scribings)))
    shape = data.draw(st.sampled_from(["I2", "V3", "O4", "S4"]))
    places = [obelisk_place(cells) for cells in placements(shape, 12, 5)]

    def allowed(place: int) -> bool:
        try:
            board.build(place)
        except broken.BrokenRule:
            return False
        return True

    assert sorted(board.builds(shape)) == sorted(filter(allowed, places))
    wall_places = [wall_place(cells) for cells in placements(shape, 12, 8)]
    wall = data.draw(st.sampled_from(wall_places))
    targets = []
    for place in places:
        try:
            board.carve(wall, place)
        except broken.BrokenRule:
            continue
        targets.append((wall, place))
    assert sorted(pair for pair in board.carvings(shape) if pair[0] == wall) == sorted(targets)
