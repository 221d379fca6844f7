"""The places that reviews name ("obelisk r3 c2"), understood."""

import re

_CELL = re.compile(r"(\w+) r(\d+) c(\d+)")


def cell_of(where: str) -> tuple[str, int, int] | None:
    """Grid, row and column (both from 0, rows from the top) of a place such as "obelisk r3 c2"; None for any other place."""
    match = _CELL.fullmatch(where)
    return (match[1], int(match[2]) - 1, int(match[3]) - 1) if match else None
