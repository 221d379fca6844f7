"""Which fiducials belong to one sheet: their codes say what may be, geometry what is.

Two fiducials of a sheet give its homography, and that predicts where the other six must lie. So sheets are told apart by
seat where seats differ, and by place where they agree (two prints of one sheet, edges with equal digits).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np

from scanner.geometry import FloatArray, apply_homography
from scanner.sheet.codes import CornerCode, EdgeCode, decode_id
from scanner.sheet.fiducials import Fiducial
from scanner.sheet.template import Template

_PAIR_TOLERANCE = 1.0
"""How far, in sides of the fiducial, a corner may lie from where two others predict it: bowed paper is off by millimetres."""
_GROUP_TOLERANCE = 0.6
"""The same when all fiducials of the sheet predict it."""
_ENOUGH = 5
"""Fiducials that agree, from which on no better explanation is sought."""
_MAX_TRIALS = 400


@dataclass(frozen=True, slots=True)
class Group:
    """Fiducials that lie as on one sheet.

    template: None if the game is unknown; game_index, seat: None if only edge fiducials are there.
    members: by place 0..7 (see `Template.fiducial_corners_mm`). homography: sheet mm -> photo px, None for a single
    fiducial or an unknown game. disagreeing: fiducials of this sheet by their codes and rough place, that do not fit.
    """

    template: Template | None
    game_index: int | None
    seat: int | None
    members: Mapping[int, Fiducial]
    homography: FloatArray | None
    disagreeing: tuple[Fiducial, ...] = ()


@dataclass(frozen=True, slots=True)
class _Seen:
    """A fiducial with what its code says; `sheet` is (game index, seat), None for edges. `side_px`: the fiducial's."""

    fiducial: Fiducial
    place: int
    sheet: tuple[int, int] | None
    side_px: float


def group_fiducials(fiducials: Iterable[Fiducial], templates: Sequence[Template]) -> tuple[Group, ...]:
    """Sort fiducials into sheets, the best founded first. Ids that no sheet carries are left out."""
    known = {template.game_index: template for template in templates}
    pool: list[_Seen] = []
    groups: list[Group] = []
    for fiducial in fiducials:
        code = decode_id(fiducial.id)
        if isinstance(code, CornerCode):
            pool.append(_Seen(fiducial, code.place, (code.game_index, code.seat), fiducial.side_px))
        elif isinstance(code, EdgeCode):
            pool.append(_Seen(fiducial, code.place, None, fiducial.side_px))
    while True:
        best = _best_group(pool, known)
        if best is None:
            break
        group, members = best
        pool = [seen for seen in pool if all(seen is not member for member in members)]
        group, pool = _take_disagreeing(group, pool)
        groups.append(group)
    for seen in pool:
        game_index, seat = seen.sheet or (None, None)
        template = None if game_index is None else known.get(game_index)
        groups.append(Group(template, game_index, seat, {seen.place: seen.fiducial}, None))
    return tuple(groups)


def fit_homography(template: Template, members: Mapping[int, Fiducial]) -> FloatArray | None:
    """The homography, sheet mm -> photo px, through all corners of `members`; None if it would turn the paper over or fold
    it through the camera."""
    sheet_mm = np.concatenate([template.fiducial_corners_mm(place) for place in members])
    photo_px = np.concatenate([fiducial.corners_px for fiducial in members.values()])
    homography, _ = cv2.findHomography(sheet_mm, photo_px, 0)
    # None for points that allow none, whatever the stubs say.
    result: FloatArray = np.asarray(homography, dtype=np.float64)
    if result.shape != (3, 3) or not np.isfinite(result).all():
        return None
    width, height = template.paper_mm
    paper = np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]])
    depth = paper @ result[2, :2] + result[2, 2]
    if depth.min() <= 0.02 * depth.max():
        return None
    corners = apply_homography(result, paper)
    ahead = np.roll(corners, -1, axis=0) - corners
    turns = ahead[:, 0] * np.roll(ahead, -1, axis=0)[:, 1] - ahead[:, 1] * np.roll(ahead, -1, axis=0)[:, 0]
    return result if (turns > 0).all() else None


