"""Frames and homographies: directions, pixel centres, types."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.geometry import apply_homography, full_px, read_only, reduced_px

COORDINATES = st.floats(-1e4, 1e4)


def test_a_homography_maps_column_vectors() -> None:
    shift_and_double = np.array([[2.0, 0, 10], [0, 2, 20], [0, 0, 1]])
    assert apply_homography(shift_and_double, np.array([[1.0, 2], [0, 0]])).tolist() == [[12, 24], [10, 20]]


def test_a_homography_divides_by_the_third_coordinate() -> None:
    # (x, y) -> (x, y) / (1 + x): the line x = 1 comes half as near.
    lean = np.array([[1.0, 0, 0], [0, 1, 0], [1, 0, 1]])
    assert apply_homography(lean, np.array([1.0, 4.0])).tolist() == [0.5, 2.0]


@pytest.mark.parametrize("shape", [(2,), (5, 2), (3, 4, 2)])
def test_points_keep_their_shape(shape: tuple[int, ...]) -> None:
    points = np.random.default_rng(1).normal(size=shape)
    assert np.allclose(apply_homography(np.eye(3), points), points)


def test_a_reduced_pixel_averages_a_block() -> None:
    """Pixels 0 and 1 become pixel 0: their common middle, 0.5, is its centre, 0; and pixels 2 and 3 become pixel 1."""
    assert reduced_px(np.array([[0.5, 2.5]]), 2).tolist() == [[0.0, 1.0]]
    assert reduced_px(np.array([[1.5, 5.5]]), 4).tolist() == [[0.0, 1.0]]
    assert reduced_px(np.array([[3.0, 7.0]]), 1).tolist() == [[3.0, 7.0]]


@pytest.mark.parametrize("reduction", [1, 2, 4])
@given(x=COORDINATES, y=COORDINATES)
def test_reducing_and_back_is_nothing(reduction: int, x: float, y: float) -> None:
    points = np.array([[x, y]])
    assert np.allclose(full_px(reduced_px(points, reduction), reduction), points, atol=1e-9)


def test_maps_of_single_precision_stay_so() -> None:
    assert reduced_px(np.zeros((2, 2), np.float32), 2).dtype == np.float32
    assert reduced_px(np.zeros((2, 2), np.float64), 2).dtype == np.float64


def test_read_only_arrays_refuse_to_be_written() -> None:
    array = read_only(np.zeros(3))
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1
