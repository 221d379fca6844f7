"""Which group of the wall stands where on the obelisk, or on which scroll.

A carved group is copied by translation only, a scribed one is a square written row by row, so both can be looked up; the
pairing that accounts for the most symbols is searched for.

References: RULES section 1, "Carve", "Scribe", "Levels" (shadow).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from scanner.engine.obelisk.bitboard import OBELISK_CELLS, bits, obelisk_bit
from scanner.engine.obelisk.polyomino import SQUARE, Cell, Cells, shape_of
from scanner.engine.obelisk.sheet import (
    OBELISK_COLUMNS,
    OBELISK_ROWS,
    PRINTED_WALL,
    ROWS_A_LEVEL,
    SYMBOLS,
    UNREADABLE,
    level_of_row,
)
from scanner.engine.obelisk.state import ObeliskState

SEARCH_STEPS = 50_000
"""Steps after which the best pairing found so far stands; far beyond what a sheet from a table needs."""


@dataclass(frozen=True, slots=True)
class Group:
    """A group outlined on the wall: its letter, its cells (row from the top, column) in reading order, the symbols printed
    there in that order, and the name of its shape, None if it is none."""

    letter: str
    cells: Cells
    symbols: str
    shape: str | None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a group may stand: `target` is an obelisk mask, or the bit OBELISK_CELLS + index for a scroll."""

    group: int
    target: int

    @property
    def scroll(self) -> int | None:
        """The scroll's index, 0 the bottom one, or None for a place on the obelisk."""
        return self.target.bit_length() - 1 - OBELISK_CELLS if self.target >> OBELISK_CELLS else None


@dataclass(frozen=True, slots=True)
class Pairing:
    """The best pairing found. `places`: one for every group that has one, by the group's index. `unplaced`: the groups left
    over. `uncovered`: the mask of symbols and filled scrolls that no group accounts for."""

    places: dict[int, Place]
    unplaced: tuple[int, ...]
    uncovered: int

    @property
    def complete(self) -> bool:
        """Whether every group has its place and every symbol its group."""
        return not self.unplaced and not self.uncovered


def wall_groups(state: ObeliskState) -> tuple[Group, ...]:
    """The groups outlined on the wall, in the order of their letters (a to z, A to Z)."""
    cells: dict[str, list[Cell]] = {}
    for row, text in enumerate(state.wall_shapes or ()):
        for column, letter in enumerate(text):
            if letter != ".":
                cells.setdefault(letter, []).append((row, column))
    return tuple(
        Group(letter, tuple(found), "".join(PRINTED_WALL[row][column] for row, column in found), shape_of(found))
        for letter, found in sorted(cells.items(), key=lambda item: item[0].swapcase())
    )


def highest_row_before(level: int) -> int:
    """The topmost row (0-based from the top) that can be built before a level is reached."""
    return OBELISK_ROWS - (ROWS_A_LEVEL * level - 1)


def shadowing_level(group: Group) -> int:
    """The level that puts the group in the shadow: that of its lowest row."""
    return min(level_of_row(row) for row, _ in group.cells)


def lit_rows(group: Group, level: int) -> int:
    """The topmost row (0-based from the top) on which the group can stand if it was carved before its symbols fell in the
    shadow, the obelisk having reached `level`."""
    shadowing = shadowing_level(group)
    return highest_row_before(shadowing) if shadowing <= level else 0


@lru_cache(maxsize=8)
def _holding(obelisk: tuple[str, ...]) -> dict[str, int]:
    """For each symbol the mask of the cells that hold it, or may: unreadable ones hold any."""
    found = dict.fromkeys(SYMBOLS, 0)
    for row, text in enumerate(obelisk):
        for column, cell in enumerate(text):
            if cell in SYMBOLS:
                found[cell] |= obelisk_bit((row, column))
            elif cell == UNREADABLE:
                found = {symbol: mask | obelisk_bit((row, column)) for symbol, mask in found.items()}
    return found


@cache
def _anchors(rows: int, columns: int) -> int:
    """The mask of the lowest rows' first columns; 0 if there are none."""
    return sum(1 << (row * OBELISK_COLUMNS + column) for row in range(rows) for column in range(columns))


