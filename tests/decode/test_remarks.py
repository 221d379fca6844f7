"""What the ink and the outlines say against the cells as they were read is named, once."""

import pytest

from scanner.decode.decoded import AuditLine
from scanner.decode.remarks import CLEAR_INK, PERHAPS_CLOSED, remarks
from scanner.reading.readings import CONTENT_CHARACTERS

CELL, WHERE = 33, "obelisk r7 c4"


def found(
    read: str,
    ink: str,
    certainty: float = 0.99,
    *,
    owner: int = 0,
    built: bool = False,
    closed: float = 0.0,
    named: tuple[str, ...] = (),
    asked: tuple[str, ...] = (),
) -> list[AuditLine]:
    """Remarks about one cell; all others are blank, open and clear."""
    characters, owners, is_built, p_closed = ["."] * 60, [0] * 60, [False] * 60, [0.0] * 60
    contents = [[1.0, *[0.0] * 7] for _ in range(60)]
    contents[CELL] = [certainty if c == ink else (1 - certainty) / 7 for c in CONTENT_CHARACTERS]
    characters[CELL], owners[CELL], is_built[CELL], p_closed[CELL] = read, owner, built, closed
    return remarks(characters, contents, owners, is_built, p_closed, named, asked)


def test_ink_that_the_carved_group_overrules() -> None:
    (line,) = found("@", "O", owner=4, built=True)
    assert (line.rule, line.where) == ("symbol copied wrongly", WHERE)
    assert line.message == "Row 7 column 4 looks like a sun; by the group carved there it was read as an eye."


def test_ink_that_the_outlines_overrule() -> None:
    (line,) = found("x", "O")
    assert line.message == "Row 7 column 4 looks like a sun; by the outlines it was read as crossed out."
    (line,) = found("_", "x", built=True)
    assert line.message == "Row 7 column 4 looks crossed out; by the outlines it was read as built and blank."


def test_spaces_that_are_crossed_out_but_built() -> None:
    (line,) = found("x", "x", built=True, asked=(WHERE,))
    assert (line.rule, line.where) == ("crossed out but built", WHERE)


def test_blank_spaces_that_are_perhaps_closed() -> None:
    (line,) = found("_", "_", built=True, closed=PERHAPS_CLOSED)
    assert (line.rule, line.where) == ("closed area not crossed out", WHERE)


@pytest.mark.parametrize(
    "lines",
    [
        found("O", "O", owner=1, built=True),
        found("@", "O", CLEAR_INK - 0.01, owner=4, built=True),
        found("@", "O", owner=4, built=True, asked=(WHERE,)),
        found("@", "O", owner=4, built=True, named=(WHERE,)),
        found("x", "x"),
        found("x", "x", built=True, named=(WHERE,)),
        found("_", "_", built=True, closed=PERHAPS_CLOSED / 2),
        found(".", "_", closed=1.0, named=(WHERE,)),
    ],
)
def test_nothing_is_said_of_what_agrees_or_is_spoken_of_already(lines: list[AuditLine]) -> None:
    assert not lines
