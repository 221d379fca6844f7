"""Photos with truth files beside them: `NAME.jpg` with `NAME.truth.json`.

A truth file holds `condition` and, for every sheet in the photo, the state in the contract's keys; `score` and `pose` are
optional. A photo that must be refused has no sheets in its truth, or stands in a folder `not_a_sheet` without a truth file.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from scanner.errors import BadState, MissingFile

PHOTO_SUFFIXES: Final = (".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff", ".heic", ".heif", ".pdf")
CLASSES: Final = {
    ".": "not built",
    "_": "blank",
    "x": "crossed",
    "O": "sun",
    "*": "star",
    "^": "pyramid",
    "@": "eye",
    "Y": "lotus",
}
"""What a cell of the obelisk can hold."""
FOREIGN_FOLDER: Final = "not_a_sheet"
"""Photos in a folder of this name show no sheet and must be refused."""


def totals_of(score: Mapping[str, Any]) -> tuple[int, ...]:
    """The total of a score, or each player's where the sheet is of several."""
    if "total" in score:
        return (int(score["total"]),)
    return tuple(int(points["total"]) for points in score["players"].values())


class TruthPose(msgspec.Struct, frozen=True):
    """Paper points in sheet mm, where they lie in the photo (px), and which of them are visible (all if empty)."""

    lattice_mm: tuple[tuple[float, float], ...]
    lattice_px: tuple[tuple[float, float], ...]
    lattice_visible: tuple[bool, ...] = ()


class TruthScroll(msgspec.Struct, frozen=True):
    """A scroll as it is on the paper."""

    points: int
    symbols: str
    marked: bool
    used: bool


class TruthSheet(msgspec.Struct, frozen=True):
    """A sheet as it is on the paper; `score` is worked out where the file does not give it. `other`: the whole state of a sheet
    of another game than Shadow of the Obelisk."""

    obelisk: tuple[str, ...] = ()
    game: str = "obelisk"
    seat: int | None = None
    sheet_number: int | None = None
    wall_shapes: tuple[str, ...] = ()
    scrolls: tuple[TruthScroll, ...] = ()
    levels: tuple[int, ...] = ()
    score: Mapping[str, Any] | None = None
    pose: TruthPose | None = None
    other: Mapping[str, Any] | None = None

    @property
    def total(self) -> int:
        """The true total; of a sheet with several players, all of theirs together."""
        return sum(self.totals)

    @property
    def totals(self) -> tuple[int, ...]:
        """The true total, or each player's."""
        if self.score is not None:
            return totals_of(self.score)
        from scanner.engine import score_state

        if self.other is not None:
            return totals_of(score_state(dict(self.other)))
        keys = ("game", "seat", "sheet_number", "obelisk", "wall_shapes", "scrolls", "levels")
        state = msgspec.to_builtins(self)
        return totals_of(score_state({key: state[key] for key in keys if state[key] not in (None, [])}))


class Truth(msgspec.Struct, frozen=True):
    """One photo's truth."""

    sheets: tuple[TruthSheet, ...]
    condition: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """A photo to evaluate; `truth.sheets` is empty where it must be refused."""

    photo: Path
    condition: str
    truth: Truth


def load_truth(path: Path) -> Truth:
    """Read one truth file; BadState if it does not have the form."""
    try:
        truth = msgspec.json.decode(path.read_bytes(), type=Truth)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise BadState(f"{path} is not a truth file: {error}.", "Give the keys of a state for every sheet.") from error
    raw = msgspec.json.decode(path.read_bytes())["sheets"]
    truth = msgspec.structs.replace(
        truth, sheets=tuple(_whole(sheet, given, path) for sheet, given in zip(truth.sheets, raw, strict=True))
    )
    unknown = {character for sheet in truth.sheets for row in sheet.obelisk for character in row} - CLASSES.keys()
    if unknown:
        raise BadState(f"{path}: an obelisk holds {', '.join(sorted(unknown))}.", f"Its cells are {' '.join(CLASSES)}.")
    return truth


def _whole(sheet: TruthSheet, given: Mapping[str, Any], path: Path) -> TruthSheet:
    """The sheet with all that its game's state holds."""
    from scanner.engine import GAMES

    if sheet.game == "obelisk":
        if not sheet.obelisk:
            raise BadState(
                f"{path} is not a truth file: a sheet has no `obelisk`.", "Give the keys of a state for every sheet."
            )
        return sheet
    if sheet.game not in GAMES:
        raise BadState(f"{path}: the game {sheet.game!r} is not known.", f"The games are {', '.join(GAMES)}.")
    return msgspec.structs.replace(sheet, other=GAMES[sheet.game].normalise(dict(given)))


def find_cases(directory: Path) -> tuple[list[Case], list[Path]]:
    """All photos under `directory` that have a truth, and those that have none, both in the order of their paths.

    The condition is the truth's, else the name of the photo's folder. Raises MissingFile if there is no such directory or no
    photo with a truth in it.
    """
    if not directory.is_dir():
        raise MissingFile(f"{directory} is not a directory.")
    cases, without_truth = [], []
    for photo in sorted(path for path in directory.rglob("*") if path.suffix.lower() in PHOTO_SUFFIXES):
        truth_file = photo.with_name(f"{photo.stem}.truth.json")
        if truth_file.is_file():
            truth = load_truth(truth_file)
        elif photo.parent.name == FOREIGN_FOLDER:
            truth = Truth(())
        else:
            without_truth.append(photo)
            continue
        cases.append(Case(photo, truth.condition or photo.parent.name, truth))
    if not cases:
        raise MissingFile(f"{directory} holds no photo with a truth file.", "Put NAME.truth.json beside NAME.jpg.")
    return cases, without_truth
