"""The command line's questions and answers: a terminal that types, answers files, and where neither can be."""

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from scanner import pipeline
from scanner.cli import app
from tests.doubtful import CELL, CIRCLE, CIRCLE_TRUTH, SYMBOL, TOTAL, TRUE, doubtful_reader, total_with
from tests.tabletop import encoded, tabletop

if sys.platform != "win32":
    import pty

ROOT = Path(__file__).parent.parent
PHOTO = encoded(tabletop((2, 8001)))
PROGRAM = (
    # Whoever runs the tests in the background has interruptions ignored, by all that they start.
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from scanner import pipeline; from tests.doubtful import doubtful_reader; pipeline.read_sheets = doubtful_reader(); "
    "from scanner.main import main; main()"
)
"""The real thing, but that every sheet is read with the same two doubts."""
INTERRUPT = "Ctrl-C"


@pytest.fixture(autouse=True)
def _two_doubts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "read_sheets", doubtful_reader())


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "photo.png"
    path.write_bytes(PHOTO)
    return path


def run(*args: str | Path, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(app, [str(arg) for arg in args], input=stdin, prog_name="obelisk-scan")


def answers(folder: Path, lines: str, photo: str = "photo.png", seat: int = 2) -> Path:
    path = folder / "answers.toml"
    path.write_text(f'[[sheet]]\nphoto = "{photo}"\nseat = {seat}\nsheet_number = 8001\n[sheet.answers]\n{lines}\n')
    return path


def at_terminal(typed: Sequence[str], *args: str | Path, **env: str) -> tuple[int, str, str]:
    """The exit code, what the terminal shows, and what goes to standard output, which is a file."""
    keys, child = pty.openpty()
    command = [sys.executable, "-c", PROGRAM, *map(str, args)]
    settings = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", **env}
    settings = {name: value for name, value in settings.items() if name != "NO_COLOR" or "NO_COLOR" in env}
    with (
        tempfile.TemporaryFile() as out,
        subprocess.Popen(command, stdin=child, stdout=out, stderr=child, cwd=ROOT, env=settings) as process,
    ):
        os.close(child)
        waiting, shown = list(typed), b""
        while select.select([keys], [], [], 60)[0]:
            try:
                shown += os.read(keys, 65536)
            except OSError:  # Linux says so when the other end is closed
                break
            if waiting and shown.count(b"q quit") > len(typed) - len(waiting):
                key = waiting.pop(0)
                if key == INTERRUPT:
                    process.send_signal(signal.SIGINT)
                else:
                    os.write(keys, key.encode())
        code = process.wait(60)
        os.close(keys)
        out.seek(0)
        return code, shown.decode(), out.read().decode()


def test_a_person_answers_at_the_terminal_and_the_document_knows(photo: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved.toml"
    args = ("scan", "--review", "--json", "--save-answers", saved, photo)
    code, shown, out = at_terminal([f"{CIRCLE_TRUTH}\n", "x\n"], *args)
    assert code == 0, shown
    (sheet,) = json.loads(out)["photos"][0]["sheets"]
    total = total_with("x")
    assert (sheet["score"]["total"], sheet["bounds"], sheet["review"]) == (total, [total, total], [])
    assert sheet["answers"] == [
        {"where": CIRCLE, "read": CIRCLE_TRUTH, "by": "human"},
        {"where": CELL, "read": "x", "by": "human"},
    ]
    assert f"total {TOTAL}" in shown
    assert "▀" in shown
    assert "48;5;" in shown, "256 colours of the terminal"
    again = run("scan", "--json", "--answers", saved, photo)
    assert again.exit_code == 0
    assert json.loads(again.stdout)["photos"][0]["sheets"] == [sheet]


def test_answers_survive_an_interruption_and_no_color_is_kept(photo: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved.toml"
    code, shown, out = at_terminal([f"{CIRCLE_TRUTH}\n", INTERRUPT], "--review", "--save-answers", saved, photo, NO_COLOR="1")
    assert code == 130
    assert out == ""
    assert "38;" not in shown
    assert "48;" not in shown
    assert "█" in shown
    assert CIRCLE in saved.read_text()


def test_quitting_leaves_the_rest_in_review(photo: Path) -> None:
    code, shown, out = at_terminal(["q\n"], "--review", photo)
    assert code == 1
    assert "2 readings still open" in shown
    assert f"? {CELL}" in out
    assert f"? {CIRCLE}" in out


@pytest.mark.parametrize("option", [[], ["--json"]])
def test_without_a_terminal_nobody_can_be_asked(photo: Path, option: list[str]) -> None:
    result = run("scan", "--review", *option, photo)
    assert result.exit_code == 2
    assert "terminal" in result.stderr
    assert "--answers" in result.stderr
    assert result.stdout == ""


def test_standard_input_is_not_both_photo_and_answers() -> None:
    result = run("scan", "--review", "-", stdin=PHOTO)
    assert result.exit_code == 2
    assert "standard input" in result.stderr


def test_saving_goes_with_asking(photo: Path, tmp_path: Path) -> None:
    result = run("scan", "--save-answers", tmp_path / "saved.toml", photo)
    assert result.exit_code == 2
    assert "--review" in result.stderr


def test_an_answers_file_needs_no_terminal(photo: Path, tmp_path: Path) -> None:
    assert run("scan", photo).exit_code == 1
    lines = "\n".join(f'"{where}" = "{value}"' for where, value in TRUE.items())
    result = run("scan", "--answers", answers(tmp_path, lines), photo)
    assert result.exit_code == 0, result.output
    assert f"= {CELL}: {SYMBOL}, as answered by hand" in result.stdout
    assert "?" not in result.stdout
    assert result.stderr == ""


def test_answers_for_a_photo_from_standard_input(tmp_path: Path) -> None:
    path = answers(tmp_path, f'"{CELL}" = "x"', photo="-")
    result = run("scan", "--json", "--answers", path, "-", stdin=PHOTO)
    assert [line["where"] for line in json.loads(result.stdout)["photos"][0]["sheets"][0]["review"]] == [CIRCLE]


def test_annotated_pictures_know_the_answers(photo: Path, tmp_path: Path) -> None:
    plain, answered = tmp_path / "plain", tmp_path / "answered"
    run("scan", "--annotate", plain, photo)
    path = answers(tmp_path, f'"{CELL}" = "x"\n"{CIRCLE}" = "{CIRCLE_TRUTH}"')
    run("scan", "--annotate", answered, "--answers", path, photo)
    assert (plain / "photo.seat2.png").read_bytes() != (answered / "photo.seat2.png").read_bytes()


@pytest.mark.parametrize(
    ("lines", "seat", "cause", "remedy"),
    [
        ('"obelisk r13 c1" = "O"', 2, 'no place "obelisk r13 c1"', "obelisk r1 c1"),
        (f'"{CELL}" = "Q"', 2, f'"{CELL}" cannot hold "Q"', ". _ O * ^ @ Y x ?"),
        (f'"{CELL}" = "O"', 3, "does not show seat 3", "seat 2, sheet 8001"),
    ],
)
def test_wrong_answers_are_named_and_end_with_5(
    photo: Path, tmp_path: Path, lines: str, seat: int, cause: str, remedy: str
) -> None:
    result = run("scan", "--json", "--answers", answers(tmp_path, lines, seat=seat), photo)
    assert result.exit_code == 5
    (sheet,) = json.loads(result.stdout)["photos"][0]["sheets"]
    assert {line["where"] for line in sheet["review"]} == {CELL, CIRCLE}, "the sheet is read without the answer"
    assert "answers" not in sheet
    error = " ".join(result.stderr.split())
    assert cause in error
    assert remedy in error


def test_answers_for_other_photos_are_mentioned(photo: Path, tmp_path: Path) -> None:
    result = run("scan", "--answers", answers(tmp_path, '"level2" = 5', photo="photo.jpg"), photo)
    assert result.exit_code == 1
    assert '"photo.jpg", seat 2, sheet 8001 were not used' in result.stderr


def test_what_an_answers_file_says_cannot_steer_the_terminal(photo: Path, tmp_path: Path) -> None:
    lines = r'"obelisk \u001b[2J" = "O"' + "\n" + rf'"{CELL}" = "\u009b\u001b]0;"'
    result = run("scan", "--answers", answers(tmp_path, lines), photo)
    assert result.exit_code == 5
    assert not set(result.stderr) & {"\x1b", "\x9b"}
    assert "[2J" in result.stderr


@pytest.mark.parametrize(("content", "code"), [(None, 3), ("[[sheet]", 5), ("[[sheet]]\nseat = 1\n", 5)])
def test_files_that_are_none_are_said_before_any_photo_is_read(
    photo: Path, tmp_path: Path, content: str | None, code: int
) -> None:
    path = tmp_path / "answers.toml"
    if content is not None:
        path.write_text(content)
    result = run("scan", "--answers", path, photo)
    assert result.exit_code == code
    assert "answers.toml" in " ".join(result.stderr.split())
    assert result.stdout == ""
