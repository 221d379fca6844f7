"""The commonest command lines are understood without typer's help, and mean the same as with it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scanner.cli import app
from scanner.main import COMMANDS, plain_photos

PROGRAM = """
import sys
from scanner.main import main
try:
    main()
finally:
    print("pydantic" in sys.modules or "typer" in sys.modules, file=sys.stderr)
"""


MATRICES = """
import os, sys
from scanner.main import main
try:
    main()
finally:
    import numpy as np
    before = len(os.listdir("/proc/self/task"))
    square = np.ones((600, 600))
    square @ square
    print(len(os.listdir("/proc/self/task")) - before, before, file=sys.stderr)
"""


def run(*arguments: str, cwd: Path) -> tuple[int, str, list[str]]:
    """Exit status, standard output, and the lines of standard error."""
    command = (sys.executable, "-c", PROGRAM, *arguments)
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, encoding="utf-8")
    return done.returncode, done.stdout, done.stderr.splitlines()


def test_photos_alone_are_read_without_loading_what_checks_arguments(tmp_path: Path) -> None:
    code, output, complaints = run("missing.jpg", "--json", cwd=tmp_path)
    slow_code, slow_output, slow_complaints = run("missing.jpg", "--json", "--strict", cwd=tmp_path)
    assert complaints.pop() == "False"
    assert slow_complaints.pop() == "True"
    assert (code, output, complaints) == (slow_code, slow_output, slow_complaints)
    assert code == 3
    assert '"missing_file"' in output


@pytest.mark.parametrize(
    ("arguments", "photos"),
    [
        (["a.jpg"], ["a.jpg"]),
        (["scan", "a.jpg", "b.jpg"], ["a.jpg", "b.jpg"]),
        (["--json", "a.jpg"], ["a.jpg"]),
        (["scan"], []),
        ([], []),
        (["--json"], []),
        (["--help"], []),
        (["a.jpg", "--help"], []),
        (["a.jpg", "-"], []),
        (["a.jpg", "--annotate", "pictures"], []),
        (["score", "a.json"], []),
        (["night", "photos"], []),
        (["scan", "scan"], []),
        (["a.jpg", ""], []),
    ],
)
def test_anything_else_is_left_to_typer(arguments: list[str], photos: list[str]) -> None:
    assert plain_photos(arguments) == photos


def test_every_command_is_known_without_typer() -> None:
    assert set(COMMANDS) == {command.callback.__name__ for command in app.registered_commands if command.callback}


@pytest.mark.parametrize("options", [(), ("--strict",)])
def test_matrices_are_solved_on_one_thread(options: tuple[str, ...], tmp_path: Path) -> None:
    unset = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    command = (sys.executable, "-c", MATRICES, "missing.jpg", *options)
    done = subprocess.run(command, cwd=tmp_path, env=unset, capture_output=True, text=True, check=False, encoding="utf-8")
    assert done.stderr.splitlines()[-1] == "0 1", done.stderr
