"""One sheet of a night, from all the photos that show it.

The photos' evidence is fused and decoded as one. Where a photo is sure of a reading and the fused evidence says otherwise,
the photos contradict each other, and the place goes to review; where they differ in too much to be one and the same piece of
writing, nothing is fused and the whole sheet goes to review.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Final

import msgspec
import numpy as np

from scanner.decode import decode
from scanner.decode.circles import MARKED, UNMARKED
from scanner.decode.decoded import CONFIDENT_INK, Decoded
from scanner.decode.questions import CellQuestion, ask
from scanner.engine import audit_state, score_state
from scanner.engine.obelisk.sheet import BLANK, LEVEL_POINTS, SCROLL_POINTS, UNBUILT, UNREADABLE
from scanner.errors import SheetError
from scanner.geometry import FloatArray
from scanner.night import places
from scanner.night.fusion import fuse, quality, weights
from scanner.night.ledger import SheetKey
from scanner.night.photos import PhotoFile
from scanner.night.record import SheetRecord
from scanner.reading.readings import CONTENT_CHARACTERS, Readings
from scanner.report.where import cell_of
from scanner.result import Review, SheetResult, freeze
from scanner.sheet.pose import SheetIdentity
from scanner.sheet.template import load_template

ANOTHER_SHEET: Final = 8
"""Two photos that plainly show different things in more places than this do not show the same writing."""
PLAIN: Final = CONFIDENT_INK
"""Probability from which a reading counts as plain, by itself and whatever the rules say."""
_PLAIN_ODDS: Final = log(PLAIN / (1 - PLAIN))


@dataclass(frozen=True, slots=True)
class Sighting:
    """A sheet in one photo."""

    photo: PhotoFile
    record: SheetRecord

    @property
    def quality(self) -> float:
        return quality(self.record.pose)


@dataclass(frozen=True, slots=True)
class NightSheet:
    """A sheet, read once. `sightings`: the photos that show it, best first; `readings`: their fused evidence; `same`: whether
    they show the same writing."""

    key: SheetKey
    result: SheetResult
    readings: Readings
    sightings: tuple[Sighting, ...]
    same: bool = True

    @property
    def seat(self) -> int:
        return self.key.seat

    @property
    def photos(self) -> tuple[str, ...]:
        """Names of the photos, best first."""
        return tuple(sighting.photo.name for sighting in self.sightings)

    @property
    def holds_table(self) -> bool:
        """Whether it is one for all players, so that it is a game of its own and has no seats beside it."""
        return "players" in self.result.score

    def decoded(self) -> Decoded:
        """The fused readings, decoded again."""
        return _decode(self.key, self.readings)


def _decode(key: SheetKey, readings: Readings) -> Decoded:
    return decode(readings, load_template(key.game), SheetIdentity(key.game, key.seat, key.sheet_number))


def read_sheet(sightings: Sequence[Sighting]) -> NightSheet:
    """The sheet that these photos show, at least one."""
    best, *others = sorted(sightings, key=lambda one: (-one.quality, one.photo.name))
    record = best.record
    numbers = [one.record.sheet_number for one in (best, *others) if one.record.sheet_number is not None]
    key = SheetKey(record.game, record.seat, numbers[0] if numbers else None)
    if not others:
        return NightSheet(key, record.result, record.readings.readings(), (best,))
    ordered = (best, *others)
    weigh = weights([one.quality for one in ordered])
    if any(not same_writing(record, other.record) for other in others):
        return NightSheet(key, _torn(ordered, weigh), record.readings.readings(), ordered, same=False)
    readings = fuse([one.record.readings.readings() for one in ordered], weigh)
    try:
        decoded = _decode(key, readings)
    except SheetError:
        # Each photo makes a sheet, all together make none.
        return NightSheet(key, _torn(ordered, weigh), record.readings.readings(), ordered, same=False)
    result = SheetResult.of(record.full_pose(), decoded, audit_state(decoded.audited))
    return NightSheet(key, _with_contradictions(result, ordered, weigh), readings, ordered)


def same_writing(one: SheetRecord, other: SheetRecord) -> bool:
    """Whether two photos can show the same sheet of paper, by the ink in each that is plain to see."""
    if one.game != other.game or one.seat != other.seat:
        return False
    first, second = one.readings.readings(), other.readings.readings()
    differences = sum(
        int(((np.minimum(a.max(-1), b.max(-1)) > log(PLAIN)) & (a.argmax(-1) != b.argmax(-1))).sum())
        for a, b in ((first.content[name], second.content[name]) for name in first.content)
    )
    differences += sum(
        min(abs(odds), abs(second.marks[name])) > _PLAIN_ODDS and (odds > 0) != (second.marks[name] > 0)
        for name, odds in first.marks.items()
    )
    return differences <= ANOTHER_SHEET


def _says(record: SheetRecord) -> dict[str, str]:
    """What a photo alone has at each place: the ink where it is plain, else what the rules made of it beyond doubt."""
    open_places = {places.place_of(line) for line in record.result.review}
    sure = {where: reading for where, reading in places.readings(record.result.state).items() if where not in open_places}
    return sure | _ink(record.readings.readings())


def _ink(readings: Readings) -> dict[str, str]:
    """The places whose ink is plain. What is no symbol says nothing: a thing on the paper covers it in one photo only."""
    found: dict[str, str] = {}
    cells = readings.content["obelisk"]
    for r, c in np.argwhere(cells.max(-1) > log(PLAIN)).tolist():
        character = CONTENT_CHARACTERS[int(cells[r, c].argmax())]
        if character != UNREADABLE:
            found[f"obelisk r{r + 1} c{c + 1}"] = character
    for level, ranked in enumerate(LEVEL_POINTS, 1):
        odds = {points: readings.marks[f"level{level}.{points}"] for points in ranked}
        marked = [points for points, one in odds.items() if one > 0]
        if len(marked) < 2 and min(map(abs, odds.values())) > _PLAIN_ODDS:
            found[f"level{level}"] = str(marked[0] if marked else 0)
    for scroll in range(1, len(SCROLL_POINTS) + 1):
        odd = readings.marks[f"scroll{scroll}.points"]
        if abs(odd) > _PLAIN_ODDS:
            found[f"scroll{scroll} points"] = MARKED if odd > 0 else UNMARKED
    return found


def _torn(sightings: Sequence[Sighting], weigh: FloatArray) -> SheetResult:
    """The best photo's reading, the whole sheet in review."""
    best = sightings[0].record.result
    results = [one.record.result for one in sightings]
    shares = {one.photo.name: float(share) for one, share in zip(sightings, weigh / weigh.sum(), strict=True)}
    line = Review(
        "sheet",
        sightings[0].photo.name,
        round(shares[sightings[0].photo.name], 4),
        freeze({name: round(share, 4) for name, share in shares.items()}),
        tuple(sorted({total_of(result) for result in results})),
    )
    low, high = min(result.bounds[0] for result in results), max(result.bounds[1] for result in results)
    return msgspec.structs.replace(best, review=(line, *best.review), bounds=(low, high))


