"""How a printed sheet looks."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from scanner.sheet import glyphs
from scanner.sheet.glyphs import Point
from scanner.sheet.primitives import Circle, Family, Line, Primitive


@dataclass(frozen=True, slots=True)
class Designs:
    """The design of each symbol, one of `glyphs.DESIGNS`."""

    sun: str = "ring"
    star: str = "outline"
    pyramid: str = "faceted"
    eye: str = "kohl"
    lotus: str = "flower"


@dataclass(frozen=True, slots=True)
class Style:
    """How a sheet looks. Widths and heights are mm, grays 0 black .. 1 white.

    level_overhang: how far a level line runs out of the grids on either side.
    title, legend, ornaments: whether they are printed.
    """

    designs: Designs = Designs()
    cell_width: float = 0.18
    cell_gray: float = 0.6
    border_width: float = 0.4
    border_gray: float = 0.15
    level_width: float = 0.6
    level_gray: float = 0.0
    level_overhang: float = 2.0
    circle_width: float = 0.35
    circle_gray: float = 0.15
    label_height: float = 2.5
    label_gray: float = 0.55
    label_bold: bool = True
    glyph_width: float = 0.5
    glyph_gray: float = 0.4
    glyph_scale: float = 1.0
    name_width: float = 0.3
    name_gray: float = 0.35
    text_gray: float = 0.2
    ink_gray: float = 0.0
    title: bool = True
    title_family: Family = "serif"
    title_height: float = 5.0
    legend: bool = True
    ornaments: bool = True


HOUSE: Final = Style()
"""The sheet that players print."""

PLAIN: Final = Style(
    designs=Designs(star="pentagram", pyramid="triangle", eye="ellipse", lotus="psi"),
    cell_width=0.25,
    cell_gray=0.5,
    border_gray=0.05,
    level_gray=0.05,
    circle_width=0.4,
    circle_gray=0.05,
    label_gray=0.5,
    glyph_width=0.65,
    glyph_gray=0.35,
    name_width=0.35,
    name_gray=0.42,
    title_family="sans",
    title_height=4.0,
    legend=False,
    ornaments=False,
)
"""The same layout without any adornment."""


def random_style(rng: np.random.Generator) -> Style:
    """A plausible print of the layout: other inks, printers, glyph designs, with or without legend."""
    base = HOUSE if rng.random() < 0.5 else PLAIN
    designs = base.designs
    if rng.random() < 0.65:
        designs = Designs(**{name: str(rng.choice(list(choice))) for name, choice in glyphs.DESIGNS.items()})
    ink = float(rng.choice([0.0, rng.uniform(0.0, 0.25)]))

    def width(low: float, high: float) -> float:
        return float(np.exp(rng.uniform(np.log(low), np.log(high))))

    def gray(low: float, high: float) -> float:
        return max(ink, float(rng.uniform(low, high)))

    legend = bool(rng.random() < 0.5)
    return replace(
        base,
        designs=designs,
        cell_width=width(0.12, 0.35),
        cell_gray=gray(0.3, 0.75),
        border_width=width(0.25, 0.6),
        border_gray=gray(0.0, 0.4),
        level_width=width(0.4, 0.9),
        level_gray=gray(0.0, 0.3),
        level_overhang=float(rng.uniform(0.0, 4.0)),
        circle_width=width(0.22, 0.5),
        circle_gray=gray(0.0, 0.5),
        label_height=float(rng.uniform(1.8, 3.2)),
        label_gray=gray(0.2, 0.7),
        label_bold=bool(rng.random() < 0.6),
        glyph_width=width(0.3, 0.85),
        glyph_gray=gray(0.15, 0.6),
        glyph_scale=float(rng.uniform(0.85, 1.12)),
        name_width=width(0.2, 0.5),
        name_gray=gray(0.0, 0.55),
        text_gray=gray(0.0, 0.5),
        ink_gray=ink,
        title_height=float(rng.uniform(3.0, 5.5)),
        title=bool(rng.random() < 0.85),
        legend=legend,
        ornaments=bool(rng.random() < (0.6 if legend else 0.3)),
    )


def symbol_primitives(
    character: str, centre: Point, scale: float, style: Style, *, gray: float, width: float
) -> Iterator[Primitive]:
    """A symbol, by its character in the state, in the style's design; `width` of its lines in mm."""
    name = glyphs.SYMBOLS[character]
    shape = glyphs.glyph(name, getattr(style.designs, name), centre, scale)
    for stroke in shape.strokes:
        yield Line(stroke.points, width * stroke.weight, gray, stroke.closed, round=True)
    for dot, radius in shape.dots:
        yield Circle(dot, radius, gray)
