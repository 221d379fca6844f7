"""The accuracy over the sample photos never falls below its floors (`golden.toml`)."""

import sys
from pathlib import Path

from scanner.evaluate.run import evaluate_directory
from tests.golden import compare, load_floors

HERE = Path(__file__).parent
SAMPLES = HERE.parent / "sample_scans"


def test_accuracy_reaches_its_floors() -> None:
    evaluation = evaluate_directory(SAMPLES)
    comparison = compare(evaluation, load_floors(HERE / "golden.toml"))
    wrong = [
        f"{v.photo}: {v.outcome}, {v.misread}" for photo in evaluation.photos for v in photo.sheets if v.outcome != "exact"
    ]
    assert not comparison.breaches, "\n".join([*comparison.breaches, *wrong])
    for line in comparison.better:
        # pytest shows it with -rP.
        sys.stdout.write(f"better than its floor: {line}\n")
