"""What all sample photos share: what may be covered, how large they are, and the files that they become."""

from pathlib import Path
from typing import Any, Final

import cv2
import msgspec
import numpy as np
from numpy.random import Generator

from scanner.sheet.template import Template
from scanner.synth.camera import SheetPose, SynthPhoto
from scanner.synth.conditions import Condition
from scanner.synth.occluders import Rect
from scanner.synth.scene import Scene

MEGAPIXELS: Final = (3.0, 4.0, 6.0, 8.0, 12.0)
AT_LEAST: Final[dict[Condition, float]] = {"far": 8.0, "table": 8.0, "steep": 6.0, "rotated": 4.0, "everything": 6.0}
"""Photos in which the sheet is small need more pixels to be readable."""
_LOWEST_QUALITY: Final = 40


def content_rects(template: Template) -> tuple[Rect, ...]:
    """The rectangles, in sheet mm, in which something is read; nothing may cover them in a photo that is to be read."""
    rects: list[Rect] = []
    for grid in template.grids:
        x, y = grid.origin_mm
        rects.append((x, y, x + grid.columns * grid.cell_mm, y + grid.rows * grid.cell_mm))
    for mark in template.marks:
        (x, y), half = mark.centre_mm, mark.diameter_mm * 0.75
        rects.append((x - half, y - half, x + half, y + half))
    return tuple(rects)


def megapixels(rng: Generator, least: float) -> float:
    """A size for a photo, small ones more often."""
    choices = [m for m in MEGAPIXELS if m >= least]
    weights = 1 / np.array(choices)
    return float(rng.choice(choices, p=weights / weights.sum()))


def pose_truth(pose: SheetPose) -> dict[str, Any]:
    """A sheet's place in the photo as a truth file has it."""
    return {
        "lattice_mm": pose.lattice_mm.tolist(),
        "lattice_px": np.round(pose.lattice_px, 2).tolist(),
        "lattice_visible": pose.lattice_visible.tolist(),
    }


def jpeg_of(photo: SynthPhoto, width: int, height: int) -> bytes:
    """The photo's JPEG; compressed once more, harder, while it is larger than such a photo may be."""
    most = 55_000 + 70_000 * min(width * height / 1e6, 7.5)
    data, quality = photo.jpeg, 90
    while data is None or (len(data) > most and quality >= _LOWEST_QUALITY):
        data = cv2.imencode(".jpg", photo.bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        quality -= 5
    return data


def write_sample(folder: Path, name: str, photo: SynthPhoto, scene: Scene, truth: dict[str, Any] | None) -> None:
    """Write the photo and, if there is one, its truth beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.jpg").write_bytes(jpeg_of(photo, scene.width, scene.height))
    if truth is not None:
        (folder / f"{name}.truth.json").write_bytes(msgspec.json.format(msgspec.json.encode(truth), indent=1) + b"\n")
