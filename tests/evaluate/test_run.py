"""Running an evaluation in one process or several."""

from pathlib import Path

import msgspec

from scanner.evaluate.run import evaluate_directory
from scanner.evaluate.summary import Evaluation
from tests.tabletop import encoded, tabletop


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