def places_of(state: ObeliskState, index: int, group: Group, top_row: int = 0) -> list[Place]:
    """Every place on the obelisk, from `top_row` down, and on the scrolls that shows the group's symbols; unreadable cells
    may be any symbol."""
    first_row, _ = group.cells[0]
    left = min(column for _, column in group.cells)
    height = 1 + group.cells[-1][0] - first_row
    width = 1 + max(column for _, column in group.cells) - left
    # Each anchor is the bit of the bottom left corner of the group's bounding box.
    anchors = _anchors(OBELISK_ROWS - height + 1 - top_row, OBELISK_COLUMNS - width + 1)
    pattern, holding = 0, _holding(state.obelisk)
    for (row, column), symbol in zip(group.cells, group.symbols, strict=True):
        shift = (height - 1 - row + first_row) * OBELISK_COLUMNS + column - left
        pattern |= 1 << shift
        anchors &= holding[symbol] >> shift
    # From the top row down, and in a row from the left.
    corners = sorted(bits(anchors), key=lambda bit: (-(bit // OBELISK_COLUMNS), bit))
    found = [Place(index, pattern << corner) for corner in corners]
    if group.shape == SQUARE:
        for number, scroll in enumerate(state.scrolls):
            pairs = zip(scroll.symbols, group.symbols, strict=True) if scroll.filled else ()
            if scroll.filled and all(cell in (symbol, UNREADABLE) for cell, symbol in pairs):
                found.append(Place(index, 1 << (OBELISK_CELLS + number)))
    return found


def to_account_for(state: ObeliskState) -> int:
    """The mask of all symbols on the obelisk and all filled scrolls."""
    obelisk = sum(
        obelisk_bit((row, column))
        for row, text in enumerate(state.obelisk)
        for column, cell in enumerate(text)
        if cell in SYMBOLS
    )
    return obelisk | sum(1 << (OBELISK_CELLS + number) for number, scroll in enumerate(state.scrolls) if scroll.filled)


def pair_groups(state: ObeliskState, groups: tuple[Group, ...], level: int | None) -> Pairing:
    """The pairing that accounts for the most symbols. With a `level`, only places that were lit are used (see `lit_rows`)."""
    options = [
        places_of(state, index, group, 0 if level is None else lit_rows(group, level)) for index, group in enumerate(groups)
    ]
    wanted = to_account_for(state)
    search = _Search(options, [len(group.cells) for group in groups])
    search.run(tuple(index for index, found in enumerate(options) if found), {}, 0, 0)
    covered = 0
    for place in search.best.values():
        covered |= place.target
    unplaced = tuple(index for index in range(len(groups)) if index not in search.best)
    return Pairing(search.best, unplaced, wanted & ~covered)


def complete_pairings(state: ObeliskState, groups: tuple[Group, ...], level: int) -> Iterator[dict[int, Place]]:
    """Every pairing, from places that were lit, that gives each group its place and accounts for every symbol."""
    options = {index: places_of(state, index, group, lit_rows(group, level)) for index, group in enumerate(groups)}
    wanted = to_account_for(state)
    chosen: dict[int, Place] = {}

    def deeper(taken: int) -> Iterator[dict[int, Place]]:
        left = [index for index in options if index not in chosen]
        if not left:
            if not wanted & ~taken:
                yield dict(chosen)
            return
        open_places = {index: [place for place in options[index] if not place.target & taken] for index in left}
        tightest = min(left, key=lambda index: len(open_places[index]))
        for place in open_places[tightest]:
            chosen[tightest] = place
            yield from deeper(taken | place.target)
            del chosen[tightest]

    return deeper(0)


class _Search:
    """Depth first, the group with the fewest places left first, bounded by the cells still to be won."""

    def __init__(self, options: list[list[Place]], sizes: list[int]) -> None:
        self.options = options
        self.sizes = sizes
        self.best: dict[int, Place] = {}
        self.best_cells = -1
        self.steps = 0

    def run(self, left: tuple[int, ...], chosen: dict[int, Place], taken: int, cells: int) -> None:
        self.steps += 1
        if cells > self.best_cells:
            self.best, self.best_cells = dict(chosen), cells
        if cells + sum(self.sizes[index] for index in left) <= self.best_cells or self.steps > SEARCH_STEPS:
            return
        open_places = {index: [place for place in self.options[index] if not place.target & taken] for index in left}
        tightest = min(left, key=lambda index: len(open_places[index]))
        rest = tuple(index for index in left if index != tightest)
        for place in open_places[tightest]:
            chosen[tightest] = place
            self.run(rest, chosen, taken | place.target, cells + self.sizes[tightest])
            del chosen[tightest]
        self.run(rest, chosen, taken, cells)


def uncovered_cells(mask: int) -> tuple[Cells, tuple[int, ...]]:
    """The obelisk cells and the scrolls' indices of a mask as in `Pairing.uncovered`."""
    cells: list[Cell] = []
    scrolls: list[int] = []
    for bit in bits(mask):
        if bit >= OBELISK_CELLS:
            scrolls.append(bit - OBELISK_CELLS)
        else:
            cells.append((OBELISK_ROWS - 1 - bit // OBELISK_COLUMNS, bit % OBELISK_COLUMNS))
    return tuple(sorted(cells)), tuple(scrolls)
