"""Sheets in photos, without photos: records made from states or from simulated readings."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from scanner.decode import decode
from scanner.engine import audit_state
from scanner.night.ledger import Ledger
from scanner.night.photos import PhotoFile
from scanner.night.record import PackedPose, PackedReadings, PhotoRecord, SheetRecord, version
from scanner.night.sheets import Sighting
from scanner.reading.readings import Readings
from scanner.result import ErrorInfo, RefusedSheet, SheetResult
from scanner.sheet.pose import Pose, SheetIdentity
from scanner.sheet.template import load_template
from tests.decode.simulated import Noise, Sheet, play, read

GOOD, POOR = 0.05, 0.4
"""Blur in mm."""


def pose(
    seat: int = 2,
    number: int | None = 8001,
    blur_mm: float = GOOD,
    residual_mm: float = 0.1,
    px_per_mm: float = 8.0,
    game: str = "obelisk",
) -> Pose:
    """A sheet that lies flat and straight."""
    corners = np.array([[0, 0], [297, 0], [297, 210], [0, 210]]) * px_per_mm
    homography = np.diag([px_per_mm, px_per_mm, 1.0])
    identity = SheetIdentity(game, seat, number)
    return Pose(
        identity, (297.0, 210.0), homography, np.zeros((5, 6, 2)), residual_mm, px_per_mm, blur_mm, corners, (1, 2, 3, 4, 5)
    )


def record_of(readings: Readings, at: Pose) -> SheetRecord:
    """What a photo's record would say of these readings."""
    template = load_template(at.identity.game)
    decoded = decode(readings, template, at.identity)
    result = SheetResult.of(at, decoded, audit_state(decoded.state))
    identity = at.identity
    return SheetRecord(
        identity.game,
        identity.seat,
        identity.sheet_number,
        0,
        result,
        PackedPose.of(at),
        PackedReadings.of(readings),
    )


def played(seed: int) -> Sheet:
    """A sheet from legal play on which both scrolls and circles are as the rules want them."""
    return play(np.random.default_rng(seed), turns=24)


SHEET, OTHER = played(1), played(2)
"""Two sheets that nobody could take for each other."""


def written(sheet: Sheet = SHEET, seat: int = 2, number: int | None = 8001, blur_mm: float = GOOD) -> SheetRecord:
    """A photo that leaves no doubt about a sheet."""
    return record_of(read(np.random.default_rng(3), sheet, Noise(skip_borders=False)), pose(seat, number, blur_mm))


def with_cell(row: int, column: int, character: str, sheet: Sheet = SHEET) -> Sheet:
    """The sheet with another character in a cell of the obelisk, counted from 1."""
    cells = sheet.obelisk.copy()
    cells[row - 1, column - 1] = character
    return replace(sheet, obelisk=cells)


def photo_file(name: str) -> PhotoFile:
    """A photo that need not be there."""
    return PhotoFile(f"/night/{name}", name, str(Path(name).parent), len(name), 1)


def sighting(record: SheetRecord, name: str = "photo.jpg") -> Sighting:
    return Sighting(photo_file(name), record)


def log(
    ledger: Ledger,
    name: str,
    *sheets: SheetRecord,
    content: str | None = None,
    refused: Sequence[RefusedSheet] = (),
    error: ErrorInfo | None = None,
) -> PhotoFile:
    """Enter a photo in a results file, as if it had been read."""
    photo = photo_file(name)
    kept = PhotoRecord(photo.key, *photo.stamp, content or f"hash of {name}", version(), error, sheets, tuple(refused))
    ledger.append(kept.line())
    return photo
