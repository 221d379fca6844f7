"""The results file: nothing is lost, nothing is done twice."""

import os
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from scanner.night import record
from scanner.night.ledger import Ledger, is_results_file
from scanner.night.photos import PhotoFile, find_photos
from scanner.night.record import PhotoRecord, version
from scanner.night.work import lost_line
from tests.night.sightings import SHEET, log, photo_file, written


def real_photo(path: Path, content: bytes = b"a photo") -> PhotoFile:
    path.write_bytes(content)
    (found,) = find_photos([str(path)])
    return found


def enter(ledger: Ledger, photo: PhotoFile, content: bytes = b"a photo") -> None:
    digest = sha256(content).hexdigest()
    ledger.append(PhotoRecord(photo.path, *photo.stamp, digest, version(), None, (written(),)).line())


def test_records_come_back_as_they_were(tmp_path: Path) -> None:
    sheet = written()
    with Ledger(tmp_path / "r.jsonl") as ledger:
        log(ledger, "a.jpg", sheet)
        photo = log(ledger, "b.jpg", sheet, written(SHEET, 1, 8000))
    with Ledger(tmp_path / "r.jsonl") as again:
        entry = again.entry(photo)
        assert entry is not None
        assert [key.seat for key in entry.sheets] == [2, 1]
        back = again.load(entry).sheets[0]
    assert back.result == sheet.result
    ours, theirs = back.readings.readings(), sheet.readings.readings()
    assert all((ours.content[name] == theirs.content[name]).all() for name in theirs.content)
    assert ours.marks == theirs.marks
    assert (back.full_pose().homography == sheet.full_pose().homography).all()


def test_a_line_that_was_torn_off_is_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    with Ledger(file) as ledger:
        first, second = log(ledger, "a.jpg", written()), log(ledger, "b.jpg", written())
    whole = file.read_bytes()
    for cut in (1, 2, 100, 2000):
        file.write_bytes(whole[:-cut])
        with Ledger(file) as again:
            assert again.entry(first) is not None
            assert (again.entry(second) is not None) is (cut == 1), "only the line's end was lost"
            third = log(again, "c.jpg", written())
        with Ledger(file) as once_more:
            entry = once_more.entry(third)
            assert entry is not None
            assert once_more.load(entry).path == third.path


def test_an_unchanged_photo_is_known_again(tmp_path: Path) -> None:
    photo = real_photo(tmp_path / "a.jpg")
    with Ledger(tmp_path / "r.jsonl") as ledger:
        assert not ledger.recall(photo)
        enter(ledger, photo)
        assert ledger.recall(photo)
    with Ledger(tmp_path / "r.jsonl") as again:
        assert again.recall(photo)


def test_a_photo_that_was_moved_or_touched_is_known_by_its_content(tmp_path: Path) -> None:
    photo = real_photo(tmp_path / "a.jpg")
    with Ledger(tmp_path / "r.jsonl") as ledger:
        enter(ledger, photo)
        os.utime(photo.path, (1, 1))
        (touched,) = find_photos([photo.path])
        assert ledger.recall(touched)
        moved = real_photo(tmp_path / "b.jpg")
        assert ledger.recall(moved)
        entry = ledger.entry(moved)
        assert entry is not None
        assert ledger.load(entry).path == moved.path


def test_a_photo_that_changed_is_read_again(tmp_path: Path) -> None:
    photo = real_photo(tmp_path / "a.jpg")
    with Ledger(tmp_path / "r.jsonl") as ledger:
        enter(ledger, photo)
        assert not ledger.recall(real_photo(tmp_path / "a.jpg", b"another")), "same size, other content"
        assert not ledger.recall(real_photo(tmp_path / "a.jpg", b"one more photo"))


def test_another_version_reads_all_photos_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Ledger(tmp_path / "r.jsonl") as ledger:
        photo = log(ledger, "a.jpg", written())
    monkeypatch.setattr("scanner.night.ledger.version", lambda: "other")
    with Ledger(tmp_path / "r.jsonl") as again:
        assert again.entry(photo) is None


def test_the_version_names_the_networks() -> None:
    assert record.version() == record.version()
    assert record.version().count("+") == 1


def test_a_photo_that_brought_its_worker_down_is_tried_again(tmp_path: Path) -> None:
    photo = photo_file("a.jpg")
    with Ledger(tmp_path / "r.jsonl") as ledger:
        ledger.append(lost_line(photo.path, photo.name, "it died"))
        assert not ledger.recall(photo)
        entry = ledger.entry(photo)
        assert entry is not None
        error = ledger.load(entry).error
        assert error is not None
        assert error.code == 70


def test_two_runs_may_share_a_file(tmp_path: Path) -> None:
    with Ledger(tmp_path / "r.jsonl") as one, Ledger(tmp_path / "r.jsonl") as other:
        log(one, "a.jpg", written())
        log(other, "b.jpg", written())
        photo = log(one, "c.jpg", written(SHEET, 1, 8000))
        entry = one.entry(photo)
        assert entry is not None
        assert one.load(entry).sheets[0].seat == 1


def test_a_record_that_is_broken_inside_is_none(tmp_path: Path) -> None:
    file, photo = tmp_path / "r.jsonl", real_photo(tmp_path / "a.jpg")
    with Ledger(file) as ledger:
        enter(ledger, photo)
    line = file.read_bytes()
    assert b'"review":[' in line
    values = line.index(b'",[12,5,8],"') + len(b'",[12,5,8],"')
    for broken in (
        line.replace(b'"review":[', b'"review":[7,'),
        line[:values] + b"!" + line[values + 1 :],
        line[:values] + line[values + 8 :],
    ):
        file.write_bytes(broken)
        with Ledger(file) as again:
            assert not again.recall(photo), "it is read again"
            assert again.entry(photo) is None
            enter(again, photo)
            assert again.recall(photo)
    nested = b"[" * 100_000 + b"]" * 100_000
    file.write_bytes(line.replace(b'"review":[', b'"more":' + nested + b',"review":['))
    with Ledger(file) as again:
        assert again.entry(photo) is None


def test_only_a_file_of_results_is_taken_for_one(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    with Ledger(file) as ledger:
        log(ledger, "a.jpg", written())
    line = file.read_bytes()
    ours = (
        line,
        line.replace(version().encode(), b"0.0.1"),
        b"another's\n" + line,
        line[:300],
        line[:300] + b"\n",
        b"",
        b"\n\n",
    )
    others = (b'{"path":"a.jpg"}\n', b"[[player]]\nseat = 1\n", b"\xff\xd8\xff\xe0 JFIF", b"{}\n", b"{\n}\n", b"[" * 100_000)
    for content in (*ours, *others):
        file.write_bytes(content)
        assert is_results_file(file) is (content in ours), content[:50]


def test_anything_else_in_the_file_is_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    file.write_bytes(b"\n{}\n[1, 2]\nnot json\n\xff\xfe\n" + msgspec.json.encode({"path": 3}))
    with Ledger(file) as ledger:
        photo = log(ledger, "a.jpg", written())
        assert ledger.entry(photo) is not None
        assert ledger.entry(replace(photo, path="/night/none.jpg")) is None
