"""The first reading: every place for itself."""

import numpy as np
import pytest

from scanner.decode import decode
from scanner.decode.raw import decode_raw
from scanner.engine.obelisk.scoring import score_sheet
from scanner.engine.obelisk.state import parse_state
from scanner.errors import UnknownSheet
from scanner.sheet.template import load_template
from tests.decode.simulated import IDENTITY, Noise, blank_sheet, play, read, truth_state


def test_clear_readings_are_read_exactly() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        sheet = play(rng)
        decoded = decode_raw(read(rng, sheet, Noise(circles=0.0)), IDENTITY)
        truth = score_sheet(parse_state(truth_state(sheet)))
        assert (decoded.score["total"], decoded.score["empty_spaces"]) == (truth.total, truth.empty_spaces)
        assert decoded.bounds == (truth.total, truth.total)
        assert not decoded.doubts


def test_a_blank_sheet_stays_blank() -> None:
    rng = np.random.default_rng(2)
    decoded = decode(read(rng, blank_sheet(), Noise(edges=0.005, circles=0.0)), load_template("obelisk"), IDENTITY)
    assert decoded.state["obelisk"] == ["....."] * 12
    assert decoded.state["wall_shapes"] == ["........"] * 12
    assert decoded.score["total"] == 0
    assert decoded.score["empty_spaces"] == 60


def test_misread_cells_are_doubts_and_within_bounds() -> None:
    rng = np.random.default_rng(3)
    silent = 0
    for _ in range(25):
        sheet = play(rng)
        decoded = decode_raw(read(rng, sheet, Noise(cells=0.05)), IDENTITY)
        truth = score_sheet(parse_state(truth_state(sheet))).total
        held = decoded.bounds[0] <= truth <= decoded.bounds[1]
        silent += decoded.score["total"] != truth and not (decoded.doubts and held)
        for doubt in decoded.doubts:
            assert doubt.read in doubt.alternatives
            assert decoded.score["total"] in doubt.changes_total_to
            assert doubt.changes_total_to == sorted(doubt.changes_total_to)
    assert silent == 0


def test_unknown_games_are_refused() -> None:
    readings = read(np.random.default_rng(0), blank_sheet(), Noise())
    import msgspec

    template = msgspec.structs.replace(load_template("obelisk"), game="chess", title="Chess")
    with pytest.raises(UnknownSheet):
        decode(readings, template, IDENTITY)
