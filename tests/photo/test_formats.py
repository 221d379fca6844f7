"""Every promised format gives the picture that was put in."""

import io
import pickle
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from scanner.errors import NotAnImage
from scanner.photo import LoadedPhoto, load_photos
from tests.photo.pictures import HEIGHT, WIDTH, encode, luma, png_chunk, scene


def only(data: bytes) -> LoadedPhoto:
    (photo,) = load_photos(data)
    return photo


@pytest.mark.parametrize(
    ("kind", "options", "tolerance"),
    [
        ("JPEG", {"quality": 95}, 2.0),
        ("JPEG", {"quality": 95, "progressive": True}, 2.0),
        ("JPEG", {"quality": 95, "subsampling": 0}, 2.0),
        ("JPEG", {"quality": 95, "subsampling": 1}, 2.0),
        ("JPEG", {"quality": 95, "subsampling": 2}, 2.0),
        ("JPEG", {"quality": 95, "restart_marker_rows": 1}, 2.0),
        ("JPEG", {"quality": 95, "keep_rgb": True}, 2.0),
        ("PNG", {}, 0.6),
        ("WEBP", {"quality": 95}, 3.0),
        ("WEBP", {"lossless": True}, 0.6),
        ("TIFF", {}, 0.6),
        ("TIFF", {"compression": "tiff_lzw"}, 0.6),
        ("TIFF", {"compression": "tiff_adobe_deflate"}, 0.6),
        ("TIFF", {"compression": "jpeg", "quality": 95}, 2.0),
        ("TIFF", {"big_tiff": True}, 0.6),
        ("HEIF", {"quality": 95}, 4.0),
        ("PDF", {"quality": 95}, 2.0),
    ],
)
def test_formats_give_the_picture(kind: str, options: dict[str, object], tolerance: float) -> None:
    rgb = scene()
    photo = only(encode(rgb, kind, **options))
    assert (photo.width, photo.height) == (WIDTH, HEIGHT)
    assert photo.gray().dtype == np.uint8
    assert photo.gray().shape == (HEIGHT, WIDTH)
    assert np.abs(photo.gray() - luma(rgb)).mean() < tolerance
    bgr = photo.bgr()
    assert bgr.shape == (HEIGHT, WIDTH, 3)
    assert np.abs(bgr[:, :, ::-1].astype(int) - rgb).mean() < 3 * tolerance + 1


MODES = {
    "JPEG": ["L", "RGB", "CMYK"],
    "PNG": ["1", "L", "P", "RGB", "LA", "RGBA"],
    "WEBP": ["RGB", "RGBA"],
    "TIFF": ["1", "L", "P", "RGB", "CMYK", "LA", "RGBA", "PA", "YCbCr", "LAB"],
    "HEIF": ["L", "RGB", "RGBA"],
    "PDF": ["1", "L", "P", "RGB", "LA", "RGBA"],
}


