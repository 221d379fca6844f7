"""The exported layout, against facts written down by hand and, where it is at hand, the published file."""

import json
from pathlib import Path

import pytest

from scanner.sheet.layout import layout

PUBLISHED = Path(__file__).parents[3] / "shared" / "sheet" / "obelisk-a4.json"

WALL = (
    """YO@^O^@*  O^Y@*@O^  Y*@*YOYO  @Y^Y^*O*  ^@Y@O@^Y  O*^Y*^@*  ^Y*O^OY@  O*OYO@*Y  Y^*@Y^@*  O*@YO*^Y  @O^@^O@O  O*Y^Y*O@"""
)


def scroll(points: int, top: float) -> dict[str, object]:
    return {
        "points": points,
        "origin_mm": [28, top],
        "cell_mm": 12.5,
        "rows": 2,
        "columns": 2,
        "points_mark_mm": [60, top + 6.5],
        "used_mark_mm": [60, top + 18.5],
    }


def level(number: int, line_y: float, points: list[int], marks_y: float) -> dict[str, object]:
    marks = [{"points": p, "centre_mm": [x, marks_y]} for p, x in zip(points, (74, 83, 92), strict=True)]
    return {"level": number, "height_rows": 4 * number, "line_y_mm": line_y, "marks": marks}


FACTS = {
    "layout": "obelisk-a4-1",
    "game": "obelisk",
    "paper_mm": [297, 210],
    "units": "mm; origin at the sheet's top left corner, x right, y down; rows are listed from the top as seen on paper",
    "fiducials": {
        "dictionary": "DICT_ARUCO_MIP_36h12",
        "size_mm": 12,
        "quiet_zone_mm": 1.5,
        "corners_centre_mm": {
            "top_left": [14, 14],
            "top_right": [283, 14],
            "bottom_right": [283, 196],
            "bottom_left": [14, 196],
        },
        "edges_centre_mm": {"top": [148.5, 14], "right": [283, 105], "bottom": [148.5, 196], "left": [14, 105]},
        "corner_id": "(game_index * 8 + seat - 1) * 4 + corner; corner 0 top left, 1 top right, 2 bottom right, 3 bottom left; "
        "game_index 0 obelisk, 1 imhotep, 2 monolyth; seat 1..8",
        "edge_id": "96 + edge * 38 + digit; edge 0 top, 1 right, 2 bottom, 3 left; the four digits 0..37, top first, are the "
        "sheet number in base 38",
    },
    "regions": {
        "obelisk": {"origin_mm": [100, 30], "cell_mm": 12.5, "rows": 12, "columns": 5},
        "wall": {"origin_mm": [170, 30], "cell_mm": 12.5, "rows": 12, "columns": 8, "printed": WALL.split()},
        "scrolls": [scroll(9, 71), scroll(6, 113), scroll(3, 155)],
        "levels": [level(1, 130, [3, 2, 1], 130), level(2, 80, [5, 3, 1], 80), level(3, 30, [8, 5, 3], 33.5)],
        "mark_diameter_mm": 7,
        "name_box_mm": [160, 8, 110, 12],
    },
    "glyphs": {"sun": "O", "star": "*", "pyramid": "^", "eye": "@", "lotus": "Y"},
}


def test_facts() -> None:
    assert layout("obelisk") == FACTS


def test_it_is_plain_json() -> None:
    exported = layout("obelisk")
    assert json.loads(json.dumps(exported)) == exported


def test_published_file() -> None:
    published = json.loads(PUBLISHED.read_text()) if PUBLISHED.exists() else FACTS
    exported = layout("obelisk")
    assert exported == published
    assert list(exported) == list(published)


def test_unknown_game() -> None:
    with pytest.raises(KeyError):
        layout("chess")
