"""What a move is worth to a player who does not look ahead: points at once, and what blank spaces and scrolls promise.

Carvings are judged all at once: the worth of every symbol in every blank space, times which symbols every place on the wall
shows, is one matrix product for each orientation of the shape.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scanner.engine.obelisk.actions import Build, Carve, Pass, Scribe, Write
from scanner.engine.obelisk.bitboard import (
    LEVELS,
    OBELISK_BASE,
    OBELISK_CELLS,
    OBELISK_FULL,
    bits,
    closed_area,
    level_of,
    shadow_of,
)
from scanner.engine.obelisk.board import Board
from scanner.engine.obelisk.forms import FORMS, FORMS_OF, Form, free_anchors, free_wall_anchors, touching_anchors
from scanner.engine.obelisk.placements import WALL_SYMBOLS
from scanner.engine.obelisk.polyomino import SHAPES, SQUARE
from scanner.engine.obelisk.sheet import (
    LEVEL_POINTS,
    OBELISK_COLUMNS,
    OBELISK_ROWS,
    SCROLL_POINTS,
    SYMBOLS,
    WALL_COLUMNS,
    WALL_ROWS,
)

Floats = npt.NDArray[np.float32]


class Weights(NamedTuple):
    """In points. `row`: the first to fifth different symbol of a row; `column`: one more of a column's commonest symbol;
    `filled`: each space filled (a cost); `built`: each space built; `height`: each row of height of a build; `overhang`: each
    space left open below a build; `closed`: each space crossed out; `level`: the share of level points counted; `shadow`: each
    free wall cell lost; `scroll`: the promise of a bonus action; `use_scroll`: the worth from which a scroll is used; `envy`:
    the share of others' gain that counts against a tick."""

    row: tuple[float, float, float, float, float] = (0.5, 3.0, 2.0, 3.0, 5.0)
    column: float = 1.0
    filled: float = 0.0
    built: float = 1.0
    height: float = -0.1
    overhang: float = -1.0
    closed: float = -1.0
    level: float = 1.0
    shadow: float = 0.0
    scroll: float = 3.0
    use_scroll: float = 3.0
    envy: float = 0.0


GREEDY = Weights()
STRONG = Weights(
    row=(1.25, 3.0, 2.2, 4.3, 5.5),
    column=0.5,
    filled=-0.25,
    built=1.2,
    height=-0.3,
    overhang=-1.4,
    closed=-0.2,
    level=0.0,
    scroll=5.5,
    envy=1.0,
)
"""Found by random search against GREEDY and against itself. It leaves level points to come as they come, builds low, and
denies others what they need."""


def _wall_matrix(form: Form) -> Floats:
    """float32 (cells * 5, 96): column `anchor` has a 1 for every cell's printed symbol."""
    cells = len(form.wall_shifts)
    found = np.zeros((cells, len(SYMBOLS), WALL_ROWS * WALL_COLUMNS), np.float32)
    for anchor in bits(form.wall_anchors):
        for cell, symbol in enumerate(WALL_SYMBOLS[form.wall_cells << anchor]):
            found[cell, symbol, anchor] = 1
    return found.reshape(cells * len(SYMBOLS), -1)


