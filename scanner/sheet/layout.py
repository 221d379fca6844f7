"""A sheet's geometry as plain data, for other people's programs."""

from typing import Any, Final

from scanner.sheet.glyphs import SYMBOLS
from scanner.sheet.template import Grid, Mark, Template, load_template

_CORNERS: Final = ("top_left", "top_right", "bottom_right", "bottom_left")
_EDGES: Final = ("top", "right", "bottom", "left")

_UNITS: Final = "mm; origin at the sheet's top left corner, x right, y down; rows are listed from the top as seen on paper"
_CORNER_ID: Final = (
    "(game_index * 8 + seat - 1) * 4 + corner; corner 0 top left, 1 top right, 2 bottom right, 3 bottom left; "
    "game_index 0 obelisk, 1 imhotep, 2 monolyth; seat 1..8"
)
_EDGE_ID: Final = (
    "96 + edge * 38 + digit; edge 0 top, 1 right, 2 bottom, 3 left; "
    "the four digits 0..37, top first, are the sheet number in base 38"
)
_SCROLL: Final = "scroll"


def layout(game: str) -> dict[str, Any]:
    """The geometry of a game's sheet, ready for JSON; KeyError for a game without a template."""
    template = load_template(game)
    fiducials = template.fiducials
    marks = {mark.name: mark for mark in template.marks}
    regions: dict[str, Any] = {grid.name: _grid(grid) for grid in template.grids if not _is_scroll(grid)}
    # The template lists the scrolls from the bottom, as a state does; here all is listed as seen on paper.
    scrolls = sorted(filter(_is_scroll, template.grids), key=lambda grid: grid.origin_mm[1])
    regions["scrolls"] = [_scroll(grid, marks) for grid in scrolls]
    regions["levels"] = _levels(template, marks)
    regions["marks"] = [
        {"name": name, "centre_mm": list(mark.centre_mm)} for name, mark in marks.items() if not _is_told_of(name)
    ]
    for empty in [region for region in ("scrolls", "levels", "marks") if not regions[region]]:
        del regions[empty]
    regions["mark_diameter_mm"] = template.marks[0].diameter_mm
    regions["name_box_mm"] = list(template.name_box_mm)
    return {
        "layout": template.name,
        "game": template.game,
        "paper_mm": list(template.paper_mm),
        "units": _UNITS,
        "fiducials": {
            "dictionary": fiducials.dictionary,
            "size_mm": fiducials.size_mm,
            "quiet_zone_mm": fiducials.quiet_zone_mm,
            "corners_centre_mm": {n: list(c) for n, c in zip(_CORNERS, fiducials.corners_centre_mm, strict=True)},
            "edges_centre_mm": {n: list(c) for n, c in zip(_EDGES, fiducials.edges_centre_mm, strict=True)},
            "corner_id": _CORNER_ID,
            "edge_id": _EDGE_ID,
        },
        "regions": regions,
        "glyphs": {name: character for character, name in SYMBOLS.items()},
    }


def _is_scroll(grid: Grid) -> bool:
    return grid.name.startswith(_SCROLL)


def _is_told_of(mark: str) -> bool:
    """Whether a mark is told of beside its scroll or level line."""
    return mark.startswith(("level", _SCROLL))


def _grid(grid: Grid) -> dict[str, Any]:
    region: dict[str, Any] = {
        "origin_mm": list(grid.origin_mm),
        "cell_mm": grid.cell_mm,
        "rows": grid.rows,
        "columns": grid.columns,
    }
    if grid.printed:
        region["printed"] = list(grid.printed)
    return region


def _scroll(grid: Grid, marks: dict[str, Mark]) -> dict[str, Any]:
    return {
        "points": grid.points,
        **_grid(grid),
        "points_mark_mm": list(marks[f"{grid.name}.points"].centre_mm),
        "used_mark_mm": list(marks[f"{grid.name}.used"].centre_mm),
    }


def _levels(template: Template, marks: dict[str, Mark]) -> list[dict[str, Any]]:
    return [
        {
            "level": line.level,
            "height_rows": line.height_rows,
            "line_y_mm": line.line_y_mm,
            "marks": [
                {"points": points, "centre_mm": list(marks[f"level{line.level}.{points}"].centre_mm)} for points in line.points
            ],
        }
        for line in template.level_lines
    ]
