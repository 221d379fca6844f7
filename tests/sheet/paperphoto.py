"""Photos of printed sheets whose every point's place is known: paper laid on a table by a homography and bent by a
displacement, so that a pose can be measured against what was put in."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.geometry import FloatArray, GrayImage, apply_homography
from scanner.photo.load import load_photos
from scanner.photo.photo import Photo
from scanner.sheet.drawing import PLAIN, sheet_drawing
from scanner.sheet.template import Template, load_template
from scanner.synth.press import press

PRINT_PX_PER_MM = 8.0
OBELISK = load_template("obelisk")
_BLOCK = 8

Bend = Callable[[FloatArray], FloatArray]


def flat(points_mm: FloatArray) -> FloatArray:
    """No bend."""
    return np.zeros_like(points_mm)


def bowed(points_mm: FloatArray) -> FloatArray:
    """Displacements (n, 2), mm, up to about 3 mm, as of paper that bows along its length and lifts at a corner."""
    x, y = points_mm[:, 0] / 297, points_mm[:, 1] / 210
    return np.stack([1.5 * np.sin(np.pi * x) * y, 3.0 * np.sin(np.pi * x) * (0.5 + 0.5 * y) + 0.8 * x * y**2], axis=-1)


@cache
def _printed(template: Template, seat: int, sheet_number: int) -> GrayImage:
    return press(sheet_drawing(template, seat, sheet_number, PLAIN), PRINT_PX_PER_MM)


def printed(seat: int = 1, sheet_number: int = 1_234_567, template: Template = OBELISK) -> GrayImage:
    """A fresh copy of a printed sheet, `PRINT_PX_PER_MM`, for tests to draw on; white paper is 240."""
    return np.minimum(_printed(template, seat, sheet_number), 240).astype(np.uint8)


def cover(paper: GrayImage, places: Sequence[int], gray: int = 238) -> None:
    """Lay patches over the fiducials at `places`."""
    for place in places:
        corners = np.rint(OBELISK.fiducial_corners_mm(place) * PRINT_PX_PER_MM).astype(int)
        cv2.rectangle(paper, tuple(corners[0] - 8), tuple(corners[2] + 8), gray, -1)


def view(
    size: tuple[int, int],
    width_mm: float = 330.0,
    tilt: float = 0.0,
    turn: float = 0.0,
    centre_mm: tuple[float, float] = (148.5, 105),
) -> FloatArray:
    """The homography, sheet mm -> photo px of a photo of `size` (width, height), of a camera that sees `width_mm` across its
    width at the picture's centre, tilted and turned by degrees."""
    focal = 1.1 * size[0]
    distance = focal * width_mm / size[0]
    a, b = np.radians(tilt), np.radians(turn)
    turned = np.array([[np.cos(b), -np.sin(b), 0], [np.sin(b), np.cos(b), 0], [0, 0, 1]])
    tilted = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    rotation = tilted @ turned
    pose = np.stack([rotation[:, 0], rotation[:, 1], np.array([0, 0, distance])], axis=1)
    camera = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
    return np.asarray(camera @ pose @ np.array([[1, 0, -centre_mm[0]], [0, 1, -centre_mm[1]], [0, 0, 1.0]]))


@dataclass(frozen=True)
class Laid:
    """A printed sheet on the table, and the truth about it."""

    paper: GrayImage
    homography: FloatArray
    bend: Bend = flat

    def to_photo(self, points_mm: FloatArray) -> FloatArray:
        """Where points (n, 2) of the sheet appear."""
        return apply_homography(self.homography, points_mm + self.bend(points_mm))

    def error_mm(self, pose_to_photo: Callable[[FloatArray], FloatArray], points_mm: FloatArray) -> FloatArray:
        """How far (n,) a pose is off at points, in sheet mm."""
        off = pose_to_photo(points_mm) - self.to_photo(points_mm)
        steps = [self.to_photo(points_mm + d) - self.to_photo(points_mm - d) for d in np.array([[0.5, 0], [0, 0.5]])]
        return np.asarray(np.linalg.norm(np.linalg.solve(np.stack(steps, axis=-1), off[..., None])[..., 0], axis=-1))


def photograph(
    laid: Sequence[Laid], size: tuple[int, int] = (2000, 1500), table: int = 110, blur_px: float = 0.8, noise: float = 2.0
) -> NDArray[np.uint8]:
    """A grayscale photo, uint8 (H, W): later sheets lie on earlier ones."""
    width, height = size
    picture = np.full((height, width), float(table), dtype=np.float32)
    picture += 6 * np.sin(np.arange(width, dtype=np.float32) / 9) * np.sin(np.arange(height, dtype=np.float32) / 31)[:, None]
    x, y = (_BLOCK * (np.arange(-1, n // _BLOCK + 2) + 0.5) - 0.5 for n in size)
    grid = np.stack(np.meshgrid(x, y), axis=-1)
    for sheet in laid:
        target = apply_homography(np.asarray(np.linalg.inv(sheet.homography), dtype=np.float64), grid).reshape(-1, 2)
        points = target.copy()
        for _ in range(8):
            points = target - sheet.bend(points)
        source = (points * PRINT_PX_PER_MM - 0.5).reshape(grid.shape).astype(np.float32)
        fine = np.asarray(cv2.resize(source, None, fx=_BLOCK, fy=_BLOCK, interpolation=cv2.INTER_LINEAR))
        fine = np.ascontiguousarray(fine[_BLOCK : _BLOCK + height, _BLOCK : _BLOCK + width])
        paper = cv2.GaussianBlur(sheet.paper, (0, 0), 0.4 * PRINT_PX_PER_MM / _px_per_mm(sheet.homography))
        seen = cv2.remap(paper, fine[..., 0], fine[..., 1], cv2.INTER_LINEAR)
        inside = ((fine > 0) & (fine < np.array(sheet.paper.shape[::-1]) - 1)).all(axis=2)
        picture = np.where(inside, seen, picture).astype(np.float32)
    picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), blur_px), dtype=np.float32)
    picture += np.random.default_rng(5).normal(0, noise, picture.shape).astype(np.float32)
    return np.clip(np.rint(picture), 0, 255).astype(np.uint8)


def _px_per_mm(homography: FloatArray) -> float:
    """In the middle of the sheet."""
    a, b = apply_homography(homography, np.array([[148.0, 105.0], [149.0, 105.0]]))
    return float(np.linalg.norm(b - a))


def as_photo(gray: NDArray[np.uint8]) -> Photo:
    """The picture as the pipeline gets it."""
    return load_photos(np.repeat(gray[..., None], 3, axis=2))[0]


def points_inside(*names: str) -> FloatArray:
    """Points (n, 2) all over the named grids, sheet mm."""
    parts = []
    for name in names:
        grid = OBELISK.grid(name)
        x = grid.origin_mm[0] + np.linspace(0, grid.columns, 2 * grid.columns + 1) * grid.cell_mm
        y = grid.origin_mm[1] + np.linspace(0, grid.rows, 2 * grid.rows + 1) * grid.cell_mm
        parts.append(np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2))
    return np.concatenate(parts)
