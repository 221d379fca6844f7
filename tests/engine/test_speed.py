"""How fast games are played, in processor time, so that a busy machine does not matter much."""

from time import process_time

from scanner.engine.obelisk.play import simulate


def test_fifty_greedy_games_of_four_a_second() -> None:
    list(simulate(4, seed=1000, games=3, kind="greedy"))
    begun = process_time()
    games = list(simulate(4, seed=0, games=40, kind="greedy"))
    assert all(game.final.over for game in games)
    assert len(games) / (process_time() - begun) >= 50
