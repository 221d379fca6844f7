"""Sums by condition and over all."""

import msgspec
import pytest

from scanner.errors import NoFiducials, TooBlurred
from scanner.evaluate.compare import Look, PhotoVerdict, compare_photo
from scanner.evaluate.summary import Evaluation
from scanner.evaluate.truth import Truth, TruthSheet
from scanner.result import ErrorInfo
from tests.handmade import SCORE, doubt, photo, sheet, state


def verdicts() -> list[PhotoVerdict]:
    truth = Truth((msgspec.convert(state(score=SCORE), TruthSheet),))
    blurred = ErrorInfo.of(TooBlurred("Too blurred."))
    nothing = ErrorInfo.of(NoFiducials("Nothing."))
    return [
        compare_photo("easy", truth, photo(sheet(), file="1")),
        compare_photo("easy", truth, photo(sheet(total=59, levels=[0, 0, 0]), file="2")),
        compare_photo(
            "blur", truth, photo(sheet(total=59, bounds=(56, 59), review=(doubt(), doubt("obelisk r1 c1"))), file="3")
        ),
        compare_photo("blur", truth, photo(file="4", error=blurred)),
        compare_photo("blur", truth, photo(file="5")),
        compare_photo("not_a_sheet", Truth(()), photo(file="6", error=nothing)),
        compare_photo("not_a_sheet", Truth(()), photo(sheet(), file="7")),
    ]


def test_sums() -> None:
    evaluation = Evaluation.of(verdicts(), ["8.jpg"])
    assert [summary.condition for summary in evaluation.conditions] == ["blur", "easy", "not_a_sheet"]
    blur, easy, foreign = evaluation.conditions
    assert (easy.photos, easy.sheets, easy.read, easy.exact, easy.silent, easy.state_exact) == (2, 2, 2, 1, 1, 1)
    assert easy.exact_rate == 0.5
    assert easy.unflagged == 1
    assert (blur.sheets, blur.found, blur.read, blur.flagged, blur.refused, blur.missing) == (3, 2, 1, 1, 1, 1)
    assert blur.review_rate == 2
    assert blur.refusals == {"too_blurred": 1}
    assert (foreign.foreign, foreign.sheets, foreign.unexpected, foreign.exact_rate) == (2, 0, 1, None)
    assert foreign.refusals == {"no_fiducials": 1}
    overall = evaluation.overall
    assert (overall.photos, overall.sheets, overall.read, overall.exact, overall.silent) == (7, 5, 3, 1, 1)
    assert overall.cells.of == 3 * 81
    assert overall.cells.right == 3 * 81 - 1
    assert evaluation.without_truth == ("8.jpg",)


def test_the_raw_reading_stands_beside_the_decoded_one_of_the_same_sheets() -> None:
    truth = Truth((msgspec.convert(state(score=SCORE), TruthSheet),))
    wrong = sheet(total=59, levels=[0, 0, 0], review=(doubt(),), bounds=(56, 59))
    photos = [
        compare_photo("easy", truth, photo(sheet(), file="1"), [Look(raw=wrong)]),
        compare_photo("easy", truth, photo(sheet(), file="2"), [Look(raw=sheet())]),
        compare_photo("easy", truth, photo(wrong, file="3"), [Look()]),
    ]
    overall = Evaluation.of(photos).overall
    assert (overall.read, overall.exact, overall.within) == (3, 2, 3)
    raw, decoded = overall.raw, overall.decoded
    assert (raw.read, raw.exact, raw.flagged, raw.silent, raw.state_exact, raw.review_rate) == (2, 1, 1, 0, 1, 0.5)
    assert (decoded.read, decoded.exact, decoded.flagged, decoded.state_exact, decoded.review_rate) == (2, 2, 0, 2, 0)
    assert raw.cells.of == decoded.cells.of == decoded.cells.right == raw.cells.right + 1


def test_an_evaluation_is_plain_data_for_json() -> None:
    data = Evaluation.of(verdicts()).to_dict()
    assert data["schema"] == "obelisk-scan/1"
    assert data["overall"]["classes"]["mark"] == {"right": 26, "of": 27}
    assert [photo["photo"] for photo in data["photos"]] == ["1", "2", "3", "4", "5", "6", "7"]
    assert msgspec.json.decode(msgspec.json.encode(data)) == data


def test_the_evaluation_of_nothing_has_no_rates() -> None:
    overall = Evaluation.of([]).overall
    assert overall.exact_rate is None
    assert overall.review_rate is None
    assert overall.pose_rms_mm is None
    assert overall.cells.rate is None
    assert overall.seconds == pytest.approx(0)
