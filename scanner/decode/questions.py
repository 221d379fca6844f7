"""Open readings to doubts: what each alternative would do to the total, and the bounds that they leave together."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from scanner.decode.decoded import Doubt
from scanner.engine.obelisk.scoring import column_points, row_points
from scanner.engine.obelisk.sheet import BLANK, ROW_POINTS, SYMBOLS, UNBUILT

JOINT_LIMIT = 512
"""Up to so many combinations of alternatives, the bounds come from trying them all; beyond, from bounds line by line."""

_LINE_LIMIT = 64
"""A cell beside more combinations of alternatives in its row or column is taken to count without trying them."""


@dataclass(frozen=True, slots=True)
class CellQuestion:
    """An obelisk cell (row, column from 0) that is not certain; alternatives: state character -> posterior probability."""

    row: int
    column: int
    alternatives: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class PointsQuestion:
    """A circle, or a level, that is not certain. alternatives: reading -> posterior probability; points: reading -> points."""

    where: str
    read: str
    alternatives: Mapping[str, float]
    points: Mapping[str, int]


Grid = Sequence[Sequence[str]]
_EMPTY = UNBUILT + BLANK


def _grid_points(grid: Grid, changes: Mapping[tuple[int, int], str]) -> tuple[int, int]:
    """What the changes do to the points of rows and columns, and to the empty spaces."""
    total = empty = 0
    for row in {row for row, _ in changes}:
        changed = [changes.get((row, column), old) for column, old in enumerate(grid[row])]
        total += row_points(changed) - row_points(grid[row])
        empty += sum(cell in _EMPTY for cell in changed) - sum(cell in _EMPTY for cell in grid[row])
    for column in {column for _, column in changes}:
        old = [row[column] for row in grid]
        total += column_points([changes.get((row, column), cell) for row, cell in enumerate(old)]) - column_points(old)
    return total, empty


def _spots(cells: Sequence[CellQuestion], row: int | None = None, column: int | None = None) -> list[tuple[int, int]]:
    """The questions about a row or a column: place in the line and number of the question."""
    if column is None:
        return [(cell.column, number) for number, cell in enumerate(cells) if cell.row == row]
    return [(cell.row, number) for number, cell in enumerate(cells) if cell.column == column]


def _line_points(
    line: Sequence[str],
    points: Callable[[Sequence[str]], int],
    choices: Iterable[Sequence[str]],
    spots: Sequence[tuple[int, int]],
) -> list[int]:
    """What each choice of alternatives for all questions does to the points of one line, which holds those of `spots`."""
    # Few of the choices differ in any one line.
    known: dict[tuple[str, ...], int] = {}
    before, found = points(line), []
    for choice in choices:
        here = tuple([choice[number] for _, number in spots])
        if here not in known:
            changed = list(line)
            for (place, _), reading in zip(spots, here, strict=True):
                changed[place] = reading
            known[here] = points(changed) - before
        found.append(known[here])
    return found


def _grid_bounds(grid: Grid, cells: Sequence[CellQuestion]) -> tuple[int, int]:
    """The least and the most that the cells' alternatives can add to the points of rows and columns."""
    combinations = 1
    for cell in cells:
        combinations *= len(cell.alternatives)
    if combinations <= JOINT_LIMIT:
        choices = list(product(*(cell.alternatives for cell in cells)))
        lines = [_line_points(grid[row], row_points, choices, _spots(cells, row=row)) for row in {cell.row for cell in cells}]
        for column in {cell.column for cell in cells}:
            line = [row[column] for row in grid]
            lines.append(_line_points(line, column_points, choices, _spots(cells, column=column)))
        added = [sum(gains) for gains in zip(*lines, strict=True)] or [0]
        return min(added), max(added)
    low = high = 0
    by_row = [(row, [cell for cell in cells if cell.row == index]) for index, row in enumerate(grid)]
    by_column = [([row[c] for row in grid], [cell for cell in cells if cell.column == c]) for c in range(len(grid[0]))]
    for row, open_cells in by_row:
        if open_cells:
            fixed = {old for column, old in enumerate(row) if all(column != cell.column for cell in open_cells)} & set(SYMBOLS)
            new = sum(1 for cell in open_cells if not fixed.issuperset(set(cell.alternatives) & set(SYMBOLS)))
            low += ROW_POINTS[len(fixed)] - row_points(row)
            high += ROW_POINTS[min(len(fixed) + new, len(SYMBOLS))] - row_points(row)
    for line, open_cells in by_column:
        if open_cells:
            fixed_cells = [old for row, old in enumerate(line) if all(row != cell.row for cell in open_cells)]
            reach = [fixed_cells.count(s) + sum(1 for cell in open_cells if s in cell.alternatives) for s in SYMBOLS]
            low += column_points(fixed_cells) - column_points(line)
            high += max(reach) - column_points(line)
    return low, high


