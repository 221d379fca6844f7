"""The places of an obelisk sheet that count, by the names that reviews give them."""

from collections.abc import Mapping
from typing import Any, Final

from scanner.decode.circles import MARKED, UNMARKED
from scanner.engine.obelisk.sheet import BLANK, UNBUILT
from scanner.result import Review, thaw

GAME: Final = "obelisk"


def readings(state: Mapping[str, Any]) -> dict[str, str]:
    """What a state of Shadow of the Obelisk has at every place that counts: cells, points of levels ("0" for none), points of
    scrolls. Built and unbuilt blank cells are the same to the score."""
    found = {
        f"obelisk r{r} c{c}": BLANK if character == UNBUILT else character
        for r, row in enumerate(state["obelisk"], 1)
        for c, character in enumerate(row, 1)
    }
    found |= {f"level{level}": str(points) for level, points in enumerate(state["levels"], 1)}
    found |= {f"scroll{n} points": MARKED if scroll["marked"] else UNMARKED for n, scroll in enumerate(state["scrolls"], 1)}
    return found


def changed(state: Mapping[str, Any], where: str, reading: str) -> dict[str, Any]:
    """The state with another reading at one of its places."""
    new: dict[str, Any] = thaw(state)
    place, *rest = where.split()
    if place == "obelisk":
        row, column = int(rest[0][1:]) - 1, int(rest[1][1:]) - 1
        cells = new["obelisk"][row]
        new["obelisk"][row] = cells[:column] + reading + cells[column + 1 :]
    elif place.startswith("level"):
        new["levels"][int(place.removeprefix("level")) - 1] = int(reading)
    else:
        new["scrolls"][int(place.removeprefix("scroll")) - 1]["marked"] = reading == MARKED
    return new


def place_of(line: Review) -> str:
    """The place that a review is about: of "level2 mark 5", "level2"."""
    return line.where.split()[0] if line.where.startswith("level") else line.where
