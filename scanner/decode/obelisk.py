"""Shadow of the Obelisk: readings to the most probable sheet, by the rules of the game.

The wall's outlines and the symbols are decoded together (`joint`), then the tower under them (`building`), then the circles,
which knew the height and the scrolls. What other solutions say, weighed by their likelihood, gives each cell's posterior
probabilities; what is open among them becomes doubts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from scanner.decode.assembly import answered_cells, finish, letters, levels_read, rows_of, scroll_symbols
from scanner.decode.building import build, outlined
from scanner.decode.carving import BARE_SCROLL, WRITTEN
from scanner.decode.cells import Sight, judge
from scanner.decode.circles import level_gains, marked_twice, read_circles
from scanner.decode.decoded import DOUBT_BOUND, Decoded
from scanner.decode.evidence import CHARACTERS, Evidence, gather, shares
from scanner.decode.joint import Carved, carve
from scanner.decode.lattice import lattice
from scanner.decode.lines import LINES_MISSING, stray_lines, unclosed_outlines
from scanner.decode.outlines import Outlines, outlines_of
from scanner.decode.posterior import posterior
from scanner.decode.questions import CellQuestion
from scanner.decode.raw import decode_raw
from scanner.decode.remarks import remarks
from scanner.decode.targets import CELLS
from scanner.engine.obelisk.sheet import (
    BLANK,
    CROSSED,
    OBELISK_COLUMNS,
    OBELISK_ROWS,
    SCROLL_POINTS,
    SYMBOLS,
    UNBUILT,
    WALL_COLUMNS,
    WALL_ROWS,
)
from scanner.engine.obelisk.wording import cell_name
from scanner.errors import Inconsistent
from scanner.geometry import FloatArray
from scanner.reading.readings import CONTENT_CHARACTERS, Readings, unseen
from scanner.sheet.pose import SheetIdentity

SCROLL_COLUMNS: Final = 2

MOST_UNSURE: Final = 2.5
"""The most cells that may be misread, by the networks' own account, on a sheet whose outlines cannot be found; with more,
nothing on it can be relied on."""

UNLINED_SHARE: Final = 0.5
"""They cannot, if symbols without outlines are so many beside those that groups explain; a few are a player's own."""

OWN_LINE: Final = 3.0
"""A group that stands nowhere was outlined all the same, and not space left between others, if lines that only it explains
speak for it so much: one that is clearly drawn is enough."""


UNLIKE_GROUP: Final = 0.01
"""A cell clearly looks like something else than its group has there, if that is less probable by its ink."""


class _Labels(NamedTuple):
    """What a cell may hold by the rules, by its ink and by the groups on the wall, in the order of the arrays."""

    rules: str
    ink: str
    groups: str


_LABELS: Final = {
    blank: _Labels(blank + CHARACTERS[1:], CONTENT_CHARACTERS.replace(BLANK, blank), blank + SYMBOLS)
    for blank in (BLANK, UNBUILT)
}


def decode_obelisk(readings: Readings, identity: SheetIdentity) -> Decoded:
    """The most probable sheet, what is open about it, and the rules that it breaks.

    If the search finds no legal sheet within its bounds, the raw reading stands, with its doubts. Raises Inconsistent where
    hardly anything can be seen.
    """
    evidence = gather(readings)
    wall = lattice(WALL_ROWS, WALL_COLUMNS)
    on_wall = outlines_of(wall, evidence.wall_edges)
    on_obelisk = outlines_of(lattice(OBELISK_ROWS, OBELISK_COLUMNS), evidence.obelisk_edges)
    carved = carve(evidence, on_wall, outlined(on_obelisk))
    if carved is None:
        return decode_raw(readings, identity)
    owners = _owners(carved)
    tower = build(evidence, on_obelisk, owners, level_gains(evidence.marks))
    content = np.exp(np.asarray(readings.content["obelisk"], float)).reshape(CELLS, -1)
    after = posterior(evidence, carved, tower)
    unlined = after.unlined > 0.5 and after.orphans > UNLINED_SHARE * sum(map(bool, owners))
    if unlined and (unsure := float((1 - content.max(1)).sum())) > MOST_UNSURE:
        raise Inconsistent(
            f"The writing can hardly be seen: no outlines are found around symbols, and {unsure:.0f} cells cannot be told.",
            "Take the photo again from closer by, in even light, without glare.",
        )
    covered = unseen(readings.content["obelisk"]).ravel().tolist()
    answered = answered_cells(readings.answers)
    characters, questions, confidence = [], [], {}
    odds, alone, vouched = after.odds.tolist(), content.tolist(), carved.owners.tolist()
    odd = _copied_oddly(carved, content)
    for cell, owner in enumerate(owners):
        blank = BLANK if tower.is_built[cell] or owner else UNBUILT
        labels = _LABELS[blank]
        if cell in answered:
            # Whether a blank cell was built is for the outlines to say.
            characters.append(blank if answered[cell] in (BLANK, UNBUILT) else answered[cell])
            continue
        judged = judge(
            Sight(
                chances=dict(zip(labels.rules, odds[cell], strict=True)),
                alone=dict(zip(labels.ink, alone[cell], strict=True)),
                carved=bool(owner),
                whole=bool(owner) and cell not in odd,
                vouched=dict(zip(labels.groups, vouched[cell], strict=True)),
                covered=covered[cell],
                complete=carved.complete,
            )
        )
        characters.append(judged.reading)
        confidence[cell_name("obelisk", divmod(cell, OBELISK_COLUMNS))] = judged.probability
        if judged.alternatives:
            questions.append(CellQuestion(*divmod(cell, OBELISK_COLUMNS), judged.alternatives))
    scrolls, filled = _scrolls(evidence, carved, readings.answers)
    grid = rows_of(characters)
    circles = read_circles(
        evidence.marks, levels_read(grid), [bool(symbols) for symbols in scrolls], DOUBT_BOUND, tower.reached, filled
    )
    settled = list(zip(carved.groups, carved.assignment.places, strict=True))
    groups = [group.placement for group, place in settled if group.outlined and (place or group.absent >= OWN_LINE)]
    standing = [group.placement for group, place in settled if group.outlined and place]
    found = _drawn_all_the_same(on_wall, groups, [g.placement for g, p in settled if p and not g.outlined])
    groups, standing = groups + found, standing + found
    decoded = finish(
        identity, grid, letters(wall, groups), scrolls, circles, questions, _built_grid(characters, owners, tower.is_built)
    )
    tower_lines = ("obelisk", on_obelisk.lattice, evidence.obelisk_edges)
    wall_lines = ("wall", wall, evidence.wall_edges)
    lines = (
        *unclosed_outlines(*tower_lines, tower.layout, "is taken for built"),
        *stray_lines(*tower_lines, tower.layout),
        *unclosed_outlines(*wall_lines, standing, "was carved"),
        *stray_lines(*wall_lines, groups),
    )
    beside = remarks(
        characters,
        alone,
        owners,
        tower.is_built,
        tower.closed.tolist(),
        named=[line.where for line in decoded.audit],
        asked=[*(doubt.where for doubt in decoded.doubts), *readings.answers],
    )
    audit = (*decoded.audit, *beside, *lines, *marked_twice(evidence.marks))
    return replace(decoded, audit=audit, confidence=confidence)


