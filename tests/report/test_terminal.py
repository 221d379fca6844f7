"""What people see at a terminal."""

import io
from functools import partial

from rich.console import Console

from scanner.errors import MissingFile, TooBlurred
from scanner.report.obelisk_sheet import obelisk_picture
from scanner.report.scoring import judge_file
from scanner.report.terminal import print_refusals, print_result, print_scored
from scanner.result import AuditLine, ErrorInfo, RefusedSheet, ScanResult, ScoredState, freeze
from tests.handmade import SCORE, doubt, photo, sheet, state


def console(width: int = 100) -> Console:
    return Console(file=io.StringIO(), width=width, highlight=False)


def printed(result: ScanResult, width: int = 100) -> str:
    out = console(width)
    print_result(out, result)
    print_refusals(out, result)
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


def test_the_obelisk_in_characters_with_points_at_rows_and_columns() -> None:
    lines = obelisk_picture(state(), SCORE).plain.split("\n")
    assert lines[0] == "    - - - - - ", "level 3 lies above row 12"
    assert lines[5] == "    - - - - - "
    assert lines[6] == " 5  _ @ ^ O .   5"
    assert lines[8] == " 7  @ * ^ O .   8"
    assert lines[9] == " 8  _ _ O _ .   -"
    assert lines[-1] == "    2 3 2 3 0"


def test_doubtful_cells_stand_out() -> None:
    picture = obelisk_picture(state(), SCORE, (doubt("obelisk r5 c2"),))
    marked = [picture.plain[span.start : span.end] for span in picture.spans if "reverse" in str(span.style)]
    assert marked == ["@"]


def test_a_sheet_shows_all_that_the_score_is_made_of() -> None:
    text = printed(photo(sheet()))
    for part in (
        "photo.jpg",
        "seat 2, set 1000, sheet 8001",
        "2 3 2 3 0",
        "0 0 0 0 5 3 8 0 5 3 8 8",
        "levels        3 0 0",
        "scrolls       3 0 0",
        "scroll 1: O^Y*",
        "total",
        "56",
        "empty spaces",
        "37",
    ):
        assert part in text


def test_what_needs_a_look_says_what_it_would_change() -> None:
    text = printed(photo(sheet(bounds=(56, 59), review=(doubt(), doubt("scroll1 used", "yes", "no", (56,))))))
    assert "? obelisk r5 c2: read @ (71%), or O (27%) - total 56 or 59" in text
    assert "? scroll1 used: read yes (71%), or no (27%) - the total stays" in text
    assert "56 to 59" in text


def test_audit_lines_are_shown() -> None:
    text = printed(photo(sheet(audit=(AuditLine("points not marked", "scroll1", "Scroll 1 is filled."),))))
    assert "! scroll1: Scroll 1 is filled. (points not marked)" in text


def test_everything_fits_a_narrow_terminal() -> None:
    text = printed(photo(sheet(review=(doubt(),))), width=48)
    assert max(map(len, text.splitlines())) <= 48
    assert "0 0 0 0 5 3 8 0 5 3 8 8" in text


def test_errors_come_with_their_remedy_once_each() -> None:
    blurred = ErrorInfo.of(TooBlurred("The photo is too blurred."))
    assert printed(photo(error=blurred)) == (f"photo.jpg: The photo is too blurred.\n  {TooBlurred.default_hint}\n")
    gone = ErrorInfo.of(MissingFile("photo.jpg does not exist."))
    assert printed(photo(error=gone)) == f"photo.jpg does not exist.\n  {MissingFile.default_hint}\n"
    refused = RefusedSheet(3, 8002, blurred)
    assert printed(photo(error=blurred, refused=(refused,))).count("too blurred") == 1
    text = printed(photo(sheet(), refused=(refused, RefusedSheet(None, None, blurred, 2))))
    assert "photo.jpg, seat 3 (sheet 8002) is not scored: The photo is too blurred." in text
    assert "photo.jpg, page 2 is not scored: The photo is too blurred." in text


def test_games_without_a_picture_are_shown_as_lists_of_points() -> None:
    out = console()
    players = {"white": {"pyramid": 4, "burial_chamber": 3}, "black": {"pyramid": 1, "burial_chamber": 0}}
    score = {"players": players, "structure": 12, "prophecies": {"front": 5}}
    print_scored(out, ScoredState("a.json", state=freeze({"game": "imhotep"}), score=freeze(score)))
    assert isinstance(out.file, io.StringIO)
    lines = [line.strip("│ ").split() for line in out.file.getvalue().splitlines()]
    assert ["white", "black"] in lines
    assert ["burial", "chamber", "3", "0"] in lines
    assert ["structure", "12"] in lines
    assert ["prophecies,", "front", "5"] in lines


def test_markup_in_file_names_is_left_alone() -> None:
    assert "[bold]x.jpg" in printed(photo(sheet(), file="[bold]x.jpg"))


def test_states_from_files_are_scored_or_say_what_is_wrong() -> None:
    def missing() -> bytes:
        raise FileNotFoundError(2, "No such file or directory", "a.json")

    assert judge_file("a.json", lambda: b'{"game": "obelisk"').scored.error is not None
    for content in (b"", b"[1]", b'{"game": "chess"}', b'{"game": "obelisk"}', b"\xff\xfe", b"[" * 100_000):
        error = judge_file("a.json", partial(bytes, content)).scored.error
        assert error is not None
        assert (error.kind, error.code) == ("bad_state", 5)
    error = judge_file("a.json", missing).scored.error
    assert error is not None
    assert (error.kind, error.code) == ("missing_file", 3)
