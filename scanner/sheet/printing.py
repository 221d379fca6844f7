"""The sheets that players print."""

from collections.abc import Iterator
from types import MappingProxyType
from typing import Final, Literal

from scanner.sheet import codes
from scanner.sheet.drawing import sheet_drawing
from scanner.sheet.pdf import Destination, write_pdf
from scanner.sheet.primitives import Drawing
from scanner.sheet.style import HOUSE, Style
from scanner.sheet.template import load_template

Paper = Literal["a4", "letter"]

PAPERS_MM: Final = MappingProxyType({"a4": (297.0, 210.0), "letter": (279.4, 215.9)})
"""Width and height, landscape."""


def write_sheets(
    destination: Destination, game: str, seats: int, *, paper: Paper = "a4", number: int, style: Style = HOUSE
) -> None:
    """Write set `number` of a game's sheets as vector PDF, a page a seat from seat 1 on.

    The sheet of seat s carries the sheet number `number * 8 + s - 1`. On other paper than the template's the same drawing is
    scaled uniformly to fit and centred.

    KeyError for a game without a template or an unknown paper; ValueError for `seats` outside 1..8 or `number` outside
    0..`codes.SET_NUMBERS - 1`; OSError if the file cannot be written.
    """
    template = load_template(game)
    if not 1 <= seats <= codes.SEATS:
        raise ValueError(f"a set has 1 to {codes.SEATS} seats, not {seats}")
    if not 0 <= number < codes.SET_NUMBERS:
        raise ValueError(f"set numbers are 0 to {codes.SET_NUMBERS - 1:,}, not {number}")

    def pages() -> Iterator[Drawing]:
        for seat in range(1, seats + 1):
            yield sheet_drawing(template, seat, number * codes.SEATS + seat - 1, style)

    write_pdf(destination, pages(), PAPERS_MM[paper], f"{template.title}, set {number}")
