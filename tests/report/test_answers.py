"""Answers files: their form, whose sheets they mean, what is wrong with them, and saving."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from scanner import pipeline
from scanner.errors import BadState, MissingFile
from scanner.pipeline import PhotoScan, read_photo
from scanner.report.answers import AnswerBook, AnswerFile, Identified, answer_photo, load_answers
from scanner.result import Answer, ScanResult, thaw
from tests.doubtful import CELL, CIRCLE, CIRCLE_TRUTH, TOTAL, doubtful_reader, total_with
from tests.pipes import pipe_in
from tests.tabletop import tabletop

ONE, OTHER = Identified(1, 8000), Identified(2, 8001)
SHEETS = [ONE, OTHER]


def written(folder: Path, text: str) -> Path:
    path = folder / "answers.toml"
    path.write_text(text, "utf-8")
    return path


def entry(photo: str | None = "table.jpg", seat: int = 2, number: int | None = 8001, answers: str = '"level2" = 5') -> str:
    lines = ["[[sheet]]", f"seat = {seat}"]
    lines += [f'photo = "{photo}"'] if photo is not None else []
    lines += [f"sheet_number = {number}"] if number is not None else []
    return "\n".join([*lines, "[sheet.answers]", answers, ""])


def book(folder: Path, text: str, *photos: str) -> AnswerBook:
    return AnswerBook.load(written(folder, text), photos)


@pytest.fixture(scope="module")
def table() -> Iterator[PhotoScan]:
    """A photo of two sheets, each with a doubtful cell and a doubtful circle."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "read_sheets", doubtful_reader())
        yield read_photo(tabletop((1, 8000), (2, 8001)), name="table.jpg")


# Which sheet is meant


@pytest.mark.parametrize(
    ("named", "photo", "is_it"),
    [
        ("table.jpg", "table.jpg", True),
        ("table.jpg", "/night/one/table.jpg", True),
        ("one/table.jpg", "/night/one/table.jpg", True),
        ("two/table.jpg", "/night/one/table.jpg", False),
        ("able.jpg", "/night/one/table.jpg", False),
        ("/night/one/table.jpg", "/night/one/table.jpg", True),
        ("-", "-", True),
        ("-", "table.jpg", False),
        ("table.jpg", "-", False),
    ],
)
def test_photos_are_named_by_their_names_or_paths(tmp_path: Path, named: str, photo: str, is_it: bool) -> None:
    found, wrong = book(tmp_path, entry(named), photo).look_up(photo, SHEETS)
    assert found == [{}, {"level2": "5"} if is_it else {}]
    assert not wrong


def test_one_name_must_not_mean_two_photos(tmp_path: Path) -> None:
    with pytest.raises(BadState, match=r"table\.jpg may be a/table\.jpg or b/table\.jpg"):
        book(tmp_path, entry(), "a/table.jpg", "b/table.jpg")
    two = book(tmp_path, entry("a/table.jpg"), "a/table.jpg", "b/table.jpg")
    assert [two.look_up(photo, SHEETS)[0][1] for photo in two.photos] == [{"level2": "5"}, {}]
    assert book(tmp_path, entry(), "a/table.jpg", "./a/table.jpg"), "the same photo twice is one"


def test_seat_and_number_say_which_sheet(tmp_path: Path) -> None:
    text = entry(seat=1, number=None, answers='"level1" = 3') + entry(seat=2, answers='"scroll1 used" = true')
    found, wrong = book(tmp_path, text, "table.jpg").look_up("table.jpg", SHEETS)
    assert found == [{"level1": "3"}, {"scroll1 used": "true"}]
    assert not wrong


def test_a_number_alone_finds_its_sheet_in_any_photo(tmp_path: Path) -> None:
    found = book(tmp_path, entry(photo=None), "a.jpg", "b.jpg")
    assert found.look_up("a.jpg", [ONE]) == ([{}], [])
    assert found.unused()
    assert found.look_up("b.jpg", SHEETS)[0] == [{}, {"level2": "5"}]
    assert not found.unused()


def test_a_sheet_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    _, (wrong,) = book(tmp_path, entry(seat=3, number=None), "table.jpg").look_up("table.jpg", SHEETS)
    assert "table.jpg does not show seat 3" in wrong.message
    assert wrong.hint == "It shows: seat 1, sheet 8000; seat 2, sheet 8001."
    _, (wrong,) = book(tmp_path, entry(number=1), "table.jpg").look_up("table.jpg", [Identified(2, None)])
    assert wrong.hint == "It shows: seat 2, number not readable."


def test_sheets_that_look_alike_are_told_apart_by_their_page(tmp_path: Path) -> None:
    pages = [Identified(2, 8001, 1), Identified(2, 8001, 2)]
    _, (wrong,) = book(tmp_path, entry(), "table.jpg").look_up("table.jpg", pages)
    assert "2 sheets that may be seat 2, sheet 8001" in wrong.message
    assert "page" in wrong.hint
    text = entry().replace("seat = 2", "seat = 2\npage = 2")
    assert book(tmp_path, text, "table.jpg").look_up("table.jpg", pages) == ([{}, {"level2": "5"}], [])


