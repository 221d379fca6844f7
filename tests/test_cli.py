"""The command line: what is printed where, and every exit code."""

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from scanner import pipeline
from scanner.cli import app
from scanner.errors import TooBlurred
from scanner.main import BROKEN_PIPE, INTERRUPTED, scan_code
from scanner.result import AuditLine, ErrorInfo, RefusedSheet
from scanner.sheet.template import load_template
from tests.handmade import SCORE, doubt, photo, sheet, state
from tests.tabletop import encoded, reader, tabletop

SHEET = encoded(tabletop((2, 8001)))
EMPTY_TABLE = encoded(tabletop())


@pytest.fixture(autouse=True)
def _worked_example(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every sheet reads as the worked example: these tests are about the command line, not about the networks."""
    monkeypatch.setattr(pipeline, "read_sheets", reader(state(), state(levels=[2, 0, 0])))


def run(*args: str | Path, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(app, [str(arg) for arg in args], input=stdin, prog_name="obelisk-scan")


def process(*args: str | Path, stdin: bytes = b"", env: dict[str, str] | None = None) -> "subprocess.CompletedProcess[bytes]":
    """The real thing, in a process of its own."""
    command = [sys.executable, "-c", "from scanner.main import main; main()", *map(str, args)]
    return subprocess.run(command, input=stdin, capture_output=True, check=False, env={**os.environ, **(env or {})})


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "sheet.png").write_bytes(SHEET)
    (tmp_path / "table.png").write_bytes(EMPTY_TABLE)
    (tmp_path / "text.jpg").write_text("This is no picture.")
    (tmp_path / "state.json").write_text(json.dumps(state()))
    (tmp_path / "bad.json").write_text('{"game": "obelisk", "obelisk": ["....."]}')
    return tmp_path


# Reading photos


def test_a_photo_is_read_and_scored_with_or_without_the_word_scan(files: Path) -> None:
    plain, scan = run(files / "sheet.png"), run("scan", files / "sheet.png")
    assert plain.exit_code == scan.exit_code == 0, plain.output
    assert plain.stdout == scan.stdout
    assert "seat 2, set 1000, sheet 8001" in plain.stdout
    assert "56" in plain.stdout
    assert plain.stderr == ""


def test_options_may_come_before_the_photo(files: Path) -> None:
    assert json.loads(run("--json", files / "sheet.png").stdout)["schema"] == "obelisk-scan/1"


def test_json_is_one_document_and_nothing_else(files: Path) -> None:
    result = run(files / "sheet.png", files / "table.png", files / "nowhere.jpg", "--json")
    first, second, third = json.loads(result.stdout)["photos"]
    assert first["file"] == str(files / "sheet.png")
    assert first["error"] is None
    assert first["sheets"][0]["score"] == SCORE
    assert (second["sheets"], second["error"]["kind"], second["error"]["code"]) == ([], "no_fiducials", 4)
    assert (third["sheets"], third["error"]["kind"], third["error"]["code"]) == ([], "missing_file", 3)
    assert result.exit_code == 4
    assert "nowhere.jpg" in result.stderr


def test_pictures_that_cannot_be_written_take_no_verdict_with_them(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = run(files / "sheet.png", "--json", "--annotate", files / "state.json" / "out")
    assert json.loads(result.stdout)["photos"][0]["sheets"][0]["score"] == SCORE
    assert "state.json" in result.stderr
    assert "cannot be written" in result.stderr
    assert result.exit_code == 3

    def full(_self: Path, _data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    result = run(files / "sheet.png", files / "sheet.png", "--annotate", files / "out")
    assert result.stdout.count("seat 2, set 1000") >= 2
    assert result.stderr.count("No space left") == 1
    assert result.exit_code == 3


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["sheet.png"], 0),
        (["nowhere.jpg"], 3),
        (["text.jpg"], 3),
        (["."], 3),
        (["table.png"], 4),
        (["table.png", "text.jpg", "sheet.png"], 4),
        (["text.jpg", "sheet.png"], 3),
    ],
)
def test_all_inputs_are_processed_and_the_highest_code_counts(files: Path, names: Sequence[str], code: int) -> None:
    result = run(*(files / name for name in names))
    assert result.exit_code == code
    assert ("seat 2" in result.stdout) is ("sheet.png" in names)
    assert "Traceback" not in result.output
    assert (result.stderr == "") is (code == 0)


def test_what_needs_a_look_ends_with_1() -> None:
    line = AuditLine("a rule", "level1", "A message.")
    blurred = ErrorInfo.of(TooBlurred("Too blurred."))
    assert scan_code(photo(sheet())) == 0
    assert scan_code(photo(sheet(review=(doubt(),)))) == 1
    assert scan_code(photo(sheet(audit=(line,)))) == 0
    assert scan_code(photo(sheet(audit=(line,))), strict=True) == 1
    assert scan_code(photo(sheet(sheet_number=None))) == 0
    assert scan_code(photo(sheet(sheet_number=None)), strict=True) == 1
    assert scan_code(photo(sheet(review=(doubt(),)), refused=(RefusedSheet(1, None, blurred),))) == 4


def test_strict_from_the_command_line(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = AuditLine("a rule", "level1", "A message.")
    monkeypatch.setattr(pipeline, "audit_state", lambda _state: (line,))
    plain, strict = run(files / "sheet.png"), run(files / "sheet.png", "--strict")
    assert "A message." in plain.stdout
    assert (plain.exit_code, strict.exit_code) == (0, 1)


def test_a_photo_from_standard_input() -> None:
    result = run("-", "--json", stdin=SHEET)
    assert result.exit_code == 0
    assert json.loads(result.stdout)["photos"][0]["file"] == "-"
    assert run("-", "-", stdin=SHEET).exit_code == 2
    assert run("-", stdin=b"").exit_code == 3


def test_several_sheets_of_a_table_get_standings(files: Path) -> None:
    (files / "both.png").write_bytes(encoded(tabletop((1, 8000), (2, 8001))))
    result = run(files / "both.png")
    assert result.exit_code == 0
    assert "Table of set 1000" in result.stdout
    assert "wins." in result.stdout


def test_annotate_writes_pictures(files: Path) -> None:
    out = files / "a" / "b"
    assert run(files / "sheet.png", "--annotate", out).exit_code == 0
    assert sorted(path.name for path in out.iterdir()) == ["sheet.photo.jpg", "sheet.seat2.png"]
    assert run(files / "sheet.png", "--annotate", files / "state.json").exit_code == 2


def test_only_known_games(files: Path) -> None:
    assert run(files / "sheet.png", "--game", "obelisk").exit_code == 0
    result = run(files / "sheet.png", "--game", "chess")
    assert result.exit_code == 2
    assert "chess" in result.stderr


def test_a_bug_in_one_photo_does_not_stop_the_others(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def fail_once(*args: object) -> list[object]:
        calls.append(args)
        if len(calls) == 1:
            raise ZeroDivisionError("a bug")
        return list(reader(state())([0], load_template("obelisk")))

    monkeypatch.setattr(pipeline, "read_sheets", fail_once)
    result = run(files / "sheet.png", files / "sheet.png")
    assert result.exit_code == 70
    assert "seat 2" in result.stdout
    assert "report" in result.stderr
    assert "Traceback" not in result.output
    calls.clear()
    assert "Traceback" in run("--debug", files / "sheet.png").stderr
    calls.clear()
    assert "Traceback" in run(files / "sheet.png", "--debug").stderr


def test_a_mistyped_command_is_understood() -> None:
    result = run("scroe", "x.json")
    assert result.exit_code == 3
    assert "`score`" in result.stderr


# Scoring states


def test_states_are_scored(files: Path) -> None:
    result = run("score", files / "state.json", "--json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert list(document) == ["schema", "states"]
    (entry,) = document["states"]
    assert list(entry) == ["file", "error", "state", "score", "audit"]
    assert entry["score"] == SCORE
    assert entry["state"]["obelisk"] == state()["obelisk"]
    assert "56" in run("score", files / "state.json").stdout


def test_states_that_break_the_contract(files: Path) -> None:
    result = run("score", files / "bad.json", files / "state.json", files / "nowhere.json", "--json")
    assert result.exit_code == 5
    bad, good, missing = json.loads(result.stdout)["states"]
    assert (bad["error"]["kind"], bad["error"]["code"], bad["state"], bad["score"]) == ("bad_state", 5, None, None)
    assert good["error"] is None
    assert missing["error"]["kind"] == "missing_file"
    assert result.stderr == run("score", files / "bad.json", files / "state.json", files / "nowhere.json").stderr
    assert bad["error"]["message"] in " ".join(result.stderr.split())
    assert run("score", files / "nowhere.json").exit_code == 3
    assert run("score", files).exit_code == 3


def test_a_state_from_standard_input() -> None:
    assert run("score", "-", "--json", stdin=json.dumps(state()).encode()).exit_code == 0
    assert run("score", "-", stdin=b"{").exit_code == 5


# Printing and playing


def test_sheets_are_written(tmp_path: Path) -> None:
    for args in ((), ("--paper", "letter"), ("--seats", "2", "--number", "7")):
        out = tmp_path / f"{len(args)}.pdf"
        result = run("sheet", "-o", out, *args)
        assert result.exit_code == 0
        assert out.read_bytes().startswith(b"%PDF")
        assert result.stdout == ""
    assert "set 7, 2 sheets" in result.stderr


@pytest.mark.parametrize(
    "args",
    [
        ("--number", "260642"),
        ("--number", "-1"),
        ("--seats", "0"),
        ("--seats", "9"),
        ("--paper", "a5"),
        ("--game", "chess"),
    ],
)
def test_sheets_that_cannot_be(tmp_path: Path, args: tuple[str, ...]) -> None:
    assert run("sheet", "-o", tmp_path / "x.pdf", *args).exit_code == 2
    assert not (tmp_path / "x.pdf").exists()


def test_the_greatest_set_number_is_printed(tmp_path: Path) -> None:
    assert run("sheet", "-o", tmp_path / "x.pdf", "--number", "260641", "--seats", "8").exit_code == 0


def test_a_place_that_cannot_be_written_to(tmp_path: Path) -> None:
    result = run("sheet", "-o", tmp_path / "nowhere" / "x.pdf")
    assert result.exit_code == 3
    assert "x.pdf" in result.stderr


def test_tiles_and_layout(tmp_path: Path) -> None:
    assert run("tiles", "-o", tmp_path / "tiles.pdf").exit_code == 0
    assert (tmp_path / "tiles.pdf").read_bytes().startswith(b"%PDF")
    layout = json.loads(run("layout").stdout)
    assert layout["game"] == "obelisk"
    assert run("layout", "--game", "chess").exit_code == 2


def test_games_are_simulated_from_a_seed() -> None:
    first = run("simulate", "--players", "2", "--seed", "5", "--games", "2", "--json")
    document = json.loads(first.stdout)
    assert [game["seed"] for game in document["games"]] == [5, 6]
    assert [entry["state"]["seat"] for entry in document["states"]] == [1, 2, 1, 2]
    assert first.stdout == run("simulate", "--players", "2", "--seed", "5", "--games", "2", "--json").stdout
    again = run("score", "-", "--json", stdin=json.dumps(document["states"][3]["state"]).encode())
    assert json.loads(again.stdout)["states"][0]["score"] == document["states"][3]["score"]
    assert "moves" not in document["games"][0]
    moves = json.loads(run("simulate", "--players", "1", "--seed", "5", "--moves", "--json").stdout)["games"][0]["moves"]
    assert moves
    assert "Game with seed 5" in run("simulate", "--players", "2", "--seed", "5").stdout
    assert run("simulate", "--players", "0").exit_code == 2


# Evaluating


def test_accuracy_over_a_folder(files: Path) -> None:
    truth = {"condition": "easy", "sheets": [state(score=SCORE)]}
    (files / "sheet.truth.json").write_text(json.dumps(truth))
    (files / "not_a_sheet").mkdir()
    (files / "table.png").rename(files / "not_a_sheet" / "table.png")
    result = run("evaluate", files, "--json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    overall = document["overall"]
    assert (overall["photos"], overall["sheets"], overall["exact"], overall["silent"]) == (2, 1, 1, 0)
    assert document["without_truth"] == [str(files / "text.jpg")]
    table = run("evaluate", files).stdout
    assert "easy" in table
    assert "not_a_sheet" in table
    assert "silently wrong 0" in table


def test_a_bug_fails_an_evaluation(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(pipeline, "read_sheets", fail)
    (files / "sheet.truth.json").write_text(json.dumps({"sheets": [state(score=SCORE)]}))
    result = run("evaluate", files)
    assert result.exit_code == 70
    assert "internal 1" in result.stdout


def test_nothing_to_evaluate(tmp_path: Path) -> None:
    assert run("evaluate", tmp_path).exit_code == 3
    assert run("evaluate", tmp_path / "nowhere").exit_code == 3
    assert run("evaluate", tmp_path, "--workers", "9" * 23).exit_code == 2
    (tmp_path / "a.jpg").touch()
    (tmp_path / "a.truth.json").write_text("{}")
    assert run("evaluate", tmp_path).exit_code == 5


# Around it all


def test_version_and_help() -> None:
    assert run("--version").stdout.startswith("obelisk-scan ")
    for args in (("--help",), ("scan", "--help"), ("score", "--help")):
        result = run(*args)
        assert result.exit_code == 0
        assert "Usage: obelisk-scan" in result.stdout
    assert run().exit_code == 2
    assert run("scan").exit_code == 2
    assert run("score").exit_code == 2
    assert run("--colour").exit_code == 2


def test_a_closed_pipe_ends_quietly() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    command = [sys.executable, "-c", "from scanner.main import main; main()", "layout"]
    closed = subprocess.run(command, stdout=write_end, stderr=subprocess.PIPE, check=False)
    os.close(write_end)
    assert closed.returncode == BROKEN_PIPE
    assert closed.stderr == b""


@pytest.mark.parametrize(
    ("closing", "words", "code", "said"),
    [
        (">&-", ("layout",), BROKEN_PIPE, b""),
        (">&-", ("score", "state.json"), BROKEN_PIPE, b""),
        (">&-", ("--version",), BROKEN_PIPE, b""),
        (">&-", ("score", "--help"), BROKEN_PIPE, b""),
        (">&-", ("nowhere.jpg",), 3, b"nowhere.jpg does not exist"),
        (">&-", ("tiles", "-o", "tiles.pdf"), 0, b"tiles.pdf: 12 tiles"),
        ("2>&-", ("nowhere.jpg",), 3, b""),
        ("2>&-", ("nowhere.jpg", "--strict"), 3, b""),
        ("2>&-", ("--colour",), 2, b""),
        ("2>&-", ("score", "state.json"), 0, b""),
        ("<&-", ("-",), 3, b"standard input cannot be read: it is closed"),
        ("<&-", ("score", "-"), 3, b"standard input cannot be read: it is closed"),
        ("<&-", ("scan", "--answers", "nowhere.toml", "nowhere.jpg"), 3, b"nowhere.toml cannot be read"),
        ("<&- >&- 2>&-", ("layout",), BROKEN_PIPE, b""),
        ("<&- >&- 2>&-", ("nowhere.jpg",), 3, b""),
    ],
)
def test_closed_streams_are_no_bug(files: Path, closing: str, words: Sequence[str], code: int, said: bytes) -> None:
    program = (sys.executable, "-c", "from scanner.main import main; main()")
    command = ("sh", "-c", f'exec "$@" {closing}', "sh", *program, *words)
    done = subprocess.run(command, cwd=files, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert bool(done.stderr) is bool(said)


@pytest.mark.parametrize("stream", [1, 2])
def test_no_file_takes_the_place_of_a_closed_stream(files: Path, stream: int) -> None:
    """Libraries write to standard error by its number: it must never be that of a file that was opened later."""
    program = (
        "import os; from scanner.processes import stand_in_for_closed_streams; stand_in_for_closed_streams(); "
        "number = os.open('state.json', os.O_RDONLY); open('told', 'w').write(str(number > 2))"
    )
    command = ("sh", "-c", f'exec "$@" {stream}>&-', "sh", sys.executable, "-c", program)
    assert subprocess.run(command, cwd=files, check=False).returncode == 0
    assert (files / "told").read_text() == "True"


def test_standard_input_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scanner.photo.limits.MAX_BYTES", 1000)
    result = run("-", stdin=bytes(1001))
    assert result.exit_code == 3
    assert "standard input has more than" in result.stderr


def test_an_empty_name_is_called_so() -> None:
    result = run("")
    assert result.exit_code == 3
    assert result.stderr.startswith("'' cannot be read: the name is empty.")
    assert run("score", "").stderr == result.stderr


def test_an_interrupt_ends_quietly(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_args: object) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(pipeline, "read_sheets", interrupt)
    result = run(files / "sheet.png")
    assert result.exit_code == INTERRUPTED
    assert "Traceback" not in result.output


def test_a_terminal_that_knows_little_gets_little(files: Path) -> None:
    result = process("score", files / "state.json", env={"PYTHONIOENCODING": "ascii", "NO_COLOR": "1"})
    assert result.returncode == 0
    assert b"56" in result.stdout
    assert b"\x1b" not in result.stdout


def test_no_colour_where_it_is_not_wanted(files: Path) -> None:
    colourful = process("score", files / "state.json", env={"FORCE_COLOR": "1", "TERM": "xterm-256color"})
    plain = process("score", files / "state.json", env={"FORCE_COLOR": "1", "TERM": "xterm-256color", "NO_COLOR": "1"})
    assert b"\x1b[1;32m" in colourful.stdout
    assert b"32m" not in plain.stdout


def test_a_machine_without_opencvs_libraries_hears_what_to_install(files: Path) -> None:
    (files / "cv2.py").write_text("raise ImportError('libGL.so.1: cannot open shared object file: No such file or directory')")
    result = process(files / "sheet.png", env={"PYTHONPATH": str(files)})
    assert result.returncode == 70
    assert b"libgl1" in result.stderr
    assert b"Traceback" not in result.stderr
    assert process("score", files / "state.json", env={"PYTHONPATH": str(files)}).returncode == 0


def test_the_progress_line_is_for_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    from scanner.report.progress import progress

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for stream, of, shown in ((Terminal(), 2, True), (Terminal(), 1, False), (io.StringIO(), 2, False)):
        monkeypatch.setattr(sys, "stderr", stream)
        with progress(of) as step:
            step("photo.jpg")
        assert ("[1/2] photo.jpg" in stream.getvalue()) is shown
        assert (stream.getvalue() == "") is not shown
