"""What people are said to have written by hand, and is none of that: refused before it is read."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from scanner.errors import MissingFile, ScanError, TooLarge
from scanner.night.names import load_names
from scanner.report.answers import load_answers
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
