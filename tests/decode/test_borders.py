"""The habit of drawing, or not drawing, outlines on the grids' borders."""

from dataclasses import replace

import numpy as np
import pytest

from scanner.decode.borders import HABITS, border_drawn
from scanner.decode.evidence import STRAY_EDGE
from scanner.decode.lattice import lattice
from scanner.decode.obelisk import decode_obelisk
from tests.decode.simulated import IDENTITY, Noise, blank_sheet, read

GRID = lattice(4, 3)
FULL, NONE = np.ones(12), np.zeros(12)


def odds(share: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """On the border, so large a share of the edges clearly drawn."""
    found = np.full(GRID.edge_count, 1e-5)
    on_border = np.flatnonzero(GRID.border)
    found[on_border[: round(share * len(on_border))]] = 1e5
    return found


@pytest.mark.parametrize("share", HABITS)
def test_the_habit_shows_on_cells_that_are_certainly_covered(share: float) -> None:
    assert border_drawn([(GRID, odds(share), FULL, NONE)], STRAY_EDGE) == pytest.approx(share, abs=0.1)


def test_free_cells_say_nothing_and_cells_that_may_be_free_little() -> None:
    unknown = border_drawn([], STRAY_EDGE)
    assert border_drawn([(GRID, odds(0), NONE, NONE)], STRAY_EDGE) == pytest.approx(unknown)
    assert border_drawn([(GRID, odds(0), NONE, FULL)], STRAY_EDGE) > unknown / 4
    assert border_drawn([(GRID, odds(1), NONE, FULL)], STRAY_EDGE) > 0.9


def test_a_line_missing_on_the_border_counts_by_the_players_habit() -> None:
    """Three spaces between the border, a tower and one line: built, if the player draws no borders; else left free."""
    sheet = blank_sheet()
    built_by, obelisk = sheet.built_by.copy(), sheet.obelisk.copy()
    for number, cells in enumerate(
        [[(8, 1), (9, 1), (10, 1), (11, 1)], [(8, 4), (9, 4), (10, 4), (11, 4)], [(11, 2), (11, 3)]]
    ):
        for cell in cells:
            built_by[cell], obelisk[cell] = number, "O"
    plain = replace(sheet, built_by=built_by, obelisk=obelisk)
    for draws in (False, True):
        readings = read(np.random.default_rng(3), plain, Noise(circles=0.0, skip_borders=not draws))
        readings.edges_h["obelisk"][9, 0] = 12.0
        state = decode_obelisk(readings, IDENTITY).state["obelisk"]
        assert [row[0] for row in state[9:]] == (["."] * 3 if draws else ["_"] * 3)