def _repeats(form: Form) -> Floats:
    """float32 (96,): for every wall anchor, how many symbols repeat one to their left in the same row of the group."""
    found = np.zeros(WALL_ROWS * WALL_COLUMNS, np.float32)
    for anchor in bits(form.wall_anchors):
        seen = [
            (shift // WALL_COLUMNS, s)
            for shift, s in zip(form.wall_shifts, WALL_SYMBOLS[form.wall_cells << anchor], strict=True)
        ]
        found[anchor] = len(seen) - len(set(seen))
    return found


_WALL_MATRIX = [_wall_matrix(form) for form in FORMS]
_REPEATS = [_repeats(form) for form in FORMS]
_SHIFTS = [np.array(form.obelisk_shifts, np.intp) for form in FORMS]
_SIZE = {shape: len(cells) for shape, cells in SHAPES.items()}


def _feet(form: Form) -> tuple[int, ...]:
    """The shifts of the cells that have no other cell of the form directly below."""
    return tuple(shift for shift in form.obelisk_shifts if shift - OBELISK_COLUMNS not in form.obelisk_shifts)


_FEET = [_feet(form) for form in FORMS]
_TOPS = [1 + max(shift // OBELISK_COLUMNS for shift in form.obelisk_shifts) for form in FORMS]


class Judge:
    """Values writes by its weights."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self._row = np.array((*weights.row, 0.0), np.float32)
        self._repeat = np.float32(sum(weights.row[1:]) / 4)
        self._known: dict[tuple[int, str], tuple[Board, float, Write]] = {}

    def best_write(self, board: Board, shape: str, reached: tuple[int, ...], ends: bool) -> tuple[float, Write]:
        """The worth of the best write and the write; `reached` as in Position, `ends` in the last round."""
        best, write = self._best_build(board, shape, reached, ends)
        if shape == SQUARE and len(board.scrolls) < len(SCROLL_POINTS):
            worth = SCROLL_POINTS[len(board.scrolls)] + (0.0 if ends else self.weights.scroll)
            if worth > best:
                (form,) = FORMS_OF[SQUARE]
                anchors = free_wall_anchors(form, board.free_wall)
                if anchors:
                    best, write = worth, Scribe(form.wall_cells << (anchors & -anchors).bit_length() - 1)
        carving = self._best_carving(board, shape, best)
        return carving or (best, write)

    def _gains(self, board: Board) -> Floats:
        """float32 (60, 5): the worth of each symbol in each space of the obelisk, base first."""
        packed = b"".join(mask.to_bytes(8, "little") for mask in board.symbols)
        ones = np.unpackbits(np.frombuffer(packed, np.uint8), bitorder="little").reshape(len(SYMBOLS), 64)
        grid = ones[:, :OBELISK_CELLS].reshape(len(SYMBOLS), OBELISK_ROWS, OBELISK_COLUMNS)
        in_row = grid.any(axis=2)
        counts = grid.sum(axis=1, dtype=np.int8)
        rows = self._row[in_row.sum(axis=0)] * ~in_row
        columns = (counts == counts.max(axis=0)) * np.float32(self.weights.column)
        worth: Floats = rows[:, :, None] + columns[:, None, :] + np.float32(self.weights.filled)
        return worth.reshape(len(SYMBOLS), OBELISK_CELLS).T

    def _best_carving(self, board: Board, shape: str, floor: float) -> tuple[float, Write] | None:
        blank = board.blank
        if blank.bit_count() < _SIZE[shape]:
            return None
        gains: Floats | None = None
        free = board.free_wall
        found: tuple[float, Write] | None = None
        for form in FORMS_OF[shape]:
            targets = free_anchors(form, blank)
            if not targets:
                continue
            places = free_wall_anchors(form, free)
            if not places:
                continue
            if gains is None:
                gains = self._gains(board)
            anchors = np.array(list(bits(targets)), np.intp)
            cells = anchors[:, None] + _SHIFTS[form.number]
            worth = gains[cells].reshape(len(anchors), -1) @ _WALL_MATRIX[form.number]
            allowed = np.unpackbits(np.frombuffer(places.to_bytes(12, "little"), np.uint8), bitorder="little")
            worth += (allowed - np.float32(1)) * 1000 - self._repeat * _REPEATS[form.number]
            place = int(worth.argmax())
            value = float(worth.flat[place])
            if value > floor:
                floor = value
                target, anchor = divmod(place, worth.shape[1])
                found = value, Carve(form.wall_cells << anchor, form.obelisk_cells << int(anchors[target]))
        return found

    def _best_build(self, board: Board, shape: str, reached: tuple[int, ...], ends: bool) -> tuple[float, Write]:
        weights = self.weights
        built = board.built
        free = OBELISK_FULL & ~(built | board.crossed)
        resting = free & (((built | board.crossed) << OBELISK_COLUMNS) | OBELISK_BASE)
        supported = free & ((built << OBELISK_COLUMNS) | OBELISK_BASE)
        level = level_of(built)
        best, found = -1000.0, 0
        for form in FORMS_OF[shape]:
            legal = free_anchors(form, free) & touching_anchors(form, supported)
            if not legal:
                continue
            feet = _FEET[form.number]
            firm = legal
            for foot in feet:
                firm &= resting >> foot
            choice = firm or legal
            lowest = (choice & -choice).bit_length() - 1
            highest = choice.bit_length() - 1
            for anchor in (lowest, highest) if highest != lowest else (lowest,):
                place = form.obelisk_cells << anchor
                height = anchor // OBELISK_COLUMNS
                worth = weights.height * height
                if not ends:
                    worth += weights.built * len(form.obelisk_shifts)
                if not firm:
                    worth += weights.overhang * sum(1 for foot in feet if not resting >> (anchor + foot) & 1)
                    worth += weights.closed * (closed_area(built | place).bit_count() - board.crossed.bit_count())
                if level < LEVELS and (height + _TOPS[form.number]) // 4 > level:
                    ranked = LEVEL_POINTS[level]
                    worth += weights.level * (ranked[reached[level]] if reached[level] < len(ranked) else 0)
                    if weights.shadow:
                        worth += weights.shadow * (board.free_wall & shadow_of(level + 1)).bit_count()
                if worth > best:
                    best, found = worth, place
        return (best, Build(found)) if found else (-1000.0, Pass())
