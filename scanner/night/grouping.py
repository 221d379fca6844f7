"""Which sheets make a game: those of one set, and of those whose number cannot be read, the ones seen with it.

Sets may be printed again or photocopied: the same set number in two folders is one game only if the sheets that both show are
the same pieces of writing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from scanner.night.ledger import Entry, Ledger, SheetKey
from scanner.night.photos import PhotoFile
from scanner.night.record import PhotoRecord
from scanner.night.sheets import NightSheet, Sighting, read_sheet, same_writing
from scanner.report.tables import set_number
from scanner.result import ErrorInfo, RefusedSheet


@dataclass(frozen=True, slots=True)
class Missing:
    """A sheet that was seen and refused, and that no photo shows well enough."""

    seat: int
    photo: str
    error: ErrorInfo


@dataclass(frozen=True, slots=True)
class GameOfNight:
    """The sheets of one game by seat, one a seat unless there are too many, and what was refused. `set_number` is None for
    sheets whose numbers could not be read; `guessed`: seats that were counted in although theirs could not."""

    game: str
    set_number: int | None
    folders: tuple[str, ...]
    sheets: tuple[NightSheet, ...]
    missing: tuple[Missing, ...] = ()
    guessed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Seen:
    """A sheet in a photo, by the index: nothing of it is loaded."""

    photo: PhotoFile
    entry: Entry
    position: int
    key: SheetKey


@dataclass(frozen=True, slots=True)
class _Gone:
    """A refused sheet in a photo."""

    photo: PhotoFile
    refused: RefusedSheet


@dataclass(slots=True)
class _Group:
    """Sheets of one set in one folder, or in several that show the same writing."""

    folders: list[str]
    numbered: list[_Seen] = field(default_factory=list)
    unnumbered: list[_Seen] = field(default_factory=list)
    gone: list[_Gone] = field(default_factory=list)


_SetKey = tuple[str, int | None]
"""Game and set number."""


def once(photos: Iterable[PhotoFile], ledger: Ledger) -> tuple[list[tuple[PhotoFile, Entry]], dict[str, str]]:
    """The photos that were read, each content once, and the copies: name -> name of the photo that it repeats."""
    first: dict[str, PhotoFile] = {}
    kept, copies = [], {}
    for photo in photos:
        entry = ledger.entry(photo)
        if entry is None:
            continue
        if entry.content and entry.content in first:
            copies[photo.name] = first[entry.content].name
            continue
        first[entry.content] = photo
        kept.append((photo, entry))
    return kept, copies


def games(
    photos: Sequence[tuple[PhotoFile, Entry]], refused: Iterable[tuple[PhotoFile, RefusedSheet]], ledger: Ledger
) -> Iterator[GameOfNight]:
    """The games of these photos, one by one, by game, set number and folder; last those without a number."""
    by_set = _by_set(photos)
    for one in refused:
        _place_refused(by_set, _Gone(*one))
    for (game, number), by_folder in sorted(by_set.items(), key=lambda item: (item[0][0], item[0][1] is None, item[0][1] or 0)):
        merged: list[tuple[_Group, list[NightSheet]]] = []
        for folder in sorted(by_folder):
            _merge(merged, by_folder[folder], ledger)
        for group, sheets in merged:
            whole = [[sheet] for sheet in sheets] if sheets and sheets[0].holds_table else [sheets]
            for of_game in whole:
                if of_game:
                    yield _game(game, number, group, of_game)


def _by_set(photos: Sequence[tuple[PhotoFile, Entry]]) -> dict[_SetKey, dict[str, _Group]]:
    found: dict[_SetKey, dict[str, _Group]] = {}
    unnumbered: list[_Seen] = []
    of_photo: dict[tuple[str, str], set[int]] = {}
    of_folder: dict[tuple[str, str], set[int]] = {}

    def group(key: _SetKey, folder: str) -> _Group:
        return found.setdefault(key, {}).setdefault(folder, _Group([folder]))

    for photo, entry in photos:
        for position, key in enumerate(entry.sheets):
            seen, number = _Seen(photo, entry, position, key), set_number(key.sheet_number)
            if number is None:
                unnumbered.append(seen)
                continue
            group((key.game, number), photo.folder).numbered.append(seen)
            of_photo.setdefault((key.game, photo.path), set()).add(number)
            of_folder.setdefault((key.game, photo.folder), set()).add(number)
    for seen in unnumbered:
        game = seen.key.game
        candidates = of_photo.get((game, seen.photo.path)) or of_folder.get((game, seen.photo.folder)) or set()
        number = next(iter(candidates)) if len(candidates) == 1 else None
        group((game, number), seen.photo.folder).unnumbered.append(seen)
    return found


def _place_refused(by_set: Mapping[_SetKey, Mapping[str, _Group]], gone: _Gone) -> None:
    """To the set that the sheet's number names, else to the only set of its folder."""
    if gone.refused.seat is None:
        return
    number = set_number(gone.refused.sheet_number)
    here = [
        group
        for (_, other), folders in by_set.items()
        for folder, group in folders.items()
        if other is not None and (other == number if number is not None else folder == gone.photo.folder)
    ]
    near = [group for group in here if gone.photo.folder in group.folders] or here
    if number is not None or len(near) == 1:
        for group in near:
            group.gone.append(gone)


