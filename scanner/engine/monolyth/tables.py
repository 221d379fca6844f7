"""What the public record of Monolyth lacks, as data: tokens and structure cards. All of it is this project's own.

References: RULES section 3 for what the tables are for.
"""

GAME = "monolyth"
SYMBOLS = "O*^@Y"
"""The five colours, by the symbols that stand for them on the sheet."""
COLOUR_NAMES = {"O": "orange", "*": "white", "^": "black", "@": "blue", "Y": "teal"}
EMPTY, UNREADABLE = ".", "?"
SIDE = 4
"""A board has SIDE x SIDE spaces a level."""
SIDES = ("front", "right", "back", "left")
MIN_PLAYERS, MAX_PLAYERS = 1, 4
RING = 12
"""Polyominoes around the main board."""
MOST_STEPS = 4
"""The furthest that the crystal goes in a turn."""

LEVEL_TOKENS: dict[int, tuple[int, ...]] = {
    1: (10, 8, 6, 4),
    2: (10, 9, 8, 7, 6, 5, 4, 3),
    3: (12, 11, 10, 9, 8, 7, 6, 5, 4),
    4: (12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1),
}
"""By number of players, largest first: one for every level that can be filled."""

STRUCTURE_TOKENS: dict[int, tuple[int, ...]] = {1: (12,), 2: (12, 8), 3: (15, 12, 8), 4: (15, 12, 8, 5)}
"""By number of players, highest first."""

PROPHECIES: dict[int, tuple[int, ...]] = {
    1: (4, 6, 8, 10),
    2: (4, 5, 6, 7, 8, 9, 10, 12),
    3: (4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 10),
    4: (4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 12, 12),
}
"""By number of players: the values of the prophecy tokens."""

LEVEL_VALUES = tuple(sorted({value for values in LEVEL_TOKENS.values() for value in values}))
STRUCTURE_VALUES = tuple(sorted({value for values in STRUCTURE_TOKENS.values() for value in values}))
PROPHECY_VALUES = tuple(sorted({value for values in PROPHECIES.values() for value in values}))

STRUCTURE_CARDS: dict[str, tuple[tuple[int, int, int], ...]] = {
    "pillars": ((0, 0, 0), (0, 0, 1), (0, 0, 2), (3, 3, 0), (3, 3, 1), (3, 3, 2)),
    "gate": ((1, 0, 0), (1, 0, 1), (2, 0, 0), (2, 0, 1), (1, 3, 0), (1, 3, 1), (2, 3, 0), (2, 3, 1)),
    "steps": ((0, 0, 0), (0, 1, 0), (0, 1, 1), (0, 2, 0), (0, 2, 1), (0, 2, 2)),
    "core": ((1, 1, 0), (1, 2, 0), (2, 1, 0), (2, 2, 0), (1, 1, 1), (1, 2, 1), (2, 1, 1), (2, 2, 1)),
    "wall": ((0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0), (0, 0, 1), (1, 0, 1), (2, 0, 1), (3, 0, 1)),
    "corner": ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1), (0, 0, 2)),
}
"""Cells (row from the back, column from the left, level from 0) that must be filled, up to a quarter turn of the board."""


def tower_height(players: int) -> int:
    """How many levels a tower has: 4 with one or two players, else 3."""
    return 4 if players <= 2 else 3
