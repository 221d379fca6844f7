"""Imhotep's points, against the seed's worked examples and plain recounts."""

from collections import Counter
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.engine import audit_state, score_state
from scanner.engine.imhotep.scoring import burial_areas, obelisk_points, pyramid_value, score_table, standings
from scanner.engine.imhotep.sites import BUILDINGS, COLOURS, OBELISK_POINTS, series_points
from scanner.engine.imhotep.state import parse_state

FOUR = list(COLOURS)


def table(**changes: Any) -> dict[str, Any]:
    return {"game": "imhotep", "players": FOUR} | changes


def points(state: dict[str, Any], part: str) -> dict[str, int]:
    return {player: score[part] for player, score in score_state(state)["players"].items()}


def test_obelisks_of_the_seed() -> None:
    """White 4 stones high, black and gray 3, brown none: 15, (10 + 5) / 2 rounded down for two, and nothing."""
    state = table(obelisks={"white": 4, "black": 3, "brown": 0, "gray": 3})
    assert points(state, "obelisks") == {"white": 15, "black": 7, "brown": 0, "gray": 7}


@pytest.mark.parametrize(
    ("heights", "expected"),
    [
        ({"a": 5, "b": 2}, [10, 1]),
        ({"a": 2, "b": 2}, [5, 5]),
        ({"a": 0, "b": 1}, [0, 10]),
        ({"a": 0, "b": 0}, [0, 0]),
        ({"a": 1, "b": 2, "c": 3}, [1, 6, 12]),
        ({"a": 1, "b": 1, "c": 1}, [6, 6, 6]),
        ({"a": 3, "b": 1, "c": 1}, [12, 3, 3]),
        ({"a": 2, "b": 2, "c": 1, "d": 1}, [12, 12, 3, 3]),
        ({"a": 2, "b": 2, "c": 2, "d": 9}, [5, 5, 5, 15]),
        ({"a": 1, "b": 1, "c": 1, "d": 1}, [7, 7, 7, 7]),
    ],
)
def test_obelisks_share_ranks_rounded_down(heights: dict[str, int], expected: list[int]) -> None:
    assert list(obelisk_points(heights).values()) == expected


@given(st.lists(st.integers(0, 12), min_size=2, max_size=4))
def test_obelisks_never_give_more_than_the_ranks(heights: list[int]) -> None:
    found = obelisk_points({str(seat): height for seat, height in enumerate(heights)})
    assert sum(found.values()) <= sum(OBELISK_POINTS[len(heights)])
    for (a, high), (b, low) in product(enumerate(heights), repeat=2):
        assert high < low or found[str(a)] >= found[str(b)]
        assert high != low or found[str(a)] == found[str(b)]
    assert all(bool(found[str(seat)]) == bool(height) for seat, height in enumerate(heights))


NAMES = {"w": "white", "k": "black", "b": "brown", "g": "gray", "?": "?"}


def stones(columns: str) -> list[str]:
    """Columns of the burial chamber, each from the top, separated by blanks."""
    return [NAMES[stone] for column in columns.split() for stone in column]


def test_burial_chamber_of_the_seed() -> None:
    """White an area of 2, black one of 1, brown one of 3 and one of 1, gray one of 6: 3; 1; 6 + 1; 17."""
    state = table(burial_chamber=stones("wwg bgg kgg bbg b"))
    assert points(state, "burial_chamber") == {"white": 3, "black": 1, "brown": 7, "gray": 17}


def test_diagonals_do_not_connect_and_unreadable_stones_separate() -> None:
    assert sorted(burial_areas(stones("wkw kwk"))) == sorted([("white", 1), ("black", 1)] * 3)
    assert burial_areas(stones("w?w")) == (("white", 1), ("white", 1))
    # The bottom of a column does not touch the top of the next one.
    assert sorted(burial_areas(stones("wwk kww"))) == [("black", 1), ("black", 1), ("white", 4)]


