"""The rectified sheet lies where the template says, and its light is even."""

from dataclasses import dataclass

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scanner.cells.rectify import WHITE_LEVEL, even_light, reading_reduction, rectify
from scanner.geometry import RECT_PX_PER_MM, FloatArray, GrayImage, apply_homography
from scanner.photo import load_photos
from scanner.sheet.drawing import sheet_drawing
from scanner.sheet.pose import Pose, SheetIdentity
from scanner.sheet.style import PLAIN
from scanner.sheet.template import load_template
from scanner.sheet.warp import CELLS
from scanner.synth.press import press

PAPER_MM = (297.0, 210.0)
SPOTS_MM = np.array([(x, y) for y in (12.0, 60.0, 105.3, 150.0, 198.0) for x in (11.0, 70.2, 148.5, 220.0, 286.0)])
SPOT_SIGMA_MM = 0.6


def tilted(px_per_mm: float, turn_deg: float, lean: float = 4e-4) -> tuple[FloatArray, tuple[int, int]]:
    """A homography from sheet mm to photo px, turned about the sheet and seen aslant, and the photo's height and width."""
    turn = np.radians(turn_deg)
    about = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    lean_to = np.array([[1, 0, 0], [0, 1, 0], [lean, -lean / 2, 1.0]])
    centred = np.array([[1, 0, -148.5], [0, 1, -105], [0, 0, 1.0]])
    spun = np.eye(3)
    spun[:2, :2] = about * px_per_mm
    seen = spun @ lean_to @ centred
    corners = apply_homography(seen, np.array([(0.0, 0.0), (297, 0), (297, 210), (0, 210)]))
    low, high = corners.min(0) - 20.25, corners.max(0) + 20
    shift = np.eye(3)
    shift[:2, 2] = -low
    width, height = (high - low).astype(int)
    homography: FloatArray = shift @ seen
    return homography / homography[2, 2], (int(height), int(width))


def pose_of(homography: FloatArray, warp_mm: FloatArray, px_per_mm: float) -> Pose:
    corners = apply_homography(homography, np.array([(0.0, 0.0), (297, 0), (297, 210), (0, 210)]))
    return Pose(SheetIdentity("obelisk", 1, 8), PAPER_MM, homography, warp_mm, 0.0, px_per_mm, 0.1, corners, tuple(range(8)))


def flat() -> FloatArray:
    return np.zeros((CELLS[1] + 3, CELLS[0] + 3, 2))


def spotted_photo(pose: Pose, shape: tuple[int, int]) -> NDArray[np.uint8]:
    """Gray paper with a soft dark spot wherever the pose puts a point of SPOTS_MM, computed pixel by pixel."""
    photo = np.full(shape, 190.0)
    for point in SPOTS_MM:
        # The pose near the spot, as a linear map: exact enough over the spot's two millimetres.
        around = pose.to_photo(point + np.array([[0, 0], [0.5, 0], [-0.5, 0], [0, 0.5], [0, -0.5]]))
        jacobian = np.stack([around[1] - around[2], around[3] - around[4]], 1)
        x, y = np.round(around[0]).astype(int)
        reach = int(4 * SPOT_SIGMA_MM * np.abs(jacobian).max()) + 2
        rows, columns = np.mgrid[y - reach : y + reach + 1, x - reach : x + reach + 1]
        offset = np.stack([columns - around[0, 0], rows - around[0, 1]], -1) @ np.linalg.inv(jacobian).T
        photo[rows, columns] -= 150 * np.exp(-(offset**2).sum(-1) / (2 * SPOT_SIGMA_MM**2))
    return np.repeat(np.round(photo).astype(np.uint8)[..., None], 3, axis=2)


def spot_positions(gray: GrayImage) -> FloatArray:
    """Where the spots are in the rectified sheet, mm, by their centres of gravity."""
    found = []
    for x_mm, y_mm in SPOTS_MM:
        x, y = (round(v * RECT_PX_PER_MM) for v in (x_mm, y_mm))
        window = gray[y - 12 : y + 13, x - 12 : x + 13].astype(float)
        dark = np.clip(WHITE_LEVEL - 12 - window, 0, None)
        rows, columns = np.mgrid[y - 12 : y + 13, x - 12 : x + 13]
        found.append([(dark * columns).sum() / dark.sum(), (dark * rows).sum() / dark.sum()])
    return (np.array(found) + 0.5) / RECT_PX_PER_MM


@pytest.mark.parametrize(("px_per_mm", "turn_deg"), [(4.4, 0), (5.5, 33), (5.0, 180), (8.0, -95), (16.0, 12)])
def test_points_of_the_sheet_come_out_in_their_places(px_per_mm: float, turn_deg: float) -> None:
    """At every reduction of the photo that is used, to a tenth of a rectified px."""
    homography, shape = tilted(px_per_mm, turn_deg)
    pose = pose_of(homography, flat(), px_per_mm * 0.9)
    sheet = rectify(load_photos(spotted_photo(pose, shape))[0], pose)
    assert sheet.gray.shape == (806, 1140)
    assert not sheet.gray.flags.writeable
    assert np.abs(spot_positions(sheet.gray) - SPOTS_MM).max() * RECT_PX_PER_MM < 0.1


