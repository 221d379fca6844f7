"""A JPEG that is not whole is never read as whole, wherever it was cut and whatever was appended; harmless additions pass."""

import cv2
import numpy as np
import pytest
from PIL import Image

from scanner.errors import Truncated, UnknownFormat
from scanner.photo import load_photos
from scanner.photo.jpeg import JpegSource, check_scans, read_header
from tests.photo.pictures import encode, exif_with, luma, scene, with_app1

EOI = b"\xff\xd9"


def with_samplings(factor: int) -> bytes:
    return bytes(cv2.imencode(".jpg", scene(48, 40), [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, factor])[1].tobytes())


KINDS = {
    "baseline": encode(scene(48, 40), "JPEG", quality=85),
    "4:4:4": encode(scene(48, 40), "JPEG", quality=85, subsampling=0),
    "4:2:2": with_samplings(cv2.IMWRITE_JPEG_SAMPLING_FACTOR_422),
    "4:4:0": with_samplings(cv2.IMWRITE_JPEG_SAMPLING_FACTOR_440),
    "4:1:1": with_samplings(cv2.IMWRITE_JPEG_SAMPLING_FACTOR_411),
    "optimised": encode(scene(48, 40), "JPEG", quality=85, optimize=True),
    "progressive": encode(scene(48, 40), "JPEG", quality=85, progressive=True),
    "restarts": encode(scene(48, 40), "JPEG", quality=85, restart_marker_blocks=2),
    "grey": encode(np.asarray(scene(48, 40)[:, :, 1]), "JPEG", quality=85),
    "exif": encode(scene(48, 40), "JPEG", quality=85, exif=exif_with(6)),
    "with a thumbnail": with_app1(encode(scene(48, 40), "JPEG"), b"Exif\0\0" + encode(scene(16, 12, seed=2), "JPEG")),
    "four inks": encode(Image.fromarray(scene(48, 40)).convert("CMYK"), "JPEG"),
    "large": encode(scene(200, 150), "JPEG", quality=60),
    "large progressive": encode(scene(200, 150), "JPEG", quality=60, progressive=True),
}
SMALL = [kind for kind in KINDS if not kind.startswith("large")]


@pytest.mark.parametrize("kind", KINDS)
def test_whole_ones_are_read(kind: str) -> None:
    (photo,) = load_photos(KINDS[kind])
    assert photo.gray().size in (48 * 40, 200 * 150)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("appended", [b"", EOI, b"\xff", b"\xff\xff\xff" + EOI], ids=["", "EOI", "FF", "FF+EOI"])
def test_every_cut_is_found(kind: str, appended: bytes) -> None:
    """From two bytes to all but the end marker's two, every byte of the small files and every seventh of the large ones."""
    whole = KINDS[kind]
    for kept in range(2, len(whole) - 2, 1 if kind in SMALL else 7):
        with pytest.raises(Truncated):
            load_photos(whole[:kept] + appended)


@pytest.mark.parametrize("kind", KINDS)
def test_the_end_marker_is_asked_for(kind: str) -> None:
    for kept in (len(KINDS[kind]) - 2, len(KINDS[kind]) - 1):
        with pytest.raises(Truncated):
            load_photos(KINDS[kind][:kept])


@pytest.mark.parametrize("kind", ["large", "large progressive"])
def test_a_copy_broken_off_and_filled_with_zeros_is_found(kind: str) -> None:
    """What is left when a transfer reserves the whole length and then stops."""
    whole = KINDS[kind]
    for kept in range(2, len(whole) - 2, 11):
        with pytest.raises(Truncated):
            load_photos(whole[:kept] + bytes(len(whole) - kept))


def test_missing_scans_are_found() -> None:
    """Cut exactly between two scans and ended properly: libjpeg would show a coarser picture without a word."""
    whole = KINDS["large progressive"]
    starts = [at for at in range(len(whole) - 1) if whole[at : at + 2] == b"\xff\xda"]
    assert len(starts) > 5
    for start in starts[1:]:
        with pytest.raises(Truncated, match="scans are missing"):
            load_photos(whole[:start] + EOI)


@pytest.mark.parametrize("decoder", ["gray 1", "gray 2", "gray 4", "bgr 1", "bgr 2"])
def test_damage_is_found_at_every_size(decoder: str) -> None:
    """No fraction of the size, and no colour, is decoded with less care."""
    whole = KINDS["large"]
    header = read_header(whole, "photo")
    colour, reduction = decoder.startswith("bgr"), int(decoder[-1])
    for kept in range(header.scan_at + 20, len(whole) - 2, 31):
        with pytest.raises(Truncated):
            JpegSource("photo", whole[:kept] + EOI, header).decode(colour, reduction)


