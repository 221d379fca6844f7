"""What is kept of a photo: its result, and of every sheet the evidence that other photos' evidence can be added to.

A record is one line of JSON. It holds no pixels: a sheet takes about 12 kB.
"""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from math import prod
from typing import TYPE_CHECKING, Any, Final

import msgspec

from scanner.result import ErrorInfo, RefusedSheet, SheetResult, freeze

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from scanner.pipeline import PhotoScan, SheetScan
    from scanner.reading.readings import Readings
    from scanner.sheet.pose import Pose

FORM: Final = 1
"""The version of this module's records; a step makes older records be read anew."""


class Packed(msgspec.Struct, frozen=True, array_like=True):
    """An array: numpy's name of its type, little-endian; its shape; its values."""

    dtype: str
    shape: tuple[int, ...]
    values: bytes

    def __post_init__(self) -> None:
        # A ValueError here is msgspec's ValidationError to whoever reads records: one that does not fit is no record.
        if int(self.dtype[2:]) * prod(self.shape) != len(self.values):
            raise ValueError("the values do not fill the array")

    @classmethod
    def of(cls, array: "NDArray[Any]") -> "Packed":
        little = array.astype(array.dtype.newbyteorder("<"))
        return cls(little.dtype.str, array.shape, little.tobytes())

    def array(self) -> "NDArray[Any]":
        """The array, read-only."""
        import numpy as np

        result: NDArray[np.generic] = np.frombuffer(self.values, self.dtype).reshape(self.shape)
        return result


class PackedReadings(msgspec.Struct, frozen=True):
    """See `scanner.reading.readings.Readings`."""

    content: dict[str, Packed]
    edges_h: dict[str, Packed]
    edges_v: dict[str, Packed]
    struck: dict[str, Packed]
    marks: dict[str, float]

    @classmethod
    def of(cls, readings: "Readings") -> "PackedReadings":
        def packed(arrays: "Mapping[str, NDArray[np.float32]]") -> dict[str, Packed]:
            return {name: Packed.of(array) for name, array in arrays.items()}

        return cls(
            packed(readings.content),
            packed(readings.edges_h),
            packed(readings.edges_v),
            packed(readings.struck),
            dict(readings.marks),
        )

    def readings(self) -> "Readings":
        from scanner.reading.readings import Readings

        def arrays(packed: dict[str, Packed]) -> "dict[str, NDArray[np.float32]]":
            return {name: one.array() for name, one in packed.items()}

        return Readings(arrays(self.content), arrays(self.edges_h), arrays(self.edges_v), arrays(self.struck), dict(self.marks))


class PackedPose(msgspec.Struct, frozen=True):
    """See `scanner.sheet.pose.Pose`."""

    paper_mm: tuple[float, float]
    homography: Packed
    warp_mm: Packed
    residual_mm: float
    px_per_mm: float
    blur_mm: float
    corners_px: Packed
    fiducials: tuple[int, ...]

    @classmethod
    def of(cls, pose: "Pose") -> "PackedPose":
        return cls(
            pose.paper_mm,
            Packed.of(pose.homography),
            Packed.of(pose.warp_mm),
            float(pose.residual_mm),
            float(pose.px_per_mm),
            float(pose.blur_mm),
            Packed.of(pose.corners_px),
            tuple(int(number) for number in pose.fiducials),
        )


class SheetRecord(msgspec.Struct, frozen=True):
    """One sheet in one photo: who it is, where it lies, what its photo alone says of it, and the networks' readings.
    `page`: index of the page in the file, from 0."""

    game: str
    seat: int
    sheet_number: int | None
    page: int
    result: SheetResult
    pose: PackedPose
    readings: PackedReadings

    @classmethod
    def of(cls, sheet: "SheetScan", page: int) -> "SheetRecord":
        identity = sheet.pose.identity
        return cls(
            identity.game,
            identity.seat,
            identity.sheet_number,
            page,
            sheet.result,
            PackedPose.of(sheet.pose),
            PackedReadings.of(sheet.readings),
        )

    def full_pose(self) -> "Pose":
        """The pose as it was found."""
        from scanner.sheet.pose import Pose, SheetIdentity

        pose = self.pose
        return Pose(
            SheetIdentity(self.game, self.seat, self.sheet_number),
            pose.paper_mm,
            pose.homography.array(),
            pose.warp_mm.array(),
            pose.residual_mm,
            pose.px_per_mm,
            pose.blur_mm,
            pose.corners_px.array(),
            pose.fiducials,
        )


class PhotoRecord(msgspec.Struct, frozen=True):
    """One photo, read. `path`, `size` and `mtime_ns` are the file's when it was read, `sha256` its content's ("" where it
    could not be opened), `version` the program's."""

    path: str
    size: int
    mtime_ns: int
    sha256: str
    version: str
    error: ErrorInfo | None = None
    sheets: tuple[SheetRecord, ...] = ()
    refused: tuple[RefusedSheet, ...] = ()

    @classmethod
    def of(cls, path: str, stamp: tuple[int, int], content: bytes, scan: "PhotoScan") -> "PhotoRecord":
        pages = {id(photo): index for index, photo in enumerate(scan.photos)}
        return cls(
            path,
            *stamp,
            sha256(content).hexdigest(),
            version(),
            scan.result.error,
            tuple(SheetRecord.of(sheet, pages[id(sheet.photo)]) for sheet in scan.sheets),
            scan.result.refused,
        )

    def line(self) -> bytes:
        """The record as one line of JSON, its end included."""
        return msgspec.json.encode(self) + b"\n"

    @staticmethod
    def parse(line: bytes) -> "PhotoRecord":
        """The record of a line; msgspec.MsgspecError if it is none."""
        record = msgspec.json.decode(line, type=PhotoRecord)
        replace = msgspec.structs.replace
        return replace(record, sheets=tuple(replace(sheet, result=_frozen(sheet.result)) for sheet in record.sheets))


def _frozen(result: SheetResult) -> SheetResult:
    """A result as the pipeline gives it: JSON knows neither tuples nor dicts that cannot be changed."""
    review = tuple(msgspec.structs.replace(line, alternatives=freeze(line.alternatives)) for line in result.review)
    return msgspec.structs.replace(result, state=freeze(result.state), score=freeze(result.score), review=review)


@cache
def version() -> str:
    """What a photo's record depends on besides the photo: the program, its networks, and the form of the record."""
    from importlib.metadata import version as installed

    from scanner.reading.networks import MANIFEST, models_folder

    networks = sha256((models_folder() / MANIFEST).read_bytes()).hexdigest()[:12]
    return f"{installed('obelisk-scan')}+{networks}.{FORM}"
