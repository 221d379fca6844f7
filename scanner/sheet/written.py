"""What stands on a sheet, by the names of its template: the bridge between a game's state and the paper."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Written:
    """cells: grid -> a string a row of the characters of `CONTENT_CHARACTERS` ('_' for an empty cell). marks: the names of the
    marked circles."""

    cells: Mapping[str, Sequence[str]]
    marks: frozenset[str]


def down_the_columns(rows: int, columns: int) -> list[tuple[int, int]]:
    """The cells (row, column) of a grid column by column from the top left."""
    return [(row, column) for column in range(columns) for row in range(rows)]


def rows_with(rows: int, columns: int, characters: Mapping[tuple[int, int], str]) -> tuple[str, ...]:
    """A grid's rows with characters at some cells and '_' at all others."""
    return tuple("".join(characters.get((row, column), "_") for column in range(columns)) for row in range(rows))


def number_marks(prefix: str, number: int) -> set[str]:
    """The circles, named PREFIX.N, that note a number in tens and ones: e.g. 12 as "PREFIX.10" and "PREFIX.2"."""
    parts = {number - number % 10, number % 10} - {0}
    return {f"{prefix}.{part}" for part in parts}
