"""Running an evaluation in one process or several."""

import io
import shutil
from pathlib import Path

import msgspec
from rich.console import Console

from scanner.evaluate.run import evaluate_directory
from scanner.evaluate.summary import Evaluation
from scanner.report.evaluation import print_evaluation
from tests.tabletop import encoded, tabletop

SAMPLES = Path(__file__).parents[2] / "sample_scans"


def without_times(evaluation: Evaluation) -> list[object]:
    return [msgspec.structs.replace(photo, seconds=0.0) for photo in evaluation.photos]


def test_processes_share_the_work_and_keep_the_order(tmp_path: Path) -> None:
    folder = tmp_path / "not_a_sheet"
    folder.mkdir()
    (folder / "table.png").write_bytes(encoded(tabletop()))
    (folder / "broken.jpg").write_bytes(b"no picture")
    told: list[tuple[int, int]] = []
    alone = evaluate_directory(tmp_path, progress=lambda done, of: told.append((done, of)))
    assert told == [(1, 2), (2, 2)]
    assert [photo.error_kind for photo in alone.photos] == ["not_an_image", "no_fiducials"]
    assert alone.overall.unexpected == 0
    assert without_times(evaluate_directory(tmp_path, workers=2)) == without_times(alone)


def test_a_read_sheet_is_measured_raw_and_decoded_and_by_its_confidence(tmp_path: Path) -> None:
    for name in ("easy-01.jpg", "easy-01.truth.json"):
        shutil.copy(SAMPLES / "easy" / name, tmp_path)
    evaluation = evaluate_directory(tmp_path)
    overall = evaluation.overall
    assert overall.raw.read == overall.decoded.read == overall.sheets == overall.within
    assert overall.decoded.exact >= overall.raw.exact
    assert sum(group.of for group in overall.reliability) == 60 * overall.sheets
    shown = io.StringIO()
    print_evaluation(Console(file=shown), evaluation)
    assert "raw > decoded" in shown.getvalue()
    assert "99.9 to 100 %" in shown.getvalue()
