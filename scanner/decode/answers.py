"""What people say stands on a sheet: the places that can be answered for, what each can hold, and readings that know it.

An answer makes its place's ink certain before anything is decoded, so that every game's decoder reasons from it as from any
other reading; beside that it is kept by name, so that it stands even where the rules would rather have something else, and is
never asked about again.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

import numpy as np

from scanner.engine.obelisk.sheet import LEVEL_POINTS, SCROLL_POINTS, SYMBOL_NAMES
from scanner.errors import BadState
from scanner.geometry import read_only
from scanner.photo.names import shown_name
from scanner.reading.readings import CONTENT_CHARACTERS, SETTLED, LogArray, Readings
from scanner.sheet import imhotep_places, monolyth_places
from scanner.sheet.template import Grid, load_template
from scanner.sheet.written import number_marks

Cell = tuple[str, int, int]
"""Grid, row and column, from 0."""

BLANK, UNREADABLE = "_", "?"
MARKED, UNMARKED = "marked", "unmarked"
_MOST_LISTED: Final = 12
_LONGEST: Final = 60


@dataclass(frozen=True, slots=True)
class Shown:
    """What a place looks like when it holds a value. value: as the decoder has it; cells: a character of `CONTENT_CHARACTERS`
    for each of the place's cells; marked: those of its circles that are marked."""

    value: Any
    cells: str = ""
    marked: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Place:
    """A place that reviews ask about, by the name that they give it. cells, marks: what belongs to it on the sheet. values:
    what it can hold, by the names that reviews use; also: other names for those, in small letters."""

    where: str
    cells: tuple[Cell, ...]
    marks: tuple[str, ...]
    values: Mapping[str, Shown]
    also: Mapping[str, str]

    def understand(self, text: str) -> str | None:
        """The value that somebody names, as reviews name it; None for what the place cannot hold."""
        words = text.strip()
        if words in self.values:
            return words
        small = " ".join(words.lower().split())
        by_small = {name.lower(): name for name in self.values}
        return by_small.get(small) or self.also.get(small)

    def can_hold(self) -> str:
        """The values in words, for messages."""
        names = list(self.values)
        if len(names) > _MOST_LISTED and all(name.isdigit() for name in names):
            return f"{names[0]} to {names[-1]}"
        return (" " if all(len(name) == 1 for name in names) else ", ").join(names)


Places = Mapping[str, Place]


def _cell(grid: str, row: int, column: int, named: Mapping[str, str], also: Mapping[str, str]) -> Place:
    """A cell. named: name -> the character that stands there."""
    shown = {name: Shown(character, BLANK if character == "." else character) for name, character in named.items()}
    return Place(f"{grid} r{row + 1} c{column + 1}", ((grid, row, column),), (), shown, also)


def _circle(where: str, mark: str) -> Place:
    values = {MARKED: Shown(True, marked=frozenset({mark})), UNMARKED: Shown(False)}
    also = dict.fromkeys(("m", "yes", "true"), MARKED) | dict.fromkeys(("u", "no", "false"), UNMARKED)
    return Place(where, (), (mark,), values, also)


def _number(where: str, marked: Mapping[int, set[str]]) -> Place:
    """A number noted by circles. marked: number -> the circles that note it."""
    circles = tuple(dict.fromkeys(mark for marks in marked.values() for mark in sorted(marks)))
    values = {str(number): Shown(number, marked=frozenset(marks)) for number, marks in marked.items()}
    return Place(where, (), circles, values, {"none": "0"} if 0 in marked else {})


def _each(prefix: str, numbers: range | tuple[int, ...]) -> dict[int, set[str]]:
    """Numbers that have a circle each, and 0, which has none."""
    return {0: set()} | {number: {f"{prefix}.{number}"} for number in numbers}


def _cells_of(grid: Grid) -> list[tuple[int, int]]:
    return [(row, column) for row in range(grid.rows) for column in range(grid.columns)]


_SYMBOLS_IN_WORDS: Final = {name: symbol for symbol, name in SYMBOL_NAMES.items()}
_IN_WORDS: Final = _SYMBOLS_IN_WORDS | {"blank": BLANK, "empty": BLANK, "unreadable": UNREADABLE}


def obelisk_places() -> Places:
    """The obelisk's and the scrolls' cells, the levels' circles, one by one and together ("level2": the points marked), and the
    scrolls' circles."""
    template = load_template("obelisk")
    on_obelisk = {character: character for character in "._O*^@Yx?"}
    on_scroll = {character: character for character in "_O*^@Y?"}
    words = {**_IN_WORDS, "unbuilt": ".", "built": BLANK, "crossed": "x", "crossed out": "x", "cross": "x"}
    found = [_cell("obelisk", row, column, on_obelisk, words) for row, column in _cells_of(template.grid("obelisk"))]
    for scroll in range(1, len(SCROLL_POINTS) + 1):
        name = f"scroll{scroll}"
        found += [
            _cell(name, row, column, on_scroll, {**_IN_WORDS, ".": BLANK}) for row, column in _cells_of(template.grid(name))
        ]
        found += [_circle(f"{name} {what}", f"{name}.{what}") for what in ("points", "used")]
    for level, points in enumerate(LEVEL_POINTS, 1):
        found.append(_number(f"level{level}", _each(f"level{level}", points)))
        found += [_circle(f"level{level} mark {one}", f"level{level}.{one}") for one in points]
    return {place.where: place for place in found}


