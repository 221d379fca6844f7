"""The photos under folders."""

import errno
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from scanner import scan_photo
from scanner.errors import MissingFile
from scanner.night.ledger import Ledger
from scanner.night.photos import find_photos, is_photo
from scanner.night.reading import read_photos
from scanner.night.record import PhotoRecord
from scanner.night.table import Night
from scanner.night.work import read_file
from scanner.night.workers import Crew
from tests.pipes import pipe_in


def test_photos_are_found_to_the_bottom_in_order_and_once(tmp_path: Path) -> None:
    for name in ("b.jpg", "a.HEIC", "sub/c.png", "sub/deep/d.pdf", ".hidden.jpg", ".cache/e.jpg", "notes.txt", "names.toml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    found = find_photos([str(tmp_path), str(tmp_path / "b.jpg"), str(tmp_path / "sub")])
    assert [Path(photo.name).name for photo in found] == ["a.HEIC", "b.jpg", "c.png", "d.pdf"]
    assert [Path(photo.folder).name for photo in found] == [tmp_path.name, tmp_path.name, "sub", "deep"]
    assert all(photo.size == 1 for photo in found)


def test_a_place_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(MissingFile):
        find_photos([str(tmp_path / "none")])


def test_no_name_at_all_is_not_the_folder_where_one_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.jpg").touch()
    with pytest.raises(MissingFile, match="'' does not exist"):
        find_photos([""])


def test_a_folder_that_cannot_be_looked_into_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    (tmp_path / "a.jpg").write_bytes(b"x")
    scandir = os.scandir

    def guarded(path: str) -> object:
        if os.fspath(path) == str(closed):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", guarded)
    photos = find_photos([str(tmp_path)])
    assert [photo.name for photo in photos] == [str(tmp_path / "a.jpg"), str(closed)]
    error = PhotoRecord.parse(read_file(photos[1].path, photos[1].name)).error
    assert error is not None
    assert error.kind == "missing_file"


def test_a_pipe_is_told_of_and_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").touch()
    pipe_in(tmp_path, "pipe.jpg")
    photos = find_photos([str(tmp_path)])
    with Ledger(tmp_path / "r.jsonl") as ledger, ThreadPoolExecutor(1) as pool:
        read_photos(photos, ledger, Crew(pool, lambda: 1))
        errors = [one.error for one in Night(photos, ledger).verdicts()]
        assert [ledger.recall(photo) for photo in photos] == [True, False]
    scanned = scan_photo(str(tmp_path / "pipe.jpg")).error
    assert scanned is not None
    assert "pipe" in scanned.message
    assert [error and error.kind for error in errors] == ["not_an_image", "missing_file"]
    assert errors[1] == scanned


def test_names_that_are_no_text_stop_nobody(tmp_path: Path) -> None:
    for name in (b"caf\xe9.jpg", b"esc\x1b[31m.jpg"):
        with open(os.path.join(os.fsencode(tmp_path), name), "wb") as file:
            file.write(b"no picture")
    photos = find_photos([str(tmp_path)])
    assert [Path(photo.name).name for photo in photos] == ["caf\\xe9.jpg", "esc\\x1b[31m.jpg"]
    with Ledger(tmp_path / "r.jsonl") as ledger, ThreadPoolExecutor(1) as pool:
        read_photos(photos, ledger, Crew(pool, lambda: 1))
        assert all(map(ledger.recall, photos))
        errors = [one.error for one in Night(photos, ledger).verdicts()]
    assert [error and error.kind for error in errors] == ["not_an_image", "not_an_image"]


def test_a_link_to_nowhere_is_no_photo(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").symlink_to(tmp_path / "none.jpg")
    assert not find_photos([str(tmp_path)])


@pytest.mark.parametrize(
    ("name", "photo"), [("x/a.jpeg", True), ("a.gif", True), ("obelisk-night.jsonl", False), (".night.html", False)]
)
def test_what_counts_as_a_photo(name: str, photo: bool) -> None:
    assert is_photo(name) is photo
