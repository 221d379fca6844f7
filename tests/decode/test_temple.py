"""The temple's rounds, read together."""

import numpy as np
import pytest
from numpy.typing import NDArray

from scanner.decode.temple import Temple, read_temple
from scanner.engine.imhotep.play import random_states
from scanner.engine.imhotep.sites import temple_spaces
from scanner.reading.readings import CONTENT_CHARACTERS
from scanner.sheet.imhotep_places import SYMBOL_OF

Cells = list[list[NDArray[np.float32]]]
ANY_COUNT = dict.fromkeys(range(40), 1 / 40)


def cell(character: str, certainty: float = 0.999, instead: str = "") -> NDArray[np.float32]:
    shares = np.full(8, (1 - certainty) / 7)
    shares[CONTENT_CHARACTERS.index(character)] = certainty
    if instead:
        shares[CONTENT_CHARACTERS.index(instead)] = 0.98 - certainty
    return np.asarray(np.log(shares / shares.sum()), np.float32)


def clear(*rounds: str) -> Cells:
    return [[cell(character) for character in row] for row in rounds]


def shown(temple: Temple | None) -> list[str]:
    assert temple is not None
    return ["".join(cell.read for cell in cells) for cells in temple.cells]


ROUNDS = ("O*___", "O*O__", "O*O*^", "^*O*^", "^*O*^", "^OO*^")


def test_clear_rounds_are_read_as_they_are() -> None:
    temple = read_temple(clear(*ROUNDS), "O*^", ANY_COUNT)
    assert shown(temple) == list(ROUNDS)
    assert temple is not None
    assert not any(cell.disputed for cells in temple.cells for cell in cells)
    assert all(sum(cell.odds.values()) == pytest.approx(1) for cells in temple.cells for cell in cells)
    assert sum(temple.counts.get(n, 0) for n in range(7, 20)) > 0.98, "the seventh stone lies on the second space"


def test_a_stone_is_known_from_the_other_rounds() -> None:
    rounds = clear(*ROUNDS)
    rounds[3][3] = cell("O", 0.6, "*")
    assert shown(read_temple(rounds, "O*^", ANY_COUNT)) == list(ROUNDS)


def test_spaces_stay_covered() -> None:
    rounds = clear(*ROUNDS)
    rounds[4][2] = cell("_", 0.7, "O")
    assert shown(read_temple(rounds, "O*^", ANY_COUNT)) == list(ROUNDS)


def test_unplayed_rounds_stay_empty() -> None:
    rounds = clear("O*___", "O*O__", *["_____"] * 4)
    temple = read_temple(rounds, "O*", ANY_COUNT)
    assert shown(temple) == ["O*___", "O*O__", *["_____"] * 4]
    assert temple is not None
    assert temple.counts[3] > 0.99


def test_clear_ink_wins_and_is_disputed() -> None:
    rounds = clear(*ROUNDS)
    rounds[3][3] = cell("^")  # noted wrongly once
    temple = read_temple(rounds, "O*^", ANY_COUNT)
    assert temple is not None
    assert (temple.cells[3][3].read, temple.cells[3][3].disputed) == ("^", True)
    assert temple.cells[3][2].read == "O"


def test_rounds_that_do_not_follow_are_left_to_themselves() -> None:
    assert read_temple(clear("OO^*^", "*_O__", "O*O*^", "___^_", "^****", "O_O_O"), "O*^", ANY_COUNT) is None


def test_played_temples_under_noise() -> None:
    """Fewer cells are wrong than by each cell's own reading."""
    rng = np.random.default_rng(2)
    states = random_states(rng)
    alone = together = 0
    for _ in range(10):
        state = next(states)
        spaces = temple_spaces(len(state["players"]))
        symbols = "".join(SYMBOL_OF[player] for player in state["players"])
        truth = ["".join(SYMBOL_OF[owner] for owner in tops).ljust(spaces, "_") for tops in state["temple"]]
        rounds: Cells = []
        for row in truth:
            logits = np.array([[3.0 * (c == label) for label in CONTENT_CHARACTERS] for c in row])
            logits = 3.0 * (logits + rng.standard_normal(logits.shape))
            logits -= np.log(np.exp(logits).sum(-1, keepdims=True))
            rounds.append(list(logits.astype(np.float32)))
            alone += sum(CONTENT_CHARACTERS[int(c.argmax())] != t for c, t in zip(rounds[-1], row, strict=True))
        temple = read_temple(rounds, symbols, ANY_COUNT)
        if temple is not None:
            together += sum(
                a != b for row, true in zip(shown(temple), truth, strict=True) for a, b in zip(row, true, strict=True)
            )
    assert alone >= 5
    assert together <= alone / 2
