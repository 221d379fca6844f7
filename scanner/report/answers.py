"""People's answers to reviews: applied to sheets, and kept in a file.

[[sheet]]
photo = "table.jpg"            # a photo's name, or its path; may be left out where the sheet's number is given
seat = 2
sheet_number = 12344           # may be left out where the photo shows one sheet of the seat
page = 1                       # of a file of several pages, where they show the same sheet
[sheet.answers]
"obelisk r3 c2" = "@"          # what the review calls the place, and what stands there
"level2 mark 5" = "marked"

TOML, because people write it by hand as they write names files: it takes comments, and places and symbols need no more than
quotation marks.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from scanner.errors import BadState, ScanError, SheetError
from scanner.report.handwritten import LARGEST, load_toml
from scanner.report.paths import followed
from scanner.result import ErrorInfo, SheetResult

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from scanner.pipeline import PhotoScan, SheetScan

HINT: Final = (
    "Give a table [[sheet]] a sheet, with `photo`, `seat` (1 to 8) and `sheet_number`, and below it [sheet.answers] with lines "
    'such as "obelisk r3 c2" = "@".'
)
STDIN: Final = "-"

_Text = Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]
_Whole = Annotated[int, msgspec.Meta(ge=0, le=LARGEST)]


class SheetAnswers(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a file says of one sheet. answers: place -> what it holds."""

    seat: Annotated[int, msgspec.Meta(ge=1, le=8)]
    photo: _Text | None = None
    sheet_number: _Whole | None = None
    page: Annotated[int, msgspec.Meta(ge=1, le=LARGEST)] | None = None
    answers: dict[_Text, object] = {}

    def __post_init__(self) -> None:
        """ValueError for an answer of another kind: msgspec, which adds the sheet, would not name the place; and for a photo
        that no path can lead to."""
        if self.photo is not None and "\0" in self.photo:
            raise ValueError("no name holds a zero byte, as `photo` does")
        for where, value in self.answers.items():
            if not isinstance(value, str | int):
                cause = "must be text, a whole number, true or false"
            elif isinstance(value, int) and abs(value) > LARGEST:
                cause = "is a number too large for any place"
            else:
                continue
            from scanner.decode.answers import quoted

            raise ValueError(f"{quoted(where)} {cause}")

    @property
    def key(self) -> tuple[str | None, int, int | None, int | None]:
        return self.photo, self.seat, self.sheet_number, self.page

    @property
    def said(self) -> dict[str, str]:
        """The answers in words."""
        return {where: str(value).lower() if isinstance(value, bool) else str(value) for where, value in self.answers.items()}

    def is_of(self, sheet: "Identified") -> bool:
        """Whether a sheet, of a photo that fits, is the one that is meant."""
        return (
            self.seat == sheet.seat
            and self.sheet_number in (None, sheet.sheet_number)
            and self.page in (None, 1 if sheet.page is None else sheet.page)
        )

    @property
    def name(self) -> str:
        """What to call the sheet in messages."""
        number = "" if self.sheet_number is None else f", sheet {self.sheet_number}"
        return f"seat {self.seat}{number}" + ("" if self.page is None else f", page {self.page}")


@dataclass(frozen=True, slots=True)
class Identified:
    """A sheet as far as answers need to know it. `page`: from 1, None in files of one."""

    seat: int
    sheet_number: int | None
    page: int | None = None

    @classmethod
    def of(cls, sheet: SheetResult) -> "Identified":
        page = None if sheet.page is msgspec.UNSET else sheet.page
        return cls(sheet.state["seat"], sheet.state["sheet_number"], page)

    @property
    def name(self) -> str:
        number = "number not readable" if self.sheet_number is None else f"sheet {self.sheet_number}"
        return f"seat {self.seat}, {number}" + ("" if self.page is None else f", page {self.page}")


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    sheet: tuple[SheetAnswers, ...] = ()


def load_answers(path: Path) -> tuple[SheetAnswers, ...]:
    """The answers in a file. MissingFile if it cannot be read, BadState if it does not have the form, leaves open which
    sheet is meant, or says two things of one place."""
    found = load_toml(path, _File, "answers file", HINT).sheet
    said: dict[object, str] = {}
    for sheet in found:
        if sheet.photo is None and sheet.sheet_number is None:
            raise BadState(f"{path} has answers for {sheet.name} without `photo` or `sheet_number`.", HINT)
        for where, value in sheet.said.items():
            before = said.setdefault((sheet.key, where), value)
            if before != value:
                raise _two_things(path, sheet.name, where, before, value)
    return found


def _two_things(path: Path, sheet: str, where: str, one: str, other: str) -> BadState:
    from scanner.decode.answers import quoted

    text = f"{path} says two things of {sheet}, {quoted(where)}: {quoted(one)} and {quoted(other)}."
    return BadState(text, "Leave one of them out.")


