"""What is printed around the places of a game's sheet: the legend and the ornaments, by the game's name."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from scanner.sheet import imhotep_adornment, monolyth_adornment, obelisk_adornment
from scanner.sheet.primitives import Primitive
from scanner.sheet.style import Style
from scanner.sheet.template import Template

Adorn = Callable[[Template, Style], Iterable[Primitive]]


@dataclass(frozen=True, slots=True)
class Adornment:
    """legend: how the game scores, in words and signs. ornaments: pictures without meaning, printed under all else."""

    legend: Adorn
    ornaments: Adorn


ADORNMENTS: Final[dict[str, Adornment]] = {
    "obelisk": Adornment(legend=obelisk_adornment.legend, ornaments=obelisk_adornment.ornaments),
    "imhotep": Adornment(legend=imhotep_adornment.legend, ornaments=imhotep_adornment.ornaments),
    "monolyth": Adornment(legend=monolyth_adornment.legend, ornaments=monolyth_adornment.ornaments),
}
"""game -> its adornment; a game without one gets a plain sheet."""
