"""A second implementation of the game, as plain as can be: sets of cells, no bits, everything tried and checked. The tests
compare the engine with it. It shares only the printed data (tiles, wall, points) and the JSON form of actions."""

import copy
from itertools import product
from typing import Any

from scanner.engine.obelisk.sheet import PRINTED_WALL
from scanner.engine.obelisk.workers import WORKERS

Cell = tuple[int, int]

DRAWN = {
    "I2": ["##"],
    "I3": ["###"],
    "V3": ["#.", "##"],
    "O4": ["##", "##"],
    "L4": ["#.", "#.", "##"],
    "T4": ["###", ".#."],
    "S4": [".##", "##."],
    "I4": ["####"],
}


def _forms(shape: str) -> list[frozenset[Cell]]:
    """All turned and mirrored forms, on cells counted from 0."""
    found = set()
    picture = DRAWN[shape]
    for _ in range(2):
        for _ in range(4):
            picture = ["".join(column) for column in zip(*picture[::-1], strict=True)]
            found.add(frozenset((r, c) for r, row in enumerate(picture) for c, cell in enumerate(row) if cell == "#"))
        picture = [row[::-1] for row in picture]
    return sorted(found, key=sorted)


FORMS = {shape: _forms(shape) for shape in DRAWN}


def _moved(form: frozenset[Cell], rows: int, columns: int) -> list[frozenset[Cell]]:
    """All translations inside rows x columns, cells counted from 1."""
    found = []
    for down, right in product(range(1, rows + 1), range(1, columns + 1)):
        cells = frozenset((r + down, c + right) for r, c in form)
        if all(r <= rows and c <= columns for r, c in cells):
            found.append(cells)
    return found


ON_OBELISK = {shape: [cells for form in forms for cells in _moved(form, 12, 5)] for shape, forms in FORMS.items()}
ON_WALL = {shape: [cells for form in forms for cells in _moved(form, 12, 8)] for shape, forms in FORMS.items()}


def _listed(cells: frozenset[Cell]) -> list[list[int]]:
    return [list(cell) for cell in sorted(cells)]


def _corner(cells: frozenset[Cell]) -> Cell:
    return min(r for r, _ in cells), min(c for _, c in cells)