def _drawn_all_the_same(on_wall: Outlines, groups: Sequence[int], carved: Sequence[int]) -> list[int]:
    """Of the groups `carved` without being among the outlined `groups`, those whose outline is there: too many lines along the
    border or the level lines can be taken for either, so that the likeliest layouts of the wall may all have missed one."""
    wall = on_wall.lattice
    taken = {cell for index in groups for cell in wall.cells[index]}
    gain = np.append(on_wall.edge_gain, 0.0)
    found: list[int] = []
    for index in carved:
        drawn = on_wall.costs[index] < LINES_MISSING and gain[wall.outline[index]].sum() > 0
        if drawn and taken.isdisjoint(wall.cells[index]):
            found.append(index)
            taken.update(wall.cells[index])
    return found


def _owners(carved: Carved) -> list[int]:
    """For each cell the symbol of the group carved there in the best solution, 1 to 5, or 0."""
    owners = [0] * CELLS
    for group, place in zip(carved.groups, carved.assignment.places, strict=True):
        if place is not None:
            for cell, symbol in zip(place.cells, group.symbols, strict=False):
                owners[cell] = symbol + 1
    return owners


def _built_grid(characters: Sequence[str], owners: Sequence[int], is_built: Sequence[bool]) -> list[str] | None:
    """The obelisk's rows with crossed-out cells of shapes, but for those of carved groups, as blank ones; None if there are
    none."""
    crossed = [cell for cell, read in enumerate(characters) if read == CROSSED and is_built[cell] and not owners[cell]]
    return rows_of([BLANK if cell in crossed else read for cell, read in enumerate(characters)]) if crossed else None


def _copied_oddly(carved: Carved, content: FloatArray) -> set[int]:
    """The cells of groups of which one cell or more clearly looks like something else than the group has there.

    content: float64 (60, 8), the network's probabilities of CONTENT_CHARACTERS."""
    found: set[int] = set()
    for group, place in zip(carved.groups, carved.assignment.places, strict=True):
        if place is not None and place.cells:
            meant = [CONTENT_CHARACTERS.index(SYMBOLS[symbol]) for symbol in group.symbols]
            if content[list(place.cells), meant].min() < UNLIKE_GROUP:
                found.update(place.cells)
    return found


def _scrolls(evidence: Evidence, carved: Carved, answers: Mapping[str, Any]) -> tuple[list[str], list[float]]:
    """The scrolls' symbols, bottom first, and the probability that each is filled."""
    owners = np.zeros((len(SCROLL_POINTS), 4), int)
    for group, place in zip(carved.groups, carved.assignment.places, strict=True):
        if place is not None and place.scroll >= 0:
            owners[place.scroll] = np.array(group.symbols) + 1
    models = np.vstack([BARE_SCROLL, WRITTEN[1:]])
    read = (evidence.scrolls * models[owners]).argmax(-1)
    symbols = []
    for number, cells in enumerate(read.tolist(), 1):
        answered = answered_cells(answers, f"scroll{number}", SCROLL_COLUMNS)
        symbols.append(scroll_symbols([answered.get(cell, CHARACTERS[index]) for cell, index in enumerate(cells)]))
    odds = shares(evidence.scrolls[:, :, None, :] * models)
    written = (carved.scrolls[..., None] * odds).sum(2)[..., 1:6].sum(-1)
    return symbols, written.max(1).tolist()
