"""Simulated games: every player's final state with its score, as JSON or as standings."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from scanner.engine import audit_state, score_state
from scanner.engine.obelisk.actions import action_to_dict
from scanner.engine.obelisk.play import simulate
from scanner.engine.obelisk.scoring import standings
from scanner.engine.standings import by_points
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
"""A game, and its final states with their scores: one a player by seat, or one for the table."""


class _Finished(Protocol):
    """What every game's `simulate` gives."""

    def states(self) -> list[dict[str, Any]]: ...


class _Simulator(NamedTuple):
    """most, least: players at a table. simulate: (players, seed, games) -> finished games. moves: a finished game's actions."""

    least: int
    most: int
    simulate: Callable[[int, int, int], Iterable[_Finished]]
    moves: Callable[[Any], tuple[dict[str, Any], ...]]


def _simulator(game: str) -> _Simulator:
    if game == "imhotep":
        from scanner.engine.imhotep import play as imhotep

        return _Simulator(2, 4, imhotep.simulate, lambda played: tuple(map(_as_dict, played.actions)))
    if game == "monolyth":
        from scanner.engine.monolyth import play as monolyth

        return _Simulator(1, 4, monolyth.simulate, lambda played: tuple(map(_as_dict, played.actions)))
    return _Simulator(1, 8, simulate, lambda played: tuple(map(action_to_dict, played.record.actions)))


def players_at(game: str) -> tuple[int, int]:
    """The least and the most players of a game."""
    simulator = _simulator(game)
    return simulator.least, simulator.most


def _as_dict(action: Any) -> dict[str, Any]:
    """An action, a named tuple, as {its name: its fields}; actions and cards within it likewise."""

    def plain(value: Any) -> Any:
        if hasattr(value, "_asdict"):
            return _as_dict(value)
        return [plain(item) for item in value] if isinstance(value, tuple) else value

    return {type(action).__name__.lower(): {name: plain(value) for name, value in action._asdict().items()}}


def play(game: str, players: int, seed: int, games: int, with_moves: bool) -> Iterator[Played]:
    """Play `games` games of `players` players from `seed` on, one by one."""
    simulator = _simulator(game)
    for number, played in enumerate(simulator.simulate(players, seed, games), seed):
        found = played.states()
        states = tuple(
            ScoredState(
                file=f"seed {number} seat {seat}" if len(found) == players else f"seed {number}",
                state=freeze(state),
                score=freeze(score_state(state)),
                audit=tuple(AuditLine.of(line) for line in audit_state(state)),
            )
            for seat, state in enumerate(found, start=1)
        )
        moves = simulator.moves(played) if with_moves else msgspec.UNSET
        yield SimulatedGame(game, players, number, moves), states


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
    if game.game == "obelisk":
        _obelisk_rows(table, scores)
    else:
        _rows_of_any_game(table, scores)
    console.print(table)


def _obelisk_rows(table: Table, scores: Sequence[Mapping[str, Any]]) -> None:
    for heading in ("place", "seat", "columns", "rows", "levels", "scrolls", "total", "empty spaces"):
        table.add_column(heading, justify="right")
    for place in standings(scores):
        parts = [str(sum(scores[place.player][part])) for part in ("columns", "rows", "levels", "scrolls")]
        table.add_row(
            str(place.place), str(place.player + 1), *parts, str(place.total), str(place.empty_spaces),
            style="bold green" if place.wins else "",
        )  # fmt: skip


def _rows_of_any_game(table: Table, scores: Sequence[Mapping[str, Any]]) -> None:
    """A row a player, whether they share a sheet or have one each."""
    if "players" in scores[0]:
        players = dict(scores[0]["players"])
    else:
        players = {f"seat {seat}": score for seat, score in enumerate(scores, 1)}
    names = list(players)
    parts = [part for part in players[names[0]] if part != "total"]
    for heading in ("place", "player", *(part.replace("_", " ") for part in parts), "total"):
        table.add_column(heading, justify="left" if heading == "player" else "right")
    for place in by_points([players[name]["total"] for name in names]):
        points = players[names[place.player]]
        values = [sum(value.values()) if isinstance(value, Mapping) else value for value in (points[part] for part in parts)]
        table.add_row(
            str(place.place), names[place.player], *map(str, values), str(place.total),
            style="bold green" if place.wins else "",
        )  # fmt: skip
