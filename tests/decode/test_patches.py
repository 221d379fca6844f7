"""Blocks seldom stand alone in their colour; ink that is clear stands all the same."""

from collections.abc import Mapping

import pytest

from scanner.decode.chains import BLANK, Cell
from scanner.decode.patches import Place, beside_neighbours

MIDDLE: Place = (1, 1, 1)
AROUND: tuple[Place, ...] = ((0, 1, 1), (2, 1, 1), (1, 0, 1), (1, 2, 1), (1, 1, 0), (1, 1, 2))


def cell(**odds: float) -> Cell:
    found = {{"sun": "O", "star": "*", "eye": "@", "blank": BLANK}[name]: share for name, share in odds.items()}
    return Cell(found, max(found, key=lambda reading: found[reading]), False)


def middle(own: Cell, around: Mapping[Place, Cell], ink: tuple[str, float]) -> Cell:
    inks = {place: (near.read, 0.99) for place, near in around.items()} | {MIDDLE: ink}
    return beside_neighbours({**around, MIDDLE: own}, inks)[MIDDLE]


def test_neighbours_settle_an_open_block() -> None:
    stars = {place: cell(star=0.99, sun=0.01) for place in AROUND[:3]}
    suns = {place: cell(sun=0.99, star=0.01) for place in AROUND[3:4]}
    found = middle(cell(sun=0.5, star=0.45, blank=0.05), stars | suns, ("O", 0.6))
    assert found.read == "*"
    assert found.odds["*"] > 0.7
    assert found.odds[BLANK] == pytest.approx(0.05), "whether a block stands here is not the neighbours' matter"
    assert sum(found.odds.values()) == pytest.approx(1.0)


def test_clear_ink_is_kept_and_asked_about() -> None:
    stars = {place: cell(star=0.999, sun=0.001) for place in AROUND}
    found = middle(cell(sun=0.955, star=0.045), stars, ("O", 0.96))
    assert found.read == "O"
    assert found.disputed
    certain = middle(cell(sun=0.9999, star=0.0001), stars, ("O", 0.9999))
    assert (certain.read, certain.disputed) == ("O", False)


def test_a_block_without_neighbours_reads_as_it_looks() -> None:
    own = cell(sun=0.6, eye=0.4)
    assert middle(own, {}, ("O", 0.6)).odds["O"] == pytest.approx(0.6)
