"""What an audit of the state alone cannot find: what the ink, or the outlines, say against the cells as they were read."""

from collections.abc import Iterable, Sequence
from typing import Final

from scanner.decode.decoded import AuditLine
from scanner.engine.obelisk.sheet import BLANK, CROSSED, NAME_OF_CELL, OBELISK_COLUMNS, SYMBOLS
from scanner.engine.obelisk.wording import cell_name, with_article
from scanner.reading.readings import CONTENT_CHARACTERS

CLEAR_INK: Final = 0.95
"""Ink that looks so certain is spoken of where something else was read all the same. On sheets without mistakes that is one
cell in 300 sheets."""

PERHAPS_CLOSED: Final = 0.02
"""So is a blank space that is as probably closed, and not built. On sheets without mistakes that is one in 300, too."""


def _where(cell: int) -> str:
    return cell_name("obelisk", divmod(cell, OBELISK_COLUMNS))


def remarks(
    characters: Sequence[str],
    contents: Sequence[Sequence[float]],
    owners: Sequence[int],
    is_built: Sequence[bool],
    closed: Sequence[float],
    named: Iterable[str],
    asked: Iterable[str],
) -> list[AuditLine]:
    """Findings about the 60 cells, but for those that are `named` in other findings; about what may be misread not where a
    person is `asked`, or was.

    characters: as they were read; contents: the network's probabilities of each cell's CONTENT_CHARACTERS; owners: the symbol
    of the group carved there, 1 to 5, or 0; is_built, closed: what the outlines say, as in `Tower`."""
    named, asked = set(named), set(asked)
    found = []
    for cell, read in enumerate(characters):
        where = _where(cell)
        if where in named:
            continue
        certainty = max(contents[cell])
        ink = CONTENT_CHARACTERS[contents[cell].index(certainty)]
        if read == CROSSED and is_built[cell]:
            # The state's characters cannot show it.
            text = "The space is crossed out, but the outlines have it as part of a shape that was built."
            found.append(AuditLine("crossed out but built", where, text))
        elif where in asked:
            continue
        elif certainty >= CLEAR_INK and ink in SYMBOLS + CROSSED and ink != read:
            found.append(_overruled(cell, where, ink, SYMBOLS[owners[cell] - 1] if owners[cell] else read))
        elif read == BLANK and closed[cell] >= PERHAPS_CLOSED:
            text = "The lines around this space are not clear: if no shape covers it, it is closed and must be crossed out."
            found.append(AuditLine("closed area not crossed out", where, text))
    return found


def _overruled(cell: int, where: str, ink: str, meant: str) -> AuditLine:
    row, column = divmod(cell, OBELISK_COLUMNS)
    looks = "crossed out" if ink == CROSSED else f"like {with_article(NAME_OF_CELL[ink])}"
    if meant in SYMBOLS:
        by = f"the group carved there it was read as {with_article(NAME_OF_CELL[meant])}"
        rule = "symbol copied wrongly"
    else:
        by = f"the outlines it was read as {NAME_OF_CELL[meant]}"
        rule = "ink overruled"
    return AuditLine(rule, where, f"Row {row + 1} column {column + 1} looks {looks}; by {by}.")
