"""How findings speak of places: rows from the top and columns from the left, counted from 1."""

from collections.abc import Sequence

from scanner.engine.obelisk.polyomino import Cell


def cell_name(grid: str, cell: Cell) -> str:
    """E.g. "obelisk r3 c2"."""
    return f"{grid} r{cell[0] + 1} c{cell[1] + 1}"


def span(first: int, last: int) -> str:
    """Row numbers (0-based) as players say them: "row 3" or "rows 3 to 4"."""
    return f"row {first + 1}" if first == last else f"rows {first + 1} to {last + 1}"


def rows_of(cells: Sequence[Cell]) -> str:
    """The rows that the cells lie in, e.g. "rows 3 to 4"."""
    rows = [row for row, _ in cells]
    return span(min(rows), max(rows))


def listed(cells: Sequence[Cell]) -> str:
    """E.g. "r3 c2, r3 c3"."""
    return ", ".join(f"r{row + 1} c{column + 1}" for row, column in cells)
