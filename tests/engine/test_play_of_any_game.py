"""The loop that all games share, on a game of counting."""

from typing import NamedTuple

import pytest

from scanner.engine.play import play_out, replay, seated


class Count(NamedTuple):
    """Two players add in turn until 5 is reached."""

    sum: int = 0
    to_move: int = 0

    @property
    def over(self) -> bool:
        return self.sum >= 5


def add(position: Count, number: int) -> Count:
    return Count(position.sum + number, 1 - position.to_move)


def test_players_choose_in_turn_until_the_end() -> None:
    final, actions = play_out(Count(), add, [lambda _: 1, lambda position: position.sum])
    assert (final, actions) == (Count(6, 0), (1, 1, 1, 3))


def test_a_finished_game_is_left_alone() -> None:
    assert play_out(Count(7), add, []) == (Count(7), ())


def test_replaying() -> None:
    assert replay(Count(), add, (1, 1)) == Count(2, 0)
    assert replay(Count(3, 1), add, ()) == Count(3, 1)


def test_who_sits_where() -> None:
    known = ("cat", "dog")
    assert seated("dog", 3, known) == ("dog", "dog", "dog")
    assert seated(["dog", "cat"], 2, known) == ("dog", "cat")
    with pytest.raises(ValueError, match="no player 'cow'; choose from cat, dog"):
        seated(["cow", "cat"], 2, known)
    with pytest.raises(ValueError, match="3 players cannot be of 2 kinds"):
        seated(["dog", "cat"], 3, known)
