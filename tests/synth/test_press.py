"""The press paints what the primitives say, to a fraction of a pixel."""

from math import pi

import numpy as np
import pytest

from scanner.geometry import FloatArray, GrayImage
from scanner.sheet.drawing import HOUSE, Area, Circle, Drawing, Line, Primitive, Text, random_style, sheet_drawing
from scanner.sheet.primitives import Anchor
from scanner.sheet.template import load_template
from scanner.synth.press import press


def pressed(*primitives: Primitive, scale: float = 6.0) -> GrayImage:
    return press(Drawing((20.0, 10.0), primitives), scale)


def ink(image: GrayImage, scale: float = 6.0) -> float:
    """Blackened area, mm^2."""
    return float((1 - image / 255.0).sum() / scale**2)


def centroid(image: GrayImage, scale: float = 6.0) -> FloatArray:
    """Of the ink, mm."""
    dark = 255.0 - image
    y, x = np.indices(image.shape)
    middle: FloatArray = np.array([(dark * x).sum(), (dark * y).sum()]) / dark.sum()
    return (middle + 0.5) / scale


def test_size_and_white() -> None:
    image = pressed()
    assert image.shape == (60, 120)
    assert image.dtype == np.uint8
    assert image.min() == 255


@pytest.mark.parametrize("y", [5.0, 5.03, 5.11])
@pytest.mark.parametrize("width", [0.18, 0.25, 0.6])
def test_straight_lines_have_their_width_and_place(y: float, width: float) -> None:
    image = pressed(Line(((2.0, y), (18.0, y)), width, 0.0))
    assert ink(image) == pytest.approx(16 * width, rel=0.02)
    assert centroid(image) == pytest.approx([10.0, y], abs=0.01)


def test_gray_lightens() -> None:
    black, gray = (ink(pressed(Line(((2.0, 5.0), (18.0, 5.0)), 0.5, g))) for g in (0.0, 0.75))
    assert gray == pytest.approx(black / 4, rel=0.03)


def test_closed_lines_have_square_corners() -> None:
    image = pressed(Line(((2.0, 2.0), (8.0, 2.0), (8.0, 8.0), (2.0, 8.0)), 1.0, 0.0, closed=True))
    assert ink(image) == pytest.approx(49 - 25, rel=0.01)


@pytest.mark.parametrize("width", [0.3, 0.55, 1.0])
def test_slanted_lines(width: float) -> None:
    image = pressed(Line(((4.0, 2.0), (16.0, 7.0)), width, 0.0, round=True))
    assert ink(image) == pytest.approx(13 * width + pi * width**2 / 4, rel=0.12)
    assert centroid(image) == pytest.approx([10.0, 4.5], abs=0.03)


@pytest.mark.parametrize("width", [None, 0.35])
def test_circles(width: float | None) -> None:
    image = pressed(Circle((10.04, 5.03), 3.5, 0.0, width))
    area = pi * 3.5**2 if width is None else 2 * pi * 3.5 * width
    assert ink(image) == pytest.approx(area, rel=0.02)
    assert centroid(image) == pytest.approx([10.04, 5.03], abs=0.01)


def test_areas_follow_the_even_odd_rule() -> None:
    outer = ((2.03, 2.0), (8.03, 2.0), (8.03, 8.0), (2.03, 8.0))
    hole = ((4.0, 4.0), (4.0, 6.0), (6.0, 6.0), (6.0, 4.0))
    assert ink(pressed(Area((outer, hole), 0.0))) == pytest.approx(32, rel=0.01)
    slanted = ((10.0, 5.0), (14.0, 1.0), (18.0, 5.0), (14.0, 9.0))
    assert ink(pressed(Area((slanted,), 0.0))) == pytest.approx(32, rel=0.05)


def test_what_lies_over_the_edge_is_cut_off() -> None:
    image = pressed(Line(((-5.0, 5.0), (5.0, 5.0)), 1.0, 0.0), Circle((20.0, 10.0), 2.0, 0.0), Circle((50.0, 50.0), 2.0, 0.0))
    assert ink(image) == pytest.approx(5 + pi, rel=0.03)


@pytest.mark.parametrize(("anchor", "side"), [("start", 0), ("end", 1)])
def test_text_stands_on_its_origin(anchor: Anchor, side: int) -> None:
    image = pressed(Text("HEH", (10.0, 7.0), 3.0, 0.0, anchor, bold=True))
    rows, columns = np.nonzero(image < 128)
    assert rows.min() / 6 == pytest.approx(4.0, abs=0.2)
    assert (rows.max() + 1) / 6 == pytest.approx(7.0, abs=0.2)
    edge = columns.min() / 6 if side == 0 else (columns.max() + 1) / 6
    assert edge == pytest.approx(10.0, abs=0.6)


def test_text_in_the_middle() -> None:
    image = pressed(Text("8", (10.0, 6.25), 2.5, 0.0, "middle"))
    assert centroid(image) == pytest.approx([10.0, 5.0], abs=0.15)


def test_resolution_only_scales() -> None:
    """The same sheet at two resolutions agrees once brought to the same size."""
    drawing = sheet_drawing(load_template("obelisk"), 1, 5, HOUSE)
    coarse, fine = press(drawing, 4.0), press(drawing, 8.0)
    shrunk = fine.reshape(840, 2, 1188, 2).mean(axis=(1, 3))
    assert np.abs(shrunk - coarse).mean() < 1.0


def test_random_sheets_are_painted() -> None:
    rng = np.random.default_rng(1)
    template = load_template("obelisk")
    images = [press(sheet_drawing(template, 2, 9, random_style(rng)), 3.0) for _ in range(3)]
    assert all(image.shape == (630, 891) for image in images)
    assert len({image.tobytes() for image in images}) == 3
