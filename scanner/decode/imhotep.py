"""Imhotep: readings to the most probable table.

Stones lie in placing order without gaps, towers grow from the left, numbers are one circle each; only players' symbols stand
in cells. Ink that clearly says otherwise wins, becomes a doubt, and is named by the audit.

References: RULES section 2.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, Final

from scanner.decode.chains import (
    BLANK,
    UNREADABLE,
    Cell,
    read_chain,
    read_circle,
    read_height,
    read_number,
    temperature,
    tempered,
)
from scanner.decode.decoded import CONFIDENT_INK, AuditLine, Decoded
from scanner.decode.peers import beside_bare_circles, beside_clear_marks
from scanner.decode.players import CARD_HELD, who_plays
from scanner.decode.rescoring import Facts, Question, Totals, ask, keep_answers, question
from scanner.decode.temple import Temple, read_temple
from scanner.engine.imhotep.audit import temple_counts
from scanner.engine.imhotep.scoring import score_table, to_dict
from scanner.engine.imhotep.sites import MIN_PLAYERS, temple_spaces
from scanner.engine.imhotep.state import parse_state
from scanner.errors import Inconsistent
from scanner.reading.readings import LogArray, Readings
from scanner.sheet.imhotep_places import (
    BLUE_CARDS,
    BURIAL_CHAMBER,
    COPIES,
    DECORATED,
    MOST_TEMPLE_STONES,
    PYRAMID,
    ROUNDS,
    SPACES,
    STATUES,
    SYMBOL_OF,
)
from scanner.sheet.pose import SheetIdentity

_COLOUR_OF: Final = {symbol: colour for colour, symbol in SYMBOL_OF.items()}
STONES_FIT: Final = 0.98
"""How often the number of stones in the temple fits what was noted round by round; who takes the photo within a round may have
laid some more."""
OFF_BY: Final = 10
"""Where it does not fit, it may be as many different numbers."""
TENS_OF_STONES: Final = {0: 1.0, 10: 1.0, 20: 0.5, 30: 0.1}
"""How often so many stones lie in the temple, to the ten below, beside the likeliest."""
FEWER: Final = 0.6
"""How often one more statue, or blue card, is held, beside one less ..."""
LEAST_OFTEN: Final = 0.1
"""... and how often the largest numbers are, at the least, beside none."""
Place = tuple[str, int, int]


def decode_imhotep(readings: Readings, identity: SheetIdentity) -> Decoded:
    """The most probable table, what is open about it, and what is odd about the paper. Inconsistent if fewer than two players
    can be made out."""
    colours = tuple(SYMBOL_OF)
    flattened = temperature(readings.content)
    heights = {
        colour: read_height(list(cells), flattened) for colour, cells in zip(colours, readings.content["obelisks"], strict=True)
    }
    readings = replace(
        readings, content=tempered(readings.content), marks=beside_clear_marks(beside_bare_circles(readings.marks))
    )
    players = who_plays(readings, {colour: odds for colour, (_, odds, _) in heights.items()})
    # All circles bare, as on a sheet that nobody has used.
    if players.bare:
        raise Inconsistent(
            "Fewer than two players are marked on the sheet.", "Mark the circles of all who play, and take the photo again."
        )
    plays = players.plays
    symbols = "".join(SYMBOL_OF[colour] for colour in colours if plays[colour])
    spaces = temple_spaces(sum(plays.values()))
    chains = _chains(readings, symbols, spaces)
    counted = _counted(readings.marks)
    together = read_temple(
        [[readings.content["temple"][number, space] for space in range(spaces)] for number in range(ROUNDS)],
        symbols,
        counted[0],
    )
    if together is not None:
        chains["temple"] = [
            [(("temple", number, space), cell) for space, cell in enumerate(cells)]
            for number, cells in enumerate(together.cells)
        ]

    facts: dict[Hashable, Any] = {("plays", colour): plays[colour] for colour in colours}
    questions: list[Question | None] = [
        question(("plays", colour), f"plays {colour}", {True: on, False: 1 - on}, plays[colour], named=_marked)
        for colour, on in players.odds.items()
    ]
    for place, cell in _placed(chains):
        facts[place] = cell.read
        grid, row, column = place
        where = f"{grid} r{row + 1} c{column + 1}"
        questions.append(question(place, where, cell.odds, cell.read, disputed=cell.disputed, named=_cell_name))
    for colour in colours:
        read, odds, gap = heights[colour]
        facts["obelisks", colour] = read
        if plays[colour]:
            questions.append(question(("obelisks", colour), f"obelisks {colour}", odds, read, disputed=gap))
        questions += _cards(readings.marks, colour, facts)
    questions.append(_temple_stones(counted, together, chains["temple"], spaces, facts))

    asked = keep_answers(facts, questions, readings.answers, _where)
    doubts, bounds = ask(facts, asked, _totals)
    state = _state(facts) | {"seat": identity.seat, "sheet_number": identity.sheet_number}
    score = to_dict(score_table(parse_state(state)))
    return Decoded(state, score, bounds, doubts, tuple(_oddities(readings, plays, spaces)))


def _chains(readings: Readings, symbols: str, spaces: int) -> dict[str, list[list[tuple[Place, Cell]]]]:
    """The sequences of stones by site: the pyramid, the burial chamber, and the temple's rounds."""

    def chain(places: Sequence[Place]) -> list[tuple[Place, Cell]]:
        cells: list[LogArray] = [readings.content[grid][row, column] for grid, row, column in places]
        return list(zip(places, read_chain(cells, symbols), strict=True))

    rounds = [[("temple", number, space) for space in range(spaces)] for number in range(ROUNDS)]
    return {
        "pyramid": [chain(PYRAMID)],
        "burial_chamber": [chain(BURIAL_CHAMBER)],
        "temple": [chain(places) for places in rounds],
    }


