"""Whether confidence means something: of the readings given so much of it, how many are right."""

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

LEVELS: Final = (0.0, 0.5, 0.9, 0.99, 0.999)
"""The least confidence of each group of readings; the last group ends at certainty."""


class Confident(msgspec.Struct, frozen=True):
    """Readings of one group: how many there are, how many of them are right, and how many should be (the sum of their
    confidences)."""

    of: int = 0
    right: int = 0
    expected: float = 0.0

    def __add__(self, other: "Confident") -> "Confident":
        return Confident(self.of + other.of, self.right + other.right, self.expected + other.expected)


Reliability = tuple[Confident, ...]
"""One entry a group of LEVELS."""

NOTHING: Final[Reliability] = (Confident(),) * len(LEVELS)


def measure(readings: Iterable[tuple[str, bool]], confidence: Mapping[str, float]) -> Reliability:
    """readings: places and whether they were read right; confidence: place -> the probability that its reading is. Places
    without one are left out."""
    groups = list(NOTHING)
    for where, right in readings:
        if where in confidence:
            given = confidence[where]
            group = max(index for index, least in enumerate(LEVELS) if given >= least)
            groups[group] += Confident(1, int(right), given)
    return tuple(groups)


def together(parts: Iterable[Reliability]) -> Reliability:
    """The sum, group by group."""
    total = NOTHING
    for part in parts:
        total = tuple(a + b for a, b in zip(total, part, strict=True))
    return total