def ask(
    grid: Grid, total: int, cells: Iterable[CellQuestion], circles: Iterable[PointsQuestion]
) -> tuple[tuple[Doubt, ...], tuple[int, int]]:
    """Doubts, most important first, and the lowest and highest total that they allow together.

    grid: the obelisk's characters as read; total: the score of what was read. Questions that can change neither the total
    nor the number of empty spaces, nor anything together with the other open cells, are dropped. Importance is the expected
    change of the total, then of the empty spaces.
    """
    found: list[tuple[float, float, Doubt]] = []
    open_cells = list(cells)
    counting = [cell for cell in open_cells if _counts(grid, cell, open_cells)]
    for cell in counting:
        read, place = grid[cell.row][cell.column], (cell.row, cell.column)
        changes = {reading: _grid_points(grid, {place: reading}) for reading in cell.alternatives}
        found.append(
            (
                -sum(cell.alternatives[reading] * abs(points) for reading, (points, _) in changes.items()),
                -sum(cell.alternatives[reading] * abs(empty) for reading, (_, empty) in changes.items()),
                _doubt(
                    f"obelisk r{cell.row + 1} c{cell.column + 1}",
                    read,
                    cell.alternatives,
                    {total} | {total + points for points, _ in changes.values()},
                ),
            )
        )
    low, high = _grid_bounds(grid, counting)
    for circle in circles:
        added = {reading: circle.points[reading] - circle.points[circle.read] for reading in circle.alternatives}
        if any(added.values()):
            weight = sum(circle.alternatives[reading] * abs(points) for reading, points in added.items())
            totals = {total} | {total + points for points in added.values()}
            found.append((-weight, 0.0, _doubt(circle.where, circle.read, circle.alternatives, totals)))
            low, high = low + min(0, *added.values()), high + max(0, *added.values())
    found.sort(key=lambda entry: entry[:2])
    # Bounds taken line by line can promise more loss than there are points.
    return tuple(doubt for _, _, doubt in found), (max(0, total + low), total + high)


def _counts(grid: Grid, cell: CellQuestion, open_cells: Sequence[CellQuestion]) -> bool:
    """Whether a cell's alternatives can differ in what counts, whatever stands in the other open cells."""
    read = grid[cell.row][cell.column]
    readings = {BLANK if reading == UNBUILT else reading for reading in (read, *cell.alternatives)}
    if len({reading in _EMPTY for reading in readings}) > 1:
        return True
    row, column = grid[cell.row], [line[cell.column] for line in grid]
    in_row = [other for other in open_cells if other.row == cell.row and other is not cell]
    in_column = [other for other in open_cells if other.column == cell.column and other is not cell]
    return _tells(row, row_points, cell.column, readings, [(other.column, other) for other in in_row]) or _tells(
        column, column_points, cell.row, readings, [(other.row, other) for other in in_column]
    )


def _tells(
    line: Sequence[str],
    points: Callable[[Sequence[str]], int],
    place: int,
    readings: Collection[str],
    others: Sequence[tuple[int, CellQuestion]],
) -> bool:
    """Whether readings at a place can give a line different points, with any alternatives at its other open places."""
    combinations = 1
    for _, other in others:
        combinations *= len(other.alternatives)
    if combinations > _LINE_LIMIT:
        return True
    changed = list(line)
    for choice in product(*(other.alternatives for _, other in others)):
        for (at, _), reading in zip(others, choice, strict=True):
            changed[at] = reading
        found = set()
        for reading in readings:
            changed[place] = reading
            found.add(points(changed))
        if len(found) > 1:
            return True
    return False


def _doubt(where: str, read: str, alternatives: Mapping[str, float], totals: set[int]) -> Doubt:
    ordered = {reading: round(alternatives[reading], 4) for reading in sorted(alternatives, key=lambda r: -alternatives[r])}
    return Doubt(where, read, round(alternatives[read], 4), ordered, sorted(totals))
