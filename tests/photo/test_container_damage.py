"""PNG, WebP, TIFF, HEIC and PDF that are not whole are found out."""

import io
import struct
import sys
import zlib

import numpy as np
import pypdfium2
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from scanner.errors import NotAnImage, PhotoError, Truncated
from scanner.photo import load_photos
from tests.photo.pictures import encode, exif_with, luma, png_chunk, scene

RGB = scene(64, 48)
LARGER = scene(256, 192)
WHOLE = {
    "PNG": encode(RGB, "PNG"),
    "PNG palette": encode(Image.fromarray(RGB).convert("P"), "PNG"),
    "WebP": encode(LARGER, "WEBP", quality=80),
    "WebP lossless": encode(RGB, "WEBP", lossless=True),
    "WebP extended": encode(LARGER, "WEBP", quality=80, exif=exif_with(6)),
    "TIFF": encode(RGB, "TIFF"),
    "TIFF LZW": encode(RGB, "TIFF", compression="tiff_lzw"),
    "TIFF Deflate": encode(RGB, "TIFF", compression="tiff_adobe_deflate"),
    "TIFF JPEG": encode(RGB, "TIFF", compression="jpeg"),
    "TIFF fax": encode(Image.fromarray(RGB).convert("1"), "TIFF", compression="group4"),
    "HEIC": encode(RGB, "HEIF", quality=80),
    "PDF": encode(RGB, "PDF"),
    "PDF fax": encode(Image.fromarray(RGB).convert("1"), "PDF"),
}


def test_a_program_without_standard_error_reads_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert load_photos(WHOLE["TIFF"])[0].gray().size == RGB.size // 3


