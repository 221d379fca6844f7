"""Places at a table when readings are open: who may win, and between which places everyone stands.

References: RULES section 1, "Scoring": most points win, ties go to the fewest empty spaces, players still tied share the win.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from scanner.engine.obelisk.sheet import BLANK, UNBUILT
from scanner.night import places
from scanner.night.conflicts import words
from scanner.night.sheets import NightSheet
from scanner.report.where import cell_of
from scanner.result import SheetResult

Key = tuple[int, int]
"""Total, and minus the empty spaces: the greater key stands higher."""


@dataclass(frozen=True, slots=True)
class Contender:
    """Somebody who may win. `sheet`: the index of the sheet that the points stand on; `colour`: which of its players, where a
    sheet holds several. `key` as it was read; `worst` and `best`: the least and greatest that the open readings allow."""

    sheet: int
    seat: int
    colour: str | None
    key: Key
    worst: Key
    best: Key


@dataclass(frozen=True, slots=True)
class Place:
    """A contender's place. `place`: by what was read; `between`: the best and the worst that the open readings allow;
    `may_win`; `wins`: in all cases, perhaps with others."""

    contender: Contender
    place: int
    between: tuple[int, int]
    may_win: bool
    wins: bool


def contenders(sheet: NightSheet, index: int) -> list[Contender]:
    """Who plays on a sheet: its seat, or all players of a sheet that holds a whole table. `index`: the sheet's in its game."""
    result = sheet.result
    players = result.score.get("players")
    if players is not None:
        low, high = result.bounds
        open_readings = bool(result.review)
        # The bounds are those of any player: nobody is above or below them.
        return [
            Contender(
                index,
                sheet.seat,
                colour,
                (part["total"], 0),
                (low if open_readings else part["total"], 0),
                (high if open_readings else part["total"], 0),
            )
            for colour, part in players.items()
        ]
    total, (low, high) = result.score["total"], result.bounds
    empty = int(result.score.get("empty_spaces", 0))
    fewest, most = _empty_spaces(result, empty)
    return [Contender(index, sheet.seat, None, (total, -empty), (low, -most), (high, -fewest))]


def _empty_spaces(result: SheetResult, empty: int) -> tuple[int, int]:
    """The fewest and most empty spaces that the open readings allow."""
    fewest = most = empty
    for line in result.review:
        if line.where == "sheet" and result.state["game"] == places.GAME:
            # The whole sheet is open.
            return 0, sum(map(len, result.state["obelisk"]))
        cell = cell_of(line.where)
        if cell is None or cell[0] != "obelisk":
            continue
        is_empty = line.read in (BLANK, UNBUILT)
        others = {reading in (BLANK, UNBUILT) for reading in line.alternatives}
        fewest -= is_empty and False in others
        most += not is_empty and True in others
    return fewest, most


def standings(players: Sequence[Contender]) -> tuple[Place, ...]:
    """Everybody's place, best first, ties in the order given."""
    found = []
    for index, player in enumerate(players):
        others = [*players[:index], *players[index + 1 :]]
        best = 1 + sum(other.worst > player.best for other in others)
        worst = 1 + sum(other.best > player.worst for other in others)
        found.append(
            Place(
                contender=player,
                place=1 + sum(other.key > player.key for other in others),
                between=(best, worst),
                may_win=best == 1,
                wins=worst == 1,
            )
        )
    return tuple(sorted(found, key=lambda place: place.place))


def _by_empty_spaces(table: Sequence[Place], names: Sequence[str]) -> str:
    """Why the first wins where the points alone would not have it so; nothing where they do."""
    (first, *others), (_, *other_names) = table, names
    tied = [name for name, place in zip(other_names, others, strict=True) if place.contender.key[0] == first.contender.key[0]]
    if not tied:
        return ""
    fewest, next_fewest = -first.contender.key[1], -others[0].contender.key[1]
    return f": as many points as {words(tied)}, but fewer empty spaces, {fewest} against {next_fewest}"


def verdict(table: Sequence[Place], names: Sequence[str]) -> str:
    """Who won, in a sentence; `names` in the order of the places. "Seat 1 or seat 3 wins" where open readings decide."""
    if len(table) == 1:
        low, high = table[0].contender.worst[0], table[0].contender.best[0]
        points = str(table[0].contender.key[0]) if low == high else f"{low} to {high}"
        return f"Only {names[0]} was seen, with {points} points."
    able = [name for name, place in zip(names, table, strict=True) if place.may_win]
    if len(able) == 1:
        return f"{able[0]} wins{_by_empty_spaces(table, names)}."
    if all(place.wins for place in table if place.may_win):
        return f"{words(able)} share the win."
    sure = [name for name, place in zip(names, table, strict=True) if place.wins]
    if sure:
        return f"{words(sure)} {'win' if len(sure) > 1 else 'wins'}, perhaps with {words([n for n in able if n not in sure])}."
    return f"{words(able, 'or')} wins: open readings decide."
