"""The five symbols as line drawings, in several designs.

A glyph is drawn around the origin for a cell of 12.5 mm (x right, y down, mm) as strokes and dots; `glyph` scales and
moves it to its cell.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import cos, pi, sin
from types import MappingProxyType
from typing import Final

Point = tuple[float, float]

CELL_MM: Final = 12.5
"""The cell for which the glyphs are drawn."""

SYMBOLS: Final = MappingProxyType({"O": "sun", "*": "star", "^": "pyramid", "@": "eye", "Y": "lotus"})
"""The state's characters and the symbols' names."""


@dataclass(frozen=True, slots=True)
class GlyphStroke:
    """A stroke through `points`; `weight` times the glyph's line width is its own."""

    points: tuple[Point, ...]
    closed: bool = False
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Glyph:
    """strokes: lines. dots: filled circles as (centre, radius)."""

    strokes: tuple[GlyphStroke, ...]
    dots: tuple[tuple[Point, float], ...] = field(default=())


def arc(centre: Point, radii: Point, start: float, end: float, steps: int = 40) -> tuple[Point, ...]:
    """Points along an axis-parallel ellipse from the angle `start` to `end` (radians, clockwise as y points down)."""
    angles = (start + (end - start) * i / steps for i in range(steps + 1))
    return tuple((centre[0] + radii[0] * cos(a), centre[1] + radii[1] * sin(a)) for a in angles)


def bezier(p0: Point, p1: Point, p2: Point, p3: Point, steps: int = 24) -> tuple[Point, ...]:
    """Points along a cubic Bezier curve, both ends included."""

    def at(t: float) -> Point:
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        return (a * p0[0] + b * p1[0] + c * p2[0] + d * p3[0], a * p0[1] + b * p1[1] + c * p2[1] + d * p3[1])

    return tuple(at(i / steps) for i in range(steps + 1))


def _ring(radius: float, weight: float = 1.0) -> GlyphStroke:
    return GlyphStroke(arc((0, 0), (radius, radius), 0, 2 * pi, 64)[:-1], closed=True, weight=weight)


def _spokes(count: int, inner: float, outer: float, weight: float = 1.0) -> tuple[GlyphStroke, ...]:
    turns = [2 * pi * i / count - pi / 2 for i in range(count)]
    return tuple(
        GlyphStroke(((inner * cos(t), inner * sin(t)), (outer * cos(t), outer * sin(t))), weight=weight) for t in turns
    )


def _star_points(outer: float) -> tuple[Point, ...]:
    return tuple((outer * cos(a), outer * sin(a) + 0.2) for a in (2 * pi * i / 5 - pi / 2 for i in range(5)))


def _pentagram() -> Glyph:
    p = _star_points(3.8)
    return Glyph((GlyphStroke((p[0], p[2], p[4], p[1], p[3]), closed=True),))


def _outline_star() -> Glyph:
    outer, inner = 3.95, 1.62
    angles = [pi * i / 5 - pi / 2 for i in range(10)]
    radii = [outer, inner] * 5
    points = tuple((r * cos(a), r * sin(a) + 0.25) for r, a in zip(radii, angles, strict=True))
    return Glyph((GlyphStroke(points, closed=True),))


def _five_arms() -> Glyph:
    return Glyph(_spokes(5, 0.0, 3.7, 1.15))


_TRIANGLE: Final = GlyphStroke(((0.0, -3.2), (3.5, 3.1), (-3.5, 3.1)), closed=True)


def _faceted_pyramid() -> Glyph:
    outline = GlyphStroke(((-0.35, -3.3), (3.95, 3.05), (-3.95, 3.05)), closed=True)
    return Glyph((outline, GlyphStroke(((-0.35, -3.3), (1.75, 3.05)), weight=0.55)))


def _coursed_pyramid() -> Glyph:
    courses = tuple(GlyphStroke(((-w, y), (w, y)), weight=0.5) for w, y in ((1.15, -1.1), (2.3, 1.0)))
    return Glyph((_TRIANGLE, *courses))


