"""Files that people write by hand: what is no such file is refused before it is read, and what is wrong in TOML in words that
say where the mistake is."""

import codecs
import re
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from scanner.errors import BadState, MissingFile
from scanner.photo.files import regular_bytes
from scanner.photo.names import shown_name

MAX_BYTES: Final = 10_000_000
"""Beyond this nobody has written a file by hand: the answers for thousands of sheets are smaller."""

LARGEST: Final = 10**18 - 1
"""The largest number that can mean anything; of a larger one, Python may refuse to show the digits."""

_ENCODINGS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Marks at the beginning of a file that Windows' editors and shells write, and how such a file is decoded."""

_T = TypeVar("_T")
_PLACE: Final = re.compile(r" - at (?P<key>`key` in )?`\$\.(?P<table>\w+)(\[(?P<index>\d+)\](\.(?P<field>\w+))?)?`")


def too_long(what: str) -> str:
    """The remedy for what is too large to be a `what`."""
    return f"No {what} is that long: check what was given."


def decoded(content: bytes) -> str:
    """A file's text: UTF-8 with or without a byte order mark, or UTF-16 with one. UnicodeError if it is neither."""
    for mark, encoding in _ENCODINGS:
        if content.startswith(mark):
            return content.decode(encoding)
    return content.decode()


def load_toml(path: Path, form: type[_T], what: str, hint: str) -> _T:
    """The file's content. MissingFile if it cannot be read, TooLarge if nobody writes as much; BadState, with the `hint`, if it
    is no `what`: not of that form."""
    instead = "Give an ordinary file; what comes through a pipe can be saved to one."
    try:
        content = regular_bytes(path, str(path), MAX_BYTES, instead, too_long(what))
    except OSError as error:
        raise MissingFile(f"{path} cannot be read: {error.strerror}.") from error
    try:
        return msgspec.toml.decode(decoded(content), type=form)
    except RecursionError as error:
        raise BadState(f"{path} is no {what}: it is nested too deeply.", hint) from error
    except (msgspec.MsgspecError, ValueError) as error:  # ValueError: no text, or a number of thousands of digits
        raise BadState(f"{path} is no {what}: {_PLACE.sub(_in_words, shown_name(str(error)))}.", hint) from error


def _in_words(found: re.Match[str]) -> str:
    """Where, in a person's terms: "$.player[0].seat" is the first player's seat."""
    if found["index"] is None:
        return f" in `{found['table']}`, which is written [[{found['table']}]]"
    field = f", `{found['field']}`" if found["field"] else ""
    return f"{' for a name' if found['key'] else ''} in [[{found['table']}]] number {int(found['index']) + 1}{field}"
