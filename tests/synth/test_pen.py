"""Pens: ink lies where the strokes are, as wide, as dark and as rough as the pen."""

import numpy as np
import pytest

from scanner.geometry import BgrImage, FloatArray
from scanner.synth.pen import Pen, apply_ink, random_pen, stroke_mask

BLACK = Pen((0.1, 0.1, 0.1), 0.6, 1.0, 0.0, 0.0)
LINE = np.array([[5.0, 10.0], [25.0, 10.0]])


def paper(gray: int = 255) -> BgrImage:
    """20 mm x 30 mm at 10 px/mm."""
    return np.full((200, 300, 3), gray, np.uint8)


def inked(pen: Pen, strokes: list[FloatArray] | None = None, seed: int = 1, gray: int = 255) -> BgrImage:
    picture = paper(gray)
    apply_ink(picture, [LINE] if strokes is None else strokes, pen, 10.0, np.random.default_rng(seed))
    return picture


def test_ink_lies_where_the_stroke_is() -> None:
    dark = 255.0 - inked(BLACK)[..., 1]
    rows, columns = np.indices(dark.shape)
    # Pixel i covers i / 10 to (i + 1) / 10 mm.
    centre = np.array([(dark * columns).sum(), (dark * rows).sum()]) / dark.sum()
    assert (centre + 0.5) / 10 == pytest.approx([15.0, 10.0], abs=0.06)
    assert (inked(BLACK)[:80] == 255).all()
    assert (inked(BLACK)[120:] == 255).all()


def drawn_width(width_px: float) -> float:
    """The mean width of many strokes, by the area that they cover."""
    rng = np.random.default_rng(2)
    return float(np.mean([stroke_mask([LINE], width_px, 10.0, (200, 300), rng).sum() / 255 / 200 for _ in range(100)]))


def test_a_broader_pen_draws_broader_strokes() -> None:
    """Pixel for pixel; OpenCV's anti-aliasing adds up to two pixels to each, as ink spreads in paper."""
    widths = [2.0, 3.0, 4.0, 5.0, 6.0]
    drawn = [drawn_width(width) for width in widths]
    assert np.polyfit(widths, drawn, 1)[0] == pytest.approx(1, abs=0.2)
    assert all(0 < there - asked < 2.6 for there, asked in zip(drawn, widths, strict=True))


def test_strokes_of_one_pen_differ_in_width() -> None:
    rng = np.random.default_rng(3)
    areas = {int(stroke_mask([LINE], 4.4, 10.0, (200, 300), rng).sum()) // 5000 for _ in range(30)}
    assert len(areas) > 1


def test_no_strokes_no_ink() -> None:
    assert (inked(BLACK, []) == 255).all()


def test_ink_has_its_colour() -> None:
    blue = inked(Pen((0.55, 0.22, 0.15), 0.8, 1.0, 0.0, 0.0))[100, 150]
    assert blue / 255 == pytest.approx([0.55, 0.22, 0.15], abs=0.02)


def test_a_thin_film_lets_the_paper_through() -> None:
    half = inked(Pen((0.0, 0.0, 0.0), 0.8, 0.5, 0.0, 0.0))[100, 150]
    assert half == pytest.approx(255 * 0.5, abs=2)


def test_ink_darkens_what_is_printed_below() -> None:
    """A stroke over a gray line is darker than one on white, and never lighter than the print."""
    on_white, on_gray = inked(BLACK), inked(BLACK, gray=120)
    assert on_gray[100, 150, 0] < on_white[100, 150, 0]
    assert (on_gray <= 120).all()


def test_pencil_is_rough_and_felt_pens_are_not() -> None:
    rough = inked(Pen((0.2, 0.2, 0.2), 0.8, 0.9, 0.6, 0.0))[98:103, 60:240, 0]
    even = inked(Pen((0.2, 0.2, 0.2), 0.8, 0.9, 0.0, 0.0))[98:103, 60:240, 0]
    assert rough.std() > 10
    assert even.std() < 1


def test_pressure_varies_along_a_stroke() -> None:
    varied = inked(Pen((0.1, 0.1, 0.1), 0.8, 0.9, 0.0, 0.3))[98:103, 60:240, 0].astype(float)
    assert np.ptp(varied.mean(0)) > 15


def test_the_seed_decides_all() -> None:
    pencil = Pen((0.25, 0.25, 0.26), 0.5, 0.7, 0.5, 0.3)
    assert np.array_equal(inked(pencil, seed=4), inked(pencil, seed=4))
    assert not np.array_equal(inked(pencil, seed=4), inked(pencil, seed=5))


def test_strokes_may_run_off_the_paper() -> None:
    picture = inked(BLACK, [np.array([[-10.0, 5.0], [50.0, 5.0]]), np.array([[100.0, 100.0], [120.0, 100.0]])])
    assert (picture[50, [0, -1], 0] < 60).all()


def test_people_use_all_kinds_of_pens() -> None:
    rng = np.random.default_rng(3)
    pens = [random_pen(rng) for _ in range(400)]
    pencils = [p for p in pens if max(p.ink_bgr) - min(p.ink_bgr) < 0.25 and p.grain > 0.15]
    assert 0.15 < len(pencils) / len(pens) < 0.5
    assert any(p.opacity < 0.5 for p in pencils), "no faint pencil"
    assert sum(p.ink_bgr[0] > p.ink_bgr[2] + 0.2 for p in pens) > 40, "few blue pens"
    for pen in pens:
        assert 0.25 <= pen.width_mm <= 0.9
        assert 0.3 < pen.opacity <= 1
        assert all(0 < c < 1 for c in pen.ink_bgr)