def _ellipse_eye() -> Glyph:
    lid = GlyphStroke(arc((0, 0), (3.9, 2.15), 0, 2 * pi, 64)[:-1], closed=True)
    return Glyph((lid,), (((0.0, 0.0), 0.85),))


def _almond_eye() -> Glyph:
    upper = bezier((-4.3, 0.1), (-2.2, -3.1), (2.2, -3.1), (4.3, 0.1))
    lower = bezier((4.3, 0.1), (2.2, 2.9), (-2.2, 2.9), (-4.3, 0.1))
    return Glyph((GlyphStroke(upper + lower[1:-1], closed=True),), (((0.0, -0.1), 1.0),))


def _kohl_eye() -> Glyph:
    """An almond whose outer corner runs on as a painted line, as on coffins and amulets."""
    upper = (*bezier((-4.5, 0.9), (-2.9, -2.9), (1.5, -3.3), (3.4, 0.1)), (4.5, 1.1))
    lower = bezier((-4.5, 0.9), (-2.4, 2.6), (1.6, 2.9), (3.4, 0.1))
    return Glyph((GlyphStroke(upper), GlyphStroke(lower)), (((-0.35, -0.2), 1.05),))


def _psi_lotus() -> Glyph:
    bowl = ((-2.9, -3.5), (-2.9, -1.8), *arc((0, -1.8), (2.9, 2.4), pi, 0)[1:-1], (2.9, -1.8), (2.9, -3.5))
    return Glyph((GlyphStroke(bowl), GlyphStroke(((0.0, -3.7), (0.0, 3.8)))))


def _angular_lotus() -> Glyph:
    return Glyph((GlyphStroke(((-3.1, -3.0), (0.0, 0.9), (3.1, -3.0))), GlyphStroke(((0.0, -3.6), (0.0, 3.6)))))


def _flower_lotus() -> Glyph:
    """Outer petals that curl out from the stem, the middle one upright."""
    left = (
        *bezier((0.0, 1.3), (-1.9, 1.2), (-2.9, -0.3), (-3.0, -1.9)),
        *bezier((-3.0, -1.9), (-3.03, -2.6), (-3.4, -3.1), (-4.0, -3.3)),
    )
    right = tuple((-x, y) for x, y in left)
    return Glyph((GlyphStroke((*left[::-1], *right[1:])), GlyphStroke(((0.0, -3.7), (0.0, 3.8)))))


DESIGNS: Final[Mapping[str, Mapping[str, Callable[[], Glyph]]]] = MappingProxyType(
    {
        "sun": {
            "ring": lambda: Glyph((_ring(3.3),)),
            "double": lambda: Glyph((_ring(3.7), _ring(2.5, 0.5))),
            "rays": lambda: Glyph((_ring(2.4), *_spokes(8, 3.3, 4.3, 0.8))),
        },
        "star": {"pentagram": _pentagram, "outline": _outline_star, "arms": _five_arms},
        "pyramid": {"triangle": lambda: Glyph((_TRIANGLE,)), "faceted": _faceted_pyramid, "coursed": _coursed_pyramid},
        "eye": {"ellipse": _ellipse_eye, "almond": _almond_eye, "kohl": _kohl_eye},
        "lotus": {"psi": _psi_lotus, "angular": _angular_lotus, "flower": _flower_lotus},
    }
)
"""symbol -> design -> the glyph."""


def glyph(symbol: str, design: str, centre_mm: Point, scale: float) -> Glyph:
    """A glyph in sheet mm, `scale` times its size for a cell of 12.5 mm; KeyError for an unknown symbol or design."""
    plain = DESIGNS[symbol][design]()

    def placed(point: Point) -> Point:
        return (centre_mm[0] + scale * point[0], centre_mm[1] + scale * point[1])

    strokes = tuple(GlyphStroke(tuple(map(placed, s.points)), s.closed, s.weight) for s in plain.strokes)
    return Glyph(strokes, tuple((placed(c), scale * r) for c, r in plain.dots))
