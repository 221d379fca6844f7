"""What must not be written to is refused before anything is read."""

import os
from pathlib import Path

import pytest

from scanner.report.answers import AnswerFile, is_photo, load_answers
from scanner.report.asking import Settling
from scanner.report.outputs import WrongOutput, check_outputs
from scanner.report.paths import file_key


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "photo.jpg").write_bytes(b"the player's own")
    (tmp_path / "link.jpg").symlink_to("photo.jpg")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "circle").symlink_to("circle")
    return tmp_path


@pytest.mark.parametrize("name", ["photo.jpg", "./photo.jpg", "link.jpg", "PHOTO.JPG"])
def test_what_is_read_must_not_be_written(folder: Path, name: str) -> None:
    with pytest.raises(WrongOutput, match=f"^--html {Path(name)} is read by this command"):
        check_outputs({"--html": Path(name)}, ["other.jpg", folder / "photo.jpg"])


def test_two_outputs_need_two_files(folder: Path) -> None:
    with pytest.raises(WrongOutput, match="--html and --results are the same file, "):
        check_outputs({"--html": Path("new.out"), "--results": folder / "new.out"}, [])


def test_what_is_no_file_is_not_written_to(folder: Path) -> None:
    (folder / "to-pipe").symlink_to("pipe")
    for name in ("pipe", "to-pipe"):
        with pytest.raises(WrongOutput, match=f"--html {name} is a pipe or device"):
            check_outputs({"--html": Path(name)}, [])


def test_any_other_file_may_be_written(folder: Path) -> None:
    (folder / "old.html").touch()
    (folder / "nowhere").symlink_to("not-yet.html")
    check_outputs({"--html": Path("old.html"), "--results": Path("new"), "--x": Path("nowhere")}, ["photo.jpg", "circle"])


def test_links_in_a_circle_are_names_like_others(folder: Path) -> None:
    assert file_key("circle") == file_key(folder / "circle")
    assert is_photo("circle", str(folder / "circle"))
    assert not is_photo("photo.jpg", "circle")


def test_answers_are_saved_where_a_link_leads(folder: Path) -> None:
    (folder / "kept").mkdir()
    (folder / "answers.toml").symlink_to("kept/answers.toml")
    AnswerFile(Path("answers.toml"), ["photo.jpg"])
    assert (folder / "answers.toml").is_symlink()
    assert load_answers(folder / "kept" / "answers.toml") == ()
    assert [file.name for file in (folder / "kept").iterdir()] == ["answers.toml"]


@pytest.mark.parametrize("name", ["photo.jpg", "pipe"])
def test_answers_are_saved_to_nothing_else(folder: Path, name: str) -> None:
    (folder / "photo.jpg").write_bytes(b"")
    with pytest.raises(WrongOutput, match="--save-answers"):
        Settling.begin(["photo.jpg"], None, Path(name), None, lambda: "")
    assert not (folder / "photo.jpg").read_bytes()
