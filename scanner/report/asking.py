"""Questions to a person at the terminal: each doubtful place with its picture and what every answer would do to the total.

After each answer the sheet is decoded again, knowing it: other doubts may vanish, or the order of importance change.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.table import Table
from rich.text import Text

from scanner.decode.answers import Place, places
from scanner.engine.obelisk.sheet import NAME_OF_CELL
from scanner.errors import BadState, MissingFile, ScanError, SheetError
from scanner.report.answers import AnswerBook, AnswerFile, Identified, answer_photo, answered, say_wrong, with_sheets
from scanner.report.halfblocks import drawn, piece, width_for
from scanner.report.outputs import check_outputs
from scanner.report.shares import in_percent
from scanner.report.terminal import sheet_title
from scanner.report.where import place_box
from scanner.result import Review

if TYPE_CHECKING:
    from rich.console import Console

    from scanner.pipeline import PhotoScan, SheetScan

LETTERS: Final = "abcdefgh"
"""Alternatives are chosen by these; none of them stands for what a place can hold."""
_AROUND: Final = 1 / 3
"""Cells around a place that its picture shows."""
SKIP, QUIT, BACK = ("s", "skip"), ("q", "quit"), ("back",)


class Stopped(Exception):
    """The person has had enough, or there is nobody there any more."""


@dataclass
class Asker:
    """Asks about sheets. read_line: the person's next line with its end, "" when there are no more. stopped: whether the person
    ended the questions, so that no further sheet is asked about."""

    console: "Console"
    read_line: Callable[[], str]
    stopped: bool = field(default=False, init=False)

    def ask(
        self,
        sheet: "SheetScan",
        file: str,
        answers: Mapping[str, str],
        keep: Callable[[Mapping[str, str]], object] = lambda _answers: None,
    ) -> "SheetScan":
        """The sheet as it is known at the end. answers: what is known already; keep: given all answers after each new one."""
        talk = _Talk(self, sheet, file, dict(answers), keep)
        if not self.stopped and talk.sheet.result.review:
            try:
                talk.run()
            except Stopped:
                self.stopped = True
            talk.end()
        return talk.sheet


@dataclass
class Settling:
    """What answers the reviews of one command: a file, a person, or both; and where the person's answers are saved.
    wrong: answers of the file that could not be taken, and what could not be saved."""

    book: AnswerBook | None = None
    asker: Asker | None = None
    saved: AnswerFile | None = None
    wrong: list[ScanError] = field(default_factory=list)

    @classmethod
    def begin(
        cls,
        photos: Sequence[str],
        answers: Path | None,
        save_answers: Path | None,
        console: "Console | None",
        read_line: Callable[[], str],
    ) -> "Settling":
        """`console`: where to ask, None if nobody is to be asked. MissingFile, BadState, OSError and WrongOutput for files that
        cannot be used."""
        if save_answers is not None:
            check_outputs({"--save-answers": save_answers}, photos)
        return cls(
            AnswerBook.load(answers, photos) if answers is not None else None,
            Asker(console, read_line) if console is not None else None,
            AnswerFile(save_answers, photos) if save_answers is not None else None,
        )

    def settle(self, scan: "PhotoScan") -> "PhotoScan":
        """A photo with all that was answered."""
        originals = scan.sheets
        given: list[dict[str, str]] = [{} for _ in originals]
        if self.book is not None:
            scan, given, wrong = answer_photo(scan, self.book)
            self.wrong += wrong
        if self.asker is None:
            return scan
        file = scan.result.file
        identified = [Identified.of(sheet.result) for sheet in originals]
        sheets = []
        for index, original in enumerate(originals):

            def keep(answers: Mapping[str, str], index: int = index) -> None:
                if self.saved is not None:
                    try:
                        self.saved.keep(file, index, identified, answers)
                    except OSError as error:
                        self._not_saved(error)

            sheets.append(self.asker.ask(original, file, given[index], keep))
        return with_sheets(scan, sheets)

    def _not_saved(self, error: OSError) -> None:
        """Answers that cannot be kept count all the same."""
        hint = "The answers count all the same; make room, and give them again to save them."
        self.wrong.append(MissingFile(f"The answers cannot be saved: {error.strerror or error}.", hint))
        self.saved = None

    def end(self, complaints: "Console") -> int:
        """Name the answers that were of no use; the exit code that they ask for."""
        return say_wrong(self.wrong, self.book.unused() if self.book is not None else (), complaints)


class _Talk:
    """The questions about one sheet. `original` is the sheet as it was read, `sheet` as it is known by now."""

    def __init__(
        self, asker: Asker, sheet: "SheetScan", file: str, answers: dict[str, str], keep: Callable[[Mapping[str, str]], object]
    ) -> None:
        self._console, self._read_line, self._keep = asker.console, asker.read_line, keep
        self._file = file
        self._original = sheet
        self._answers = answers
        self._given: list[str] = []
        self._skipped: set[str] = set()
        self._places = places(sheet.template.game)
        self.sheet = answered(sheet, answers) if answers else sheet

    def run(self) -> None:
        """Ask until nothing is open that was not skipped; Stopped if the person ends it before."""
        self._console.print(Text(f"{self._file}, {sheet_title(self.sheet.result.state)}: {self._totals()}", "bold underline"))
        while line := self._next():
            place = self._places.get(line.where)
            if place is None:
                self._console.print(f"{line.where} cannot be answered for here; look at the photo.", style="yellow")
                self._skipped.add(line.where)
            else:
                self._ask(line, place)

    def end(self) -> None:
        """Say what became of the sheet."""
        left = len(self.sheet.result.review)
        still = "nothing is open any more" if not left else f"{left} {'reading' if left == 1 else 'readings'} still open"
        self._console.print(f"{self._totals()}; {still}.\n", style="bold")

    def _next(self) -> Review | None:
        return next((line for line in self.sheet.result.review if line.where not in self._skipped), None)

    def _ask(self, line: Review, place: Place) -> None:
        waiting = sum(other.where not in self._skipped for other in self.sheet.result.review)
        self._console.print()
        box = place_box(self.sheet.template, line.where, _AROUND)
        if box is not None:
            picture = piece(self.sheet.photo, self.sheet.pose, box, width_for(self._console, box))
            self._console.print(drawn(self._console, picture), end="", no_wrap=True)
        self._console.print(Text.assemble((line.where, "bold"), ": what stands here?", (f" ({waiting} open)", "dim")))
        choices = [value for value in line.alternatives if value in place.values][: len(LETTERS)]
        self._console.print(self._choices(line, choices))
        while True:
            self._console.print(self._prompt(choices, place), end="", style="dim", soft_wrap=True)
            reply = self._reply()
            if reply in SKIP:
                self._skipped.add(line.where)
                return
            if reply in QUIT:
                raise Stopped
            if reply in BACK:
                if self._take_back():
                    return
                self._console.print("There is no answer to take back.", style="yellow")
                continue
            value = choices[LETTERS.index(reply)] if reply in LETTERS[: len(choices)] and reply else place.understand(reply)
            if value is None:
                self._console.print(f"{line.where} can hold: {place.can_hold()}.", style="yellow")
            elif self._take(line.where, value):
                return

    def _reply(self) -> str:
        text = self._read_line()
        if not text:
            raise Stopped
        text = text.strip()
        return text.lower() if text.lower() in (*SKIP, *QUIT, *BACK, *LETTERS) else text

    def _take(self, where: str, value: str) -> bool:
        """Decode again with one answer more; False if no sheet can be so."""
        answers = self._answers | {where: value}
        try:
            self.sheet = answered(self._original, answers)
        except (BadState, SheetError) as error:
            self._console.print(f"That cannot be: {error.message}", style="red")
            return False
        self._answers = answers
        self._given.append(where)
        self._keep(answers)
        self._console.print(f"{where}: {value}. {self._totals()}.", style="green")
        return True

    def _take_back(self) -> bool:
        if not self._given:
            return False
        where = self._given.pop()
        self._answers = {key: value for key, value in self._answers.items() if key != where}
        self._skipped.discard(where)
        self.sheet = answered(self._original, self._answers) if self._answers else self._original
        self._keep(self._answers)
        self._console.print(f"{where} is open again. {self._totals()}.", style="green")
        return True

    def _choices(self, line: Review, choices: list[str]) -> Table:
        table = Table.grid(padding=(0, 2))
        for letter, value in zip(LETTERS, choices, strict=False):
            share = line.alternatives[value]
            likely = in_percent(share)
            table.add_row(Text(f"  {letter}", "bold"), in_words(value), Text(likely, "dim"), self._outcome(line.where, value))
        return table

    def _outcome(self, where: str, value: str) -> Text:
        """What an answer would do: the sheet is decoded with it."""
        try:
            after = answered(self._original, self._answers | {where: value})
        except (BadState, SheetError) as error:
            return Text(f"cannot be: {error.message}", "red")
        return Text(outcome(self.sheet.result.score, after.result.score), "cyan")

    def _prompt(self, choices: list[str], place: Place) -> str:
        letters = f"{LETTERS[0]} to {LETTERS[len(choices) - 1]}" if len(choices) > 1 else LETTERS[0]
        letters = f"{letters}, " if choices else ""
        back = ", back" if self._given else ""
        return f"{letters}something else: type it ({place.can_hold()}); s skip, q quit{back}: "

    def _totals(self) -> str:
        result = self.sheet.result
        low, high = result.bounds
        if "total" in result.score:
            return f"total {result.score['total']}" + (f" ({low} to {high})" if low != high else "")
        return "totals " + ", ".join(f"{player} {points['total']}" for player, points in result.score["players"].items())


def in_words(value: str) -> str:
    """A value, and its name where it is a character: "@ eye"."""
    return f"{value} {NAME_OF_CELL[value]}" if value in NAME_OF_CELL else value


def outcome(now: Mapping[str, Any], then: Mapping[str, Any]) -> str:
    """What a score would become: its total, or, of players' totals, those that change."""
    if "total" in then:
        return f"total {then['total']}"
    players = now["players"]
    changed = [
        f"{player} {points['total']}"
        for player, points in then["players"].items()
        if player not in players or players[player]["total"] != points["total"]
    ]
    changed += [f"without {player}" for player in players if player not in then["players"]]
    return ", ".join(changed) or "the totals stay"
