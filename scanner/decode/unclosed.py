"""Carved groups whose outline on the wall was not drawn to the end."""

from collections.abc import Iterable
from typing import Final

from scanner.decode.decoded import AuditLine
from scanner.decode.lattice import Lattice
from scanner.engine.obelisk.wording import cell_name, rows_of
from scanner.geometry import FloatArray

LINES_MISSING: Final = 7.5
"""An outline is not closed if the edges that are missing from it speak so much against it, natural log-likelihood: two that are
clearly not drawn, within the wall and off its level lines. One may be skipped, or drawn faintly."""


def unclosed_outlines(wall: Lattice, edge_gain: FloatArray, placements: Iterable[int]) -> list[AuditLine]:
    """Findings for the groups `placements` (indices into the lattice), whose outlines have lines missing.

    edge_gain: float64 (edge_count,), log-likelihood ratio of "an outline runs here"."""
    found = []
    for index in placements:
        outline = [edge for edge in wall.outline[index].tolist() if edge < wall.edge_count]
        missing = [edge for edge in outline if edge_gain[edge] < 0 and not wall.border[edge]]
        if -sum(float(edge_gain[edge]) for edge in missing) >= LINES_MISSING:
            cells = [divmod(cell, wall.columns) for cell in wall.cells[index]]
            text = f"The group at the wall's {rows_of(cells)} was carved, but its outline is not closed."
            found.append(AuditLine("outline not closed", cell_name("wall", cells[0]), text))
    return found