def _placed(chains: Mapping[str, list[list[tuple[Place, Cell]]]]) -> Iterator[tuple[Place, Cell]]:
    for site in chains.values():
        for chain in site:
            yield from chain


def _cards(marks: Mapping[str, float], colour: str, facts: dict[Hashable, Any]) -> list[Question | None]:
    """Statues, blue cards and decorations of a player; the facts are added."""
    found = []
    for what, most in (("statues", STATUES), ("blue_cards", BLUE_CARDS)):
        often = {n: max(LEAST_OFTEN, FEWER**n) for n in range(most + 1)}
        odds, clash = read_number({n: marks[f"{what}.{colour}.{n}"] for n in range(1, most + 1)}, often)
        read = max(odds, key=lambda number: odds[number])
        facts[what, colour] = read
        found.append(question((what, colour), f"{what} {colour}", odds, read, disputed=clash))
    for site in DECORATED:
        for copy in range(1, COPIES + 1):
            on = read_circle(marks[f"decorations.{colour}.{site}.{copy}"], CARD_HELD)
            key = ("decorations", colour, site, copy)
            facts[key] = on > 0.5
            where = f"decorations {colour} {site} {copy}"
            found.append(question(key, where, {True: on, False: 1 - on}, on > 0.5, named=_marked))
    return found


def _counted(marks: Mapping[str, float]) -> tuple[dict[int, float], bool]:
    """The number of stones in the temple by its circles alone: its probabilities, and whether too many are marked."""
    tens, crowded = read_number({n: marks[f"temple_stones.{n}"] for n in (10, 20, 30)}, TENS_OF_STONES, in_runs=False)
    ones, clash = read_number({n: marks[f"temple_stones.{n}"] for n in range(1, 10)})
    return {ten + one: a * b for (ten, a), (one, b) in product(tens.items(), ones.items())}, crowded or clash