def answered(sheet: "SheetScan", answers: Mapping[str, str]) -> "SheetScan":
    """A sheet as `read_photo` gave it, decoded again knowing what people say of it.

    answers: place -> what it holds, both as reviews name them or in other words that `scanner.decode.answers` understands.
    BadState if the sheet has no such place, or the place cannot hold that; SheetError if no sheet at all can be so.
    """
    from scanner.decode import decode
    from scanner.decode.answers import settle, understand
    from scanner.engine import audit_state

    game = sheet.template.game
    readings = settle(sheet.readings, game, answers)
    decoded = decode(readings, sheet.template, sheet.pose.identity)
    said = {where: understand(game, where, text) for where, text in answers.items()}
    old = sheet.result
    result = SheetResult.of(sheet.pose, decoded, audit_state(decoded.audited), old.page, said)
    # What the photo as a whole says of the sheet stays.
    own = {*SheetResult.of(sheet.pose, sheet.decoded, audit_state(sheet.decoded.audited)).audit, *result.audit}
    result = msgspec.structs.replace(result, audit=(*result.audit, *(line for line in old.audit if line not in own)))
    return replace(sheet, readings=readings, decoded=decoded, result=result)


def with_sheets(scan: "PhotoScan", sheets: Iterable["SheetScan"]) -> "PhotoScan":
    """The photo with its sheets, in their order, replaced by the same as they were answered for."""
    replaced = tuple(sheets)
    result = msgspec.structs.replace(scan.result, sheets=tuple(sheet.result for sheet in replaced))
    return replace(scan, result=result, sheets=replaced)


def unused_text(entry: SheetAnswers) -> "Text":
    """That a sheet's answers were for none of the photos."""
    from rich.text import Text

    from scanner.decode.answers import quoted

    photo = "" if entry.photo is None else f"{quoted(entry.photo)}, "
    return Text(f"The answers for {photo}{entry.name} were not used: no photo here shows that sheet.", "yellow")


def say_wrong(wrong: Sequence[ScanError], unused: Iterable[SheetAnswers], complaints: "Console") -> int:
    """Name the answers that were of no use, and those that met no sheet; the exit code that they ask for."""
    from scanner.report.terminal import error_text

    for error in wrong:
        complaints.print(error_text(ErrorInfo.of(error), "answers"), soft_wrap=True)
    for entry in unused:
        complaints.print(unused_text(entry), soft_wrap=True)
    return max((error.code for error in wrong), default=0)


@dataclass
class AnswerBook:
    """A file's answers, looked up for the photos of one command. met: those of `sheets`, by number, that were looked up."""

    path: Path
    sheets: tuple[SheetAnswers, ...]
    photos: tuple[str, ...]
    met: set[int] = field(default_factory=set)

    @classmethod
    def load(cls, path: Path, photos: Sequence[str]) -> "AnswerBook":
        """As `load_answers`; BadState as well for a photo's name that two of the photos have."""
        book = cls(path, load_answers(path), tuple(photos))
        for sheet in book.sheets:
            meant = {followed(photo): photo for photo in photos if is_photo(sheet.photo, photo)}
            if sheet.photo is not None and len(meant) > 1:
                raise BadState(
                    f"{path}: {sheet.photo} may be {' or '.join(meant.values())}.", "Give the photo with its folder."
                )
        return book

    def look_up(self, photo: str, sheets: Sequence[Identified]) -> tuple[list[dict[str, str]], list[BadState]]:
        """The answers for each of a photo's sheets, and what is wrong with those that name the photo."""
        found: list[dict[str, str]] = [{} for _ in sheets]
        wrong = []
        for number, entry in enumerate(self.sheets):
            if entry.photo is not None and not is_photo(entry.photo, photo):
                continue
            meant = [index for index, sheet in enumerate(sheets) if entry.is_of(sheet)]
            if len(meant) != 1:
                if meant or entry.photo is not None:
                    wrong.append(self._not_one(entry, photo, [sheets[index] for index in meant], sheets))
                    self.met.add(number)
                continue
            self.met.add(number)
            for where, value in entry.said.items():
                before = found[meant[0]].setdefault(where, value)
                if before != value:
                    wrong.append(_two_things(self.path, entry.name, where, before, value))
        return found, wrong

    def _not_one(self, entry: SheetAnswers, photo: str, meant: Sequence[Identified], sheets: Sequence[Identified]) -> BadState:
        if meant:
            hint = "Give `sheet_number`, and `page` for a file of several pages; else photograph the sheets one by one."
            return BadState(f"{self.path}: {photo} shows {len(meant)} sheets that may be {entry.name}.", hint)
        seen = "; ".join(sheet.name for sheet in sheets) or "no sheet that was read"
        return BadState(f"{self.path}: {photo} does not show {entry.name}.", f"It shows: {seen}.")

    def unused(self) -> list[SheetAnswers]:
        """The sheets that were not met: of photos that were not given, or of numbers that no photo shows."""
        return [entry for number, entry in enumerate(self.sheets) if number not in self.met]


def is_photo(given: str | None, photo: str) -> bool:
    """Whether a photo is the one that a file names: by the same words, the same path, or the end of its path."""
    if given is None or STDIN in (given, photo):
        return given == photo
    wanted, path = PurePath(given).parts, followed(photo)
    return given == photo or followed(given) == path or path.parts[-len(wanted) :] == wanted


