"""A night as one page to pass around: self-contained, no script, no request to anywhere, light and dark."""

import os
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scanner.night.pictures import picture_of, picture_of_name, picture_of_sheet, scan_of
from scanner.night.sheets import NightSheet
from scanner.night.standings import Place
from scanner.night.table import GameTable, PhotoVerdict
from scanner.night.terminal import PARTS, place_text
from scanner.report.paths import followed
from scanner.report.shares import in_percent
from scanner.report.where import place_box
from scanner.result import Review

if TYPE_CHECKING:
    from scanner.pipeline import SheetScan

_POLICY: Final = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
_STEPS: Final = 3
_AROUND: Final = 0.5
"""Cells around a place that its picture shows."""
_WIDE: Final = 2.0
"""A picture of a place that is so many times as wide as it is high stands above its words."""


def _head() -> str:
    css = files("scanner.night").joinpath("page.css").read_text("utf-8")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f"<title>Game night</title>\n<style>\n{css}</style>\n</head>\n<body>\n<main>\n<h1>Game night</h1>\n"
    )


class PageWriter:
    """Writes the page game by game beside its place, and puts it there when it is whole."""

    def __init__(self, path: Path) -> None:
        """OSError if the file cannot be written."""
        self._path = followed(path)
        self._draft = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        self._out = self._draft.open("w", encoding="utf-8")
        self._out.write(_head())
        self._games = 0

    def game(self, table: GameTable) -> None:
        self._games += 1
        for piece in _game(table):
            self._out.write(piece)

    def finish(self, photos: Iterable[PhotoVerdict]) -> None:
        if not self._games:
            self._out.write("<section><p>No sheet has been read yet.</p></section>\n")
        notes = [note for photo in photos for note in _photo(photo)]
        if notes:
            self._out.write(f"<section><h2>Photos that need another look</h2>{_list(notes)}</section>\n")
        self._out.write(
            f"<footer>Read by obelisk-scan {escape(version('obelisk-scan'))}.</footer>\n</main>\n</body>\n</html>\n"
        )
        self._out.close()
        self._draft.replace(self._path)

    def abandon(self) -> None:
        """Take the draft away, if the page is not whole."""
        self._out.close()
        self._draft.unlink(missing_ok=True)


def _list(notes: Sequence[str], style: str = "notes") -> str:
    return f'<ul class="{style}">{"".join(f"<li>{note}</li>" for note in notes)}</ul>'


def _photo(photo: PhotoVerdict) -> Iterator[str]:
    if photo.error is not None:
        yield f"<b>{escape(photo.name)}</b>: {escape(photo.error.message)} {escape(photo.error.hint)}"
        return
    for gone in photo.refused:
        seat = "a sheet" if gone.seat is None else f"seat {gone.seat}"
        yield f"<b>{escape(photo.name)}</b>, {seat}: {escape(gone.error.message)} {escape(gone.error.hint)}"


def _game(table: GameTable) -> Iterator[str]:
    yield f'<section>\n<h2 class="faint">{escape(table.title)}</h2>\n<p class="verdict">{escape(table.verdict)}</p>\n'
    if not table.settled:
        yield '<p class="open">What is open below may change the places.</p>\n'
    yield _podium(table)
    yield _breakdown(table)
    if table.conflicts:
        yield _list([f'<span class="bad">{escape(one.message)}</span>' for one in table.conflicts])
    for sheet in table.game.sheets:
        yield from _sheet(table, sheet)
    yield "</section>\n"


def _podium(table: GameTable) -> str:
    """The first three places, the first in the middle."""
    first = [place for place in table.standings if place.place <= _STEPS][: _STEPS + 1]
    order = [*first[1:2], *first[:1], *first[2:]]
    steps = "".join(
        f'<li class="p{place.place}">{escape(table.label(place))}'
        f'<div class="step">{place_text(place)}<span class="points">{place.contender.key[0]}</span></div></li>'
        for place in order
    )
    return f'<ol class="podium">{steps}</ol>\n'


def _range(value: int, low: int, high: int) -> str:
    return f"{value}" if low == high else f'{value}<span class="range">{low} to {high}</span>'


