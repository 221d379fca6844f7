"""A player's tower: where pieces can stand, which levels and structures are filled, what its faces show.

References: RULES section 3, "Placing", "Filling every space of a level", "Each of the four sides".
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from scanner.engine.monolyth.polyomino import Cell, Cells, orientations
from scanner.engine.monolyth.tables import EMPTY, SIDE

Tower = tuple[str, ...]
"""The levels, lowest first, each of SIDE * SIDE characters, back row first, left to right as seen from the front."""


class Forbidden(Exception):
    """A piece cannot stand there; the message says why."""


def empty_tower(height: int) -> Tower:
    """A tower of that many levels on which nothing stands."""
    return (EMPTY * SIDE**2,) * height


def from_rows(levels: Sequence[Sequence[str]]) -> Tower:
    """A tower from the contract's rows."""
    return tuple("".join(rows) for rows in levels)


def heights(tower: Tower) -> list[int]:
    """How many levels stand on each space of the footprint without a gap, row by row from the back."""
    return [next((z for z, level in enumerate(tower) if level[i] == EMPTY), len(tower)) for i in range(SIDE**2)]


def place(tower: Tower, colour: str, cells: Sequence[Cell]) -> Tower:
    """The tower with a piece of `colour` on `cells`; Forbidden outside the footprint or the height, on a filled space, or with
    a cell over an empty one."""
    own = set(cells)
    for r, c, z in cells:
        if not (0 <= r < SIDE and 0 <= c < SIDE):
            raise Forbidden(f"The cell {(r, c, z)} lies outside the board.")
        if not 0 <= z < len(tower):
            raise Forbidden(f"The cell {(r, c, z)} lies outside the {len(tower)} levels of the tower.")
        if tower[z][r * SIDE + c] != EMPTY:
            raise Forbidden(f"The cell {(r, c, z)} is filled.")
        if z > 0 and tower[z - 1][r * SIDE + c] == EMPTY and (r, c, z - 1) not in own:
            raise Forbidden(f"The cell {(r, c, z)} would hang over an empty space.")
    return tuple(
        "".join(colour if (i // SIDE, i % SIDE, z) in own else filled for i, filled in enumerate(level))
        for z, level in enumerate(tower)
    )


class _Standing(NamedTuple):
    """An orientation at a place of the footprint. feet: the spaces it stands on and the level of its lowest cell there."""

    feet: tuple[tuple[int, int], ...]
    cells: Cells
    top: int


@cache
def _standings(piece: str) -> tuple[_Standing, ...]:
    found = []
    for shape in orientations(piece):
        deep, wide = max(r for r, _, _ in shape) + 1, max(c for _, c, _ in shape) + 1
        for row in range(SIDE - deep + 1):
            for column in range(SIDE - wide + 1):
                cells = tuple((r + row, c + column, z) for r, c, z in shape)
                feet: dict[int, int] = {}
                for r, c, z in cells:
                    feet[r * SIDE + c] = min(z, feet.get(r * SIDE + c, z))
                # Without a gap above its own foot, or the cell above it would hang.
                if all(z == feet[r * SIDE + c] or (r, c, z - 1) in cells for r, c, z in cells):
                    found.append(_Standing(tuple(feet.items()), cells, max(z for _, _, z in cells)))
    return tuple(found)


def placements(tower: Tower, piece: str) -> Iterator[Cells]:
    """All ways in which a piece can stand on the tower. Nothing overhangs, so the spaces' heights tell all."""
    high = heights(tower)
    for standing in _standings(piece):
        space, foot = standing.feet[0]
        lift = high[space] - foot
        if lift < 0 or lift + standing.top >= len(tower):
            continue
        if all(high[space] - foot == lift for space, foot in standing.feet[1:]):
            yield tuple((r, c, z + lift) for r, c, z in standing.cells)


def full_levels(tower: Tower) -> int:
    """How many levels have all their spaces filled."""
    return sum(EMPTY not in level for level in tower)


def is_complete(tower: Tower) -> bool:
    """Whether every space of the tower is filled."""
    return full_levels(tower) == len(tower)


def quarter_turned(cells: Sequence[Cell]) -> Cells:
    """The cells after a quarter turn of the board."""
    return tuple(sorted((c, SIDE - 1 - r, z) for r, c, z in cells))


def meets(tower: Tower, card: Sequence[Cell]) -> bool:
    """Whether all cells of a structure card are filled, in any of the board's four directions."""
    cells = tuple(card)
    for _ in range(4):
        if all(z < len(tower) and tower[z][r * SIDE + c] != EMPTY for r, c, z in cells):
            return True
        cells = quarter_turned(cells)
    return False


EDGES = {
    "front": tuple((SIDE - 1) * SIDE + c for c in range(SIDE)),
    "right": tuple(r * SIDE + SIDE - 1 for r in range(SIDE)),
    "back": tuple(range(SIDE)),
    "left": tuple(r * SIDE for r in range(SIDE)),
}
"""The spaces of a level that stand at each side's edge, numbered row by row from the back."""


def blocks_at(tower: Tower, side: str, colour: str) -> int:
    """How many blocks of a colour the tower's face at a side shows: those that stand at the board's edge there."""
    return sum(level[i] == colour for level in tower for i in EDGES[side])
