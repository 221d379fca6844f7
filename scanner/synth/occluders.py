"""Things over a sheet's fiducials: fingers, coins, pens, dice, and the sheet's own folded corner."""

from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from scanner.geometry import FloatArray
from scanner.synth import backgrounds
from scanner.synth.scene import Occluder
from scanner.synth.surface import Camera, Surface, paper_to_plane

Rect = tuple[float, float, float, float]
"""Left, top, right, bottom in paper mm."""


@dataclass(frozen=True, slots=True)
class DogEar:
    """A folded corner in paper mm: `fold` the two ends of the fold line, `corner` the corner, `tip` where it lies now."""

    fold: FloatArray
    corner: FloatArray
    tip: FloatArray

    def move(self, points_mm: FloatArray) -> tuple[FloatArray, NDArray[np.bool_]]:
        """Where paper points (N, 2) lie after folding, and which of them were folded over."""
        a, b = self.fold
        direction = (b - a) / np.linalg.norm(b - a)
        normal = np.array([-direction[1], direction[0]])
        side = (points_mm - a) @ normal
        folded = side * float((self.corner - a) @ normal) > 1e-9
        return np.where(folded[:, None], points_mm - 2 * side[:, None] * normal, points_mm), folded


def anchor(paper_mm: tuple[float, float], place: int) -> tuple[FloatArray, FloatArray]:
    """The point of the paper's edge that stands for a place, and the direction from there into the sheet (not unit)."""
    w, h = paper_mm
    points = [(0, 0), (w, 0), (w, h), (0, h), (w / 2, 0), (w, h / 2), (w / 2, h), (0, h / 2)]
    inward = [(1, 1), (-1, 1), (-1, -1), (1, -1), (0, 1), (-1, 0), (0, -1), (1, 0)]
    return np.array(points[place], float), np.array(inward[place], float)


def dog_ear(
    paper_mm: tuple[float, float], occluder: Occluder, content: tuple[Rect, ...], rng: np.random.Generator
) -> DogEar | None:
    """The folded corner, made small enough to keep clear of the content; None if there is no room."""
    corner, inward = anchor(paper_mm, occluder.place % 4)
    ratio = rng.uniform(0.7, 1.4)
    for legs in np.arange(occluder.reach_mm, 14.0, -2.0):
        fold = corner + np.array([[inward[0] * legs, 0], [0, inward[1] * legs * ratio]])
        line = fold[1] - fold[0]
        foot = fold[0] + line * ((corner - fold[0]) @ line) / (line @ line)
        tip = 2 * foot - corner
        if _is_clear(np.array([*fold, tip, corner]), content):
            return DogEar(fold, corner, tip)
    return None


def _is_clear(points_mm: FloatArray, content: tuple[Rect, ...]) -> bool:
    """Whether the convex hull of the points, widened by 1.5 mm, meets none of the rectangles."""
    hull = cv2.convexHull(points_mm.astype(np.float32))
    for left, top, right, bottom in content:
        rect = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
        rect += np.array([[-1.5, -1.5], [1.5, -1.5], [1.5, 1.5], [-1.5, 1.5]], np.float32)
        area, _ = cv2.intersectConvexConvex(hull, rect)
        if area > 0:
            return False
    return True


