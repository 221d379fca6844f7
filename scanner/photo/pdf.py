"""PDF pages of scans, rendered at the resolution of the scan in them.

Reference: ISO 32000-1 (PDF 1.7), 7.5.5 (file trailer).
"""

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.errors import ScanError, Truncated, UnknownFormat
from scanner.photo.containers import check_deflate
from scanner.photo.jpeg import JpegSource, read_header
from scanner.photo.limits import check_pixels
from scanner.photo.shrink import shrink

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage

_POINTS_PER_INCH: Final = 72.0
_DRAWN_DPI: Final = 300.0
"""For pages without a scan in them: a printed sheet's lines are 0.2 mm, two to three pixels."""
_COARSEST_DPI, _FINEST_DPI = 50.0, 1200.0
_SCAN_SHARE: Final = 0.25
"""The share of the page from which a picture counts as its scan."""
_TRAILER: Final = re.compile(rb"startxref\s+(\d+)\s+%%EOF")
_TRAILER_WINDOW: Final = 4096


@dataclass(frozen=True)
class PdfSource:
    """One page of a PDF, rendered at each call."""

    name: str
    data: bytes
    page: int
    scale: float
    """Pixels a point (1/72 inch)."""
    size: tuple[int, int]
    """Width and height in px, upright (the page's own /Rotate applied)."""

    def scales(self, reduction: int) -> bool:
        """Whether the decoder itself can reduce: never here."""
        return reduction == 1

    def decode(self, colour: bool, reduction: int) -> NDArray[np.uint8]:
        """Upright pixels on white, (H, W) or (H, W, 3) blue first.

        Raises Truncated when a JPEG or Flate stream of the page's pictures is incomplete or damaged; the renderer would show
        what is there. Other kinds of streams (fax, JBIG2, JPEG 2000) are not checked.
        """
        with _opened(self.data, self.name) as document:
            page = document[self.page]
            _check_pictures(page, self.name)
            # A copy, because the renderer's memory goes with the document.
            bgr = np.array(page.render(scale=self.scale, fill_color=(255, 255, 255, 255)).to_numpy(), dtype=np.uint8)
        if bgr.shape[1::-1] != self.size:
            raise Truncated(f"{self.name} is damaged: it renders at another size than its header states.")
        pixels = bgr if colour else np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        return shrink(pixels, reduction)


def pdf_sources(data: bytes, name: str) -> list[PdfSource]:
    """The pages of a PDF.

    Raises Truncated when the trailer is missing or the document cannot be opened, UnknownFormat when it asks for a password,
    TooLarge when a page at its scan's resolution, or a picture in it, is over the limit.
    """
    if _TRAILER.search(data, max(0, len(data) - _TRAILER_WINDOW)) is None:
        raise Truncated(f"{name} is cut short: the PDF's trailer is missing.")
    sources = []
    with _opened(data, name) as document:
        count = len(document)
        for index in range(count):
            label = f"{name}, page {index + 1}" if count > 1 else name
            page = document[index]
            scale = _scan_scale(page, label)
            width, height = (math.ceil(side * scale) for side in page.get_size())
            check_pixels(width, height, label)
            sources.append(PdfSource(label, data, index, scale, (width, height)))
            page.close()
    return sources


def _scan_scale(page: "PdfPage", label: str) -> float:
    """Pixels a point at which the page's largest scan keeps its own pixels; 300 dpi when the page is drawn."""
    from pypdfium2.raw import FPDF_PAGEOBJ_IMAGE

    page_area = math.prod(page.get_size())
    scales = []
    for picture in page.get_objects(filter=[FPDF_PAGEOBJ_IMAGE]):
        width, height = picture.get_px_size()
        check_pixels(width, height, f"A picture in {label}")
        left, bottom, right, top = picture.get_bounds()
        area = abs(right - left) * abs(top - bottom)
        # Pictures inside of form objects have bounds in the form's own frame, so only those directly on the page count.
        if picture.level == 0 and area >= _SCAN_SHARE * page_area:
            scales.append(math.sqrt(width * height / area))
    dpi = max(scales) * _POINTS_PER_INCH if scales else _DRAWN_DPI
    return min(max(dpi, _COARSEST_DPI), _FINEST_DPI) / _POINTS_PER_INCH


def _check_pictures(page: "PdfPage", name: str) -> None:
    """Raises Truncated when the stream of a picture on the page is not whole."""
    from pypdfium2.raw import FPDF_PAGEOBJ_IMAGE

    for picture in page.get_objects(filter=[FPDF_PAGEOBJ_IMAGE]):
        filters = picture.get_filters()
        if filters[:1] == ["FlateDecode"]:
            check_deflate(bytes(picture.get_data()), "a picture in the PDF", name)
        if filters[-1:] == ["DCTDecode"]:
            jpeg = bytes(picture.get_data(decode_simple=True))
            within = f"The JPEG in {name}"
            try:
                JpegSource(within, jpeg, read_header(jpeg, within)).decode(colour=False, reduction=2)
            except UnknownFormat:
                continue  # a rare kind, whose wholeness cannot be checked


@contextmanager
def _opened(data: bytes, name: str) -> "Iterator[PdfDocument]":
    from pypdfium2 import PdfDocument, PdfiumError

    try:
        document = PdfDocument(data)
        try:
            yield document
        finally:
            document.close()
    except (ScanError, MemoryError):
        raise
    except Exception as error:  # pypdfium2 raises several classes when strings or sizes in a damaged file make no sense
        if isinstance(error, PdfiumError) and "password" in str(error).lower():
            raise UnknownFormat(
                f"{name} is a PDF locked by a password.", "Save it without the password, or as JPEG."
            ) from error
        raise Truncated(f"{name} is cut short or damaged: the PDF cannot be read ({error}).") from error
