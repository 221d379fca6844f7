"""Pictures for the page: sheets with their readings, and crops of what is doubtful, as data URIs."""

from base64 import b64encode
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.cells import rectify
from scanner.errors import ScanError
from scanner.geometry import RECT_PX_PER_MM, GrayImage
from scanner.night.sheets import NightSheet, Sighting
from scanner.photo import load_photos
from scanner.pipeline import SheetScan
from scanner.report.annotate import sheet_picture
from scanner.report.where import Box
from scanner.sheet.template import load_template

if TYPE_CHECKING:
    from scanner.photo.photo import Photo

_SHEET_WIDTH: Final = 1500
_QUALITY: Final = 72
_CROP_SCALE: Final = 3
_NAME_SCALE: Final = 2


def scan_of(sheet: NightSheet) -> SheetScan | None:
    """The sheet in its best photo with the fused readings; None if the photo is gone or has changed since it was read."""
    best = sheet.sightings[0]
    photo = _photo(best)
    if photo is None:
        return None
    pose = best.record.full_pose()
    return SheetScan(
        photo, pose, load_template(sheet.key.game), rectify(photo, pose), sheet.readings, sheet.decoded(), sheet.result
    )


def _photo(sighting: Sighting) -> "Photo | None":
    try:
        pages = load_photos(sighting.photo.path, sighting.photo.name)
        photo = pages[sighting.record.page]
        photo.gray(1)
    except (ScanError, IndexError):
        return None
    return photo


def picture_of_sheet(scan: SheetScan) -> str:
    """The rectified sheet with every reading in its place."""
    picture: NDArray[np.uint8] = sheet_picture(scan)
    scale = _SHEET_WIDTH / picture.shape[1]
    if scale < 1:
        picture = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    return data_uri(picture)


def picture_of(scan: SheetScan, box: Box) -> str:
    """A part of the sheet as it lies in the photo."""
    return data_uri(_cut(scan.rectified.gray, box, _CROP_SCALE))


def picture_of_name(scan: SheetScan) -> str:
    """The box for the player's name, with whatever was written there."""
    x, y, width, height = scan.template.name_box_mm
    return data_uri(_cut(scan.rectified.gray, (x, y, x + width, y + height), _NAME_SCALE))


def _cut(gray: GrayImage, box: Box, scale: int) -> GrayImage:
    height, width = gray.shape
    x0, y0, x1, y1 = (round(side * RECT_PX_PER_MM) for side in box)
    piece = gray[max(0, y0) : min(height, y1), max(0, x0) : min(width, x1)]
    return np.asarray(cv2.resize(piece, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8)


def data_uri(picture: NDArray[np.uint8]) -> str:
    """A picture, uint8 (H, W) or (H, W, 3), as a data URI."""
    done, data = cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, _QUALITY])
    if not done:
        raise OSError("A picture cannot be encoded as WebP.")
    return f"data:image/webp;base64,{b64encode(data.tobytes()).decode()}"
