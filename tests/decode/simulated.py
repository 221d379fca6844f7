"""Legal sheets by random play, and readings of them with calibrated noise."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from scanner.engine.obelisk.polyomino import SHAPES, Cells, placements
from scanner.engine.obelisk.sheet import LEVEL_POINTS, PRINTED_WALL, SCROLL_POINTS
from scanner.reading.readings import CONTENT_CHARACTERS, Readings
from scanner.sheet.pose import SheetIdentity
from scanner.sheet.template import load_template

ROWS, COLUMNS, WALL_COLUMNS = 12, 5, 8
OTHER_SHARE = 0.003
IDENTITY = SheetIdentity("obelisk", 2, 4711)

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Sheet:
    """What stands on a sheet. obelisk: characters (12, 5); built_by: int (12, 5), the obelisk's shape at each cell or -1;
    wall: int (12, 8), the group at each cell or -1; scrolls: symbols or ""; levels: points; marked, used: scroll circles."""

    obelisk: NDArray[np.str_]
    built_by: NDArray[np.int64]
    wall: NDArray[np.int64]
    scrolls: tuple[str, ...]
    levels: tuple[int, ...]
    marked: tuple[bool, ...]
    used: tuple[bool, ...]

    @property
    def rows(self) -> list[str]:
        return ["".join(row) for row in self.obelisk]


def _closed(built: Bools) -> Bools:
    """The unbuilt cells without a path to the open top."""
    open_cells = np.zeros_like(built)
    stack = [(0, c) for c in range(COLUMNS) if not built[0, c]]
    while stack:
        r, c = stack.pop()
        if open_cells[r, c]:
            continue
        open_cells[r, c] = True
        near = [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
        stack += [(y, x) for y, x in near if 0 <= y < ROWS and 0 <= x < COLUMNS and not built[y, x]]
    closed: Bools = ~built & ~open_cells
    return closed


def _build_places(shape: str, built: Bools, crossed: Bools) -> list[Cells]:
    found = []
    for cells in placements(shape, ROWS, COLUMNS):
        if any(built[cell] or crossed[cell] for cell in cells):
            continue
        if any(r == ROWS - 1 or built[r + 1, c] for r, c in cells):
            found.append(cells)
    return found


def _moved(cells: Cells, top: int, left: int) -> Cells:
    r0, c0 = min(r for r, _ in cells), min(c for _, c in cells)
    return tuple((r - r0 + top, c - c0 + left) for r, c in cells)


def play(rng: Generator, turns: int | None = None) -> Sheet:
    """A sheet after a random number of turns of a player who builds low, carves and scribes at random."""
    obelisk = np.full((ROWS, COLUMNS), ".")
    built_by = np.full((ROWS, COLUMNS), -1)
    wall = np.full((ROWS, WALL_COLUMNS), -1)
    scrolls: list[str] = []
    levels = [0, 0, 0]
    reached = builds = groups = 0
    for _ in range(int(rng.integers(14, 34)) if turns is None else turns):
        shape = str(rng.choice(list(SHAPES)))
        built = built_by >= 0
        move = rng.random()
        if shape == "O4" and len(scrolls) < 3 and move < 0.4:
            free = [cells for cells in placements("O4", ROWS, WALL_COLUMNS) if _free(cells, wall, reached)]
            if free:
                cells = free[rng.integers(len(free))]
                scrolls.append("".join(PRINTED_WALL[r][c] for r, c in cells))
                _take(wall, cells, groups)
                groups += 1
                continue
        if move < 0.55 and _carve(rng, shape, obelisk, wall, reached, groups):
            groups += 1
            continue
        places = _build_places(shape, built, obelisk == "x")
        if not places:
            continue
        low = sorted(places, key=lambda cells: -sum(r for r, _ in cells) / len(cells))
        cells = low[rng.integers(min(len(low), 6))]
        _take(built_by, cells, builds)
        builds += 1
        for cell in cells:
            obelisk[cell] = "_"
        obelisk[_closed(built_by >= 0)] = "x"
        height = ROWS - min(r for r, _ in np.argwhere(built_by >= 0))
        while reached < 3 and height >= 4 * (reached + 1):
            levels[reached] = int(rng.choice([*LEVEL_POINTS[reached], 0]))
            reached += 1
        if reached == 3:
            break
    filled = tuple(k < len(scrolls) for k in range(3))
    used = tuple(bool(on and rng.random() < 0.6) for on in filled)
    return Sheet(obelisk, built_by, wall, tuple(scrolls + [""] * (3 - len(scrolls))), tuple(levels), filled, used)


def _free(cells: Cells, wall: NDArray[np.int64], reached: int) -> bool:
    return all(wall[cell] < 0 and cell[0] < ROWS - 4 * reached for cell in cells)


def _take(owners: NDArray[np.int64], cells: Cells, number: int) -> None:
    for cell in cells:
        owners[cell] = number


def _carve(rng: Generator, shape: str, obelisk: NDArray[np.str_], wall: NDArray[np.int64], reached: int, number: int) -> bool:
    sources = [cells for cells in placements(shape, ROWS, WALL_COLUMNS) if _free(cells, wall, reached)]
    for source in rng.permutation(len(sources))[:12]:
        cells = sources[source]
        moved = [_moved(cells, top, left) for top in range(ROWS) for left in range(COLUMNS)]
        targets = [target for target in moved if all(r < ROWS and c < COLUMNS and obelisk[r, c] == "_" for r, c in target)]
        if targets:
            target = targets[rng.integers(len(targets))]
            for (r, c), place in zip(cells, target, strict=True):
                obelisk[place] = PRINTED_WALL[r][c]
            _take(wall, cells, number)
            return True
    return False


def blank_sheet() -> Sheet:
    """A sheet on which nothing is drawn."""
    none = np.full((ROWS, COLUMNS), -1)
    off = (False, False, False)
    return Sheet(np.full((ROWS, COLUMNS), "."), none, np.full((ROWS, WALL_COLUMNS), -1), ("", "", ""), (0, 0, 0), off, off)


@dataclass(frozen=True)
class Noise:
    """cells, edges, level_edges, circles: share of places whose most probable reading is wrong. hard: if given, all misread
    cells are among so large a share of hard ones, the others are clear. skip_borders: whether outlines on the border are
    left away (None: a coin for the sheet)."""

    cells: float = 0.0
    edges: float = 0.0
    level_edges: float | None = None
    circles: float = 0.0005
    hard: float | None = None
    skip_borders: bool | None = None


@cache
def _separation(error: float, classes: int) -> float:
    """How far apart unit Gaussians of `classes` equally likely classes stand so that the nearest is wrong that often."""
    if error <= 0:
        return 9.0
    draws = np.random.default_rng(5).standard_normal((20000, classes))
    rivals = draws[:, 1:].max(1) - draws[:, 0]
    return max(float(np.quantile(rivals, 1 - error)), 0.0)


def _content(rng: Generator, truth: Floats, noise: Noise) -> NDArray[np.float32]:
    """Exact posteriors of noisy observations: class c is seen as a unit vector c times the separation plus unit noise. The
    last class, "other", is that much rarer than the others."""
    classes = len(CONTENT_CHARACTERS)
    if noise.hard is None:
        apart = np.full(truth.shape[:-1], _separation(noise.cells, classes))
    else:
        is_hard = rng.random(truth.shape[:-1]) < noise.hard
        apart = np.where(is_hard, _separation(noise.cells / noise.hard, classes), 9.0)
    seen = apart[..., None] * truth + rng.standard_normal(truth.shape)
    logits = apart[..., None] * seen
    logits[..., -1] += np.log(OTHER_SHARE)
    logits -= logits.max(-1, keepdims=True)
    logs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    return np.asarray(np.maximum(logs, -16.0), np.float32)


def _log_odds(rng: Generator, truth: Bools, error: Floats | float) -> NDArray[np.float32]:
    """Exact log-odds of noisy observations at plus or minus the separation."""
    levels = np.broadcast_to(np.asarray(error, float), truth.shape)
    apart = np.zeros(truth.shape)
    for value in np.unique(levels):
        apart[levels == value] = _separation(float(value), 2) / np.sqrt(2)
    apart = np.maximum(apart, 0.05)
    seen = apart * np.where(truth, 1.0, -1.0) + rng.standard_normal(truth.shape)
    return np.asarray(np.clip(2 * apart * seen, -16, 16), np.float32)


def edges_of(owner: NDArray[np.int64], border: bool) -> tuple[Bools, Bools]:
    """Which horizontal and vertical edges a careful player draws: wherever two different owners meet, one a shape."""
    padded = np.full((owner.shape[0] + 2, owner.shape[1] + 2), -1)
    padded[1:-1, 1:-1] = owner
    h = padded[:-1, 1:-1] != padded[1:, 1:-1]
    v = padded[1:-1, :-1] != padded[1:-1, 1:]
    if not border:
        h[0] = h[-1] = False
        v[:, 0] = v[:, -1] = False
    return h, v


def one_hot(characters: NDArray[np.str_]) -> Floats:
    """float64 (..., 8) over the reader's labels; '.' looks blank."""
    looks = np.where(characters == ".", "_", characters)
    return np.asarray(looks[..., None] == np.array(list(CONTENT_CHARACTERS)), float)


