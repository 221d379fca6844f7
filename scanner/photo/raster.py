"""PNG, WebP, TIFF and HEIC: decoding through Pillow and libheif, after their containers have been found whole.

Pillow's format classes are used directly: `Image.open` would load all of its plug-ins.

References: TIFF 6.0; ISO/IEC 23008-12 (HEIF).
"""

import io
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.errors import ScanError, Truncated, UnknownFormat
from scanner.photo.complaints import complaints_are_damage
from scanner.photo.containers import check_boxes, check_deflate, check_png, check_webp
from scanner.photo.exif import ORIENTATION_TAG, UPRIGHT, orientation_of, swaps_sides, turn_upright
from scanner.photo.limits import check_pixels
from scanner.photo.shrink import shrink
from scanner.photo.sniff import RAW_HINT, Format

if TYPE_CHECKING:
    from PIL.Image import Image

_SUBFILE, _WIDTH, _LENGTH, _BITS, _COMPRESSION, _PHOTOMETRIC, _STRIPS, _STRIP_SIZES = 254, 256, 257, 258, 259, 262, 273, 279
_TILES, _TILE_SIZES, _SAMPLE_FORMAT, _DNG_VERSION = 324, 325, 339, 50706
_REDUCED_OR_MASK: Final = 1 | 4
_MIN_IS_WHITE, _FILTER_ARRAY, _LINEAR_RAW = 0, 32803, 34892
_FLOATS: Final = 3
_DEFLATE: Final = frozenset({8, 32946})
_DAMAGED_TAGS: Final = "Truncated File Read|Tag data larger than file|Corrupt EXIF data"
"""Where Pillow only warns, and goes on with the tags that it understood."""
_SIDEWAYS: Final = frozenset({5, 6, 7, 8})


@dataclass(frozen=True)
class RasterSource:
    """One picture of a PNG, WebP, TIFF or HEIC file, decoded at each call."""

    name: str
    data: bytes
    format: Format
    page: int
    size: tuple[int, int]
    """Width and height in px, upright."""
    turn: int
    """The EXIF orientation that the decoder leaves to us: Pillow turns a TIFF itself, libheif a HEIC."""

    def scales(self, reduction: int) -> bool:
        """Whether the decoder itself can reduce: never here."""
        return reduction == 1

    def decode(self, colour: bool, reduction: int) -> NDArray[np.uint8]:
        """Upright pixels, (H, W) or (H, W, 3) blue first; what is transparent lies on white.

        Raises Truncated when the decoder finds the picture incomplete or damaged, or a checksum of PNG or Deflate is wrong.
        WebP, HEIC and the other kinds of TIFF have none: damage that still decodes is out of reach here, however much of the
        picture it spoils, and left to what becomes of the sheet's print.
        """
        with _decoding(self.name, self.format):
            image = _open(self.data, self.format, self.page)
            if self.format is Format.TIFF:
                _check_parts(image, self.data, self.name)
            with complaints_are_damage(self.name) if self.format is Format.TIFF else nullcontext():
                image.load()
            stored = _pixels(image, self.name, colour)
        upright = turn_upright(stored, self.turn)
        if upright.shape[1::-1] != self.size:
            raise Truncated(f"{self.name} is damaged: it decodes to another size than its header states.")
        return shrink(upright, reduction)


def raster_sources(data: bytes, kind: Format, name: str) -> list[RasterSource]:
    """The pictures of a file: one, except for TIFF, which has one a page.

    Raises Truncated for a container that is not whole, TooLarge from its headers, UnknownFormat for kinds of TIFF that hold
    no finished picture (camera raw, floating point).
    """
    if kind is Format.TIFF:
        return _tiff_pages(data, name)
    exif = b""
    if kind is Format.PNG:
        exif = check_png(data, name)
    elif kind is Format.WEBP:
        check_webp(data, name)
    else:
        check_boxes(data, name)
    with _decoding(name, kind):
        image = _open(data, kind, 0)
    check_pixels(*image.size, name)
    if kind is Format.WEBP:
        exif = image.info.get("exif", b"")
    turn = orientation_of(exif)
    return [RasterSource(name, data, kind, 0, image.size[::-1] if swaps_sides(turn) else image.size, turn)]


def _tiff_pages(data: bytes, name: str) -> list[RasterSource]:
    pages = []
    with _decoding(name, Format.TIFF):
        image = _open(data, Format.TIFF, 0)
        for page in range(getattr(image, "n_frames", 1)):
            image.seek(page)
            tags = _tags(image)
            if _DNG_VERSION in tags or tags.get(_PHOTOMETRIC) in (_FILTER_ARRAY, _LINEAR_RAW):
                raise UnknownFormat(f"{name} is a camera raw file (DNG or similar), which is not read here.", RAW_HINT)
            if tags.get(_SUBFILE, 0) & _REDUCED_OR_MASK:
                continue
            if _FLOATS in tags.get(_SAMPLE_FORMAT, ()):
                raise UnknownFormat(f"{name} is a TIFF of floating-point numbers, which is not read here.")
            width, height = tags[_WIDTH], tags[_LENGTH]
            check_pixels(width, height, name)
            for places, sizes in ((_STRIPS, _STRIP_SIZES), (_TILES, _TILE_SIZES)):
                if any(at + size > len(data) for at, size in zip(tags.get(places, ()), tags.get(sizes, ()), strict=False)):
                    raise Truncated(f"{name} is cut short: the TIFF's pixels are not all there.")
            pages.append((page, (height, width) if tags.get(ORIENTATION_TAG) in _SIDEWAYS else (width, height)))
    if not pages:
        raise UnknownFormat(f"{name} holds previews only, as camera raw files do, which are not read here.", RAW_HINT)
    return [
        RasterSource(f"{name}, page {number}" if len(pages) > 1 else name, data, Format.TIFF, page, size, UPRIGHT)
        for number, (page, size) in enumerate(pages, start=1)
    ]


