"""Simulated games: every player's final state with its score, as JSON or as standings."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import mean, median
from typing import Any, NamedTuple, Protocol, TextIO

import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from scanner.engine import audit_state, score_state
from scanner.engine.obelisk.scoring import standings
from scanner.engine.play import RECORD_SCHEMA, seated
from scanner.engine.standings import by_points
from scanner.result import SCHEMA, AuditLine, ScoredState, freeze, pretty_json

_PARTS_BESIDE = 5
"""A game's parts that fit beside each other."""

USUAL_PLAYERS = 4
USUAL_KIND = "greedy"


class SimulatedGame(msgspec.Struct, frozen=True):
    """A game by its seed and its players' kinds by seat; how many turns it took; its actions where they were asked for."""

    game: str
    players: int
    seed: int
    kinds: tuple[str, ...]
    turns: int
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
    """least, most: players at a table. kinds: how a player may play. simulate: (players, seed, games, kinds) -> finished games.
    moves: a finished game's actions. turns: how many turns it took."""

    least: int
    most: int
    kinds: tuple[str, ...]
    simulate: Callable[[int, int, int, Sequence[str]], Iterable[_Finished]]
    moves: Callable[[Any], tuple[dict[str, Any], ...]]
    turns: Callable[[Any], int]


def _simulator(game: str) -> _Simulator:
    # Imported here: only one of the games is played.
    if game == "imhotep":
        from scanner.engine.imhotep import play as imhotep

        return _Simulator(2, 4, tuple(imhotep.KINDS), imhotep.simulate, _actions, lambda played: len(played.actions))
    if game == "monolyth":
        from scanner.engine.monolyth import play as monolyth

        return _Simulator(1, 4, tuple(monolyth.KINDS), monolyth.simulate, _actions, lambda played: len(played.actions))
    from scanner.engine.obelisk import play as obelisk
    from scanner.engine.obelisk.actions import action_to_dict
    from scanner.engine.obelisk.players import KINDS

    return _Simulator(
        1,
        8,
        tuple(KINDS),
        obelisk.simulate,
        lambda played: tuple(map(action_to_dict, played.record.actions)),
        lambda played: played.final.round * played.final.players,
    )


def seating(game: str, players: int | None, kind: str | None, kinds: str | None) -> tuple[str, ...]:
    """The players' kinds by seat: `kind` for all, or `kinds`, one a seat between commas; else all are greedy. `players` is
    their number, if it is given. ValueError, for people, for what does not fit the game or each other."""
    simulator = _simulator(game)
    if kind is not None and kinds is not None:
        raise ValueError("give --kind for all players or --kinds by seat, not both")
    by_seat = None if kinds is None else [name.strip() for name in kinds.split(",")]
    count = players if players is not None else len(by_seat) if by_seat is not None else USUAL_PLAYERS
    for name in by_seat or [kind or USUAL_KIND]:
        if name not in simulator.kinds:
            raise ValueError(f"{game} has no player {name!r}; choose from {', '.join(simulator.kinds)}")
    if not simulator.least <= count <= simulator.most:
        raise ValueError(f"{game} has {simulator.least} to {simulator.most} players, not {count}")
    if by_seat is not None and len(by_seat) != count:
        raise ValueError(f"--kinds names {len(by_seat)} players, --players {count}")
    return seated(by_seat or kind or USUAL_KIND, count, simulator.kinds)


def _actions(played: Any) -> tuple[dict[str, Any], ...]:
    return tuple(map(_as_dict, played.actions))


def _as_dict(action: Any) -> dict[str, Any]:
    """An action, a named tuple, as {its name: its fields}; actions and cards within it likewise."""

    def plain(value: Any) -> Any:
        if hasattr(value, "_asdict"):
            return _as_dict(value)
        return [plain(item) for item in value] if isinstance(value, tuple) else value

    return {type(action).__name__.lower(): {name: plain(value) for name, value in action._asdict().items()}}


def play(game: str, kinds: Sequence[str], seed: int, games: int, with_moves: bool) -> Iterator[Played]:
    """Play `games` games from `seed` on, one by one, between players of these kinds by seat."""
    simulator, players = _simulator(game), len(kinds)
    for number, played in enumerate(simulator.simulate(players, seed, games, kinds), seed):
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
        yield SimulatedGame(game, players, number, tuple(kinds), simulator.turns(played), moves), states


def simulation_json(games: Iterable[Played]) -> str:
    """The JSON document of `simulate --json`: the games, and under `states` all final states, in the form of `score --json`."""
    played = list(games)
    states = tuple(state for _, of_game in played for state in of_game)
    return pretty_json(_Document(SCHEMA, tuple(game for game, _ in played), states))


