"""One sheet, or one photo, as read against its truth."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, Literal

import msgspec
import numpy as np

from scanner.evaluate.match import match
from scanner.evaluate.reliability import NOTHING, Reliability, measure
from scanner.evaluate.truth import CLASSES, Truth, TruthPose, TruthSheet, totals_of
from scanner.geometry import FloatArray
from scanner.result import ErrorInfo, ScanResult, SheetResult, thaw
from scanner.sheet.pose import Pose
from scanner.sheet.writers import WRITERS

Outcome = Literal["exact", "flagged", "silent", "refused", "failed", "missing"]
"""exact: the total is right. flagged: it is wrong, but something is in review and the truth lies within the bounds. silent: it
is wrong, and nothing is in review or the truth lies outside the bounds. refused: the sheet or its photo was refused with a code
4 error. failed: the photo gave another error. missing: the sheet was neither read nor refused."""


EMPTY: Final = {".", "_"}
"""An empty cell, not built or built: the same to every score."""

NO_CONFIDENCE: Final[Mapping[str, float]] = MappingProxyType({})


class Tally(msgspec.Struct, frozen=True):
    """How many of how many."""

    right: int = 0
    of: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.right + other.right, self.of + other.of)

    @property
    def rate(self) -> float | None:
        """The share that is right; None where there was nothing."""
        return self.right / self.of if self.of else None


class PoseError(msgspec.Struct, frozen=True):
    """Distance between where the pose puts the truth's visible lattice points and where they are, in sheet mm."""

    rms_mm: float
    max_mm: float


class Verdict(msgspec.Struct, frozen=True):
    """One true sheet. What can only be told of a sheet that was read is empty or None for the others.

    state_exact: obelisk, scrolls and levels are all as on the paper. identity_right: the seat is, and the sheet number if it
    was read at all. classes: by what the place truly holds: a class of `CLASSES` for the obelisk, "scroll" for the symbols on
    scrolls, "mark" for circles. wall_edges: edges of wall cells, drawn or not. misread: every wrong place that can change a
    score, in words. unflagged: how many of them are not in review. built_wrong: empty cells taken for built or the other way
    round, which changes no score. within: the bounds hold the true total. reliability: of the cells whose confidence is
    known. raw: the same sheet without the rules' correction, where the game has such a reading.
    """

    photo: str
    condition: str
    outcome: Outcome
    true_total: int
    seat: int | None = None
    sheet_number: int | None = None
    total: int | None = None
    bounds: tuple[int, int] | None = None
    error_kind: str | None = None
    identity_right: bool = False
    state_exact: bool = False
    walls_exact: bool = False
    in_review: int = 0
    classes: dict[str, Tally] = {}
    wall_edges: Tally = Tally()
    misread: tuple[str, ...] = ()
    unflagged: int = 0
    built_wrong: int = 0
    within: bool = False
    reliability: Reliability = NOTHING
    pose: PoseError | None = None
    raw: "Verdict | None" = None


class PhotoVerdict(msgspec.Struct, frozen=True):
    """One photo: a verdict a true sheet, the number of sheets read that are not in the truth, and the photo's own error."""

    photo: str
    condition: str
    foreign: bool
    sheets: tuple[Verdict, ...]
    unexpected: int
    error_kind: str | None = None
    seconds: float = 0.0


def outlines(wall: Sequence[str]) -> set[tuple[str, int, int]]:
    """The drawn edges that a wall's shapes imply: ("h", r, c) above row r at column c, ("v", r, c) left of column c."""
    rows, columns = len(wall), len(wall[0]) if wall else 0

    def at(r: int, c: int) -> str:
        return wall[r][c] if 0 <= r < rows and 0 <= c < columns else "."

    drawn = {("h", r, c) for r in range(rows + 1) for c in range(columns) if at(r, c) != at(r - 1, c)}
    return drawn | {("v", r, c) for r in range(rows) for c in range(columns + 1) if at(r, c) != at(r, c - 1)}


