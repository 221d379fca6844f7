"""States from files: every odd input gets a cause and a remedy, and audits are told in full."""

import codecs
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from scanner.cli import app
from scanner.engine import audit_state
from scanner.report.scoring import judge_file
from scanner.result import ErrorInfo
from tests.engine.examples import blank_state, with_bottom, worked_state

EMPTY = {"game": "obelisk", "obelisk": ["....."] * 12}
TEXT = json.dumps(worked_state())


def with_field(field: str) -> bytes:
    """An empty sheet's JSON with one more field, as it stands."""
    return (json.dumps(EMPTY)[:-1] + ", " + field + "}").encode()


def error_of(content: bytes) -> ErrorInfo:
    error = judge_file("a.json", lambda: content).scored.error
    assert error is not None
    return error


@pytest.mark.parametrize(
    "content",
    [
        codecs.BOM_UTF8 + TEXT.encode(),
        TEXT.encode("utf-16"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        f"\n {TEXT}\n".encode(),
    ],
)
def test_marks_that_editors_write_do_no_harm(content: bytes) -> None:
    scored = judge_file("a.json", lambda: content).scored
    assert scored.score is not None
    assert scored.score["total"] == 56


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"", "nothing in it"),
        (codecs.BOM_UTF8, "nothing in it"),
        (b" \n\t", "nothing in it"),
        (b"[]", "not a JSON object"),
        (b"3", "not a JSON object"),
        (b"null", "not a JSON object"),
        (b'"obelisk"', "not a JSON object"),
        (b"1" + b"0" * 5000, "not JSON"),
        (b"{", "not JSON"),
        (TEXT.encode() + b" x", "not JSON"),
        (TEXT.encode() * 2, "not JSON"),
        (TEXT.encode("utf-16-le"), "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        (with_field('"player": "\xe9"').replace(b"\xc3", b""), "not JSON"),
        (with_field('"player": "\\ud800"'), "not JSON"),
        (with_field('"seat": NaN'), "not JSON"),
        (with_field('"seat": Infinity'), "not JSON"),
        (with_field('"seat": 1e400'), "not JSON"),
        (with_field('"seat": 1' + "0" * 6000), "not JSON"),
        (with_field('"seat": 1' + "0" * 4000), "`seat` is"),
        (with_field('"seat": 1' + "0" * 30), "`seat` is 1000"),
        (with_field('"obelisk": ["_____"]'), "'obelisk' is given twice"),
        (with_field('"scrolls": [{"points": 3, "points": 3}]'), "'points' is given twice"),
        (b"[" * 200_000 + b"]" * 200_000, "nested too deeply"),
        (with_field('"x": ' + "[" * 100_000 + "]" * 100_000), "nested too deeply"),
        (json.dumps(EMPTY | {"obelisk": ["O" * 100_000] * 12}).encode(), "has 100000 characters"),
        (json.dumps({"game": "x" * 100_000}).encode(), "not known"),
        (json.dumps({"schema": "obelisk-scan/1", "states": [{"state": EMPTY}]}).encode(), "holds states"),
    ],
)
def test_odd_content(content: bytes, named: str) -> None:
    error = error_of(content)
    assert (error.code, error.kind) == (5, "bad_state")
    assert named in error.message
    assert len(error.message) < 300, "a message is to be read"
    assert len(error.hint) > 10


def test_a_photo_is_told_from_a_state() -> None:
    error = error_of(b"\xff\xd8\xff\xe0" + bytes(100))
    assert error.code == 5
    assert "JPEG" in error.hint


def test_what_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*words: str) -> tuple[int, str]:
        done = CliRunner().invoke(app, ["score", *words])
        return done.exit_code, done.stderr

    for name in (str(tmp_path), str(tmp_path / "nowhere.json"), "", "a" * 5000):
        code, text = run(name)
        assert code == 3
        assert "cannot be read" in text
    monkeypatch.setattr("scanner.report.scoring.MAX_BYTES", 100)
    (tmp_path / "large.json").write_bytes(b" " * 101)
    code, text = run(str(tmp_path / "large.json"))
    assert code == 3
    assert "more than" in text


def test_closed_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    from scanner.report.scoring import read_stdin

    monkeypatch.setattr(sys, "stdin", None)
    error = judge_file("-", read_stdin).scored.error
    assert error is not None
    assert (error.code, error.message) == (3, "standard input cannot be read: it is closed.")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert judge_file("-", read_stdin).scored.error is None


def scored(tmp_path: Path, state: dict[str, Any], *words: str) -> str:
    file = tmp_path / "state.json"
    file.write_text(json.dumps(state))
    done = CliRunner().invoke(app, ["score", str(file), *words], env={"COLUMNS": "100"})
    assert done.exit_code == 0
    return done.stdout


def broken() -> dict[str, Any]:
    """Breaches of many kinds at once, and a remark."""
    state = blank_state(obelisk=with_bottom("__...", ".....", ".....", "_....", "_....", "_....", "O*__@"), levels=[0, 5, 0])
    state["scrolls"][0] |= {"symbols": "O^Y*", "used": True}
    state["scrolls"][2] |= {"symbols": "O?Y*", "marked": True}
    state["wall_shapes"][0] = "aa......"
    return state


def test_an_audit_names_every_breach_in_full(tmp_path: Path) -> None:
    lines = audit_state(broken())
    assert len({line.rule for line in lines if line.breach}) >= 7
    text = scored(tmp_path, broken(), "--audit")
    told = text.splitlines()
    for line in lines:
        mark = "!" if line.breach else "-"
        assert told.count(f"{mark} {line.rule}, {line.where}: {line.message}") == 1
    breaches = sum(line.breach for line in lines)
    assert f"Audit: {breaches} breaches of the rules, and {len(lines) - breaches} remarks." in told
    assert [line[0] for line in told if line[:2] in ("! ", "- ")] == ["!"] * breaches + ["-"] * (len(lines) - breaches)


def test_an_audit_says_when_nothing_was_found_and_what_was_not_checked(tmp_path: Path) -> None:
    text = scored(tmp_path, blank_state(), "--audit")
    assert "Audit: no breach of the rules was found." in text
    assert "not checked" not in text
    assert "not checked: the rules about `wall_shapes` and `levels`" in scored(tmp_path, EMPTY, "--audit")
    assert "Audit" not in scored(tmp_path, blank_state())


def test_findings_stand_in_the_frame_without_an_audit_and_in_json_always(tmp_path: Path) -> None:
    assert "(scroll points not marked)" in " ".join(scored(tmp_path, broken()).replace("│", " ").split())
    for words in (("--json",), ("--json", "--audit")):
        (entry,) = json.loads(scored(tmp_path, broken(), *words))["states"]
        assert [(line["rule"], line["where"]) for line in entry["audit"]] == [
            (line.rule, line.where) for line in audit_state(broken())
        ]
