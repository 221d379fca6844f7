"""A network's figures for the model card: accuracy by class, confusions, calibration."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scanner.training.fit import calibration_error

_SURE: Final = 0.99
_OTHER: Final = "other"
_NO_SYMBOLS: Final = ("blank", "crossed", _OTHER)


def probabilities(outputs: NDArray[np.float32]) -> NDArray[np.float64]:
    """Probabilities (N, labels) from what a released network says: log-probabilities (N, labels), or log-odds (N, 1), which
    become (N, 2), absent first."""
    z = outputs.astype(np.float64)
    return np.exp(z if z.shape[1] > 1 else -np.logaddexp(0.0, np.hstack([z, -z])))


def figures(outputs: NDArray[np.float32], labels: NDArray[np.uint8], names: tuple[str, ...]) -> dict[str, Any]:
    """Accuracy over all and by class, which class is taken for which, the expected calibration error, how often a reading of
    at least 99 % confidence is right, and how often what is no symbol is so surely taken for one. `outputs` as in
    `probabilities`."""
    p = probabilities(outputs)
    classes = names if len(names) > 1 else (f"not {names[0]}", names[0])
    read = p.argmax(1)
    confusion = np.zeros((len(classes), len(classes)), int)
    np.add.at(confusion, (labels, read), 1)
    sure = p.max(1) >= _SURE
    foreign = labels == classes.index(_OTHER) if _OTHER in classes else np.zeros(len(labels), bool)
    symbols = np.isin(read, [i for i, name in enumerate(classes) if name not in _NO_SYMBOLS])
    return {
        "crops": len(labels),
        "accuracy": _share(read == labels),
        "by_class": {name: round(confusion[i, i] / max(confusion[i].sum(), 1), 5) for i, name in enumerate(classes)},
        "confusion": {name: confusion[i].tolist() for i, name in enumerate(classes)},
        "calibration_error": round(calibration_error(p, labels), 5),
        "sure": _share(sure),
        "right_when_sure": _share((read == labels)[sure]),
        "other_taken_for_symbols": _share((symbols & sure)[foreign]),
    }


def _share(hits: NDArray[np.bool_]) -> float:
    return round(float(hits.mean()), 5) if len(hits) else 0.0