def answer_photo(scan: "PhotoScan", book: AnswerBook) -> tuple["PhotoScan", list[dict[str, str]], list[ScanError]]:
    """A photo with a file's answers applied; the answers that each sheet took; and what is wrong with the others, which were
    left out."""
    given, wrong = book.look_up(scan.result.file, [Identified.of(sheet.result) for sheet in scan.sheets])
    complaints: list[ScanError] = list(wrong)
    sheets = []
    for index, sheet in enumerate(scan.sheets):
        taken, after, refused = take_answers(sheet, given[index], book.path)
        given[index] = taken
        sheets.append(after)
        complaints += refused
    return with_sheets(scan, sheets), given, complaints


def take_answers(
    sheet: "SheetScan", answers: Mapping[str, str], path: Path
) -> tuple[dict[str, str], "SheetScan", list[ScanError]]:
    """The answers that a sheet can take, the sheet with them, and what is wrong with the others."""
    from scanner.decode.answers import understand

    taken: dict[str, str] = {}
    wrong: list[ScanError] = []
    who = Identified.of(sheet.result).name
    for where, text in answers.items():
        try:
            taken[where] = understand(sheet.template.game, where, text)
        except BadState as error:
            wrong.append(BadState(f"{path}: {who}: {error.message}", error.hint))
    if not taken:
        return {}, sheet, wrong
    try:
        return taken, answered(sheet, taken), wrong
    except (BadState, SheetError) as error:
        hint = error.hint if isinstance(error, BadState) else "Look at the answers again: together they cannot be right."
        return {}, sheet, [*wrong, BadState(f"{path}: {who}: the answers do not go together. {error.message}", hint)]


class AnswerFile:
    """Answers being saved: to a file that `load_answers` reads. What the file says of other sheets stays."""

    def __init__(self, path: Path, photos: Sequence[str]) -> None:
        """Writes the file at once, so that what cannot be saved is known before anything is asked. OSError if that fails,
        BadState if there is another file of that name."""
        self._book = AnswerBook.load(path, photos) if path.exists() else AnswerBook(path, (), tuple(photos))
        self._said: dict[tuple[str, int], SheetAnswers] = {}
        self._touched: dict[tuple[str, int], set[str]] = {}
        self._write()

    def keep(self, photo: str, index: int, sheets: Sequence[Identified], answers: Mapping[str, str]) -> None:
        """Note what was said of the sheet `sheets[index]` of a photo, and write the file. What an earlier call gave and this
        one does not was taken back. OSError if the file cannot be written."""
        sheet = sheets[index]
        alike = [other for other in sheets if (other.seat, other.sheet_number) == (sheet.seat, sheet.sheet_number)]
        page = sheet.page if len(alike) > 1 else None
        name = self._name_of(photo)
        self._said[photo, index] = SheetAnswers(sheet.seat, name, sheet.sheet_number, page, dict(answers))
        self._touched.setdefault((photo, index), set()).update(answers)
        self._write()

    def _name_of(self, photo: str) -> str:
        """The shortest end of the photo's path that no other of the photos has."""
        if photo == STDIN:
            return photo
        path = followed(photo)
        others = {followed(other) for other in self._book.photos if other != STDIN} - {path}
        for count in range(1, len(path.parts)):
            if not any(other.parts[-count:] == path.parts[-count:] for other in others):
                return "/".join(path.parts[-count:])
        return str(path)

    def _write(self) -> None:
        entries = []
        said = dict(self._said)
        for entry in self._book.sheets:
            same = next((key for key in said if self._same(entry, *key)), None)
            if same is None:
                entries.append(entry)
            else:
                earlier = {where: value for where, value in entry.said.items() if where not in self._touched[same]}
                said[same] = msgspec.structs.replace(said[same], answers={**earlier, **said[same].answers})
        lines = ["# Answers to the questions of obelisk-scan, to be given to it by --answers."]
        for entry in (*entries, *(new for new in said.values() if new.answers)):
            lines += ["", *_toml_of(entry)]
        text = "\n".join(lines) + "\n"
        path = followed(self._book.path)
        half = path.with_name(path.name + ".part")
        half.write_bytes(text.encode("utf-8", "replace"))
        half.replace(path)

    def _same(self, entry: SheetAnswers, photo: str, index: int) -> bool:
        said = self._said[photo, index]
        sheet = Identified(said.seat, said.sheet_number, said.page)
        return is_photo(entry.photo, photo) and entry.is_of(sheet)


def _toml_of(entry: SheetAnswers) -> list[str]:
    lines = ["[[sheet]]"]
    if entry.photo is not None:
        lines.append(f"photo = {_quoted(entry.photo)}")
    lines.append(f"seat = {entry.seat}")
    if entry.sheet_number is not None:
        lines.append(f"sheet_number = {entry.sheet_number}")
    if entry.page is not None:
        lines.append(f"page = {entry.page}")
    lines.append("[sheet.answers]")
    return lines + [f"{_quoted(where)} = {_quoted(value)}" for where, value in entry.said.items()]


def _quoted(text: str) -> str:
    # JSON's escapes are TOML's, but for one control character, which TOML wants escaped as well.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
