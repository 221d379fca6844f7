"""From a photo to the poses of its sheets, or the reasons why a sheet cannot be trusted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import floor
from typing import Final

import numpy as np

from scanner.errors import Inconsistent, NoFiducials, SheetError, TooBlurred, TooFewFiducials, TooSmall, UnknownSheet
from scanner.geometry import FloatArray, apply_homography
from scanner.photo.photo import Photo
from scanner.sheet.codes import BASE, EdgeCode, corner_id, decode_id, edge_id, number_from_digits
from scanner.sheet.fiducials import Fiducial, SearchLevel, detect_fiducials, look_for_fiducial, search_levels
from scanner.sheet.grouping import Group, fit_homography, group_fiducials
from scanner.sheet.pose import Pose, SheetIdentity
from scanner.sheet.refine import fit_pose, smallest_scale
from scanner.sheet.template import Template, title_of
from scanner.sheet.unread import dark_squares

PLACES = (
    "top left corner",
    "top right corner",
    "bottom right corner",
    "bottom left corner",
    "top edge",
    "right edge",
    "bottom edge",
    "left edge",
)
"""The fiducials' places in plain words, by place."""

MIN_FIDUCIALS = 5
"""Fewer fiducials than this are not trusted: up to three of the eight may be missing."""
MIN_CELL_PX = 20.0
"""A cell with a shorter side than this, in photo px, cannot be read."""
MAX_BLUR_CELLS = 0.036
"""The standard deviation of the blur, in cells, above which symbols run together; fiducials are lost soon after."""
LOST_BLUR_CELLS = 0.045
"""The same where no fiducial can be told at all: blur alone loses them from 0.055 on. Squares that are sharper are others."""
MAX_RESIDUAL_MM = 0.35
"""Above this the printed lines and fiducials do not fit the sheet."""
MAX_HIDDEN_SHARE = 0.12
"""Share of a grid's cells (but two at least) whose sides may be missing where the pose puts them: if more are, something
lies on the sheet, or the pose is wrong there."""

_SMALLEST_PHOTO_PX: Final = 50
"""A fiducial's 12 modules need more on either side; narrower pictures cannot even be reduced for the search."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A sheet that was seen but cannot be trusted.

    identity: what is known of it, None without a corner fiducial of a known game. error: why, and what to do. fiducials:
    ids of those that were found. corners_px: roughly the paper's corners, as in `Pose`, or None.
    """

    identity: SheetIdentity | None
    error: SheetError
    fiducials: tuple[int, ...]
    corners_px: FloatArray | None


@dataclass(frozen=True, slots=True)
class Detections:
    """What a photo shows: sheets that can be read, and sheets that cannot. At least one of both."""

    poses: tuple[Pose, ...]
    refused: tuple[Refusal, ...]


def find_sheets(photo: Photo, templates: Sequence[Template]) -> Detections:
    """All sheets of a photo, poses by seat and sheet number.

    Raises NoFiducials if there is none at all, Inconsistent if the photo is mirrored, TooBlurred or TooSmall if there are
    black squares that lie as on a sheet and are too blurred or too small to be told.
    """
    if min(photo.width, photo.height) < _SMALLEST_PHOTO_PX:
        raise NoFiducials(f"The photo is {photo.width} x {photo.height} pixels: no sheet can be read from so few.")
    found: tuple[Fiducial, ...] = ()
    groups: tuple[Group, ...] = ()
    levels = search_levels(photo)
    for level in levels:
        found = detect_fiducials(photo, level)
        groups = tuple(_look_again(photo, level, group) for group in group_fiducials(found, templates))
        if groups and all(len(group.members) >= MIN_FIDUCIALS for group in groups):
            break
    results = [_judge(photo, group) for group in groups if _counts(group, groups)]
    if not results:
        if len(detect_fiducials(photo, levels[0], mirrored=True)) >= 3:
            raise Inconsistent("The photo is mirrored.", "Switch the camera's mirroring off, or flip the photo, and try again.")
        squares = dark_squares(photo)
        if squares is not None:
            error = _too_small_or_blurred(templates[0], squares.side_px, squares.blur * squares.side_px, LOST_BLUR_CELLS)
            if error is not None:
                raise error
        raise NoFiducials("The photo shows no sheet: the black squares on its sides were not found.")
    poses = [result for result in results if isinstance(result, Pose)]
    poses.sort(key=lambda pose: (pose.identity.seat, pose.identity.sheet_number or -1, tuple(pose.corners_px[0])))
    return Detections(tuple(poses), tuple(result for result in results if isinstance(result, Refusal)))


def _look_again(photo: Photo, level: SearchLevel, group: Group) -> Group:
    """Look for the group's missing fiducials where its geometry puts them."""
    template, homography = group.template, group.homography
    if template is None or homography is None or group.game_index is None or group.seat is None or len(group.members) < 3:
        return group
    members = dict(group.members)
    for place in range(8):
        if place in members:
            continue
        expected = apply_homography(homography, template.fiducial_corners_mm(place))
        if place < 4:
            allowed = [corner_id(group.game_index, group.seat, place)]
        else:
            allowed = [edge_id(place - 4, digit) for digit in range(BASE)]
        fiducial = look_for_fiducial(photo, level.reduction, allowed, expected)
        if fiducial is not None:
            members[place] = fiducial
    if len(members) == len(group.members):
        return group
    better = fit_homography(template, members)
    return group if better is None else replace(group, members=members, homography=better)