@pytest.mark.parametrize(("kind", "mode"), [(kind, mode) for kind, modes in MODES.items() for mode in modes])
def test_modes(kind: str, mode: str) -> None:
    rgb = Image.fromarray(scene())
    if mode == "LAB":
        from PIL import ImageCms

        image = ImageCms.profileToProfile(rgb, ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB"), outputMode="LAB")
        assert image is not None
    else:
        image = rgb.convert("P").convert("PA") if mode == "PA" else rgb.convert(mode)
    expected = luma(np.asarray(rgb if mode == "LAB" else image.convert("RGB")))
    photo = only(encode(image, kind))
    assert np.abs(photo.gray() - expected).mean() < 4.0
    assert photo.bgr().shape == (HEIGHT, WIDTH, 3)


def test_transparent_pictures_lie_on_white() -> None:
    rgba = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
    rgba[:, : WIDTH // 2, 3] = 255
    rgba[:, WIDTH // 2 + 10 :, 3] = 0
    palette = Image.fromarray(rgba).convert("P")
    for data in (
        encode(rgba, "PNG"),
        encode(rgba, "TIFF"),
        encode(rgba, "WEBP", lossless=True),
        encode(rgba, "HEIF", quality=-1),
        encode(palette, "PNG", transparency=int(np.asarray(palette)[0, -1])),
    ):
        grey = only(data).gray()
        assert grey[:, -20:].min() >= 254
        if data[:4] != b"\x89PNG" or b"PLTE" not in data:
            assert grey[:, : WIDTH // 2 - 10].max() <= 2


@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
def test_sixteen_bits_keep_their_tones(kind: str) -> None:
    grey = (np.linspace(0, 65535, WIDTH)[None, :] * np.ones((HEIGHT, 1))).astype(np.uint16)
    photo = only(encode(Image.fromarray(grey), kind))
    assert np.abs(photo.gray() - grey / 257.0).max() <= 1.0
    assert np.array_equal(photo.bgr()[:, :, 0], photo.gray())


@pytest.mark.parametrize("suffix", [".png", ".tiff"])
def test_sixteen_bit_colour(suffix: str) -> None:
    rgb = scene()
    data = cv2.imencode(suffix, rgb[:, :, ::-1].astype(np.uint16) * 257)[1].tobytes()
    assert np.abs(only(data).gray() - luma(rgb)).max() < 1.5


def test_interlaced_png() -> None:
    """Adam7, written by hand for a picture of one 8 x 8 tile, as Pillow cannot write it."""
    grey = np.arange(0, 256, 4, dtype=np.uint8).reshape(8, 8)
    passes = [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)]
    raw = b"".join(
        b"\0" + row.tobytes() for top, left, down, right in passes for row in grey[top::down, left::right] if row.size
    )
    import struct
    import zlib

    data = b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 1))
    data += png_chunk(b"IDAT", zlib.compress(raw)) + png_chunk(b"IEND", b"")
    assert np.array_equal(only(data).gray(), grey)


def test_every_page_of_a_tiff_and_a_pdf() -> None:
    pages = [scene(seed=seed, width=100 + 20 * seed) for seed in (1, 2, 3)]
    images = [Image.fromarray(page) for page in pages]
    for kind in ("TIFF", "PDF"):
        photos = load_photos(encode(images[0], kind, save_all=True, append_images=images[1:]), name="night")
        assert [photo.name for photo in photos] == ["night, page 1", "night, page 2", "night, page 3"]
        for photo, page in zip(photos, pages, strict=True):
            assert np.abs(photo.gray() - luma(page)).mean() < 4.0


def test_a_tiff_preview_is_no_page() -> None:
    stream = io.BytesIO()
    first, preview = Image.fromarray(scene()), Image.fromarray(scene(40, 30))
    first.save(stream, "TIFF", save_all=True, append_images=[preview])
    whole = bytearray(stream.getvalue())
    assert len(load_photos(bytes(whole))) == 2
    preview_only = io.BytesIO()
    tags = {254: 1}
    preview.save(preview_only, "TIFF", tiffinfo=tags)
    with pytest.raises(Exception, match="previews only"):
        load_photos(preview_only.getvalue())


def test_a_rotated_scan_in_a_pdf_keeps_its_pixels() -> None:
    """A4 page, scanned at 100 dpi: rendered at 100 dpi, and turned by the page's own /Rotate."""
    import pypdfium2

    scan = scene(827, 1169)
    document = pypdfium2.PdfDocument(encode(scan, "PDF", resolution=100))
    document[0].set_rotation(90)
    stream = io.BytesIO()
    document.save(stream)
    photo = only(stream.getvalue())
    assert {abs(photo.width - 1169) <= 1, abs(photo.height - 827) <= 1} == {True}
    expected = luma(np.rot90(scan, -1))[:820:25, :1160:25]
    assert np.abs(photo.gray()[:820:25, :1160:25] - expected).mean() < 12


def test_names(tmp_path: Path) -> None:
    path = tmp_path / "Tisch 4 ☀.JPG"
    path.write_bytes(encode(scene(), "JPEG"))
    assert load_photos(path)[0].name == str(path)
    assert load_photos(str(path), name="the photo")[0].name == "the photo"


def test_the_suffix_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(encode(scene(), "PNG"))
    assert load_photos(path)[0].width == WIDTH


def test_arrays() -> None:
    bgr = np.ascontiguousarray(scene()[:, :, ::-1])
    (photo,) = load_photos(bgr)
    bgr[:] = 0
    assert np.abs(photo.gray() - luma(scene())).max() < 1
    # What a caller without a type checker may do.
    careless: list[Any] = [bgr[:, :, 0], bgr.astype(np.float32), bgr[:0], np.zeros((4, 4, 4), np.uint8)]
    for wrong in careless:
        with pytest.raises(NotAnImage, match="shape"):
            load_photos(wrong)


def test_photos_travel_to_other_processes() -> None:
    for data in (encode(scene(), "JPEG"), encode(scene(), "PNG"), encode(scene(), "PDF")):
        photo = only(data)
        again = pickle.loads(pickle.dumps(photo))
        assert np.array_equal(again.gray(2), photo.gray(2))
        assert len(pickle.dumps(photo)) < len(data) + 2000


@pytest.mark.parametrize("base", [1, 2, 4])
def test_pixels_do_not_depend_on_what_was_asked_before(base: int) -> None:
    for data in (encode(scene(), "JPEG"), encode(scene(), "PNG")):
        (up,), (down,) = load_photos(data, reduction=base), load_photos(data, reduction=base)
        finest_first = {reduction: up.gray(reduction) for reduction in (1, 2, 4)}
        coarsest_first = {reduction: down.gray(reduction) for reduction in (4, 2, 1)}
        again = pickle.loads(pickle.dumps(up))
        for reduction in (4, 1, 2):
            assert np.array_equal(finest_first[reduction], coarsest_first[reduction])
            assert np.array_equal(finest_first[reduction], again.gray(reduction))


def test_pixels_are_read_only_and_kept() -> None:
    photo = only(encode(scene(), "JPEG"))
    assert photo.gray(2) is photo.gray(2)
    for pixels in (photo.gray(1), photo.gray(2), photo.gray(4), photo.bgr(1), photo.bgr(2)):
        assert not pixels.flags.writeable
    with pytest.raises(ValueError, match="reduction"):
        photo.gray(3)
