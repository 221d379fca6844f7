"""The README stays true: its commands run, its tables are the program's own, and what it points to is there."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import scanner
from scanner.cli import app
from scanner.errors import ScanError
from tests.test_errors import leaves

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
SAMPLE = ROOT / "sample_scans" / "easy" / "easy-01.jpg"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def commands() -> list[list[str]]:
    """The words of every command that a shell block gives, `&&` parting them."""
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    return [shlex.split(part) for line in lines for part in line.split("&&")]


OURS = [words for words in commands() if words[0] == "obelisk-scan"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A player's folder, with photos, and a state, an answers file and a names file of their own."""
    shutil.copy(SAMPLE, tmp_path / "photo.jpg")
    (tmp_path / "photos").mkdir()
    shutil.copy(SAMPLE, tmp_path / "photos")
    (tmp_path / "state.json").write_text(blocks("json")[0])
    for name, key in (("answers", "[[sheet]]"), ("names", "[[player]]")):
        (tmp_path / f"{name}.toml").write_text(next(block for block in blocks("toml") if key in block))
    (tmp_path / "sample_scans").symlink_to(ROOT / "sample_scans")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_there_are_commands_to_test() -> None:
    assert {words[1] for words in OURS} >= {"sheet", "tiles", "scan", "score", "simulate", "night", "evaluate", "photo.jpg"}


@pytest.mark.parametrize("words", [w for w in OURS if w[1] != "evaluate"], ids=" ".join)
def test_a_command_of_the_readme_runs(words: list[str], folder: Path) -> None:
    """`evaluate` over all samples has a test of its own, the one that holds the floors."""
    done = CliRunner().invoke(app, words[1:], prog_name="obelisk-scan")
    assert done.exit_code == 0, done.output
    for option in ("-o", "--annotate", "--html"):
        if option in words:
            written = folder / words[words.index(option) + 1]
            assert written.stat().st_size > 1000 if written.is_file() else list(written.iterdir())


def test_the_sample_of_the_first_command_is_scored_as_its_truth() -> None:
    (sample,) = (word for words in commands() for word in words if word.startswith("sample_scans/easy"))
    done = CliRunner().invoke(app, [str(ROOT / sample), "--json"], prog_name="obelisk-scan")
    truth = json.loads((ROOT / sample).with_suffix(".truth.json").read_text())
    totals = [sheet["score"]["total"] for sheet in json.loads(done.stdout)["photos"][0]["sheets"]]
    assert totals == [sheet["score"]["total"] for sheet in truth["sheets"]]


def test_the_state_of_the_readme_is_the_rules_worked_example() -> None:
    """56 points and 37 empty spaces, by the rules' own account."""
    score = scanner.score_state(json.loads(blocks("json")[0]))
    assert (score["total"], score["empty_spaces"]) == (56, 37)


def test_the_python_of_the_readme_runs(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", blocks("python")[0]],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"\d \d+ \(\d+, \d+\) \d+\n", done.stdout)


def rows_of(heading: str) -> dict[str, str]:
    """The table below a heading: the first column's words to the second's."""
    section = README.split(f"\n{heading}\n")[1].split("\n#")[0]
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", section, re.MULTILINE)
    return {first.strip("`"): second for first, second in rows if first != "---"}


def test_every_refusal_and_exit_code_is_explained() -> None:
    kinds = rows_of("### What is refused, and why")
    assert set(kinds) - {"kind"} == {error.kind for error in leaves(ScanError)}
    codes = {int(code) for code in rows_of("### Exit codes") if code != "code"}
    assert codes == {0, 1, 2} | {error.code for error in leaves(ScanError)}


def test_every_room_is_on_the_map() -> None:
    rooms = {row.removeprefix("scanner/").strip("/") for row in rows_of("## For builders") if row.startswith("scanner/")}
    there = {path.name for path in (ROOT / "scanner").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert rooms == there - {"__init__.py"}


def test_what_the_readme_points_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert "docs/annotated.jpg" in links
    for link in links:
        assert (ROOT / link).is_file(), link
    picture = ROOT / "docs" / "annotated.jpg"
    assert picture.stat().st_size < 300_000


def test_every_command_of_the_program_is_in_the_readme() -> None:
    for command in app.registered_commands:
        name = command.name or (command.callback.__name__ if command.callback else "")
        assert f"obelisk-scan {name}" in README, name


def test_ci_runs_the_tests_as_the_readme_does() -> None:
    (tests,) = (words for words in commands() if words[0] == "pytest")
    script = (ROOT / ".ci" / "run").read_text()
    assert " ".join(tests) in script
    assert all(check in script for check in ("ruff check", "ruff format --check", "mypy --strict"))
