"""What a state looks like on its game's sheet: one function a game.

Shadow of the Obelisk is not among them: its outlines are more than a state tells.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from scanner.sheet import imhotep_places, monolyth_places
from scanner.sheet.written import Written

Writer = Callable[[Mapping[str, Any]], Written]
"""From a state in the contract's form; ValueError if the sheet has no room for it."""

WRITERS: Final[dict[str, Writer]] = {"imhotep": imhotep_places.written, "monolyth": monolyth_places.written}
"""game -> its writer."""
