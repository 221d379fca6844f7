"""From a photo to scored sheets: the whole story on one page.

bytes -> Photo -> Detections (poses, refused) -> Rectified -> Readings -> Decoded -> SheetResult
"""

import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from scanner.cells import Rectified, rectify
from scanner.decode import DECODERS, decode
from scanner.decode.decoded import Decoded
from scanner.engine import audit_state
from scanner.errors import InternalError, ScanError, SheetError
from scanner.photo import load_photos
from scanner.photo.names import shown_name
from scanner.photo.photo import Photo
from scanner.reading import read_sheets
from scanner.reading.readings import Readings
from scanner.result import AuditLine, ErrorInfo, RefusedSheet, ScanResult, SheetResult
from scanner.sheet.estimate import find_sheets
from scanner.sheet.pose import Pose, SheetIdentity
from scanner.sheet.template import Template, load_template

PhotoSource = str | Path | bytes | NDArray[np.uint8]
"""A file's path, a file's content, or an upright picture: BGR uint8 (H, W, 3)."""

SAME_SHEET_TWICE: Final = "same sheet twice"
"""The audit's rule for sheets of one photo that carry the same seat and number: one is a copy, or was printed again."""

READABLE_GAMES: Final = tuple(DECODERS)
"""Games whose sheets are read from photos."""


@dataclass(frozen=True, slots=True)
class ScanOptions:
    """`games`: only sheets of these games are looked for."""

    games: tuple[str, ...] = READABLE_GAMES

    def templates(self) -> tuple[Template, ...]:
        """The games' templates; KeyError for a game whose sheets are not read."""
        return tuple(load_template(game) for game in self.games)


DEFAULT_OPTIONS: Final = ScanOptions()


@dataclass(frozen=True, slots=True)
class SheetScan:
    """Everything that is known of one sheet on its way to a result; `photo` is the photo, or the page, that it lies in."""

    photo: Photo
    pose: Pose
    template: Template
    rectified: Rectified
    readings: Readings
    decoded: Decoded
    result: SheetResult


@dataclass(frozen=True, slots=True)
class PhotoScan:
    """A file's result, its pages (one for a photo, none if it cannot be read), and its sheets, ordered as `result.sheets`."""

    result: ScanResult
    photos: tuple[Photo, ...] = ()
    sheets: tuple[SheetScan, ...] = ()


def scan_photo(source: PhotoSource, options: ScanOptions = DEFAULT_OPTIONS) -> ScanResult:
    """Read and score every sheet in a photo, or in every page of a PDF of scans.

    What is wrong with the photo, or with all of its sheets, comes back as the result's `error`; what is wrong with one sheet,
    under `refused`. No ScanError is raised.
    """
    return read_photo(source, options).result


def read_photo(source: PhotoSource, options: ScanOptions = DEFAULT_OPTIONS, name: str | None = None) -> PhotoScan:
    """As `scan_photo`, with all that was seen on the way. `name` is what to call the photo in the result."""
    file = shown_name(name or _name_of(source))
    try:
        photos = load_photos(source, file)
    except ScanError as error:
        return PhotoScan(ScanResult(file, ErrorInfo.of(error)))
    sheets: list[SheetScan] = []
    refused: list[RefusedSheet] = []
    failed: list[RefusedSheet] = []
    for index, photo in enumerate(photos):
        page = index + 1 if len(photos) > 1 else msgspec.UNSET
        try:
            page_sheets, page_refused = _read_page(photo, options, page)
        except ScanError as error:
            failed.append(RefusedSheet(None, None, ErrorInfo.of(error), page))
            continue
        sheets += page_sheets
        refused += page_refused
    if sheets or refused:
        # A page without a sheet among others is named, never passed over: it may be a sheet that was scanned badly.
        refused += failed
    sheets = _name_copies(sheets)
    nothing = None if sheets else (refused + failed)[0].error
    result = ScanResult(file, nothing, tuple(sheet.result for sheet in sheets), tuple(refused))
    return PhotoScan(result, tuple(photos), tuple(sheets))


def _name_copies(sheets: Sequence[SheetScan]) -> list[SheetScan]:
    """The sheets, each of those that carry one seat and one number with an audit line that says so."""
    identities = Counter(sheet.pose.identity for sheet in sheets)

    def named(sheet: SheetScan) -> SheetScan:
        identity = sheet.pose.identity
        times = identities[identity]
        if times == 1 or identity.sheet_number is None:
            return sheet
        text = f"{times} sheets here carry seat {identity.seat} and number {identity.sheet_number}: only one can be the seat's."
        line = AuditLine(SAME_SHEET_TWICE, "sheet", text)
        return replace(sheet, result=msgspec.structs.replace(sheet.result, audit=(*sheet.result.audit, line)))

    return [named(sheet) for sheet in sheets]


def read_photo_safely(
    source: PhotoSource,
    options: ScanOptions = DEFAULT_OPTIONS,
    name: str | None = None,
    on_bug: Callable[[str], object] = lambda _traceback: None,
) -> PhotoScan:
    """As `read_photo`, but a bug becomes this photo's `internal` error, so that the other photos are still read. `on_bug` is
    given the traceback."""
    try:
        return read_photo(source, options, name)
    except Exception as error:
        on_bug(traceback.format_exc())
        bug = InternalError(f"This photo met a bug in obelisk-scan ({type(error).__name__}: {error}).")
        return PhotoScan(ScanResult(shown_name(name or _name_of(source)), ErrorInfo.of(bug)))


def _read_page(photo: Photo, options: ScanOptions, page: int | msgspec.UnsetType) -> tuple[list[SheetScan], list[RefusedSheet]]:
    """All sheets of one page. Raises NoFiducials where nothing is to be seen of any."""
    templates = {template.game: template for template in options.templates()}
    detections = find_sheets(photo, tuple(templates.values()))
    refused = [_refusal(gone.identity, gone.error, page) for gone in detections.refused]
    sheets: list[SheetScan] = []
    for game, poses in _by_game(detections.poses):
        template = templates[game]
        rectified = [rectify(photo, pose) for pose in poses]
        for pose, flat, readings in zip(poses, rectified, read_sheets(rectified, template), strict=True):
            try:
                decoded = decode(readings, template, pose.identity)
            except SheetError as error:
                refused.append(_refusal(pose.identity, error, page))
                continue
            result = SheetResult.of(pose, decoded, audit_state(decoded.audited), page)
            sheets.append(SheetScan(photo, pose, template, flat, readings, decoded, result))
    return sheets, refused


def _by_game(poses: Iterable[Pose]) -> list[tuple[str, list[Pose]]]:
    groups: dict[str, list[Pose]] = {}
    for pose in poses:
        groups.setdefault(pose.identity.game, []).append(pose)
    return list(groups.items())


def _refusal(identity: SheetIdentity | None, error: SheetError, page: int | msgspec.UnsetType) -> RefusedSheet:
    seat, number = (None, None) if identity is None else (identity.seat, identity.sheet_number)
    return RefusedSheet(seat, number, ErrorInfo.of(error), page)


def _name_of(source: PhotoSource) -> str:
    if isinstance(source, str | Path):
        return str(source)
    return "<bytes>" if isinstance(source, bytes) else "<array>"
