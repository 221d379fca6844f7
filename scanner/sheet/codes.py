"""What the fiducials' ids say: corner fiducials carry game, seat and corner, edge fiducials a digit of the sheet number.

Places are counted as in `Template.fiducial_corners_mm`: 0..3 the corners (top left, top right, bottom right, bottom
left), 4..7 the edges (top, right, bottom, left). The sheet number has four digits in base 38, the most significant one on
the top edge, then clockwise.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scanner.geometry import read_only

GAMES: Final = 3
"""Number of game indices that corner ids can carry."""
SEATS: Final = 8
"""Number of seats, counted from 1."""
BASE: Final = 38
"""Base of the sheet number's digits."""
SHEET_NUMBERS: Final = BASE**4
"""Sheet numbers are 0 .. SHEET_NUMBERS - 1."""
SET_NUMBERS: Final = SHEET_NUMBERS // SEATS
"""Numbers of a set of sheets (one a seat) are 0 .. SET_NUMBERS - 1."""

_EDGE_IDS_FROM: Final = GAMES * SEATS * 4
_IDS: Final = _EDGE_IDS_FROM + 4 * BASE
_MODULES: Final = 8


@dataclass(frozen=True, slots=True)
class CornerCode:
    """What a corner fiducial says. `corner` 0..3, `seat` 1..8."""

    game_index: int
    seat: int
    corner: int

    @property
    def place(self) -> int:
        """The fiducial's place on the sheet, 0..3."""
        return self.corner


@dataclass(frozen=True, slots=True)
class EdgeCode:
    """What an edge fiducial says: `edge` 0..3 and the digit 0..37 of the sheet number that stands there."""

    edge: int
    digit: int

    @property
    def place(self) -> int:
        """The fiducial's place on the sheet, 4..7."""
        return 4 + self.edge


def corner_id(game_index: int, seat: int, corner: int) -> int:
    """Id of a corner fiducial; ValueError for a game index, seat (1..8) or corner (0..3) outside its range."""
    if not (0 <= game_index < GAMES and 1 <= seat <= SEATS and 0 <= corner < 4):
        raise ValueError(f"no corner fiducial for game {game_index}, seat {seat}, corner {corner}")
    return (game_index * SEATS + seat - 1) * 4 + corner


def edge_id(edge: int, digit: int) -> int:
    """Id of an edge fiducial; ValueError for an edge outside 0..3 or a digit outside 0..37."""
    if not (0 <= edge < 4 and 0 <= digit < BASE):
        raise ValueError(f"no edge fiducial for edge {edge}, digit {digit}")
    return _EDGE_IDS_FROM + edge * BASE + digit


def decode_id(fiducial_id: int) -> CornerCode | EdgeCode | None:
    """What an id says, or None if no sheet carries it."""
    if not 0 <= fiducial_id < _IDS:
        return None
    if fiducial_id < _EDGE_IDS_FROM:
        sheet, corner = divmod(fiducial_id, 4)
        game_index, seat = divmod(sheet, SEATS)
        return CornerCode(game_index, seat + 1, corner)
    return EdgeCode(*divmod(fiducial_id - _EDGE_IDS_FROM, BASE))


def sheet_digits(sheet_number: int) -> tuple[int, int, int, int]:
    """The four digits of a sheet number, by edge (top, right, bottom, left); ValueError outside 0..SHEET_NUMBERS - 1."""
    if not 0 <= sheet_number < SHEET_NUMBERS:
        raise ValueError(f"sheet numbers are 0 to {SHEET_NUMBERS - 1}, not {sheet_number}")
    return sheet_number // BASE**3, sheet_number // BASE**2 % BASE, sheet_number // BASE % BASE, sheet_number % BASE


def number_from_digits(digits: Sequence[int | None]) -> int | None:
    """The sheet number of four digits by edge, or None if any of them is unknown."""
    number = 0
    for digit in digits:
        if digit is None:
            return None
        number = number * BASE + digit
    return number


def sheet_ids(game_index: int, seat: int, sheet_number: int) -> tuple[int, ...]:
    """The eight ids of a sheet by place; ValueError if seat or sheet number is out of range."""
    corners = (corner_id(game_index, seat, corner) for corner in range(4))
    edges = (edge_id(edge, digit) for edge, digit in enumerate(sheet_digits(sheet_number)))
    return (*corners, *edges)


@cache
def modules(dictionary: str, fiducial_id: int) -> NDArray[np.bool_]:
    """The black modules of a fiducial, its black border included: bool (8, 8), row 0 on top, read-only.

    `dictionary` is OpenCV's name, e.g. "DICT_ARUCO_MIP_36h12" (Romero-Ramirez et al. 2018); ValueError if it has no such id.
    """
    import cv2

    codes = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    if not 0 <= fiducial_id < len(codes.bytesList):
        raise ValueError(f"{dictionary} has no id {fiducial_id}")
    return read_only(np.asarray(cv2.aruco.generateImageMarker(codes, fiducial_id, _MODULES, borderBits=1)) == 0)
