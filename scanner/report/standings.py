"""Who won a table, from the sheets of its set."""

from collections.abc import Iterable

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from scanner.engine.obelisk.scoring import standings
from scanner.report.tables import TableOfSheets, tables
from scanner.result import ScanResult, SheetResult


def _name(sheet: SheetResult) -> str:
    player = sheet.state.get("player")
    return f"{player} (seat {sheet.state['seat']})" if player else f"seat {sheet.state['seat']}"


def _seats(seats: Iterable[int]) -> str:
    return ", ".join(f"seat {seat}" for seat in seats)


def standings_of(table: TableOfSheets) -> RenderableType:
    """Places, totals and empty spaces, who wins, and below it what makes that provisional."""
    places = standings([sheet.score for sheet in table.read])
    grid = Table(box=SIMPLE_HEAD)
    grid.add_column("place", justify="right")
    grid.add_column("player")
    grid.add_column("total", justify="right")
    grid.add_column("empty spaces", justify="right")
    for place in places:
        sheet = table.read[place.player]
        low, high = sheet.bounds
        total = str(place.total) if low == high else f"{place.total} ({low} to {high})"
        grid.add_row(str(place.place), _name(sheet), total, str(place.empty_spaces), style="bold green" if place.wins else "")
    winners = [_name(table.read[place.player]) for place in places if place.wins]
    verdict = f"{winners[0]} wins." if len(winners) == 1 else f"{' and '.join(winners)} share the win."
    notes = []
    if table.conflicting:
        notes.append(f"Photographed more than once and read differently: {_seats(table.conflicting)}.")
    if table.missing:
        notes.append(f"Refused, so not in the standings: {_seats(table.missing)}.")
    if not table.settled:
        notes.append("The standings are provisional: what is open could change them.")
    return Group(
        Text(f"Table of set {table.set_number}", "bold underline"),
        grid,
        Text(verdict, "bold"),
        *(Text(n, "yellow") for n in notes),
    )


def print_standings(console: Console, results: Iterable[ScanResult]) -> None:
    """The standings of every table of which sheets of two seats or more were seen."""
    for table in tables(results):
        if table.game == "obelisk":
            console.print(standings_of(table))
