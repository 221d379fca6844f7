"""From flat filled papers to the photograph of them: one warp for all geometry, low-resolution light, a Bayer sensor."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from scanner.geometry import BgrImage, FloatArray, apply_homography
from scanner.synth import occluders
from scanner.synth.backgrounds import add_clutter, table_top
from scanner.synth.light import REDUCTION, LightFields, field_grid, light_fields
from scanner.synth.occluders import DogEar, Rect
from scanner.synth.paper import LINEAR, quantised, show_paper
from scanner.synth.scene import Scene
from scanner.synth.sensor import blur, expose
from scanner.synth.surface import NO_SECOND_MAP, Camera, Surface, aim, outline_mm, photo_to_paper

LATTICE_NODES = (7, 5)
"""Columns and rows of the truth lattice."""
_RIM_MM = 27.0


@dataclass(frozen=True, slots=True)
class Paper:
    """A flat filled paper seen straight from above.

    bgr: uint8 (H, W, 3), sRGB-encoded reflectance relative to the paper's white; the picture covers the whole paper, so pixel
        column i has its centre at ((i + 0.5) / px_per_mm) mm.
    content_mm: rectangles (left, top, right, bottom) that nothing may cover; None keeps a rim of 27 mm free for what does.
    """

    bgr: BgrImage
    px_per_mm: float
    content_mm: tuple[Rect, ...] | None = None

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height."""
        return self.bgr.shape[1] / self.px_per_mm, self.bgr.shape[0] / self.px_per_mm

    @property
    def kept_clear_mm(self) -> tuple[Rect, ...]:
        """What nothing may cover."""
        if self.content_mm is not None:
            return self.content_mm
        w, h = self.size_mm
        return ((_RIM_MM, _RIM_MM, w - _RIM_MM, h - _RIM_MM),)


@dataclass(frozen=True, slots=True)
class SheetPose:
    """Truth of one sheet: a lattice of paper points, row by row from the top left, their places in photo px (the centre of the
    top left pixel is (0, 0)) and whether each is in the frame and uncovered. float64 (35, 2), float64 (35, 2), bool (35,)."""

    lattice_mm: FloatArray
    lattice_px: FloatArray
    lattice_visible: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class SynthPhoto:
    """The photograph: bgr uint8 (H, W, 3); `jpeg`, the file of its last compression (None if the scene asks for none), whose
    decoding is exactly `bgr`; one pose a paper."""

    bgr: BgrImage
    jpeg: bytes | None
    poses: tuple[SheetPose, ...]


def photograph(papers: Sequence[Paper], scene: Scene, rng: np.random.Generator) -> SynthPhoto:
    """Take the photograph. There must be a placement in `scene.sheets` for every paper; later papers lie over earlier ones."""
    if len(papers) != len(scene.sheets):
        raise ValueError(f"{len(papers)} papers for {len(scene.sheets)} placements")
    width, height = _rendered_size(scene)
    camera, surfaces = aim(scene, [p.size_mm for p in papers])
    grid = field_grid(width, height)
    full = 65535 if scene.fine else 255
    outlines = [camera.project(s.at(outline_mm(s.paper_mm))) for s in surfaces]
    ears = _dog_ears(papers, scene, rng)
    picture: MatLike = _table(scene, camera, surfaces, outlines, full, rng)
    on_paper = []
    for index, (paper, surface, outline) in enumerate(zip(papers, surfaces, outlines, strict=True)):
        window, paper_mm = _look_at(camera, surface, outline, grid.shape)
        on_paper.append((window, np.ascontiguousarray(paper_mm[1:-1, 1:-1])))
        if paper_mm.size:
            scale = _scale(outline, surface)
            sheet = show_paper(paper.bgr, paper.px_per_mm, scale, scene.stock, surface.placement.bend, full, rng)
            mask = _mask(outline, ears.get(index), surface, camera, window, picture.shape)
            _lay(picture, sheet, paper.size_mm, window, paper_mm, mask)
    covers = _cover(picture, papers, scene, surfaces, camera, ears, full, rng)
    fields = light_fields(scene, camera, surfaces, on_paper, grid, rng)
    bgr, jpeg = _develop(picture, fields, scene, rng)
    poses = tuple(_pose(s, camera, ears.get(i), covers[i], outlines[i + 1 :], scene) for i, s in enumerate(surfaces))
    return SynthPhoto(bgr, jpeg, poses)