def _counts(group: Group, groups: Sequence[Group]) -> bool:
    """Whether a group is a sheet to be told of: a single fiducial beside whole sheets is one only if its code is a corner's
    and was read without a doubt, and one of an unknown game never is."""
    if len(group.members) > 1:
        return True
    if group.template is None and group.game_index is not None:
        return False
    single = next(iter(group.members.values()))
    return single.bit_errors <= 1 and (group.seat is not None or len(groups) == 1)


def _identity(group: Group) -> SheetIdentity | None:
    if group.template is None or group.seat is None:
        return None
    digits: list[int | None] = [None] * 4
    for fiducial in group.members.values():
        code = decode_id(fiducial.id)
        if isinstance(code, EdgeCode):
            digits[code.edge] = code.digit
    return SheetIdentity(group.template.game, group.seat, number_from_digits(digits))


def _judge(photo: Photo, group: Group) -> Pose | Refusal:
    """The pose of a group, or why there is none."""
    identity = _identity(group)
    ids = tuple(group.members[place].id for place in sorted(group.members))
    template, homography = group.template, group.homography
    corners = None
    if template is not None and homography is not None:
        width, height = template.paper_mm
        corners = apply_homography(homography, np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]))

    def refuse(error: SheetError) -> Refusal:
        return Refusal(identity, error, ids, corners)

    if template is None and group.game_index is not None:
        return refuse(_other_game(group.game_index))
    if len(group.members) < MIN_FIDUCIALS or template is None or homography is None or identity is None:
        if template is not None:
            # What hides the others, if nothing else does: they may lie further away, where the sheet is smaller.
            side_px = max(fiducial.side_px for fiducial in group.members.values())
            if homography is not None:
                side_px = min(side_px, smallest_scale(homography, template.paper_mm) * template.fiducials.size_mm)
            rise_px = float(np.median([fiducial.rise_px for fiducial in group.members.values()]))
            error = _too_small_or_blurred(template, side_px, rise_px)
            if error is not None:
                return refuse(error)
        return refuse(TooFewFiducials(_missing(group.members)))
    outside = _outside(photo, template, homography)
    if outside:
        return refuse(TooFewFiducials(f"Part of the sheet lies outside the photo: {', '.join(outside)}."))
    fit = fit_pose(photo, template, identity, group)
    if fit is None:
        return refuse(Inconsistent("The black squares of the sheet do not lie as on a sheet."))
    pose = fit.pose
    size_mm = template.fiducials.size_mm
    error = _too_small_or_blurred(template, pose.px_per_mm * size_mm, pose.px_per_mm * pose.blur_mm)
    if error is not None:
        return refuse(error)
    if len(pose.fiducials) < MIN_FIDUCIALS:
        return refuse(Inconsistent("The black squares of the sheet do not lie as on one flat sheet."))
    if pose.residual_mm > MAX_RESIDUAL_MM:
        return refuse(Inconsistent(f"The sheet's lines lie {pose.residual_mm:.1f} mm from where they should be."))
    hidden = [
        grid.name
        for grid, count in zip(template.grids, fit.cells_hidden, strict=True)
        if count > max(2, MAX_HIDDEN_SHARE * grid.rows * grid.columns)
    ]
    if hidden:
        return refuse(
            Inconsistent(
                f"The printed lines of {', '.join(hidden)} could not be found.",
                "Lay the sheet flat, with nothing on it and no glare, and take the photo again.",
            )
        )
    return pose


def _other_game(game_index: int) -> UnknownSheet:
    """A sheet of a game that was not looked for, or that nobody here knows."""
    title = title_of(game_index)
    if title is None:
        return UnknownSheet(f"The photo shows a sheet of a game that is not known here (number {game_index}).")
    return UnknownSheet(
        f"This is a sheet of {title}, which was not looked for.", "Leave the game's name out, or give this one's."
    )


def _too_small_or_blurred(
    template: Template, side_px: float, blur_px: float, most_blur_cells: float = MAX_BLUR_CELLS
) -> SheetError | None:
    """What is wrong with a sheet whose fiducials have such a side, and blur of such a standard deviation, photo px; or None."""
    cell_mm = min(grid.cell_mm for grid in template.grids)
    cell_px = side_px * cell_mm / template.fiducials.size_mm
    if cell_px < MIN_CELL_PX:
        return TooSmall(
            f"The sheet is too small in the photo: a cell is {floor(10 * cell_px) / 10:.1f} pixels wide there; "
            f"at least {MIN_CELL_PX:.0f} are needed."
        )
    if blur_px > most_blur_cells * cell_px:
        blur_mm = blur_px / cell_px * cell_mm
        return TooBlurred(f"The photo is too blurred: its edges are {2 * blur_mm:.1f} mm wide on the paper.")
    return None


def _missing(members: Mapping[int, Fiducial]) -> str:
    """Which fiducials are missing, in plain words."""
    names = [name for place, name in enumerate(PLACES) if place not in members]
    return f"Only {8 - len(names)} of the sheet's 8 black squares can be seen; missing: {', '.join(names)}."


def _outside(photo: Photo, template: Template, homography: FloatArray) -> list[str]:
    """Names of the grids and marks that do not lie wholly in the photo."""
    names = []
    limit = np.array([photo.width - 1, photo.height - 1])
    for grid in template.grids:
        x, y = grid.origin_mm
        w, h = grid.columns * grid.cell_mm, grid.rows * grid.cell_mm
        quad = apply_homography(homography, np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]]))
        if ((quad < 0) | (quad > limit)).any():
            names.append(grid.name)
    centres = apply_homography(homography, np.array([mark.centre_mm for mark in template.marks]))
    outside = np.flatnonzero(((centres < 0) | (centres > limit)).any(axis=1))
    return names + [template.marks[k].name for k in outside]
