"""What an audit of a sheet finds."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One finding, in the game's words.

    rule: what is broken or forgotten, the same words for every case of it. where: e.g. "obelisk r3 c2" (rows from the top,
    counted from 1), "wall r1 c2", "scroll1", "level2". breach: False for a remark that legal play allows too, such as points
    that were perhaps forgotten.
    """

    rule: str
    where: str
    message: str
    breach: bool = True
