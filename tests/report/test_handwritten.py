"""What people are said to have written by hand: what is none of that is refused, before it is read where it can be."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from scanner.errors import BadState, MissingFile, ScanError, TooLarge
from scanner.night.names import NamedPlayer, load_names
from scanner.report.answers import SheetAnswers, load_answers
from scanner.report.handwritten import MAX_BYTES
from scanner.report.scoring import read_state
from tests.pipes import pipe_in

Load = Callable[[Path], object]
LOADS: tuple[Load, ...] = (load_answers, load_names, lambda path: read_state(str(path)))


def refusal(load: Load, path: Path) -> ScanError:
    with pytest.raises(ScanError) as caught:
        load(path)
    return caught.value


@pytest.mark.parametrize("load", LOADS)
def test_pipes_and_devices_are_not_waited_for(load: Load, tmp_path: Path) -> None:
    for path in (pipe_in(tmp_path), Path(os.devnull)):
        error = refusal(load, path)
        assert type(error) is MissingFile
        assert error.message == f"{path} is a pipe or device, not a file."
        assert "pipe" in error.hint


@pytest.mark.parametrize("load", LOADS)
def test_what_is_too_large_is_not_read(load: Load, tmp_path: Path) -> None:
    path = tmp_path / "answers.toml"
    path.touch()
    os.truncate(path, MAX_BYTES + 1)
    error = refusal(load, path)
    assert type(error) is TooLarge
    assert "answers.toml has more than 10 MB" in error.message
    assert "photo" not in error.hint


def test_the_limit_itself_is_within(tmp_path: Path) -> None:
    path = tmp_path / "answers.toml"
    path.write_bytes(b"\n" * MAX_BYTES)
    assert load_answers(path) == ()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_marks_of_windows_editors_are_understood(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "names.toml"
    path.write_text('[[player]]\nseat = 2\nname = "Nefertari"\n', encoding)
    assert load_names(path) == (NamedPlayer(2, "Nefertari"),)
    path.write_text('[[sheet]]\nphoto = "a.jpg"\nseat = 2\n', encoding)
    assert load_answers(path) == (SheetAnswers(2, "a.jpg"),)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("a = " + "[" * 50_000 + "]" * 50_000, "it is nested too deeply"),
        ("[[{table}]]\nseat = 1\n{number} = " + "9" * 5_000, "digits"),
        ("[[{table}]]\nseat = 1\n{number} = 0x" + "f" * 5_000, "Expected `int`"),
        ('[[{table}]]\nseat = 1\n"\\u001b[31mred" = 1', "unknown field `\\x1b[31mred`"),
    ],
    ids=["deep", "long", "long, in hexadecimal", "red"],
)
@pytest.mark.parametrize(("load", "table", "number"), [(load_names, "player", "set"), (load_answers, "sheet", "page")])
def test_what_no_person_writes_is_no_bug(load: Load, table: str, number: str, text: str, cause: str, tmp_path: Path) -> None:
    path = tmp_path / "file.toml"
    path.write_text(text.replace("{table}", table).replace("{number}", number))
    error = refusal(load, path)
    assert type(error) is BadState
    assert cause in error.message
    assert error.message.isprintable()
