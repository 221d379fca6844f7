"""Shadow of the Obelisk: readings to the most probable sheet."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from scanner.decode.circles import read_circles
from scanner.decode.decoded import Decoded
from scanner.decode.evidence import Evidence, gather
from scanner.decode.lattice import Lattice, lattice
from scanner.decode.outlines import Layout, layouts, outline_costs
from scanner.decode.questions import CellQuestion, ask
from scanner.engine.obelisk.scoring import score_sheet, to_dict
from scanner.engine.obelisk.sheet import (
    BLANK,
    CROSSED,
    OBELISK_COLUMNS,
    OBELISK_ROWS,
    ROWS_A_LEVEL,
    SCROLL_POINTS,
    UNBUILT,
    UNREADABLE,
    WALL_COLUMNS,
    WALL_ROWS,
)
from scanner.engine.obelisk.state import parse_state
from scanner.geometry import FloatArray
from scanner.reading.readings import CONTENT_CHARACTERS, Readings
from scanner.sheet.pose import SheetIdentity

DOUBT_BOUND: Final = 0.01
"""Readings with a greater posterior probability of being wrong are doubts."""

ALTERNATIVE_BOUND: Final = 0.002
"""Alternatives less probable than this are not listed."""

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_OUTLINE_SLACK: Final = 10.0
"""A shape is considered if the edges that speak against it cost no more than this."""


def decode_obelisk(readings: Readings, identity: SheetIdentity) -> Decoded:
    """The most probable sheet, what is open about it, and the rules that it breaks."""
    return decode_raw(readings, identity)


def decode_raw(readings: Readings, identity: SheetIdentity) -> Decoded:
    """Every place read for itself: no rule corrects one reading by another, except that outlines form shapes of the tile
    set. Readings that count and are wrong with a probability over DOUBT_BOUND are doubts."""
    evidence = gather(readings)
    content = np.exp(np.asarray(readings.content["obelisk"], float)).reshape(-1, len(CONTENT_CHARACTERS))
    obelisk, wall = lattice(OBELISK_ROWS, OBELISK_COLUMNS), lattice(WALL_ROWS, WALL_COLUMNS)
    built = _cells(obelisk, best_layout(obelisk, evidence.obelisk_edges, built_gain(evidence)))
    characters = [
        UNBUILT if reading == BLANK and cell not in built else reading for cell, reading in enumerate(_most_probable(content))
    ]
    scrolls = []
    for scroll in range(len(SCROLL_POINTS)):
        cells = np.asarray(readings.content[f"scroll{scroll + 1}"], float).reshape(4, -1)
        scrolls.append(scroll_symbols(_most_probable(cells)))
    questions = []
    for cell, reading in enumerate(characters):
        # An unbuilt and a blank cell look alike and count alike.
        odds = dict(
            zip(UNBUILT + CONTENT_CHARACTERS[1:] if reading == UNBUILT else CONTENT_CHARACTERS, content[cell], strict=True)
        )
        if odds[reading] < 1 - DOUBT_BOUND or reading == UNREADABLE:
            questions.append(CellQuestion(*divmod(cell, OBELISK_COLUMNS), listed(odds, reading)))
    wall_shapes = letters(wall, best_layout(wall, evidence.wall_edges))
    return finish(evidence, identity, rows_of(characters), wall_shapes, scrolls, questions)


def best_layout(grid: Lattice, edges: FloatArray, covered: FloatArray | None = None) -> Layout:
    """The most probable shapes on a grid, by their outlines and, if given, the log-likelihood ratio of each cell's being
    covered by a shape."""
    bonus = np.zeros(len(grid.cells)) if covered is None else grid.covers @ covered
    allowed = np.flatnonzero(outline_costs(grid, edges) <= _OUTLINE_SLACK)
    return layouts(grid, edges, allowed.tolist(), bonus)[0]


def built_gain(evidence: Evidence) -> FloatArray:
    """float64 (60,): log-likelihood ratio of a built cell's contents against an unbuilt one's."""
    blank, symbols, crossed = evidence.obelisk[:, 0], evidence.obelisk[:, 1:6].sum(1), evidence.obelisk[:, 6]
    gain: FloatArray = np.log(blank + symbols) - np.log(blank + crossed)
    return gain


def _cells(grid: Lattice, layout: Layout) -> set[int]:
    return {cell for index in layout.placements for cell in grid.cells[index]}


def _most_probable(content: FloatArray) -> list[str]:
    return [CONTENT_CHARACTERS[index] for index in content.argmax(1)]


def rows_of(characters: Sequence[str]) -> list[str]:
    """The obelisk's 60 characters as its rows, top first."""
    return ["".join(characters[start : start + OBELISK_COLUMNS]) for start in range(0, len(characters), OBELISK_COLUMNS)]


def scroll_symbols(characters: Sequence[str]) -> str:
    """A scroll's four readings in the state's form: "" if all are blank."""
    symbols = "".join(UNBUILT if c == BLANK else UNREADABLE if c == CROSSED else c for c in characters)
    return "" if symbols == UNBUILT * len(symbols) else symbols


def letters(grid: Lattice, layout: Layout) -> list[str]:
    """The shapes laid on a grid as rows of letters, '.' free."""
    cells = [UNBUILT] * (grid.rows * grid.columns)
    for letter, index in zip(_LETTERS, layout.placements, strict=False):
        for cell in grid.cells[index]:
            cells[cell] = letter
    return ["".join(cells[start : start + grid.columns]) for start in range(0, len(cells), grid.columns)]


def listed(odds: Mapping[str, float], read: str) -> dict[str, float]:
    """The alternatives worth listing, and always the reading itself."""
    return {reading: float(p) for reading, p in odds.items() if p >= ALTERNATIVE_BOUND or reading == read}


def finish(
    evidence: Evidence,
    identity: SheetIdentity,
    grid: Sequence[str],
    wall_shapes: Sequence[str],
    scrolls: Sequence[str],
    questions: Sequence[CellQuestion],
) -> Decoded:
    """The decoded sheet from its parts: circles are read here, knowing the height and the scrolls; then it is scored."""
    height = max((OBELISK_ROWS - row for row, cells in enumerate(grid) if set(cells) - {UNBUILT, CROSSED}), default=0)
    reached = [float(height >= ROWS_A_LEVEL * level) for level in (1, 2, 3)]
    circles = read_circles(evidence.marks, reached, [float(bool(symbols)) for symbols in scrolls], DOUBT_BOUND)
    state: dict[str, Any] = {
        "game": identity.game,
        "seat": identity.seat,
        "sheet_number": identity.sheet_number,
        "player": None,
        "obelisk": list(grid),
        "wall_shapes": list(wall_shapes),
        "scrolls": [
            {"points": points, "symbols": symbols, "marked": marked, "used": used}
            for points, symbols, marked, used in zip(SCROLL_POINTS, scrolls, circles.marked, circles.used, strict=True)
        ],
        "levels": list(circles.levels),
    }
    score = to_dict(score_sheet(parse_state(state)))
    doubts, bounds = ask(grid, score["total"], questions, circles.questions)
    return Decoded(state, score, bounds, doubts)
