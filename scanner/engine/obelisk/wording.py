"""How findings speak of places: rows from the top and columns from the left, counted from 1."""

from collections.abc import Sequence

from scanner.engine.obelisk.polyomino import Cell
from scanner.engine.obelisk.sheet import NAME_OF_CELL, SYMBOLS


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


def with_article(name: str) -> str:
    """E.g. "a sun", "an eye"."""
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def shows(cell: str) -> str:
    """What a cell's character says: "shows a sun", "is built and blank"."""
    name = NAME_OF_CELL[cell]
    return f"shows {with_article(name)}" if cell in SYMBOLS else f"is {name}"


def holds(symbol: str) -> str:
    """What a scroll's character says: "has a sun", "has nothing"."""
    return f"has {with_article(NAME_OF_CELL[symbol]) if symbol in SYMBOLS else 'nothing'}"
