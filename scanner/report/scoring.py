"""States from files, scored."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec

from scanner.engine import GAMES, audit_state, score_state
from scanner.engine.checks import shown
from scanner.engine.findings import AuditLine as Finding
from scanner.errors import BadState, MissingFile, ScanError
from scanner.photo.files import regular_bytes, stdin_bytes
from scanner.report.handwritten import MAX_BYTES, decoded, too_long
from scanner.result import AuditLine, ErrorInfo, ScoredState, freeze

_CHECKED_ONLY_IF_GIVEN: Final = {"obelisk": ("wall_shapes", "levels")}
"""Fields that a state may leave out, by game, which then take the rules about them out of the audit."""


_HOLDERS: Final = ("states", "photos", "sheets")


class Judged(NamedTuple):
    """A scored state with its audit in the engine's words; `unchecked` names the fields that it leaves out, so that the rules
    about them were not checked."""

    scored: ScoredState
    findings: tuple[Finding, ...] = ()
    unchecked: tuple[str, ...] = ()


def read_state(file: str) -> bytes:
    """A file's bytes; OSError, MissingFile and TooLarge as `regular_bytes`."""
    return regular_bytes(file, file, MAX_BYTES, "Give `-` and pipe the state to standard input.", too_long("state"))


def read_stdin() -> bytes:
    """Standard input's bytes; MissingFile and TooLarge as `stdin_bytes`."""
    return stdin_bytes(MAX_BYTES, too_long("state"))


def parse_json(content: bytes) -> Any:
    """One JSON value, in UTF-8 with or without a byte order mark, or in UTF-16 with one. BadState if it is none, or if an
    object in it gives a key twice, so that nobody can say which value is meant."""
    try:
        text = decoded(content)
        if not text.strip():
            raise BadState("There is nothing in it.", "Give a state: a JSON object.")
        value = msgspec.json.decode(text)
        _check_keys(text)
    except RecursionError as error:
        raise BadState("This is nested too deeply for a state.") from error
    except (msgspec.DecodeError, UnicodeError) as error:
        raise BadState(f"This is not JSON: {error}.", _remedy(content)) from error
    return value


def _remedy(content: bytes) -> str | None:
    # Imported here: most states are JSON, and scoring one must not wait for what knows pictures.
    from scanner.photo.sniff import sniff

    try:
        return f"It looks like a {sniff(content, 'the file').value} file; photos and scans are read by `obelisk-scan scan`."
    except ScanError:
        return None


def _check_keys(text: str) -> None:
    import json

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise BadState(f"The key {shown(key)} is given twice.", "Keep the one that is meant.")
            found[key] = value
        return found

    json.loads(text, object_pairs_hook=once)


def _meet_the_game(state: Any) -> None:
    """A game that does not ship may come from an installed package."""
    name = state.get("game") if isinstance(state, dict) else None
    if isinstance(name, str) and name not in GAMES:
        from scanner.games import find_game

        find_game(name)


def _refuse_results(state: Any) -> None:
    """A document of this program's own that holds states is not a state."""
    if isinstance(state, dict) and "game" not in state and any(isinstance(state.get(key), list) for key in _HOLDERS):
        raise BadState(
            "This is a document that holds states, not a state.", "Give each `state` in it as a file of its own, or with `-`."
        )


def judge_file(file: str, read: Callable[[], bytes]) -> Judged:
    """Score and audit the state in a file whose content `read` gives; what is wrong with it comes back as `error`."""
    try:
        try:
            content = read()
        except OSError as error:
            raise MissingFile(f"{file} cannot be read: {error.strerror}.") from error
        state = parse_json(content)
        _refuse_results(state)
        _meet_the_game(state)
        score = score_state(state)
        findings = audit_state(state)
        whole = GAMES[state["game"]].normalise(state)
    except ScanError as error:
        return Judged(ScoredState(file, ErrorInfo.of(error)))
    scored = ScoredState(file, None, freeze(whole), freeze(score), tuple(map(AuditLine.of, findings)))
    optional = _CHECKED_ONLY_IF_GIVEN.get(state["game"], ())
    return Judged(scored, findings, tuple(field for field in optional if state.get(field) is None))
