"""Random sheets for training show everything everywhere, in forms that the template can hold."""

from collections import Counter

import numpy as np
import pytest

from scanner.engine.obelisk.polyomino import SHAPES, orientations, shape_of
from scanner.sheet.template import load_template
from scanner.synth.filling import SPOILED, Content
from scanner.training.contents import random_content

TEMPLATE = load_template("obelisk")


@pytest.fixture(scope="module")
def sheets() -> list[Content]:
    rng = np.random.default_rng(1)
    return [random_content(TEMPLATE, rng) for _ in range(120)]


def shapes_of(rows: list[str]) -> dict[str, list[tuple[int, int]]]:
    cells: dict[str, list[tuple[int, int]]] = {}
    for r, row in enumerate(rows):
        for c, letter in enumerate(row):
            if letter != ".":
                cells.setdefault(letter, []).append((r, c))
    return cells


def test_outlines_are_shapes_of_the_tile_set(sheets: list[Content]) -> None:
    """And all eight, in every orientation, are there to be learnt."""
    forms: Counter[tuple[tuple[int, int], ...]] = Counter()
    for sheet in sheets:
        for name in ("obelisk", "wall"):
            for cells in shapes_of(list(sheet.shapes[name])).values():
                assert shape_of(cells) is not None, cells
                top, left = min(r for r, _ in cells), min(c for _, c in cells)
                forms[tuple(sorted((r - top, c - left) for r, c in cells))] += 1
    assert set(forms) == {form for shape in SHAPES for form in orientations(shape)}


def test_rows_fit_the_template(sheets: list[Content]) -> None:
    for sheet in sheets:
        for grid in TEMPLATE.grids:
            for rows, kind in ((sheet.cells, "content"), (sheet.shapes, "edges")):
                assert (grid.name in rows) == (kind in grid.reads)
                if grid.name in rows:
                    assert [len(row) for row in rows[grid.name]] == [grid.columns] * grid.rows
        assert set(sheet.struck_rows) == {"wall"}
        assert sheet.marks <= {mark.name for mark in TEMPLATE.marks}


def test_built_shapes_stand_on_something(sheets: list[Content]) -> None:
    for sheet in sheets:
        rows = sheet.shapes["obelisk"]
        for cells in shapes_of(list(rows)).values():
            assert any(r == 11 or (rows[r + 1][c] != "." and (r + 1, c) not in cells) for r, c in cells)


def test_everything_comes_often_enough_to_be_learnt(sheets: list[Content]) -> None:
    written = Counter(ch for sheet in sheets for rows in sheet.cells.values() for row in rows for ch in row)
    total = sum(written.values())
    assert set(written) == {*"._O*^@Yx?", SPOILED}
    for symbol in "O*^@Y":
        assert written[symbol] / total > 0.05
    assert 0.03 < written["x"] / total < 0.25
    assert 0.01 < written["?"] / total < 0.2
    assert 0.01 < written[SPOILED] / total < 0.1
    assert (written["."] + written["_"]) / total > 0.15
    assert {sheet.struck_rows["wall"] for sheet in sheets} == {0, 4, 8, 12}
    marked = Counter(name for sheet in sheets for name in sheet.marks)
    assert all(marked[mark.name] > 15 for mark in TEMPLATE.marks)


def test_sheets_are_empty_and_full_at_times(sheets: list[Content]) -> None:
    built = [sum(ch != "." for row in sheet.shapes["obelisk"] for ch in row) / 60 for sheet in sheets]
    assert min(built) < 0.15
    assert max(built) > 0.8


def test_no_rule_tells_what_a_cell_holds(sheets: list[Content]) -> None:
    """Symbols outside all shapes, crosses inside: a network must look at the cell, not at the outline."""
    outside = Counter(
        cell
        for sheet in sheets
        for cells, shapes in zip(sheet.cells["obelisk"], sheet.shapes["obelisk"], strict=True)
        for cell, shape in zip(cells, shapes, strict=True)
        if shape == "."
    )
    inside = Counter(
        cell
        for sheet in sheets
        for cells, shapes in zip(sheet.cells["obelisk"], sheet.shapes["obelisk"], strict=True)
        for cell, shape in zip(cells, shapes, strict=True)
        if shape != "."
    )
    assert all(outside[symbol] > 10 for symbol in "O*^@Yx?")
    assert all(inside[symbol] > 10 for symbol in "O*^@Yx?")


def test_the_seed_decides_all() -> None:
    first, again, other = (random_content(TEMPLATE, np.random.default_rng(seed)) for seed in (3, 3, 4))
    assert first == again
    assert first != other
