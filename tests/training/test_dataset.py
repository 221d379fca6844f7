"""Training samples: labels lie on the crops that they speak of, and everything follows from the seed."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from scanner.cells.crops import CONTENT_SIZE, EDGE_SIZE, MARK_SIZE, STRUCK_SIZE
from scanner.reading.readings import CONTENT_LABELS
from scanner.training.dataset import Samples, load_shards, write_shard


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """A shard of random sheets and one of a played sheet, by synthetic hands. Photos take a second or two each: few do."""
    folder = tmp_path_factory.mktemp("shards")
    return {
        "random": write_shard(folder, 3, 2, {}, 7, condition="easy"),
        "played": write_shard(folder, 5, 1, {}, 7, played=True),
    }


def arrays_of(shard: Path) -> Samples:
    with np.load(shard) as arrays:
        return {key: arrays[key] for key in arrays.files}


@pytest.mark.parametrize("shard", ["random", "played"])
def test_shapes_and_counts(shards: Mapping[str, Path], shard: str) -> None:
    samples = arrays_of(shards[shard])
    for kind, size in (("content", CONTENT_SIZE), ("edges", EDGE_SIZE), ("struck", STRUCK_SIZE), ("marks", MARK_SIZE)):
        crops, labels = samples[kind], samples[f"{kind}.label"]
        assert crops.dtype == labels.dtype == np.uint8
        assert crops.shape == (len(labels), *size)
    sheets = len(samples["content"]) // 72
    assert len(samples["content"]) == 72 * sheets
    assert len(samples["marks"]) == 15 * sheets
    assert samples["content.label"].max() < len(CONTENT_LABELS)
    assert set(samples["edges.label"].tolist()) == set(samples["marks.label"].tolist()) == {0, 1}


def darkness(crops: NDArray[np.uint8], half: tuple[int, int]) -> NDArray[np.float64]:
    """Mean darkness of each crop's middle window, against the crop's own paper white."""
    _, height, width = crops.shape
    rows, columns = slice(height // 2 - half[0], height // 2 + half[0]), slice(width // 2 - half[1], width // 2 + half[1])
    white = np.percentile(crops, 90, axis=(1, 2))
    difference: NDArray[np.float64] = white - crops[:, rows, columns].mean((1, 2))
    return difference


def rank_agreement(values: NDArray[np.float64], positive: NDArray[np.bool_]) -> float:
    """How often a positive has the greater value than a negative (the area under the ROC curve)."""
    wins = (values[positive][:, None] > values[~positive]).mean()
    return float(wins)


@pytest.mark.parametrize(
    ("shard", "kind", "half", "least"),
    [
        ("random", "content", (16, 16), 0.9),
        ("played", "content", (16, 16), 0.9),
        ("random", "edges", (3, 16), 0.8),
        ("random", "marks", (12, 12), 0.85),
    ],
)
def test_what_is_labelled_as_written_is_darker(
    shards: Mapping[str, Path], shard: str, kind: str, half: tuple[int, int], least: float
) -> None:
    """Ink alone tells most of it; labels in another order than the crops would fall to one half."""
    samples = arrays_of(shards[shard])
    agreement = rank_agreement(darkness(samples[kind], half), samples[f"{kind}.label"] > 0)
    assert agreement > least
    shuffled = np.random.default_rng(1).permutation(samples[f"{kind}.label"])
    assert rank_agreement(darkness(samples[kind], half), shuffled > 0) < least - 0.2, "the test tells nothing"


def test_the_seed_and_the_index_decide_all(shards: Mapping[str, Path], tmp_path: Path) -> None:
    with np.load(shards["random"]) as two, np.load(write_shard(tmp_path, 3, 1, {}, 7, condition="easy")) as one:
        assert np.array_equal(two["content"][:72], one["content"])
        assert np.array_equal(two["edges.label"][: len(one["edges.label"])], one["edges.label"])
        with np.load(write_shard(tmp_path, 4, 1, {}, 7)) as other:
            assert not np.array_equal(one["content.label"], other["content.label"])


def test_nothing_half_written_is_left(shards: Mapping[str, Path]) -> None:
    assert {path.name for path in shards["random"].parent.iterdir()} == {"shard-00003.npz", "shard-00005.npz"}


def test_shards_are_joined_in_order(tmp_path: Path) -> None:
    for index, value in ((10, 2), (9, 1)):
        crops = np.full((15, 4, 4), value, np.uint8)
        arrays = {"marks": crops, "marks.label": np.full(15, value, np.uint8)}
        np.savez(tmp_path / f"shard-{index:05d}.npz", allow_pickle=False, **arrays)
    (tmp_path / "shard-00011.partial").write_bytes(b"cut short")
    crops, labels = load_shards(tmp_path, "marks")
    assert labels.tolist() == [1] * 15 + [2] * 15
    assert crops[:, 0, 0, 0].tolist() == [1] * 15 + [2] * 15
    assert (crops[:, 1] == crops[:, 0]).all()  # beside them the bare print of their own sheet


def test_timid_hands_mark_circles_with_less_ink(tmp_path: Path) -> None:
    """Their marks are smaller, whatever else is the same."""
    inked = {}
    for timid in (0.0, 1.0):
        samples = arrays_of(write_shard(tmp_path, 0, 3, {}, 9, condition="easy", timid=timid))
        marked = samples["marks"][samples["marks.label"] == 1]
        inked[timid] = float(darkness(marked, (14, 14)).mean())
    assert inked[1.0] < inked[0.0]
