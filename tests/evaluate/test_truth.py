"""Truth files: found, understood, and refused when they are not what they should be."""

import json
from pathlib import Path

import pytest

from scanner.errors import BadState, MissingFile
from scanner.evaluate.truth import find_cases, load_truth
from tests.handmade import SCORE, state


def write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))


def test_cases_are_found_in_folders_and_flat(tmp_path: Path) -> None:
    for name in ("b/2.jpg", "b/1.JPG", "a.png", "not_a_sheet/table.jpg", "lonely.jpg", "b/1.truth.jpg"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    write(tmp_path / "b/1.truth.json", {"sheets": [state(score=SCORE)]})
    write(tmp_path / "b/2.truth.json", {"condition": "dim", "sheets": []})
    write(tmp_path / "a.truth.json", {"sheets": [], "other": {"keys": "are left alone"}})
    cases, without = find_cases(tmp_path)
    assert [(case.photo.name, case.condition, len(case.truth.sheets)) for case in cases] == [
        ("a.png", tmp_path.name, 0),
        ("1.JPG", "b", 1),
        ("2.jpg", "dim", 0),
        ("table.jpg", "not_a_sheet", 0),
    ]
    assert [path.name for path in without] == ["1.truth.jpg", "lonely.jpg"]


def test_a_truth_without_a_score_is_scored(tmp_path: Path) -> None:
    write(tmp_path / "a.truth.json", {"sheets": [state()]})
    (sheet,) = load_truth(tmp_path / "a.truth.json").sheets
    assert sheet.total == 56


def test_the_score_that_a_truth_gives_counts(tmp_path: Path) -> None:
    write(tmp_path / "a.truth.json", {"sheets": [state(score=SCORE | {"total": 99})]})
    assert load_truth(tmp_path / "a.truth.json").sheets[0].total == 99


@pytest.mark.parametrize(
    "content",
    [
        "{",
        '{"sheets": 3}',
        '{"sheets": [{"obelisk": [1]}]}',
        '{"sheets": [{"obelisk": ["..Z.."]}]}',
        '{"condition": "a"}',
        pytest.param('{"sheets": [], "more": ' + "[" * 50_000 + "]" * 50_000 + "}", id="deep"),
    ],
)
def test_a_broken_truth_file_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "a.truth.json").write_text(content)
    with pytest.raises(BadState, match=r"a\.truth\.json"):
        load_truth(tmp_path / "a.truth.json")


def test_nothing_to_evaluate_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MissingFile, match="no photo with a truth file"):
        find_cases(tmp_path)
    with pytest.raises(MissingFile, match="not a directory"):
        find_cases(tmp_path / "nowhere")
