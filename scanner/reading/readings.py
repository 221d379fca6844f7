"""What the networks say, before anything is decided: log-probabilities for every place of the template that is read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

CONTENT_LABELS: Final = ("blank", "sun", "star", "pyramid", "eye", "lotus", "crossed", "other")
"""The last axis of `Readings.content`, in this order."""

CONTENT_CHARACTERS: Final = "_O*^@Yx?"
"""The state's characters for CONTENT_LABELS (a blank cell may also be '.', which the outlines tell)."""

LogArray = NDArray[np.float32]

_ALIKE: Final = 1e-6
"""Log-probabilities that differ by less are the same, rounded."""

SETTLED: Final = 60.0
"""Log-odds of what a person has said: nothing that is known of the game weighs against it."""
MOST_SURE: Final = 40.0
"""The largest log-odds that a network is believed: on pictures that a program has made black and white they know no bounds."""


@dataclass(frozen=True, slots=True)
class Readings:
    """Calibrated readings of one sheet, keyed by the template's names.

    content: grid -> float32 (rows, columns, 8), natural log-probabilities over CONTENT_LABELS, summing to one in probability.
    edges_h: grid -> float32 (rows + 1, columns), log-odds that the horizontal edge above row r, column c carries a drawn
        line (row index `rows` is the grid's bottom border).
    edges_v: grid -> float32 (rows, columns + 1), the same for the vertical edge left of column c.
    struck: grid -> float32 (rows, columns), log-odds that the printed cell is struck through.
    marks: mark -> log-odds that the circle is marked.
    answers: place, as reviews name it -> what a person says it holds, as the game's decoder has it. The arrays say the same.

    Log-odds are natural: probability = 1 / (1 + exp(-x)). Where something lies on the sheet, so that a place could not be
    looked at, all labels of a cell are alike (no network gives that: see `unseen`) and log-odds are 0.
    """

    content: Mapping[str, LogArray]
    edges_h: Mapping[str, LogArray]
    edges_v: Mapping[str, LogArray]
    struck: Mapping[str, LogArray]
    marks: Mapping[str, float]
    answers: Mapping[str, Any] = field(default_factory=dict)


def unseen(content: LogArray) -> NDArray[np.bool_]:
    """bool (rows, columns): cells of a grid's content, (rows, columns, 8), that could not be looked at."""
    alike: NDArray[np.bool_] = np.ptp(content, axis=-1) < _ALIKE
    return alike
