"""Benchmarks of play: whole games of four, by kind of player; ordinary tests unless --benchmark-enable is given."""

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from scanner.engine.obelisk.play import PlayedGame, simulate
from scanner.engine.obelisk.players import KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_ten_games_of_four(kind: str, benchmark: BenchmarkFixture) -> None:
    def play() -> list[PlayedGame]:
        return list(simulate(4, seed=0, games=10, kind=kind))

    assert all(game.final.over for game in benchmark(play))
