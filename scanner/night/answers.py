"""People's answers applied to a night's sheets: to the evidence of all the photos that show a sheet, decoded again.

Results are kept without them, so that answers may change while photos are not read again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from scanner.decode import decode
from scanner.decode.answers import settle, understand
from scanner.engine import audit_state
from scanner.errors import BadState, ScanError, SheetError
from scanner.night.grouping import GameOfNight
from scanner.night.sheets import NightSheet
from scanner.report.answers import AnswerBook, Identified, SheetAnswers, is_photo
from scanner.result import Review, SheetResult
from scanner.sheet.pose import SheetIdentity
from scanner.sheet.template import load_template


@dataclass
class NightAnswers:
    """A file's answers for one night. wrong: what is wrong with those that were left out."""

    book: AnswerBook
    wrong: list[ScanError] = field(default_factory=list)

    @classmethod
    def load(cls, path: Path, photos: Sequence[str]) -> "NightAnswers":
        """As `AnswerBook.load`; photos: their paths."""
        return cls(AnswerBook.load(path, photos))

    def begin(self) -> None:
        """Forget which answers were used and which were wrong, before the night's games are put together once more."""
        self.book.met.clear()
        self.wrong.clear()

    def given_to(self, game: GameOfNight) -> GameOfNight:
        """A game with the answers for its sheets."""
        return replace(game, sheets=tuple(self._sheet(sheet) for sheet in game.sheets))

    def _sheet(self, sheet: NightSheet) -> NightSheet:
        answers: dict[str, str] = {}
        for number, entry in enumerate(self.book.sheets):
            if not _is_of(entry, sheet):
                continue
            if number in self.book.met:
                hint = "Give its `sheet_number`; else photograph the sheets one by one."
                self.wrong.append(BadState(f"{self.book.path}: {entry.name} fits more than one sheet.", hint))
                continue
            self.book.met.add(number)
            for where, text in entry.said.items():
                try:
                    value = understand(sheet.key.game, where, text)
                except BadState as error:
                    self._refuse(entry, error)
                    continue
                if answers.setdefault(where, value) != value:
                    self._refuse(entry, BadState(f'Two things are said of "{where}".', "Leave one of them out."))
        if not answers:
            return sheet
        try:
            return answered_sheet(sheet, answers)
        except (BadState, SheetError) as error:
            self.wrong.append(BadState(f"{self.book.path}: {', '.join(sheet.photos)}: {error.message}", error.hint))
            return sheet

    def _refuse(self, entry: SheetAnswers, error: BadState) -> None:
        self.wrong.append(BadState(f"{self.book.path}: {entry.name}: {error.message}", error.hint))


def _is_of(entry: SheetAnswers, sheet: NightSheet) -> bool:
    return any(
        (entry.photo is None or is_photo(entry.photo, one.photo.path))
        and entry.is_of(Identified(one.record.seat, one.record.sheet_number, one.record.page + 1))
        for one in sheet.sightings
    )


def answered_sheet(sheet: NightSheet, answers: Mapping[str, str]) -> NightSheet:
    """A sheet decoded again knowing what people say of it. BadState and SheetError as `scanner.report.answers.answered`.

    Where its photos contradict each other, that stays to be looked at, but for the places that were answered for."""
    if not sheet.same:
        raise BadState(
            "The photos do not show the same writing, so that no answer can be for all of them.", "Keep one of them."
        )
    before = {doubt.where for doubt in sheet.decoded().doubts}
    readings = settle(sheet.readings, sheet.key.game, answers)
    identity = SheetIdentity(sheet.key.game, sheet.key.seat, sheet.key.sheet_number)
    decoded = decode(readings, load_template(sheet.key.game), identity)
    pose = sheet.sightings[0].record.full_pose()
    result = SheetResult.of(pose, decoded, audit_state(decoded.audited), sheet.result.page, answers)
    asked = {line.where for line in result.review}
    settled = {place for where in answers for place in (where, _place(where))}
    contradictions = tuple(
        line
        for line in sheet.result.review
        if line.where not in before | asked and not {line.where, _place(line.where)} & settled
    )
    if contradictions:
        low, high = zip(result.bounds, *(_span(line) for line in contradictions), strict=True)
        review = (*result.review, *contradictions)
        result = msgspec.structs.replace(result, review=review, bounds=(min(low), max(high)))
    return replace(sheet, result=result, readings=readings)


def _place(where: str) -> str:
    """Of a level's circle, the level, which photos' contradictions are about."""
    return where.partition(" mark ")[0]


def _span(line: Review) -> tuple[int, int]:
    return min(line.changes_total_to), max(line.changes_total_to)
