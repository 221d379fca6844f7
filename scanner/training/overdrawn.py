"""What may lie over a crop, or be drawn over it: lines that strike a symbol out, stains, shadows, a pen that slipped."""

from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from scanner.reading.networks import Kind
from scanner.reading.readings import CONTENT_LABELS

_SYMBOLS: Final = [CONTENT_LABELS.index(name) for name in ("sun", "star", "pyramid", "eye", "lotus")]
_OTHER: Final = CONTENT_LABELS.index("other")
_STRUCK_SHARE: Final = 0.15
"""Of the symbols, so many are struck out by a line, and are none any more."""
_STAINED_SHARE: Final[dict[Kind, float]] = {"content": 0.06, "edges": 0.06, "marks": 0.3}
"""So many crops get a stain, a shadow, or, at circles, a stray line across: none of them is what anybody wrote there."""
_CELL_PX: Final = 48
"""A cell's side in a crop."""
PAPER: Final = 230.0
"""The gray of paper."""
_INK: Final = 175
"""Darker pixels are taken for ink where a line's darkness and reach are to match it."""


def written_over(
    crops: NDArray[np.uint8], labels: NDArray[np.int64], kind: Kind, rng: Generator
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Crops, uint8 (N, H, W) or (N, C, H, W), and labels (N,) with some struck out or stained. Copies."""
    share = _STAINED_SHARE.get(kind, 0.0)
    if not share:
        return crops, labels
    crops, labels = crops.copy(), labels.copy()
    shown = crops[:, 0] if crops.ndim == 4 else crops
    for i in np.flatnonzero(rng.random(len(crops)) < share).tolist():
        _stain(shown[i], rng, lines=kind == "marks")
    if kind == "content":
        for i in np.flatnonzero(np.isin(labels, _SYMBOLS) & (rng.random(len(crops)) < _STRUCK_SHARE)).tolist():
            if _strike(shown[i], rng):
                labels[i] = _OTHER
    return crops, labels


def _strike(crop: NDArray[np.uint8], rng: Generator) -> bool:
    """Draw one line, or two, through what is written in the cell, in its own ink and beyond its ends; False if nothing is."""
    height, width = crop.shape
    top, left = (height - _CELL_PX) // 2 + 3, (width - _CELL_PX) // 2 + 3
    inside = crop[top : height - top, left : width - left]
    points = np.argwhere(inside < _INK)
    if len(points) < 25:
        return False
    # Most people strike out level; some slantwise or downwards.
    angle = rng.choice([0.0, 0.0, 0.0, np.pi / 2, np.pi / 4, -np.pi / 4]) + rng.normal(0, 0.12)
    along = np.array([np.sin(angle), np.cos(angle)])
    middle = (points.min(0) + points.max(0)) / 2
    reach = float(np.abs((points - middle) @ along).max()) * rng.uniform(1.05, 1.6) + 2
    across = np.array([along[1], -along[0]])
    darkness = float(np.percentile(inside[inside < _INK], 30))
    thickness = rng.uniform(1.6, 4.0)
    for shift in [0.0] if rng.random() < 0.75 else [-2.5, 2.5]:
        centre = middle + (top, left) + across * (shift + rng.normal(0, 2.0)) + along * rng.normal(0, 1.5)
        a, b = centre - along * reach, centre + along * reach
        bow = across * rng.normal(0, 0.06) * reach
        stroke = np.array([a, centre + bow, b])[:, ::-1]
        _draw(crop, stroke, thickness, PAPER - darkness, rng)
    return True


def _stain(crop: NDArray[np.uint8], rng: Generator, lines: bool) -> None:
    """A shadow's edge, a cup's ring, or a stray line over the crop, in place."""
    height, width = crop.shape
    size = np.array([height, width])
    kind = rng.random()
    if kind < 0.35:
        # A shadow: darker from a soft edge on, or between two.
        angle, at = rng.uniform(0, np.pi), rng.normal(0, 0.3) * height
        y, x = np.mgrid[:height, :width]
        distance = (x - width / 2) * np.cos(angle) + (y - height / 2) * np.sin(angle) - at
        soft = rng.uniform(0.7, 6.0)
        shade = 1 / (1 + np.exp(-np.clip(distance / soft, -30, 30)))
        if rng.random() < 0.5:
            shade *= 1 / (1 + np.exp(np.clip((distance - rng.uniform(6, 30)) / soft, -30, 30)))
        crop[:] = np.clip(crop * (1 - rng.uniform(0.1, 0.45) * shade), 0, 255).astype(np.uint8)
    elif kind < 0.7 or not lines:
        # A ring as cups leave it, far larger than the crop, and paler than ink.
        radius = rng.uniform(0.7, 4.0) * height
        angle = rng.uniform(0, 2 * np.pi)
        centre = size / 2 + (radius + rng.normal(0, 0.2) * height) * np.array([np.sin(angle), np.cos(angle)])
        turn = np.linspace(0, 2 * np.pi, 120)
        ring = centre[::-1] + radius * np.stack([np.cos(turn), np.sin(turn)], 1)
        _draw(crop, ring, rng.uniform(2.0, 10.0), rng.uniform(12, 70), rng)
    else:
        # A pen that slipped: a line that neither begins nor ends near the circle.
        angle = rng.uniform(0, np.pi)
        along = np.array([np.sin(angle), np.cos(angle)])
        centre = size / 2 + np.array([along[1], -along[0]]) * rng.normal(0, 0.12) * height
        bow = np.array([along[1], -along[0]]) * rng.normal(0, 0.06) * height
        stroke = np.array([centre - along * height, centre + bow, centre + along * height])[:, ::-1]
        _draw(crop, stroke, rng.uniform(1.2, 4.0), rng.uniform(50, 190), rng)


def _draw(crop: NDArray[np.uint8], stroke: NDArray[np.float64], thickness: float, darkness: float, rng: Generator) -> None:
    """Darken the crop along a stroke of points (n, 2), x first, by up to `darkness` gray levels, in place."""
    shift = 4
    mask = np.zeros(crop.shape, np.uint8)
    points = np.round(stroke * (1 << shift)).astype(np.int32)
    cv2.polylines(mask, [points], False, 255, max(1, round(thickness)), cv2.LINE_AA, shift)
    soft = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.5, 1.2))
    inked = PAPER - darkness * (soft.astype(np.float32) / 255)
    crop[:] = np.minimum(crop, np.clip(inked, 0, 255).astype(np.uint8))
