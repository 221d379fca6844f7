"""Probabilities in words."""

import pytest

from scanner.report.shares import in_percent


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "under 1%"),
        (0.009, "under 1%"),
        (0.01, "1%"),
        (0.356, "36%"),
        (0.99, "99%"),
        (0.9999, "over 99%"),
        (1.0, "over 99%"),
    ],
)
def test_what_is_asked_about_is_never_none_or_all(share: float, text: str) -> None:
    assert in_percent(share) == text
