"""Simulated games: every player's final state with its score, as JSON or as standings."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from scanner.engine import audit_state, score_state
from scanner.engine.obelisk.actions import action_to_dict
from scanner.engine.obelisk.play import simulate
from scanner.engine.obelisk.scoring import standings
from scanner.result import SCHEMA, AuditLine, ScoredState, freeze, pretty_json


class SimulatedGame(msgspec.Struct, frozen=True):
    """A game by its seed, and its actions where they were asked for."""

    game: str
    players: int
    seed: int
    moves: tuple[dict[str, Any], ...] | msgspec.UnsetType = msgspec.UNSET


class _Document(msgspec.Struct, frozen=True):
    schema: str
    games: tuple[SimulatedGame, ...]
    states: tuple[ScoredState, ...]


Played = tuple[SimulatedGame, tuple[ScoredState, ...]]
"""A game, and its players' final states with their scores, by seat."""


def play(game: str, players: int, seed: int, games: int, with_moves: bool) -> Iterator[Played]:
    """Play `games` games of `players` players from `seed` on, one by one."""
    for played in simulate(players, seed, games):
        states = tuple(
            ScoredState(
                file=f"seed {played.record.seed} seat {seat}",
                state=freeze(state),
                score=freeze(score_state(state)),
                audit=tuple(AuditLine.of(line) for line in audit_state(state)),
            )
            for seat, state in enumerate(played.states(), start=1)
        )
        moves = tuple(map(action_to_dict, played.record.actions)) if with_moves else msgspec.UNSET
        yield SimulatedGame(game, players, played.record.seed, moves), states


def simulation_json(games: Iterable[Played]) -> str:
    """The JSON document of `simulate --json`: the games, and under `states` all final states, in the form of `score --json`."""
    played = list(games)
    states = tuple(state for _, of_game in played for state in of_game)
    return pretty_json(_Document(SCHEMA, tuple(game for game, _ in played), states))


def print_game(console: Console, played: Played) -> None:
    """The final standings of one game."""
    game, states = played
    scores = [state.score for state in states if state.score is not None]
    table = Table(title=f"Game with seed {game.seed}", title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    for heading in ("place", "seat", "columns", "rows", "levels", "scrolls", "total", "empty spaces"):
        table.add_column(heading, justify="right")
    for place in standings(scores):
        parts = [str(sum(scores[place.player][part])) for part in ("columns", "rows", "levels", "scrolls")]
        table.add_row(
            str(place.place), str(place.player + 1), *parts, str(place.total), str(place.empty_spaces),
            style="bold green" if place.wins else "",
        )  # fmt: skip
    console.print(table)