@pytest.mark.parametrize("kind", WHOLE)
def test_cuts_are_found(kind: str) -> None:
    whole = WHOLE[kind]
    assert load_photos(whole)[0].gray().size in (RGB.size // 3, LARGER.size // 3)
    step = max(1, len(whole) // 100)
    for kept in [*range(16, len(whole), step), len(whole) - 2, len(whole) - 1]:
        if whole[kept:].strip():  # a PDF may lack the line end after its last word
            with pytest.raises(Truncated):
                load_photos(whole[:kept])


@pytest.mark.parametrize("kind", WHOLE)
def test_a_copy_broken_off_and_filled_with_zeros_is_found(kind: str) -> None:
    """As far as the format lets one: uncompressed TIFF cannot tell black from lost, nor HEIC and WebP a few hundred bytes."""
    whole = WHOLE[kind]
    last = {"TIFF": 13, "TIFF JPEG": 200}.get(kind, len(whole) - 600)
    for kept in range(12, last, max(1, len(whole) // 40)):
        with pytest.raises(PhotoError):
            load_photos(whole[:kept] + bytes(len(whole) - kept))


def test_every_byte_of_a_png_counts() -> None:
    whole = WHOLE["PNG palette"]
    for at in range(len(whole)):
        damaged = bytearray(whole)
        damaged[at] ^= 0x10
        with pytest.raises((Truncated, NotAnImage)):
            load_photos(bytes(damaged))


@pytest.mark.parametrize("interlaced", [0, 1])
@pytest.mark.parametrize("cut", ["rows", "stream"])
def test_a_png_with_sound_checksums_but_too_few_pixels(interlaced: int, cut: str) -> None:
    """An encoder that died, or a file patched up: IEND and all checksums are there, the rows are not."""
    raw = b"".join(b"\0" + bytes(range(64)) for _ in range(48 if interlaced else 64))
    packed = zlib.compress(raw[: len(raw) // 2] if cut == "rows" else raw)
    packed = packed if cut == "rows" else packed[:-12]
    data = b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 64, 8, 0, 0, 0, interlaced))
    data += png_chunk(b"IDAT", packed) + png_chunk(b"IEND", b"")
    with pytest.raises(Truncated):
        load_photos(data)


@pytest.mark.parametrize(("kind", "found"), [("TIFF fax", 90), ("TIFF Deflate", 90), ("TIFF LZW", 60)])
def test_damage_inside_a_tiff(kind: str, found: int) -> None:
    """At least that many of 100 places of eight bytes; what is left lies in tags without meaning for the pixels."""
    rng = np.random.default_rng(5)
    count = 0
    for _ in range(100):
        damaged = bytearray(WHOLE[kind])
        at = int(rng.integers(8, len(damaged) - 8))
        damaged[at : at + 8] = rng.bytes(8)
        try:
            load_photos(bytes(damaged))
        except PhotoError:
            count += 1
    assert count >= found


def test_a_broken_scan_inside_of_a_whole_pdf() -> None:
    """Bytes left out of the picture, or lost, while trailer and cross-references are there."""
    colour = scene(400, 300)
    for picture in (colour, np.asarray(Image.fromarray(colour).convert("L"))):
        whole = encode(picture, "PDF", quality=90)
        start, end = whole.index(b"stream"), whole.index(b"endstream")
        for at in range(start + 900, end - 1200, 1500):
            for damaged in (whole[:at] + bytes(1000) + whole[at + 1000 :], whole[:at] + whole[at + 1000 :]):
                with pytest.raises(Truncated):
                    load_photos(damaged)


def test_a_broken_flate_stream_inside_of_a_pdf() -> None:
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=(200, 150), pageCompression=1)
    canvas.drawImage(ImageReader(Image.fromarray(scene(400, 300))), 0, 0, 200, 150)
    canvas.save()
    # reportlab wraps its streams into ASCII; pdfium, saving, does not.
    document = pypdfium2.PdfDocument(stream.getvalue())
    bitmap = pypdfium2.PdfBitmap.from_pil(Image.fromarray(scene(400, 300)))
    picture = pypdfium2.PdfImage.new(document)
    picture.set_bitmap(bitmap)
    picture.set_matrix(pypdfium2.PdfMatrix().scale(200, 150))
    page = document.new_page(200, 150)
    page.insert_obj(picture)
    page.gen_content()
    del document[0]
    saved = io.BytesIO()
    document.save(saved)
    whole = saved.getvalue()
    assert np.abs(load_photos(whole)[0].gray() - luma(scene(400, 300))).mean() < 2
    at = whole.index(b"stream", whole.index(b"/Image")) + 2000
    for damaged in (whole[:at] + bytes(1000) + whole[at + 1000 :], whole[:at] + whole[at + 1000 :]):
        with pytest.raises(Truncated):
            load_photos(damaged)


def test_one_bad_page_does_not_take_the_others_with_it() -> None:
    pages = [Image.fromarray(scene(400, 300, seed)) for seed in (1, 2, 3)]
    whole = encode(pages[0], "PDF", save_all=True, append_images=pages[1:], quality=90)
    at = whole.index(b"stream", whole.index(b"endstream", whole.index(b"DCTDecode", whole.index(b"DCTDecode") + 9)) + 9) - 3000
    damaged = whole[:at] + bytes(1000) + whole[at + 1000 :]
    verdicts = []
    for photo in load_photos(damaged, name="scans.pdf"):
        try:
            photo.gray()
            verdicts.append("read")
        except Truncated as error:
            verdicts.append("truncated" if photo.name in error.message else error.message)
    assert sorted(verdicts) == ["read", "read", "truncated"]


def test_nothing_but_photo_errors_comes_out(capfd: pytest.CaptureFixture[str]) -> None:
    """Sixty kinds of damage for every format, no other exception, and no word on standard error."""
    rng = np.random.default_rng(6)
    said: list[tuple[str, str]] = []
    for whole in WHOLE.values():
        for _ in range(60):
            damaged = bytearray(whole)
            at = int(rng.integers(0, len(damaged) - 8))
            damaged[at : at + int(rng.integers(1, 9))] = rng.bytes(int(rng.integers(0, 12)))
            try:
                for photo in load_photos(bytes(damaged)):
                    photo.gray(4)
            except PhotoError as error:
                said.append((error.message, error.hint))
    assert len(said) > 300
    assert all(message and hint for message, hint in said)
    assert capfd.readouterr() == ("", "")