def total_of(result: SheetResult) -> int:
    """A sheet's total; where one sheet holds several players, the best of theirs."""
    players = result.score.get("players")
    return max(part["total"] for part in players.values()) if players is not None else int(result.score["total"])


def _with_contradictions(result: SheetResult, sightings: Sequence[Sighting], weigh: FloatArray) -> SheetResult:
    """The fused result, with a review of every place where a photo alone was sure of something else."""
    if result.state["game"] != places.GAME:
        return result if all(one.record.result.score == result.score for one in sightings) else _torn(sightings, weigh)
    fused = places.readings(result.state)
    asked = {places.place_of(line) for line in result.review}
    said = [_says(one.record) for one in sightings]
    lines = []
    for where, read in fused.items():
        votes = {read: 0.0}
        for one, share in zip(said, (weigh / weigh.sum()).tolist(), strict=True):
            reading = one.get(where, read)
            votes[reading] = votes.get(reading, 0.0) + share
        if len(votes) > 1 and where not in asked:
            lines.append(_contradiction(result, where, votes))
    if not lines:
        return result
    review = (*result.review, *lines)
    return msgspec.structs.replace(result, review=review, bounds=_bounds(result, review))


def _contradiction(result: SheetResult, where: str, votes: Mapping[str, float]) -> Review:
    read = next(iter(votes))
    totals = {int(score_state(places.changed(result.state, where, reading))["total"]) for reading in votes if reading != read}
    shares = {reading: round(share, 4) for reading, share in sorted(votes.items(), key=lambda vote: -vote[1])}
    return Review(where, read, shares[read], freeze(shares), tuple(sorted(totals | {total_of(result)})))


def _bounds(result: SheetResult, review: Sequence[Review]) -> tuple[int, int]:
    """The lowest and highest total that the reviews allow together: cells jointly, circles each for itself."""
    total = total_of(result)
    cells: list[CellQuestion] = []
    low = high = 0
    for line in review:
        cell = cell_of(line.where)
        if cell is not None and cell[0] == "obelisk":
            # Photos' contradictions know no difference between an unbuilt cell and a blank one.
            read = result.state["obelisk"][cell[1]][cell[2]]
            named = {read if reading == BLANK and read == UNBUILT else reading: p for reading, p in line.alternatives.items()}
            cells.append(CellQuestion(cell[1], cell[2], named))
        else:
            low += min(0, *(changed - total for changed in line.changes_total_to))
            high += max(0, *(changed - total for changed in line.changes_total_to))
    _, (lowest, highest) = ask(result.state["obelisk"], total, cells, ())
    return lowest + low, highest + high
