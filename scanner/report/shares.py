"""Probabilities in words."""


def in_percent(share: float) -> str:
    """A probability as people read it: never 0 % of what is asked about, nor all of it."""
    if share < 0.01:
        return "under 1%"
    return "over 99%" if share > 0.99 else f"{share:.0%}"
