"""Shadow of the Obelisk: readings to the most probable sheet, by the rules of the game.

The wall's outlines and the symbols are decoded together (`joint`), then the tower under them (`building`), then the circles,
which knew the height and the scrolls. What other solutions say, weighed by their likelihood, gives each cell's posterior
probabilities; what is open among them becomes doubts.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from scanner.decode.assembly import DOUBT_BOUND, answered_cells, finish, letters, listed, rows_of, scroll_symbols
from scanner.decode.building import build, outlined
from scanner.decode.carving import BARE_SCROLL, CELLS, WRITTEN
from scanner.decode.circles import level_gains, marked_twice, read_circles
from scanner.decode.decoded import AuditLine, Decoded
from scanner.decode.evidence import CHARACTERS, Evidence, gather
from scanner.decode.joint import Carved, carve
from scanner.decode.lattice import lattice
from scanner.decode.posterior import posterior, shares
from scanner.decode.questions import CellQuestion
from scanner.decode.raw import decode_raw
from scanner.decode.unclosed import unclosed_outlines
from scanner.engine.obelisk.sheet import (
    BLANK,
    CROSSED,
    OBELISK_COLUMNS,
    OBELISK_ROWS,
    SCROLL_POINTS,
    SYMBOLS,
    UNBUILT,
    UNREADABLE,
    WALL_COLUMNS,
    WALL_ROWS,
)
from scanner.engine.obelisk.wording import cell_name
from scanner.errors import Inconsistent
from scanner.reading.readings import CONTENT_CHARACTERS, Readings, unseen
from scanner.sheet.pose import SheetIdentity

SCROLL_COLUMNS: Final = 2

CONFIDENT_INK: Final = 0.95
"""A cell that looks so certain for itself is a doubt whenever the rules make something else of it."""

SETTLED_INK: Final = 0.999
"""Ink that looks so certain for itself settles its cell where the rules agree or cannot explain it: a breach is the paper's own
and stands in the audit. Where a carved group has something else, one of the two may still have been misread."""

MOST_UNSURE: Final = 2.5
"""The most cells that may be misread, by the networks' own account, on a sheet whose outlines cannot be found; with more,
nothing on it can be relied on."""

UNLIKE_INK: Final = 0.05
"""What the rules make of a cell is asked about when the cell, looked at alone, is less likely than this to hold it."""

LONE_SYMBOL: Final = 0.999
"""A symbol that no carved group explains breaks the rules: unless it is as likely as this, it is asked about."""

SPOILED_INK: Final = 0.08
"""A symbol that looks crossed out or like none with this probability is asked about, even where a carved group vouches for what
stood there: players cross out what they have written."""

OWN_LINE: Final = 3.0
"""A group that stands nowhere was outlined all the same, and not space left between others, if lines that only it explains
speak for it so much: one that is clearly drawn is enough."""

FOREIGN_SHARE: Final = 0.1
"""How much rarer letters and doodles are on played sheets than the networks' calibration has it. Where nothing was carved, a
cell that still shows one more likely than anything else cannot be read."""


def decode_obelisk(readings: Readings, identity: SheetIdentity) -> Decoded:
    """The most probable sheet, what is open about it, and the rules that it breaks.

    If the search finds no legal sheet within its bounds, the raw reading stands, with its doubts. Raises Inconsistent where
    hardly anything can be seen.
    """
    evidence = gather(readings)
    wall, obelisk = lattice(WALL_ROWS, WALL_COLUMNS), lattice(OBELISK_ROWS, OBELISK_COLUMNS)
    carved = carve(evidence, wall, outlined(evidence, obelisk))
    if carved is None:
        return decode_raw(readings, identity)
    owners = _owners(carved)
    tower = build(evidence, obelisk, owners, level_gains(evidence.marks))
    content = np.exp(np.asarray(readings.content["obelisk"], float)).reshape(CELLS, -1)
    after = posterior(evidence, carved, tower)
    if after.unlined > 0.5 and (unsure := float((1 - content.max(1)).sum())) > MOST_UNSURE:
        raise Inconsistent(
            f"The writing can hardly be seen: no outlines are found around symbols, and {unsure:.0f} cells cannot be told.",
            "Take the photo again from closer by, in even light, without glare.",
        )
    covered = unseen(readings.content["obelisk"]).ravel().tolist()
    answered = answered_cells(readings.answers)
    characters, questions, confidence = [], [], {}
    for cell, owner in enumerate(owners):
        blank = BLANK if tower.is_built[cell] or owner else UNBUILT
        if cell in answered:
            # Whether a blank cell was built is for the outlines to say.
            characters.append(blank if answered[cell] in (BLANK, UNBUILT) else answered[cell])
            continue
        chances: dict[str, float] = dict(zip(blank + CHARACTERS[1:], after.odds[cell].tolist(), strict=True))
        alone = dict(zip(CONTENT_CHARACTERS.replace(BLANK, blank), content[cell].tolist(), strict=True))
        ink = max(alone, key=lambda character: alone[character])
        other = float(evidence.obelisk_other[cell])
        sure = float(content[cell].max()) >= CONFIDENT_INK
        # A group that was carved here vouches for a symbol; what is certainly none is still asked about.
        if not owner or (sure and ink == UNREADABLE):
            foreign = FOREIGN_SHARE * other / (1.0 if owner else FOREIGN_SHARE * other + 1 - other)
            chances = {key: value * (1 - foreign) for key, value in chances.items()} | {UNREADABLE: foreign}
        reading = max(chances, key=lambda character: chances[character])
        unlike = alone[reading] < UNLIKE_INK
        disputed = unlike or (ink != reading and (sure or not carved.complete))
        characters.append(reading)
        confidence[cell_name("obelisk", divmod(cell, OBELISK_COLUMNS))] = chances[reading]
        spoiled = reading in SYMBOLS and alone[CROSSED] + alone[UNREADABLE] >= SPOILED_INK
        vouched = carved.owners[cell, 1:].sum() - (carved.owners[cell, 1 + SYMBOLS.index(ink)] if ink in SYMBOLS else 0.0)
        if ink == reading != UNREADABLE and alone[ink] >= SETTLED_INK and vouched < DOUBT_BOUND:
            continue
        orphan = reading in SYMBOLS and not owner and chances[reading] < LONE_SYMBOL
        if covered[cell] or disputed or spoiled or orphan or reading == UNREADABLE or chances[reading] < 1 - DOUBT_BOUND:
            alternatives = listed(chances, reading)
            if spoiled:
                alternatives[CROSSED] = chances[CROSSED]
            if covered[cell] or orphan:
                # Whatever the rules make of it, a person must lift what lies there and look; and a symbol that nothing explains
                # may be none.
                alternatives = {reading: chances[reading]} | chances
            if disputed:
                seen = [ink, *(character for character in alone if unlike and alone[character] >= UNLIKE_INK)]
                alternatives.update({character: chances[character] for character in seen if character in chances})
            questions.append(CellQuestion(*divmod(cell, OBELISK_COLUMNS), alternatives))
    scrolls, filled = _scrolls(evidence, carved, readings.answers)
    circles = read_circles(evidence.marks, tower.reached, filled, DOUBT_BOUND)
    settled = list(zip(carved.groups, carved.assignment.places, strict=True))
    groups = [group.placement for group, place in settled if group.outlined and (place or group.absent >= OWN_LINE)]
    standing = [group.placement for group, place in settled if group.outlined and place]
    decoded = finish(identity, rows_of(characters), letters(wall, groups), scrolls, circles, questions)
    crossed = [cell for cell in range(CELLS) if tower.is_built[cell] and characters[cell] == CROSSED]
    twice = marked_twice(readings.answers)
    unclosed = unclosed_outlines(wall, evidence.wall_edges, standing)
    audit = (*decoded.audit, *_built_and_crossed(crossed, decoded), *unclosed, *twice)
    return replace(decoded, audit=audit, confidence=confidence)


def _built_and_crossed(cells: list[int], decoded: Decoded) -> list[AuditLine]:
    """Findings for crossed-out cells of a shape, which the state's characters cannot show; none where another line names the
    cell already."""
    named = {line.where for line in decoded.audit}
    found = []
    for cell in cells:
        row, column = divmod(cell, OBELISK_COLUMNS)
        if (where := cell_name("obelisk", (row, column))) not in named:
            text = "The space is crossed out, but the outlines have it as part of a shape that was built."
            found.append(AuditLine("crossed out but built", where, text))
    return found


def _owners(carved: Carved) -> list[int]:
    """For each cell the symbol of the group carved there in the best solution, 1 to 5, or 0."""
    owners = [0] * CELLS
    for group, place in zip(carved.groups, carved.assignment.places, strict=True):
        if place is not None:
            for cell, symbol in zip(place.cells, group.symbols, strict=False):
                owners[cell] = symbol + 1
    return owners


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