def test_answers_for_photos_that_are_not_given_are_kept_in_mind(tmp_path: Path) -> None:
    found = book(tmp_path, entry() + entry("other.jpg"), "table.jpg")
    found.look_up("table.jpg", SHEETS)
    assert [sheet.photo for sheet in found.unused()] == ["other.jpg"]


# What is wrong with a file


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("what is this", "is no answers file"),
        ("[[sheet]]\nphoto = 3\nseat = 1\n", "photo"),
        ('[[sheet]]\nphoto = "a.jpg"\n', "seat"),
        ('[[sheet]]\nphoto = "a.jpg"\nseat = 9\n', "seat"),
        ('[[sheet]]\nphoto = "a.jpg"\nseat = 1\nset = 4\n', "set"),
        ('[[sheets]]\nphoto = "a.jpg"\nseat = 1\n', "sheets"),
        (entry(answers='"level2" = [5]'), '"level2" must be text, a whole number, true or false in [[sheet]] number 1.'),
        (
            entry() + entry(answers='"level2" = 1.5'),
            '"level2" must be text, a whole number, true or false in [[sheet]] number 2.',
        ),
        (entry(answers='obelisk."r3 c2" = "@"'), '"obelisk" must be text'),
        (entry(answers='"" = 5'), "length >= 1 for a name in [[sheet]] number 1, `answers`."),
        ('[sheet]\nphoto = "a.jpg"\nseat = 1\n', "`sheet`, which is written [[sheet]]"),
        (entry(photo=None, number=None), "without `photo` or `sheet_number`"),
        ('[[sheet]]\nphoto = "\\u0000"\nseat = 1\n', "zero byte"),
        (entry(answers='"level2" = 0x' + "f" * 5_000), '"level2" is a number too large'),
        (entry() + entry(answers='"level2" = 3'), 'two things of seat 2, sheet 8001, "level2": "5" and "3"'),
    ],
)
def test_what_is_no_answers_file_is_said_with_the_form(tmp_path: Path, text: str, cause: str) -> None:
    with pytest.raises(BadState) as caught:
        load_answers(written(tmp_path, text))
    assert "answers.toml" in caught.value.message
    assert cause in caught.value.message
    assert "$" not in caught.value.message
    assert caught.value.hint
    assert caught.value.code == 5


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(MissingFile, match="nowhere"):
        load_answers(tmp_path / "nowhere.toml")
    with pytest.raises(MissingFile):
        load_answers(tmp_path)
    path = tmp_path / "bytes.toml"
    path.write_bytes(b'[[sheet]]\nphoto = "\xff"\n')
    with pytest.raises(BadState):
        load_answers(path)


# Applying


def test_answers_are_applied_and_kept_as_made_by_people(table: PhotoScan, tmp_path: Path) -> None:
    text = entry(seat=2, answers=f'"{CELL}" = "crossed out"\n"{CIRCLE}" = {str(CIRCLE_TRUTH == "marked").lower()}')
    scan, given, wrong = answer_photo(table, book(tmp_path, text, "table.jpg"))
    assert not wrong
    untouched, answered = (sheet.result for sheet in scan.sheets)
    assert scan.result.sheets == (untouched, answered)
    assert untouched == table.sheets[0].result
    assert untouched.answers is msgspec.UNSET
    assert given == [{}, {CELL: "x", CIRCLE: CIRCLE_TRUTH}]
    assert answered.answers == (Answer(CELL, "x"), Answer(CIRCLE, CIRCLE_TRUTH))
    assert not answered.review
    total = total_with("x")
    assert (answered.score["total"], answered.bounds) == (total, (total, total))
    before, after = (thaw(sheet.result.state)["obelisk"] for sheet in (table.sheets[1], scan.sheets[1]))
    changed = [(r, c) for r in range(12) for c in range(5) if before[r][c] != after[r][c]]
    assert [f"obelisk r{r + 1} c{c + 1}" for r, c in changed] == [CELL]


def test_the_documents_other_keys_stay_as_they_are(table: PhotoScan, tmp_path: Path) -> None:
    scan, _, _ = answer_photo(table, book(tmp_path, entry(answers=f'"{CELL}" = "x"'), "table.jpg"))
    document = scan.result.to_dict()
    plain, answered = document["sheets"]
    assert set(plain) == {"state", "score", "bounds", "review", "audit", "pose"}
    assert set(answered) == {*plain, "answers"}
    assert answered["answers"] == [{"where": CELL, "read": "x", "by": "human"}]
    assert msgspec.json.decode(msgspec.json.encode(scan.result), type=ScanResult).sheets[1].answers == (Answer(CELL, "x"),)


