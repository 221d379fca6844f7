"""Lines that the rules overrule are named: a stroke where no outline runs, and a gap in one."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from scanner.decode.decoded import AuditLine
from scanner.decode.lattice import lattice
from scanner.decode.lines import LINE_DRAWN, LINE_MISSING, stray_lines, unclosed_outlines
from scanner.decode.obelisk import decode_obelisk
from scanner.engine import audit_state
from scanner.reading.readings import Readings
from tests.decode.simulated import IDENTITY, Noise, Sheet, blank_sheet, read

GRID = lattice(3, 4)
SQUARE = next(i for i, cells in enumerate(GRID.cells) if cells == (0, 1, 4, 5))


def drawn(*, missing: tuple[int, ...] = (), stray: tuple[int, ...] = ()) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Edges that show the square clearly, but for some."""
    gain = np.full(GRID.edge_count + 1, -6.0)
    gain[GRID.outline[SQUARE]] = 7.0
    gain[list(missing)], gain[list(stray)] = -LINE_MISSING, LINE_DRAWN
    return gain[:-1]


def test_a_whole_outline_is_not_spoken_of() -> None:
    assert not unclosed_outlines("wall", GRID, drawn(), [SQUARE], "was carved")
    assert not stray_lines("wall", GRID, drawn(), [SQUARE])


def test_an_outline_with_a_gap() -> None:
    below = GRID.above(4) + GRID.columns
    (line,) = unclosed_outlines("wall", GRID, drawn(missing=(below,)), [SQUARE], "was carved")
    assert (line.rule, line.where) == ("outline not closed", "wall r1 c1")
    assert line.message == "The shape at the wall's rows 1 to 2 was carved, but its outline is not closed."
    # On the border many draw none.
    assert not unclosed_outlines("wall", GRID, drawn(missing=(GRID.left(0),)), [SQUARE], "was carved")


@pytest.mark.parametrize(
    ("edge", "place"),
    [
        (GRID.above(1) + 4, "above row 2 column 2"),
        (GRID.above(11) + 4, "below row 3 column 4"),
        (GRID.left(10), "left of row 3 column 3"),
        (GRID.left(7) + 1, "right of row 2 column 4"),
    ],
)
def test_a_stray_line(edge: int, place: str) -> None:
    (line,) = stray_lines("obelisk", GRID, drawn(stray=(edge,)), [SQUARE])
    assert line.rule == "line without an outline"
    assert line.message == f"A line is drawn on the obelisk {place}, but no outline of a shape runs there."


def test_many_stray_lines_are_told_of_in_one_finding() -> None:
    (line,) = stray_lines("wall", GRID, drawn(), [])
    assert line.message.startswith("Lines are drawn on the wall above row 1 column 1, above row 1 column 2, ")
    assert " and at 4 more places, " in line.message


def _tower() -> Sheet:
    """A square, on which four spaces in a row lie."""
    sheet = blank_sheet()
    built_by, obelisk = sheet.built_by.copy(), sheet.obelisk.copy()
    for number, cells in enumerate([[(10, 0), (10, 1), (11, 0), (11, 1)], [(9, 0), (9, 1), (9, 2), (9, 3)]]):
        for cell in cells:
            built_by[cell], obelisk[cell] = number, "_"
    return replace(sheet, built_by=built_by, obelisk=obelisk)


def _without_a_line(readings: Readings) -> Readings:
    """The line between the two is not drawn at its left end."""
    readings.edges_h["obelisk"][10, 0] = -12.0
    return readings


def _with_a_line(readings: Readings) -> Readings:
    """A line is drawn in the open, where it can be no outline."""
    readings.edges_v["obelisk"][4, 3] = 12.0
    return readings


@pytest.mark.parametrize(
    ("change", "rule"), [(_without_a_line, "outline not closed"), (_with_a_line, "line without an outline")]
)
def test_lines_of_the_tower_are_named(change: Callable[[Readings], Readings], rule: str) -> None:
    def named(readings: Readings) -> list[AuditLine]:
        return [line for line in decode_obelisk(readings, IDENTITY).audit if line.rule == rule]

    readings = read(np.random.default_rng(1), _tower(), Noise(circles=0.0, skip_borders=True))
    assert not named(readings)
    decoded = decode_obelisk(change(readings), IDENTITY)
    assert decoded.state["obelisk"][9:] == ["____.", "__...", "__..."]
    assert len(named(readings)) == (2 if rule == "outline not closed" else 1)


def test_a_cross_on_a_built_space_is_audited_as_what_it_is() -> None:
    """The space stays part of its shape: it is not told of as open, nor what lies on it as hanging in the air."""
    sheet = _tower()
    sheet.obelisk[10, 1] = "x"
    decoded = decode_obelisk(read(np.random.default_rng(1), sheet, Noise(circles=0.0)), IDENTITY)
    assert decoded.state["obelisk"][10] == "_x..."
    assert [(line.rule, line.where) for line in decoded.audit] == [("crossed out but built", "obelisk r11 c2")]
    assert audit_state(decoded.audited) == ()
