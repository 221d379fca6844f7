"""Cells that could not be looked at are asked about, whatever the rules make of them."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from scanner.decode.obelisk import decode_obelisk
from scanner.engine.obelisk.wording import cell_name
from scanner.reading.readings import CONTENT_LABELS, Readings
from tests.decode.measure import is_silent, score_of
from tests.decode.simulated import IDENTITY, Noise, play, read

CLEAR = Noise(cells=0.002, circles=0.0)


def cover(readings: Readings, cells: Iterable[tuple[int, int]] = (), marks: Iterable[str] = ()) -> Readings:
    """The readings without what they say of cells of the obelisk and of circles."""
    obelisk = readings.content["obelisk"].copy()
    for cell in cells:
        obelisk[cell] = -np.log(len(CONTENT_LABELS))
    content = {**readings.content, "obelisk": obelisk}
    return replace(readings, content=content, marks={**readings.marks, **dict.fromkeys(marks, 0.0)})


def test_covered_symbols_are_asked_about_with_the_truth_within_the_bounds() -> None:
    rng = np.random.default_rng(71)
    guessed = 0
    for _ in range(12):
        sheet = play(rng)
        written = [(r, c) for r, row in enumerate(sheet.rows) for c, cell in enumerate(row) if cell in "O*^@Y"]
        hidden = [written[index] for index in rng.choice(len(written), min(3, len(written)), replace=False)]
        decoded = decode_obelisk(cover(read(rng, sheet, CLEAR), hidden), IDENTITY)
        asked = {doubt.where: doubt for doubt in decoded.doubts}
        assert {cell_name("obelisk", cell) for cell in hidden} <= set(asked)
        for row, column in hidden:
            doubt = asked[cell_name("obelisk", (row, column))]
            assert set(doubt.alternatives) >= set("O*^@Yx")
            guessed += doubt.read == sheet.rows[row][column]
        truth = score_of(sheet)
        assert decoded.bounds[0] <= truth.total <= decoded.bounds[1]
        assert not is_silent(decoded, truth)
    # The groups on the wall tell what stood there.
    assert guessed >= 25


def test_a_covered_blank_cell_is_asked_about_as_well() -> None:
    rng = np.random.default_rng(72)
    sheet = play(rng)
    row, column = next((r, c) for r in range(11, -1, -1) for c in range(5) if sheet.rows[r][c] in "._")
    decoded = decode_obelisk(cover(read(rng, sheet, CLEAR), [(row, column)]), IDENTITY)
    assert cell_name("obelisk", (row, column)) in {doubt.where for doubt in decoded.doubts}
    assert decoded.state["obelisk"][row][column] in "._"


def test_covered_circles_are_asked_about() -> None:
    rng = np.random.default_rng(73)
    readings = read(rng, play(rng), CLEAR)
    decoded = decode_obelisk(cover(readings, marks=["level1.3", "scroll1.points"]), IDENTITY)
    assert {"level1 mark 3", "scroll1 points"} <= {doubt.where for doubt in decoded.doubts}
