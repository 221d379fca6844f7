"""What the legends of all sheets share: headings, captions, ornamental bands."""

from collections.abc import Iterator
from typing import Final

from scanner.sheet.glyphs import Point
from scanner.sheet.primitives import Anchor, Area, Line, Primitive, Text, rectangle
from scanner.sheet.style import Style

FAINT: Final = 0.15
"""How much lighter than the text captions are."""
ORNAMENT_GRAY: Final = 0.62
ORNAMENT_WIDTH: Final = 0.2


def heading(text: str, origin: Point, half_width: float, style: Style) -> Iterator[Primitive]:
    """A heading in the middle of a fine rule with lozenges at its ends; `half_width` is that of the rule."""
    x, y = origin
    yield Text(text, origin, 2.0, style.text_gray, "middle", bold=True, family="serif")
    gap = 0.75 * len(text) * 2.0 * 0.62 + 1.6
    for side in (-1, 1):
        near, far = x + side * gap, x + side * half_width
        yield Line(((near, y - 1.0), (far, y - 1.0)), 0.15, style.text_gray)
        yield Area((((near, y - 1.6), (near + 0.6, y - 1.0), (near, y - 0.4), (near - 0.6, y - 1.0)),), style.text_gray)


def caption(text: str, origin: Point, style: Style, anchor: Anchor = "start", *, size: float = 1.6) -> Primitive:
    """A small line of text, lighter than headings."""
    return Text(text, origin, size, style.text_gray + FAINT, anchor)


def label(text: str, origin: Point, style: Style, anchor: Anchor = "start", *, size: float = 1.8) -> Primitive:
    """A small line of bold text."""
    return Text(text, origin, size, style.text_gray, anchor, bold=True)


def frieze(left: float, right: float, top: float) -> Iterator[Primitive]:
    """A narrow band of blocks, 2.4 mm high, as along the top of a temple wall."""
    yield Line(rectangle(left, top, right, top + 2.4), ORNAMENT_WIDTH, ORNAMENT_GRAY, closed=True)
    count = max(1, round((right - left) / 3.2))
    for i in range(1, count):
        x = left + i * (right - left) / count
        yield Line(((x, top + 0.5), (x, top + 1.9)), ORNAMENT_WIDTH, ORNAMENT_GRAY)
