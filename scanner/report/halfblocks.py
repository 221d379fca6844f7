"""Pieces of a photo drawn at a terminal: two pixels a character, in half blocks.

Where the terminal has colours they are the photo's own, so that ink stands out from print; without, ink is drawn as solid
blocks, and where not even those exist, as plain characters.
"""

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from rich.color import Color
from rich.style import Style
from rich.text import Text

from scanner.geometry import BgrImage
from scanner.report.where import Box

if TYPE_CHECKING:
    from rich.console import Console

    from scanner.photo.photo import Photo
    from scanner.sheet.pose import Pose

CELL_COLUMNS: Final = 40
"""Characters across for a place as high as it is wide ..."""
MOST_COLUMNS: Final = 110
"""... and the most for one that is wider."""
_SAMPLES: Final = 4
"""Photo samples along a pixel, which are averaged."""
_WHITE: Final = 245
_STROKES: Final = 9
"""Pixels wider than strokes."""
_INK: Final = 0.85
"""Share of the paper's white under which a pixel may be ink, where there are no colours."""


def piece(photo: "Photo", pose: "Pose", box: Box, width: int) -> BgrImage:
    """A piece of a sheet, upright and straight, its paper brought to white: uint8 (H, width, 3), H even."""
    left, top, right, bottom = box
    height = max(2, 2 * round(width * (bottom - top) / (right - left) / 2))
    reduction = 1
    for coarser in (2, 4):
        if pose.px_per_mm * (right - left) >= coarser * _SAMPLES * width:
            reduction = coarser
    x_mm = left + (np.arange(width * _SAMPLES) + 0.5) * (right - left) / (width * _SAMPLES)
    y_mm = top + (np.arange(height * _SAMPLES) + 0.5) * (bottom - top) / (height * _SAMPLES)
    map_x, map_y = cv2.split(pose.map_grid(x_mm, y_mm, reduction))
    fine = cv2.remap(photo.bgr(reduction), map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    small = cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA)
    # Whatever is darker than its surroundings and no wider than a few strokes is ink or print; the rest is paper in its light.
    paper = cv2.morphologyEx(small, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_STROKES, _STROKES)))
    light = np.maximum(cv2.GaussianBlur(paper, (0, 0), _STROKES / 2), 1).astype(np.float64)
    return np.asarray(np.clip(small * (_WHITE / light), 0, 255), np.uint8)


def width_for(console: "Console", box: Box) -> int:
    """How many characters across to draw a box."""
    left, top, right, bottom = box
    wanted = CELL_COLUMNS * (right - left) / (bottom - top)
    return max(8, min(round(wanted), MOST_COLUMNS, console.width - 4))


def has_colours(console: "Console") -> bool:
    """Whether the terminal has colours and nobody asked to leave them away (NO_COLOR)."""
    return console.color_system is not None and not console.no_color


def drawn(console: "Console", picture: BgrImage) -> Text:
    """A picture, uint8 (H, W, 3), H even, as H / 2 lines of text."""
    is_plain = not console.encoding.lower().startswith("utf")
    if has_colours(console) and not is_plain:
        return _in_colours(picture)
    return _as_ink(picture, " '.#" if is_plain else " ▀▄█")


def _in_colours(picture: BgrImage) -> Text:
    text = Text()
    for upper, lower in zip(picture[::2].tolist(), picture[1::2].tolist(), strict=True):
        for (b, g, r), (below_b, below_g, below_r) in zip(upper, lower, strict=True):
            text.append("▀", Style(color=Color.from_rgb(r, g, b), bgcolor=Color.from_rgb(below_r, below_g, below_b)))
        text.append("\n")
    return text


def _as_ink(picture: BgrImage, characters: str) -> Text:
    """characters: for no ink, ink in the upper half, in the lower, in both."""
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    ink = np.asarray(gray <= _INK * _WHITE)
    codes = ink[::2] + 2 * ink[1::2].astype(int)
    return Text("\n".join("".join(characters[code] for code in row) for row in codes.tolist()) + "\n")
