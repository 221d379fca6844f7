"""The sheet's data: sizes, symbols, the printed wall, level and scroll points.

References: RULES section 1, "Components" and "Levels" (sizes and symbols are this project's decision; the points are printed
on the published sheet).
"""

OBELISK_ROWS = 12
OBELISK_COLUMNS = 5
WALL_ROWS = 12
WALL_COLUMNS = 8
ROWS_A_LEVEL = 4

SYMBOLS = "O*^@Y"
SYMBOL_NAMES = {"O": "sun", "*": "star", "^": "pyramid", "@": "eye", "Y": "lotus"}
UNBUILT, BLANK, CROSSED, UNREADABLE = ".", "_", "x", "?"
NAME_OF_CELL = {**SYMBOL_NAMES, UNBUILT: "unbuilt", BLANK: "built and blank", CROSSED: "crossed out", UNREADABLE: "unreadable"}

PRINTED_WALL: tuple[str, ...] = (
    "YO@^O^@*",
    "O^Y@*@O^",
    "Y*@*YOYO",
    "@Y^Y^*O*",
    "^@Y@O@^Y",
    "O*^Y*^@*",
    "^Y*O^OY@",
    "O*OYO@*Y",
    "Y^*@Y^@*",
    "O*@YO*^Y",
    "@O^@^O@O",
    "O*Y^Y*O@",
)
"""The symbols printed on the wall, top row first."""

LEVEL_POINTS: tuple[tuple[int, int, int], ...] = ((3, 2, 1), (5, 3, 1), (8, 5, 3))
"""Points of the first, second and third player to reach level 1, 2, 3; later players mark none."""

SCROLL_POINTS: tuple[int, int, int] = (3, 6, 9)
"""Bottom scroll first."""

ROW_POINTS: tuple[int, ...] = (0, 0, 3, 5, 8, 13)
"""By number of different symbols in a row of the obelisk."""


def level_of_row(row: int) -> int:
    """The level (1 to 3) whose band holds a row, 0-based from the top, of the obelisk or the wall."""
    return (WALL_ROWS - 1 - row) // ROWS_A_LEVEL + 1