@given(st.lists(st.sampled_from(COLOURS), max_size=30))
def test_every_stone_lies_in_one_area(chamber: list[str]) -> None:
    sizes: Counter[str] = Counter()
    for colour, size in burial_areas(chamber):
        sizes[colour] += size
    assert sizes == Counter(chamber)


def test_series() -> None:
    assert [series_points(count) for count in range(9)] == [0, 1, 3, 6, 10, 15, 17, 19, 21]


def test_the_pyramid_pays_by_placing_order() -> None:
    assert [pyramid_value(place) for place in range(17)] == [2, 1, 3, 2, 4, 3, 2, 1, 3, 2, 3, 1, 3, 4, 1, 1, 1]
    state = table(pyramid=stones("wkb wkb wkb wk bg g wkb"))
    assert points(state, "pyramid") == {
        "white": 2 + 2 + 2 + 2 + 1,
        "black": 1 + 4 + 1 + 3 + 1,
        "brown": 3 * 3 + 1 + 1,
        "gray": 7,
    }


def test_the_temple_pays_every_round_for_what_is_on_top() -> None:
    rounds = [stones("wk"), stones("wkb"), stones("wkbgg"), stones("gkbgg"), stones("gkbgg"), stones("gw?gg")]
    state = table(temple=rounds, temple_stones=7)
    assert points(state, "temple") == {"white": 1 + 1 + 1 + 1, "black": 5, "brown": 4, "gray": 2 + 3 + 3 + 3}


def test_cards() -> None:
    state = table(
        pyramid=stones("wkb w"),
        temple_stones=14,
        burial_chamber=stones("wkb wkb wkb"),
        obelisks={"white": 4, "gray": 3},
        statues={"white": 6, "brown": 2},
        decorations={"white": ["pyramid", "temple"], "black": ["burial_chamber", "obelisks", "temple"]},
        blue_cards={"gray": 3},
    )
    assert points(state, "statues") == {"white": 17, "black": 0, "brown": 3, "gray": 0}
    assert points(state, "decorations") == {"white": 1 + 4, "black": 3 + 2 + 4, "brown": 0, "gray": 0}
    assert points(state, "blue_cards") == {"white": 0, "black": 0, "brown": 0, "gray": 3}


def test_totals_and_standings() -> None:
    state = parse_state(table(players=["white", "black", "gray"], statues={"white": 3, "gray": 3}, blue_cards={"black": 2}))
    scores = score_table(state)
    assert {player: score.total for player, score in scores.items()} == {"white": 6, "black": 2, "gray": 6}
    assert [(place.place, place.player, place.wins) for place in standings(scores)] == [
        (1, 0, True),
        (1, 2, True),
        (3, 1, False),
    ]


def rules_broken(state: dict[str, Any]) -> set[str]:
    return {line.rule for line in audit_state(state) if line.breach}


def test_the_audit_names_what_cannot_be() -> None:
    assert rules_broken(table()) == set()
    assert rules_broken(table(temple=[stones("wk"), stones("w")], temple_stones=2)) == {"temple spaces uncovered"}
    assert rules_broken(table(temple=[stones("wk")], temple_stones=3)) == {"stones in the temple"}
    assert rules_broken(table(temple=[stones("wkbgg")], temple_stones=4)) == {"stones in the temple"}
    assert rules_broken(table(temple=[stones("wkbgg")], temple_stones=40)) == set()
    # Three more stones cannot have changed the first and the fourth space.
    changed = [stones("wkbgg"), stones("kkbwg")]
    assert rules_broken(table(temple=changed, temple_stones=8)) == {"temple filled out of order"}
    assert rules_broken(table(temple=changed, temple_stones=9)) == set()
    assert rules_broken(table(statues={"white": 6, "black": 5})) == {"more statues than there are"}
    too_many = {player: ["temple"] for player in FOUR[:3]}
    assert rules_broken(table(decorations=too_many)) == {"more decorations than there are"}
    assert [line.where for line in audit_state(table(pyramid=["white", "?"]))] == ["pyramid stone 2"]


def test_every_building_has_its_decoration() -> None:
    assert BUILDINGS == ("pyramid", "temple", "burial_chamber", "obelisks")
