"""The twelve worker tiles, and how ticking turns them.

References: RULES section 1, "Workers". Which shapes a tile shows is this project's own decision: squares on ten of the 48
sides, all eight shapes, four different ones on every tile, no two tiles alike however turned.
"""

from typing import NamedTuple

WORKERS: tuple[tuple[str, str, str, str], ...] = (
    ("L4", "O4", "I3", "T4"),
    ("L4", "V3", "O4", "T4"),
    ("O4", "I3", "I2", "T4"),
    ("I2", "O4", "S4", "T4"),
    ("V3", "I2", "L4", "O4"),
    ("O4", "I3", "I4", "V3"),
    ("V3", "I2", "S4", "O4"),
    ("I3", "I4", "V3", "L4"),
    ("I4", "V3", "O4", "S4"),
    ("T4", "O4", "I2", "L4"),
    ("I2", "I3", "S4", "L4"),
    ("I4", "I3", "O4", "S4"),
)
"""The shapes at the top, right, bottom and left of each tile in its starting orientation."""


class Worker(NamedTuple):
    """A tile in the pool: its index in WORKERS, and how many steps it was turned clockwise, 0 to 3."""

    tile: int
    turned: int = 0

    @property
    def top(self) -> str:
        """The shape for the active player. One step clockwise brings the left side to the top."""
        return WORKERS[self.tile][-self.turned]

    @property
    def bottom(self) -> str:
        """The shape for all others."""
        return WORKERS[self.tile][2 - self.turned]

    def ticked(self) -> "Worker":
        """Turned one step clockwise."""
        return Worker(self.tile, (self.turned + 1) % 4)
