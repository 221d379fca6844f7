"""A person's hand: their habits, and how they draw symbols, outlines, crossings-out, strikes and marks."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.random import Generator

from scanner.geometry import FloatArray
from scanner.synth.pen import Pen, random_pen
from scanner.synth.symbols import MARKS, SYMBOLS, Strokes, smooth

ShadowStyle = Literal["none", "each", "lines", "band", "hatch"]
MarkStyle = Literal["tick", "cross", "circle", "scribble"]


class Drawings(Protocol):
    """Where a person's drawings come from."""

    def draw(self, label: str, rng: Generator) -> Strokes:
        """Strokes of one drawing of that content label or mark style, in the unit box of `scanner.synth.symbols`."""
        ...


@dataclass(frozen=True, slots=True)
class SyntheticDrawings:
    """Drawings by the generators of `scanner.synth.symbols`, with a person's habit for each label."""

    styles: Mapping[str, float]

    def draw(self, label: str, rng: Generator) -> Strokes:
        """See `Drawings`. Now and then a person departs from their habit."""
        style = self.styles[label] if rng.random() < 0.85 else rng.random()
        generator = SYMBOLS[label] if label in SYMBOLS else MARKS[label]
        return generator(style, rng)


def synthetic_drawings(rng: Generator) -> SyntheticDrawings:
    """The habits of one more person."""
    return SyntheticDrawings({label: float(rng.random()) for label in (*SYMBOLS, *MARKS)})


@dataclass(frozen=True, slots=True)
class Hand:
    """One person filling one sheet. Lengths in sheet mm; `size` is a symbol's larger side as a part of the cell, `mark_sizes`
    the range of a mark's as a part of the circle, `mark_offset` how far off its centre, likewise, marks usually lie."""

    drawings: Drawings
    pen: Pen
    size: float
    size_spread: float
    slant: float
    tremor_mm: float
    offset: float
    outline_wobble_mm: float
    outline_in_one: bool
    skip_borders: bool
    skip_shared: float
    shadow_style: ShadowStyle
    strike_shapes: bool
    mark_style: MarkStyle
    big_crosses: bool
    mark_sizes: tuple[float, float] = (0.6, 1.35)
    mark_offset: float = 0.1

    def place(self, strokes: Strokes, centre: FloatArray, cell_mm: float, scale: float, rng: Generator) -> Strokes:
        """Unit-box strokes at `centre` (sheet mm), `scale` cells large, with this hand's slant and tremor."""
        turn = rng.normal(0, 0.08)
        shear = self.slant + rng.normal(0, 0.05)
        stretch = np.exp(rng.normal(0, 0.1))
        matrix = np.array([[np.cos(turn) * stretch, np.sin(turn)], [-np.sin(turn) - shear, np.cos(turn) / stretch]])
        return [self._tremble((s @ matrix) * (scale * cell_mm) + centre, rng) for s in strokes]

    def symbol(self, label: str, centre: FloatArray, cell_mm: float, rng: Generator) -> Strokes:
        """A symbol, crossing-out or doodle in the cell at `centre`: mostly in the middle, at times small in a corner."""
        size = float(np.clip(self.size * np.exp(rng.normal(0, self.size_spread)), 0.22, 1.0))
        spread = self.offset
        if rng.random() < 0.04:
            size, spread = rng.uniform(0.22, 0.4), 0.25
        shift = np.clip(rng.normal(0, spread, 2), -0.5, 0.5) * max(0.25, 1 - size) * cell_mm
        return self.place(self.drawings.draw(label, rng), centre + shift, cell_mm, size, rng)

    def mark(self, centre: FloatArray, diameter_mm: float, rng: Generator, style: MarkStyle | None = None) -> Strokes:
        """A marked circle: by this hand's habit, or in the style given."""
        style = style or self.mark_style
        size = rng.uniform(0.95, 1.5) if style == "circle" else rng.uniform(*self.mark_sizes)
        shift = rng.normal(0, self.mark_offset, 2) * diameter_mm
        return self.place(self.drawings.draw(style, rng), centre + shift, diameter_mm, size, rng)

    def segment(self, start: FloatArray, end: FloatArray, rng: Generator) -> FloatArray:
        """A line along the grid from start to end (sheet mm), drifting off it by about `outline_wobble_mm`."""
        length = float(np.hypot(*(end - start)))
        n = max(2, int(length / 6) + 1)
        t = np.linspace(0, 1, n)[:, None]
        points = start + (end - start) * t
        normal = np.array([start[1] - end[1], end[0] - start[0]]) / max(length, 1e-6)
        drift = rng.normal(0, self.outline_wobble_mm * 0.6, n)[:, None]
        return self._tremble(smooth(points + normal * drift, 4), rng)

    def _tremble(self, points: FloatArray, rng: Generator) -> FloatArray:
        return points + rng.normal(0, self.tremor_mm, points.shape)


def random_hand(rng: Generator, drawings: Drawings | None = None) -> Hand:
    """One more person, with a pen; their drawings synthetic unless given."""
    shadow: ShadowStyle = rng.choice(
        np.array(["none", "each", "lines", "band", "hatch"]), p=[0.25, 0.4, 0.13, 0.15, 0.07]
    ).item()
    mark: MarkStyle = rng.choice(np.array(["tick", "cross", "circle", "scribble"])).item()
    return Hand(
        drawings=drawings or synthetic_drawings(rng),
        pen=random_pen(rng),
        size=rng.uniform(0.42, 0.85),
        size_spread=rng.uniform(0.05, 0.25),
        slant=rng.normal(0, 0.1),
        tremor_mm=float(np.abs(rng.normal(0, 0.05))),
        offset=rng.uniform(0.1, 0.4),
        outline_wobble_mm=rng.uniform(0.1, 0.55),
        outline_in_one=bool(rng.random() < 0.6),
        skip_borders=bool(rng.random() < 0.35),
        skip_shared=float(rng.choice([0.0, 0.0, 0.3, 0.9])),
        shadow_style=shadow,
        strike_shapes=bool(rng.random() < 0.4),
        mark_style=mark,
        big_crosses=bool(rng.random() < 0.15),
    )