def read(rng: Generator, sheet: Sheet, noise: Noise) -> Readings:
    """Readings of the sheet as calibrated networks would give them."""
    border = bool(rng.random() < 0.5) if noise.skip_borders is None else not noise.skip_borders
    content = {"obelisk": _content(rng, one_hot(sheet.obelisk), noise)}
    for number, symbols in enumerate(sheet.scrolls, 1):
        cells = np.array(list(symbols or "____")).reshape(2, 2)
        content[f"scroll{number}"] = _content(rng, one_hot(cells), noise)
    edges_h, edges_v = {}, {}
    for grid, owner in (("obelisk", sheet.built_by), ("wall", sheet.wall)):
        h, v = edges_of(owner, border)
        errors = np.full(h.shape, noise.edges)
        errors[[0, 4, 8]] = noise.edges if noise.level_edges is None else noise.level_edges
        edges_h[grid] = _log_odds(rng, h, errors)
        edges_v[grid] = _log_odds(rng, v, noise.edges)
    marks = {mark.name: False for mark in load_template("obelisk").marks}
    for level, points in enumerate(sheet.levels, 1):
        if points:
            marks[f"level{level}.{points}"] = True
    for scroll in range(len(SCROLL_POINTS)):
        marks[f"scroll{scroll + 1}.points"] = sheet.marked[scroll]
        marks[f"scroll{scroll + 1}.used"] = sheet.used[scroll]
    on = _log_odds(rng, np.array(list(marks.values())), noise.circles)
    struck = _log_odds(rng, np.zeros(sheet.wall.shape, bool), 0.01)
    return Readings(content, edges_h, edges_v, {"wall": struck}, dict(zip(marks, map(float, on), strict=True)))


def truth_state(sheet: Sheet) -> dict[str, Any]:
    """The sheet's state in the contract's form, without the wall."""
    return {
        "game": "obelisk",
        "obelisk": sheet.rows,
        "scrolls": [
            {"points": p, "symbols": s, "marked": m, "used": u}
            for p, s, m, u in zip(SCROLL_POINTS, sheet.scrolls, sheet.marked, sheet.used, strict=True)
        ],
        "levels": list(sheet.levels),
    }
