"""The truth about a filled sheet agrees with the ink that was put down."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scanner.geometry import FloatArray, GrayImage
from scanner.sheet.template import Grid, load_template
from scanner.synth.filling import LABEL_OF, SPOILED, Content, Filling, boundary_edges, fill
from scanner.synth.hand import Hand, random_hand
from scanner.synth.pen import stroke_mask

TEMPLATE = load_template("obelisk")
OBELISK, WALL = TEMPLATE.grid("obelisk"), TEMPLATE.grid("wall")
SCALE = 6.0
EMPTY_OBELISK = ["....."] * 12
WALL_SHAPES = [
    "aa......", "aa.bbb..", ".....b..", "c.......", "cc....dd", "c....dd.",
    "....ee..", "........", "ff......", "f..gggg.", "........", "......hh",
]  # fmt: skip


def careful(seed: int, **changes: Any) -> Hand:
    """A hand that draws every line and hardly wobbles."""
    hand = random_hand(np.random.default_rng(seed))
    still = replace(hand, outline_wobble_mm=0.1, tremor_mm=0.0, skip_borders=False, skip_shared=0.0, big_crosses=False)
    return replace(still, **changes)


def mask_of(filling: Filling) -> GrayImage:
    """Where there is ink, uint8 (1260, 1782), at SCALE."""
    return stroke_mask(filling.strokes, 3.0, SCALE, (1260, 1782), np.random.default_rng(0))


def inked(mask: GrayImage, centre_mm: FloatArray, half_mm: tuple[float, float]) -> float:
    """The share of a window, centred on a point, that is covered."""
    (x, y), (w, h) = centre_mm * SCALE, half_mm
    return float(mask[round(y - h * SCALE) : round(y + h * SCALE), round(x - w * SCALE) : round(x + w * SCALE)].mean() / 255)


def point(grid: Grid, row: float, column: float) -> FloatArray:
    return np.array(grid.origin_mm) + grid.cell_mm * np.array([column, row])


def seen_edges(mask: GrayImage, grid: Grid) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Edges whose middle half carries a line, told from the ink alone."""
    horizontal = np.array(
        [[inked(mask, point(grid, r, c + 0.5), (3.0, 1.0)) > 0.12 for c in range(grid.columns)] for r in range(grid.rows + 1)]
    )
    vertical = np.array(
        [[inked(mask, point(grid, r + 0.5, c), (1.0, 3.0)) > 0.12 for c in range(grid.columns + 1)] for r in range(grid.rows)]
    )
    return horizontal, vertical


@pytest.mark.parametrize("changes", [{}, {"skip_borders": True}, {"skip_shared": 0.9}, {"outline_in_one": True}])
@pytest.mark.parametrize("seed", [1, 2])
def test_outlines_are_drawn_where_the_truth_says(seed: int, changes: Mapping[str, Any]) -> None:
    content = Content(cells={}, shapes={"wall": WALL_SHAPES, "obelisk": [row[:5] for row in WALL_SHAPES]})
    filling = fill(TEMPLATE, content, careful(seed, **changes), np.random.default_rng(seed))
    mask = mask_of(filling)
    for grid in (OBELISK, WALL):
        horizontal, vertical = seen_edges(mask, grid)
        assert np.array_equal(horizontal, filling.edges_h[grid.name])
        assert np.array_equal(vertical, filling.edges_v[grid.name])


def test_a_shape_is_outlined_all_round_and_not_inside() -> None:
    filling = fill(TEMPLATE, Content({}, {"wall": WALL_SHAPES}), careful(3), np.random.default_rng(3))
    lying, standing = filling.edges_h["wall"], filling.edges_v["wall"]
    # The square "a" in the top left corner.
    assert lying[[0, 0, 2, 2], [0, 1, 0, 1]].all()
    assert standing[[0, 1, 0, 1], [0, 0, 2, 2]].all()
    assert not lying[1, [0, 1]].any()
    assert not standing[[0, 1], 1].any()
    assert not filling.edges_h["obelisk"].any()


def test_people_who_trust_the_printed_border_do_not_draw_it() -> None:
    filling = fill(TEMPLATE, Content({}, {"wall": WALL_SHAPES}), careful(3, skip_borders=True), np.random.default_rng(3))
    assert not filling.edges_h["wall"][[0, -1]].any()
    assert not filling.edges_v["wall"][:, [0, -1]].any()
    assert filling.edges_h["wall"][2, [0, 1]].all()


def test_edges_around_a_shape() -> None:
    horizontal, vertical = boundary_edges(["a.", "aa"], "a")
    assert sorted(horizontal) == [(0, 0), (1, 1), (2, 0), (2, 1)]
    assert sorted(vertical) == [(0, 0), (0, 1), (1, 0), (1, 2)]


def ink_in_cells(filling: Filling, grid: Grid) -> NDArray[np.float64]:
    mask = mask_of(filling)
    half = (0.42 * grid.cell_mm,) * 2
    return np.array([[inked(mask, point(grid, r + 0.5, c + 0.5), half) for c in range(grid.columns)] for r in range(grid.rows)])


def contents(cells: Sequence[str], seed: int, **changes: Any) -> NDArray[np.float64]:
    filling = fill(TEMPLATE, Content({"obelisk": cells}), careful(seed, **changes), np.random.default_rng(seed))
    return ink_in_cells(filling, OBELISK)


