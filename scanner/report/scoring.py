"""States from files, scored."""

from collections.abc import Callable
from typing import Any

import msgspec

from scanner.engine import GAMES, audit_state, score_state
from scanner.errors import BadState, MissingFile, ScanError
from scanner.result import AuditLine, ErrorInfo, ScoredState, freeze


def parse_json(content: bytes) -> Any:
    """One JSON value; BadState if it is none."""
    try:
        return msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadState(f"This is not JSON: {error}.") from error


def _meet_the_game(state: Any) -> None:
    """A game that does not ship may come from an installed package."""
    name = state.get("game") if isinstance(state, dict) else None
    if isinstance(name, str) and name not in GAMES:
        from scanner.games import find_game

        find_game(name)


def score_file(file: str, read: Callable[[], bytes]) -> ScoredState:
    """Score the state in a file whose content `read` gives; what is wrong with it comes back as `error`."""
    try:
        try:
            content = read()
        except OSError as error:
            raise MissingFile(f"{file} cannot be read: {error.strerror}.") from error
        state = parse_json(content)
        _meet_the_game(state)
        score = score_state(state)
        audit = tuple(AuditLine.of(line) for line in audit_state(state))
        whole = GAMES[state["game"]].normalise(state)
    except ScanError as error:
        return ScoredState(file, ErrorInfo.of(error))
    return ScoredState(file, None, freeze(whole), freeze(score), audit)
