"""Conflicts between the sheets of a game: what cannot be right on all of them at once.

References: RULES section 1, "Levels" (a rank is marked by one player, the lower ranks after the higher ones) and "End" (the
game ends when somebody reaches level 3).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from scanner.engine.obelisk.sheet import LEVEL_POINTS
from scanner.night import places
from scanner.night.grouping import GameOfNight
from scanner.night.sheets import NightSheet

NOT_READABLE: Final = "sheet number not readable"
RANKS: Final = ("first", "second", "third")


@dataclass(frozen=True, slots=True)
class Conflict:
    """kind: stable words for programs; seats: whose sheets it is about; message: a sentence for players."""

    kind: str
    seats: tuple[int, ...]
    message: str


def conflicts(game: GameOfNight, expected_seats: Sequence[int] = ()) -> tuple[Conflict, ...]:
    """Everything about a game's sheets that needs a look. `expected_seats`: seats that are known to have played."""
    found = list(_which_sheets(game, expected_seats))
    if game.game == places.GAME:
        found += _levels(game.sheets)
    return tuple(found)


def words(items: Sequence[str], joint: str = "and") -> str:
    """ "a", "a and b", "a, b and c"."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {joint} {items[-1]}"


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"


def _seats(seats: Sequence[int]) -> str:
    return words([f"seat {seat}" for seat in seats])


def _which_sheets(game: GameOfNight, expected: Sequence[int]) -> Iterator[Conflict]:
    counts: dict[int, list[NightSheet]] = {}
    for sheet in game.sheets:
        counts.setdefault(sheet.seat, []).append(sheet)
    for seat, sheets in counts.items():
        if len(sheets) > 1:
            photos = words(list(dict.fromkeys(sheet.photos[0] for sheet in sheets)))
            same = len({sheet.key.sheet_number for sheet in sheets}) == 1 and sheets[0].key.sheet_number is not None
            numbered = f", all numbered {sheets[0].key.sheet_number}" if same else ""
            text = f"There are {len(sheets)} sheets of seat {seat}{numbered}, in {photos}; only one can be the seat's."
            yield Conflict("more than one sheet", (seat,), text)
    for sheet in game.sheets:
        if not sheet.same:
            text = f"The photos of seat {sheet.seat} show different writing: {words(sheet.photos)}."
            yield Conflict("photos disagree", (sheet.seat,), text)
        number = sheet.key.sheet_number
        if number is not None and number % 8 + 1 != sheet.seat:
            text = f"Sheet {number} should be of seat {number % 8 + 1}, but its corners say seat {sheet.seat}."
            yield Conflict("seat and number disagree", (sheet.seat,), text)
    for gone in game.missing:
        text = f"The sheet of seat {gone.seat} in {gone.photo} could not be read. {gone.error.message}"
        yield Conflict("sheet refused", (gone.seat,), text)
    if any(sheet.holds_table for sheet in game.sheets):
        return
    refused = {gone.seat for gone in game.missing}
    there = set(counts) | refused
    absent = sorted((set(range(1, max(there) + 1)) | set(expected)) - there)
    if absent:
        yield Conflict("missing seat", tuple(absent), f"No photo shows the sheet of {_seats(absent)}.")
    if game.guessed:
        text = f"The number of the sheet of {_seats(game.guessed)} could not be read; it was counted in by where it was seen."
        yield Conflict(NOT_READABLE, game.guessed, text)
    if game.set_number is None:
        text = "The numbers of these sheets could not be read; they were put together by their folder."
        yield Conflict(NOT_READABLE, tuple(sorted(counts)), text)


def _levels(sheets: Sequence[NightSheet]) -> Iterator[Conflict]:
    for level, ranked in enumerate(LEVEL_POINTS, 1):
        holders: dict[int, list[int]] = {points: [] for points in ranked}
        for sheet in sheets:
            points = sheet.result.state["levels"][level - 1]
            if points in holders and sheet.seat not in holders[points]:
                holders[points].append(sheet.seat)
        for rank, points in enumerate(ranked):
            seats = holders[points]
            if len(seats) > 1:
                text = f"{_seats(seats).capitalize()} have all marked {_points(points)} as {RANKS[rank]} at level {level}."
                yield Conflict(
                    "same rank twice", tuple(seats), text.replace("have all", "both have") if len(seats) == 2 else text
                )
            if seats and rank and not holders[ranked[rank - 1]]:
                text = (
                    f"{_seats(seats).capitalize()} marked {_points(points)} as {RANKS[rank]} at level {level}, "
                    f"but nobody marked {_points(ranked[rank - 1])} as {RANKS[rank - 1]}."
                )
                yield Conflict("rank without the one above", tuple(seats), text)
    top = len(LEVEL_POINTS)
    if not any(sheet.result.state["levels"][top - 1] for sheet in sheets):
        text = f"Nobody marked points at level {top}, although a game ends when somebody reaches it."
        yield Conflict("nobody at the top level", tuple(sheet.seat for sheet in sheets), text)
