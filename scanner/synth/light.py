"""Light on the table and the papers, as low-resolution fields over the photo.

All values are linear. A field's pixel (column i, row j) stands for the photo px around ((i + 0.5) * REDUCTION - 0.5, ...).
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.geometry import FloatArray
from scanner.synth.scene import Lamp, Light, Scene, Shadow
from scanner.synth.surface import LATTICE, MARGIN, NO_SECOND_MAP, Camera, Surface

REDUCTION = 8
Field = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class LightFields:
    """`gain` multiplies reflectance, `added` is added to the product; float32 (rows, columns, 3), blue first."""

    gain: Field
    added: Field


def field_grid(width: int, height: int) -> FloatArray:
    """Photo px of the field's pixels, float64 (rows, columns, 2)."""
    columns, rows = -(-width // REDUCTION), -(-height // REDUCTION)
    x, y = np.arange(columns), np.arange(rows)
    return np.stack(np.meshgrid((x + 0.5) * REDUCTION - 0.5, (y + 0.5) * REDUCTION - 0.5), axis=-1)


def light_fields(
    scene: Scene,
    camera: Camera,
    surfaces: list[Surface],
    on_paper: list[tuple[tuple[slice, slice], NDArray[np.float32]]],
    grid: FloatArray,
    rng: np.random.Generator,
) -> LightFields:
    """The scene's light over the photo.

    `on_paper`: for each sheet the field's window (rows, columns) around it and the paper mm seen there, float32 (.., .., 2).
    """
    light = scene.light
    table = _table_points(camera, grid)
    gain: Field = np.empty((*grid.shape[:2], 3), np.float32)
    gain[:] = np.array(light.ambient, np.float32) * np.float32(1 - sum(lamp.share for lamp in light.lamps))
    for index, lamp in enumerate(light.lamps):
        single = _falloff(lamp, table)
        for surface, (window, paper_mm) in zip(surfaces, on_paper, strict=True):
            single[window] *= _shading(lamp, surface, paper_mm)
        if index == 0:
            for shadow in light.shadows:
                single *= _shadow(shadow, scene, camera, grid.shape, rng)
        gain += single[..., None] * (np.array(lamp.colour, np.float32) * np.float32(lamp.share))
    gain *= _vignette(camera, grid, light.vignette)[..., None]
    # The camera meters for the papers: their bright parts, not their brightest spot.
    metered = [np.percentile(gain[window][::2, ::2, 1], 85) for window, _ in on_paper if gain[window].size]
    cast = gain.mean(axis=(0, 1))
    gain *= (cast / cast[1]) ** np.float32(-light.balance)
    gain *= np.float32(light.exposure / (max(metered) if metered else float(gain.mean())))
    added = np.zeros_like(gain)
    if light.glare:
        _add_glare(added, light, surfaces, on_paper, rng)
    if light.haze:
        level = np.float32(light.haze) * gain.mean(axis=(0, 1))
        left, right = rng.uniform(0.5, 1.5, 2).tolist()
        slope = np.linspace(left, right, gain.shape[1], dtype=np.float32)
        gain *= np.float32(1 - light.haze)
        added += 0.8 * level * slope[None, :, None]
    return LightFields(gain, added)


def _table_points(camera: Camera, grid: FloatArray) -> FloatArray:
    """Table mm (X, Y) seen at photo px; what lies beyond the horizon is put far away."""
    back = np.linalg.inv(camera.plane_to_ideal)
    w = grid @ back[2, :2] + back[2, 2]
    sign = np.sign(np.array(camera.centre_px) @ back[2, :2] + back[2, 2])  # of points before the camera
    safe = sign * np.maximum(w * sign, 1e-9)
    points: FloatArray = (grid @ back[:2, :2].T + back[:2, 2]) / safe[..., None]
    return np.clip(points, -4000, 4000)


def _falloff(lamp: Lamp, table: FloatArray) -> Field:
    """The lamp's irradiance on a level surface, 1 where the camera looks."""
    x, y, z = lamp.place_mm
    here = (table[..., 0] - x) ** 2 + (table[..., 1] - y) ** 2 + z * z
    centre = x * x + y * y + z * z
    return np.minimum((centre / here) ** 1.5, 4.0).astype(np.float32)


def _shading(lamp: Lamp, surface: Surface, paper_mm: NDArray[np.float32]) -> Field:
    """How much more or less of the lamp the bent paper receives than a level one."""
    towards = np.array(lamp.place_mm) - surface.space
    towards /= np.linalg.norm(towards, axis=-1, keepdims=True)
    facing = np.maximum((surface.normal * towards).sum(axis=-1), 0.02) / np.maximum(towards[..., 2], 0.1)
    return 1 + _from_lattice(surface, np.clip(facing, 0.1, 2.5).astype(np.float32) - 1, paper_mm)


def _from_lattice(surface: Surface, values: Field, paper_mm: NDArray[np.float32]) -> Field:
    """The lattice's values as the photo sees them; they fade to 0 within a few mm outside the paper."""
    nodes = np.asarray(paper_mm / surface.step_mm + MARGIN, np.float32)
    faded: Field = values * _fade(LATTICE[1])[:, None] * _fade(LATTICE[0])[None]
    return np.asarray(cv2.remap(faded, nodes, NO_SECOND_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32)


def _fade(steps: int) -> Field:
    """1 on the paper's nodes, falling to 0 within two steps outside."""
    beyond = np.arange(-MARGIN, steps + MARGIN + 1)
    outside = np.maximum(-beyond, beyond - steps)
    return np.asarray(np.clip(1.5 - outside / 1.5, 0, 1), np.float32)


def _vignette(camera: Camera, grid: FloatArray, strength: float) -> Field:
    size = np.array([grid.shape[1], grid.shape[0]]) * REDUCTION
    r2 = (((grid - size / 2) / camera.radius_px) ** 2).sum(axis=-1)
    return np.asarray(1 - strength * np.minimum(r2 / 1.5, 1.2), np.float32)


def _add_glare(
    added: Field,
    light: Light,
    surfaces: list[Surface],
    on_paper: list[tuple[tuple[slice, slice], NDArray[np.float32]]],
    rng: np.random.Generator,
) -> None:
    """Bright reflections; the paper's slopes carry them away as a mirror at the camera's height would."""
    for surface, (window, paper_mm) in zip(surfaces, on_paper, strict=True):
        spots = np.zeros(surface.mm.shape[:2])
        ripple = rng.normal(0, 1, (12, 16)).astype(np.float32)
        waves = cv2.resize(ripple, spots.shape[::-1], interpolation=cv2.INTER_CUBIC)
        for _ in range(int(rng.integers(1, 4))):
            centre = rng.uniform(0.05, 0.95, 2) * surface.paper_mm
            size = light.glare_mm * rng.uniform(0.6, 1.5) * np.array([1.0, rng.uniform(0.4, 1.0)])
            moved = surface.mm + surface.normal[..., :2] * 500 + waves[..., None] * 4 - centre
            r2 = ((moved / size) ** 2).sum(axis=-1)
            spots += rng.uniform(0.5, 1.0) * (0.6 * np.exp(-r2 / 2) + 0.4 / (1 + 2 * r2))
        seen = _from_lattice(surface, spots.astype(np.float32), paper_mm)
        added[window] += np.float32(light.glare) * seen[..., None]


def _shadow(shadow: Shadow, scene: Scene, camera: Camera, shape: tuple[int, ...], rng: np.random.Generator) -> Field:
    """What the shadow lets through, over the photo."""
    scale = 1.0 if shadow.penumbra_mm < 6 else 0.25
    side = round(900 * scale)
    canvas = np.zeros((side, side), np.uint8)
    centre = np.mean([p.centre_mm for p in scene.sheets], axis=0) + rng.uniform(-90, 90, 2) * [1.2, 0.7]
    _draw_shadow(canvas, shadow, scale, rng)
    sigma = max(shadow.penumbra_mm * scale / 2, 0.6)
    soft = cv2.GaussianBlur(canvas, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE)
    to_table = np.array([[1 / scale, 0, centre[0] - 450], [0, 1 / scale, centre[1] - 450], [0, 0, 1.0]])
    to_field = np.array([[1 / REDUCTION, 0, 0.5 / REDUCTION - 0.5], [0, 1 / REDUCTION, 0.5 / REDUCTION - 0.5], [0, 0, 1]])
    border = cv2.BORDER_REPLICATE if shadow.kind in ("edge", "bars") else cv2.BORDER_CONSTANT
    mask = cv2.warpPerspective(soft, to_field @ camera.plane_to_ideal @ to_table, shape[1::-1], borderMode=border)
    return (1 - shadow.depth / 255 * mask.astype(np.float32)).astype(np.float32)


def _draw_shadow(canvas: NDArray[np.uint8], shadow: Shadow, scale: float, rng: np.random.Generator) -> None:
    """Draws the shape, 255 in shadow, on a canvas of 900 mm a side, around its centre."""
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])

    def px(points: FloatArray) -> NDArray[np.int32]:
        return np.asarray(np.round((points @ turn.T + 450) * scale * 16), np.int32)

    def polygon(points: list[list[float]] | FloatArray) -> None:
        cv2.fillPoly(canvas, [px(np.asarray(points, float))], 255, cv2.LINE_AA, 4)

    def finger(start: FloatArray, end: FloatArray, width: float) -> None:
        ends = px(np.array([start, end])) >> 4
        cv2.line(canvas, ends[0].tolist(), ends[1].tolist(), 255, max(round(width * scale), 1), cv2.LINE_AA)

    if shadow.kind == "edge":
        bumps = np.cumsum(rng.normal(0, 12, 12))
        line = [[-900.0 + 160 * i, float(b)] for i, b in enumerate(bumps - bumps[6])]
        polygon([*line, [900.0, 1300.0], [-900.0, 1300.0]])
    elif shadow.kind == "phone":
        w, h = rng.uniform(65, 110), rng.uniform(120, 190)
        lean = rng.uniform(-25, 25)
        polygon([[0, 0], [w, lean], [w + lean, h + lean], [lean, h]])
        finger(np.array([w / 2, h]), np.array([w / 2 + rng.uniform(-80, 80), 700.0]), rng.uniform(50, 90))
    elif shadow.kind == "bars":
        gap, width = rng.uniform(35, 90), rng.uniform(8, 30)
        for offset in np.arange(-600, 600, gap):
            polygon([[offset, -700], [offset + width, -700], [offset + width, 700], [offset, 700]])
    elif shadow.kind == "blob":
        for _ in range(int(rng.integers(3, 8))):
            finger(rng.uniform(-110, 110, 2), rng.uniform(-110, 110, 2), rng.uniform(30, 120))
    else:
        size = rng.uniform(0.85, 1.6)
        palm = rng.uniform(38, 46) * size
        polygon(np.array([[-palm, 0], [palm, 0], [palm * 0.75, 95 * size], [-palm * 0.75, 95 * size]]))
        finger(np.array([0, 80 * size]), np.array([rng.uniform(-60, 60), 650.0]), 62 * size)
        spread = rng.uniform(0.1, 0.35)
        for k in range(4):
            lean = (k - 1.5) * spread + rng.normal(0, 0.04)
            root = np.array([(k - 1.5) * palm * 0.52, 4.0])
            length = rng.uniform(62, 92) * size * (0.3 if rng.random() < 0.2 else 1)
            finger(root, root + length * np.array([np.sin(lean), -np.cos(lean)]), 17 * size)
        side = rng.choice([-1, 1])
        finger(np.array([side * palm * 0.8, 55 * size]), np.array([side * palm * 1.9, 12 * size]), 20 * size)
