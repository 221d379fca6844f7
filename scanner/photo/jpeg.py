"""JPEG: markers, completeness, and decoding at a fraction of the size.

References: ITU-T T.81 (JPEG), annex B (markers) and G (progressive); Exif 2.32; libjpeg-turbo's scaled inverse DCT.
"""

import re
import struct
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.errors import Truncated, UnknownFormat
from scanner.photo.exif import UPRIGHT, flipped_axes, orientation_of, swaps_sides, turn_upright
from scanner.photo.shrink import shrink

_SOI, _EOI, _SOS, _APP1, _APP14 = 0xD8, 0xD9, 0xDA, 0xE1, 0xEE
_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_PROGRESSIVE: Final = frozenset({0xC2, 0xCA})
_DECODED: Final = frozenset({0xC0, 0xC1, 0xC2, 0xC9, 0xCA})
_STANDALONE: Final = frozenset({0x01, *range(0xD0, 0xD8)})
_COEFFICIENTS: Final = 64

# Within coded data 0xFF is followed by a stuffed zero, a restart marker or another 0xFF; all else is a marker.
_MARKER: Final = re.compile(rb"\xff[^\x00\x01\xd0-\xd7\xff]", re.DOTALL)

_SMALLEST_SCALED: Final = 64
"""Below this many pixels a side libjpeg's scales 3/8 and 1/2 can give the same size, and the wrong one could be taken."""


@dataclass(frozen=True)
class JpegHeader:
    """What stands before a JPEG's first scan. Sizes in stored pixels, before the EXIF turn."""

    width: int
    height: int
    orientation: int
    components: int
    adobe: bool
    """Whether an Adobe marker is there; with four components it means that ink values are stored inverted."""
    several_scans: bool
    frame_at: int
    """Offset of the frame header's marker."""
    scan_at: int
    """Offset of the first scan header's marker."""


def read_header(data: bytes, name: str) -> JpegHeader:
    """Walk the markers up to the first scan.

    Raises Truncated when the walk leaves the file or meets what cannot stand there, UnknownFormat for the kinds of JPEG
    that libjpeg-turbo cannot decode to 8 bits (lossless, hierarchical, 12-bit). EXIF blocks are taken as they come.
    """
    at, frame, frame_at, orientation, adobe = 2, b"", 0, UPRIGHT, False
    while True:
        while data[at : at + 2] == b"\xff\xff":
            at += 1
        if len(data) < at + 4 or data[at] != 0xFF:
            raise _cut_in_header(name)
        marker, (length,) = data[at + 1], struct.unpack_from(">H", data, at + 2)
        if marker in _STANDALONE or marker in (0x00, _SOI, _EOI) or length < 2 or at + 2 + length > len(data):
            raise _cut_in_header(name)
        segment = data[at + 4 : at + 2 + length]
        if marker in _FRAMES:
            if frame or len(segment) < 6 or len(segment) != 6 + 3 * segment[5]:
                raise _cut_in_header(name)
            if any(not (1 <= factors >> 4 <= 4 and 1 <= factors & 15 <= 4) for factors in segment[7::3]):
                raise _cut_in_header(name)
            if marker not in _DECODED or segment[0] != 8:
                raise UnknownFormat(f"{name} is a JPEG of a rare kind (lossless, hierarchical or over 8 bits), not read here.")
            frame, frame_at = segment, at
        elif marker == _APP1 and segment.startswith(b"Exif\0\0") and orientation == UPRIGHT:
            orientation = orientation_of(segment)
        elif marker == _APP14 and segment.startswith(b"Adobe"):
            adobe = True
        elif marker == _SOS:
            if not frame or not segment:
                raise _cut_in_header(name)
            height, width = struct.unpack_from(">HH", frame, 1)
            if not height or not width or not frame[5]:
                raise _cut_in_header(name)
            several = data[frame_at + 1] in _PROGRESSIVE or segment[0] != frame[5]
            return JpegHeader(width, height, orientation, frame[5], adobe, several, frame_at, at)
        at += 2 + length


