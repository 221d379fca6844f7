"""Evidence of several photos, fused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.decode.obelisk import decode_obelisk
from scanner.engine import score_state
from scanner.night.fusion import SHARED, fuse, quality, weights
from scanner.reading.readings import CONTENT_CHARACTERS
from tests.decode import simulated
from tests.decode.simulated import IDENTITY, Noise
from tests.night.sightings import GOOD, POOR, pose


@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=12))
def test_photos_are_worth_more_than_one_and_less_than_all(qualities: list[float]) -> None:
    found = weights(qualities)
    assert 1 - 1e-9 <= found.sum() <= min(len(qualities), 1 / SHARED) + 1e-9
    assert found.tolist() == pytest.approx((np.array(qualities) / sum(qualities) * found.sum()).tolist())


def test_two_photos_of_one_kind_are_worth_a_little_more_than_one() -> None:
    assert weights([1.0]).tolist() == [1.0]
    assert weights([5.0, 5.0]).sum() == pytest.approx(2 / (1 + SHARED))
    assert weights([1.0, 0.001]).sum() == pytest.approx(1, abs=0.01), "a photo that shows nothing adds nothing"


def test_better_photos_weigh_more() -> None:
    good = quality(pose(blur_mm=GOOD))
    for worse in (pose(blur_mm=POOR), pose(residual_mm=0.3), pose(px_per_mm=2.0)):
        assert quality(worse) < 0.8 * good


def test_one_photo_stays_as_it_is() -> None:
    rng = np.random.default_rng(1)
    readings = simulated.read(rng, simulated.play(rng), Noise(0.1, 0.1))
    assert fuse([readings], weights([1.0])) is readings


def test_fused_readings_are_probabilities_and_keep_every_place() -> None:
    rng = np.random.default_rng(2)
    sheet = simulated.play(rng)
    both = [simulated.read(rng, sheet, Noise(0.1, 0.1)) for _ in range(2)]
    fused = fuse(both, weights([2.0, 1.0]))
    for name, logs in fused.content.items():
        assert logs.shape == both[0].content[name].shape
        assert np.exp(logs).sum(-1) == pytest.approx(1, abs=1e-5)
        assert not logs.flags.writeable
    assert fused.marks.keys() == both[0].marks.keys()
    for kind in ("edges_h", "edges_v", "struck"):
        assert getattr(fused, kind).keys() == getattr(both[0], kind).keys()


def test_the_same_evidence_twice_is_not_twice_the_evidence() -> None:
    rng = np.random.default_rng(3)
    one = simulated.read(rng, simulated.play(rng), Noise(0.2, 0.1, circles=0.05))
    fused = fuse([one, one], weights([1.0, 1.0]))
    for name, odds in one.marks.items():
        assert abs(fused.marks[name]) <= abs(odds) * 2 / (1 + SHARED) + 0.01


def test_a_photo_that_is_certain_does_not_silence_the_others() -> None:
    rng = np.random.default_rng(4)
    sheet = simulated.play(rng)
    readings = [simulated.read(rng, sheet, Noise()) for _ in range(3)]
    content = {name: logs.copy() for name, logs in readings[0].content.items()}
    sun, star = CONTENT_CHARACTERS.index("O"), CONTENT_CHARACTERS.index("*")
    grids = [content, *({name: logs.copy() for name, logs in one.content.items()} for one in readings[1:])]
    for index, grid in enumerate(grids):
        grid["obelisk"][11, 0] = -40
        grid["obelisk"][11, 0, sun if index else star] = 0
    changed = [
        type(one)(grid, one.edges_h, one.edges_v, one.struck, one.marks) for one, grid in zip(readings, grids, strict=True)
    ]
    fused = fuse(changed, weights([1.0, 1.0, 1.0]))
    assert fused.content["obelisk"][11, 0].argmax() == sun
    assert np.exp(fused.content["obelisk"][11, 0, star]) > 1e-6


def test_fused_photos_are_read_better_than_single_ones() -> None:
    """With the noise of poor photos, independent of each other, the totals of three together are right more often."""
    rng = np.random.default_rng(5)
    noise = Noise(cells=0.12, edges=0.05, circles=0.02)
    single = together = 0
    for _ in range(12):
        sheet = simulated.play(rng)
        total = score_state(simulated.truth_state(sheet))["total"]
        readings = [simulated.read(rng, sheet, noise) for _ in range(3)]
        single += decode_obelisk(readings[0], IDENTITY).score["total"] == total
        together += decode_obelisk(fuse(readings, weights([1.0, 1.0, 1.0])), IDENTITY).score["total"] == total
    assert together >= 11
    assert together > single
