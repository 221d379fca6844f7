"""The networks: a few convolutions each, written once as a list of layers from which both the trainable module and the
exported graph are built, so that no exporter stands between them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn

from scanner.reading.networks import Kind


@dataclass(frozen=True, slots=True)
class Conv:
    """A convolution (padded by half its kernel), batch normalisation and ReLU, with a 2 x 2 maximum after it when `pool`.
    stride, kernel: height and width; kernels are odd."""

    channels: int
    stride: tuple[int, int] = (1, 1)
    pool: bool = False
    kernel: tuple[int, int] = (3, 3)

    @property
    def padding(self) -> tuple[int, int]:
        """Rows and columns of zeros on either side."""
        return self.kernel[0] // 2, self.kernel[1] // 2


@dataclass(frozen=True, slots=True)
class NetSpec:
    """One network: input crops of `size` (height, width), the convolutions, one linear layer over all that is left.

    labels: what the outputs stand for; a single label means one log-odds output.
    channels: 2 where the crops come beside the sheet's bare print.
    eight_bits: whether it is released with weights and activations of 8 bits, which only networks with many channels gain by.
    """

    size: tuple[int, int]
    convs: tuple[Conv, ...]
    labels: tuple[str, ...]
    channels: int = 1
    eight_bits: bool = False


_HALVED: Final = (2, 2)


def specs() -> Mapping[Kind, NetSpec]:
    """All networks by what they read."""
    from scanner.cells.crops import CONTENT_SIZE, EDGE_SIZE, MARK_SIZE, STRUCK_SIZE
    from scanner.reading.readings import CONTENT_LABELS

    content = (
        Conv(20, _HALVED),
        Conv(32, _HALVED),
        Conv(48, pool=True),
        Conv(80),
        Conv(80, pool=True),
        Conv(112),
    )
    # Along an edge there is less to see than across it. Channels by sixteens are what processors work in.
    edges = (Conv(16, (2, 4), kernel=(3, 5)), Conv(16, _HALVED), Conv(32, pool=True), Conv(32))
    struck = (Conv(16, _HALVED), Conv(16, _HALVED), Conv(32, _HALVED), Conv(32))
    marks = (Conv(16, _HALVED), Conv(28, _HALVED), Conv(48, pool=True), Conv(64, pool=True))
    return {
        "content": NetSpec(CONTENT_SIZE, content, CONTENT_LABELS, eight_bits=True),
        "edges": NetSpec(EDGE_SIZE, edges, ("drawn",), channels=2),
        "struck": NetSpec(STRUCK_SIZE, struck, ("struck",)),
        "marks": NetSpec(MARK_SIZE, marks, ("marked",), channels=2),
    }


INPUT_SCALE: Final = 1 / 128
INPUT_ZERO: Final = 192
"""Crops, uint8, enter the first convolution as (value - INPUT_ZERO) * INPUT_SCALE: paper white near 0.3, ink below."""


class Net(nn.Module):
    """The trainable module of a spec: uint8-valued crops (N, H, W), or (N, channels, H, W), to logits (N, labels)."""

    def __init__(self, spec: NetSpec) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        channels, (height, width) = spec.channels, spec.size
        for conv in spec.convs:
            layers += [
                nn.Conv2d(channels, conv.channels, conv.kernel, conv.stride, conv.padding, bias=False),
                nn.BatchNorm2d(conv.channels),
                nn.ReLU(inplace=True),
            ]
            height, width = -(-height // conv.stride[0]), -(-width // conv.stride[1])
            if conv.pool:
                layers.append(nn.MaxPool2d(2))
                height, width = height // 2, width // 2
            channels = conv.channels
        self.convs = nn.Sequential(*layers)
        self.dropout = nn.Dropout(0.15)
        self.linear = nn.Linear(channels * height * width, len(spec.labels))

    def forward(self, crops: Tensor) -> Tensor:
        """Logits, float32 (N, labels)."""
        x = (crops if crops.dim() == 4 else crops.unsqueeze(1)).float() * INPUT_SCALE - INPUT_ZERO * INPUT_SCALE
        result: Tensor = self.linear(self.dropout(self.convs(x).flatten(1)))
        return result


def folded(net: Net) -> tuple[Sequence[tuple[Tensor, Tensor]], tuple[Tensor, Tensor]]:
    """Weights and biases of the convolutions, batch normalisation folded into them, and of the linear layer."""
    convs: list[tuple[Tensor, Tensor]] = []
    modules = list(net.convs)
    for i, module in enumerate(modules):
        if isinstance(module, nn.Conv2d):
            norm = modules[i + 1]
            assert isinstance(norm, nn.BatchNorm2d)
            assert norm.running_mean is not None
            assert norm.running_var is not None
            scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
            convs.append(
                ((module.weight * scale[:, None, None, None]).detach(), (norm.bias - norm.running_mean * scale).detach())
            )
    return convs, (net.linear.weight.detach(), net.linear.bias.detach())
