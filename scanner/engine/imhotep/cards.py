"""The market cards: four kinds, told apart by their colour.

References: RULES section 2, "Market". What each card does is public rules data; how many there are of each is not part of the
sources, so the numbers here are this project's own.
"""

from typing import Literal, NamedTuple

from scanner.engine.imhotep.sites import BUILDINGS, BURIAL_CHAMBER, PYRAMID, TEMPLE

Kind = Literal["red", "blue", "purple", "green"]


class Card(NamedTuple):
    """A market card. red: played at once, a stone from the quarry goes straight to `site`. blue: played once as a later
    action. purple: a statue. green: the decoration of `site`."""

    name: str
    kind: Kind
    site: str = ""


PAVED_PATH = Card("paved path", "red", PYRAMID)
ENTRANCE = Card("entrance", "red", TEMPLE)
SARCOPHAGUS = Card("sarcophagus", "red", BURIAL_CHAMBER)
CHISEL = Card("chisel", "blue")
"""Load two stones, on one ship or two."""
HAMMER = Card("hammer", "blue")
"""Take stones from the quarry, then load one."""
SAIL = Card("sail", "blue")
"""Load one stone, then sail that ship."""
LEVER = Card("lever", "blue")
"""Sail a ship and choose the order in which it is unloaded."""
STATUE = Card("statue", "purple")
DECORATIONS = {site: Card(f"{site.replace('_', ' ')} decoration", "green", site) for site in BUILDINGS}

COPIES: dict[Card, int] = {
    PAVED_PATH: 2,
    ENTRANCE: 2,
    SARCOPHAGUS: 2,
    CHISEL: 3,
    HAMMER: 2,
    SAIL: 3,
    LEVER: 2,
    STATUE: 10,
    **dict.fromkeys(DECORATIONS.values(), 2),
}
"""How many there are of each card (this project's own numbers)."""

STATUES = COPIES[STATUE]
BLUE_CARDS = sum(copies for card, copies in COPIES.items() if card.kind == "blue")
DECORATIONS_A_SITE = COPIES[DECORATIONS[PYRAMID]]
DECK = tuple(card for card, copies in COPIES.items() for _ in range(copies))
