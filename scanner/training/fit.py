"""Fits one network to its samples, calibrates it on people it has not seen, and measures it."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from scanner.reading.networks import Kind
from scanner.training.augment import augment
from scanner.training.nets import Net, NetSpec
from scanner.training.overdrawn import written_over

_BATCH: Final = 256
_PEAK_RATE: Final = 3e-3
_AVERAGING: Final = 0.998


@dataclass(frozen=True, slots=True)
class Calibration:
    """Logits become logits * scale + shift, float32 (labels,) each; fitted by maximum likelihood."""

    scale: NDArray[np.float32]
    shift: NDArray[np.float32]


def fit(
    spec: NetSpec,
    kind: Kind,
    crops: NDArray[np.uint8],
    labels: NDArray[np.uint8],
    steps: int,
    seed: int,
    say: Callable[[str], None],
    start: Mapping[str, Tensor] | None = None,
) -> Net:
    """Train for `steps` batches with one rise and fall of the learning rate; the weights are a running average.

    `start`: the state of a net to go on from, at a lower rate; else the weights are drawn from the seed.
    """
    torch.manual_seed(seed)
    generator, rng = torch.Generator().manual_seed(seed), np.random.default_rng(seed)
    # Channels last and bfloat16 make a step several times faster on a CPU.
    net, averaged = Net(spec).to(memory_format=torch.channels_last), Net(spec)
    if start is not None:
        net.load_state_dict(start)
    averaged.load_state_dict(net.state_dict())
    rate = _PEAK_RATE if start is None else _PEAK_RATE / 2
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps, pct_start=0.15)
    x, y = torch.from_numpy(crops), torch.from_numpy(labels.astype(np.int64))
    # Half of all cells are blank, and soon learnt: every third of them will do. The calibration sets the frequencies right.
    blank = np.flatnonzero(labels == 0) if kind == "content" else np.zeros(0, np.int64)
    kept = torch.from_numpy(np.delete(np.arange(len(labels)), np.delete(blank, slice(None, None, 3))))
    net.train()
    started, running = time.monotonic(), 0.0
    for step in range(steps):
        pick = kept[torch.randint(len(kept), (_BATCH,), generator=generator)]
        seen, truth = written_over(x[pick].numpy(), y[pick].numpy(), kind, rng)
        batch = augment(torch.from_numpy(seen), kind, generator)
        with torch.autocast("cpu", torch.bfloat16):
            logits = net(batch)
        loss = loss_of(logits.float(), torch.from_numpy(truth))
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        schedule.step()
        with torch.no_grad():
            keep = min(_AVERAGING, 1 - 10 / (step + 11))
            for a, b in zip(averaged.state_dict().values(), net.state_dict().values(), strict=True):
                if a.dtype.is_floating_point:
                    a.mul_(keep).add_(b, alpha=1 - keep)
        running = 0.98 * running + 0.02 * float(loss.detach())
        if (step + 1) % 500 == 0:
            say(f"{kind}: step {step + 1} of {steps}, loss {running:.4f}, {time.monotonic() - started:.0f} s")
    averaged.eval()
    return averaged


def loss_of(logits: Tensor, labels: Tensor) -> Tensor:
    """Cross-entropy, whether there is one log-odds output or one logit a label."""
    if logits.shape[1] == 1:
        return functional.binary_cross_entropy_with_logits(logits[:, 0], labels.float())
    return functional.cross_entropy(logits, labels)


def logits_of(net: nn.Module, crops: NDArray[np.uint8]) -> Tensor:
    """Logits, float32 (N, labels), of any number of crops."""
    with torch.inference_mode():
        return torch.cat([net(torch.from_numpy(crops[i : i + 2048])) for i in range(0, len(crops), 2048)])


def calibrate(logits: Tensor, labels: NDArray[np.uint8]) -> Calibration:
    """A temperature, and a shift for each label, that make the logits' probabilities right on these samples."""
    y = torch.from_numpy(labels.astype(np.int64))
    logits = logits.clone()
    log_scale = torch.zeros(1, requires_grad=True)
    shift = torch.zeros(logits.shape[1], requires_grad=True)
    optimiser = torch.optim.LBFGS([log_scale, shift], lr=0.5, max_iter=100)

    def closure() -> float:
        optimiser.zero_grad()
        # The small pull towards no shift keeps rare labels from being fitted to a handful of samples.
        loss = loss_of(logits * log_scale.exp() + shift, y) + 1e-4 * (shift**2).sum()
        loss.backward()
        return float(loss.detach())

    optimiser.step(closure)
    scale = np.full(logits.shape[1], float(log_scale.detach().exp()), np.float32)
    return Calibration(scale, shift.detach().numpy().astype(np.float32))


def calibration_error(p: NDArray[np.float64], labels: NDArray[np.uint8], bins: int = 15) -> float:
    """The expected calibration error: mean distance of confidence and accuracy over bins of equal count (Naeini et al. 2015,
    with equal-count bins)."""
    confidence, right = p.max(1), p.argmax(1) == labels
    parts = np.array_split(np.argsort(confidence, kind="stable"), bins)
    return float(sum(abs(confidence[i].mean() - right[i].mean()) * len(i) for i in parts if len(i)) / len(confidence))
