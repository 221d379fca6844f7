"""Which sheet that was found is which sheet of the truth."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from scanner.evaluate.truth import TruthSheet
from scanner.geometry import FloatArray
from scanner.result import RefusedSheet, SheetResult


@dataclass(frozen=True, slots=True)
class Matching:
    """read: truth index -> index among the sheets that were read. refused: truth index -> index among the refused.
    unexpected: indices of read sheets that no truth accounts for."""

    read: dict[int, int]
    refused: dict[int, int]
    unexpected: tuple[int, ...]


def _centre(points: Sequence[tuple[float, float]]) -> FloatArray:
    centre: FloatArray = np.asarray(points, dtype=np.float64).mean(axis=0)
    return centre


def _distance_between(truth: TruthSheet, sheet: SheetResult) -> float | None:
    """Between the two centres, in units of the true sheet's half extent; None if the truth does not give its place."""
    if truth.pose is None or not sheet.pose.corners_px:
        return None
    points = np.asarray(truth.pose.lattice_px, dtype=np.float64)
    half_extent = float(np.ptp(points, axis=0).max()) / 2
    return float(np.linalg.norm(_centre(sheet.pose.corners_px) - points.mean(axis=0))) / max(half_extent, 1.0)


def _same(truth: TruthSheet, seat: int | None, number: int | None) -> bool:
    return (truth.seat, truth.sheet_number) == (seat, number)


def _read_pairs(truths: Sequence[TruthSheet], sheets: Sequence[SheetResult]) -> Iterator[tuple[int, float, int, int]]:
    """All pairs that may belong together, as (rank, distance, truth index, sheet index): seat and sheet number first, then
    place."""
    for t, truth in enumerate(truths):
        for s, sheet in enumerate(sheets):
            distance = _distance_between(truth, sheet)
            if _same(truth, sheet.state.get("seat"), sheet.state.get("sheet_number")):
                yield 0, distance or 0.0, t, s
            elif distance is not None and distance < 0.5:
                yield 1, distance, t, s
            elif distance is None and truth.seat == sheet.state.get("seat") and sheet.state.get("sheet_number") is None:
                yield 2, 0.0, t, s


def _refused_pairs(truths: Sequence[TruthSheet], refused: Sequence[RefusedSheet]) -> Iterator[tuple[int, float, int, int]]:
    for t, truth in enumerate(truths):
        for r, gone in enumerate(refused):
            if _same(truth, gone.seat, gone.sheet_number):
                yield 0, 0.0, t, r
            elif gone.seat == truth.seat and gone.sheet_number is None:
                yield 1, 0.0, t, r
            elif gone.seat is None:
                yield 2, 0.0, t, r


def _assign(pairs: Iterator[tuple[int, float, int, int]], taken: set[int]) -> dict[int, int]:
    """The pairs, best first, each truth and each find once; truths in `taken` are left out."""
    result: dict[int, int] = {}
    for _rank, _distance, t, s in sorted(pairs):
        if t not in taken and t not in result and s not in result.values():
            result[t] = s
    return result


def match(truths: Sequence[TruthSheet], sheets: Sequence[SheetResult], refused: Sequence[RefusedSheet]) -> Matching:
    """Match by seat and sheet number, then by place; what is left of the truth is matched with the refused."""
    read = _assign(_read_pairs(truths, sheets), set())
    gone = _assign(_refused_pairs(truths, refused), set(read))
    return Matching(read, gone, tuple(s for s in range(len(sheets)) if s not in read.values()))
