"""Results for people at a terminal: one framed table a sheet, what needs a look, and errors with their remedy."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from rich.box import ROUNDED, SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from scanner.report.obelisk_sheet import obelisk_body
from scanner.report.shares import in_percent
from scanner.report.tables import set_number
from scanner.result import Answer, AuditLine, ErrorInfo, RefusedSheet, Review, ScanResult, ScoredState, SheetResult


def _points_of_any_game(score: Mapping[str, Any]) -> RenderableType:
    """A line for every part of a score; where a part gives points by player and place, a table of those."""
    parts: list[RenderableType] = []
    lines = Table.grid(padding=(0, 2))
    lines.add_column(style="dim")
    lines.add_column(justify="right", style="cyan")
    for name, value in score.items():
        if not isinstance(value, Mapping):
            lines.add_row(_words(name), str(value))
        elif all(isinstance(points, Mapping) for points in value.values()):
            parts.append(_points_by_player(value))
        else:
            for inner, points in value.items():
                lines.add_row(f"{_words(name)}, {_words(inner)}", str(points))
    return Group(*parts, *([lines] if lines.row_count else []))


def _points_by_player(players: Mapping[str, Mapping[str, int]]) -> Table:
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("")
    for player in players:
        table.add_column(player, justify="right", style="cyan")
    for part in next(iter(players.values()), {}):
        table.add_row(_words(part), *(str(points[part]) for points in players.values()))
    return table


def _words(name: str) -> str:
    return name.replace("_", " ")


def review_line(line: Review) -> Text:
    """One doubtful reading and what it would change, e.g. "obelisk r3 c2: @ (71 %), or O (27 %) - total 42 or 45"."""
    text = Text("? ", "bold yellow")
    text.append(line.where, "bold")
    text.append(f": read {line.read} ({in_percent(line.confidence)})")
    others = [f"{reading} ({in_percent(share)})" for reading, share in line.alternatives.items() if reading != line.read]
    if others:
        text.append(", or " + ", ".join(others))
    if len(line.changes_total_to) > 1:
        text.append(" - total " + " or ".join(str(total) for total in line.changes_total_to))
    else:
        text.append(" - the total stays", "dim")
    return text


def answer_line(answer: Answer) -> Text:
    """One reading that a person has settled."""
    return Text.assemble(("= ", "bold green"), (answer.where, "bold"), f": {answer.read}, as answered by hand")


def audit_line(line: AuditLine) -> Text:
    """One breach of the rules, or points forgotten, on the paper itself."""
    text = Text("! ", "bold magenta")
    text.append(f"{line.where}: " if line.where else "", "bold")
    return text.append(f"{line.message} ({line.rule})")


def error_text(error: ErrorInfo, name: str) -> Text:
    """What is wrong, and below it what to do about it."""
    text = Text()
    name = name or repr(name)
    if error.message.startswith((f"{name} ", f"{name}, ")):
        # Messages about files begin with their names.
        text.append(name, "bold")
        text.append(error.message.removeprefix(name), "red")
    else:
        text.append(f"{name}: ", "bold")
        text.append(error.message, "red")
    if error.hint:
        text.append(f"\n  {error.hint}")
    return text


def _panel(
    title: str, state: Mapping[str, Any], score: Mapping[str, Any], notes: Sequence[Text], width: int,
    review: Sequence[Review] = (), bounds: tuple[int, int] | None = None,
) -> Panel:  # fmt: skip
    body: RenderableType
    body = obelisk_body(state, score, width, review, bounds) if state["game"] == "obelisk" else _points_of_any_game(score)
    content = Group(body, "", *notes) if notes else body
    return Panel(content, title=Text(title, "bold"), title_align="left", box=ROUNDED, expand=False, padding=(1, 2))


def sheet_title(state: Mapping[str, Any]) -> str:
    """What a sheet says of itself: player, seat, set and sheet number, as far as they are known."""
    parts = [str(state["player"])] if state.get("player") else []
    if state.get("seat") is not None:
        parts.append(f"seat {state['seat']}")
    number = state.get("sheet_number")
    if number is not None:
        parts.append(f"set {set_number(number)}, sheet {number}")
    elif "sheet_number" in state and state.get("seat") is not None:
        parts.append("sheet number not readable")
    return ", ".join(parts) or str(state["game"])


def sheet_panel(sheet: SheetResult, width: int) -> Panel:
    """A scored sheet as one framed table; `width` is the terminal's."""
    notes = [review_line(line) for line in sheet.review] + [audit_line(line) for line in sheet.audit]
    notes += [answer_line(answer) for answer in sheet.answers or ()]
    return _panel(sheet_title(sheet.state), sheet.state, sheet.score, notes, width, sheet.review, sheet.bounds)


def refused_text(refused: RefusedSheet, file: str) -> Text:
    """A sheet that was seen and cannot be trusted, with the reason and the remedy."""
    page = "" if refused.page is msgspec.UNSET else f", page {refused.page}"
    seat = "" if refused.seat is None else f", seat {refused.seat}"
    number = "" if refused.sheet_number is None else f" (sheet {refused.sheet_number})"
    return error_text(refused.error, f"{file}{page}{seat}{number} is not scored")


def print_result(console: Console, result: ScanResult) -> None:
    """All sheets of one photo."""
    if not result.sheets:
        return
    console.print(Text(result.file, "bold underline"))
    for sheet in result.sheets:
        console.print(sheet_panel(sheet, console.width))


def print_refusals(console: Console, result: ScanResult) -> None:
    """What could not be scored, and why: the photo itself, or sheets among others. For standard error."""
    if result.error is not None and not result.refused:
        console.print(error_text(result.error, result.file), soft_wrap=True)
    for refused in result.refused:
        console.print(refused_text(refused, result.file), soft_wrap=True)


def print_scored(console: Console, scored: ScoredState) -> None:
    """One state scored without a photo."""
    if scored.error is not None or scored.state is None or scored.score is None:
        if scored.error is not None:
            console.print(error_text(scored.error, scored.file), soft_wrap=True)
        return
    notes = [audit_line(line) for line in scored.audit]
    console.print(_panel(f"{scored.file}: {sheet_title(scored.state)}", scored.state, scored.score, notes, console.width))