def test_wrong_answers_are_named_and_the_others_count(table: PhotoScan, tmp_path: Path) -> None:
    answers = f'"{CELL}" = "x"\n"obelisk r13 c1" = "O"\n"obelisk r1 c1" = "Q"'
    scan, given, wrong = answer_photo(table, book(tmp_path, entry(answers=answers), "table.jpg"))
    assert given[1] == {CELL: "x"}
    assert [line.where for line in scan.sheets[1].result.review] == [CIRCLE]
    assert [error.code for error in wrong] == [5, 5]
    place, value = (error.message for error in wrong)
    assert "seat 2, sheet 8001" in place
    assert 'no place "obelisk r13 c1"' in place
    assert '"obelisk r1 c1" cannot hold "Q"' in value


def test_answers_that_contradict_each_other_leave_the_sheet_alone(table: PhotoScan, tmp_path: Path) -> None:
    answers = '"level2" = 5\n"level2 mark 3" = "marked"'
    scan, given, (wrong,) = answer_photo(table, book(tmp_path, entry(answers=answers), "table.jpg"))
    assert "do not go together" in wrong.message
    assert given == [{}, {}]
    assert scan.sheets[1].result == table.sheets[1].result


# Saving


def test_saved_answers_are_read_again(table: PhotoScan, tmp_path: Path) -> None:
    path = tmp_path / "saved.toml"
    saved = AnswerFile(path, ["night/table.jpg", "night/other.jpg"])
    assert load_answers(path) == ()
    sheets = [Identified.of(sheet.result) for sheet in table.sheets]
    saved.keep("night/table.jpg", 1, sheets, {CELL: "^"})
    saved.keep("night/table.jpg", 1, sheets, {CELL: "^", CIRCLE: CIRCLE_TRUTH})
    (kept,) = load_answers(path)
    assert (kept.photo, kept.seat, kept.sheet_number, kept.page) == ("table.jpg", 2, 8001, None)
    scan, given, wrong = answer_photo(table, AnswerBook.load(path, ["table.jpg"]))
    assert not wrong
    assert given == [{}, {CELL: "^", CIRCLE: CIRCLE_TRUTH}]
    assert scan.result.sheets[1].score["total"] == total_with("^") != TOTAL
    assert path.read_text().startswith("#")
    assert [file.name for file in tmp_path.iterdir()] == ["saved.toml"]


def test_saving_keeps_what_the_file_says_of_other_sheets(tmp_path: Path) -> None:
    path = written(tmp_path, entry() + entry(seat=1, number=8000, answers='"level1" = 2\n"level2" = 1') + entry("z.jpg"))
    saved = AnswerFile(path, ["table.jpg"])
    saved.keep("table.jpg", 0, SHEETS, {"level1": "3", "level3": "8"})
    saved.keep("table.jpg", 0, SHEETS, {"level1": "3"})
    found = {(one.photo, one.seat): one.said for one in load_answers(path)}
    assert found == {
        ("table.jpg", 2): {"level2": "5"},
        ("z.jpg", 2): {"level2": "5"},
        ("table.jpg", 1): {"level2": "1", "level1": "3"},
    }


def test_photos_of_one_name_are_saved_with_their_folders(tmp_path: Path) -> None:
    photos = ["a/table.jpg", "b/table.jpg", "b/other.jpg", "-"]
    path = tmp_path / "saved.toml"
    saved = AnswerFile(path, photos)
    for photo in photos:
        saved.keep(photo, 1, SHEETS, {"level2": "5"})
    assert [one.photo for one in load_answers(path)] == ["a/table.jpg", "b/table.jpg", "other.jpg", "-"]
    assert [AnswerBook.load(path, photos).look_up(photo, SHEETS)[0][1] for photo in photos] == [{"level2": "5"}] * 4


def test_odd_names_survive(tmp_path: Path) -> None:
    photo = 'my "best" \\ photo\x7f\t🎲.jpg'
    path = tmp_path / "saved.toml"
    AnswerFile(path, [photo]).keep(photo, 1, SHEETS, {"obelisk r1 c1": "^"})
    assert load_answers(path)[0].photo == photo


def test_pages_are_saved_only_where_they_are_needed(tmp_path: Path) -> None:
    pages = [Identified(2, 8001, 1), Identified(2, 8001, 2), Identified(3, 8002, 3)]
    path = tmp_path / "saved.toml"
    saved = AnswerFile(path, ["scans.pdf"])
    for index in range(3):
        saved.keep("scans.pdf", index, pages, {"level2": str([5, 3, 1][index])})
    assert [one.page for one in load_answers(path)] == [1, 2, None]
    assert AnswerBook.load(path, ["scans.pdf"]).look_up("scans.pdf", pages) == ([{"level2": n} for n in "531"], [])


def test_what_cannot_be_saved_is_known_at_once(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        AnswerFile(tmp_path / "nowhere" / "saved.toml", ["table.jpg"])
    path = written(tmp_path, "A letter to my aunt.")
    with pytest.raises(BadState):
        AnswerFile(path, ["table.jpg"])
    assert path.read_text() == "A letter to my aunt."


def test_what_is_no_file_is_never_saved_to(tmp_path: Path) -> None:
    pipe = pipe_in(tmp_path)
    with pytest.raises(MissingFile, match="pipe or device"):
        AnswerFile(pipe, ["table.jpg"])
    assert pipe.is_fifo()