def test_bent_paper_is_made_flat() -> None:
    homography, shape = tilted(6.0, 10)
    bend = np.random.default_rng(3).normal(0, 2.0, flat().shape)
    pose = pose_of(homography, np.asarray(cv2.GaussianBlur(bend, (0, 0), 1.5), np.float64), 5.0)
    photo = load_photos(spotted_photo(pose, shape))[0]
    assert np.abs(spot_positions(rectify(photo, pose).gray) - SPOTS_MM).max() * RECT_PX_PER_MM < 0.15
    without = np.abs(spot_positions(rectify(photo, pose_of(homography, flat(), 5.0)).gray) - SPOTS_MM).max()
    assert without * RECT_PX_PER_MM > 0.5, "the bend of this test is too small to be missed"


def test_a_printed_sheet_has_its_lines_where_the_template_says() -> None:
    """The press draws the template; photographed from straight above, its cell lines must come back to their millimetres."""
    template = load_template("obelisk")
    printed = press(sheet_drawing(template, 1, 8, PLAIN), 7.0)
    homography = np.array([[7.0, 0, 40 - 0.5], [0, 7.0, 30 - 0.5], [0, 0, 1]])
    photo = np.full((printed.shape[0] + 60, printed.shape[1] + 80), 190, np.uint8)
    photo[30:-30, 40:-40] = np.round(printed * (190 / 255))
    gray = rectify(load_photos(np.repeat(photo[..., None], 3, axis=2))[0], pose_of(homography, flat(), 7.0)).gray
    obelisk = template.grid("obelisk")
    for column in range(1, obelisk.columns):
        x = (obelisk.origin_mm[0] + column * obelisk.cell_mm) * RECT_PX_PER_MM - 0.5
        near = np.arange(round(x) - 4, round(x) + 5)
        # In the middle of the rows, away from the lines that cross.
        rows = [round((30 + (r + 0.5) * 12.5) * RECT_PX_PER_MM) for r in range(12)]
        dark = np.clip(WHITE_LEVEL - 3 - gray[rows][:, near].mean(0), 0, None)
        assert dark.sum() > 10, "no line"
        assert (dark * near).sum() / dark.sum() == pytest.approx(x, abs=0.15)


@dataclass(frozen=True)
class HalfOut:
    """A sheet whose right half lies outside the photo."""

    paper_mm: tuple[float, float] = PAPER_MM
    px_per_mm: float = 4.0

    def map_grid(self, x_mm: FloatArray, y_mm: FloatArray, _reduction: float) -> NDArray[np.float32]:
        x, y = np.meshgrid(x_mm * 4 - 0.5, y_mm * 4 - 0.5)
        return np.stack([x, y], -1).astype(np.float32)


def test_outside_the_photo_is_black_not_white() -> None:
    photo = load_photos(np.full((840, 594, 3), 190, np.uint8))[0]
    sheet = rectify(photo, HalfOut())
    assert np.abs(sheet.gray[:, :540].astype(int) - WHITE_LEVEL).max() <= 2
    assert (sheet.gray[:, 620:] == 0).all()


@pytest.mark.parametrize(("px_per_mm", "reduction"), [(2.0, 1), (6.3, 1), (6.5, 2), (12.7, 2), (12.9, 4), (60.0, 4)])
def test_the_photo_is_reduced_as_far_as_the_networks_allow(px_per_mm: float, reduction: int) -> None:
    assert reading_reduction(px_per_mm) == reduction


def lined_paper() -> tuple[FloatArray, NDArray[np.bool_], NDArray[np.bool_]]:
    """Reflectance of paper with pen strokes, 3 px wide; where the strokes are; and where nothing but paper is."""
    reflectance = np.ones((800, 1140))
    reflectance[40::48, :] = reflectance[41::48, :] = reflectance[42::48, :] = 0.35
    strokes = reflectance < 1
    return reflectance, strokes, ~cv2.dilate(strokes.astype(np.uint8), np.ones((9, 9), np.uint8)).astype(bool)


def test_a_light_ramp_is_divided_out_and_ink_keeps_its_darkness() -> None:
    reflectance, strokes, paper = lined_paper()
    ramp = np.linspace(240, 60, 1140) * np.linspace(1, 0.7, 800)[:, None]
    sheet = even_light(np.round(reflectance * ramp).astype(np.uint8))
    inner = np.s_[8:-8, 8:-8]
    assert np.abs(sheet.gray[inner][paper[inner]].astype(float) - WHITE_LEVEL).max() < 8
    middles = sheet.gray[41::48, 8:-8]
    assert np.abs(middles - 0.35 * WHITE_LEVEL).max() < 12
    assert strokes.any()


def test_a_hard_shadow_is_divided_out_on_both_sides_of_its_edge() -> None:
    reflectance, _, paper = lined_paper()
    shade = np.where(np.arange(1140) + np.arange(800)[:, None] * 0.4 < 700, 1.0, 0.5)
    sheet = even_light(np.round(reflectance * 210 * shade).astype(np.uint8))
    edge = cv2.dilate(cv2.Canny((shade * 255).astype(np.uint8), 50, 100), np.ones((33, 33), np.uint8)) > 0
    away = paper & ~edge
    away[:8] = away[-8:] = away[:, :8] = away[:, -8:] = False
    assert np.abs(sheet.gray[away].astype(float) - WHITE_LEVEL).max() < 10
    lit, dark = sheet.gray[41::48, 60:300].mean(), sheet.gray[41::48, -300:-60].mean()
    assert lit == pytest.approx(dark, abs=5), "ink in the shadow is as dark as ink in the light"


def test_the_light_is_told_in_the_photos_own_grays() -> None:
    sheet = even_light(np.full((800, 1140), 123, np.uint8))
    assert sheet.light.shape == (200, 285)
    assert (sheet.light == 123).all()
    assert np.abs(sheet.gray.astype(int) - WHITE_LEVEL).max() <= 1