def _best_group(pool: list[_Seen], known: Mapping[int, Template]) -> tuple[Group, list[_Seen]] | None:
    best: tuple[float, Group, list[_Seen]] | None = None
    for trial, (a, b) in enumerate(_pairs(pool)):
        if trial >= _MAX_TRIALS:
            break
        sheet = a.sheet or b.sheet
        # Sheets of unknown games are told apart too, as if their fiducials lay as on a known one.
        some = next(iter(known.values()))
        template = known.get(sheet[0], some) if sheet else some
        grown = _grow(a, b, sheet, template, pool)
        if grown is None or (best is not None and len(grown[0]) < len(best[2])):
            continue
        members, homography = grown
        by_place = {seen.place: seen.fiducial for seen in members}
        score = len(members) - max(_misfits(homography, template, members))
        if best is None or score > best[0]:
            game_index, seat = sheet or (None, None)
            named = known.get(game_index) if game_index is not None else None
            best = score, Group(named, game_index, seat, by_place, homography), members
            if len(members) >= _ENOUGH:
                break
    return None if best is None else best[1:]


def _pairs(pool: list[_Seen]) -> Iterator[tuple[_Seen, _Seen]]:
    """Pairs that may lie on one sheet, those that predict best first: far apart, seat known."""

    def rank(pair: tuple[_Seen, _Seen]) -> tuple[int, float]:
        a, b = pair
        corners = (a.sheet is not None) + (b.sheet is not None)
        opposite = corners == 2 and abs(a.place - b.place) == 2
        return -corners - opposite, -min(a.side_px, b.side_px)

    possible = (
        (a, b) for a, b in combinations(pool, 2) if a.place != b.place and (not a.sheet or not b.sheet or a.sheet == b.sheet)
    )
    return iter(sorted(possible, key=rank))


def _grow(
    a: _Seen, b: _Seen, sheet: tuple[int, int] | None, template: Template, pool: list[_Seen]
) -> tuple[list[_Seen], FloatArray] | None:
    """The members of the sheet that a and b lie on, and their homography, or None if they cannot lie on one."""
    members = [a, b]
    homography = _homography(template, members)
    for tolerance in (_PAIR_TOLERANCE, _GROUP_TOLERANCE):
        if homography is None:
            return None
        nearest: dict[int, tuple[float, _Seen]] = {}
        own = [seen for seen in pool if seen.sheet is None or seen.sheet == sheet]
        for misfit, seen in zip(_misfits(homography, template, own), own, strict=True):
            if misfit < tolerance and (seen.place not in nearest or misfit < nearest[seen.place][0]):
                nearest[seen.place] = misfit, seen
        if len(nearest) < 2:
            return None
        near = [seen for _, seen in nearest.values()]
        if len(near) != len(members) or any(a is not b for a, b in zip(near, members, strict=True)):
            members, homography = near, _homography(template, near)
    return None if homography is None else (members, homography)


def _homography(template: Template, members: list[_Seen]) -> FloatArray | None:
    return fit_homography(template, {seen.place: seen.fiducial for seen in members})


def _misfits(homography: FloatArray, template: Template, pool: list[_Seen]) -> list[float]:
    """For each fiducial the largest distance of a corner from where it should be, in sides of the fiducial."""
    expected = apply_homography(homography, np.array([template.fiducial_corners_mm(seen.place) for seen in pool]))
    corners = np.array([seen.fiducial.corners_px for seen in pool])
    sides = np.array([seen.side_px for seen in pool])
    off: list[float] = (np.linalg.norm(expected - corners, axis=2).max(axis=1) / np.maximum(sides, 1e-6)).tolist()
    return off


def _take_disagreeing(group: Group, pool: list[_Seen]) -> tuple[Group, list[_Seen]]:
    """Move to `group.disagreeing` what is its own but lies wrong: a fiducial on a folded corner, say."""
    homography, template = group.homography, group.template
    if homography is None or template is None or len(group.members) < 4:
        return group, pool
    own: list[_Seen] = []
    rest: list[_Seen] = []
    for seen in pool:
        same = seen.sheet is None or seen.sheet == (group.game_index, group.seat)
        expected = apply_homography(homography, template.fiducial_corners_mm(seen.place)).mean(axis=0)
        near = np.linalg.norm(expected - seen.fiducial.centre_px) < 4 * seen.side_px
        (own if same and near and seen.place not in group.members else rest).append(seen)
    disagreeing = tuple(seen.fiducial for seen in own)
    return Group(template, group.game_index, group.seat, group.members, homography, disagreeing), rest
