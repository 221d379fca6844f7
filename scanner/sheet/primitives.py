"""Vector primitives in sheet mm, independent of where they are drawn.

Gray levels run from 0 (black) to 1 (white); primitives are painted in order, opaque.
"""

from dataclasses import dataclass
from typing import Literal

from scanner.sheet.glyphs import Point

Anchor = Literal["start", "middle", "end"]
Family = Literal["sans", "serif"]


@dataclass(frozen=True, slots=True)
class Line:
    """A stroke through `points` of `width` mm; with round caps and joins, or butt caps and mitred joins."""

    points: tuple[Point, ...]
    width: float
    gray: float
    closed: bool = False
    round: bool = False


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle; filled if `width` is None, else a stroke of `width` mm centred on the radius."""

    centre: Point
    radius: float
    gray: float
    width: float | None = None


@dataclass(frozen=True, slots=True)
class Area:
    """A filled area bounded by closed contours (even-odd rule)."""

    contours: tuple[tuple[Point, ...], ...]
    gray: float


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text: `origin` is its start, middle or end on the baseline, `cap_height` the height of its capitals, mm."""

    text: str
    origin: Point
    cap_height: float
    gray: float
    anchor: Anchor = "start"
    bold: bool = False
    family: Family = "sans"


Primitive = Line | Circle | Area | Text


@dataclass(frozen=True, slots=True)
class Drawing:
    """`paper_mm` is (width, height); `primitives` are painted in order on white."""

    paper_mm: tuple[float, float]
    primitives: tuple[Primitive, ...]


def rectangle(left: float, top: float, right: float, bottom: float) -> tuple[Point, ...]:
    """The corners, clockwise as seen on paper."""
    return ((left, top), (right, top), (right, bottom), (left, bottom))