def _temple_stones(
    counted: tuple[dict[int, float], bool],
    together: Temple | None,
    rounds: list[list[tuple[Place, Cell]]],
    spaces: int,
    facts: dict[Hashable, Any],
) -> Question | None:
    """The number of stones in the temple, knowing which ones the rounds allow; the fact is added."""
    circles, clash = counted
    tops = [[cell.read for _, cell in chain if cell.read != BLANK] for chain in rounds]
    played = max((number for number, row in enumerate(tops, 1) if row), default=0)
    fitting = temple_counts(tops[:played], spaces, MOST_TEMPLE_STONES) or set(range(MOST_TEMPLE_STONES + 1))
    odds = {number: share * (STONES_FIT if number in fitting else 1 - STONES_FIT) for number, share in circles.items()}
    total = sum(odds.values())
    odds = {number: share / total for number, share in odds.items()}
    if together is not None:
        # The search knew the circles; what it leaves of them is mixed with what they say for themselves.
        fits = STONES_FIT * together.agreement
        apart = (1 - STONES_FIT) / OFF_BY
        share = fits / (fits + apart)
        odds = {n: share * together.counts.get(n, 0.0) + (1 - share) * alone for n, alone in circles.items()}
    read = max(odds, key=lambda number: odds[number])
    ink = max(circles, key=lambda number: circles[number])
    facts["temple_stones"] = read
    disputed = clash or (ink != read and circles[ink] > CONFIDENT_INK)
    return question("temple_stones", "temple_stones", odds, read, disputed=disputed)


def _where(key: Hashable) -> str:
    """What reviews call a fact's place."""
    if not isinstance(key, tuple):
        return str(key)
    first, *rest = key
    if len(rest) == 2 and isinstance(rest[0], int):
        return f"{first} r{rest[0] + 1} c{rest[1] + 1}"
    return " ".join(map(str, key))


def _cell_name(character: str) -> str:
    return _COLOUR_OF.get(character, {BLANK: "empty", UNREADABLE: "unreadable"}.get(character, character))


def _marked(on: bool) -> str:
    return "marked" if on else "unmarked"


def _stones(facts: Facts, places: Sequence[Place], players: Sequence[str]) -> list[str]:
    """The chain's stones up to the last filled place; whatever stands for no player is unreadable."""
    read = [facts.get(place, BLANK) for place in places]
    last = max((place for place, character in enumerate(read) if character != BLANK), default=-1)
    named = [_COLOUR_OF.get(character, UNREADABLE) for character in read[: last + 1]]
    return [colour if colour in players else UNREADABLE for colour in named]


def _state(facts: Facts) -> dict[str, Any]:
    """The table's state in the contract's form, from what was read."""
    players = [colour for colour in SYMBOL_OF if facts["plays", colour]]
    spaces = temple_spaces(len(players))
    return {
        "game": "imhotep",
        "players": players,
        "pyramid": _stones(facts, PYRAMID, players),
        "temple": [_stones(facts, [("temple", n, space) for space in range(spaces)], players) for n in range(ROUNDS)],
        "temple_stones": facts["temple_stones"],
        "burial_chamber": _stones(facts, BURIAL_CHAMBER, players),
        "obelisks": {player: facts["obelisks", player] for player in players},
        "statues": {player: facts["statues", player] for player in players},
        "decorations": {
            player: [site for site in DECORATED for copy in range(1, COPIES + 1) if facts["decorations", player, site, copy]]
            for player in players
        },
        "blue_cards": {player: facts["blue_cards", player] for player in players},
    }


def _totals(facts: Facts) -> Totals:
    """Every colour's total, 0 for who does not play."""
    scores = score_table(parse_state(_state(facts)))
    return tuple(scores[colour].total for colour in SYMBOL_OF if colour in scores)


def _oddities(readings: Readings, plays: Mapping[str, bool], spaces: int) -> Iterator[AuditLine]:
    """What the paper shows that a state cannot hold."""
    for colour in sorted(plays):
        if plays[colour] and readings.marks[f"plays.{colour}"] < 0:
            text = f"Stones or cards of {colour} are noted, but the circle that {colour} plays is not marked. They count."
            yield AuditLine("player not marked", f"plays {colour}", text)
    for number in range(ROUNDS):
        for space in range(spaces, SPACES):
            blank = float(readings.content["temple"][number, space, 0])
            if blank < -1.0:
                text = f"With {MIN_PLAYERS} players the temple has {spaces} spaces; what is written here does not count."
                yield AuditLine("space not in use", f"temple r{number + 1} c{space + 1}", text)
