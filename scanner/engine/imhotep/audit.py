"""The audit of a table's sheet: what cannot have come about by the rules, and what could not be read.

References: RULES section 2.
"""

from collections.abc import Sequence

from scanner.engine.findings import AuditLine
from scanner.engine.imhotep.cards import BLUE_CARDS, DECORATIONS_A_SITE, STATUES
from scanner.engine.imhotep.sites import BUILDINGS, UNREADABLE, temple_spaces
from scanner.engine.imhotep.state import ImhotepState


def audit_table(state: ImhotepState) -> tuple[AuditLine, ...]:
    """Every finding: stones that could not be read, the temple's rounds, more cards than there are."""
    return (*_unreadable(state), *_temple(state), *_cards(state))


def _unreadable(state: ImhotepState) -> list[AuditLine]:
    rows = {"pyramid": state.pyramid, "burial chamber": state.burial_chamber}
    rows |= {f"temple round {number}": tops for number, tops in enumerate(state.temple, 1)}
    return [
        AuditLine("unreadable", f"{site} stone {place}", "No player's stone could be read here; it scores for nobody.", False)
        for site, stones in rows.items()
        for place, stone in enumerate(stones, 1)
        if stone == UNREADABLE
    ]


def _temple(state: ImhotepState) -> list[AuditLine]:
    spaces = temple_spaces(len(state.players))
    played = [number for number, tops in enumerate(state.temple, 1) if tops]
    last = state.temple[played[-1] - 1] if played else ()
    for number in range(2, played[-1] + 1 if played else 0):
        before, after = len(state.temple[number - 2]), len(state.temple[number - 1])
        if after < before:
            return [
                AuditLine(
                    "temple spaces uncovered",
                    f"temple round {number}",
                    f"{before} spaces were covered after round {number - 1} and only {after} after round {number}; "
                    "stones are never taken away.",
                )
            ]
    if state.temple_stones < len(last) or (len(last) < spaces and state.temple_stones > len(last)):
        return [
            AuditLine(
                "stones in the temple",
                "temple stones",
                f"{state.temple_stones} stones are noted, but {len(last)} of {spaces} spaces are covered at the end.",
            )
        ]
    if played and state.temple_stones not in temple_counts(state.temple[: played[-1]], spaces, state.temple_stones):
        return [
            AuditLine(
                "temple filled out of order",
                "temple",
                "Filling it from left to right, level on level, does not lead from round to round as written.",
            )
        ]
    return []


def temple_counts(rounds: Sequence[Sequence[str]], spaces: int, most: int) -> set[int]:
    """How many stones, up to `most`, can lie in the temple at the end if laying them from left to right, level on level, gave
    these topmost colours round by round. An unreadable colour may be any."""
    possible = {0}
    before: Sequence[str] = ()
    for tops in rounds:
        counts = [len(tops)] if len(tops) < spaces else list(range(spaces, most + 1))
        # Only the spaces that got a stone in this round may show another colour than before; a whole level of new stones
        # changes all, so that more make no difference.
        changed = {
            (count % spaces, laid): _follows(before, tops, spaces, count, count + laid)
            for count in possible
            for laid in range(spaces + 1)
        }
        possible = {
            after
            for count in possible
            for after in counts
            if after >= count and changed[count % spaces, min(after - count, spaces)]
        }
        before = tops
    return possible


def _follows(before: Sequence[str], tops: Sequence[str], spaces: int, count: int, after: int) -> bool:
    laid = {stone % spaces for stone in range(count, after)}
    return all(
        space in laid or UNREADABLE in (old, new) or old == new
        for space, (old, new) in enumerate(zip(before, tops, strict=False))
    )


def _cards(state: ImhotepState) -> list[AuditLine]:
    found = []
    for what, counts, most in (("statues", state.statues, STATUES), ("blue cards", state.blue_cards, BLUE_CARDS)):
        taken = sum(counts.values())
        if taken > most:
            found.append(AuditLine(f"more {what} than there are", what, f"{taken} are noted; the game has {most}."))
    for site in BUILDINGS:
        taken = sum(sites.count(site) for sites in state.decorations.values())
        if taken > DECORATIONS_A_SITE:
            name = site.replace("_", " ")
            found.append(
                AuditLine(
                    "more decorations than there are",
                    f"decorations {name}",
                    f"{taken} decorations of the {name} are noted; the game has {DECORATIONS_A_SITE}.",
                )
            )
    return found