def draw_dog_ear(
    picture: MatLike, ear: DogEar, surface: Surface, camera: Camera, white: FloatArray, rng: np.random.Generator
) -> FloatArray:
    """Draws the flap over the sheet; returns its outline in photo px (N, 2). `white`: its back, in the picture's units."""
    t = np.linspace(0, 1, 9)[:, None]
    lift = rng.uniform(1.0, 9.0)
    bow = rng.uniform(0.0, 0.1) * (ear.tip - ear.fold.mean(axis=0))
    edges_mm = [
        (1 - t) * ear.fold[0] + t * ear.tip + bow * 4 * t * (1 - t),
        (1 - t) * ear.tip + t * ear.fold[1] + bow * 4 * t * (1 - t),
    ]
    space = surface.at(np.concatenate(edges_mm))
    space[:, 2] += lift * np.concatenate([t[:, 0], 1 - t[:, 0]])
    outline = camera.project(space)
    box, window = _window(outline, picture.shape, 14)
    if window is None:
        return outline
    mask = _polygon(outline - box[:2], (box[3] - box[1], box[2] - box[0]))
    along = outline[0] - outline[-1]
    normal = np.array([-along[1], along[0]]) / (np.linalg.norm(along) + 1e-9)
    y, x = np.mgrid[0 : mask.shape[0], 0 : mask.shape[1]]
    far = ((x + box[0] - outline[-1, 0]) * normal[0] + (y + box[1] - outline[-1, 1]) * normal[1]).astype(np.float32)
    reach = float(np.abs((outline - outline[-1]) @ normal).max()) + 1e-6
    shade = rng.uniform(0.6, 0.95) + rng.uniform(-0.1, 0.25) * np.minimum(np.abs(far) / reach, 1)
    _blend(picture, window, mask, white * shade[..., None], 0.5, max(lift * reach / 60, 2.0))
    return outline