@pytest.mark.parametrize("seed", range(5))
def test_cells_hold_ink_exactly_where_something_is_written(seed: int) -> None:
    """Far enough apart that no symbol overruns into a neighbour."""
    cells = [list(row) for row in EMPTY_OBELISK]
    for place, (row, column) in zip("O*^@Yx?", [(0, 0), (0, 3), (3, 1), (3, 4), (7, 0), (7, 3), (10, 1)], strict=True):
        cells[row][column] = place
    cells[5][2] = "_"
    ink = contents(["".join(row) for row in cells], seed)
    written = np.array([[ch in LABEL_OF for ch in row] for row in cells])
    around = cv2.dilate(written.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)
    assert (ink[written] > 0.002).all()
    assert (ink[~around] == 0).all()


@pytest.mark.parametrize("seed", range(5))
def test_a_symbol_that_is_taken_back_shows_more_ink_than_the_symbol_alone(seed: int) -> None:
    cells = [*EMPTY_OBELISK[:5], f"..{SPOILED}..", *EMPTY_OBELISK[6:]]
    filling = fill(TEMPLATE, Content({"obelisk": cells}), careful(seed), np.random.default_rng(seed))
    plain = max(contents([*EMPTY_OBELISK[:5], f"..{symbol}..", *EMPTY_OBELISK[6:]], seed)[5, 2] for symbol in "O^Y")
    assert ink_in_cells(filling, OBELISK)[5, 2] > plain
    far = np.ones((12, 5), bool)
    far[4:7, 1:4] = False
    assert not ink_in_cells(filling, OBELISK)[far].any()


def test_one_big_cross_covers_its_neighbours() -> None:
    cells = [*EMPTY_OBELISK[:5], ".xxx.", *EMPTY_OBELISK[6:]]
    filling = fill(TEMPLATE, Content({"obelisk": cells}), careful(1, big_crosses=True), np.random.default_rng(1))
    long = [s for s in filling.strokes if np.ptp(s[:, 0]) > 2 * OBELISK.cell_mm]
    assert len(long) == 2
    ink = ink_in_cells(filling, OBELISK)
    assert (ink[5, 1:4] > 0.01).all()
    assert ink[5, 0] == ink[5, 4] == 0


def test_the_scrolls_are_written_in_their_own_cells() -> None:
    filling = fill(TEMPLATE, Content({"scroll2": ["O.", ".Y"]}), careful(1), np.random.default_rng(1))
    ink = ink_in_cells(filling, TEMPLATE.grid("scroll2"))
    assert ink[0, 0] > 0.01
    assert ink[1, 1] > 0.01
    assert ink_in_cells(filling, TEMPLATE.grid("scroll1")).max() == 0
    assert ink_in_cells(filling, OBELISK).max() == 0


@pytest.mark.parametrize("style", ["each", "lines", "band", "hatch", "none"])
def test_struck_cells_are_those_that_a_stroke_runs_through(style: str) -> None:
    filling = fill(TEMPLATE, Content({}, {}, {"wall": 4}), careful(2, shadow_style=style), np.random.default_rng(2))
    struck = filling.struck["wall"]
    mask = mask_of(filling)
    seen = np.array(
        [[inked(mask, point(WALL, r + 0.5, c + 0.5), (0.33 * 12.5,) * 2) > 0.015 for c in range(8)] for r in range(12)]
    )
    # A stroke that only grazes the inner part may count either way.
    assert (seen != struck).sum() <= 4
    assert not struck[:7].any()
    assert struck.any() == (style != "none")
    if style in ("each", "lines"):
        assert struck[8:].all()


def test_shapes_in_shadow_are_struck_only_by_hands_that_do_so() -> None:
    content = Content({}, {"wall": WALL_SHAPES}, {"wall": 4})
    free = np.array([[ch == "." for ch in row] for row in WALL_SHAPES])
    free[:8] = False
    spared = fill(TEMPLATE, content, careful(2, shadow_style="each", strike_shapes=False), np.random.default_rng(2))
    assert np.array_equal(spared.struck["wall"], free)
    every = fill(TEMPLATE, content, careful(2, shadow_style="each", strike_shapes=True), np.random.default_rng(2))
    assert every.struck["wall"][8:].all()


@pytest.mark.parametrize("seed", range(4))
def test_only_the_circles_that_are_marked_hold_ink(seed: int) -> None:
    marked = frozenset({"level1.2", "scroll2.points", "scroll3.used"})
    filling = fill(TEMPLATE, Content({}, marks=marked), careful(seed), np.random.default_rng(seed))
    mask = mask_of(filling)
    holding = {m.name for m in TEMPLATE.marks if inked(mask, np.array(m.centre_mm), (m.diameter_mm / 2,) * 2) > 0.01}
    assert marked <= holding
    # A wide mark may reach into the circle beside it.
    beside = {"level1.3", "level1.1"}
    assert holding <= marked | beside


def test_names_stay_near_their_box() -> None:
    written: list[float] = []
    for seed in range(20):
        filling = fill(TEMPLATE, Content({}), careful(seed), np.random.default_rng(seed))
        if filling.strokes:
            points = np.vstack(filling.strokes)
            written.append(len(points))
            assert points[:, 1].max() < OBELISK.origin_mm[1] - 3, "a name would run into the cells"
    assert len(written) > 10


def test_nothing_to_write_nothing_true() -> None:
    filling = fill(TEMPLATE, Content({}), careful(1), np.random.default_rng(1))
    for truth in (filling.edges_h, filling.edges_v, filling.struck):
        assert not any(array.any() for array in truth.values())
    assert set(filling.edges_h) == set(filling.edges_v) == {"obelisk", "wall"}
    assert set(filling.struck) == {"wall"}
