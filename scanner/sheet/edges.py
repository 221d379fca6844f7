"""Straight edges measured by profiles across them: where they lie to a fraction of a pixel, and how blurred they are."""

from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.geometry import FloatArray, GrayImage

_Float = TypeVar("_Float", bound=np.floating)
_NEXT, _OPPOSITE, _BEFORE = [1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]
"""A quad's corners by the one that follows, the one across, and the one before."""


def sample(gray: GrayImage, x: NDArray[np.float32], y: NDArray[np.float32]) -> NDArray[np.float32]:
    """Gray values at the points (x, y), px of `gray`, both (n, ...), by bilinear interpolation; float32 (n, ...). Points
    outside take the nearest pixel's value."""
    flat_x, flat_y = x.reshape(len(x), -1), y.reshape(len(y), -1)
    # cv2.remap takes maps of up to 32766 rows.
    parts = [
        cv2.remap(gray, flat_x[k : k + 30000], flat_y[k : k + 30000], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for k in range(0, len(x), 30000)
    ]
    values = np.concatenate(parts) if len(parts) > 1 else parts[0]
    return values.reshape(x.shape).astype(np.float32)


def bilinear(gray: GrayImage, points: FloatArray) -> NDArray[np.float32]:
    """`sample` for points (n, ..., 2) in one array."""
    narrow = points.astype(np.float32)
    return sample(gray, np.ascontiguousarray(narrow[..., 0]), np.ascontiguousarray(narrow[..., 1]))


def quantile(values: NDArray[_Float], share: float) -> NDArray[_Float]:
    """The values that `share` of those over the last axis do not exceed, between two of them in proportion, as numpy's own
    function gives; that takes several times as long for few values, and loads numpy's masked arrays."""
    place = share * (values.shape[-1] - 1)
    low, ordered = int(place), np.sort(values, axis=-1)
    high = min(low + 1, values.shape[-1] - 1)
    step = np.multiply(ordered[..., high] - ordered[..., low], place - low, dtype=values.dtype)
    found: NDArray[_Float] = ordered[..., low] + step
    return found


def median(values: NDArray[_Float]) -> NDArray[_Float]:
    """The medians over the last axis."""
    return quantile(values, 0.5)


def fit_sides(
    gray: GrayImage, quads: FloatArray, *, along: int, across: int, reach: float = 0.9
) -> tuple[FloatArray, FloatArray, NDArray[np.bool_]]:
    """Fit the four sides of dark squares and intersect them: sharper than single corners, the more so under blur.

    quads: float64 (n, 4, 2), px of `gray`, clockwise, near the squares' corners; the squares are eight modules wide.
    along, across: profiles a side, samples a profile; reach: how far a profile goes to each side, in modules.

    Returns corners (n, 4, 2); rise (n,): standard deviation of the blur in px, in the more blurred of the two directions;
    and found (n,): whether every side shows an edge and the corners stay near where they were.
    """
    start, end = quads, quads[:, _NEXT]
    direction = end - start
    length = np.hypot(direction[..., 0], direction[..., 1])
    direction = direction / np.maximum(length, 1e-6)[..., None]
    # Clockwise on a picture whose y axis points down: this normal points outwards.
    normal = np.stack([direction[..., 1], -direction[..., 0]], axis=-1)
    opposite = ((start + end) / 2)[:, _OPPOSITE]
    depth = np.abs(((opposite - start) * normal).sum(axis=2))
    reach_px = np.maximum(reach * depth / 8, 1.5)
    s = np.linspace(0.12, 0.88, along)
    t = np.linspace(-1.0, 1.0, across)
    base = start[:, :, None] + s[:, None] * (end - start)[:, :, None]
    reached = (t * reach_px[..., None])[:, :, None]
    # Each of x and y by itself: in one array, they would have to be taken apart again to be sampled.
    x, y = ((base[..., k, None] + reached * normal[:, :, None, None, k]).astype(np.float32) for k in (0, 1))
    values = sample(gray, x, y)

    steps = np.diff(values, axis=3)
    middle = ((t[:-1] + t[1:]) / 2).astype(np.float32)
    # Only the strongest run of brightening counts, so that a bit or a stroke nearby does not pull the edge.
    smooth = steps.copy()
    smooth[..., 1:-1] = (steps[..., :-2] + 2 * steps[..., 1:-1] + steps[..., 2:]) / 4
    peak = smooth.argmax(axis=3)
    height = np.maximum(smooth.max(axis=3, keepdims=True), 1e-3)
    weight = np.maximum(steps - 0.1 * height, 0) * (np.abs(middle - middle[peak][..., None]) < 0.55 * 0.9 / reach)
    total = weight.sum(axis=3)
    centre = (weight * middle).sum(axis=3) / np.maximum(total, 1e-6)
    spread = np.sqrt((weight * (middle - centre[..., None]) ** 2).sum(axis=3) / np.maximum(total, 1e-6))
    offset = centre * reach_px[..., None]

    strength = total / np.maximum(median(total)[..., None], 1e-6)
    trust = np.clip(strength, 0, 1) ** 2 * (total > 2.0)
    intercept, slope = _weighted_line(s, offset, trust)
    for _ in range(2):
        misfit = offset - intercept[..., None] - slope[..., None] * s
        scale = 0.1 + 1.5 * median(np.abs(misfit))[..., None]
        intercept, slope = _weighted_line(s, offset, trust / (1 + (misfit / scale) ** 2))

    a = start + intercept[..., None] * normal
    b = end + (intercept + slope)[..., None] * normal
    corners = _meet(a[:, _BEFORE], b[:, _BEFORE], a, b)
    by_side = median(spread) * reach_px
    # A shaken photo is blurred in one direction only.
    rise = np.maximum(by_side[:, 0] + by_side[:, 2], by_side[:, 1] + by_side[:, 3]) / 2
    moved = np.hypot(*np.moveaxis(corners - quads, -1, 0)).max(axis=1)
    enough = (np.count_nonzero(trust > 0.05, axis=2) >= along // 2).all(axis=1)
    found = enough & (moved < 2.0 * reach_px.max(axis=1)) & np.isfinite(corners).all(axis=(1, 2))
    return corners, rise, found


def _weighted_line(s: FloatArray, offset: FloatArray, weight: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Intercept and slope of the weighted least-squares line through (s, offset), over the last axis."""
    total = np.maximum(weight.sum(axis=-1), 1e-9)
    mean_s = (weight * s).sum(axis=-1) / total
    mean_o = (weight * offset).sum(axis=-1) / total
    away = s - mean_s[..., None]
    slope = (weight * away * offset).sum(axis=-1) / np.maximum((weight * away**2).sum(axis=-1), 1e-9)
    return mean_o - slope * mean_s, slope


def _meet(a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray) -> FloatArray:
    """Where the lines through a, b and through c, d meet; all (..., 2)."""
    u, v, w = b - a, d - c, c - a
    cross = u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]
    k = (w[..., 0] * v[..., 1] - w[..., 1] * v[..., 0]) / np.where(np.abs(cross) < 1e-9, 1e-9, cross)
    meeting: FloatArray = a + k[..., None] * u
    return meeting
