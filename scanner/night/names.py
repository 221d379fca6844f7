"""Players' names, from a TOML file.

[[player]]
set = 1000          # or folder = "table 3", or both, or neither: then it holds for every game
seat = 2
name = "Nefertari"
"""

from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Annotated, Final

import msgspec

from scanner.engine.checks import holds_controls
from scanner.errors import BadState
from scanner.night.grouping import GameOfNight
from scanner.report.handwritten import LARGEST, load_toml
from scanner.report.paths import followed

HINT: Final = (
    'Give a table [[player]] a player, with `set` or `folder`, `seat` (1 to 8) and `name`: seat = 2, name = "Nefertari".'
)

_Name = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]


class NamedPlayer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who sat where. `folder` is a folder's name, or its path, as the night knows it."""

    seat: Annotated[int, msgspec.Meta(ge=1, le=8)]
    name: _Name
    set: Annotated[int, msgspec.Meta(ge=0, le=LARGEST)] | None = None
    folder: _Name | None = None

    @property
    def precision(self) -> int:
        return 2 * (self.set is not None) + (self.folder is not None)

    @property
    def where(self) -> str:
        """Set and folder in words."""
        parts = [] if self.set is None else [f"set {self.set}"]
        return " in ".join(parts + ([] if self.folder is None else [f"folder {self.folder}"])) or "any set"

    def is_of(self, game: GameOfNight) -> bool:
        if self.set is not None and self.set != game.set_number:
            return False
        return self.folder is None or any(_is_folder(self.folder, folder) for folder in game.folders)


def _is_folder(given: str, folder: str) -> bool:
    """Whether a folder's path is the one given, or ends in it."""
    wanted = PurePath(given).parts
    return followed(given) == followed(folder) or followed(folder).parts[-len(wanted) :] == wanted


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    player: tuple[NamedPlayer, ...]


def load_names(path: Path) -> tuple[NamedPlayer, ...]:
    """The names in a file. MissingFile if it cannot be read, BadState if it does not have the form or says two things of one
    seat."""
    found = load_toml(path, _File, "names file", HINT).player
    seen: dict[tuple[int | None, str | None, int], str] = {}
    for one in found:
        if not one.name.strip():
            raise BadState(f"{path}: seat {one.seat} has a blank name.", HINT)
        for what, text in (("name", one.name), ("folder", one.folder or "")):
            if holds_controls(text):
                raise BadState(f"{path}: the {what} {text!r} of seat {one.seat} holds control characters.", HINT)
        if seen.setdefault((one.set, one.folder, one.seat), one.name) != one.name:
            other = seen[one.set, one.folder, one.seat]
            raise BadState(f"{path} names seat {one.seat} twice, {other!r} and {one.name!r}.", HINT)
    return found


def names_of(game: GameOfNight, players: Sequence[NamedPlayer]) -> dict[int, str]:
    """Seat -> name: what names the set and the folder counts more than what names one of them, and that more than neither."""
    named = sorted((one for one in players if one.is_of(game)), key=lambda one: one.precision)
    return {one.seat: one.name.strip() for one in named}
