"""Files that people write by hand, in TOML: read into typed values, or refused in words that say where the mistake is."""

import re
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from scanner.errors import BadState, MissingFile

_T = TypeVar("_T")
_PLACE: Final = re.compile(r" - at `\$\.(?P<table>\w+)\[(?P<index>\d+)\](\.(?P<field>\w+))?`")


def load_toml(path: Path, form: type[_T], what: str, hint: str) -> _T:
    """The file's content. MissingFile if it cannot be read; BadState, with the `hint`, if it is no `what`: not of that form."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise MissingFile(f"{path} cannot be read: {error.strerror}.") from error
    try:
        return msgspec.toml.decode(content, type=form)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadState(f"{path} is no {what}: {_PLACE.sub(_in_words, str(error))}.", hint) from error


def _in_words(found: re.Match[str]) -> str:
    """Where, in a person's terms: "$.player[0].seat" is the first player's seat."""
    field = f", `{found['field']}`" if found["field"] else ""
    return f" in [[{found['table']}]] number {int(found['index']) + 1}{field}"
