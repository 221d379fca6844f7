"""Verdicts added up: over all photos, and by condition."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from scanner.evaluate.compare import PhotoVerdict, Tally, Verdict
from scanner.evaluate.reliability import LEVELS, Reliability, together
from scanner.result import SCHEMA, thaw


class Reading(msgspec.Struct, frozen=True):
    """What one way of reading makes of some sheets; the fields are as in `Summary`."""

    read: int
    exact: int
    flagged: int
    silent: int
    state_exact: int
    in_review: int
    unflagged: int
    cells: Tally

    @property
    def review_rate(self) -> float | None:
        """Readings in review a sheet."""
        return self.in_review / self.read if self.read else None


class Summary(msgspec.Struct, frozen=True):
    """Counts over a group of photos.

    sheets: true sheets. found: read or refused. read: scored. exact, flagged, silent, refused, failed, missing: see
    `compare.Outcome`. unexpected: sheets read that are not there, foreign ones among them. foreign: photos that show no sheet.
    wrong_identity: sheets read with a wrong seat or sheet number. state_exact: every scoring place is right. walls_exact:
    every shape on the wall is. in_review: readings in review, all sheets together. unflagged: misread places not in review.
    within: sheets whose bounds hold the true total. reliability: of the cells whose confidence is known. refusals: how often
    which error. pose_rms_mm: mean over the sheets; pose_max_mm: the worst point of all (both sheet mm).
    raw, decoded: the sheets of games that have a raw reading, read so, place by place, and as the rules correct them.
    """

    condition: str
    photos: int
    foreign: int
    sheets: int
    found: int
    read: int
    exact: int
    flagged: int
    silent: int
    refused: int
    failed: int
    missing: int
    unexpected: int
    wrong_identity: int
    state_exact: int
    walls_exact: int
    in_review: int
    unflagged: int
    within: int
    cells: Tally
    classes: dict[str, Tally]
    wall_edges: Tally
    reliability: Reliability
    refusals: dict[str, int]
    pose_rms_mm: float | None
    pose_max_mm: float | None
    seconds: float
    raw: Reading
    decoded: Reading

    @property
    def exact_rate(self) -> float | None:
        """Sheets with the exact total among those that were read."""
        return self.exact / self.read if self.read else None

    @property
    def review_rate(self) -> float | None:
        """Readings in review a sheet."""
        return self.in_review / self.read if self.read else None


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _by_class(verdicts: Iterable[Verdict]) -> dict[str, Tally]:
    classes: dict[str, Tally] = {}
    for verdict in verdicts:
        for name, tally in verdict.classes.items():
            classes[name] = classes.get(name, Tally()) + tally
    return dict(sorted(classes.items()))


def summarise(condition: str, photos: Sequence[PhotoVerdict]) -> Summary:
    """Add up a group of photos under the name `condition`."""
    verdicts = [verdict for photo in photos for verdict in photo.sheets]
    outcomes = Counter(verdict.outcome for verdict in verdicts)
    read = [verdict for verdict in verdicts if verdict.total is not None]
    classes = _by_class(read)
    poses = [verdict.pose for verdict in read if verdict.pose is not None]
    refusals = Counter(verdict.error_kind for verdict in verdicts if verdict.error_kind is not None)
    refusals.update(photo.error_kind for photo in photos if photo.foreign and photo.error_kind is not None)
    return Summary(
        condition=condition,
        photos=len(photos),
        foreign=sum(photo.foreign for photo in photos),
        sheets=len(verdicts),
        found=len(verdicts) - outcomes["missing"] - outcomes["failed"],
        read=len(read),
        exact=outcomes["exact"],
        flagged=outcomes["flagged"],
        silent=outcomes["silent"],
        refused=outcomes["refused"],
        failed=outcomes["failed"],
        missing=outcomes["missing"],
        unexpected=sum(photo.unexpected for photo in photos),
        wrong_identity=sum(not verdict.identity_right for verdict in read),
        state_exact=sum(verdict.state_exact for verdict in read),
        walls_exact=sum(verdict.walls_exact for verdict in read),
        in_review=sum(verdict.in_review for verdict in read),
        unflagged=sum(verdict.unflagged for verdict in read),
        within=sum(verdict.within for verdict in read),
        cells=sum(classes.values(), Tally()),
        classes=classes,
        wall_edges=sum((verdict.wall_edges for verdict in read), Tally()),
        reliability=together(verdict.reliability for verdict in read),
        refusals=dict(sorted(refusals.items())),
        pose_rms_mm=_mean([pose.rms_mm for pose in poses]),
        pose_max_mm=max((pose.max_mm for pose in poses), default=None),
        seconds=sum(photo.seconds for photo in photos),
        raw=_reading([verdict.raw for verdict in read if verdict.raw is not None]),
        decoded=_reading([verdict for verdict in read if verdict.raw is not None]),
    )


def _reading(verdicts: Sequence[Verdict]) -> Reading:
    outcomes = Counter(verdict.outcome for verdict in verdicts)
    return Reading(
        read=len(verdicts),
        exact=outcomes["exact"],
        flagged=outcomes["flagged"],
        silent=outcomes["silent"],
        state_exact=sum(verdict.state_exact for verdict in verdicts),
        in_review=sum(verdict.in_review for verdict in verdicts),
        unflagged=sum(verdict.unflagged for verdict in verdicts),
        cells=sum(_by_class(verdicts).values(), Tally()),
    )


class Evaluation(msgspec.Struct, frozen=True):
    """A whole evaluation: all photos, the sums by condition and over everything, and photos left out for want of a truth."""

    conditions: tuple[Summary, ...]
    overall: Summary
    photos: tuple[PhotoVerdict, ...]
    without_truth: tuple[str, ...] = ()

    @classmethod
    def of(cls, photos: Sequence[PhotoVerdict], without_truth: Sequence[str] = ()) -> "Evaluation":
        groups: dict[str, list[PhotoVerdict]] = {}
        for photo in photos:
            groups.setdefault(photo.condition, []).append(photo)
        return cls(
            conditions=tuple(summarise(name, groups[name]) for name in sorted(groups)),
            overall=summarise("all", photos),
            photos=tuple(photos),
            without_truth=tuple(without_truth),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists and values, ready for JSON, with the document's `schema`."""
        return {"schema": SCHEMA, "reliability_levels": list(LEVELS), **thaw(msgspec.to_builtins(self))}
