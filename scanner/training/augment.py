"""What happens to crops between one sight of them and the next: shifts, bends, light, noise."""

import torch
from torch import Tensor
from torch.nn import functional

from scanner.reading.networks import Kind
from scanner.training.overdrawn import PAPER


def augment(crops: Tensor, kind: Kind, generator: torch.Generator) -> Tensor:
    """Crops, uint8 (N, H, W) or (N, C, H, W), shifted by up to 2 px, mirrored, brightened, roughened, and for cells bent;
    float32 gray values of the same shape. What comes beside a crop goes with it, but is not roughened."""
    n = len(crops)
    x = crops.float() if crops.dim() == 4 else crops.float().unsqueeze(1)
    height, width = x.shape[2:]
    padded = functional.pad(x, (2, 2, 2, 2), mode="replicate")
    parts = []
    # A few shifts a batch are as good as one a crop, and far quicker.
    for part in padded.chunk(8):
        dy, dx = torch.randint(0, 5, (2,), generator=generator).tolist()
        parts.append(part[:, :, dy : dy + height, dx : dx + width])
    x = torch.cat(parts)
    if kind == "content":
        x = _bent(x, generator)
    mirrored = torch.rand(n, generator=generator) < 0.5
    x[mirrored] = x[mirrored].flip(3)
    if kind in ("edges", "struck"):
        upside_down = torch.rand(n, generator=generator) < 0.5
        x[upside_down] = x[upside_down].flip(2)
    contrast = torch.empty(n, 1, 1, 1).uniform_(0.75, 1.2, generator=generator)
    brightness = torch.empty(n, 1, 1, 1).uniform_(-10, 10, generator=generator)
    x = PAPER + (x - PAPER) * contrast + brightness
    x[:, :1] += torch.randn(n, 1, height, width, generator=generator) * torch.empty(n, 1, 1, 1).uniform_(
        0, 5, generator=generator
    )
    x = x.clamp(0, 255)
    return x if crops.dim() == 4 else x[:, 0]


def _bent(x: Tensor, generator: torch.Generator) -> Tensor:
    """Crops (N, C, H, W), each under an affine map of its own near the identity: there are more hands than people here."""
    n = len(x)
    spread = torch.randn(n, 2, 2, generator=generator) * torch.tensor([[0.07, 0.06], [0.06, 0.07]])
    maps = torch.cat([torch.eye(2) + spread, torch.zeros(n, 2, 1)], 2)
    grid = functional.affine_grid(maps, list(x.shape), align_corners=False)
    return functional.grid_sample(x, grid, padding_mode="border", align_corners=False)
