"""A network's figures for the model card: accuracy by class, confusions, calibration."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from scanner.training.fit import Calibration, calibration_error, probabilities


def figures(logits: Tensor, labels: NDArray[np.uint8], calibration: Calibration, names: tuple[str, ...]) -> dict[str, Any]:
    """Accuracy over all and by class, which class is taken for which, the expected calibration error, and how often a reading
    of at least 99 % confidence is right."""
    p = probabilities(logits, calibration)
    classes = names if len(names) > 1 else (f"not {names[0]}", names[0])
    read = p.argmax(1)
    confusion = np.zeros((len(classes), len(classes)), int)
    np.add.at(confusion, (labels, read), 1)
    sure = p.max(1) >= 0.99
    return {
        "crops": len(labels),
        "accuracy": _share(read == labels),
        "by_class": {name: round(confusion[i, i] / max(confusion[i].sum(), 1), 5) for i, name in enumerate(classes)},
        "confusion": {name: confusion[i].tolist() for i, name in enumerate(classes)},
        "calibration_error": round(calibration_error(p, labels), 5),
        "sure": _share(sure),
        "right_when_sure": _share((read == labels)[sure]),
        "temperature": round(1 / float(calibration.scale[0]), 4),
    }


def _share(hits: NDArray[np.bool_]) -> float:
    return round(float(hits.mean()), 5) if len(hits) else 0.0
