"""The sheet read place by place: what stands when the rules cannot be brought to bear."""

import numpy as np

from scanner.decode.assembly import answered_cells, finish, letters, levels_read, listed, rows_of, scroll_symbols
from scanner.decode.circles import read_circles
from scanner.decode.decoded import DOUBT_BOUND, Decoded
from scanner.decode.evidence import Evidence, gather
from scanner.decode.lattice import Lattice, lattice
from scanner.decode.outlines import layouts, outlines_of
from scanner.decode.questions import CellQuestion
from scanner.engine.obelisk.sheet import (
    BLANK,
    OBELISK_COLUMNS,
    OBELISK_ROWS,
    SCROLL_POINTS,
    UNBUILT,
    UNREADABLE,
    WALL_COLUMNS,
    WALL_ROWS,
)
from scanner.geometry import FloatArray
from scanner.reading.readings import CONTENT_CHARACTERS, Readings
from scanner.sheet.pose import SheetIdentity


def decode_raw(readings: Readings, identity: SheetIdentity) -> Decoded:
    """Every place read for itself: no rule corrects one reading by another, except that outlines form shapes of the tile
    set. Readings that count and are wrong with a probability over DOUBT_BOUND are doubts."""
    evidence = gather(readings)
    content = np.exp(np.asarray(readings.content["obelisk"], float)).reshape(-1, len(CONTENT_CHARACTERS))
    obelisk, wall = lattice(OBELISK_ROWS, OBELISK_COLUMNS), lattice(WALL_ROWS, WALL_COLUMNS)
    shapes = _shapes(obelisk, evidence.obelisk_edges, _built_gain(evidence))
    built = {cell for index in shapes for cell in obelisk.cells[index]}
    characters = [
        UNBUILT if reading == BLANK and cell not in built else reading for cell, reading in enumerate(most_probable(content))
    ]
    answered = answered_cells(readings.answers)
    scrolls = []
    for scroll in range(len(SCROLL_POINTS)):
        cells = np.asarray(readings.content[f"scroll{scroll + 1}"], float).reshape(4, -1)
        scrolls.append(scroll_symbols(most_probable(cells)))
    questions = []
    for cell, reading in enumerate(characters):
        # An unbuilt and a blank cell look alike and count alike.
        labels = UNBUILT + CONTENT_CHARACTERS[1:] if reading == UNBUILT else CONTENT_CHARACTERS
        odds = dict(zip(labels, content[cell], strict=True))
        if cell not in answered and (odds[reading] < 1 - DOUBT_BOUND or reading == UNREADABLE):
            questions.append(CellQuestion(*divmod(cell, OBELISK_COLUMNS), listed(odds, reading)))
    grid = rows_of(characters)
    circles = read_circles(evidence.marks, levels_read(grid), [bool(symbols) for symbols in scrolls], DOUBT_BOUND)
    wall_shapes = letters(wall, _shapes(wall, evidence.wall_edges, np.zeros(WALL_ROWS * WALL_COLUMNS)))
    return finish(identity, grid, wall_shapes, scrolls, circles, questions)


def _shapes(grid: Lattice, edges: FloatArray, covered: FloatArray) -> tuple[int, ...]:
    """The most probable shapes on a grid, by their outlines and the log-likelihood ratio of each cell's being covered."""
    return layouts(outlines_of(grid, edges), covered)[0].placements


def _built_gain(evidence: Evidence) -> FloatArray:
    """float64 (60,): log-likelihood ratio of a built cell's contents against an unbuilt one's."""
    blank, symbols, crossed = evidence.obelisk[:, 0], evidence.obelisk[:, 1:6].sum(1), evidence.obelisk[:, 6]
    gain: FloatArray = np.log(blank + symbols) - np.log(blank + crossed)
    return gain


def most_probable(content: FloatArray) -> list[str]:
    """The most probable character of each cell; content: (cells, 8) over the reader's labels."""
    return [CONTENT_CHARACTERS[index] for index in content.argmax(1)]