class PlainSheet:
    """One sheet; rows counted from 1 at the top."""

    def __init__(self) -> None:
        self.built: set[Cell] = set()
        self.crossed: set[Cell] = set()
        self.symbols: dict[Cell, str] = {}
        self.marked: set[Cell] = set()
        self.scrolls: list[str] = []
        self.used: set[int] = set()
        self.levels = [0, 0, 0]
        self.reached = 0

    def height(self) -> int:
        return 13 - min((r for r, _ in self.built), default=13)

    def lit(self, cell: Cell) -> bool:
        return cell[0] <= 12 - 4 * self.reached

    def legal(self, shape: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        for cells in ON_OBELISK[shape]:
            if cells & self.built or cells & self.crossed:
                continue
            if any(r == 12 or (r + 1, c) in self.built for r, c in cells):
                found.append({"build": _listed(cells)})
        free = [cells for cells in ON_WALL[shape] if not cells & self.marked and all(map(self.lit, cells))]
        blank = [cells for cells in ON_OBELISK[shape] if all(c in self.built and c not in self.symbols for c in cells)]
        for wall, target in product(free, blank):
            (top, left), (to_top, to_left) = _corner(wall), _corner(target)
            if {(r - top, c - left) for r, c in wall} == {(r - to_top, c - to_left) for r, c in target}:
                found.append({"carve": _listed(wall), "onto": _listed(target)})
        if shape == "O4" and len(self.scrolls) < 3:
            found += [{"scribe": _listed(wall)} for wall in free]
        return found or [{"pass": True}]

    def write(self, action: dict[str, Any]) -> None:
        if "build" in action:
            self.built |= {(r, c) for r, c in action["build"]}
            open_cells: set[Cell] = set()
            frontier = [(0, 1)]
            while frontier:
                r, c = frontier.pop()
                if (r, c) in open_cells or (r, c) in self.built or not (0 <= r <= 12 and 1 <= c <= 5):
                    continue
                open_cells.add((r, c))
                frontier += [(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]
            everything = set(product(range(1, 13), range(1, 6)))
            self.crossed |= everything - self.built - open_cells
        elif "carve" in action:
            self.marked |= {(r, c) for r, c in action["carve"]}
            for (r, c), (to_r, to_c) in zip(sorted(action["carve"]), sorted(action["onto"]), strict=True):
                self.symbols[to_r, to_c] = PRINTED_WALL[r - 1][c - 1]
        elif "scribe" in action:
            self.marked |= {(r, c) for r, c in action["scribe"]}
            self.scrolls.append("".join(PRINTED_WALL[r - 1][c - 1] for r, c in sorted(action["scribe"])))

    def obelisk(self) -> list[str]:
        def shown(cell: Cell) -> str:
            return self.symbols.get(cell) or ("_" if cell in self.built else "x" if cell in self.crossed else ".")

        return ["".join(shown((r, c)) for c in range(1, 6)) for r in range(1, 13)]


class PlainGame:
    """A whole game, changed in place."""

    def __init__(self, players: int, stack: list[int]) -> None:
        self.sheets = [PlainSheet() for _ in range(players)]
        self.pool = [list(WORKERS[tile]) for tile in stack[:3]]
        self.tiles = stack[:3]
        self.stack = stack[3:]
        self.first = 0
        self.turns = 0
        self.at_level = [0, 0, 0]
        self.waiting: list[int] = []
        self.step = "tick"
        self.shape_top = self.shape_bottom = ""
        self.usable = 0

    def copy(self) -> "PlainGame":
        return copy.deepcopy(self)

    def active(self) -> int:
        return (self.first + self.turns) % len(self.sheets)

    def legal(self) -> list[dict[str, Any]]:
        if self.step == "over":
            return []
        if self.step == "discard":
            return [{"discard": worker} for worker in (1, 2, 3)]
        if self.step == "tick":
            found: list[dict[str, Any]] = [{"tick": worker} for worker in (1, 2, 3)]
            used = self.sheets[self.active()].used
            found += [
                {"use_scroll": scroll, "tick": worker}
                for scroll in range(1, self.usable + 1)
                if scroll not in used
                for worker in (1, 2, 3)
            ]
            return found
        player = self.waiting[0]
        return self.sheets[player].legal(self.shape_top if player == self.active() else self.shape_bottom)

    def apply(self, action: dict[str, Any]) -> None:
        if self.step == "tick":
            top, right, bottom, left = self.pool[action["tick"] - 1]
            self.pool[action["tick"] - 1] = [left, top, right, bottom]
            self.shape_top, self.shape_bottom = left, right
            if "use_scroll" in action:
                self.sheets[self.active()].used.add(action["use_scroll"])
                self.waiting, self.step = [self.active()], "bonus"
            else:
                count = len(self.sheets)
                self.waiting, self.step = [(self.active() + k) % count for k in range(count)], "write"
        elif self.step == "discard":
            worker = action["discard"] - 1
            self.stack.append(self.tiles[worker])
            self.tiles[worker] = self.stack.pop(0)
            self.pool[worker] = list(WORKERS[self.tiles[worker]])
            self.first, self.turns, self.step = (self.first + 1) % len(self.sheets), 0, "tick"
            self.usable = len(self.sheets[self.active()].scrolls)
        else:
            self._write(self.sheets[self.waiting.pop(0)], action)

    def _write(self, sheet: PlainSheet, action: dict[str, Any]) -> None:
        sheet.write(action)
        while sheet.reached < 3 and sheet.height() >= 4 * (sheet.reached + 1):
            rank = self.at_level[sheet.reached]
            sheet.levels[sheet.reached] = {0: (3, 2, 1), 1: (5, 3, 1), 2: (8, 5, 3)}[sheet.reached][rank] if rank < 3 else 0
            self.at_level[sheet.reached] += 1
            sheet.reached += 1
        if self.waiting:
            return
        if self.step == "bonus":
            self.step = "tick"
            return
        self.turns += 1
        if self.turns == len(self.sheets):
            self.turns -= 1
            self.step = "over" if self.at_level[2] else "discard"
        else:
            self.step = "tick"
            self.usable = len(self.sheets[self.active()].scrolls)


def sequences(game: PlainGame, depth: int) -> int:
    """The number of legal action sequences of a length."""
    actions = game.legal()
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        after = game.copy()
        after.apply(action)
        total += sequences(after, depth - 1)
    return total