@pytest.mark.parametrize("filling", ["zeros", "noise"])
def test_lost_blocks_are_found(filling: str) -> None:
    """A disk or card loses blocks of 512 bytes. Single flipped bits often still decode, so they are not asked for here."""
    rng = np.random.default_rng(3)
    whole = encode(scene(640, 480), "JPEG", quality=90)
    first = read_header(whole, "photo").scan_at
    for at in rng.integers(first, len(whole) - 600, 60):
        block = bytes(512) if filling == "zeros" else rng.bytes(512)
        with pytest.raises(Truncated):
            load_photos(whole[:at] + block + whole[at + 512 :])


def test_left_out_and_repeated_bytes_are_found() -> None:
    rng = np.random.default_rng(4)
    whole = encode(scene(640, 480), "JPEG", quality=90)
    first = read_header(whole, "photo").scan_at + 20
    for at in rng.integers(first, len(whole) - 2000, 20):
        with pytest.raises(Truncated):
            load_photos(whole[:at] + whole[at + 1500 :])
        with pytest.raises(Truncated):
            load_photos(whole[: at + 1500] + whole[at:])


def test_another_picture_size_in_the_header_is_found() -> None:
    whole = bytearray(encode(scene(640, 480), "JPEG", quality=90))
    at = read_header(bytes(whole), "photo").frame_at + 5
    for height in (464, 496, 960):
        whole[at : at + 2] = height.to_bytes(2, "big")
        with pytest.raises(Truncated):
            load_photos(bytes(whole))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "appended",
    [
        b"\0" * 5000,
        b"trailer of some phone",
        EOI,
        KINDS["baseline"],
        KINDS["baseline"][:300],
        b"\0\0\0\x18ftypmp42" + b"\0" * 40,
    ],
    ids=["zeros", "text", "EOI", "second picture", "part of a second picture", "motion photo"],
)
def test_what_phones_append_is_no_damage(kind: str, appended: bytes) -> None:
    (plain,) = load_photos(KINDS[kind])
    (photo,) = load_photos(KINDS[kind] + appended)
    assert np.array_equal(photo.gray(), plain.gray())


def test_fill_bytes_between_segments_are_no_damage() -> None:
    whole = KINDS["baseline"]
    (photo,) = load_photos(whole[:2] + b"\xff" * 3 + whole[2:])
    assert np.array_equal(photo.gray(), load_photos(whole)[0].gray())


def test_baseline_in_several_scans() -> None:
    """One scan a component, here two grey pictures in one file: without the second scan it is not whole."""
    grey = encode(np.asarray(scene(48, 40)[:, :, 1]), "JPEG", quality=85)
    header = read_header(grey, "photo")
    frame, scan = header.frame_at, header.scan_at
    two = (
        grey[:frame]
        + b"\xff\xc0" + (14).to_bytes(2, "big") + grey[frame + 4 : frame + 9] + b"\x02\x01\x11\0\x02\x11\0"
        + grey[frame + 13 : scan]
    )  # fmt: skip
    first = grey[scan:-2]
    second = first[:5] + b"\x02" + first[6:]
    with pytest.raises(Truncated, match="scans are missing"):
        load_photos(two + first + EOI)
    check_scans(two + first + second + EOI, read_header(two + first + second + EOI, "photo"), "photo")


@pytest.mark.parametrize(
    ("marker", "precision"), [(0xC3, 8), (0xC5, 8), (0xC1, 12)], ids=["lossless", "hierarchical", "12 bits"]
)
def test_rare_kinds_are_named(marker: int, precision: int) -> None:
    whole = bytearray(KINDS["baseline"])
    at = read_header(bytes(whole), "photo").frame_at
    whole[at + 1], whole[at + 4] = marker, precision
    with pytest.raises(UnknownFormat, match="rare kind"):
        load_photos(bytes(whole))


def test_ink_pictures_look_right() -> None:
    """CMYK as Adobe writes it, which is inverted: black on white must not come out white on black."""
    rgb = scene()
    (photo,) = load_photos(encode(Image.fromarray(rgb).convert("CMYK"), "JPEG", quality=95))
    assert np.abs(photo.gray() - luma(rgb)).mean() < 3
