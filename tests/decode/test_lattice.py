"""The lattice, made with arrays, against its definition cell by cell."""

import numpy as np
import pytest

from scanner.decode.lattice import lattice
from scanner.engine.obelisk.polyomino import SHAPES, placements


@pytest.mark.parametrize(("rows", "columns"), [(12, 8), (12, 5), (3, 2)])
def test_every_placement_has_its_cells_its_outline_and_the_edges_inside(rows: int, columns: int) -> None:
    made = lattice(rows, columns)
    expected = sorted(
        (tuple(row * columns + column for row, column in place), shape)
        for shape in SHAPES
        for place in placements(shape, rows, columns)
    )
    assert list(zip(made.cells, made.shapes, strict=True)) == expected
    assert len(made.outline) == len(made.inside) == len(made.covers) == len(expected)
    for index, (cells, _) in enumerate(expected):
        around = [edge for cell in cells for edge, _ in made.neighbours[cell]]
        outline = sorted(edge for edge in around if around.count(edge) == 1)
        inside = sorted({edge for edge in around if around.count(edge) == 2})
        assert [edge for edge in made.outline[index].tolist() if edge < made.edge_count] == outline
        assert [edge for edge in made.inside[index].tolist() if edge < made.edge_count] == inside
        assert tuple(np.flatnonzero(made.covers[index]).tolist()) == cells
        assert made.masks[index] == sum(1 << cell for cell in cells)
