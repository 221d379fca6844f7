"""One cell's reading, and what is asked about it."""

from collections.abc import Mapping

import pytest

from scanner.decode.cells import Judged, Sight, judge

SYMBOLS = "O*^@Y"


def spread(**known: float) -> dict[str, float]:
    """Shares of what a network tells apart, the rest spread over all others."""
    names = {"blank": "_", "sun": "O", "star": "*", "pyramid": "^", "eye": "@", "lotus": "Y", "x": "x", "other": "?"}
    shares = {names[name]: share for name, share in known.items()}
    rest = (1 - sum(shares.values())) / max(1, 8 - len(shares))
    return {character: shares.get(character, rest) for character in "_O*^@Yx?"}


def judged(
    alone: Mapping[str, float], rules: Mapping[str, float] | None = None, carved: str = "", *, whole: bool = True
) -> Judged:
    """A cell's judgement: `rules` default to the ink without '?', or to the `carved` symbol, of a group that is `whole`."""
    if carved:
        chances = {key: 0.9994 if key == carved else 0.0001 for key in "_O*^@Yx"}
    elif rules is None:
        known = {key: share for key, share in alone.items() if key != "?"}
        chances = {key: share / sum(known.values()) for key, share in known.items()}
    else:
        chances = {key: rules.get(key, 0.0) for key in "_O*^@Yx"}
    vouched = {key: float(key == (carved or "_")) for key in "_" + SYMBOLS}
    return judge(
        Sight(chances, alone, vouched, carved=bool(carved), whole=whole and bool(carved), covered=False, complete=True)
    )


def test_clear_ink_that_the_rules_explain_leaves_no_question() -> None:
    assert judged(spread(star=0.9995), carved="*") == Judged("*", 0.9994, {})


@pytest.mark.parametrize("whole", [True, False])
def test_a_group_that_looks_otherwise_elsewhere_vouches_for_less(whole: bool) -> None:
    ink = spread(star=0.99)
    rules = {"*": 0.995, "_": 0.005}
    found = judge(Sight(ink | rules, ink, {"*": 0.995, "_": 0.005}, carved=True, whole=whole, covered=False, complete=True))
    assert found.reading == "*"
    assert bool(found.alternatives) is not whole


@pytest.mark.parametrize(("likely", "asked"), [(0.36, True), (0.97, False)])
def test_a_symbol_that_nothing_explains_is_asked_about_unless_it_is_all_but_certain(likely: float, asked: bool) -> None:
    found = judged(
        spread(star=0.9996), rules={"*": likely, "x": 1 - likely} if likely < 0.5 else {"*": likely, "_": 1 - likely}
    )
    assert bool(found.alternatives) == asked


@pytest.mark.parametrize("drawn", ["star", "x"])
def test_confident_ink_stands_whatever_the_group_has_and_is_asked_about(drawn: str) -> None:
    shown = "*" if drawn == "star" else "x"
    found = judged(spread(**{drawn: 0.9992}), carved="O")
    assert found.reading == shown
    assert found.alternatives.keys() >= {shown, "O"}
    assert judged(spread(**{drawn: 0.98}), carved="O").reading == "O", "less certain ink may be misread"


@pytest.mark.parametrize("other", [0.6, 0.05])
@pytest.mark.parametrize("carved", [*SYMBOLS])
def test_ink_that_nobody_can_name_may_be_any_symbol(carved: str, other: float) -> None:
    """A filled pyramid, say, which no network was shown: the carved group's symbol is read, every other one is asked about."""
    found = judged(spread(other=other, x=0.98 - other, blank=0.0), carved=carved)
    assert found.reading == carved
    assert set(SYMBOLS) <= found.alternatives.keys()
    assert next(iter(found.alternatives)) == carved


def test_ink_that_nobody_can_name_is_not_taken_for_a_blank_without_asking_for_symbols() -> None:
    found = judged(spread(other=0.97, blank=0.0), rules={"_": 0.99, "x": 0.01})
    assert found.reading in "_?"
    assert set(SYMBOLS) <= found.alternatives.keys()


def test_a_symbol_that_looks_taken_back_shows_how_much_it_does() -> None:
    found = judged(spread(star=0.8, x=0.12, other=0.08), carved="*")
    assert found.reading == "*"
    assert found.probability > 0.99
    assert found.alternatives["x"] == pytest.approx(0.2)
    assert found.alternatives["*"] == pytest.approx(0.8)


def test_a_clean_blank_is_not_asked_about() -> None:
    found = judged(spread(blank=0.97, other=0.03, sun=0.0, star=0.0), rules={"_": 1.0})
    assert (found.reading, found.alternatives) == ("_", {})


def test_a_crossing_out_that_may_be_a_doodle_is_not_asked_about_as_neither_counts() -> None:
    assert not judged(spread(x=0.85, other=0.15, blank=0.0)).alternatives
    assert judged(spread(x=0.85, other=0.1, blank=0.05)).alternatives, "a blank counts in the tiebreak"


def test_nothing_is_shown_as_likelier_than_what_was_read_and_no_more_than_one_in_all() -> None:
    for found in (judged(spread(star=0.9992), carved="O"), judged(spread(star=0.5, x=0.4, other=0.1), carved="*")):
        shown = found.alternatives
        assert next(iter(shown)) == found.reading
        assert max(shown.values()) == shown[found.reading]
        assert sum(shown.values()) <= 1 + 1e-9
