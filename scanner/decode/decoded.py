"""What decoding a sheet gives: the state, what is open about it, and which rules the paper breaks."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

DOUBT_BOUND: Final = 0.01
"""Readings with a greater posterior probability of being wrong are doubts."""

ALTERNATIVE_BOUND: Final = 0.002
"""Alternatives less probable than this are not listed."""

CONFIDENT_INK: Final = 0.95
"""A place that looks so certain for itself is a doubt whenever the rules make something else of it."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A reading that needs a person's look.

    where: e.g. "obelisk r3 c2" (row and column counted from 1, rows from the top as seen on paper), "scroll1 r1 c2",
        "level2 mark 5", "scroll1 points", "scroll1 used".
    alternatives: reading -> posterior probability, most probable first; includes `read`.
    changes_total_to: the totals that the alternatives would give, ascending, the present one included.
    """

    where: str
    read: str
    confidence: float
    alternatives: dict[str, float]
    changes_total_to: list[int]


@dataclass(frozen=True, slots=True)
class AuditLine:
    """A rule that the sheet as written breaks, or points that were forgotten, in the game's words."""

    rule: str
    where: str
    message: str


@dataclass(frozen=True, slots=True)
class Decoded:
    """state: the game's state in the contract's form (JSON-ready keys and values). score: the contract's score of it.
    bounds: lowest and highest total that the doubts allow. confidence: place, named as in `Doubt` -> posterior probability of
    what the state has there, wherever the decoder knows one; blank and not built count as the same. as_built: the state with
    crossed-out cells of shapes as built ones, which a state cannot be written with, or None if there are none."""

    state: dict[str, Any]
    score: dict[str, Any]
    bounds: tuple[int, int]
    doubts: tuple[Doubt, ...] = ()
    audit: tuple[AuditLine, ...] = field(default=())
    confidence: Mapping[str, float] = field(default_factory=dict)
    as_built: dict[str, Any] | None = None

    @property
    def audited(self) -> dict[str, Any]:
        """The state that audits are to look at."""
        return self.as_built or self.state
