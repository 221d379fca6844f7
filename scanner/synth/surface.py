"""The bent paper in space and its projection by the camera.

The paper carries a lattice of `LATTICE` nodes (columns x rows, first at the paper's top left corner, last at its bottom right
corner, plus `MARGIN` nodes beyond each edge so that lookups just outside are defined). A bend gives every node a height and,
as paper does not stretch, a shift in the plane. See Kergosien et al. 1994 (bending of paper as a developable surface); sums of
developable bends are developable only to first order, which is enough for pictures.
"""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.geometry import FloatArray, apply_homography
from scanner.synth.scene import Bend, Crease, Curl, Placement, Scene

LATTICE = (120, 84)
"""Steps along the paper's width and height; halves, thirds and quarters fall on nodes."""
MARGIN = 8
NO_SECOND_MAP: Any = None
"""For `cv2.remap`, whose first map then holds both coordinates; its stubs do not know of that."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole with radial distortion. `plane_to_ideal`: 3 x 3, table mm (Z = 0) to px before distortion."""

    focal_px: float
    centre_px: tuple[float, float]
    distance_mm: float
    tilt: float
    roll: float
    distortion: float
    radius_px: float

    @property
    def plane_to_ideal(self) -> FloatArray:
        """Homography from the table's plane (X, Y in mm) to px without lens distortion."""
        st, ct, sr, cr = np.sin(self.tilt), np.cos(self.tilt), np.sin(self.roll), np.cos(self.roll)
        pose = np.array([[1.0, 0, 0], [0, ct, 0], [0, -st, self.distance_mm]])
        roll = np.array([[cr, -sr, 0], [sr, cr, 0], [0, 0, 1.0]])
        k = np.array([[self.focal_px, 0, self.centre_px[0]], [0, self.focal_px, self.centre_px[1]], [0, 0, 1.0]])
        result: FloatArray = k @ roll @ pose
        return result

    @property
    def eye_mm(self) -> tuple[float, float, float]:
        """The camera's place in the table frame."""
        return 0.0, self.distance_mm * np.sin(self.tilt), self.distance_mm * np.cos(self.tilt)

    def project(self, points: FloatArray) -> FloatArray:
        """Table frame mm (..., 3) to photo px (..., 2), lens distortion included."""
        st, ct, sr, cr = np.sin(self.tilt), np.cos(self.tilt), np.sin(self.roll), np.cos(self.roll)
        x, y, z = points[..., 0], points[..., 1], points[..., 2]
        depth = np.maximum(self.distance_mm - st * y - ct * z, 0.05 * self.distance_mm)
        u, v = x / depth, (ct * y - st * z) / depth
        u, v = cr * u - sr * v, sr * u + cr * v
        r2 = (u * u + v * v) * (self.focal_px / self.radius_px) ** 2
        gain = self.focal_px * (1.0 + self.distortion * np.minimum(r2, 2.5))
        return np.stack([gain * u + self.centre_px[0], gain * v + self.centre_px[1]], axis=-1)


@dataclass(frozen=True, slots=True)
class Surface:
    """One sheet's lattice: `mm` its flat coordinates (rows, columns, 2), `space` its table frame mm (rows, columns, 3),
    `normal` the unit normals (rows, columns, 3), `turn` the 2 x 2 rotation from paper to table."""

    paper_mm: tuple[float, float]
    placement: Placement
    mm: FloatArray
    space: FloatArray
    normal: FloatArray
    turn: FloatArray

    @property
    def step_mm(self) -> tuple[float, float]:
        """Distance of neighbouring nodes."""
        return self.paper_mm[0] / LATTICE[0], self.paper_mm[1] / LATTICE[1]

    def at(self, points_mm: FloatArray) -> FloatArray:
        """Paper mm (..., 2) to table frame mm (..., 3), interpolated on the lattice as the picture itself is."""
        flat = points_mm.reshape(-1, 2)
        nodes = flat / self.step_mm + MARGIN
        low = np.clip(np.floor(nodes).astype(int), 0, [self.mm.shape[1] - 2, self.mm.shape[0] - 2])
        fx, fy = (flat / self.step_mm + MARGIN - low).T[..., None]
        x, y = low.T
        s = self.space
        top = s[y, x] * (1 - fx) + s[y, x + 1] * fx
        bottom = s[y + 1, x] * (1 - fx) + s[y + 1, x + 1] * fx
        result: FloatArray = (top * (1 - fy) + bottom * fy).reshape(*points_mm.shape[:-1], 3)
        return result


