"""Games written down: a seed and the actions, as JSON Lines, read back and replayed exactly.

The first line is the header, every further line one action of the player whose action was expected:

    {"schema": "obelisk-game/1", "game": "obelisk", "players": 4, "seed": 7}
    {"tick": 2}
    {"build": [[12, 1], [12, 2]]}

Several games follow each other, each with its header.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from scanner.engine.checks import MAX_SEAT
from scanner.engine.obelisk.actions import Action, action_from_dict, action_to_dict
from scanner.engine.obelisk.broken import BrokenRule
from scanner.engine.obelisk.game import Position, apply, new_game
from scanner.engine.play import RECORD_SCHEMA, replay
from scanner.errors import BadState


class _Header(msgspec.Struct, frozen=True):
    schema: str
    game: str
    players: int
    seed: int


class GameRecord(NamedTuple):
    """A game: the number of players, the seed of the stack, and all actions in order."""

    players: int
    seed: int
    actions: tuple[Action, ...]

    def positions(self) -> Iterator[Position]:
        """The first position and the one after every action; raises the BrokenRule of an action that is not legal."""
        position = new_game(self.players, self.seed)
        yield position
        for action in self.actions:
            position = apply(position, action)
            yield position

    def final(self) -> Position:
        """The last position."""
        return replay(new_game(self.players, self.seed), apply, self.actions)


def to_lines(record: GameRecord) -> Iterator[str]:
    """The record's lines, without line ends."""
    encode = msgspec.json.encode
    yield encode(_Header(RECORD_SCHEMA, "obelisk", record.players, record.seed)).decode()
    for action in record.actions:
        yield encode(action_to_dict(action)).decode()


def from_lines(lines: Iterable[str]) -> GameRecord:
    """The record that the lines hold, replayed once, so that every action in it is legal. Empty lines are passed over.
    BadState names the line that is wrong, counted from 1."""
    return _game(_numbered(lines))


def games_from_lines(lines: Iterable[str]) -> Iterator[GameRecord]:
    """The records of all games that the lines hold, one after the other, each as `from_lines` gives it."""
    game: list[tuple[int, str]] = []
    for number, line in _numbered(lines):
        # No action has such a key.
        if game and '"schema"' in line:
            yield _game(iter(game))
            game = []
        game.append((number, line))
    if game:
        yield _game(iter(game))


def _numbered(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    return ((number, line) for number, line in enumerate(lines, 1) if line.strip())


def _decoded(line: str, form: Any) -> Any:
    """The line's JSON as a `form`; msgspec.MsgspecError if it is none."""
    try:
        return msgspec.json.decode(line, type=form)
    except RecursionError:
        raise msgspec.DecodeError("it is nested too deeply") from None


def _game(numbered: Iterator[tuple[int, str]]) -> GameRecord:
    number, first = next(numbered, (1, ""))
    try:
        header = _decoded(first, _Header)
    except msgspec.MsgspecError as error:
        raise BadState(
            f"Line {number} is no header of a game: {error}.", f'A game begins with {{"schema": "{RECORD_SCHEMA}", ...}}.'
        ) from None
    if header.schema != RECORD_SCHEMA or header.game != "obelisk":
        raise BadState(
            f"Line {number} is of {header.schema!r}, game {header.game!r}.", f'Only "{RECORD_SCHEMA}" of "obelisk" is known.'
        )
    if not 1 <= header.players <= MAX_SEAT or header.seed < 0:
        raise BadState(f"Line {number} is no game.", f"Give 1 to {MAX_SEAT} players and a seed of 0 or more.")
    position = new_game(header.players, header.seed)
    actions: list[Action] = []
    for number, line in numbered:
        try:
            action = action_from_dict(_decoded(line, Any))
            position = apply(position, action)
        except BadState as error:
            raise BadState(f"Line {number}: {error.message}", error.hint) from None
        except msgspec.MsgspecError as error:
            raise BadState(f"Line {number} is no JSON: {error}.", "Write one action a line.") from None
        except BrokenRule as error:
            raise BadState(
                f"Line {number} breaks a rule: {error}", "Replay the game up to there and choose a legal action."
            ) from None
        actions.append(action)
    return GameRecord(header.players, header.seed, tuple(actions))
