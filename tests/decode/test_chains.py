"""Places filled in order, and numbers noted by circles."""

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from scanner.decode.chains import (
    GAP,
    STRANGE,
    likelihoods,
    read_chain,
    read_circle,
    read_height,
    read_number,
    tempered,
)
from scanner.reading.readings import CONTENT_CHARACTERS, SETTLED


def seen(**shares: float) -> NDArray[np.float32]:
    """Log-probabilities of a cell; `blank` and `unreadable` stand for "_" and "?"."""
    names = {"blank": "_", "unreadable": "?", "sun": "O", "star": "*", "pyramid": "^", "eye": "@", "lotus": "Y", "x": "x"}
    rest = (1 - sum(shares.values())) / (8 - len(shares))
    by_character = {names[name]: share for name, share in shares.items()}
    return np.log(np.array([by_character.get(c, rest) for c in CONTENT_CHARACTERS], np.float32))


SUN, STAR, NOTHING = seen(sun=0.999), seen(star=0.999), seen(blank=0.999)


def reads(*cells: NDArray[np.float32], symbols: str = "O*") -> str:
    return "".join(cell.read for cell in read_chain(cells, symbols))


def test_clear_cells_are_read_as_they_are() -> None:
    assert reads(SUN, STAR, STAR, NOTHING, NOTHING) == "O**__"
    assert reads(NOTHING, NOTHING) == "__"
    assert reads(SUN, SUN) == "OO"
    assert reads() == ""


def test_order_settles_weak_readings() -> None:
    faint = seen(blank=0.7, star=0.29)
    assert reads(SUN, faint, SUN, NOTHING) == "O*O_", "between two stones there is one"
    speck = seen(blank=0.6, star=0.39)
    assert reads(SUN, NOTHING, speck) == "O__", "beyond an empty place there is none"


def test_clear_gaps_stay_and_are_disputed() -> None:
    cells = read_chain([SUN, NOTHING, STAR, NOTHING], "O*")
    assert [cell.read for cell in cells] == ["O", "?", "*", "_"]
    assert [cell.disputed for cell in cells] == [False, True, False, False]


def test_symbols_that_stand_for_nobody_cannot_be_read() -> None:
    cells = read_chain([SUN, seen(lotus=0.999), seen(x=0.999), SUN], "O*")
    assert [cell.read for cell in cells] == ["O", "?", "?", "O"]
    assert all(cell.disputed == (cell.read == "?") for cell in cells)


def test_posteriors_add_up() -> None:
    rng = np.random.default_rng(4)
    for _ in range(20):
        logits = 3 * rng.standard_normal((6, 8))
        cells = np.asarray(logits - np.log(np.exp(logits).sum(-1, keepdims=True)), np.float32)
        for cell in read_chain(list(cells), "O*^@"):
            assert sum(cell.odds.values()) == pytest.approx(1)
            assert set(cell.odds) == set("O*^@_?")


def test_chains_agree_with_enumeration() -> None:
    """Posterior of "filled", against all lengths and all contents written out."""
    cells = [seen(sun=0.5, blank=0.4), seen(blank=0.6, star=0.3), seen(blank=0.8, sun=0.1)]
    likely = likelihoods(np.stack(cells))
    usual = {CONTENT_CHARACTERS.index(symbol): (1 - GAP - STRANGE) / 2 for symbol in "O*"}
    inside = {**dict.fromkeys(range(8), STRANGE), **usual, 0: GAP}
    weights = []
    for length in range(4):
        prior = 0.7**length * (0.3 if length < 3 else 1.0)
        written = sum(
            np.prod([likely[k, label] * inside[label] for k, label in enumerate(labels)])
            for labels in product(range(8), repeat=length)
        )
        weights.append(prior * written * np.prod(likely[length:, 0]))
    filled = [sum(weights[k + 1 :]) / sum(weights) for k in range(3)]
    found = read_chain(cells, "O*", stops=0.3)
    assert [1 - cell.odds["_"] for cell in found] == pytest.approx(filled)


