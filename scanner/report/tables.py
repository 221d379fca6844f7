"""Sheets of one table found again by their set number, ready for standings."""

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scanner.result import RefusedSheet, ScanResult, SheetResult

SEATS_PER_SET = 8
"""A set's sheets carry the numbers set * 8 + seat - 1 (the contract's `sheet --number`)."""


def set_number(sheet_number: int | None) -> int | None:
    """The number of the set that a sheet was printed with, or None where its own number is not known."""
    return None if sheet_number is None else sheet_number // SEATS_PER_SET


@dataclass(frozen=True, slots=True)
class TableOfSheets:
    """The sheets of one set, by seat.

    read: one result a seat, the first that was met. conflicting: seats that were photographed more than once and read
    differently. missing: seats of which only refused sheets were seen.
    """

    game: str
    set_number: int
    read: tuple[SheetResult, ...]
    conflicting: tuple[int, ...]
    missing: tuple[int, ...]

    @property
    def settled(self) -> bool:
        """Whether no doubt that is left can change anybody's place: every seat that was seen is read once, and of two totals
        that are not certain even the lowest of one is above the highest of the other."""
        ranges = sorted(sheet.bounds for sheet in self.read)
        pairs = itertools.pairwise(ranges)
        apart = all(high < low or (low0 == high == low == high1) for (low0, high), (low, high1) in pairs)
        return apart and not self.conflicting and not self.missing


def _content(state: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in state.items() if key != "wall_shapes"}


def tables(results: Iterable[ScanResult]) -> list[TableOfSheets]:
    """All sets of which sheets of at least two seats were seen, lowest number first.

    Two photos of one sheet count once if they agree in all but the wall, which scores nothing. Sheets whose number could
    not be read belong to no set.
    """
    read: dict[tuple[str, int], list[SheetResult]] = {}
    refused: dict[int, list[RefusedSheet]] = {}
    for result in results:
        for sheet in result.sheets:
            number = set_number(sheet.state.get("sheet_number"))
            if number is not None:
                read.setdefault((sheet.state["game"], number), []).append(sheet)
        for gone in result.refused:
            number = set_number(gone.sheet_number)
            if number is not None and gone.seat is not None:
                refused.setdefault(number, []).append(gone)
    found = []
    for (game, number), sheets in sorted(read.items(), key=lambda item: item[0]):
        by_seat: dict[int, list[SheetResult]] = {}
        for sheet in sheets:
            by_seat.setdefault(sheet.state["seat"], []).append(sheet)
        missing = {gone.seat for gone in refused.get(number, []) if gone.seat is not None} - by_seat.keys()
        if len(by_seat) + len(missing) < 2:
            continue
        found.append(
            TableOfSheets(
                game=game,
                set_number=number,
                read=tuple(by_seat[seat][0] for seat in sorted(by_seat)),
                conflicting=tuple(
                    seat
                    for seat, several in sorted(by_seat.items())
                    if any(_content(other.state) != _content(several[0].state) for other in several[1:])
                ),
                missing=tuple(sorted(missing)),
            )
        )
    return found
