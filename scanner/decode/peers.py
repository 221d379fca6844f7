"""A circle's ink beside that of the sheet's other circles: one pen and one light made them all."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from scanner.reading.readings import SETTLED

_OPEN_CIRCLE: Final = 3.3
_CLEAR_MARK: Final = 10.0
_WEAK_MARK: Final = 0.35
"""A circle whose log-odds are less than this share of what the sheet's clear marks usually have is open, its own held down to
_OPEN_CIRCLE: a stroke from a neighbour's mark may reach into it."""

_STANDS_OUT: Final = 9.0
"""A circle is hardly bare, however little ink it has, if it has more than the sheet's bare circles by so many times what these
vary by. Of 26,540 bare circles on Imhotep's sheets by people not trained on 2 have, of the 4 marked ones that look bare, of
1,915, 2 have."""
_STANDING_OUT: Final = 1.5
"""The log-odds that it has at the least then ..."""
_FAR_OUT: Final = 12.0
_STANDING_FAR_OUT: Final = 3.0
"""... and if it stands out so much."""
_LEAST_SPREAD: Final = 0.7
_ENOUGH_BARE: Final = 30
"""Fewer bare circles do not tell what they vary by."""


def beside_clear_marks(marks: Mapping[str, float], share: float = _WEAK_MARK) -> dict[str, float]:
    """Log-odds of a sheet's circles, those held down that have less than a `share` of what the sheet's own clear marks have."""
    clear = [odds for odds in marks.values() if _CLEAR_MARK < odds < SETTLED]
    weak = share * float(np.median(clear)) if clear else 0.0
    return {name: min(odds, _OPEN_CIRCLE) if odds < weak else odds for name, odds in marks.items()}


def beside_bare_circles(marks: Mapping[str, float]) -> dict[str, float]:
    """Log-odds of a sheet's circles, those raised that stand out among its bare ones: a small or faint mark."""
    bare = [odds for odds in marks.values() if -SETTLED < odds < 0]
    if len(bare) < _ENOUGH_BARE:
        return dict(marks)
    usual, high = np.quantile(bare, [0.5, 0.84]).tolist()
    spread = max(high - usual, _LEAST_SPREAD)
    found = dict(marks)
    for least, times in ((_STANDING_OUT, _STANDS_OUT), (_STANDING_FAR_OUT, _FAR_OUT)):
        found |= {name: max(odds, least) for name, odds in found.items() if marks[name] > usual + times * spread}
    return found