def _merge(merged: list[tuple[_Group, list[NightSheet]]], group: _Group, ledger: Ledger) -> None:
    """Add a folder's group to the first game whose sheets it can be of, or begin a new one."""
    cache: dict[int, PhotoRecord] = {}

    def load(seen: _Seen) -> Sighting:
        if seen.entry.offset not in cache:
            cache[seen.entry.offset] = ledger.load(seen.entry)
        return Sighting(seen.photo, cache[seen.entry.offset].sheets[seen.position])

    sheets = _gather([load(seen) for seen in (*group.numbered, *group.unnumbered)])
    for game, others in merged:
        if all(_same_sheet(one, other) for one in sheets for other in others if one.seat == other.seat):
            others[:] = _gather([one for sheet in (*others, *sheets) for one in sheet.sightings])
            game.folders += group.folders
            game.unnumbered += group.unnumbered
            game.gone += group.gone
            return
    merged.append((group, sheets))


def _same_sheet(one: NightSheet, other: NightSheet) -> bool:
    return all(same_writing(a.record, b.record) for a in one.sightings for b in other.sightings)


def _gather(sightings: Sequence[Sighting]) -> list[NightSheet]:
    """The sheets that these sightings are of, by seat. Where the number is not known, or a photo shows it twice, as when a
    sheet was photocopied, the writing tells which sheet it is."""
    by_number: dict[tuple[int, int], list[Sighting]] = {}
    unclear: list[Sighting] = []
    for one in sightings:
        if one.record.sheet_number is None:
            unclear.append(one)
        else:
            by_number.setdefault((one.record.seat, one.record.sheet_number), []).append(one)
    groups: list[list[Sighting]] = []
    for members in by_number.values():
        if len({(one.photo.path, one.record.page) for one in members}) == len(members):
            groups.append(members)
        else:
            unclear += members
    for one in sorted(unclear, key=lambda one: -one.quality):
        fitting = (group for group in groups if all(_may_be_one(one, other) for other in group))
        group = next(fitting, None)
        if group is None:
            groups.append([one])
        else:
            group.append(one)
    return sorted(map(read_sheet, groups), key=lambda sheet: (sheet.seat, sheet.photos))


def _may_be_one(one: Sighting, other: Sighting) -> bool:
    """Whether two sightings can be of one piece of paper: it is in no photo twice."""
    apart = (one.photo.path, one.record.page) != (other.photo.path, other.record.page)
    return apart and same_writing(one.record, other.record)


def _game(game: str, number: int | None, group: _Group, sheets: Sequence[NightSheet]) -> GameOfNight:
    seats = {sheet.seat for sheet in sheets}
    missing = {gone.refused.seat: gone for gone in group.gone if gone.refused.seat not in seats}
    return GameOfNight(
        game=game,
        set_number=number,
        folders=tuple(sorted(set(group.folders))),
        sheets=tuple(sheets),
        missing=tuple(
            Missing(seat, gone.photo.name, gone.refused.error)
            for seat, gone in sorted((seat, gone) for seat, gone in missing.items() if seat is not None)
        ),
        guessed=tuple(sheet.seat for sheet in sheets if sheet.key.sheet_number is None) if number is not None else (),
    )
