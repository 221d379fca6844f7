"""Writes drawings as vector PDF pages, with the standard fonts that every viewer and printer has."""

from collections.abc import Iterable
from os import PathLike, fspath
from typing import Any, BinaryIO, Final

from scanner.sheet.primitives import Area, Circle, Drawing, Line, Primitive, Text

Destination = str | PathLike[str] | BinaryIO
"""A file to be written, by its path or already open for writing bytes."""

POINTS_PER_MM: Final = 72 / 25.4

_FONTS: Final = {
    ("sans", False): "Helvetica",
    ("sans", True): "Helvetica-Bold",
    ("serif", False): "Times-Roman",
    ("serif", True): "Times-Bold",
}
_CAP_HEIGHT: Final = {"sans": 0.718, "serif": 0.662}
"""Height of the capitals as a part of the font size (Adobe's metrics of the standard fonts)."""


def write_pdf(destination: Destination, pages: Iterable[Drawing], page_mm: tuple[float, float], title: str) -> None:
    """Write one page of `page_mm` (width, height) a drawing, each scaled uniformly to fit and centred.

    The same drawings give the same bytes. OSError if the file cannot be written.
    """
    from reportlab.pdfgen.canvas import Canvas

    target = fspath(destination) if isinstance(destination, str | PathLike) else destination
    size = (page_mm[0] * POINTS_PER_MM, page_mm[1] * POINTS_PER_MM)
    canvas = Canvas(target, pagesize=size, invariant=1, pageCompression=1)
    canvas.setTitle(title)
    canvas.setCreator("obelisk-scan")
    canvas.setViewerPreference("PrintScaling", "None")
    for drawing in pages:
        width, height = drawing.paper_mm
        scale = min(page_mm[0] / width, page_mm[1] / height)
        # PDF's y points up: turn it round, so that the primitives are painted in sheet mm as they are.
        canvas.translate(POINTS_PER_MM * (page_mm[0] - scale * width) / 2, POINTS_PER_MM * (page_mm[1] + scale * height) / 2)
        canvas.scale(POINTS_PER_MM * scale, -POINTS_PER_MM * scale)
        for primitive in drawing.primitives:
            _paint(canvas, primitive)
        canvas.showPage()
    canvas.save()


def _paint(canvas: Any, primitive: Primitive) -> None:
    canvas.setStrokeGray(primitive.gray)
    canvas.setFillGray(primitive.gray)
    if isinstance(primitive, Line):
        _line(canvas, primitive)
    elif isinstance(primitive, Circle):
        filled = primitive.width is None
        canvas.setLineWidth(primitive.width or 0)
        canvas.circle(*primitive.centre, primitive.radius, stroke=not filled, fill=filled)
    elif isinstance(primitive, Area):
        path = canvas.beginPath()
        for contour in primitive.contours:
            _trace(path, contour)
            path.close()
        canvas.drawPath(path, stroke=0, fill=1, fillMode=0)
    else:
        _text(canvas, primitive)


def _line(canvas: Any, line: Line) -> None:
    canvas.setLineWidth(line.width)
    canvas.setLineCap(1 if line.round else 0)
    canvas.setLineJoin(1 if line.round else 0)
    path = canvas.beginPath()
    _trace(path, line.points)
    if line.closed:
        path.close()
    canvas.drawPath(path, stroke=1, fill=0)


def _trace(path: Any, points: Iterable[tuple[float, float]]) -> None:
    first, *rest = points
    path.moveTo(*first)
    for point in rest:
        path.lineTo(*point)


def _text(canvas: Any, text: Text) -> None:
    canvas.saveState()
    canvas.translate(*text.origin)
    canvas.scale(1, -1)
    canvas.setFont(_FONTS[text.family, text.bold], text.cap_height / _CAP_HEIGHT[text.family])
    draw = {"start": canvas.drawString, "middle": canvas.drawCentredString, "end": canvas.drawRightString}[text.anchor]
    draw(0, 0, text.text)
    canvas.restoreState()
