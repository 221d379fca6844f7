"""Hand-made results for tests: the worked example of the rules' section 1, with groups on the wall that explain its symbols,
and variations of it."""

from typing import Any

import msgspec

from scanner.result import AuditLine, PoseInfo, Review, ScanResult, SheetResult, freeze

OBELISK = [
    ".....", ".....", ".....", "__...", "_@^O.", "_@*_.", "@*^O.", "__O_.", "_Y@O_", "_OY__", "^@O*_", "@^Y*_",
]  # fmt: skip
WALL = [
    "..bbbf..", "aa.d.f..", "aadd..h.", "......h.", "...gg...", "ii.gc...",
    "....cc..", "....c...", "........", "........", "...e....", "...eee..",
]  # fmt: skip
SCORE = {
    "columns": [2, 3, 2, 3, 0],
    "rows": [0, 0, 0, 0, 5, 3, 8, 0, 5, 3, 8, 8],
    "levels": [3, 0, 0],
    "scrolls": [3, 0, 0],
    "total": 56,
    "empty_spaces": 37,
}
"""Worked out by hand from the rules, section 1, "Worked example"."""


def state(**changes: Any) -> dict[str, Any]:
    """The worked example's state, in seat 2 of set 1000."""
    base: dict[str, Any] = {
        "game": "obelisk",
        "seat": 2,
        "sheet_number": 8001,
        "player": None,
        "obelisk": OBELISK,
        "wall_shapes": WALL,
        "scrolls": [
            {"points": 3, "symbols": "O^Y*", "marked": True, "used": False},
            {"points": 6, "symbols": "", "marked": False, "used": False},
            {"points": 9, "symbols": "", "marked": False, "used": False},
        ],
        "levels": [3, 0, 0],
    }
    return base | changes


def sheet(
    total: int = 56,
    bounds: tuple[int, int] | None = None,
    review: tuple[Review, ...] = (),
    audit: tuple[AuditLine, ...] = (),
    corners: tuple[tuple[float, float], ...] = ((0, 0), (297, 0), (297, 210), (0, 210)),
    empty_spaces: int = 37,
    **changes: Any,
) -> SheetResult:
    """A sheet that was read; keyword arguments change its state."""
    return SheetResult(
        state=freeze(state(**changes)),
        score=freeze(SCORE | {"total": total, "empty_spaces": empty_spaces}),
        bounds=bounds or (total, total),
        review=review,
        audit=audit,
        pose=PoseInfo(corners, 0.1, (1, 2, 3)),
    )


def doubt(where: str = "obelisk r5 c2", read: str = "@", other: str = "O", totals: tuple[int, ...] = (56, 59)) -> Review:
    """A reading that needs a look."""
    return Review(where, read, 0.71, freeze({read: 0.71, other: 0.27}), totals)


def photo(*sheets: SheetResult, file: str = "photo.jpg", **changes: Any) -> ScanResult:
    """A photo's result."""
    return msgspec.structs.replace(ScanResult(file, None, sheets), **changes)
