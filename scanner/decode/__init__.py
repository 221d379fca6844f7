"""Probabilities and rules to a state, its doubts, bounds and audit: one module a game."""

from collections.abc import Callable
from typing import Final

from scanner.decode.decoded import Decoded
from scanner.errors import UnknownSheet
from scanner.reading.readings import Readings
from scanner.sheet.pose import SheetIdentity
from scanner.sheet.template import Template

Decoder = Callable[[Readings, SheetIdentity], Decoded]


def _obelisk(readings: Readings, identity: SheetIdentity) -> Decoded:
    # Decoders are loaded when a sheet of their game is there.
    from scanner.decode.obelisk import decode_obelisk

    return decode_obelisk(readings, identity)


def _imhotep(readings: Readings, identity: SheetIdentity) -> Decoded:
    from scanner.decode.imhotep import decode_imhotep

    return decode_imhotep(readings, identity)


def _monolyth(readings: Readings, identity: SheetIdentity) -> Decoded:
    from scanner.decode.monolyth import decode_monolyth

    return decode_monolyth(readings, identity)


DECODERS: Final[dict[str, Decoder]] = {
    "obelisk": _obelisk,
    "imhotep": _imhotep,
    "monolyth": _monolyth,
}
"""game -> its decoder: the games whose sheets are read from photos."""


def decode(readings: Readings, template: Template, identity: SheetIdentity) -> Decoded:
    """The state that the readings of one sheet show. UnknownSheet if there is no decoder for the template's game."""
    decoder = DECODERS.get(template.game)
    if decoder is None:
        raise UnknownSheet(f"Sheets of {template.title} cannot be read from a photo.")
    return decoder(readings, identity)