def same_shapes(wall: Sequence[str], other: Sequence[str]) -> bool:
    """Whether both walls hold the same shapes, whatever letters they carry."""
    pairs = {pair for row, other_row in zip(wall, other, strict=True) for pair in zip(row, other_row, strict=True)}
    shapes = {pair for pair in pairs if "." not in pair}
    frees_agree = all(a == b for a, b in pairs - shapes)
    return frees_agree and len({a for a, _ in shapes}) == len({b for _, b in shapes}) == len(shapes)


def pose_error(pose: Pose, truth: TruthPose) -> PoseError | None:
    """The pose's error at the visible lattice points; None if no point is visible. Pixels are turned into millimetres by
    the pose's own local scale (central differences over 1 mm)."""
    visible = np.array(truth.lattice_visible or [True] * len(truth.lattice_mm), dtype=bool)
    points_mm = np.array(truth.lattice_mm, dtype=np.float64)[visible]
    if not len(points_mm):
        return None
    points_px = np.array(truth.lattice_px, dtype=np.float64)[visible]
    off_px = pose.to_photo(points_mm) - points_px
    half = np.eye(2) / 2
    jacobian: FloatArray = np.stack([pose.to_photo(points_mm + h) - pose.to_photo(points_mm - h) for h in half], axis=-1)
    off_mm = np.linalg.norm(np.linalg.solve(jacobian, off_px[..., None])[..., 0], axis=-1)
    return PoseError(float(np.sqrt(np.mean(off_mm**2))), float(off_mm.max()))