@pytest.mark.parametrize(("pattern", "height"), [("", 0), ("x", 1), ("xxxx", 4), ("xO*", 3)])
def test_heights(pattern: str, height: int) -> None:
    cells = {"x": seen(x=0.999), "O": SUN, "*": STAR}
    tower = [cells[c] for c in pattern] + [NOTHING] * (6 - len(pattern))
    read, posterior, gap = read_height(tower)
    assert (read, gap) == (height, False)
    assert posterior[height] > 0.99
    assert sum(posterior.values()) == pytest.approx(1)


def test_a_gap_in_a_tower_leaves_two_heights_open() -> None:
    crossed = seen(x=0.999)
    read, posterior, gap = read_height([crossed, NOTHING, crossed, NOTHING])
    assert gap
    assert read == 2
    assert min(posterior[2], posterior[3]) > 0.2


def circles(*marked: int, most: int = 8) -> dict[int, float]:
    return {number: 7.0 if number in marked else -7.0 for number in range(1, most + 1)}


@pytest.mark.parametrize(("marked", "number"), [((), 0), ((1,), 1), ((5,), 5), ((1, 2, 3), 3), ((1, 2), 2)])
def test_numbers(marked: tuple[int, ...], number: int) -> None:
    posterior, clash = read_number(circles(*marked))
    assert not clash
    assert max(posterior, key=lambda n: posterior[n]) == number
    assert posterior[number] > 0.98


def test_two_circles_are_no_number() -> None:
    posterior, clash = read_number(circles(2, 6))
    assert clash
    assert posterior[2] == pytest.approx(posterior[6], rel=0.2)


def test_expected_numbers_settle_weak_circles() -> None:
    weak = circles() | {3: 0.3, 4: 0.3}
    posterior, _ = read_number(weak, {0: 0.01, 3: 0.98, 4: 0.01})
    assert max(posterior, key=lambda n: posterior[n]) == 3
    assert posterior[3] > 0.9


def test_circles() -> None:
    assert read_circle(11.0) == read_circle(9.0) > 0.99
    assert read_circle(0.0, 0.1) == pytest.approx(0.1)
    odds = [read_circle(step / 10) for step in range(-80, 81)]
    assert odds == sorted(odds)
    assert read_circle(SETTLED) == 1.0


def test_tens_are_not_noted_by_marking_all_up_to_them() -> None:
    faint = {10: 5.3, 20: 5.6, 30: 2.4}
    assert max(read_number(faint)[0].items(), key=lambda item: item[1])[0] == 30
    posterior, _ = read_number(faint, in_runs=False)
    assert posterior[30] < posterior[10] < posterior[20]


def test_a_place_of_a_tower_that_could_not_be_looked_at_is_open() -> None:
    covered = np.full(8, -np.log(8), np.float32)
    read, posterior, gap = read_height([seen(x=0.999), covered, NOTHING])
    assert read in (1, 2)
    assert not gap
    assert posterior[1] == pytest.approx(posterior[2], rel=0.05)


def test_readings_of_a_hard_sheet_are_taken_for_less_sure() -> None:
    sure, open_one = seen(star=0.995), seen(star=0.6, eye=0.35)
    easy = tempered({"a": np.stack([sure] * 20)[None], "b": np.stack([NOTHING] * 5)[None]})
    hard = tempered({"a": np.stack([sure] * 18 + [open_one] * 2)[None], "b": np.stack([NOTHING] * 5)[None]})
    star = CONTENT_CHARACTERS.index("*")
    assert np.exp(easy["a"][0, 0, star]) > 0.985
    assert np.exp(hard["a"][0, 0, star]) < 0.95
    assert np.exp(hard["a"]).sum(axis=-1) == pytest.approx(np.ones((1, 20)), abs=1e-5)
    assert tempered({"b": np.stack([NOTHING] * 5)[None]})["b"] == pytest.approx(np.stack([NOTHING] * 5)[None], abs=1e-5)


def test_a_crease_through_a_sheets_cells_builds_no_tower() -> None:
    """Cells that look a little like many things are no more inked when a sheet's readings are flattened."""
    faint, open_one = seen(blank=0.97, x=0.014), seen(blank=0.38, x=0.48)
    cells = [seen(x=0.9999), faint, faint, open_one, open_one, faint, NOTHING]
    for flattened in (1.0, 2.0):
        read, posterior, _ = read_height(cells, flattened)
        assert read == 1
        assert posterior[5] < posterior[1]