def _rendered_size(scene: Scene) -> tuple[int, int]:
    """Width and height of the sensor, even for the Bayer pattern."""
    return 2 * round(scene.width * scene.downscale / 2), 2 * round(scene.height * scene.downscale / 2)


def _linear_table(full: int) -> FloatArray:
    """Linear value, 0..full, of each sRGB-encoded uint8."""
    return LINEAR * full


def _as_linear(bgr: MatLike, full: int) -> MatLike:
    return cv2.LUT(bgr, quantised(_linear_table(full), full))


def _table(
    scene: Scene, camera: Camera, surfaces: list[Surface], outlines: list[FloatArray], full: int, rng: np.random.Generator
) -> MatLike:
    """The table and what lies on it, over the whole photo, linear."""
    width, height = _rendered_size(scene)
    step = 1 if scene.fine else 2
    back = np.asarray(np.linalg.inv(camera.plane_to_ideal), np.float64)
    frame = np.array([[0.0, 0], [width, 0], [width, height], [0, height]])
    seen = apply_homography(back, frame)
    near = apply_homography(back, frame * [1, 0] + [0, height * 0.75])  # far corners may lie beyond the horizon
    half_mm = float(np.clip(max(np.abs(seen).max() if np.abs(seen).max() < 1500 else 0, np.abs(near).max() * 1.1), 300, 1200))
    # Without things on it the quick table needs no more detail than its texture has.
    side_px = 3600 if scene.fine else 1100 if scene.table.clutter else 640
    scale = min(camera.focal_px / camera.distance_mm / step, side_px / (2 * half_mm))
    top = table_top(scene.table, 2 * half_mm, scale, rng, scene.fine)
    to_top = np.array([[scale, 0, half_mm * scale], [0, scale, half_mm * scale], [0, 0, 1.0]])
    if scene.table.clutter:
        taken = np.zeros(top.shape[:2], np.uint8)
        for surface in surfaces:
            hull = apply_homography(to_top, surface.at(outline_mm(surface.paper_mm))[:, :2])
            cv2.fillPoly(taken, [np.round(hull).astype(np.int32)], 255)
        grow = 2 * max(round(2 * scale), 1) + 1
        avoid = np.asarray(cv2.dilate(taken, np.ones((grow, grow), np.uint8)), np.uint8)
        reach = min(half_mm, float(np.percentile(np.abs(near), 75)) + 60)
        add_clutter(top, scale, avoid, scene.table.clutter, reach, rng)
    to_photo = np.array([[1 / step, 0, 0.5 / step - 0.5], [0, 1 / step, 0.5 / step - 0.5], [0, 0, 1.0]])
    matrix = to_photo @ camera.plane_to_ideal @ np.linalg.inv(to_top)
    room = rng.uniform(15, 110) * rng.uniform(0.85, 1.15, 3)
    size = (width // step, height // step)
    seen_table = cv2.warpPerspective(top, matrix, size, borderMode=cv2.BORDER_CONSTANT, borderValue=room.tolist())
    linear = _as_linear(seen_table, full)
    _contact_shadow(linear, [o / step for o in outlines], camera.focal_px / camera.distance_mm / step, rng)
    if step > 1:
        linear = cv2.resize(linear, (width, height), interpolation=cv2.INTER_LINEAR)
    return linear


def _contact_shadow(linear: MatLike, outlines: list[FloatArray], px_per_mm: float, rng: np.random.Generator) -> None:
    """Darkens the table next to the papers, in place."""
    small = 8
    mask = np.zeros((linear.shape[0] // small + 1, linear.shape[1] // small + 1), np.uint8)
    offset = rng.normal(0, 1.5, 2) * px_per_mm
    for outline in outlines:
        cv2.fillPoly(mask, [np.round((outline + offset) / small * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    sigma = max(rng.uniform(1.0, 5.0) * px_per_mm / small, 0.7)
    mask = cv2.GaussianBlur(mask, (0, 0), sigma)
    left = np.round(255 - rng.uniform(0.2, 0.6) * mask.astype(np.float32)).astype(np.uint8)
    gain = cv2.resize(left, linear.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    cv2.multiply(linear, cv2.merge([gain] * 3).astype(linear.dtype), linear, 1 / 255)


def _look_at(
    camera: Camera, surface: Surface, outline: FloatArray, shape: tuple[int, ...]
) -> tuple[tuple[slice, slice], NDArray[np.float32]]:
    """The light field's window around the sheet, and the paper mm seen there, with one more field px on every side."""
    low = np.floor(outline.min(axis=0) / REDUCTION).astype(int) - 1
    high = np.ceil(outline.max(axis=0) / REDUCTION).astype(int) + 1
    c0, r0 = np.clip(low, 0, [shape[1], shape[0]])
    c1, r1 = np.clip(high, 0, [shape[1], shape[0]])
    if c1 <= c0 or r1 <= r0:
        return (slice(0, 0), slice(0, 0)), np.zeros((0, 0, 2), np.float32)
    x, y = np.arange(c0 - 1, c1 + 1), np.arange(r0 - 1, r1 + 1)
    px = np.stack(np.meshgrid((x + 0.5) * REDUCTION - 0.5, (y + 0.5) * REDUCTION - 0.5), axis=-1)
    bend = surface.placement.bend
    bent = bool(bend.curls or bend.creases or bend.twist_mm or bend.cockle_mm)
    return (slice(int(r0), int(r1)), slice(int(c0), int(c1))), photo_to_paper(camera, surface, px, bent)


def _scale(outline: FloatArray, surface: Surface) -> float:
    """Mean photo px a mm over the sheet."""
    area = cv2.contourArea(outline.astype(np.float32))
    return float(np.sqrt(area / (surface.paper_mm[0] * surface.paper_mm[1])))


def _pixels(window: tuple[slice, slice], shape: tuple[int, ...]) -> tuple[slice, slice]:
    """The photo px that a window of the light field covers."""
    rows, columns = window
    return (
        slice(rows.start * REDUCTION, min(rows.stop * REDUCTION, shape[0])),
        slice(columns.start * REDUCTION, min(columns.stop * REDUCTION, shape[1])),
    )


def _mask(
    outline: FloatArray,
    ear: DogEar | None,
    surface: Surface,
    camera: Camera,
    window: tuple[slice, slice],
    shape: tuple[int, ...],
) -> NDArray[np.uint8]:
    """255 where the paper lies, over the window's photo px."""
    rows, columns = _pixels(window, shape)
    corner = np.array([columns.start, rows.start])
    mask = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.uint8)
    cv2.fillPoly(mask, [np.round((outline - corner) * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    if ear is not None:
        away = ear.corner + 0.6 * (ear.corner - ear.tip)
        gone = camera.project(
            surface.at(np.array([ear.fold[0], ear.corner * 2 - ear.fold[1], away, ear.corner * 2 - ear.fold[0], ear.fold[1]]))
        )
        cv2.fillPoly(mask, [np.round((gone - corner) * 16).astype(np.int32)], 0, cv2.LINE_8, 4)
    return mask


def _lay(
    picture: MatLike,
    sheet: MatLike,
    paper_mm: tuple[float, float],
    window: tuple[slice, slice],
    seen_mm: NDArray[np.float32],
    mask: NDArray[np.uint8],
) -> None:
    """Draws the sheet's linear picture where the mask is, in place; `seen_mm` as `_look_at` gives it."""
    px_per_mm = np.array(sheet.shape[1::-1]) / paper_mm
    pixels = _pixels(window, picture.shape)
    h, w = mask.shape
    nodes = (seen_mm * px_per_mm - 0.5).astype(np.float32)
    size = (nodes.shape[1] * REDUCTION, nodes.shape[0] * REDUCTION)
    lookup = cv2.resize(nodes, size, interpolation=cv2.INTER_LINEAR)[REDUCTION : REDUCTION + h, REDUCTION : REDUCTION + w]
    whole, fraction = cv2.convertMaps(lookup, NO_SECOND_MAP, cv2.CV_16SC2)
    seen = cv2.remap(sheet, whole, fraction, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cv2.copyTo(seen, mask, picture[pixels])


def _dog_ears(papers: Sequence[Paper], scene: Scene, rng: np.random.Generator) -> dict[int, DogEar]:
    """The folded corner of each sheet that has one."""
    ears = {}
    for occluder in scene.occluders:
        if occluder.kind == "dog_ear":
            paper = papers[occluder.sheet]
            ear = occluders.dog_ear(paper.size_mm, occluder, paper.kept_clear_mm, rng)
            if ear is not None:
                ears[occluder.sheet] = ear
    return ears


def _cover(
    picture: MatLike,
    papers: Sequence[Paper],
    scene: Scene,
    surfaces: list[Surface],
    camera: Camera,
    ears: dict[int, DogEar],
    full: int,
    rng: np.random.Generator,
) -> list[list[FloatArray]]:
    """Draws all occluders; for each sheet the outlines in photo px of what covers it."""
    covers: list[list[FloatArray]] = [[] for _ in papers]
    white = np.array(scene.stock.white) * full
    for index, ear in ears.items():
        covers[index].append(occluders.draw_dog_ear(picture, ear, surfaces[index], camera, white, rng))
    linear = _linear_table(full)
    for occluder in scene.occluders:
        if occluder.kind != "dog_ear":
            content = papers[occluder.sheet].kept_clear_mm
            outline = occluders.draw_thing(picture, occluder, surfaces[occluder.sheet], camera, content, linear, rng)
            if outline is not None:
                for cover in covers:
                    cover.append(outline)
    return covers


def _pose(
    surface: Surface, camera: Camera, ear: DogEar | None, covers: list[FloatArray], above: list[FloatArray], scene: Scene
) -> SheetPose:
    w, h = surface.paper_mm
    columns, rows = LATTICE_NODES
    mm = np.stack(np.meshgrid(np.linspace(0, w, columns), np.linspace(0, h, rows)), axis=-1).reshape(-1, 2)
    moved, folded = (mm, np.zeros(len(mm), bool)) if ear is None else ear.move(mm)
    px = camera.project(surface.at(moved))
    width, height = _rendered_size(scene)
    visible = ~folded & np.all((px >= -0.5) & (px <= np.array([width, height]) - 0.5), axis=1)
    for outline in (*covers, *above):
        shape = outline.astype(np.float32)
        inside = [cv2.pointPolygonTest(shape, (float(x), float(y)), False) > 0 for x, y in px]
        visible &= ~np.array(inside)
    reduction = np.array([width / scene.width, height / scene.height])
    return SheetPose(mm, (px + 0.5) / reduction - 0.5, visible)


def _develop(picture: MatLike, fields: LightFields, scene: Scene, rng: np.random.Generator) -> tuple[BgrImage, bytes | None]:
    """Lens, sensor, the phone's processing and the compressions."""
    picture = blur(picture, scene.sensor)
    bgr = expose(picture, fields, scene.sensor, rng)
    jpeg = None
    for number, quality in enumerate(scene.jpeg):
        if number == len(scene.jpeg) - 1:
            bgr = _reduce(bgr, scene)
        done, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if not done:
            raise RuntimeError("JPEG encoding failed")
        jpeg = data.tobytes()
        bgr = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return _reduce(bgr, scene), jpeg


def _reduce(bgr: BgrImage, scene: Scene) -> BgrImage:
    if bgr.shape[:2] == (scene.height, scene.width):
        return bgr
    return np.asarray(cv2.resize(bgr, (scene.width, scene.height), interpolation=cv2.INTER_AREA), np.uint8)
