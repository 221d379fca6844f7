"""Annotated pictures: the photo with every sheet outlined and its readings in place, and each sheet rectified.

For `photo.jpg` they are called `photo.photo.jpg` and `photo.seat2.png`; a number is added wherever two would share a name.
"""

from collections.abc import Sequence
from itertools import count
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from scanner.geometry import RECT_PX_PER_MM, BgrImage, reduced_px
from scanner.photo.photo import Photo
from scanner.report.layer import Layer, border_mm
from scanner.report.marks import DOUBTFUL, FAIR, POINTS, SURE, SURE_FROM, draw_readings
from scanner.report.paths import file_key

if TYPE_CHECKING:
    from scanner.pipeline import PhotoScan, SheetScan

SHEET_PX_PER_MM: Final = 2 * RECT_PX_PER_MM
"""Scale of the pictures of single sheets: the rectified sheet, twice as large."""
_LONG_SIDE: Final = 2600
"""Photos longer than this are shown at half or a quarter of their size."""
_STRIP_MM: Final = 9.0
_JPEG_QUALITY: Final = 90


def sheet_picture(scan: "SheetScan") -> BgrImage:
    """The rectified sheet with its readings and points, and a strip below that explains the colours; uint8 (H, W, 3)."""
    layer = Layer(scan.pose.paper_mm, SHEET_PX_PER_MM)
    draw_readings(layer, scan.template, scan.result, scan.readings)
    height, width = layer.pixels.shape[:2]
    large = cv2.resize(scan.rectified.gray, (width, height), interpolation=cv2.INTER_CUBIC)
    # Ink and print step back a little, so that the readings stand out.
    faded = np.asarray(255 - (255 - large.astype(np.uint16)) * 3 // 4, np.uint8)
    return np.concatenate([layer.over(np.asarray(cv2.cvtColor(faded, cv2.COLOR_GRAY2BGR), np.uint8)), _legend(scan)])


def _legend(scan: "SheetScan") -> BgrImage:
    width_mm = scan.pose.paper_mm[0]
    layer = Layer((width_mm, _STRIP_MM), SHEET_PX_PER_MM)
    x, middle = 6.0, _STRIP_MM / 2
    steps = (
        (SURE, f"sure ({SURE_FROM:.0%} and more)"),
        (FAIR, "less sure, nothing to ask"),
        (DOUBTFUL, "in review"),
        (POINTS, "points, shapes on the wall"),
    )
    for colour, text in steps:
        layer.rectangle((x, middle - 1.6), (3.2, 3.2), colour)
        layer.text(text, (x + 4.6, middle), 3.4, (60, 60, 60), anchor="lm", halo=None)
        x += 62.0
    white: BgrImage = np.full((*layer.pixels.shape[:2], 3), 245, np.uint8)
    return layer.over(white)


def photo_picture(photo: Photo, scans: Sequence["SheetScan"]) -> BgrImage:
    """The photo, at most about `_LONG_SIDE` px long, with its sheets outlined and their readings in place; uint8 (H, W, 3)."""
    reduction = next((r for r in (1, 2) if max(photo.width, photo.height) <= r * _LONG_SIDE), 4)
    picture: BgrImage = photo.bgr(reduction).copy()
    for scan in scans:
        layer = Layer(scan.pose.paper_mm, SHEET_PX_PER_MM)
        draw_readings(layer, scan.template, scan.result, scan.readings)
        picture = layer.over_photo(picture, reduction, scan.pose)
        outline = reduced_px(scan.pose.to_photo(border_mm(scan.pose.paper_mm)), reduction)
        thickness = max(2, round(max(picture.shape) / 600))
        cv2.polylines(picture, [np.round(outline * 16).astype(np.int32)], True, SURE, thickness, cv2.LINE_AA, 4)
    return picture


class Annotator:
    """Writes the pictures of many photos into one directory, under names that never collide with each other (whatever the
    case of their letters), nor with the photos themselves."""

    def __init__(self, directory: Path, photos: Sequence[str]) -> None:
        """Makes the directory; OSError if that cannot be done."""
        directory.mkdir(parents=True, exist_ok=True)
        self._directory = directory
        self._taken = set(map(file_key, photos))

    def write(self, scan: "PhotoScan") -> list[Path]:
        """Write a photo's pictures, two or more for a photo with a sheet, none for one without. OSError if that fails."""
        stem = PurePath(scan.result.file).stem
        stem = "stdin" if stem == "-" else stem
        written = []
        for index, photo in enumerate(scan.photos):
            scans = [sheet for sheet in scan.sheets if sheet.photo is photo]
            if not scans:
                continue
            page = f"{stem}.page{index + 1}" if len(scan.photos) > 1 else stem
            names = [f"{page}.photo", *(f"{page}.seat{sheet.pose.identity.seat}" for sheet in scans)]
            free = self._free(names, (".jpg", *(".png" for _ in scans)))
            written += free
            _save(free[0], photo_picture(photo, scans), [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
            for path, sheet in zip(free[1:], scans, strict=True):
                _save(path, sheet_picture(sheet), [])
        return written

    def _free(self, names: Sequence[str], suffixes: Sequence[str]) -> list[Path]:
        """Paths for the names, each with the least number added that makes it free, and now taken."""
        paths = []
        for name, suffix in zip(names, suffixes, strict=True):
            for number in count(1):
                path = self._directory / (f"{name}{suffix}" if number == 1 else f"{name}-{number}{suffix}")
                key = file_key(path)
                if key not in self._taken:
                    self._taken.add(key)
                    paths.append(path)
                    break
        return paths


def _save(path: Path, picture: BgrImage, parameters: list[int]) -> None:
    # Through bytes and not cv2.imwrite, which fails silently and, on some systems, on names that are not ASCII.
    done, data = cv2.imencode(path.suffix, picture, parameters)
    if not done:
        raise OSError(f"{path} cannot be encoded")
    path.write_bytes(data.tobytes())
