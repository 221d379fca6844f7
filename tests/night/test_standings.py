"""Places when readings are open, held against trying everything out."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from scanner.engine.obelisk.scoring import standings as plain_standings
from scanner.night.ledger import SheetKey
from scanner.night.sheets import NightSheet
from scanner.night.standings import Contender, contenders, standings, verdict
from tests.handmade import doubt, sheet
from tests.night.sightings import sighting, written

TOTALS = st.tuples(st.integers(0, 12), st.integers(0, 4))


def contender(seat: int, options: list[tuple[int, int]]) -> Contender:
    """Somebody with these possible totals and empty spaces, the first as read."""
    total, empty = options[0]
    return Contender(
        seat - 1, seat, None, (total, -empty),
        (min(t for t, _ in options), -max(e for _, e in options)),
        (max(t for t, _ in options), -min(e for _, e in options)),
    )  # fmt: skip


@given(st.lists(st.lists(TOTALS, min_size=1, max_size=3), min_size=1, max_size=4))
def test_no_outcome_is_outside_what_is_said(options: list[list[tuple[int, int]]]) -> None:
    places = {place.contender.seat: place for place in standings([contender(s, o) for s, o in enumerate(options, 1)])}
    for outcome in product(*options):
        for one in plain_standings([{"total": total, "empty_spaces": empty} for total, empty in outcome]):
            said = places[one.player + 1]
            assert said.between[0] <= one.place <= said.between[1]
            assert said.may_win or not one.wins
            assert one.wins or not said.wins


@given(st.lists(TOTALS, min_size=1, max_size=5))
def test_without_doubts_the_places_are_the_rules(totals: list[tuple[int, int]]) -> None:
    found = standings([contender(seat, [total]) for seat, total in enumerate(totals, 1)])
    expected = plain_standings([{"total": total, "empty_spaces": empty} for total, empty in totals])
    assert [(one.place, one.contender.seat, one.wins) for one in found] == [(e.place, e.player + 1, e.wins) for e in expected]
    assert all(one.between == (one.place, one.place) and one.may_win == one.wins for one in found)


def said(*options: list[tuple[int, int]]) -> str:
    places = standings([contender(seat, one) for seat, one in enumerate(options, 1)])
    return verdict(places, [f"seat {place.contender.seat}" for place in places])


def test_what_is_said() -> None:
    assert said([(50, 3)], [(40, 3)]) == "seat 1 wins."
    assert said([(50, 3)], [(50, 2)]) == ("seat 2 wins: as many points as seat 1, but fewer empty spaces, 2 against 3.")
    assert said([(50, 3)], [(50, 3)], [(9, 9)]) == "seat 1 and seat 2 share the win."
    assert said([(50, 3), (44, 3)], [(30, 0)], [(48, 3)]) == "seat 1 or seat 3 wins: open readings decide."
    assert said([(50, 3)], [(48, 3), (50, 3)]) == "seat 1 wins, perhaps with seat 2."
    assert said([(50, 3)]) == "Only seat 1 was seen, with 50 points."
    assert said([(50, 3), (46, 3)]) == "Only seat 1 was seen, with 46 to 50 points."


def test_open_cells_leave_empty_spaces_open() -> None:
    result = sheet(review=(doubt(read="@", other="_", totals=(51, 56)),), bounds=(51, 56), empty_spaces=37)
    record = written()
    open_sheet = NightSheet(SheetKey("obelisk", 2, 8001), result, record.readings.readings(), (sighting(record),))
    (one,) = contenders(open_sheet, 0)
    assert (one.key, one.worst, one.best) == ((56, -37), (51, -38), (56, -37))
