"""Probabilities and rules to a state, its doubts, bounds and audit: one module a game."""

from collections.abc import Callable
from typing import Final

from scanner.decode.decoded import Decoded
from scanner.decode.obelisk import decode_obelisk
from scanner.errors import UnknownSheet
from scanner.reading.readings import Readings
from scanner.sheet.pose import SheetIdentity
from scanner.sheet.template import Template

_DECODERS: Final[dict[str, Callable[[Readings, SheetIdentity], Decoded]]] = {"obelisk": decode_obelisk}


def decode(readings: Readings, template: Template, identity: SheetIdentity) -> Decoded:
    """The state that the readings of one sheet show. UnknownSheet if there is no decoder for the template's game."""
    decoder = _DECODERS.get(template.game)
    if decoder is None:
        raise UnknownSheet(f"Sheets of {template.title} cannot be read from a photo.")
    return decoder(readings, identity)