def _places(truth: TruthSheet, state: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    """Every place that can change the score, as (where, class, true, read)."""
    if truth.other is not None:
        yield from _places_of_any_game(truth.other, state)
        return
    for r, (true_row, row) in enumerate(zip(truth.obelisk, state["obelisk"], strict=True), start=1):
        for c, (true, read) in enumerate(zip(true_row, row, strict=True), start=1):
            yield f"obelisk r{r} c{c}", CLASSES[true], true, read
    # A truth that leaves scrolls or levels out says nothing of them.
    for index, (scroll, given) in enumerate(zip(truth.scrolls, state.get("scrolls") or (), strict=False), start=1):
        for k, (true, read) in enumerate(zip(scroll.symbols or "....", given["symbols"] or "....", strict=True)):
            yield f"scroll{index} r{k // 2 + 1} c{k % 2 + 1}", "scroll", true, read
        for mark, drawn in (("points", "marked"), ("used", "used")):
            yield f"scroll{index} {mark}", "mark", str(getattr(scroll, drawn)), str(given[drawn])
    for level, (points, given) in enumerate(zip(truth.levels, state.get("levels") or (), strict=False), start=1):
        yield f"level{level}", "mark", str(points), str(given)


def _places_of_any_game(truth: Mapping[str, Any], state: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    """The same for a game whose states can be written on a sheet: its cells, and its circles."""
    writer = WRITERS[truth["game"]]
    true, read = writer(truth), writer(thaw(state))
    for grid, rows in true.cells.items():
        for r, (true_row, row) in enumerate(zip(rows, read.cells[grid], strict=True), start=1):
            for c, (true_cell, cell) in enumerate(zip(true_row, row, strict=True), start=1):
                yield f"{grid} r{r} c{c}", CLASSES.get(true_cell, "unreadable"), true_cell, cell
    for mark in sorted(true.marks | read.marks):
        yield mark.replace(".", " "), "mark", str(mark in true.marks), str(mark in read.marks)


def _is_in_review(where: str, reviewed: Sequence[str]) -> bool:
    # A level's review names the mark within the level ("level2 mark 5"); a number's names all of its circles ("statues white").
    return any(name == where or name.startswith(where + " ") or where.startswith(name + " ") for name in reviewed)


def compare_sheet(
    photo: str,
    condition: str,
    truth: TruthSheet,
    sheet: SheetResult,
    pose: Pose | None,
    confidence: Mapping[str, float] = NO_CONFIDENCE,
) -> Verdict:
    """A sheet that was read, against its truth. `confidence`: see `scanner.decode.decoded.Decoded`."""
    reviewed = [line.where for line in sheet.review]
    totals = totals_of(sheet.score)
    true_total, total = truth.total, sum(totals)
    low, high = sheet.bounds
    within = all(low <= one <= high for one in truth.totals)
    same = totals == truth.totals
    outcome: Outcome = "exact" if same else "flagged" if reviewed and within else "silent"
    classes: dict[str, Tally] = {}
    misread, unflagged, built_wrong, readings = [], 0, 0, []
    for where, name, true, read in _places(truth, sheet.state):
        classes[name] = classes.get(name, Tally()) + Tally(int(true == read), 1)
        readings.append((where, true == read or {true, read} == EMPTY))
        if true != read and {true, read} == EMPTY:
            built_wrong += 1
        elif true != read:
            flagged = _is_in_review(where, reviewed)
            unflagged += not flagged
            misread.append(f"{where}: {true} read as {read}" + (" (in review)" if flagged else ""))
    edges, walls_exact = Tally(), False
    wall = sheet.state.get("wall_shapes")
    if truth.wall_shapes and wall:
        rows, columns = len(wall), len(wall[0])
        of = (rows + 1) * columns + rows * (columns + 1)
        edges = Tally(of - len(outlines(truth.wall_shapes) ^ outlines(wall)), of)
        walls_exact = same_shapes(truth.wall_shapes, wall)
    return Verdict(
        photo=photo,
        condition=condition,
        outcome=outcome,
        true_total=true_total,
        seat=truth.seat,
        sheet_number=truth.sheet_number,
        total=total,
        bounds=(low, high),
        identity_right=sheet.state.get("seat") == truth.seat and sheet.state.get("sheet_number") in (truth.sheet_number, None),
        state_exact=not misread and not built_wrong,
        walls_exact=walls_exact,
        in_review=len(reviewed),
        classes=classes,
        wall_edges=edges,
        misread=tuple(misread),
        unflagged=unflagged,
        built_wrong=built_wrong,
        within=within,
        reliability=measure(readings, confidence),
        pose=pose_error(pose, truth.pose) if pose is not None and truth.pose is not None else None,
    )


@dataclass(frozen=True, slots=True)
class Look:
    """What is known of a sheet that was read, beside its result: its pose, the confidence of its readings, and its result
    without the rules' correction."""

    pose: Pose | None = None
    confidence: Mapping[str, float] = field(default_factory=dict)
    raw: SheetResult | None = None


def compare_photo(
    condition: str, truth: Truth, result: ScanResult, looks: Sequence[Look] = (), seconds: float = 0.0
) -> PhotoVerdict:
    """A photo's result against its truth; `looks` go with `result.sheets` (or are left out)."""
    matching = match(truth.sheets, result.sheets, result.refused)
    verdicts = []
    for t, true_sheet in enumerate(truth.sheets):
        if t in matching.read:
            s = matching.read[t]
            look = looks[s] if looks else Look()
            sheet = result.sheets[s]
            verdict = compare_sheet(result.file, condition, true_sheet, sheet, look.pose, look.confidence)
            if look.raw is not None:
                raw = compare_sheet(result.file, condition, true_sheet, look.raw, None)
                verdict = msgspec.structs.replace(verdict, raw=raw)
            verdicts.append(verdict)
            continue
        error: ErrorInfo | None = result.refused[matching.refused[t]].error if t in matching.refused else result.error
        verdicts.append(
            Verdict(
                photo=result.file,
                condition=condition,
                outcome="missing" if error is None else "refused" if error.code == 4 else "failed",
                true_total=true_sheet.total,
                seat=true_sheet.seat,
                sheet_number=true_sheet.sheet_number,
                error_kind=error.kind if error else None,
            )
        )
    return PhotoVerdict(
        photo=result.file,
        condition=condition,
        foreign=not truth.sheets,
        sheets=tuple(verdicts),
        unexpected=len(matching.unexpected),
        error_kind=result.error.kind if result.error else None,
        seconds=seconds,
    )
