"""The legend and the ornaments of the sheet of Shadow of the Obelisk."""

from collections.abc import Iterator

from scanner.sheet.primitives import Primitive, Text
from scanner.sheet.style import Style
from scanner.sheet.template import Template


def legend(template: Template, style: Style) -> Iterator[Primitive]:
    """How the sheet scores, in the free places around the grids."""
    yield Text("SCORING", (24.0, 30.0), 2.0, style.text_gray)


def ornaments(template: Template, style: Style) -> Iterator[Primitive]:
    """Pictures around the grids."""
    yield from ()
