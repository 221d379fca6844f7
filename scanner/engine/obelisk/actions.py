"""What players do in a game, and how it is written down.

In JSON an action is one object; cells are [row, column] counted from 1, rows from the top, as findings name them:

    {"tick": 2}                                   tick the second worker of the pool
    {"use_scroll": 1, "tick": 3}                  use the bottom scroll on the third worker
    {"build": [[12, 1], [12, 2]]}
    {"carve": [[1, 4], [1, 5]], "onto": [[12, 1], [12, 2]]}
    {"scribe": [[1, 4], [1, 5], [2, 4], [2, 5]]}
    {"pass": true}
    {"discard": 1}                                the round's last player takes the first worker from the pool
"""

from typing import Any

import msgspec

from scanner.engine.checks import shown
from scanner.engine.obelisk.bitboard import obelisk_cells, wall_cells
from scanner.engine.obelisk.board import obelisk_place, wall_place
from scanner.engine.obelisk.polyomino import Cell, Cells
from scanner.errors import BadState


class Tick(msgspec.Struct, frozen=True):
    """Turn one worker of the pool (0 to 2); everyone then writes."""

    worker: int


class UseScroll(msgspec.Struct, frozen=True):
    """Before the tick: cross out a scroll's circle (0 the bottom one), tick a worker, and write with its top shape alone."""

    scroll: int
    worker: int


class Build(msgspec.Struct, frozen=True):
    """Build a shape; `place` is an obelisk mask."""

    place: int


class Carve(msgspec.Struct, frozen=True):
    """Carve the group at `place` (wall mask) onto `target` (obelisk mask)."""

    place: int
    target: int


class Scribe(msgspec.Struct, frozen=True):
    """Scribe the square at `place` (wall mask) on the bottom-most empty scroll."""

    place: int


class Pass(msgspec.Struct, frozen=True):
    """Write nothing, because nothing is possible."""


class Discard(msgspec.Struct, frozen=True):
    """Renewal: take a worker (0 to 2) from the pool."""

    worker: int


Write = Build | Carve | Scribe | Pass
Action = Tick | UseScroll | Write | Discard


def _written(cells: Cells) -> list[list[int]]:
    return [[row + 1, column + 1] for row, column in cells]


def action_to_dict(action: Action) -> dict[str, Any]:
    """The action as JSON, see the module's text."""
    match action:
        case Tick(worker):
            return {"tick": worker + 1}
        case UseScroll(scroll, worker):
            return {"use_scroll": scroll + 1, "tick": worker + 1}
        case Build(place):
            return {"build": _written(obelisk_cells(place))}
        case Carve(place, target):
            return {"carve": _written(wall_cells(place)), "onto": _written(obelisk_cells(target))}
        case Scribe(place):
            return {"scribe": _written(wall_cells(place))}
        case Discard(worker):
            return {"discard": worker + 1}
        case Pass():
            return {"pass": True}


def _number(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadState(
            f"An action has {shown(value)} where a number belongs.", "Workers, scrolls and cells are counted from 1."
        )
    return value - 1


def _cells(value: Any) -> list[Cell]:
    if not isinstance(value, list) or any(not isinstance(cell, list) or len(cell) != 2 for cell in value):
        raise BadState(f"An action has {shown(value)} where cells belong.", "Give [[row, column], ...], counted from 1.")
    return [(_number(row), _number(column)) for row, column in value]


def action_from_dict(value: Any) -> Action:
    """The action of a JSON object. BadState for another form; OutsideObelisk, OutsideWall or NotAShape for cells that are no
    place."""
    if isinstance(value, dict):
        keys = frozenset(value)
        if keys == {"tick"}:
            return Tick(_number(value["tick"]))
        if keys == {"use_scroll", "tick"}:
            return UseScroll(_number(value["use_scroll"]), _number(value["tick"]))
        if keys == {"build"}:
            return Build(obelisk_place(_cells(value["build"])))
        if keys == {"carve", "onto"}:
            return Carve(wall_place(_cells(value["carve"])), obelisk_place(_cells(value["onto"])))
        if keys == {"scribe"}:
            return Scribe(wall_place(_cells(value["scribe"])))
        if keys == {"discard"}:
            return Discard(_number(value["discard"]))
        if keys == {"pass"} and value["pass"] is True:
            return Pass()
    raise BadState(
        f"This is no action: {shown(value)}.",
        "An action is tick, use_scroll with tick, build, carve with onto, scribe, pass or discard.",
    )