def draw_thing(
    picture: MatLike,
    occluder: Occluder,
    surface: Surface,
    camera: Camera,
    content: tuple[Rect, ...],
    linear: FloatArray,
    rng: np.random.Generator,
) -> FloatArray | None:
    """Draws a finger, coin, pen or die; returns its outline in photo px, or None if there is no room for it.

    `linear`: 256 values, from sRGB-encoded uint8 to the picture's units.
    """
    scale = 2.0 if picture.dtype == np.uint8 else 4.0
    edge, inward = anchor(surface.paper_mm, occluder.place)
    inward = inward / np.linalg.norm(inward)
    if occluder.kind == "finger":
        thing, mask = _finger(scale, rng)
    else:
        thing, mask = {"coin": backgrounds.round_thing, "pen": backgrounds.pen, "die": backgrounds.die}[occluder.kind](
            scale, rng
        )
    length, width = mask.shape[1] / scale, mask.shape[0] / scale
    lean = rng.uniform(-0.6, 0.6)
    turned = np.array([[np.cos(lean), -np.sin(lean)], [np.sin(lean), np.cos(lean)]]) @ inward
    along = -turned if occluder.kind in ("finger", "pen") else turned
    aside = np.array([-along[1], along[0]])
    slide = rng.uniform(-4, 4) * np.array([-inward[1], inward[0]])
    for reach in np.arange(occluder.reach_mm, 3.0, -2.0):
        tip = edge + slide + inward * reach
        start = tip if occluder.kind in ("finger", "pen") else tip - along * length
        corners_mm = _quad(start, along, aside, length, width)
        covering = _quad(start, along, aside, 70, 22) if occluder.kind == "finger" else corners_mm
        if _is_clear(covering, content):
            break
    else:
        return None
    to_table = paper_to_plane(surface)
    flat = corners_mm @ to_table[:2, :2].T + to_table[:2, 2]
    height = float(surface.at(np.clip(tip, 0, surface.paper_mm)[None])[0, 2])
    corners = camera.project(np.concatenate([flat, np.full((4, 1), height + 1.0)], axis=1))
    box, window = _window(corners, picture.shape, 20)
    if window is None:
        return None
    h, w = mask.shape
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, (corners - box[:2]).astype(np.float32))
    size = (box[2] - box[0], box[3] - box[1])
    seen = cv2.warpPerspective(thing, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    seen_mask = cv2.warpPerspective(mask, matrix, size)
    px_per_mm = float(np.linalg.norm(corners[3] - corners[0])) / width
    _blend(picture, window, seen_mask, linear[seen], 0.55, 2.5 * px_per_mm)
    found, _ = cv2.findContours((seen_mask > 127).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not found:
        return None
    outline: FloatArray = max(found, key=cv2.contourArea).reshape(-1, 2).astype(np.float64) + box[:2]
    return outline


def _quad(start: FloatArray, along: FloatArray, aside: FloatArray, length: float, width: float) -> FloatArray:
    """Corners of a rectangle whose near short side has its middle at `start`."""
    first, second = start - aside * width / 2, start + along * length - aside * width / 2
    return np.array([first, second, second + aside * width, first + aside * width])


def _finger(scale: float, rng: np.random.Generator) -> backgrounds.Thing:
    """A finger from above, its tip on the left, then the hand and a sleeve."""
    length, half, palm = 430.0, rng.uniform(7.5, 10.5), rng.uniform(34, 44)
    x = (np.arange(round(length * scale)) + 0.5) / scale
    rows = (np.arange(round(100 * scale)) + 0.5) / scale - 50
    tip = half * 1.15
    reach = half * np.sqrt(np.clip(1 - ((tip - np.minimum(x, tip)) / tip) ** 2, 0, 1)) * (1 + 0.05 * np.cos((x - 26) / 4.5))
    reach = np.interp(x, [72, 80, 96, 150, 190, 230, 430], [half, half * 1.5, palm, palm, 29, 32, 40]) * (x > 72) + reach * (
        x <= 72
    )
    inside = np.abs(rows)[:, None] / np.maximum(reach, 0.1)[None]
    shade = 0.5 + 0.5 * np.sqrt(np.clip(1 - (0.92 * inside) ** 2, 0, 1))
    skin = np.array(
        [(128, 160, 212), (95, 130, 190), (70, 98, 150), (48, 66, 105), (150, 180, 226)][int(rng.integers(5))], float
    )
    picture = skin * shade[..., None] * (1 + 0.02 * rng.normal(0, 1, (*shade.shape, 1)))
    for joint in (26.0, 29.0, 52.0):
        picture *= 1 - 0.1 * np.exp(-(((x - joint) / 0.6) ** 2))[None, :, None]
    if rng.random() < 0.75:
        nail = ((x[None] - tip * 0.95) / (tip * 0.8)) ** 2 + (rows[:, None] / (half * 0.68)) ** 2 < 1
        picture[nail] = picture[nail] * 0.75 + np.array([165, 170, 225]) * 0.27
    sleeve = x > rng.uniform(205, 260)
    picture[:, sleeve] = rng.uniform(20, 200, 3) * (0.5 + 0.5 * shade[:, sleeve, None])
    mask = (np.clip((1 - inside) * half * scale, 0, 1) * 255).astype(np.uint8)
    return np.clip(picture, 0, 255).astype(np.uint8), mask


def _window(points: FloatArray, shape: tuple[int, ...], pad: int) -> tuple[NDArray[np.int64], tuple[slice, slice] | None]:
    """The box around points (left, top, right, bottom) cut to the picture, and its slices; None if it is empty."""
    low = np.floor(points.min(axis=0)).astype(int) - pad
    high = np.ceil(points.max(axis=0)).astype(int) + pad
    box = np.array([max(low[0], 0), max(low[1], 0), min(high[0], shape[1]), min(high[1], shape[0])])
    if box[2] - box[0] < 2 or box[3] - box[1] < 2:
        return box, None
    return box, (slice(box[1], box[3]), slice(box[0], box[2]))


def _polygon(points: FloatArray, shape: tuple[int, int]) -> NDArray[np.uint8]:
    mask = np.zeros(shape, np.uint8)
    cv2.fillPoly(mask, [np.round(points * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return mask


def _blend(
    picture: MatLike,
    window: tuple[slice, slice],
    mask: MatLike,
    colour: FloatArray | NDArray[np.float32],
    shadow: float,
    shadow_px: float,
) -> None:
    """Puts the colour where the mask is, and a soft contact shadow around it."""
    size = 2 * max(round(shadow_px), 1) + 1
    dark = cv2.blur(mask, (size, size)).astype(np.float32)[..., None] / 255
    cover = mask[..., None].astype(np.float32) / 255
    under = picture[window].astype(np.float32) * (1 - shadow * dark)
    limit = 255 if picture.dtype == np.uint8 else 65535
    picture[window] = np.clip(under * (1 - cover) + colour * cover, 0, limit).astype(picture.dtype)
