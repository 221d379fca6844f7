"""The pose of one sheet from its fiducials and printed lines.

A homography through all fiducial corners; then a smooth warp (`scanner.sheet.warp`) through the corners and, in rounds that
reach less far and bend more freely each, through the printed lines. Lines are axis-parallel on the sheet, so that upright
ones tell x and level ones y, and the two components of the warp are fitted apart.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scanner.geometry import FloatArray, apply_homography, read_only, reduced_px
from scanner.photo.photo import Photo
from scanner.sheet import warp
from scanner.sheet.edges import median
from scanner.sheet.fiducials import Fiducial
from scanner.sheet.grouping import Group, fit_homography
from scanner.sheet.lines import PrintedLines, cells_hidden, line_points, lines_of, measure_lines
from scanner.sheet.pose import Pose, SheetIdentity
from scanner.sheet.template import Template

_CORNER_SIGMA_MM = 0.05
_CORNER_WEIGHT = _CORNER_SIGMA_MM**-2
_LINE_SIGMA_MM = 0.08
_LINE_PX = 1.8
"""Picture px a sheet mm that are wanted to measure lines."""
_LEAST_DARKNESS = 0.4
_PEN_DARKNESS = 1.3
_PEN_SLACK_MM = 0.5
"""Lines that are at least so dark, beside what is usual, are found; from `_PEN_DARKNESS` on they may lie off further."""
_OUTLIER_MM = 1.5
_OUTLIER_GAIN = 4.0
_MIN_AGREEING = 5
"""A fiducial is left out if without it the others fit `_OUTLIER_GAIN` times better, corners lie off by `_OUTLIER_MM`, and
enough others are left to say so."""


class _Round(NamedTuple):
    """reach_mm: how far lines are looked for; expected_mm: how far they are expected; tolerance_mm: misfit from which on a
    line counts for less; stiffness: see `warp.penalty`; reweightings: fits, each weighted by the misfit of the one before."""

    reach_mm: float
    expected_mm: float
    tolerance_mm: float
    stiffness: float
    reweightings: int


_ROUNDS = (_Round(4.0, 1.6, 1.5, 5e7, 1), _Round(2.0, 1.0, 0.6, 2e7, 1), _Round(0.9, 0.45, 0.15, 2e7, 2))
_LENIENCY = 4.0
"""How much more misfit is borne on the lines along which nobody draws."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A pose and what speaks for it. cells_hidden: by grid of the template, how many of its cells show less than two
    of their sides where the pose puts them; dropped: fiducials that disagree with the others."""

    pose: Pose
    cells_hidden: tuple[int, ...]
    dropped: tuple[Fiducial, ...]


@dataclass(frozen=True, slots=True)
class _Ground:
    """What of the fit depends on the template alone.

    lines: all of them; points: the points by which they are measured; members: which lines are of each axis, from the top;
    normals: what their middles give to the fit; corner_designs: design matrices of the fiducials' corners, by place (dense:
    quicker than gathering); leniency: (n,), by how much a line's misfit counts for less: nobody draws along the lines of
    grids whose edges are not read.
    """

    lines: PrintedLines
    points: warp.Scattered
    members: tuple[NDArray[np.intp], NDArray[np.intp]]
    normals: tuple[warp.Normal, warp.Normal]
    leniency: FloatArray


@cache
def _ground(template: Template) -> _Ground:
    lines = lines_of(template)
    middle_mm = lines.middle_mm
    from_top = np.argsort(middle_mm[:, 1], kind="stable")
    upright, level = (from_top[lines.axis[from_top] == axis] for axis in (0, 1))
    leniency = np.array([1.0 if "edges" in grid.reads else _LENIENCY for grid in template.grids])[lines.grid]
    return _Ground(
        lines,
        warp.scattered(line_points(lines), template.paper_mm),
        (read_only(upright), read_only(level)),
        (warp.normal_of(middle_mm[upright], template.paper_mm), warp.normal_of(middle_mm[level], template.paper_mm)),
        read_only(leniency),
    )


@dataclass(frozen=True, slots=True)
class _Anchors:
    """What of the fit depends on the template and on which fiducials were found.

    corners_mm: (4 * n, 2), by place; design: (4 * n, nodes), of the corners; alone: (nodes, 4 * n), the coefficients that
    displacements of the corners give by themselves; held: the normal equations of the corners, for each of `_ROUNDS`.
    """

    corners_mm: FloatArray
    design: FloatArray
    alone: FloatArray
    held: tuple[FloatArray, ...]


@lru_cache(maxsize=4)
def _anchors(template: Template, places: tuple[int, ...]) -> _Anchors:
    corners_mm = np.concatenate([template.fiducial_corners_mm(place) for place in places])
    design = warp.sampler(corners_mm, template.paper_mm).design()
    normal = _CORNER_WEIGHT * (design.T @ design)
    # Rounds of one stiffness share one matrix.
    by_stiffness = {one.stiffness: read_only(normal + warp.penalty(template.paper_mm, one.stiffness)) for one in _ROUNDS}
    alone = warp.solve(by_stiffness[_ROUNDS[0].stiffness], _CORNER_WEIGHT * design.T)
    return _Anchors(
        read_only(corners_mm),
        read_only(design),
        read_only(alone.reshape(-1, len(corners_mm))),
        tuple(by_stiffness[one.stiffness] for one in _ROUNDS),
    )


def agreeing(
    template: Template, members: Mapping[int, Fiducial], homography: FloatArray | None
) -> tuple[dict[int, Fiducial], FloatArray | None]:
    """`members`, whose homography is given, without one that is far off while all others fit: a fiducial on a folded corner.
    Bowed paper, where all are off a little, keeps all. With them comes their homography."""
    kept = dict(members)
    while len(kept) > _MIN_AGREEING:
        misfit, furthest = _misfit_mm(template, kept, homography)
        if furthest < _OUTLIER_MM:
            break
        without = {place: {p: f for p, f in kept.items() if p != place} for place in kept}
        fits = {place: fit_homography(template, rest) for place, rest in without.items()}
        best, place = min((_misfit_mm(template, rest, fits[place])[0], place) for place, rest in without.items())
        if best * _OUTLIER_GAIN > misfit:
            break
        kept, homography = without[place], fits[place]
    return kept, homography


def _misfit_mm(template: Template, members: Mapping[int, Fiducial], homography: FloatArray | None) -> tuple[float, float]:
    """Root mean square and largest misfit of the corners under a homography, sheet mm."""
    if homography is None:
        return np.inf, np.inf
    sheet_mm, photo_px = _corners(template, members)
    off = np.linalg.norm(apply_homography(_inverse(homography), photo_px) - sheet_mm, axis=1)
    return float(np.sqrt((off**2).mean())), float(off.max())


def _inverse(homography: FloatArray) -> FloatArray:
    return np.asarray(np.linalg.inv(homography), dtype=np.float64)


def _corners(template: Template, members: Mapping[int, Fiducial]) -> tuple[FloatArray, FloatArray]:
    sheet_mm = np.concatenate([template.fiducial_corners_mm(place) for place in members])
    return sheet_mm, np.concatenate([fiducial.corners_px for fiducial in members.values()])


def fit_pose(photo: Photo, template: Template, identity: SheetIdentity, group: Group) -> Fit | None:
    """Fit the pose of the sheet whose fiducials are the group's members; None if they allow no homography."""
    members = group.members
    kept, homography = agreeing(template, members, group.homography)
    if homography is None:
        return None
    paper = template.paper_mm
    ground = _ground(template)
    anchors = _anchors(template, tuple(sorted(kept)))
    corners_px = np.concatenate([kept[place].corners_px for place in sorted(kept)])
    shift = apply_homography(_inverse(homography), corners_px) - anchors.corners_mm
    corner_right = _CORNER_WEIGHT * (anchors.design.T @ shift)
    coefficients = (anchors.alone @ shift).reshape(warp.CELLS[1] + 3, warp.CELLS[0] + 3, 2)
    px_per_mm = smallest_scale(homography, paper)
    reduction = next((r for r in (4, 2) if px_per_mm / r >= _LINE_PX and max(photo.width, photo.height) / r >= 1500), 1)
    gray = photo.gray(reduction)

    squares = weights = 0.0
    found = np.zeros(len(ground.lines.axis), dtype=np.bool_)
    for (reach_mm, expected_mm, tolerance_mm, _, reweightings), held in zip(_ROUNDS, anchors.held, strict=True):
        points_px = reduced_px(apply_homography(homography, ground.points.moved(coefficients)), reduction)
        offsets = measure_lines(gray, ground.lines, points_px, reach_mm, expected_mm)
        fitted = []
        squares = weights = 0.0
        for axis in (0, 1):
            index, normal = ground.members[axis], ground.normals[axis]
            offset, weight = offsets.offset_mm[index], offsets.weight[index] / _LINE_SIGMA_MM**2
            values = normal.matrix @ coefficients[..., axis].ravel() + offset
            tolerance = tolerance_mm * ground.leniency[index]
            trust = weight / (1 + (offset / (2 * tolerance)) ** 2)
            for _ in range(reweightings):
                right = corner_right[:, axis] + normal.matrix.T @ (trust * values)
                surface = warp.solve(normal.plus(held, trust), right[:, None])
                line_misfit = values - normal.matrix @ surface.ravel()
                trust = weight / (1 + (line_misfit / tolerance) ** 2) ** 2
            fitted.append(surface)
            corner_misfit = shift[:, axis] - anchors.design @ surface.ravel()
            squares += float(_CORNER_WEIGHT * (corner_misfit**2).sum() + (trust * line_misfit**2).sum())
            weights += float(_CORNER_WEIGHT * len(shift) + trust.sum())
            # A pen outline on a line hides it, but shows that nothing lies on the sheet there.
            slack_mm = np.where(offsets.darkness[index] > _PEN_DARKNESS, _PEN_SLACK_MM, 2 * tolerance_mm)
            found[index] = (offsets.darkness[index] > _LEAST_DARKNESS) & (np.abs(line_misfit) < slack_mm)
        coefficients = np.concatenate(fitted, axis=-1)
    width, height = paper
    sheet_corners = np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]])
    blurs = np.array([fiducial.rise_px / fiducial.side_px for fiducial in kept.values()])
    blur_mm = float(median(blurs)) * template.fiducials.size_mm
    pose = Pose(
        identity=identity,
        paper_mm=paper,
        homography=read_only(homography),
        warp_mm=read_only(coefficients),
        residual_mm=float(np.sqrt(squares / weights)),
        px_per_mm=px_per_mm,
        blur_mm=blur_mm,
        corners_px=sheet_corners,
        fiducials=tuple(kept[place].id for place in sorted(kept)),
    )
    pose = replace(pose, corners_px=read_only(pose.to_photo(sheet_corners)))
    dropped = tuple(fiducial for place, fiducial in members.items() if place not in kept)
    return Fit(pose, cells_hidden(template, found), dropped)


def smallest_scale(homography: FloatArray, paper_mm: tuple[float, float]) -> float:
    """Photo px a sheet mm where and in the direction in which they are fewest, fiducials' ring inwards."""
    points = _scale_points(paper_mm)
    depth = points @ homography[2, :2] + homography[2, 2]
    mapped = apply_homography(homography, points)
    jacobian = (homography[:2, :2] - mapped[:, :, None] * homography[2, :2]) / depth[:, None, None]
    (a, b), (c, d) = jacobian.transpose(1, 2, 0)
    # The smaller singular value of a 2 x 2 matrix.
    return float(np.abs(np.hypot(a + d, b - c) - np.hypot(a - d, b + c)).min()) / 2


@cache
def _scale_points(paper_mm: tuple[float, float]) -> FloatArray:
    x, y = np.meshgrid(np.linspace(0.05, 0.95, 5) * paper_mm[0], np.linspace(0.05, 0.95, 4) * paper_mm[1])
    return read_only(np.stack([x.ravel(), y.ravel()], axis=-1))
