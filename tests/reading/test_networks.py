"""Only the models that were released are run: changed, missing and foreign files are refused."""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from scanner.cells.crops import CONTENT_SIZE, EDGE_SIZE, MARK_SIZE, STRUCK_SIZE
from scanner.errors import InternalError
from scanner.reading.networks import MANIFEST, Kind, Network, manifest, models_folder, network
from scanner.reading.readings import CONTENT_CHARACTERS, CONTENT_LABELS, MOST_SURE, SETTLED

SIZES: dict[Kind, tuple[int, ...]] = {
    "content": CONTENT_SIZE,
    "edges": (2, *EDGE_SIZE),
    "struck": STRUCK_SIZE,
    "marks": (2, *MARK_SIZE),
}
KINDS: tuple[Kind, ...] = get_args(Kind)
MEGABYTE = 1_000_000


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the released models to tamper with."""
    return Path(shutil.copytree(models_folder(), tmp_path / "models"))


def change_manifest(folder: Path, kind: Kind, **changes: Any) -> None:
    rows = json.loads((folder / MANIFEST).read_text())
    for row in rows:
        if row["kind"] == kind:
            row.update(changes)
    (folder / MANIFEST).write_text(json.dumps(rows))


def test_the_released_models_are_complete() -> None:
    folder = models_folder()
    entries = manifest(folder)
    assert set(entries) == set(KINDS)
    assert {path.name for path in folder.glob("*.onnx")} == {entry.file for entry in entries.values()}
    for kind, entry in entries.items():
        assert hashlib.sha256((folder / entry.file).read_bytes()).hexdigest() == entry.sha256
        assert entry.input == SIZES[kind][-2:]
        assert entry.rebuild.startswith("python -m scanner.training ")


def test_the_released_models_are_small() -> None:
    assert sum(path.stat().st_size for path in models_folder().glob("*.onnx")) < MEGABYTE


def test_labels_are_the_readings_own() -> None:
    assert network("content").labels == CONTENT_LABELS
    assert len(CONTENT_CHARACTERS) == len(CONTENT_LABELS)
    assert all(len(network(kind).labels) == 1 for kind in KINDS if kind != "content")


@pytest.mark.parametrize("kind", KINDS)
def test_networks_take_any_number_of_crops(kind: Kind) -> None:
    """And say the same of a crop whatever lies beside it in the batch."""
    crops = np.random.default_rng(1).integers(0, 256, (7, *SIZES[kind]), np.uint8)
    together = network(kind)(crops)
    assert together.dtype == np.float32
    assert together.shape == (7, 8 if kind == "content" else 1)
    alone = np.concatenate([network(kind)(crops[i : i + 1]) for i in range(7)])
    assert np.allclose(together, alone, atol=1e-3)
    assert network(kind)(crops[:0]).shape[0] == 0


def test_contents_are_log_probabilities() -> None:
    crops = np.random.default_rng(2).integers(0, 256, (20, *CONTENT_SIZE), np.uint8)
    probabilities = np.exp(network("content")(crops).astype(np.float64))
    assert np.allclose(probabilities.sum(1), 1, atol=1e-4)


def test_each_network_is_loaded_once() -> None:
    assert network("marks") is network("marks")


@pytest.mark.parametrize("kind", KINDS)
def test_a_single_changed_byte_is_refused(kind: Kind, copy: Path) -> None:
    entry = manifest(copy)[kind]
    model = bytearray((copy / entry.file).read_bytes())
    model[len(model) // 2] ^= 1
    (copy / entry.file).write_bytes(model)
    with pytest.raises(InternalError, match="not the one that was released") as caught:
        Network(entry, copy)
    assert "Install" in caught.value.hint


def test_a_cut_model_is_refused(copy: Path) -> None:
    entry = manifest(copy)["edges"]
    (copy / entry.file).write_bytes((copy / entry.file).read_bytes()[:-1])
    with pytest.raises(InternalError, match="not the one that was released"):
        Network(entry, copy)


def test_a_missing_model_is_named(copy: Path) -> None:
    entry = manifest(copy)["struck"]
    (copy / entry.file).unlink()
    with pytest.raises(InternalError, match=entry.file):
        Network(entry, copy)


def test_a_model_with_other_labels_is_refused(copy: Path) -> None:
    """A manifest and a model that do not belong together would turn suns into stars."""
    change_manifest(copy, "content", labels=["blank", "star", "sun", *CONTENT_LABELS[3:]])
    with pytest.raises(InternalError, match="other labels"):
        Network(manifest(copy)["content"], copy)


def test_a_missing_manifest_is_a_bug_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(InternalError, match="manifest") as caught:
        manifest(tmp_path)
    assert "Install" in caught.value.hint


@pytest.mark.parametrize("text", ["", "{}", "[1]", '[{"kind": "content"}]', '[{"kind": "words", "file": "a"}]'])
def test_a_broken_manifest_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text(text)
    with pytest.raises(InternalError, match="manifest"):
        manifest(tmp_path)


def test_an_untouched_copy_loads(copy: Path) -> None:
    """The comparison for the refusals above."""
    assert Network(manifest(copy)["content"], copy).labels == CONTENT_LABELS


def test_no_network_is_as_sure_as_a_person() -> None:
    """A filled circle in pure black and white, as scanning programs make it."""
    from_centre = np.hypot(*np.mgrid[-36:36, -36:36])
    filled, bare = (from_centre > 15) * 255, (np.abs(from_centre - 14) > 1.5) * 255
    (said,) = network("marks")(np.array([[filled, bare]], np.uint8))
    assert said == pytest.approx(MOST_SURE)
    assert MOST_SURE < SETTLED
