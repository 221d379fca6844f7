"""Sheet templates: the only source of a sheet's geometry, read from the TOML files beside this module.

Coordinates are sheet mm (see `scanner.geometry`). Rows are listed from the top as seen on paper.
"""

from functools import cache
from importlib.resources import files
from typing import Final, Literal

import msgspec

from scanner.geometry import FloatArray

Reads = Literal["content", "edges", "struck"]
"""What is read in a grid: what a cell holds; which cell edges carry a drawn line; which printed cells are struck."""


class Grid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A grid of square cells. `origin_mm` is its top left corner; `printed` gives the symbols printed in its cells, a
    string a row, or is empty; `points` what a filled scroll is worth, else 0."""

    name: str
    origin_mm: tuple[float, float]
    cell_mm: float
    rows: int
    columns: int
    reads: tuple[Reads, ...]
    printed: tuple[str, ...] = ()
    points: int = 0

    def extent_mm(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the grid, sheet mm."""
        left, top = self.origin_mm
        return left, top, left + self.columns * self.cell_mm, top + self.rows * self.cell_mm


class Mark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A circle to be marked or crossed. `name` is unique on the sheet, e.g. "level1.3" (level 1, worth 3), "scroll2.points",
    "scroll2.used"; `label` is printed inside, or is empty."""

    name: str
    centre_mm: tuple[float, float]
    diameter_mm: float
    label: str = ""


class LevelLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line across obelisk and wall at the height of `height_rows` rows from the base; `points` by rank, first to third."""

    level: int
    height_rows: int
    line_y_mm: float
    points: tuple[int, ...]


class Fiducials(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The eight fiducials: centres in sheet mm; corners top left, top right, bottom right, bottom left; edges top, right,
    bottom, left. Sides are axis-parallel, `size_mm` long, with `quiet_zone_mm` of white around."""

    dictionary: str
    size_mm: float
    quiet_zone_mm: float
    corners_centre_mm: tuple[tuple[float, float], ...]
    edges_centre_mm: tuple[tuple[float, float], ...]


class Template(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One sheet's geometry. `name` is the layout's name and version, `game_index` stands in the corner fiducials."""

    name: str
    game: str
    title: str
    game_index: int
    paper_mm: tuple[float, float]
    fiducials: Fiducials
    grids: tuple[Grid, ...]
    marks: tuple[Mark, ...]
    name_box_mm: tuple[float, float, float, float]
    level_lines: tuple[LevelLine, ...] = ()

    def grid(self, name: str) -> Grid:
        """The grid of that name; KeyError if there is none."""
        for grid in self.grids:
            if grid.name == name:
                return grid
        raise KeyError(name)

    def fiducial_corners_mm(self, place: int) -> FloatArray:
        """The corners of the fiducial at `place` (0..3 the sheet's corners, 4..7 its edges), float64 (4, 2), sheet mm, from
        the fiducial's top left clockwise."""
        import numpy as np

        centres = self.fiducials.corners_centre_mm + self.fiducials.edges_centre_mm
        half = self.fiducials.size_mm / 2
        return np.array(centres[place]) + half * np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])


ADDED: Final[dict[str, Template]] = {}
"""Templates of games from outside, by the games' names."""


def load_template(game: str) -> Template:
    """The template of a game, e.g. "obelisk"; KeyError if no such template ships or was added."""
    return ADDED[game] if game in ADDED else _shipped(game)


@cache
def _shipped(game: str) -> Template:
    source = files("scanner.sheet").joinpath(f"{game}.toml")
    if not source.is_file():
        raise KeyError(game)
    return read_template(source.read_bytes())


def title_of(game_index: int) -> str | None:
    """The title of the game that ships with this index in its corner fiducials; None if none does."""
    for source in files("scanner.sheet").iterdir():
        game = source.name.removesuffix(".toml")
        if source.name.endswith(".toml") and _shipped(game).game_index == game_index:
            return _shipped(game).title
    return None


def read_template(toml: bytes) -> Template:
    """The template that a TOML file's content describes; msgspec.ValidationError if it does not have the form."""
    return msgspec.toml.decode(toml, type=Template)
