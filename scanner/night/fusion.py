"""Evidence of several photos of one sheet, fused.

Log-probabilities add where observations are independent. Photos of one sheet are not quite: blur, light and creases differ,
but the ink that the networks find hard to tell is the same in all. So the sum is tempered: it counts as the number of
independent observations that photos with that correlation are worth, never as all of them.

References: Kish, Survey Sampling (1965): the effective number of weighted (section 11.7) and of correlated observations
(section 5.4). The logarithmic pool: Genest and Zidek, "Combining probability distributions", Statistical Science 1 (1986).
"""

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

import numpy as np

from scanner.geometry import FloatArray, read_only
from scanner.reading.readings import LogArray, Readings

SHARED: Final = 0.75
"""The correlation of what photos of one sheet say of a place. Measured on 52 synthetic sheets, four photos of each under
different conditions, as the intraclass correlation of the true reading's log-odds: 0.80 for cells and 0.96 for circles over all
places, 0.59 and 0.68 over those that are hard to tell."""
STRAY: Final = 1e-3
"""How often one photo alone shows something that is not there, by what lies on the paper or shines on it, however clearly."""
STROKE_MM: Final = 0.2
"""The uncertainty of ink itself: even a perfect photo weighs only so much more than a good one."""


class Placed(Protocol):
    """What is asked of a pose."""

    @property
    def residual_mm(self) -> float: ...
    @property
    def px_per_mm(self) -> float: ...
    @property
    def blur_mm(self) -> float: ...


def quality(pose: Placed) -> float:
    """A photo's weight before normalising: the inverse variance, in mm^-2, of where it shows a piece of ink, by the stroke, the
    blur, the misfit of the pose and the size of a pixel."""
    pixel = 1 / pose.px_per_mm
    return 1 / (STROKE_MM**2 + pose.blur_mm**2 + pose.residual_mm**2 + pixel**2)


def weights(qualities: Sequence[float]) -> FloatArray:
    """float64 (photos,): weights in proportion to the qualities, which sum to the number of independent observations that the
    photos are worth: 1 for one photo, 1.14 for two of a kind, never more than 1 / SHARED."""
    share: FloatArray = np.asarray(qualities, float) / sum(qualities)
    effective = 1 / float(np.square(share).sum())
    return share * (effective / (1 + (effective - 1) * SHARED))


def fuse(readings: Sequence[Readings], weigh: FloatArray) -> Readings:
    """The readings of one sheet in several photos as one, by `weights`; a single photo's stay as they are."""
    if len(readings) == 1:
        return readings[0]
    first = readings[0]
    return Readings(
        content={name: _fuse_logs([one.content[name] for one in readings], weigh) for name in first.content},
        edges_h=_fuse_all([one.edges_h for one in readings], weigh),
        edges_v=_fuse_all([one.edges_v for one in readings], weigh),
        struck=_fuse_all([one.struck for one in readings], weigh),
        marks={
            name: float(_fuse_odds([np.array(one.marks[name], np.float32) for one in readings], weigh)) for name in first.marks
        },
    )


def _fuse_logs(logs: Sequence[LogArray], weigh: FloatArray) -> LogArray:
    """Log-probabilities along the last axis, pooled and normalised again."""
    stacked = np.stack(logs).astype(float)
    softened = np.logaddexp(stacked + np.log1p(-STRAY), np.log(STRAY / stacked.shape[-1]))
    pooled = np.tensordot(weigh, softened, 1)
    pooled -= pooled.max(-1, keepdims=True)
    return read_only((pooled - np.log(np.exp(pooled).sum(-1, keepdims=True))).astype(np.float32))


def _fuse_odds(odds: Sequence[LogArray], weigh: FloatArray) -> LogArray:
    """Log-odds, pooled."""
    stacked = np.stack(odds).astype(float)
    stray = np.log(STRAY / 2)
    on = np.logaddexp(np.log1p(-STRAY) - np.logaddexp(0, -stacked), stray)
    off = np.logaddexp(np.log1p(-STRAY) - np.logaddexp(0, stacked), stray)
    return np.asarray(np.tensordot(weigh, on - off, 1), np.float32)


def _fuse_all(arrays: Sequence[Mapping[str, LogArray]], weigh: FloatArray) -> dict[str, LogArray]:
    return {name: read_only(_fuse_odds([one[name] for one in arrays], weigh)) for name in arrays[0]}
