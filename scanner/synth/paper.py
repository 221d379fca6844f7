"""The paper itself: from the flat filled picture to linear reflectance, with the paper's own flaws."""

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from scanner.geometry import BgrImage, FloatArray
from scanner.synth.scene import Bend, Crease, Stock

_ENCODED = np.arange(256) / 255
LINEAR: FloatArray = np.where(_ENCODED <= 0.04045, _ENCODED / 12.92, ((_ENCODED + 0.055) / 1.055) ** 2.4)
"""Linear value, 0..1, of each sRGB-encoded uint8 (IEC 61966-2-1)."""


def quantised(values: MatLike, full: int) -> MatLike:
    """Rounded to uint8 if full is 255, else to uint16."""
    rounded = np.round(values)
    return rounded.astype(np.uint8) if full == 255 else rounded.astype(np.uint16)


def show_paper(
    bgr: BgrImage, px_per_mm: float, wanted_px_per_mm: float, stock: Stock, bend: Bend, full: int, rng: np.random.Generator
) -> MatLike:
    """The sheet's linear reflectance, 0..full (uint8 if full is 255, else uint16), still the whole paper edge to edge.

    It is reduced to about the resolution at which the photo will show it, so that the warp does not alias.
    """
    ratio = wanted_px_per_mm * 1.1 / px_per_mm
    if ratio < 0.9:
        size = (round(bgr.shape[1] * ratio), round(bgr.shape[0] * ratio))
        px_per_mm *= size[0] / bgr.shape[1]
        if ratio < 0.5:
            bgr = np.asarray(cv2.resize(bgr, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
            ratio *= 2
        # A slight blur before linear interpolation stands for the area average and is much quicker.
        if ratio < 0.9:
            bgr = np.asarray(cv2.GaussianBlur(bgr, (0, 0), 0.45 * np.sqrt(ratio**-2 - 1)), np.uint8)
        bgr = np.asarray(cv2.resize(bgr, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    if stock.bleed_mm * px_per_mm > 0.3:
        bgr = np.asarray(cv2.GaussianBlur(bgr, (0, 0), stock.bleed_mm * px_per_mm), np.uint8)
    if any(crease.wear for crease in bend.creases):
        bgr = bgr.copy()
        for crease in bend.creases:
            _wear(bgr, px_per_mm, crease, rng)
    table = (stock.black + (np.array(stock.white) - stock.black) * LINEAR[:, None]) * full
    shown = cv2.LUT(bgr, quantised(table, full)[:, None])
    if stock.texture or stock.show_through or stock.stain:
        gain = _flaws(shown.shape[:2], px_per_mm, stock, rng)
        cv2.multiply(shown, cv2.merge([gain if full == 255 else gain.astype(np.uint16)] * 3), shown, 1 / 255)
    return shown


def _flaws(shape: tuple[int, int], px_per_mm: float, stock: Stock, rng: np.random.Generator) -> NDArray[np.uint8]:
    """What the paper's flaws leave of its reflectance, uint8 `shape` (255: all)."""
    h_mm, w_mm = shape[0] / px_per_mm, shape[1] / px_per_mm
    small = (max(round(h_mm), 2), max(round(w_mm), 2))
    left = np.full(small, 250, np.float32)
    if stock.texture:
        mottle = rng.normal(0, 1, (small[0] // 2 + 1, small[1] // 2 + 1)).astype(np.float32)
        slow = rng.normal(0, 1, (8, 10)).astype(np.float32)
        left += stock.texture * 5 * cv2.resize(mottle, small[::-1]) + stock.texture * 4 * cv2.resize(
            slow, small[::-1], interpolation=cv2.INTER_CUBIC
        )
    if stock.show_through:
        back = np.zeros(small, np.float32)
        for y in range(int(rng.integers(12, 30)), small[0] - 14, int(rng.integers(5, 12))):
            x = int(rng.integers(12, 30))
            while x < small[1] - int(rng.integers(14, 60)):
                word = int(rng.integers(3, 16))
                back[y : y + 2, x : x + word] = rng.uniform(0.5, 1.0)
                x += word + 2
        left -= stock.show_through * 60 * cv2.GaussianBlur(back, (0, 0), 1.0)
    if stock.stain:
        for _ in range(int(rng.integers(1, 4))):
            centre = tuple(int(v) for v in rng.uniform(0, 1, 2) * small[::-1])
            spot = np.zeros(small, np.float32)
            ring = rng.random() < 0.5
            cv2.circle(spot, centre, int(rng.integers(14, 40)), 1.0, int(rng.integers(2, 4)) if ring else -1, cv2.LINE_AA)
            left -= stock.stain * rng.uniform(20, 60) * cv2.GaussianBlur(spot, (0, 0), float(rng.uniform(0.8, 3)))
    picture = np.clip(left, 60, 255).astype(np.uint8)
    return np.asarray(cv2.resize(picture, shape[::-1], interpolation=cv2.INTER_LINEAR), np.uint8)


def _wear(bgr: BgrImage, px_per_mm: float, crease: Crease, rng: np.random.Generator) -> None:
    """Cracks print and ink along the fold, and soils it, in place."""
    h, w = bgr.shape[:2]
    index = 0 if crease.axis == "x" else 1
    size = np.array([w, h])
    centre = size / 2.0
    centre[index] = crease.place * size[index]
    angle = np.radians(crease.skew_deg + 90 * (1 - index))
    direction = np.array([np.cos(angle), np.sin(angle)])
    length = float(np.hypot(w, h))
    steps = np.linspace(-length / 2, length / 2, 240)
    across = np.array([-direction[1], direction[0]])
    points = centre + steps[:, None] * direction + rng.normal(0, 0.12 * px_per_mm, 240)[:, None] * across
    shades = rng.uniform(205, 250, 240)
    # White cracks in the ink, which on bare paper look a little grey.
    for number in np.flatnonzero(rng.random(239) < crease.wear):
        ends = np.round(points[number : number + 2] * 16).astype(int)
        width = max(round(rng.uniform(0.1, 0.5) * px_per_mm), 1)
        cv2.line(bgr, ends[0].tolist(), ends[1].tolist(), (float(shades[number]),) * 3, width, cv2.LINE_AA, 4)
