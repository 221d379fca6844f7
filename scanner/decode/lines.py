"""Lines that disagree with the decoded outlines: the rules may overrule a stroke, or its absence, but not without saying so."""

from collections.abc import Iterable
from typing import Final

import numpy as np

from scanner.decode.decoded import AuditLine
from scanner.decode.lattice import Lattice
from scanner.engine.obelisk.wording import cell_name, rows_of
from scanner.geometry import FloatArray

LINE_MISSING: Final = 5.4
"""An outline is not closed if an edge of it speaks so much against it, natural log-likelihood: one that is clearly not drawn,
within the grid and off its level lines (see `evidence.edge_gains`)."""

LINES_MISSING: Final = 7.5
"""Or if several do, together."""

LINE_DRAWN: Final = 6.5
"""A line is clearly drawn if its edge speaks so much for an outline."""

_NAMED: Final = 4


def unclosed_outlines(name: str, grid: Lattice, edge_gain: FloatArray, placements: Iterable[int], said: str) -> list[AuditLine]:
    """Findings for the shapes `placements` (indices into the lattice) whose outlines have lines missing.

    name: the grid's; edge_gain: float64 (edge_count,), log-likelihood ratio of "an outline runs here"; said: what is known of
    the shapes for all that, after "The shape at row 3 "."""
    found = []
    for index in placements:
        outline = [edge for edge in grid.outline[index].tolist() if edge < grid.edge_count and not grid.border[edge]]
        missing = [-float(edge_gain[edge]) for edge in outline if edge_gain[edge] < 0]
        if sum(missing) >= LINES_MISSING or max(missing, default=0.0) >= LINE_MISSING:
            cells = [divmod(cell, grid.columns) for cell in grid.cells[index]]
            text = f"The shape at the {name}'s {rows_of(cells)} {said}, but its outline is not closed."
            found.append(AuditLine("outline not closed", cell_name(name, cells[0]), text))
    return found


def stray_lines(name: str, grid: Lattice, edge_gain: FloatArray, placements: Iterable[int]) -> list[AuditLine]:
    """A finding if lines are clearly drawn on a grid where no outline of the shapes `placements` runs; arguments as in
    `unclosed_outlines`."""
    outlined = np.zeros(grid.edge_count + 1, bool)
    for index in placements:
        outlined[grid.outline[index]] = True
    stray = np.flatnonzero((edge_gain >= LINE_DRAWN) & ~outlined[:-1]).tolist()
    if not stray:
        return []
    places = [_place(grid, edge) for edge in stray[:_NAMED]]
    named = ", ".join(f"{side} row {row + 1} column {column + 1}" for side, row, column in places)
    more = f" and at {len(stray) - _NAMED} more places" if len(stray) > _NAMED else ""
    drawn = f"A line is drawn on the {name}" if len(stray) == 1 else f"Lines are drawn on the {name}"
    text = f"{drawn} {named}{more}, but no outline of a shape runs there."
    return [AuditLine("line without an outline", cell_name(name, places[0][1:]), text)]


def _place(grid: Lattice, edge: int) -> tuple[str, int, int]:
    """On which side of which cell an edge lies."""
    vertical = (grid.rows + 1) * grid.columns
    if edge < vertical:
        row, column = divmod(edge, grid.columns)
        return ("above", row, column) if row < grid.rows else ("below", row - 1, column)
    row, column = divmod(edge - vertical, grid.columns + 1)
    return ("left of", row, column) if column < grid.columns else ("right of", row, column - 1)
