"""A game's state as what a player writes on the sheet."""

from collections.abc import Sequence
from functools import cache

from numpy.random import Generator

from scanner.engine.obelisk.polyomino import SHAPES, orientations
from scanner.engine.obelisk.sheet import BLANK, SYMBOLS, UNREADABLE
from scanner.engine.obelisk.state import ObeliskState
from scanner.synth.filling import Content

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MOST_TRIES = 20_000


def content_of(state: ObeliskState, rng: Generator) -> Content:
    """What the sheet of `state` shows. The state does not tell the obelisk's shapes apart: a division of the built cells into
    shapes is drawn at random."""
    rows, columns = len(state.obelisk), len(state.obelisk[0])
    built = {(r, c) for r in range(rows) for c in range(columns) if state.obelisk[r][c] in BLANK + SYMBOLS + UNREADABLE}
    marks: set[str] = set()
    cells: dict[str, Sequence[str]] = {"obelisk": state.obelisk}
    for k, scroll in enumerate(state.scrolls, 1):
        if scroll.symbols:
            cells[f"scroll{k}"] = (scroll.symbols[:2], scroll.symbols[2:])
        if scroll.marked:
            marks.add(f"scroll{k}.points")
        if scroll.used:
            marks.add(f"scroll{k}.used")
    for level, points in enumerate(state.levels or (), 1):
        if points:
            marks.add(f"level{level}.{points}")
    height = max((rows - r for r, _ in built), default=0)
    shapes: dict[str, Sequence[str]] = {"obelisk": _lettered(divide(built, rng), rows, columns)}
    if state.wall_shapes is not None:
        shapes["wall"] = state.wall_shapes
    return Content(cells, shapes, {"wall": height // 4 * 4}, frozenset(marks))


@cache
def _anchored() -> tuple[tuple[tuple[int, int], ...], ...]:
    """Every orientation of every shape, moved so that its lowest, then leftmost cell is (0, 0)."""
    found = []
    for shape in SHAPES:
        for cells in orientations(shape):
            first = max(cells, key=lambda cell: (cell[0], -cell[1]))
            found.append(tuple(sorted((r - first[0], c - first[1]) for r, c in cells)))
    return tuple(found)


def divide(built: set[tuple[int, int]], rng: Generator) -> list[tuple[tuple[int, int], ...]]:
    """A random division of cells (row, column) into shapes of the tile set, from the base upwards; cells that no shape can
    take stay in a group of their own."""
    groups: list[tuple[tuple[int, int], ...]] = []
    left = set(built)
    tries = 0

    def cover() -> bool:
        nonlocal tries
        if not left:
            return True
        tries += 1
        if tries > _MOST_TRIES:
            return False
        r, c = max(left, key=lambda cell: (cell[0], -cell[1]))
        candidates = _anchored()
        for i in rng.permutation(len(candidates)):
            cells = tuple((r + dr, c + dc) for dr, dc in candidates[i])
            if left.issuperset(cells):
                left.difference_update(cells)
                groups.append(cells)
                if cover():
                    return True
                groups.pop()
                left.update(cells)
        return False

    if not cover():
        groups.extend((cell,) for cell in sorted(left))
    return groups


def _lettered(groups: Sequence[Sequence[tuple[int, int]]], rows: int, columns: int) -> list[str]:
    grid = [["."] * columns for _ in range(rows)]
    for letter, cells in zip(_LETTERS, groups, strict=False):
        for r, c in cells:
            grid[r][c] = letter
    return ["".join(row) for row in grid]
