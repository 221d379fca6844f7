"""An obelisk sheet at a terminal: the tower as it was read with its points, and beside it what the score is made of.

Where both fit side by side they are laid out here, line by line: rich's tables measure what lies in them again at every depth,
and two of them in a frame take longer than a photo's symbols. Where they do not fit, rich's tables wrap them.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from scanner.engine.obelisk.sheet import ROWS_A_LEVEL
from scanner.report.where import cell_of
from scanner.result import Review

NARROW: Final = 64
"""Columns of a terminal under which the points stand below the obelisk instead of beside it."""

_GAP: Final = 2
_WIDE_GAP: Final = 3
_POINT_STYLES: Final = ("dim", "", "cyan")
"""Of a part's name, its points, and their sum."""

_Parts = list[tuple[str, str]]
"""A line as pieces of text with their styles."""


def _picture_lines(state: Mapping[str, Any], score: Mapping[str, Any], review: Iterable[Review]) -> list[_Parts]:
    rows: Sequence[str] = state["obelisk"]
    doubtful = {cell[1:] for line in review if (cell := cell_of(line.where)) is not None and cell[0] == "obelisk"}
    lines: list[_Parts] = []
    for r, (row, points) in enumerate(zip(rows, score["rows"], strict=True)):
        if (len(rows) - r) % ROWS_A_LEVEL == 0:
            lines.append([(f"    {'- ' * len(row)}", "dim")])
        parts = [(f"{r + 1:2d}  ", "dim")]
        for c, character in enumerate(row):
            style = "bold reverse yellow" if (r, c) in doubtful else "dim" if character in "._" else "bold"
            parts += [(character, style), (" ", "")]
        parts.append((f" {points:2d}", "cyan") if points else ("  -", "dim"))
        lines.append(parts)
    lines.append([("    " + " ".join(str(points) for points in score["columns"]), "cyan")])
    return lines


def obelisk_picture(state: Mapping[str, Any], score: Mapping[str, Any], review: Iterable[Review] = ()) -> Text:
    """The obelisk in the state's characters, with each row's points at its right, each column's below, dotted level lines,
    and the readings that need a look shown in reverse."""
    return _joined(_picture_lines(state, score, review))


def _joined(lines: Iterable[_Parts]) -> Text:
    return Text("\n").join(Text.assemble(*((text, style) if style else text for text, style in parts)) for parts in lines)


def _points(state: Mapping[str, Any], score: Mapping[str, Any], bounds: tuple[int, int] | None) -> list[_Parts]:
    """Three cells a line."""
    lines: list[_Parts] = []
    for name in ("columns", "rows", "levels", "scrolls"):
        points = score[name]
        lines.append([(name, ""), (" ".join(str(n) for n in points), ""), (str(sum(points)), "")])
    for index, scroll in enumerate(state.get("scrolls") or (), start=1):
        if scroll["symbols"]:
            used = ", used" if scroll["used"] else ""
            lines.append([("", ""), (f"scroll {index}: {scroll['symbols']}{used}", ""), ("", "")])
    doubt = f"{bounds[0]} to {bounds[1]}" if bounds is not None and bounds[0] != bounds[1] else ""
    lines.append([("total", "bold"), (doubt, "yellow"), (str(score["total"]), "bold green")])
    lines.append([("empty spaces", ""), ("", ""), (str(score["empty_spaces"]), "")])
    return lines


def _points_table(lines: Iterable[_Parts]) -> Table:
    table = Table.grid(padding=(0, _GAP))
    name, points, total = _POINT_STYLES
    table.add_column(style=name)
    table.add_column(style=points, ratio=1)
    table.add_column(style=total, justify="right")
    for parts in lines:
        table.add_row(*(Text(text, style) for text, style in parts))
    return table


class _SideBySide:
    """The picture, and the points beside the middle of it."""

    def __init__(self, picture: list[_Parts], points: list[_Parts]) -> None:
        self.picture, self.points = picture, points
        self.picture_width = max(sum(cell_len(text) for text, _ in parts) for parts in picture)
        self.widths = [max(cell_len(cell[0]) for cell in column) for column in zip(*points, strict=True)]
        self.points_width = sum(self.widths) + _GAP * (len(self.widths) - 1)
        self.width = self.picture_width + _WIDE_GAP + self.points_width

    def _table(self) -> Table:
        table = Table.grid(padding=(0, _WIDE_GAP))
        table.add_column(no_wrap=True)
        table.add_column(vertical="middle")
        table.add_row(_joined(self.picture), _points_table(self.points))
        return table

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        if self.width > options.max_width:
            return Measurement.get(console, options, self._table())
        return Measurement(self.width, self.width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.width > options.max_width:
            yield self._table()
            return
        # rich styles the gap after a cell like its column.
        gaps = [Segment(" " * _GAP, console.get_style(style)) for style in _POINT_STYLES[:-1]]
        above = (len(self.picture) - len(self.points)) // 2
        for number, picture in enumerate(self.picture):
            for text, style in picture:
                yield Segment(text, console.get_style(style))
            rest = self.picture_width + _WIDE_GAP - sum(cell_len(text) for text, _ in picture)
            yield Segment(" " * rest)
            if not above <= number < above + len(self.points):
                yield Segment(" " * self.points_width)
            else:
                cells = self.points[number - above]
                for column, ((text, style), column_style, width) in enumerate(
                    zip(cells, _POINT_STYLES, self.widths, strict=True)
                ):
                    space = " " * (width - cell_len(text))
                    whole = text + space if column < len(gaps) else space + text
                    yield Segment(whole, console.get_style(column_style) + console.get_style(style))
                    yield from gaps[column : column + 1]
            yield Segment.line()


def obelisk_body(
    state: Mapping[str, Any], score: Mapping[str, Any], width: int, review: Sequence[Review], bounds: tuple[int, int] | None
) -> RenderableType:
    """The picture and the points, side by side if the terminal's `width` is enough for it."""
    picture, points = _picture_lines(state, score, review), _points(state, score, bounds)
    if width < NARROW:
        return Group(_joined(picture), "", _points_table(points))
    return _SideBySide(picture, points)
