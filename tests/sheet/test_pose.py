"""Applying a pose, and the smooth warp in it."""

import numpy as np
import pytest

from scanner.geometry import FloatArray, apply_homography
from scanner.sheet import warp
from scanner.sheet.pose import Pose, SheetIdentity
from tests.sheet.paperphoto import view

PAPER = (297.0, 210.0)


def pose(homography: FloatArray, warp_mm: FloatArray) -> Pose:
    corners = np.zeros((4, 2))
    return Pose(SheetIdentity("obelisk", 1, None), PAPER, homography, warp_mm, 0.0, 1.0, 0.1, corners, ())


def bumpy(size: float) -> FloatArray:
    shape = (warp.CELLS[1] + 3, warp.CELLS[0] + 3, 2)
    return np.asarray(np.random.default_rng(3).normal(0, size, shape))


def points(count: int = 300) -> FloatArray:
    return np.asarray(np.random.default_rng(4).random((count, 2)) * np.array(PAPER))


def test_without_a_warp_a_pose_is_its_homography() -> None:
    homography = view((4000, 3000), tilt=40, turn=30)
    flat = pose(homography, np.zeros((5, 6, 2)))
    assert flat.to_photo(points()) == pytest.approx(apply_homography(homography, points()))


def test_shapes_of_points_are_kept() -> None:
    homography = view((4000, 3000))
    bent = pose(homography, bumpy(1.0))
    assert bent.to_photo(np.zeros((2, 3, 4, 2))).shape == (2, 3, 4, 2)
    assert bent.to_photo(np.array([10.0, 20.0])) == pytest.approx(bent.to_photo(np.array([[10.0, 20.0]]))[0])


def test_a_small_grid_is_mapped_exactly() -> None:
    bent = pose(view((4000, 3000), tilt=30), bumpy(1.0))
    x, y = np.linspace(30, 60, 5), np.linspace(70, 90, 4)
    grid = np.stack(np.meshgrid(x, y), axis=-1)
    assert bent.map_grid(x, y) == pytest.approx(bent.to_photo(grid), abs=1e-3)


@pytest.mark.parametrize("tilt", [0, 40, 60])
def test_a_large_grid_is_interpolated_to_two_hundredths_of_a_mm(tilt: float) -> None:
    bent = pose(view((4000, 3000), tilt=tilt, turn=20), bumpy(0.3))
    x, y = (np.arange(n) / 4.0 + start for n, start in ((1141, 6.0), (803, 4.0)))
    fine = bent.map_grid(x, y)
    assert fine.shape == (803, 1141, 2)
    assert fine.dtype == np.float32
    exact = bent.to_photo(np.stack(np.meshgrid(x[::9], y[::9]), axis=-1))
    px_per_mm = np.linalg.norm(np.diff(exact, axis=1), axis=-1).max() / (9 / 4.0)
    assert np.linalg.norm(fine[::9, ::9] - exact, axis=-1).max() < 0.02 * px_per_mm


def test_splines_of_equal_coefficients_are_constant_up_to_the_paper_s_edges() -> None:
    edge = np.array([[0.0, 0.0], [297.0, 0.0], [297.0, 210.0], [0.0, 210.0], [400.0, -5.0]])
    values = warp.evaluate(np.full((12, 15, 2), 2.5), np.concatenate([points(), edge]), PAPER)
    assert values == pytest.approx(2.5)


def test_a_grid_and_scattered_points_agree() -> None:
    x, y = np.linspace(0, 297, 7), np.linspace(0, 210, 5)
    scattered = warp.evaluate(bumpy(1.0), np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2), PAPER)
    assert np.moveaxis(warp.evaluate_grid(bumpy(1.0), x, y, PAPER), 0, -1).reshape(-1, 2) == pytest.approx(scattered)


def test_planes_do_not_bend_and_bumps_do() -> None:
    form = warp.bending(PAPER)
    matrix = warp.sampler(points(2000), PAPER).design()
    plane, *_ = np.linalg.lstsq(matrix, points(2000) @ np.array([0.3, -0.2]) + 1, rcond=None)
    assert plane @ form @ plane == pytest.approx(0, abs=1e-12)
    x, y = points(2000).T
    bump, *_ = np.linalg.lstsq(matrix, 0.01 * x**2 + 0.02 * x * y, rcond=None)
    # f_xx = 0.02, f_xy = 0.02, f_yy = 0: f_xx^2 + 2 f_xy^2 + f_yy^2.
    assert bump @ form @ bump == pytest.approx(0.02**2 + 2 * 0.02**2, rel=1e-6)


def test_normal_equations_in_parts_are_those_of_the_whole() -> None:
    rng = np.random.default_rng(5)
    where = points(300)
    where = where[np.argsort(where[:, 1])]
    weights = rng.uniform(0, 3, len(where))
    matrix = warp.sampler(where, PAPER).design()
    parts = warp.normal_of(where, PAPER).plus(np.eye(matrix.shape[1]), weights)
    assert parts == pytest.approx(matrix.T @ (weights[:, None] * matrix) + np.eye(matrix.shape[1]))


def test_points_are_moved_as_the_spline_says() -> None:
    moved = warp.scattered(points(), PAPER).moved(bumpy(1.0))
    assert moved == pytest.approx(points() + warp.evaluate(bumpy(1.0), points(), PAPER))


def test_a_smooth_surface_is_recovered_through_noise() -> None:
    rng = np.random.default_rng(8)
    where = points(400)
    where = where[np.argsort(where[:, 1])]
    truth = 2 * np.sin(where / 90).prod(axis=1)
    normal = warp.normal_of(where, PAPER)
    noisy = truth + rng.normal(0, 0.05, len(truth))
    weights = np.full(len(truth), 0.05**-2)
    right = normal.matrix.T @ (weights * noisy)
    fitted = warp.solve(normal.plus(warp.penalty(PAPER, 2e7), weights), right[:, None])
    inner = where[(np.abs(where / np.array(PAPER) - 0.5) < 0.45).all(axis=1)]
    off = warp.evaluate(fitted, inner, PAPER)[:, 0] - 2 * np.sin(inner / 90).prod(axis=1)
    assert np.abs(off).max() < 0.1
