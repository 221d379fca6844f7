"""Checks of JSON values, whose complaints name the field and say how to mend it."""

from collections.abc import Mapping
from typing import Any
from unicodedata import category

from scanner.errors import BadState

MAX_SEAT = 8
MAX_SHEET_NUMBER = 38**4 - 1


def kind(value: object) -> str:
    """How to speak of a JSON value of the wrong type."""
    names = {bool: "true or false", int: "a whole number", float: "a number", str: "a text", list: "a list", dict: "an object"}
    return "null" if value is None else names.get(type(value), type(value).__name__)


_LONGEST = 60


def shown(value: object) -> str:
    """A value as complaints quote it: as Python writes it, cut where it gets long."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        # Whole numbers of thousands of digits, and lists nested as deep.
        return kind(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def holds_controls(text: str) -> bool:
    """Whether a text holds control characters, which could steer the terminal that shows it."""
    return any(category(character) == "Cc" for character in text)


def checked_name(value: Any, field: str, remedy: str) -> str:
    """The value as a name that can be shown on a terminal; BadState if it is no text, or holds control characters."""
    if not isinstance(value, str):
        raise BadState(f"`{field}` is {kind(value)}, not a name.", remedy)
    if holds_controls(value):
        raise BadState(f"`{field}` is {shown(value)}, which holds control characters.", remedy)
    return value


def checked_list(value: Any, field: str, remedy: str) -> list[Any]:
    """The value as a list; BadState if it is none."""
    if not isinstance(value, list | tuple):
        raise BadState(f"`{field}` is {kind(value)}, not a list.", remedy)
    return list(value)


def checked_object(value: Any, field: str, remedy: str) -> Mapping[str, Any]:
    """The value as a mapping; BadState if it is none."""
    if not isinstance(value, Mapping):
        raise BadState(f"`{field}` is {kind(value)}, not an object.", remedy)
    return value


def whole(value: Any, field: str, lowest: int, highest: int) -> int:
    """The value as a whole number between two bounds, both included; BadState if it is none."""
    remedy = f"Give a whole number from {lowest} to {highest}."
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadState(f"`{field}` is {kind(value)}, not a whole number.", remedy)
    if not lowest <= value <= highest:
        raise BadState(f"`{field}` is {shown(value)}.", remedy)
    return value


def identity(value: Mapping[str, Any], game: str) -> tuple[int | None, int | None]:
    """Seat and sheet number of a state that must be of `game`; None where they are left out."""
    if value.get("game") != game:
        raise BadState(f"`game` is {shown(value.get('game'))}, not {game!r}.", f'Write "game": "{game}".')
    seat, number = value.get("seat"), value.get("sheet_number")
    return (
        None if seat is None else whole(seat, "seat", 1, MAX_SEAT),
        None if number is None else whole(number, "sheet_number", 0, MAX_SHEET_NUMBER),
    )
