"""Where a sheet lies in a photo: which sheet it is, and the map from sheet mm to photo px."""

from dataclasses import dataclass

from scanner.geometry import FloatArray


@dataclass(frozen=True, slots=True)
class SheetIdentity:
    """What the fiducials' codes say. `sheet_number` is None when not all four of its digits could be read."""

    game: str
    seat: int
    sheet_number: int | None


@dataclass(frozen=True, slots=True)
class Pose:
    """The map from sheet mm to photo px.

    homography: float64 (3, 3), sheet mm -> photo px.
    warp_mm: float64 (rows, columns, 2), a residual displacement in sheet mm at the nodes of a regular lattice that spans
        the paper (first node at (0, 0), last at `paper_mm`), interpolated bicubically between them: a point p of the flat
        sheet appears where the homography puts p + warp(p).
    residual_mm: root mean square misfit of the fiducials' corners and the printed lines, in sheet mm.
    px_per_mm: photo px a sheet mm, the smallest over the sheet.
    corners_px: float64 (4, 2), the paper's corners in photo px, top left first, clockwise.
    fiducials: ids of the fiducials that were used.
    """

    identity: SheetIdentity
    paper_mm: tuple[float, float]
    homography: FloatArray
    warp_mm: FloatArray
    residual_mm: float
    px_per_mm: float
    corners_px: FloatArray
    fiducials: tuple[int, ...]

    def to_photo(self, points_mm: FloatArray) -> FloatArray:
        """Map points (..., 2) from sheet mm to photo px."""
        raise NotImplementedError