def _tags(image: "Image") -> Mapping[int, Any]:
    """A TIFF page's tags; none of other pictures."""
    from PIL.TiffImagePlugin import TiffImageFile

    return image.tag_v2 if isinstance(image, TiffImageFile) else {}


def _check_parts(image: "Image", data: bytes, name: str) -> None:
    """The strips or tiles of a TIFF page, where they are zlib streams with their checksums."""
    tags = _tags(image)
    if tags.get(_COMPRESSION) not in _DEFLATE:
        return
    for places, sizes in ((_STRIPS, _STRIP_SIZES), (_TILES, _TILE_SIZES)):
        for at, size in zip(tags.get(places, ()), tags.get(sizes, ()), strict=False):
            check_deflate(memoryview(data)[at : at + size], "a part of the TIFF", name)


def _open(data: bytes, kind: Format, page: int) -> "Image":
    """The picture with its header read; its pixels come with load()."""
    if kind is Format.HEIC:
        from pillow_heif import HeifImageFile

        return HeifImageFile(io.BytesIO(data))
    if kind is Format.PNG:
        from PIL.PngImagePlugin import PngImageFile

        return PngImageFile(io.BytesIO(data))
    if kind is Format.WEBP:
        from PIL.WebPImagePlugin import WebPImageFile

        return WebPImageFile(io.BytesIO(data))
    from PIL.TiffImagePlugin import TiffImageFile

    image = TiffImageFile(io.BytesIO(data))
    image.seek(page)
    return image


def _pixels(image: "Image", name: str, colour: bool) -> NDArray[np.uint8]:
    """Any of Pillow's modes as 8 bits: (H, W), or (H, W, 3) blue first."""
    if image.mode.startswith("I;16") or (image.mode == "I" and image.format == "PNG"):
        grey = _sixteen_bits(image)
        return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), dtype=np.uint8) if colour else grey
    if image.mode in ("I", "F"):
        raise UnknownFormat(f"{name} is a {image.format} of 32-bit numbers, which is not read here.")
    if image.mode in ("1", "L") and "transparency" not in image.info and not colour:
        return np.array(image.convert("L"), dtype=np.uint8)
    if image.has_transparency_data:
        clear = image.convert("RGBA")
        from PIL import Image as Pillow

        image = Pillow.alpha_composite(Pillow.new("RGBA", clear.size, "white"), clear)
    rgb = np.asarray(image.convert("RGB"), dtype=np.uint8)
    return np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR if colour else cv2.COLOR_RGB2GRAY), dtype=np.uint8)


def _sixteen_bits(image: "Image") -> NDArray[np.uint8]:
    """Grey of up to 16 bits as 8, (H, W), white as the largest value."""
    tags = _tags(image)
    (bits, *_) = tags.get(_BITS, (16,))
    grey = np.asarray(image).astype(np.float32) * (255.0 / (2**bits - 1))
    if tags.get(_PHOTOMETRIC) == _MIN_IS_WHITE:
        grey = 255.0 - grey
    rounded: NDArray[np.uint8] = np.clip(np.rint(grey), 0, 255).astype(np.uint8)
    return rounded


@contextmanager
def _decoding(name: str, kind: Format) -> Iterator[None]:
    """Turn what decoders raise into Truncated, and lift Pillow's own limit on pixels while `limits` stands in for it.

    Decoders meet damage in unforeseen places and raise nearly every class that there is, so all of them are caught; memory
    errors and our own errors pass.
    """
    from PIL import Image as Pillow

    limit, Pillow.MAX_IMAGE_PIXELS = Pillow.MAX_IMAGE_PIXELS, None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            warnings.filterwarnings("error", _DAMAGED_TAGS, UserWarning)
            yield
    except (ScanError, MemoryError):
        raise
    except Exception as error:
        cause = str(error) or type(error).__name__
        if kind is Format.TIFF and isinstance(error, SyntaxError) and cause.startswith("unknown"):
            message = f"{name} is a TIFF of a kind that is not read here; camera raw files begin like this."
            raise UnknownFormat(message, RAW_HINT) from error
        raise Truncated(f"{name} is cut short or damaged: the {kind.value} cannot be decoded ({cause}).") from error
    finally:
        Pillow.MAX_IMAGE_PIXELS = limit