def make_surface(paper_mm: tuple[float, float], placement: Placement) -> Surface:
    """The bent sheet of that size (width, height) where the placement puts it."""
    columns = np.arange(-MARGIN, LATTICE[0] + MARGIN + 1) * (paper_mm[0] / LATTICE[0])
    rows = np.arange(-MARGIN, LATTICE[1] + MARGIN + 1) * (paper_mm[1] / LATTICE[1])
    mm = np.stack(np.meshgrid(columns, rows), axis=-1)
    centred = mm - np.array(paper_mm) / 2
    height, shift = _bend(centred, np.array(paper_mm), placement.bend)
    angle = np.radians(placement.rotation_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    inside = (slice(MARGIN, -MARGIN), slice(MARGIN, -MARGIN))
    height = height - height[inside].min()
    flat = (centred + shift) @ turn.T + np.array(placement.centre_mm)
    space = np.concatenate([flat, height[..., None]], axis=-1)
    across, down = np.gradient(space, axis=1), np.gradient(space, axis=0)
    normal = np.cross(across, down)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    return Surface(paper_mm, placement, mm, space, normal, turn)


def _bend(centred: FloatArray, paper_mm: FloatArray, bend: Bend) -> tuple[FloatArray, FloatArray]:
    """Heights (rows, columns) and in-plane shifts (rows, columns, 2) of the lattice."""
    height = np.zeros(centred.shape[:2])
    shift = np.zeros(centred.shape)
    parts: list[Curl | Crease] = [*bend.curls, *bend.creases]
    for part in parts:
        direction, along = _along(centred, paper_mm, part)
        s = np.linspace(along.min(), along.max(), 600)
        profile = _curl(s, part) if isinstance(part, Curl) else _crease(s, part)
        slope = np.gradient(profile, s)
        shorter = np.cumsum(np.sqrt(np.maximum(1 - slope**2, 0.1)) - 1) * (s[1] - s[0])
        shorter -= np.interp(0.0, s, shorter)
        height += np.interp(along, s, profile)
        shift += np.interp(along, s, shorter)[..., None] * direction
    relative = centred / paper_mm * 2
    height += bend.twist_mm * relative[..., 0] * relative[..., 1] / 2
    if bend.cockle_mm:
        x, y = centred[..., 0], centred[..., 1]
        height += bend.cockle_mm * np.sin(x / 19 + 1.3 * np.sin(y / 31)) * np.cos(y / 23 + np.sin(x / 41))
    return height, shift


def _along(centred: FloatArray, paper_mm: FloatArray, part: Curl | Crease) -> tuple[FloatArray, FloatArray]:
    """Unit direction across the bend's lines and each node's distance along it."""
    if isinstance(part, Curl):
        angle, origin = np.radians(part.direction_deg), np.zeros(2)
    else:
        index = 0 if part.axis == "x" else 1
        angle = np.radians(part.skew_deg + 90 * index)
        origin = np.zeros(2)
        origin[index] = (part.place - 0.5) * paper_mm[index]
    direction = np.array([np.cos(angle), np.sin(angle)])
    return direction, (centred - origin) @ direction


def _curl(s: FloatArray, curl: Curl) -> FloatArray:
    result: FloatArray = curl.amplitude_mm * 0.5 * (1 + np.cos(2 * np.pi * s / curl.wavelength_mm + curl.phase))
    return result


def _crease(s: FloatArray, crease: Crease) -> FloatArray:
    """A ridge rounded over 2 mm whose sides run out flat after about a third of the paper."""
    reach = 70.0
    rounded = np.sqrt(s * s + 1.0)
    result: FloatArray = crease.slope * reach * np.exp(-rounded / reach)
    return result


def aim(scene: Scene, papers_mm: list[tuple[float, float]]) -> tuple[Camera, list[Surface]]:
    """Surfaces of all sheets, and a camera that has them in its frame as `scene.view` asks."""
    view = scene.view
    width, height = round(scene.width * scene.downscale), round(scene.height * scene.downscale)
    long_side = max(width, height)
    focal = view.focal * long_side
    surfaces = [make_surface(size, placement) for size, placement in zip(papers_mm, scene.sheets, strict=True)]
    outlines = [s.at(outline_mm(s.paper_mm)) for s in surfaces]
    scale = view.px_per_mm
    if not surfaces:
        centre = (width / 2, height / 2)
        camera = Camera(focal, centre, focal / scale, np.radians(view.tilt_deg), np.radians(view.roll_deg), 0.0, long_side / 2)
        return camera, []
    for _ in range(4):
        camera = Camera(
            focal,
            (0.0, 0.0),
            focal / scale,
            np.radians(view.tilt_deg),
            np.radians(view.roll_deg),
            view.distortion,
            long_side / 2,
        )
        px = np.concatenate([camera.project(o) for o in outlines])
        low, high = px.min(axis=0), px.max(axis=0)
        fill = float(np.max((high - low) / (0.985 * np.array([width, height]))))
        if fill <= 1:
            break
        scale /= fill * 1.002
    slack = np.array([width, height]) - (high - low)
    corner = np.array(view.position) * slack - low
    if view.cut_mm:
        # Out through the nearer vertical side of the frame.
        cut = view.cut_mm * scale
        corner[0] = -cut - low[0] if view.position[0] < 0.5 else width + cut - high[0]
    camera = Camera(
        focal, (float(corner[0]), float(corner[1])), focal / scale, camera.tilt, camera.roll, view.distortion, long_side / 2
    )
    return camera, surfaces


def outline_mm(paper_mm: tuple[float, float], step: float = 4.0) -> FloatArray:
    """Points along the paper's edge, clockwise from the top left, float64 (N, 2)."""
    w, h = paper_mm
    x, y = np.linspace(0, w, round(w / step), endpoint=False), np.linspace(0, h, round(h / step), endpoint=False)
    return np.concatenate(
        [
            np.stack([x, np.zeros_like(x)], axis=1),
            np.stack([np.full_like(y, w), y], axis=1),
            np.stack([w - x, np.full_like(x, h)], axis=1),
            np.stack([np.zeros_like(y), h - y], axis=1),
        ]
    )


def paper_to_plane(surface: Surface) -> FloatArray:
    """Affine map, 3 x 3, from paper mm to table mm of the flat, unbent sheet."""
    matrix = np.eye(3)
    matrix[:2, :2] = surface.turn
    matrix[:2, 2] = np.array(surface.placement.centre_mm) - surface.turn @ (np.array(surface.paper_mm) / 2)
    return matrix


def photo_to_paper(camera: Camera, surface: Surface, photo_px: FloatArray, bent: bool) -> NDArray[np.float32]:
    """Paper mm seen at photo px (rows, columns, 2), by fixed-point iteration; float32 of the same shape.

    With F the true projection and H the flat sheet's homography, G = H^-1 F - 1 is a small smooth field on the paper, and
    q + G(q) = H^-1 p. The iteration converges where the paper does not hide itself.
    """
    to_px = camera.plane_to_ideal @ paper_to_plane(surface)
    back = np.asarray(np.linalg.inv(to_px), np.float64)
    field = (apply_homography(back, camera.project(surface.space)) - surface.mm).astype(np.float32)
    target = apply_homography(back, photo_px).astype(np.float32)
    step = np.array(surface.step_mm, np.float32)
    found = target.copy()
    for _ in range(14 if bent else 4):
        nodes = found / step + np.float32(MARGIN)
        moved = cv2.remap(field, nodes, NO_SECOND_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        found = target - moved
    return np.asarray(found, np.float32)
