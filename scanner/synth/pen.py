"""Pens and pencils: strokes in sheet mm to ink on the printed paper's picture."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from scanner.geometry import BgrImage, FloatArray, GrayImage

_SHIFT = 4  # binary digits of sub-pixel position in OpenCV's polylines
_GRAIN_SIZE = 256


@dataclass(frozen=True, slots=True)
class Pen:
    """ink_bgr: reflectance of full ink, 0..1. width_mm: of an ordinary stroke. opacity: how much of the paper full pressure
    covers. grain: 0 for a felt pen, about 0.5 for a pencil on rough paper. pressure: how much the pressure varies."""

    ink_bgr: tuple[float, float, float]
    width_mm: float
    opacity: float
    grain: float
    pressure: float


_INKS: tuple[tuple[str, tuple[float, float, float], float], ...] = (
    ("black", (0.1, 0.1, 0.1), 0.25),
    ("blue", (0.55, 0.22, 0.15), 0.25),
    ("red", (0.18, 0.15, 0.7), 0.1),
    ("green", (0.25, 0.42, 0.12), 0.07),
    ("violet", (0.5, 0.15, 0.4), 0.03),
    ("pencil", (0.25, 0.25, 0.26), 0.3),
)


def random_pen(rng: Generator) -> Pen:
    """A ballpoint, felt pen or pencil; every third or so is a pencil, some of them very faint."""
    kinds, weights = [k for k, _, _ in _INKS], np.array([w for _, _, w in _INKS])
    i = int(rng.choice(len(kinds), p=weights / weights.sum()))
    ink = tuple(float(np.clip(c + rng.normal(0, 0.05), 0.03, 0.85)) for c in _INKS[i][1])
    ink_bgr = (ink[0], ink[1], ink[2])
    if kinds[i] == "pencil":
        faint = rng.random() < 0.35
        opacity = rng.uniform(0.38, 0.6) if faint else rng.uniform(0.6, 0.95)
        return Pen(ink_bgr, rng.uniform(0.35, 0.85), opacity, rng.uniform(0.2, 0.7), rng.uniform(0.1, 0.4))
    return Pen(ink_bgr, rng.uniform(0.3, 0.85), rng.uniform(0.75, 1.0), rng.uniform(0, 0.15), rng.uniform(0, 0.2))


def stroke_mask(
    strokes: Sequence[FloatArray], width_px: float, px_per_mm: float, shape: tuple[int, int], rng: Generator
) -> GrayImage:
    """Coverage by the strokes (sheet mm), uint8 (H, W): 255 where a stroke lies. Widths vary a little between strokes."""
    mask: GrayImage = np.zeros(shape, np.uint8)
    by_width: dict[int, list[NDArray[np.int32]]] = {}
    for stroke in strokes:
        # OpenCV draws whole widths only, and its smooth edges add one to three pixels; choosing at random between the two
        # next ones makes the mean width follow the pen's all the same.
        width = max(1, int(np.floor(width_px * rng.uniform(0.9, 1.1) + rng.random())))
        points = np.round(((stroke * px_per_mm) - 0.5) * 2**_SHIFT).astype(np.int32).reshape(-1, 1, 2)
        by_width.setdefault(width, []).append(points)
    for width, lines in sorted(by_width.items()):
        cv2.polylines(mask, lines, False, (255,), width, cv2.LINE_AA, _SHIFT)
    return mask


def apply_ink(paper: BgrImage, strokes: Sequence[FloatArray], pen: Pen, px_per_mm: float, rng: Generator) -> None:
    """Draw strokes (sheet mm) on `paper`, uint8 (H, W, 3) reflectance, in place."""
    h, w = paper.shape[:2]
    mask = stroke_mask(strokes, pen.width_mm * px_per_mm, px_per_mm, (h, w), rng)
    inked = np.flatnonzero(mask.ravel())
    cover = mask.ravel()[inked].astype(np.float32) * (pen.opacity / 255)
    rows, columns = np.divmod(inked, w)
    if pen.pressure > 0:
        coarse = rng.normal(0, 1, (h // 24 + 2, w // 24 + 2)).astype(np.float32)
        cover *= np.clip(1 - pen.pressure * np.abs(coarse[rows // 24, columns // 24]) * 0.7, 0.25, 1)
    if pen.grain > 0:
        grain = cv2.GaussianBlur(rng.random((_GRAIN_SIZE, _GRAIN_SIZE), np.float32), (0, 0), 0.08 * px_per_mm + 0.3)
        grain = (grain - grain.mean()) / (grain.std() + 1e-6)
        cover *= np.clip(1 - pen.grain * (0.35 + 0.5 * grain[rows % _GRAIN_SIZE, columns % _GRAIN_SIZE]), 0.1, 1)
    flat = paper.reshape(-1, 3)
    under = flat[inked].astype(np.float32)
    ink = np.array(pen.ink_bgr, np.float32)
    flat[inked] = np.clip(under * (1 - cover[:, None] * (1 - ink)) + 0.5, 0, 255).astype(np.uint8)