def check_scans(data: bytes, header: JpegHeader, name: str) -> None:
    """Make sure that a JPEG of several scans holds them all, each component's 64 coefficients down to their last bit.

    A decoder cannot notice when whole scans are missing: it shows the picture coarser, or grey. Raises Truncated.
    """
    progressive = data[header.frame_at + 1] in _PROGRESSIVE
    identifiers = data[header.frame_at + 10 : header.frame_at + 10 + 3 * header.components : 3]
    # The bits still to come of every coefficient; more than any point transform at first.
    missing = {identifier: [_COEFFICIENTS] * _COEFFICIENTS for identifier in identifiers}
    at = header.scan_at
    while True:
        marker = data[at + 1]
        if marker == _EOI:
            break
        if len(data) < at + 4:
            raise _cut_short(name)
        (length,) = struct.unpack_from(">H", data, at + 2)
        after = at + 2 + length
        if marker == _SOS:
            segment = data[at + 4 : after]
            if not segment or len(segment) < 4 + 2 * segment[0]:
                raise _cut_short(name)
            first, last, approximation = segment[1 + 2 * segment[0] : 4 + 2 * segment[0]] if progressive else (0, 63, 0)
            for identifier in segment[1 : 1 + 2 * segment[0] : 2]:
                if identifier in missing and last < _COEFFICIENTS:
                    missing[identifier][first : last + 1] = [approximation & 0x0F] * (last + 1 - first)
        found = _MARKER.search(data, after)
        if found is None:
            raise _cut_short(name)
        at = found.start()
    if any(any(bits) for bits in missing.values()):
        raise Truncated(f"{name} is cut short: some of the JPEG's scans are missing.")


@dataclass(frozen=True)
class JpegSource:
    """A JPEG's bytes and header; decodes strictly at each call, at a fraction of the size where libjpeg can."""

    name: str
    data: bytes
    header: JpegHeader

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in px, upright."""
        sides = (self.header.width, self.header.height)
        return sides[::-1] if swaps_sides(self.header.orientation) else sides

    def scales(self, reduction: int) -> bool:
        """Whether the decoder itself can reduce, with its blocks counted from the upright picture's top left corner."""
        mirrored_x, mirrored_y = flipped_axes(self.header.orientation)
        return (
            self.header.components != 4
            and min(self.header.width, self.header.height) >= _SMALLEST_SCALED
            and not (mirrored_x and self.header.width % reduction)
            and not (mirrored_y and self.header.height % reduction)
        )

    def decode(self, colour: bool, reduction: int) -> NDArray[np.uint8]:
        """Upright pixels, (H, W) or (H, W, 3) blue first, reduced by 1, 2 or 4.

        Raises Truncated for everything that libjpeg notices: data that end early, bad codes, wrong restart markers, bytes
        left over, missing scans. Damage that still decodes to the right number of blocks (a few flipped bits) is out of
        its reach, JPEG having no checksum.
        """
        if self.header.several_scans:
            check_scans(self.data, self.header, self.name)
        if reduction > 1 and not self.scales(reduction):
            return shrink(self.decode(colour, 1), reduction)
        if self.header.components == 4:
            stored = self._decode_inks(colour)
        else:
            stored = self._decode_strictly("BGR" if colour else "GRAY", reduction)
            stored = stored if colour else stored[:, :, 0]
        return turn_upright(stored, self.header.orientation)

    def _decode_strictly(self, colourspace: str, reduction: int) -> NDArray[np.uint8]:
        """Stored pixels (H, W, channels)."""
        import simplejpeg

        height, width = -(-self.header.height // reduction), -(-self.header.width // reduction)
        smallest = {"min_height": height, "min_width": width, "min_factor": 1} if reduction > 1 else {}
        try:
            stored: NDArray[np.uint8] = simplejpeg.decode_jpeg(self.data, colourspace, strict=True, **smallest)
        except ValueError as error:
            raise _decoder_error(self.name, str(error)) from error
        if stored.shape[:2] != (height, width):
            raise Truncated(f"{self.name} is damaged: the JPEG decodes to another size than its header states.")
        return stored

    def _decode_inks(self, colour: bool) -> NDArray[np.uint8]:
        """A JPEG of four inks (CMYK or YCCK) as light: the share that every ink lets through, times that of black."""
        inks = self._decode_strictly("CMYK", 1)
        light = inks if self.header.adobe else cv2.bitwise_not(inks)
        black = cv2.cvtColor(np.ascontiguousarray(light[:, :, 3]), cv2.COLOR_GRAY2BGR)
        rgb = np.ascontiguousarray(light[:, :, :3])
        bgr = cv2.cvtColor(cv2.multiply(rgb, black, scale=1 / 255), cv2.COLOR_RGB2BGR)
        return np.asarray(bgr if colour else cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def _decoder_error(name: str, cause: str) -> Truncated:
    if "premature end" in cause.lower():
        return _cut_short(name)
    if "subsampling" in cause:
        # libjpeg says the same of a damaged frame header and of sampling factors that hardly any encoder writes.
        return Truncated(
            f"{name} is damaged, or a JPEG with rare sampling factors.",
            "Copy the photo again from the phone or camera; if that does not help, save it as PNG.",
        )
    return Truncated(f"{name} is damaged inside: {cause}.")


def _cut_in_header(name: str) -> Truncated:
    return Truncated(f"{name} is cut short or damaged: the JPEG's header is not complete.")


def _cut_short(name: str) -> Truncated:
    return Truncated(f"{name} is cut short: the JPEG's data end too early.")
