"""The five sites and their points.

References: RULES section 2, and the seed on the five sites. The pyramid's values, the statues' and the decorations' points
are public rules data; the seed shows them in pictures only.
"""

GAME = "imhotep"
MARKET, PYRAMID, TEMPLE, BURIAL_CHAMBER, OBELISKS = "market", "pyramid", "temple", "burial_chamber", "obelisks"
SITES = (MARKET, PYRAMID, TEMPLE, BURIAL_CHAMBER, OBELISKS)
BUILDINGS = SITES[1:]
"""The sites where stones stay; each has its decoration."""

COLOURS = ("white", "black", "brown", "gray")
"""The stones' colours, in the order in which this project seats them."""
MIN_PLAYERS, MAX_PLAYERS = 2, 4
ROUNDS = 6
UNREADABLE = "?"
"""Stands for a stone whose colour could not be read, or for a space left out: it keeps its place and scores for nobody."""

PYRAMID_VALUES = (2, 1, 3, 2, 4, 3, 2, 1, 3, 2, 3, 1, 3, 4)
"""By placing order: the first level of 3 x 3 column by column from the top left, the second of 2 x 2, the third of one."""
FURTHER_STONE = 1
"""Every stone beside the finished pyramid."""

BURIAL_ROWS = 3
OBELISK_POINTS = {2: (10, 1), 3: (12, 6, 1), 4: (15, 10, 5, 1)}
"""By number of players: the points of the highest obelisk, the second ..."""
STONES_A_DECORATION_POINT = 3
BLUE_CARD_POINTS = 1
_SERIES = (0, 1, 3, 6, 10, 15)
_SERIES_STEP = 2


def series_points(count: int) -> int:
    """Points of an area of the burial chamber with `count` stones, or of `count` statues: 1/3/6/10/15, then 2 more each."""
    longest = len(_SERIES) - 1
    return _SERIES[min(count, longest)] + _SERIES_STEP * max(0, count - longest)


def temple_spaces(players: int) -> int:
    """How many spaces the temple has."""
    return 4 if players == MIN_PLAYERS else 5
