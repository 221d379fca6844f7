"""Games from outside: everything that a game consists of, put into the program's tables in one step.

A package offers a game to the command line by an entry point of the group `obelisk_scan.games`, whose name is the game's and
whose object is an `AddedGame`; from Python, `add_game` does it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from scanner.decode import DECODERS, Decoder
from scanner.decode.answers import PLACES, Places
from scanner.engine.games import GAMES, Game
from scanner.sheet import codes, template
from scanner.sheet.adornment import ADORNMENTS, Adornment
from scanner.sheet.template import Template
from scanner.sheet.writers import WRITERS, Writer

GROUP: Final = "obelisk_scan.games"
"""The entry points' group."""


@dataclass(frozen=True, slots=True)
class AddedGame:
    """template: the sheet. rules: states, scores and audits. decode: from readings to a state. adornment: what is printed
    around the places, if anything. writer: what a state looks like on the sheet, for annotated pictures and evaluations.
    places: the places that people can answer for when its reviews ask.

    A template's game index is one of the three that the corner codes know, so the game shares it with one that ships: sheets
    are looked for game by game, with `--game NAME` or `ScanOptions((NAME,))`.
    """

    template: Template
    rules: Game
    decode: Decoder
    adornment: Adornment | None = None
    writer: Writer | None = None
    places: Callable[[], Places] | None = None


def add_game(game: AddedGame) -> Callable[[], None]:
    """Make a game known; returns what takes it out again. ValueError if its parts disagree, or its name is taken."""
    name = game.rules.name
    if game.template.game != name:
        raise ValueError(f"the template is of {game.template.game!r}, the rules are of {name!r}")
    if name in GAMES:
        raise ValueError(f"there is a game {name!r} already")
    if not 0 <= game.template.game_index < codes.GAMES:
        raise ValueError(f"game indices are 0 to {codes.GAMES - 1}, not {game.template.game_index}")
    GAMES[name] = game.rules
    DECODERS[name] = game.decode
    template.ADDED[name] = game.template
    if game.adornment is not None:
        ADORNMENTS[name] = game.adornment
    if game.writer is not None:
        WRITERS[name] = game.writer
    if game.places is not None:
        PLACES[name] = game.places

    def take_out() -> None:
        for table in (GAMES, DECODERS, template.ADDED, ADORNMENTS, WRITERS, PLACES):
            table.pop(name, None)

    return take_out


def find_game(name: str) -> bool:
    """Whether a game is known, or is now, because an installed package offers it."""
    if name in GAMES:
        return True
    from importlib.metadata import entry_points

    for offered in entry_points(group=GROUP, name=name):
        game = offered.load()
        if isinstance(game, AddedGame):
            add_game(game)
            return name in GAMES
    return False
