"""Training, calibration and export of the networks. Needs the extra `train`; see the README for how to run these tests."""

from pathlib import Path
from typing import get_args

import numpy as np
import onnxruntime
import pytest
import torch
from numpy.typing import NDArray

from scanner.reading.networks import Kind
from scanner.training.augment import augment
from scanner.training.export import export
from scanner.training.fit import calibrate, calibration_error, fit, logits_of, loss_of
from scanner.training.measure import figures, probabilities
from scanner.training.nets import Net, NetSpec, specs

KINDS: tuple[Kind, ...] = get_args(Kind)


def shape_of(spec: NetSpec) -> tuple[int, ...]:
    """The shape of a crop, with what comes beside it."""
    return spec.size if spec.channels == 1 else (spec.channels, *spec.size)


def discs(count: int, seed: int, spec: NetSpec) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Noisy white crops, every other with a dark disc in its middle; labels 1 with the disc. Beside them white paper."""
    rng = np.random.default_rng(seed)
    (height, width), labels = spec.size, np.arange(count) % 2
    crops = rng.normal(225, 12, (count, spec.channels, height, width))
    y, x = np.mgrid[:height, :width]
    crops[labels == 1, 0] -= 90 * (np.hypot(y - height / 2, x - width / 2) < 7)
    crops = crops.reshape(count, *shape_of(spec))
    return np.clip(crops, 0, 255).astype(np.uint8), labels.astype(np.uint8)


def quiet(_text: str) -> None:
    """Training has nothing to say here."""


@pytest.fixture(scope="module")
def trained() -> Net:
    spec = specs()["marks"]
    return fit(spec, "marks", *discs(400, 1, spec), steps=80, seed=3, say=quiet)


def test_a_short_fit_lowers_the_loss_on_crops_that_it_has_not_seen(trained: Net) -> None:
    spec = specs()["marks"]
    crops, labels = discs(200, 2, spec)
    torch.manual_seed(3)
    target = torch.from_numpy(labels.astype(np.int64))
    before = float(loss_of(logits_of(Net(spec).eval(), crops), target))
    after = logits_of(trained, crops)
    assert float(loss_of(after, target)) < 0.5 * before
    assert ((after[:, 0].numpy() > 0) == (labels == 1)).mean() > 0.97


def test_the_seed_decides_the_weights() -> None:
    spec = specs()["marks"]
    data = discs(64, 1, spec)
    one, same, other = (fit(spec, "marks", *data, steps=3, seed=seed, say=quiet).linear.weight for seed in (5, 5, 6))
    assert torch.equal(one, same)
    assert not torch.equal(one, other)


@pytest.mark.parametrize("kind", KINDS)
def test_the_exported_network_says_what_torch_says(kind: Kind, tmp_path: Path) -> None:
    """With batch normalisation that has seen data, and a calibration that is not the identity."""
    spec = specs()[kind]
    torch.manual_seed(1)
    net = Net(spec)
    crops = np.random.default_rng(1).integers(0, 256, (64, *shape_of(spec)), np.uint8)
    net.train()
    for _ in range(5):
        net(torch.from_numpy(crops))
    net.eval()
    with torch.no_grad():
        net.linear.weight *= 40  # a network fresh from its seed says nearly the same of everything
    rng = np.random.default_rng(2)
    scale = rng.uniform(0.5, 1.5, len(spec.labels)).astype(np.float32)
    shift = rng.normal(0, 1, len(spec.labels)).astype(np.float32)
    path = tmp_path / "net.onnx"
    export(net, spec, scale, shift, path, {"seed": "1"}, crops)
    session = onnxruntime.InferenceSession(path.read_bytes(), providers=["CPUExecutionProvider"])
    said = session.run(None, {"crops": crops})[0]
    expected = logits_of(net, crops) * torch.from_numpy(scale) + torch.from_numpy(shift)
    if len(spec.labels) > 1:
        expected = torch.log_softmax(expected, 1)
    assert said.shape == (64, len(spec.labels))
    assert said.std() > 0.1, "a network that says nothing agrees with everything"
    assert np.abs(said - expected.numpy()).max() < 0.1 * said.std()  # weights are stored as float16
    properties = session.get_modelmeta().custom_metadata_map
    assert properties["seed"] == "1"


def test_calibration_mends_confidence_that_is_too_high() -> None:
    rng = np.random.default_rng(4)
    true = rng.normal(0, 1.5, (6000, 4))
    odds = np.exp(true) / np.exp(true).sum(1, keepdims=True)
    labels = np.array([rng.choice(4, p=p) for p in odds], np.uint8)
    overconfident = torch.from_numpy((true * 3).astype(np.float32))
    fitted = calibrate(overconfident, labels)
    assert fitted.scale == pytest.approx(np.full(4, 1 / 3), rel=0.1)
    assert np.abs(fitted.shift - fitted.shift.mean()).max() < 0.15
    mended = torch.log_softmax(overconfident * torch.from_numpy(fitted.scale) + torch.from_numpy(fitted.shift), 1)
    assert calibration_error(probabilities(mended.numpy()), labels) < 0.03
    raw = torch.softmax(overconfident, 1).double().numpy()
    assert calibration_error(raw, labels) > 0.1, "the comparison: without it, far off"


def test_a_single_output_is_calibrated_too() -> None:
    rng = np.random.default_rng(5)
    odds = rng.normal(0, 2, 5000)
    labels = (rng.random(5000) < 1 / (1 + np.exp(-odds))).astype(np.uint8)
    shifted = torch.from_numpy((odds * 2 + 1).astype(np.float32)[:, None])
    fitted = calibrate(shifted, labels)
    p = probabilities(shifted.numpy() * fitted.scale + fitted.shift)
    assert np.allclose(p.sum(1), 1)
    assert p[:, 1] == pytest.approx(1 / (1 + np.exp(-odds)), abs=0.06)


@pytest.mark.parametrize("kind", KINDS)
def test_augmented_crops_keep_their_shape_and_range(kind: Kind) -> None:
    spec = specs()[kind]
    crops, _ = discs(24, 1, spec)
    changed = augment(torch.from_numpy(crops), kind, torch.Generator().manual_seed(1))
    assert changed.shape == (24, *shape_of(spec))
    assert changed.min() >= 0
    assert changed.max() <= 255
    assert not torch.equal(changed, torch.from_numpy(crops).float())


def test_a_content_crop_is_never_turned_upside_down() -> None:
    """A pyramid on its head is no pyramid."""
    crops = np.full((64, 64, 64), 230, np.uint8)
    crops[:, :20] = 40
    changed = augment(torch.from_numpy(crops), "content", torch.Generator().manual_seed(1))
    assert (changed[:, :16].mean((1, 2)) < changed[:, -16:].mean((1, 2))).all()


def test_figures_count_what_is_taken_for_what() -> None:
    outputs = np.log(
        np.array([[0.98, 0.01, 0.01], [0.98, 0.01, 0.01], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8], [0.0005, 0.999, 0.0005]])
    )
    labels = np.array([0, 0, 1, 2, 2], np.uint8)
    measured = figures(outputs.astype(np.float32), labels, ("a", "b", "c"))
    assert measured["accuracy"] == pytest.approx(0.8)
    assert measured["by_class"] == {"a": 1.0, "b": 1.0, "c": 0.5}
    assert measured["confusion"]["c"] == [0, 1, 1]


def test_figures_count_what_is_surely_taken_for_a_symbol_though_it_is_none() -> None:
    shares = [[0.001, 0.998, 0.001], [0.05, 0.9, 0.05], [0.998, 0.001, 0.001], [0.001, 0.001, 0.998], [0.001, 0.998, 0.001]]
    measured = figures(np.log(shares).astype(np.float32), np.array([2, 2, 2, 2, 1], np.uint8), ("blank", "sun", "other"))
    assert measured["other_taken_for_symbols"] == 0.25
