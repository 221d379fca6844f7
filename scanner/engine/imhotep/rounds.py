"""Setup data of a game: ships, stones, the market.

References: RULES section 2 knows six rounds and ships of stones. How many ships of which size sail in a round, the stones of
a player and the limits of sled and quarry are not part of the sources: the numbers here are this project's own.
"""

SHIPS: dict[int, tuple[tuple[int, ...], ...]] = {
    2: ((4, 3, 2, 1), (3, 3, 2, 1), (4, 2, 2, 1), (3, 2, 2, 1), (4, 3, 1, 1), (3, 3, 2, 2), (2, 2, 2, 2)),
    3: ((4, 3, 2, 2), (3, 3, 3, 2), (4, 3, 3, 1), (4, 4, 2, 1), (3, 3, 2, 2), (4, 3, 2, 1), (3, 3, 2, 1)),
    4: ((4, 4, 3, 2), (4, 3, 3, 2), (3, 3, 3, 3), (4, 4, 2, 2), (4, 3, 3, 3), (4, 4, 3, 1), (4, 3, 2, 2)),
}
"""By number of players: the ships' sizes of each round card, of which six are drawn."""

LEAST_LOAD = {1: 1, 2: 1, 3: 2, 4: 3}
"""By size: how many stones a ship must carry to sail."""
STONES_A_PLAYER = 30
QUARRY_TAKES = 3
"""Stones that one action takes from the quarry."""
SLED = 5
"""Stones that a player's sled holds."""
FACE_UP = 4
"""Market cards on offer at the start of a round."""


def first_sled(seat: int) -> int:
    """Stones on the sled of the player in `seat` (from 0) at the start: 2 to 5 in turn order."""
    return 2 + seat
