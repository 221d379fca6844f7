"""A night at a terminal: one table a game, then what needs a look."""

from collections.abc import Iterator

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from scanner.night.sheets import NightSheet
from scanner.night.standings import Place
from scanner.night.table import GameTable, PhotoVerdict
from scanner.report.terminal import answer_line, audit_line, error_text, review_line

PARTS = ("columns", "rows", "levels", "scrolls")


def number_or_range(value: int, low: int, high: int) -> str:
    """ "56", or "56 (50 to 59)" where it is open."""
    return str(value) if low == high else f"{value} ({low} to {high})"


def place_text(place: Place) -> str:
    """ "1", or "1-2" where the open readings decide."""
    best, worst = place.between
    return str(best) if best == worst else f"{best}-{worst}"


def empty_spaces(place: Place) -> str:
    """The empty spaces, with their range where they are open."""
    fewest, most = sorted((-place.contender.best[1], -place.contender.worst[1]))
    return number_or_range(-place.contender.key[1], fewest, most)


def total(place: Place) -> str:
    """The total, with its range where it is open."""
    contender = place.contender
    return number_or_range(contender.key[0], contender.worst[0], contender.best[0])


def _standings(table: GameTable) -> Table:
    with_parts = table.game.game == "obelisk"
    grid = Table(box=SIMPLE_HEAD)
    grid.add_column("place", justify="right")
    grid.add_column("player", overflow="fold")
    for heading in PARTS if with_parts else ():
        grid.add_column(heading, justify="right")
    grid.add_column("total", justify="right")
    if with_parts:
        grid.add_column("empty spaces", justify="right")
    for place in table.standings:
        score = table.sheet_of(place).result.score
        parts = (
            [str(sum(score[part])) for part in PARTS] + [total(place), empty_spaces(place)] if with_parts else [total(place)]
        )
        style = "bold green" if place.wins else "yellow" if place.may_win else ""
        grid.add_row(place_text(place), table.label(place), *parts, style=style)
    return grid


def _notes(table: GameTable) -> Iterator[Text]:
    for conflict in table.conflicts:
        yield Text.assemble(("! ", "bold red"), conflict.message)
    for sheet in table.game.sheets:
        label = table.seat_label(sheet.seat)
        for line in sheet.result.review:
            yield Text.assemble((f"{label}: ", "bold"), review_line(line))
        for breach in sheet.result.audit:
            yield Text.assemble((f"{label}: ", "bold"), audit_line(breach))
        for answer in sheet.result.answers or ():
            yield Text.assemble((f"{label}: ", "bold"), answer_line(answer))


def _photos(sheets: tuple[NightSheet, ...]) -> str:
    names = sorted({name for sheet in sheets for name in sheet.photos})
    return f"{len(names)} photo{'s' if len(names) > 1 else ''}"


def table_of(table: GameTable) -> RenderableType:
    """One game: its places, who won, and what needs a look."""
    heading = Text.assemble((table.title, "bold underline"), (f"  {_photos(table.game.sheets)}", "dim"))
    settled = [] if table.settled else [Text("What is open below may change the places.", "yellow")]
    return Group(heading, _standings(table), Text(table.verdict, "bold"), *settled, *_notes(table), "")


def print_table(console: Console, table: GameTable) -> None:
    """One game."""
    console.print(table_of(table))


def print_photo(console: Console, verdict: PhotoVerdict) -> None:
    """What could not be read in a photo, and why; nothing if all is well. For standard error."""
    if verdict.error is not None:
        console.print(error_text(verdict.error, verdict.name), soft_wrap=True)
        return
    for gone in verdict.refused:
        seat = "" if gone.seat is None else f", seat {gone.seat}"
        console.print(error_text(gone.error, f"{verdict.name}{seat} is not scored"), soft_wrap=True)