def record_lines(game: SimulatedGame) -> Iterator[str]:
    """The game's record as JSON Lines: the header, and its actions as far as they were asked for."""
    header = {"schema": RECORD_SCHEMA, "game": game.game, "players": game.players, "seed": game.seed}
    for line in (header, *(game.moves or ())):
        yield msgspec.json.encode(line).decode()


class _Seat(NamedTuple):
    """A player's end of a game. `parts` are the points by their names."""

    name: str
    kind: str
    place: int
    wins: bool
    parts: Mapping[str, int]
    total: int


def _seats(played: Played) -> list[_Seat]:
    """The players' ends, best first, whether they share a sheet or have one each."""
    game, states = played
    scores: list[Mapping[str, Any]] = [state.score for state in states if state.score is not None]
    if "players" in scores[0]:
        names, scores = list(scores[0]["players"]), list(scores[0]["players"].values())
    else:
        names = [f"seat {seat}" for seat in range(1, len(scores) + 1)]
    places = standings(scores) if game.game == "obelisk" else by_points([score["total"] for score in scores])
    return [
        _Seat(
            names[at.player],
            game.kinds[at.player],
            at.place,
            at.wins,
            {name: _sum(points) for name, points in scores[at.player].items() if name != "total"},
            at.total,
        )
        for at in places
    ]


def _sum(points: Any) -> int:
    if isinstance(points, Mapping):
        return sum(points.values())
    return points if isinstance(points, int) else sum(points)


def print_games(console: Console, moves: TextIO, games: Iterable[Played]) -> None:
    """The standings of every game, as it is played; after several games, how the kinds of players fared. To `moves` go the
    moves, where they were asked for."""
    ends: list[tuple[SimulatedGame, list[_Seat]]] = []
    for played in games:
        game, seats = played[0], _seats(played)
        if game.moves:
            moves.writelines(f"{line}\n" for line in record_lines(game))
        console.print(_standings(game, seats))
        ends.append((game, seats))
    if len(ends) > 1:
        console.print(_summary(ends))


def _standings(game: SimulatedGame, seats: Sequence[_Seat]) -> Table:
    """The players, best first; winners are green. A row a player, or a column a player for a game of many parts, so that either
    fits a terminal of 80 columns."""
    table = Table(
        title=f"Game with seed {game.seed}, {game.turns} turns", title_justify="left", title_style="bold", box=SIMPLE_HEAD
    )
    # What breaks ties stands after the points.
    parts = [part for part in seats[0].parts if part != "empty_spaces"]
    after = [part for part in seats[0].parts if part == "empty_spaces"]
    headings = ["place", "player", "plays", *parts, "total", *after]
    lines = [
        [
            str(seat.place), seat.name, seat.kind, *(str(seat.parts[part]) for part in parts), str(seat.total),
            *(str(seat.parts[part]) for part in after),
        ]
        for seat in seats
    ]  # fmt: skip
    words = [heading.replace("_", " ") for heading in headings]
    styles = ["bold green" if seat.wins else "" for seat in seats]
    if len(parts) <= _PARTS_BESIDE:
        for word in words:
            table.add_column(word, justify="left" if word in ("player", "plays") else "right")
        for line, style in zip(lines, styles, strict=True):
            table.add_row(*line, style=style)
        return table
    (corner, *names), *rows = zip(words, *lines, strict=True)
    table.add_column(corner)
    for name, style in zip(names, styles, strict=True):
        table.add_column(name, justify="right", style=style)
    for row in rows:
        table.add_row(*row)
    return table


def _summary(ends: Sequence[tuple[SimulatedGame, Sequence[_Seat]]]) -> Table:
    """By kind of player: how many sat down, their mean total, and the games won, a shared win counting by its share."""
    turns = median(game.turns for game, _ in ends)
    table = Table(
        title=f"{len(ends)} games, median length {turns:g} turns", title_justify="left", title_style="bold", box=SIMPLE_HEAD
    )
    for heading in ("plays", "players", "mean total", "games won"):
        table.add_column(heading, justify="left" if heading == "plays" else "right")
    for kind in dict.fromkeys(kind for game, _ in ends for kind in game.kinds):
        totals = [seat.total for _, seats in ends for seat in seats if seat.kind == kind]
        won = sum(
            sum(seat.wins and seat.kind == kind for seat in seats) / sum(seat.wins for seat in seats) for _, seats in ends
        )
        table.add_row(kind, str(len(totals)), f"{mean(totals):.1f}", f"{won:g}")
    return table
