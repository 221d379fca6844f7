"""PNG, WebP and HEIC containers: whether they are whole, and how large the picture is, before any decoder sees them.

References: PNG 3rd edition, section 5; RFC 9649 (WebP); ISO/IEC 14496-12 (boxes).
All raise Truncated for a container that is not whole, and TooLarge.
"""

import struct
import zlib
from typing import Final

from scanner.errors import Truncated
from scanner.photo.limits import check_pixels

_PNG_START: Final = 8
_PNG_CHANNELS: Final = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_ADAM7: Final = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
"""Of each pass: its first column and row, and the steps from one to the next."""
_CHUNK: Final = 1 << 20
_LOST: Final = 512
"""Zero bytes at the end of compressed pixels that mean a lost tail: a disk's block. What compresses well has no such runs."""


def check_png(data: bytes, name: str) -> bytes:
    """Every chunk there, with the checksum it states, IEND included, and the size within the limits. Gives the Exif block."""
    at, kind, exif = _PNG_START, b"", b""
    packed: list[memoryview] = []
    while kind != b"IEND":
        if len(data) < at + 12:
            raise Truncated(f"{name} is cut short: the PNG ends too early.")
        length, kind = struct.unpack_from(">I4s", data, at)
        if at == _PNG_START and (kind != b"IHDR" or length != 13):
            raise Truncated(f"{name} is damaged: the PNG's header is not where it belongs.")
        if len(data) < at + 12 + length:
            raise Truncated(f"{name} is cut short: the PNG ends too early.")
        (stated,) = struct.unpack_from(">I", data, at + 8 + length)
        if zlib.crc32(memoryview(data)[at + 4 : at + 8 + length]) != stated:
            raise Truncated(f"{name} is damaged inside: a checksum of the PNG is wrong.")
        if at == _PNG_START:
            width, height = struct.unpack_from(">II", data, at + 8)
            check_pixels(width, height, name)
        if kind == b"IDAT":
            packed.append(memoryview(data)[at + 8 : at + 8 + length])
        elif kind == b"eXIf":
            exif = data[at + 8 : at + 8 + length]
        at += 12 + length
    _check_rows(packed, _unpacked_size(data), name)
    return exif


def _unpacked_size(png: bytes) -> int:
    """The bytes that the rows of a PNG unpack to, each with its filter byte (sections 7.2 and 8)."""
    width, height, depth, colour, _, _, interlaced = struct.unpack_from(">IIBBBBB", png, _PNG_START + 8)
    bits = depth * _PNG_CHANNELS.get(colour, 0)
    passes = _ADAM7 if interlaced else ((0, 0, 1, 1),)
    total = 0
    for left, top, across, down in passes:
        columns, rows = -(-max(width - left, 0) // across), -(-max(height - top, 0) // down)
        total += rows * (1 + (columns * bits + 7) // 8) if columns else 0
    return total


def _check_rows(packed: list[memoryview], expected: int, name: str) -> None:
    """All rows there, and the stream's own checksum right; a decoder that has its rows may not ask for the latter."""
    unpacker, unpacked = zlib.decompressobj(), 0
    try:
        for part in packed:
            pending: bytes | memoryview = part
            while pending and not unpacker.eof and unpacked <= expected:
                unpacked += len(unpacker.decompress(pending, _CHUNK))
                pending = unpacker.unconsumed_tail
        while not unpacker.eof and unpacked <= expected and (rest := unpacker.decompress(b"", _CHUNK)):
            unpacked += len(rest)
    except zlib.error as error:
        raise Truncated(f"{name} is damaged inside: the PNG's pixels cannot be unpacked ({error}).") from error
    if unpacked < expected or (unpacked == expected and not unpacker.eof):
        raise Truncated(f"{name} is cut short: the PNG's pixels are not all there.")


def check_deflate(packed: bytes | memoryview, what: str, name: str) -> None:
    """A zlib stream whole and its checksum right, which decoders that have their pixels do not ask for. `what`: whose it is."""
    unpacker = zlib.decompressobj()
    pending: bytes | memoryview = packed
    try:
        while pending and not unpacker.eof:
            # By chunks that are thrown away, so that a bomb takes time but no memory.
            unpacker.decompress(pending, _CHUNK)
            pending = unpacker.unconsumed_tail
    except zlib.error as error:
        raise Truncated(f"{name} is damaged inside: {what} cannot be unpacked ({error}).") from error
    if not unpacker.eof:
        raise Truncated(f"{name} is cut short: {what} ends too early.")


def check_webp(data: bytes, name: str) -> None:
    """The RIFF's and its chunks' lengths within the file, and the canvas within the limits."""
    if len(data) < 30 or struct.unpack_from("<I", data, 4)[0] + 8 > len(data):
        raise Truncated(f"{name} is cut short: the WebP ends too early.")
    end = struct.unpack_from("<I", data, 4)[0] + 8
    at = 12
    while at + 8 <= end:
        kind, length = struct.unpack_from("<4sI", data, at)
        if not kind.isascii() or not kind.decode("ascii").isprintable():
            raise Truncated(f"{name} is damaged: the WebP holds something that is no part of one.")
        if kind in (b"VP8 ", b"VP8L"):
            _check_tail(data, at + 8 + length, "WebP", name)
        at += 8 + length + length % 2
    if at > end + 1:
        raise Truncated(f"{name} is damaged: a part of the WebP reaches beyond its end.")
    check_pixels(*_webp_size(data, name), name)


def _webp_size(data: bytes, name: str) -> tuple[int, int]:
    if data[12:16] == b"VP8X":
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if data[12:16] == b"VP8L" and data[20] == 0x2F:
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if data[12:16] == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    raise Truncated(f"{name} is damaged: the WebP's header cannot be understood.")


def check_boxes(data: bytes, name: str) -> None:
    """Every top-level box within the file, and both the index and the coded data there."""
    at, kinds = 0, set()
    while at < len(data):
        if len(data) < at + 8:
            raise Truncated(f"{name} is cut short: the HEIC ends too early.")
        size, kind = struct.unpack_from(">I4s", data, at)
        if size == 1 and len(data) >= at + 16:
            (size,) = struct.unpack_from(">Q", data, at + 8)
        elif size == 0:
            size = len(data) - at
        if size < 8 or at + size > len(data):
            raise Truncated(f"{name} is cut short: the HEIC ends too early.")
        if kind == b"mdat":
            _check_tail(data, at + size, "HEIC", name)
        kinds.add(kind)
        at += size
    if b"meta" not in kinds:
        raise Truncated(f"{name} is cut short: the HEIC's index is missing.")


def _check_tail(data: bytes, end: int, format_name: str, name: str) -> None:
    """A copy broken off after its whole length was reserved ends in zeros, which the decoders take for pixels."""
    tail = data[max(0, end - _LOST) : end]
    if len(tail) == _LOST and not any(tail):
        raise Truncated(f"{name} is cut short: the {format_name} ends in zeros instead of pixels.")
