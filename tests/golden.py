"""Floors of accuracy by condition, and an evaluation held against them.

The floors stand in a TOML file, a table a condition:

    [dim]
    photos = 3      # exactly so many photos, so that none is lost unnoticed
    sheets = 4      # exactly so many sheets in them
    exact = 4       # at least so many with the exact total
    silent = 0      # at most so many with a silently wrong total, sheets that are not there included
    review = 2.0    # at most so many readings in review a sheet, on average

Floors only rise: what is better than its floor is reported too, so that the floor can follow. `python -m tests.golden DIR`
prints the floors that the photos in DIR reach today.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path

import msgspec

from scanner.evaluate.summary import Evaluation, Summary


class Floor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one condition must reach."""

    photos: int
    sheets: int
    exact: int
    silent: int
    review: float


@dataclass
class Comparison:
    """breaches: where the evaluation falls short. better: where a floor could rise."""

    breaches: list[str] = field(default_factory=list)
    better: list[str] = field(default_factory=list)


def load_floors(path: Path) -> dict[str, Floor]:
    """The floors by condition."""
    return msgspec.toml.decode(path.read_bytes(), type=dict[str, Floor])


def silently_wrong(summary: Summary) -> int:
    """Silently wrong totals, sheets that are not there, and sheets that were overlooked or crashed the scanner."""
    return summary.silent + summary.unexpected + summary.missing + summary.failed


def compare(evaluation: Evaluation, floors: Mapping[str, Floor]) -> Comparison:
    """Hold every condition against its floor; a condition without a floor, or a floor without photos, is a breach."""
    result = Comparison()
    summaries = {summary.condition: summary for summary in evaluation.conditions}
    for name in sorted(summaries.keys() ^ floors.keys()):
        result.breaches.append(f"{name}: {'no floor' if name in summaries else 'no photos'}")
    for photo in evaluation.without_truth:
        result.breaches.append(f"{photo}: no truth")
    for name in sorted(summaries.keys() & floors.keys()):
        _compare_condition(summaries[name], floors[name], result)
    return result


def _compare_condition(summary: Summary, floor: Floor, result: Comparison) -> None:
    for what, found, expected in (("photos", summary.photos, floor.photos), ("sheets", summary.sheets, floor.sheets)):
        if found != expected:
            result.breaches.append(f"{summary.condition}: {found} {what} instead of {expected}")
    if summary.exact < floor.exact:
        result.breaches.append(f"{summary.condition}: {summary.exact} exact, at least {floor.exact} expected")
    elif summary.exact > floor.exact:
        result.better.append(f"{summary.condition}: {summary.exact} exact, floor {floor.exact}")
    silent = silently_wrong(summary)
    if silent > floor.silent:
        result.breaches.append(f"{summary.condition}: {silent} silently wrong, at most {floor.silent} allowed")
    elif silent < floor.silent:
        result.better.append(f"{summary.condition}: {silent} silently wrong, {floor.silent} allowed")
    review = summary.review_rate or 0.0
    if review > floor.review:
        result.breaches.append(f"{summary.condition}: {review:.2f} in review a sheet, at most {floor.review:.2f} allowed")


def floors_reached(evaluation: Evaluation) -> str:
    """The floors that an evaluation reaches, as TOML; the review rate is rounded up to the next half."""
    tables = []
    for s in evaluation.conditions:
        review = ceil(2 * (s.review_rate or 0.0)) / 2
        figures = (
            f"photos = {s.photos}\nsheets = {s.sheets}\nexact = {s.exact}\nsilent = {silently_wrong(s)}\nreview = {review}"
        )
        tables.append(f"[{s.condition}]\n{figures}\n")
    return "\n".join(tables)


if __name__ == "__main__":
    from scanner.evaluate.run import evaluate_directory

    sys.stdout.write(floors_reached(evaluate_directory(Path(sys.argv[1]))))
