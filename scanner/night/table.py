"""A whole night put together: every game's table with its standings, and every photo's verdict."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from scanner.night import places
from scanner.night.answers import NightAnswers
from scanner.night.conflicts import Conflict, conflicts
from scanner.night.grouping import GameOfNight, games, once
from scanner.night.ledger import Ledger
from scanner.night.names import NamedPlayer, names_of
from scanner.night.photos import PhotoFile
from scanner.night.ranks import knowing_ranks
from scanner.night.sheets import NightSheet
from scanner.night.standings import Place, contenders, standings, verdict
from scanner.result import ErrorInfo, RefusedSheet
from scanner.sheet.template import load_template


@dataclass(frozen=True, slots=True)
class PhotoVerdict:
    """What became of one photo. `sheets`: how many were read in it; `copy_of`: the photo whose content it repeats, or None."""

    name: str
    error: ErrorInfo | None
    sheets: int
    refused: tuple[RefusedSheet, ...]
    copy_of: str | None

    @property
    def code(self) -> int:
        """The exit code that the photo asks for."""
        errors = [*(gone.error for gone in self.refused), *([self.error] if self.error else [])]
        return max((error.code for error in errors), default=0)


@dataclass(frozen=True, slots=True)
class GameTable:
    """One game: its standings, best first, who won, and what needs a look. `names`: seat -> name, as far as names are known."""

    game: GameOfNight
    names: Mapping[int, str]
    standings: tuple[Place, ...]
    verdict: str
    conflicts: tuple[Conflict, ...]

    @property
    def needs_look(self) -> bool:
        """Whether a reading needs a person's look."""
        return any(sheet.result.review for sheet in self.game.sheets)

    @property
    def in_order(self) -> bool:
        """Whether the paper is in order as well: no conflict between the sheets, no breach of the rules on one of them."""
        return not self.conflicts and not any(sheet.result.audit for sheet in self.game.sheets)

    @property
    def settled(self) -> bool:
        """Whether nothing that is open can change a place."""
        return not self.conflicts and all(place.between == (place.place, place.place) for place in self.standings)

    @property
    def title(self) -> str:
        """What to call the game: its set and the folders in which its photos lie."""
        where = ", ".join(sorted({Path(folder).resolve().name for folder in self.game.folders}))
        what = "Sheets without a number" if self.game.set_number is None else f"Set {self.game.set_number}"
        if self.game.game != places.GAME:
            what += f", {load_template(self.game.game).title}"
        return f"{what} ({where})"

    def label(self, place: Place) -> str:
        """What to call a contender: the name, and the seat where there is one."""
        if place.contender.colour is not None:
            return place.contender.colour
        label = self.seat_label(place.contender.seat)
        mine = self.sheet_of(place)
        others = [sheet for sheet in map(self.sheet_of, self.standings) if sheet.seat == mine.seat]
        if len(others) == 1:
            return label
        here = [sheet for sheet in others if sheet.photos[0] == mine.photos[0]]
        copy = f", copy {1 + next(n for n, sheet in enumerate(here) if sheet is mine)}" if len(here) > 1 else ""
        return f"{label} in {mine.photos[0]}{copy}"

    def seat_label(self, seat: int) -> str:
        """A seat by its name, if there is one."""
        name = self.names.get(seat)
        return f"{name} (seat {seat})" if name is not None else f"seat {seat}"

    def sheet_of(self, place: Place) -> NightSheet:
        """The sheet that a contender's points stand on."""
        return self.game.sheets[place.contender.sheet]


def set_table(game: GameOfNight, players: Sequence[NamedPlayer] = ()) -> GameTable:
    """The game's standings and conflicts."""
    game = knowing_ranks(game)
    names = {
        sheet.seat: str(sheet.result.state["player"]) for sheet in game.sheets if sheet.result.state.get("player")
    } | names_of(game, players)
    here = [one.seat for one in players if one.precision and one.is_of(game)]
    all_players = [one for index, sheet in enumerate(game.sheets) for one in contenders(sheet, index)]
    # Copies of a seat's sheet that read the same are one player, however many lie there.
    players_once = {(one.seat, one.colour, one.key, one.worst, one.best): one for one in reversed(all_players)}
    table = standings([one for one in all_players if one in players_once.values()])
    found = GameTable(game, names, table, "", conflicts(game, here))
    said = verdict(table, [found.label(place) for place in table])
    return replace(found, verdict=said[:1].upper() + said[1:])


@dataclass(frozen=True)
class Night:
    """A night's photos, read. Games are put together one by one whenever they are asked for, so that memory stays flat.
    `arriving`: names of photos that are not among them yet, because they are still being copied."""

    photos: Sequence[PhotoFile]
    ledger: Ledger
    players: Sequence[NamedPlayer] = ()
    arriving: Sequence[str] = ()
    answers: NightAnswers | None = None

    def verdicts(self) -> Iterator[PhotoVerdict]:
        """Every photo that was read, by name."""
        _, copies = once(self.photos, self.ledger)
        for photo in self.photos:
            entry = self.ledger.entry(photo)
            if entry is None:
                continue
            record = self.ledger.load(entry)
            yield PhotoVerdict(photo.name, record.error, len(record.sheets), record.refused, copies.get(photo.name))

    def tables(self) -> Iterator[GameTable]:
        """Every game, by set and folder."""
        if self.answers is not None:
            self.answers.begin()
        kept, _ = once(self.photos, self.ledger)
        refused = ((photo, gone) for photo, entry in kept if entry.refused for gone in self.ledger.load(entry).refused)
        for game in games(kept, refused, self.ledger):
            yield set_table(self.answers.given_to(game) if self.answers is not None else game, self.players)
