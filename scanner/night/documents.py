"""A night for programs: one JSON document, or one CSV row a player. Both are written game by game."""

import csv
import re
from collections.abc import Iterable
from typing import Any, Final, TextIO

import msgspec

from scanner.night.sheets import NightSheet
from scanner.night.table import GameTable, PhotoVerdict
from scanner.result import SCHEMA, Answer, AuditLine, ErrorInfo, PoseInfo, RefusedSheet, Review

COLUMNS: Final = (
    "folder", "set", "game", "place", "best_place", "worst_place", "may_win", "wins", "seat", "name",
    "total", "lowest", "highest", "empty_spaces", "columns", "rows", "levels", "scrolls", "to_review", "conflicts", "photos",
)  # fmt: skip

_BEGINS_A_FORMULA: Final = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""Their full-width forms as well, which spreadsheets take for the same."""


class PlayerOut(msgspec.Struct, frozen=True):
    """A place in the standings. `places`: the best and worst that the open readings allow; `sheet`: index in `sheets`."""

    seat: int
    name: str | None
    colour: str | None
    place: int
    places: tuple[int, int]
    wins: bool
    may_win: bool
    total: int
    bounds: tuple[int, int]
    empty_spaces: int
    sheet: int


class SheetOut(msgspec.Struct, frozen=True):
    """A sheet as `scan --json` has it, and the photos that show it, best first."""

    photos: tuple[str, ...]
    state: dict[str, Any]
    score: dict[str, Any]
    bounds: tuple[int, int]
    review: tuple[Review, ...]
    audit: tuple[AuditLine, ...]
    pose: PoseInfo
    answers: tuple[Answer, ...] | msgspec.UnsetType = msgspec.UNSET


class ConflictOut(msgspec.Struct, frozen=True):
    """What cannot be right on all sheets at once."""

    kind: str
    seats: tuple[int, ...]
    message: str


class GameOut(msgspec.Struct, frozen=True):
    """One game."""

    game: str
    set: int | None
    folders: tuple[str, ...]
    verdict: str
    winners: tuple[int, ...]
    settled: bool
    players: tuple[PlayerOut, ...]
    conflicts: tuple[ConflictOut, ...]
    sheets: tuple[SheetOut, ...]


class PhotoOut(msgspec.Struct, frozen=True):
    """One photo's verdict."""

    file: str
    error: ErrorInfo | None
    sheets: int
    refused: tuple[RefusedSheet, ...]
    copy_of: str | None


def _sheet_out(sheet: NightSheet, name: str | None) -> SheetOut:
    result = sheet.result
    state = dict(result.state)
    if name is not None and "player" in state:
        state["player"] = name
    score = dict(result.score)
    return SheetOut(sheet.photos, state, score, result.bounds, result.review, result.audit, result.pose, answers=result.answers)


def game_out(table: GameTable) -> GameOut:
    """A game in the document's form."""
    players = tuple(
        PlayerOut(
            seat=place.contender.seat,
            name=table.names.get(place.contender.seat) if place.contender.colour is None else None,
            colour=place.contender.colour,
            place=place.place,
            places=place.between,
            wins=place.wins,
            may_win=place.may_win,
            total=place.contender.key[0],
            bounds=(place.contender.worst[0], place.contender.best[0]),
            empty_spaces=-place.contender.key[1],
            sheet=place.contender.sheet,
        )
        for place in table.standings
    )
    return GameOut(
        game=table.game.game,
        set=table.game.set_number,
        folders=table.game.folders,
        verdict=table.verdict,
        winners=tuple(place.contender.seat for place in table.standings if place.wins),
        settled=table.settled,
        players=players,
        conflicts=tuple(ConflictOut(one.kind, one.seats, one.message) for one in table.conflicts),
        sheets=tuple(_sheet_out(sheet, table.names.get(sheet.seat)) for sheet in table.game.sheets),
    )


class JsonWriter:
    """The document of `night --json`: `schema`, `games`, then `photos`, a line each."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._first = True
        out.write(f'{{"schema": "{SCHEMA}",\n"games": [')

    def game(self, table: GameTable) -> None:
        self._item(game_out(table))

    def _item(self, value: msgspec.Struct) -> None:
        self._out.write(("\n" if self._first else ",\n") + msgspec.json.encode(value).decode())
        self._first = False

    def finish(self, photos: Iterable[PhotoVerdict]) -> None:
        self._out.write('],\n"photos": [')
        self._first = True
        for one in photos:
            self._item(PhotoOut(one.name, one.error, one.sheets, one.refused, one.copy_of))
        self._out.write("]}\n")


class CsvWriter:
    """One row a player, under a row of headings."""

    def __init__(self, out: TextIO) -> None:
        self._rows = csv.writer(out, lineterminator="\n")
        self._rows.writerow(COLUMNS)

    def game(self, table: GameTable) -> None:
        out = game_out(table)
        for player in out.players:
            sheet = out.sheets[player.sheet]
            parts = [
                sum(sheet.score[part]) if out.game == "obelisk" else "" for part in ("columns", "rows", "levels", "scrolls")
            ]
            self._rows.writerow([
                _plain("; ".join(out.folders)), "" if out.set is None else out.set, out.game, player.place, *player.places,
                int(player.may_win), int(player.wins), player.seat, _plain(player.name or player.colour or ""), player.total,
                *player.bounds, player.empty_spaces, *parts, len(sheet.review), len(out.conflicts),
                _plain("; ".join(sheet.photos)),
            ])  # fmt: skip

    def finish(self, photos: Iterable[PhotoVerdict]) -> None:
        """Photos have no rows of their own."""


def _plain(text: str) -> str:
    """Text in one line that no spreadsheet takes for a formula: an apostrophe before what could begin one."""
    line = re.sub(r"[\x00-\x1f]", " ", text).strip()
    return f"'{line}" if line.startswith(_BEGINS_A_FORMULA) else line