def imhotep_table_places() -> Places:
    """Cells for stones, towers, circles and numbers."""
    of = imhotep_places
    symbol_of = of.SYMBOL_OF
    stones = {**symbol_of, "empty": BLANK, "unreadable": UNREADABLE}
    words = {name: colour for colour, symbol in symbol_of.items() for name in (symbol.lower(), SYMBOL_NAMES[symbol])}
    words |= {"blank": "empty", BLANK: "empty", ".": "empty", UNREADABLE: "unreadable"}
    found = [
        _cell(grid, row, column, stones, words)
        for grid, (rows, columns) in of.GRIDS.items()
        if grid != "obelisks"
        for row in range(rows)
        for column in range(columns)
    ]
    rows, room = of.GRIDS["obelisks"]
    for row, colour in zip(range(rows), symbol_of, strict=True):
        tower = {str(height): Shown(height, "x" * height + BLANK * (room - height)) for height in range(room + 1)}
        cells = tuple(("obelisks", row, space) for space in range(room))
        found.append(Place(f"obelisks {colour}", cells, (), tower, {"none": "0"}))
        found.append(_circle(f"plays {colour}", f"plays.{colour}"))
        for what, most in (("statues", of.STATUES), ("blue_cards", of.BLUE_CARDS)):
            found.append(_number(f"{what} {colour}", _each(f"{what}.{colour}", range(1, most + 1))))
        for site in of.DECORATED:
            copies = range(1, of.COPIES + 1)
            found += [_circle(f"decorations {colour} {site} {n}", f"decorations.{colour}.{site}.{n}") for n in copies]
    stones_noted = {number: number_marks("temple_stones", number) for number in range(of.MOST_TEMPLE_STONES + 1)}
    found.append(_number("temple_stones", stones_noted))
    return {place.where: place for place in found}


def monolyth_board_places() -> Places:
    """The levels' cells, the sides' colours, and the numbers noted by circles."""
    of = monolyth_places
    colours = {symbol: symbol for symbol in SYMBOL_NAMES} | {"empty": BLANK, "unreadable": UNREADABLE}
    words = {**_SYMBOLS_IN_WORDS, "blank": "empty", BLANK: "empty", ".": "empty", UNREADABLE: "unreadable"}
    grids = [(f"level{level}", of.SIDE, of.SIDE) for level in range(1, of.LEVELS + 1)] + [("sides", len(of.SIDES), 1)]
    found = [
        _cell(grid, row, column, colours, words)
        for grid, rows, columns in grids
        for row in range(rows)
        for column in range(columns)
    ]
    found.append(_number("players", _each("players", of.PLAYERS)))
    found += [_number(f"prophecy {side}", _each(f"prophecy.{side}", of.PROPHECIES)) for side in of.SIDES]
    for name in (*(f"token{number}" for number in range(1, of.TOKENS + 1)), "structure"):
        found.append(_number(name, {points: number_marks(name, points) for points in range(of.MOST_POINTS + 1)}))
    return {place.where: place for place in found}


PLACES: Final[dict[str, Callable[[], Places]]] = {
    "obelisk": cache(obelisk_places),
    "imhotep": cache(imhotep_table_places),
    "monolyth": cache(monolyth_board_places),
}
"""game -> its places that can be answered for. A game that is not here has none."""


def places(game: str) -> Places:
    """The places of a game's sheet that can be answered for, by the names that reviews give them."""
    return PLACES[game]() if game in PLACES else {}


def understand(game: str, where: str, text: str) -> str:
    """An answer in the words of reviews. BadState names a place that no such sheet has, or a value that it cannot hold."""
    place = places(game).get(where)
    if place is None:
        hint = f"Name the place as the review does: {_examples(game)}"
        raise BadState(f"A sheet of {game} has no place {quoted(where)}.", hint)
    value = place.understand(text)
    if value is None:
        raise BadState(f'"{where}" cannot hold {quoted(text)}.', f"It can hold: {place.can_hold()}.")
    return value


def quoted(text: str) -> str:
    """What somebody wrote, for messages: cut where it gets long, and without what could steer a terminal."""
    plain = shown_name(text)
    return f'"{plain[:_LONGEST]}..."' if len(plain) > _LONGEST else f'"{plain}"'


def _examples(game: str) -> str:
    """One place of each kind."""
    kinds: dict[tuple[str, int, bool], str] = {}
    for where, place in places(game).items():
        words = where.split()
        kinds.setdefault((words[0].rstrip("0123456789"), len(words), bool(place.cells)), f'"{where}"')
    return ", ".join(kinds.values()) + "."


def settle(readings: Readings, game: str, answers: Mapping[str, str]) -> Readings:
    """The readings with people's answers in their places, each as certain as can be; no other place is touched.

    answers: place -> value, both as reviews name them or as `understand` would. BadState as it raises it, and for answers that
    say two things of one circle.
    """
    known = places(game)
    content = dict(readings.content)
    marks = dict(readings.marks)
    kept = dict(readings.answers)
    said: dict[str, tuple[str, bool]] = {}
    for where, text in answers.items():
        value = understand(game, where, text)
        place = known[where]
        shown = place.values[value]
        kept[where] = shown.value
        for (grid, row, column), character in zip(place.cells, shown.cells, strict=True):
            content[grid] = _with_cell(content[grid], row, column, character)
        for mark in place.marks:
            on = mark in shown.marked
            other, before = said.setdefault(mark, (where, on))
            if before != on:
                raise BadState(f'The answers to "{other}" and to "{where}" contradict each other.', "Leave one of them out.")
            marks[mark] = SETTLED if on else -SETTLED
    return replace(readings, content=content, marks=marks, answers=kept)


def _with_cell(grid: LogArray, row: int, column: int, character: str) -> LogArray:
    changed = grid.copy()
    changed[row, column] = -SETTLED
    changed[row, column, CONTENT_CHARACTERS.index(character)] = 0.0
    return read_only(np.asarray(changed, np.float32))