def _breakdown(table: GameTable) -> str:
    with_parts = table.game.game == "obelisk"
    most = max((place.contender.key[0] for place in table.standings), default=0) or 1
    headings = ["", "player", *(PARTS if with_parts else ()), "total", *(["empty"] if with_parts else ())]
    rows = [_row(table, place, most, with_parts) for place in table.standings]
    key = "".join(f'<i class="{part}"></i>{part}' for part in PARTS) if with_parts else ""
    head = "".join(f"<th>{heading}</th>" for heading in headings)
    kind = ' class="parts"' if with_parts else ""
    return f'<table{kind}><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>\n<p class="key">{key}</p>\n'


def _row(table: GameTable, place: Place, most: int, with_parts: bool) -> str:
    contender, score = place.contender, table.sheet_of(place).result.score
    points = {part: sum(score[part]) for part in PARTS} if with_parts else {}
    bar = "".join(f'<i class="{part}" style="width:{100 * value / most:.1f}%"></i>' for part, value in points.items())
    total = _range(contender.key[0], contender.worst[0], contender.best[0])
    cells = [
        f"<td>{place_text(place)}</td>",
        f"<td>{escape(table.label(place))}{f'<span class=bar>{bar}</span>' if bar else ''}</td>",
    ]
    cells += [f"<td>{value}</td>" for value in points.values()]
    cells.append(f'<td class="total">{total}</td>')
    if with_parts:
        fewest, most_empty = sorted((-contender.best[1], -contender.worst[1]))
        cells.append(f"<td>{_range(-contender.key[1], fewest, most_empty)}</td>")
    return f'<tr class="{"wins" if place.wins else ""}">{"".join(cells)}</tr>'


def _sheet(table: GameTable, sheet: NightSheet) -> Iterator[str]:
    scan = scan_of(sheet)
    doubts = len(sheet.result.review)
    note = f' <span class="open">{doubts} to look at</span>' if doubts else ""
    yield f"<details{' open' if doubts else ''}><summary>{escape(table.seat_label(sheet.seat))}{note}</summary>\n"
    if scan is not None:
        yield f'<img class="name" alt="the name on the sheet" src="{picture_of_name(scan)}">\n'
    if doubts:
        yield f'<ul class="doubts">{"".join(_doubt(line, scan) for line in sheet.result.review)}</ul>'
    if sheet.result.audit:
        yield _list([f"<b>{_place(line.where)}</b> {escape(line.message)}" for line in sheet.result.audit])
    if scan is not None:
        yield f'<img class="sheet" loading="lazy" alt="the sheet with its readings" src="{picture_of_sheet(scan)}">\n'
    else:
        yield '<p class="faint">The photo is no longer there, so the sheet cannot be shown.</p>\n'
    yield f'<p class="faint">{escape(", ".join(_short(name, table) for name in sheet.photos))}</p></details>\n'


def _short(photo: str, table: GameTable) -> str:
    """A photo's name without the folder, unless the game's photos lie in several."""
    path = Path(photo)
    return path.name if len(table.game.folders) == 1 else str(Path(path.parent.name, path.name))


def _place(where: str) -> str:
    """A place in words."""
    return escape(where.replace("_", " "))


def _doubt(line: Review, scan: "SheetScan | None") -> str:
    """What was read at a place and what else it may be, beside a picture of it; below one that is wide."""
    box = None if scan is None else place_box(scan.template, line.where, _AROUND)
    picture, wide = "", ""
    if scan is not None and box is not None:
        picture = f'<img alt="" src="{picture_of(scan, box)}">'
        wide = ' class="wide"' if box[2] - box[0] > _WIDE * (box[3] - box[1]) else ""
    others = [
        f"{escape(reading)} ({in_percent(share)})" for reading, share in line.alternatives.items() if reading != line.read
    ]
    text = f"<b>{_place(line.where)}</b><br>read {escape(line.read)} ({in_percent(line.confidence)})"
    text += f", or {', '.join(others)}" if others else ""
    totals = " or ".join(str(total) for total in line.changes_total_to)
    after = f"total {totals}" if len(line.changes_total_to) > 1 else "the total stays"
    return f"<li{wide}>{picture}<span>{text}<br>{after}</span></li>"
