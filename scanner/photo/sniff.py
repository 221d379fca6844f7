"""Which kind of file the first bytes announce."""

import codecs
import struct
from enum import Enum
from typing import Final

from scanner.errors import NotAnImage, UnknownFormat


class Format(Enum):
    """The formats that are read."""

    JPEG = "JPEG"
    PNG = "PNG"
    WEBP = "WebP"
    TIFF = "TIFF"
    HEIC = "HEIC"
    PDF = "PDF"


_STARTS: Final = (
    (b"\xff\xd8", Format.JPEG),
    (b"\x89PNG\r\n\x1a\n", Format.PNG),
    (b"II*\0", Format.TIFF),
    (b"MM\0*", Format.TIFF),
    (b"II+\0", Format.TIFF),
    (b"MM\0+", Format.TIFF),
)

_OTHER_PICTURES: Final = (
    (b"GIF87a", "GIF"),
    (b"GIF89a", "GIF"),
    (b"8BPS", "Photoshop"),
    (b"\xff\x0a", "JPEG XL"),
    (b"\0\0\0\x0cJXL \r\n\x87\n", "JPEG XL"),
    (b"\0\0\0\x0cjP  \r\n\x87\n", "JPEG 2000"),
    (b"\xff\x4f\xff\x51", "JPEG 2000"),
    (b"\0\0\x01\0", "Windows icon"),
    (b"v/1\x01", "OpenEXR"),
    (b"\x8aMNG", "MNG"),
    (b"gimp xcf", "GIMP"),
    (b"%!PS", "PostScript"),
    (b"AT&TFORM", "DjVu"),
    (b"FUJIFILMCCD-RAW", "Fujifilm raw (RAF)"),
    (b"IIU\0", "Panasonic raw (RW2)"),
    (b"IIRO", "Olympus raw (ORF)"),
    (b"IIRS", "Olympus raw (ORF)"),
    (b"MMOR", "Olympus raw (ORF)"),
    (b"FOVb", "Sigma raw (X3F)"),
    (b"\0MRM", "Minolta raw (MRW)"),
    (b"\x1aE\xdf\xa3", "Matroska or WebM video"),
    (b"\0\0\x01\xba", "MPEG video"),
    (b"FLV\x01", "Flash video"),
)

_NO_PICTURES: Final = (
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a Windows program"),
    (b"ID3", "a sound file"),
    (b"OggS", "a sound or video file"),
    (b"SQLite format 3", "a database"),
)

_HEIC_BRANDS: Final = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"})
_AVIF_BRANDS: Final = frozenset({b"avif", b"avis"})
_VIDEO_HINT: Final = "Take a photo of the sheet instead, or save one frame of the video as JPEG."
RAW_HINT: Final = "Export it from the camera's software as JPEG, or take the camera's own JPEG of the same shot."


def sniff(data: bytes, name: str) -> Format:
    """The format that `data` announces; `name` is what messages call the file.

    Raises UnknownFormat, naming the format, for pictures and videos that are not read here, and NotAnImage for the rest.
    """
    if not data:
        raise NotAnImage(f"{name} is empty.", "Copy the photo again; nothing arrived.")
    for start, known in _STARTS:
        if data.startswith(start):
            return known
    if data[:4] == b"RIFF":
        return _sniff_riff(data, name)
    if data[4:8] == b"ftyp":
        return _sniff_ftyp(data, name)
    # A PDF may have up to a kilobyte before its header (ISO 32000-1, annex H, note 13).
    if b"%PDF-" in data[:1024]:
        return Format.PDF
    for start, other in _OTHER_PICTURES:
        if data.startswith(start):
            hint = _VIDEO_HINT if "video" in other else RAW_HINT if "raw" in other else None
            raise UnknownFormat(f"{name} is a {other} file, which is not read here.", hint)
    if _is_bmp(data):
        raise UnknownFormat(f"{name} is a BMP file, which is not read here.")
    if data[:1] == b"P" and data[1:2] in b"1234567" and data[2:3].isspace():
        raise UnknownFormat(f"{name} is a PNM file, which is not read here.")
    for start, other in _NO_PICTURES:
        if data.startswith(start):
            raise NotAnImage(f"{name} is {other}, not a picture.")
    raise _unrecognised(data, name)


def _sniff_riff(data: bytes, name: str) -> Format:
    form = data[8:12]
    if b"WEBP".startswith(form):
        return Format.WEBP
    if form == b"AVI ":
        raise UnknownFormat(f"{name} is an AVI video, which is not read here.", _VIDEO_HINT)
    raise NotAnImage(f"{name} is a sound or other RIFF file, not a picture.")


def _sniff_ftyp(data: bytes, name: str) -> Format:
    size = min(max(int.from_bytes(data[:4], "big"), 16), 256)
    major, compatible = data[8:12], {data[at : at + 4] for at in range(16, size - 3, 4)}
    # AVIF files list the general brand mif1 too, so the particular brand is asked for first.
    if major in _AVIF_BRANDS or (compatible & _AVIF_BRANDS and not compatible & {b"heic", b"heix"}):
        raise UnknownFormat(f"{name} is an AVIF file, which is not read here.")
    if major in _HEIC_BRANDS:
        return Format.HEIC
    if major == b"crx ":
        raise UnknownFormat(f"{name} is a Canon raw (CR3) file, which is not read here.", RAW_HINT)
    raise UnknownFormat(f"{name} is a video (MP4 or QuickTime), which is not read here.", _VIDEO_HINT)


def _is_bmp(data: bytes) -> bool:
    if data[:2] != b"BM" or len(data) < 18:
        return False
    (header_size,) = struct.unpack_from("<I", data, 14)
    return header_size in (12, 16, 40, 52, 56, 64, 108, 124)


def _unrecognised(data: bytes, name: str) -> NotAnImage | UnknownFormat:
    head = data[:1024].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if head.startswith((b"<svg", b"<?xml")) and b"<svg" in head:
        return UnknownFormat(f"{name} is an SVG file, which is not read here.")
    if head.startswith((b"<!doctype html", b"<html")):
        return NotAnImage(f"{name} is a web page, not a picture.", "Open the link in a browser and save the photo itself.")
    # An incremental decoder lets a character be cut by the end of the window.
    try:
        text = codecs.getincrementaldecoder("utf-8-sig")().decode(data[:1024])
    except UnicodeDecodeError:
        text = ""
    if text and all(character.isprintable() or character.isspace() for character in text):
        return NotAnImage(f"{name} is a text file, not a picture.")
    return NotAnImage(f"{name} is not a picture: its first bytes are those of no known format.")
