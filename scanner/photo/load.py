"""From a path, bytes or an array to Photos that are known to be whole."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.errors import NotAnImage
from scanner.geometry import BgrImage, GrayImage, read_only
from scanner.photo.files import file_bytes
from scanner.photo.jpeg import JpegSource, read_header
from scanner.photo.limits import check_bytes, check_pixels
from scanner.photo.shrink import shrink
from scanner.photo.sniff import Format, sniff

if TYPE_CHECKING:
    from scanner.photo.pdf import PdfSource
    from scanner.photo.raster import RasterSource

_REDUCTIONS: Final = (1, 2, 4)
_REDUCED_FROM: Final = 6000


class _Source(Protocol):
    """Where pixels come from: decodes anew at each call, keeping nothing."""

    @property
    def size(self) -> tuple[int, int]: ...
    def scales(self, reduction: int) -> bool: ...
    def decode(self, colour: bool, reduction: int) -> NDArray[np.uint8]: ...


@dataclass(frozen=True)
class _ArraySource:
    bgr: BgrImage

    @property
    def size(self) -> tuple[int, int]:
        return self.bgr.shape[1], self.bgr.shape[0]

    def scales(self, reduction: int) -> bool:
        return reduction == 1

    def decode(self, colour: bool, reduction: int) -> NDArray[np.uint8]:
        return shrink(self.bgr if colour else np.asarray(cv2.cvtColor(self.bgr, cv2.COLOR_BGR2GRAY), np.uint8), reduction)


@dataclass(frozen=True, eq=False)
class LoadedPhoto:
    """The Photo of one picture or page. Pickles as its encoded bytes, without the pixels kept.

    Every decode is of the whole picture and strict, so `gray` and `bgr` raise Truncated rather than show a part.
    """

    name: str
    source: _Source = field(repr=False)
    base: int = 1
    """The reduction (1, 2 or 4) that is decoded first."""
    _kept: dict[int, GrayImage] = field(default_factory=dict, init=False, repr=False)

    @property
    def width(self) -> int:
        """Pixels, upright, at full resolution."""
        return self.source.size[0]

    @property
    def height(self) -> int:
        """Pixels, upright, at full resolution."""
        return self.source.size[1]

    def gray(self, reduction: int = 1) -> GrayImage:
        """Luma, uint8 (ceil(height / reduction), ceil(width / reduction)), read-only and kept; reduction is 1, 2 or 4.

        Up to `base`, decoded at that very reduction; beyond, averaged from `base`, which is far quicker than decoding again:
        most of a JPEG's decoding time goes into its entropy code, whatever the reduction. So the pixels do not depend on
        what was asked for before.
        """
        _check_reduction(reduction)
        if reduction not in self._kept:
            base = self.base if self.source.scales(self.base) else 1
            coarser = reduction > base
            pixels = shrink(self.gray(base), reduction // base) if coarser else self.source.decode(False, reduction)
            self._kept[reduction] = read_only(pixels)
        return self._kept[reduction]

    def bgr(self, reduction: int = 1) -> BgrImage:
        """Colour, uint8 (ceil(height / reduction), ceil(width / reduction), 3), blue first, read-only; decoded at each call."""
        _check_reduction(reduction)
        return read_only(self.source.decode(True, reduction))

    def __getstate__(self) -> dict[str, Any]:
        return {"name": self.name, "source": self.source, "base": self.base, "_kept": {}}


def load_photos(
    source: str | Path | bytes | NDArray[np.uint8], name: str | None = None, reduction: int | None = None
) -> list[LoadedPhoto]:
    """The photos in a file: one, or one a page for PDF and TIFF.

    `source` is a path, a file's bytes, or a BGR array, uint8 (H, W, 3), which is copied unless it is read-only. `name` is
    what messages and reports call it, by default the path. A single picture is decoded at once at `reduction` (1, 2 or 4),
    to make sure that it is whole; the pages of a longer document when they are first asked for, so that a damaged page does
    not take the others with it. The reduction should be the finest that will be needed; by default it is 1, or 2 from a long
    side of 6000 px on, where half of it serves any sheet.

    Raises MissingFile, NotAnImage, UnknownFormat, Truncated and TooLarge (over 100 MB or 200 megapixels, found before
    decoding). Truncated covers what the formats let one find out: checksums in PNG, lengths in all, and for JPEG all that a
    strict decoder notices. A JPEG, WebP or HEIC with a few flipped bits that still decodes to the full size cannot be told
    from a whole one.
    """
    if reduction is not None:
        _check_reduction(reduction)
    if isinstance(source, np.ndarray):
        return [LoadedPhoto(name or "array", _array_source(source, name or "array"))]
    if isinstance(source, bytes | bytearray | memoryview):
        name = name or "bytes"
        check_bytes(len(source), name)
        data = bytes(source)
    else:
        name = name or str(source)
        data = file_bytes(source, name)
    photos = [
        LoadedPhoto(page.name, page, reduction or (2 if max(page.size) >= _REDUCED_FROM else 1))
        for page in _read_headers(data, name)
    ]
    if len(photos) == 1:
        photos[0].gray(photos[0].base)
    return photos


def _read_headers(data: bytes, name: str) -> "Sequence[JpegSource | RasterSource | PdfSource]":
    kind = sniff(data, name)
    if kind is Format.JPEG:
        header = read_header(data, name)
        check_pixels(header.width, header.height, name)
        return [JpegSource(name, data, header)]
    if kind is Format.PDF:
        from scanner.photo.pdf import pdf_sources

        return pdf_sources(data, name)
    from scanner.photo.raster import raster_sources

    return raster_sources(data, kind, name)


def _array_source(array: NDArray[np.uint8], name: str) -> _ArraySource:
    if array.dtype != np.uint8 or array.ndim != 3 or array.shape[2] != 3 or not array.size:
        raise NotAnImage(
            f"{name} is not a BGR picture: its shape is {array.shape} and its type {array.dtype}.",
            "Give a uint8 array of shape (height, width, 3), blue first, as cv2.imread returns it.",
        )
    check_pixels(array.shape[1], array.shape[0], name)
    return _ArraySource(read_only(array.copy()) if array.flags.writeable else array)


def _check_reduction(reduction: int) -> None:
    if reduction not in _REDUCTIONS:
        raise ValueError(f"reduction is {reduction}; it must be 1, 2 or 4")
