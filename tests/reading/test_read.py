"""Readings are keyed and ordered as the template says: checked with networks that merely tell what lies in a crop's middle."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from scanner.cells import Cover, Rectified
from scanner.geometry import RECT_PX_PER_MM, GrayImage
from scanner.reading import Readings, read, read_sheets
from scanner.reading.networks import Kind
from scanner.reading.readings import unseen
from scanner.sheet.template import Grid, Template, load_template
from tests.cells.flat_sheets import blank_sheet, rectified, spot
from tests.handmade import state
from tests.tabletop import certain

TEMPLATE = load_template("obelisk")
Calls = dict[Kind, int]


def grays_in_the_middle(kind: Kind, calls: Calls) -> Callable[[NDArray[np.uint8]], NDArray[np.float32]]:
    """A network that gives the gray value at a crop's middle; for contents, label k adds 1000 k to it."""

    def run(crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        calls[kind] = calls.get(kind, 0) + 1
        places = crops if kind in ("content", "struck") else crops[:, 0]
        _, height, width = places.shape
        middle = places[:, height // 2, width // 2].astype(np.float32)[:, None]
        return middle + 1000 * np.arange(8, dtype=np.float32) if kind == "content" else middle

    return run


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """How often each network ran."""
    counted: Calls = {}
    monkeypatch.setattr(read, "network", lambda kind: grays_in_the_middle(kind, counted))
    return counted


def edge_points(grid: Grid, standing: bool) -> list[tuple[float, float]]:
    """Middles of a grid's edges, row by row."""
    (x, y), cell = grid.origin_mm, grid.cell_mm
    if standing:
        return [(x + c * cell, y + (r + 0.5) * cell) for r in range(grid.rows) for c in range(grid.columns + 1)]
    return [(x + (c + 0.5) * cell, y + r * cell) for r in range(grid.rows + 1) for c in range(grid.columns)]


def cell_points(grid: Grid) -> list[tuple[float, float]]:
    (x, y), cell = grid.origin_mm, grid.cell_mm
    return [(x + (c + 0.5) * cell, y + (r + 0.5) * cell) for r in range(grid.rows) for c in range(grid.columns)]


def numbered(points: list[tuple[float, float]], digit: int, shift: int = 0) -> GrayImage:
    """A sheet on which each point carries a digit, in base 16, of its number in the list."""
    gray = blank_sheet(TEMPLATE)
    for number, point in enumerate(points):
        spot(gray, point, 10 + (number + shift) // 16**digit % 16)
    return gray


def read_numbers(points: list[tuple[float, float]], take: Callable[[Readings], NDArray[np.float32]]) -> NDArray[np.int64]:
    """The numbers that come back, in the readings' order."""
    low, high = (take(read_sheets([rectified(numbered(points, digit))], TEMPLATE)[0]) - 10 for digit in (0, 1))
    return np.round(low + 16 * high).astype(np.int64)


@pytest.mark.usefixtures("calls")
@pytest.mark.parametrize("name", ["obelisk", "scroll1", "scroll2", "scroll3"])
def test_cells_are_read_in_rows_and_columns(name: str) -> None:
    grid = TEMPLATE.grid(name)
    numbers = read_numbers(cell_points(grid), lambda r: r.content[name][..., 0])
    assert numbers.tolist() == np.arange(grid.rows * grid.columns).reshape(grid.rows, grid.columns).tolist()


@pytest.mark.usefixtures("calls")
def test_struck_cells_are_read_in_rows_and_columns() -> None:
    numbers = read_numbers(cell_points(TEMPLATE.grid("wall")), lambda r: r.struck["wall"])
    assert numbers.tolist() == np.arange(96).reshape(12, 8).tolist()


@pytest.mark.usefixtures("calls")
@pytest.mark.parametrize("name", ["obelisk", "wall"])
def test_edges_are_read_in_rows_and_columns(name: str) -> None:
    grid = TEMPLATE.grid(name)
    lying = read_numbers(edge_points(grid, False), lambda r: r.edges_h[name])
    assert lying.tolist() == np.arange(13 * grid.columns).reshape(13, grid.columns).tolist()
    standing = read_numbers(edge_points(grid, True), lambda r: r.edges_v[name])
    assert standing.tolist() == np.arange(12 * (grid.columns + 1)).reshape(12, grid.columns + 1).tolist()


@pytest.mark.usefixtures("calls")
def test_marks_are_read_by_name() -> None:
    gray = numbered([mark.centre_mm for mark in TEMPLATE.marks], 0)
    marks = read_sheets([rectified(gray)], TEMPLATE)[0].marks
    assert {name: value - 10 for name, value in marks.items()} == {
        mark.name: number for number, mark in enumerate(TEMPLATE.marks)
    }


@pytest.mark.usefixtures("calls")
def test_only_what_the_template_reads_is_there() -> None:
    readings = read_sheets([rectified(blank_sheet(TEMPLATE))], TEMPLATE)[0]
    assert list(readings.content) == ["obelisk", "scroll1", "scroll2", "scroll3"]
    assert list(readings.edges_h) == list(readings.edges_v) == ["obelisk", "wall"]
    assert list(readings.struck) == ["wall"]
    for arrays in (readings.content, readings.edges_h, readings.edges_v, readings.struck):
        assert all(array.dtype == np.float32 and not array.flags.writeable for array in arrays.values())


@pytest.mark.usefixtures("calls")
def test_labels_are_the_last_axis() -> None:
    readings = read_sheets([rectified(blank_sheet(TEMPLATE))], TEMPLATE)[0]
    assert readings.content["obelisk"].shape == (12, 5, 8)
    assert (np.diff(readings.content["obelisk"], axis=-1) == 1000).all()


def test_the_sheets_of_a_photo_share_one_batch_and_keep_their_order(calls: Calls) -> None:
    sheets: list[Rectified] = []
    for value in (20, 60, 100):
        gray = blank_sheet(TEMPLATE)
        gray[: round(100 * RECT_PX_PER_MM)] = value
        spot(gray, TEMPLATE.marks[0].centre_mm, value + 1)
        sheets.append(rectified(gray))
    readings = read_sheets(sheets, TEMPLATE)
    assert [r.content["obelisk"][0, 0, 0] for r in readings] == [20, 60, 100]
    assert [r.edges_v["wall"][0, 0] for r in readings] == [20, 60, 100]
    assert [r.struck["wall"][1, 1] for r in readings] == [20, 60, 100]
    assert [r.marks[TEMPLATE.marks[0].name] for r in readings] == [21, 61, 101]
    assert calls == {"content": 1, "edges": 1, "struck": 1, "marks": 1}


def test_no_sheets_no_readings(calls: Calls) -> None:
    assert read_sheets([], TEMPLATE) == []
    assert not calls


def test_nothing_is_said_of_places_that_could_not_be_looked_at(calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    def find_cover(_sheet: Rectified, template: Template) -> Cover:
        cells = {g.name: np.zeros((g.rows, g.columns), bool) for g in template.grids}
        edges_h = {g.name: np.zeros((g.rows + 1, g.columns), bool) for g in template.grids}
        edges_v = {g.name: np.zeros((g.rows, g.columns + 1), bool) for g in template.grids}
        cells["obelisk"][5, 2] = cells["wall"][1, 7] = edges_h["wall"][12, 0] = edges_v["obelisk"][0, 5] = True
        none = {name: np.zeros_like(array) for name, array in cells.items()}
        ink = {mark.name: 0.2 for mark in template.marks}
        return Cover(cells, none, edges_h, edges_v, frozenset({"level2.3"}), ink)

    bare = read_sheets([rectified(blank_sheet(TEMPLATE))], TEMPLATE)[0]
    monkeypatch.setattr(read, "find_cover", find_cover)
    found = read_sheets([rectified(blank_sheet(TEMPLATE))], TEMPLATE)[0]
    assert np.exp(found.content["obelisk"][5, 2]) == pytest.approx(1 / 8)
    assert np.argwhere(unseen(found.content["obelisk"])).tolist() == [[5, 2]]
    assert not unseen(found.content["scroll1"]).any()
    for name, changed, place in (("struck", "wall", (1, 7)), ("edges_h", "wall", (12, 0)), ("edges_v", "obelisk", (0, 5))):
        difference = getattr(found, name)[changed] - getattr(bare, name)[changed]
        assert [tuple(at) for at in np.argwhere(difference)] == [place]
        assert getattr(found, name)[changed][place] == 0
    assert [name for name, odds in found.marks.items() if odds == 0] == ["level2.3"]
    assert calls["content"] == 2


def test_a_symbol_that_is_clearly_seen_is_not_given_up_for_lost_lines() -> None:
    """Its own strokes hide them, or blur does; but it is no longer certain."""
    readings = read_sheets([rectified(blank_sheet(TEMPLATE))], TEMPLATE)[0]
    content = np.full((12, 5, 8), np.log(0.001 / 7), np.float32)
    content[..., 0] = np.log(0.999)
    for column, (label, likely) in enumerate(((2, 0.995), (2, 0.95), (7, 0.995))):
        content[5, column] = np.log((1 - likely) / 7)
        content[5, column, label] = np.log(likely)
    cover = inked({})
    cover.cells["obelisk"][5, :4] = True
    found = read.veiled(replace(readings, content={"obelisk": content}), cover).content["obelisk"]
    assert np.exp(found[5, 0]).sum() == pytest.approx(1, abs=1e-3)
    assert 0.7 < np.exp(found[5, 0, 2]) < 0.9
    assert np.argwhere(unseen(found)).tolist() == [[5, 1], [5, 2], [5, 3]]


def inked(ink: Mapping[str, float]) -> Cover:
    """Nothing lies on the sheet; circles are under more ink than is printed."""
    none = {g.name: np.zeros((g.rows, g.columns), bool) for g in TEMPLATE.grids}
    edges_h = {g.name: np.zeros((g.rows + 1, g.columns), bool) for g in TEMPLATE.grids}
    edges_v = {g.name: np.zeros((g.rows, g.columns + 1), bool) for g in TEMPLATE.grids}
    shares = dict.fromkeys((mark.name for mark in TEMPLATE.marks), 0.2) | dict(ink)
    return Cover(none, none, edges_h, edges_v, frozenset(), shares)


@pytest.mark.parametrize(
    ("ink", "open_ones"),
    [
        ({"level1.3": 0.9, "scroll1.points": 0.4}, ["level1.3"]),
        ({"level1.3": 0.6, "scroll1.points": 0.25}, ["level1.3"]),
        ({"level1.3": 0.9, "scroll1.points": 0.8}, []),
        ({"level1.3": 0.5, "scroll1.points": 0.4}, []),
        ({"level2.5": 0.9}, []),
    ],
)
def test_a_mark_under_much_more_ink_than_others_may_have_been_taken_back(ink: dict[str, float], open_ones: list[str]) -> None:
    """The worked example has the points of level 1 and of scroll 1 marked."""
    readings = certain(state(), TEMPLATE)
    found = read.veiled(readings, inked(ink)).marks
    assert [name for name, odds in found.items() if odds != readings.marks[name]] == open_ones
    assert all(found[name] == read.TAKEN_BACK_ODDS for name in open_ones)


def test_a_single_mark_that_is_all_but_black_may_have_been_taken_back() -> None:
    readings = certain(state(levels=[0, 0, 8], scrolls=state()["scrolls"][1:2] * 3), TEMPLATE)
    assert read.veiled(readings, inked({"level3.8": 0.9})).marks["level3.8"] == read.TAKEN_BACK_ODDS
    assert read.veiled(readings, inked({"level3.8": 0.5})).marks == readings.marks


def test_a_symbol_that_is_seen_surely_is_not_covered() -> None:
    """Strokes along a cell's sides, or noise, hide its lines; the symbol shows that nothing lies on it."""
    content = np.full((1, 3, 8), np.log(0.001), np.float32)
    content[0, 0, 5], content[0, 1, 5], content[0, 2, 0] = np.log(0.99), np.log(0.6), np.log(0.99)  # lotus, lotus?, blank
    readings = Readings({"grid": content}, {}, {}, {}, {})
    none, all_of_it = {"grid": np.zeros((1, 3), bool)}, {"grid": np.ones((1, 3), bool)}
    found = read.veiled(readings, Cover(none, all_of_it, {}, {}, frozenset(), {}))
    assert unseen(found.content["grid"]).tolist() == [[False, True, True]]
    found = read.veiled(readings, Cover(all_of_it, none, {}, {}, frozenset(), {}))
    assert unseen(found.content["grid"]).all(), "what lost most of its lines needs a clearer symbol than this"


def test_a_crossing_out_that_is_seen_surely_is_doubted_where_something_may_lie() -> None:
    """Heavy crosses hide the lines that they run over; so does the rim of a paper, which may look like one."""
    content = np.full((1, 2, 8), np.log(0.005), np.float32)
    content[..., 6] = np.log([[0.965, 0.7]])
    readings = Readings({"grid": content}, {}, {}, {}, {})
    none, all_of_it = {"grid": np.zeros((1, 2), bool)}, {"grid": np.ones((1, 2), bool)}
    found = read.veiled(readings, Cover(none, all_of_it, {}, {}, frozenset(), {}))
    seen = np.exp(found.content["grid"])
    assert unseen(found.content["grid"]).tolist() == [[False, True]]
    assert seen.sum(-1) == pytest.approx(1.0, abs=1e-5)
    assert 0.7 < seen[0, 0, 6] < 0.8
    assert unseen(read.veiled(readings, Cover(all_of_it, all_of_it, {}, {}, frozenset(), {})).content["grid"]).all()
