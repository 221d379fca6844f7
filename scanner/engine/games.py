"""The one table of games: what the rest of the program may ask of a game's rules.

A state is a dict in the contract's form with the game's name under "game".
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from scanner.engine.checks import shown
from scanner.engine.findings import AuditLine
from scanner.engine.imhotep.audit import audit_table
from scanner.engine.imhotep.scoring import score_table
from scanner.engine.imhotep.scoring import to_dict as imhotep_score_to_dict
from scanner.engine.imhotep.state import parse_state as parse_imhotep
from scanner.engine.imhotep.state import to_dict as imhotep_to_dict
from scanner.engine.monolyth.audit import audit_board
from scanner.engine.monolyth.scoring import score_board
from scanner.engine.monolyth.scoring import to_dict as monolyth_score_to_dict
from scanner.engine.monolyth.state import parse_state as parse_monolyth
from scanner.engine.monolyth.state import to_dict as monolyth_to_dict
from scanner.engine.obelisk.audit import audit_sheet
from scanner.engine.obelisk.scoring import score_sheet
from scanner.engine.obelisk.scoring import to_dict as obelisk_score_to_dict
from scanner.engine.obelisk.state import parse_state as parse_obelisk
from scanner.engine.obelisk.state import to_dict as obelisk_to_dict
from scanner.errors import BadState


@dataclass(frozen=True, slots=True)
class Game:
    """A game's rules, on states in the contract's form. `normalise` checks a state and fills in what was left out; `score`
    gives the contract's score; `audit` the broken rules. All raise BadState for a state that breaks the contract."""

    name: str
    normalise: Callable[[dict[str, Any]], dict[str, Any]]
    score: Callable[[dict[str, Any]], dict[str, Any]]
    audit: Callable[[dict[str, Any]], tuple[AuditLine, ...]]


GAMES: dict[str, Game] = {
    "obelisk": Game(
        name="obelisk",
        normalise=lambda state: obelisk_to_dict(parse_obelisk(state)),
        score=lambda state: obelisk_score_to_dict(score_sheet(parse_obelisk(state))),
        audit=lambda state: audit_sheet(parse_obelisk(state)),
    ),
    "imhotep": Game(
        name="imhotep",
        normalise=lambda state: imhotep_to_dict(parse_imhotep(state)),
        score=lambda state: imhotep_score_to_dict(score_table(parse_imhotep(state))),
        audit=lambda state: audit_table(parse_imhotep(state)),
    ),
    "monolyth": Game(
        name="monolyth",
        normalise=lambda state: monolyth_to_dict(parse_monolyth(state)),
        score=lambda state: monolyth_score_to_dict(score_board(parse_monolyth(state))),
        audit=lambda state: audit_board(parse_monolyth(state)),
    ),
}


def game_of(state: Any) -> Game:
    """The game that a state is of; BadState if it is no object, or names no game or an unknown one."""
    known = ", ".join(f'"{name}"' for name in GAMES)
    if not isinstance(state, dict):
        raise BadState("The state is not a JSON object.", f'Give an object with "game": one of {known}.')
    name = state.get("game")
    if name is None:
        raise BadState("`game` is missing.", f'Write "game": one of {known}.')
    if not isinstance(name, str) or name not in GAMES:
        raise BadState(f"`game` is {shown(name)}, which is not known.", f"The games are {known}.")
    return GAMES[name]


def score_state(state: dict[str, Any]) -> dict[str, Any]:
    """The contract's score of a state in the contract's form; BadState if the state breaks it."""
    return game_of(state).score(state)


def audit_state(state: dict[str, Any]) -> tuple[AuditLine, ...]:
    """The rules that a state breaks and the points that were perhaps forgotten; BadState if the state breaks the contract."""
    return game_of(state).audit(state)
