"""Monolyth: readings to the most probable board.

Nothing overhangs, so every space's blocks form an unbroken stack from the lowest level; pieces have one colour; a board's four
sides have four colours; tokens have values that exist. Ink that clearly says otherwise wins and is named by the audit.

References: RULES section 3.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any, Final

import numpy as np

from scanner.decode.chains import (
    BLANK,
    SYMBOLS,
    UNREADABLE,
    Cell,
    likelihoods,
    read_chain,
    read_number,
    tempered,
)
from scanner.decode.decoded import Decoded
from scanner.decode.patches import Place, beside_neighbours
from scanner.decode.peers import beside_bare_circles, beside_clear_marks
from scanner.decode.rescoring import Facts, Question, Totals, ask, keep_answers, question
from scanner.engine.monolyth.scoring import score_board, to_dict
from scanner.engine.monolyth.state import parse_state
from scanner.engine.monolyth.tables import EMPTY, LEVEL_TOKENS, LEVEL_VALUES, STRUCTURE_TOKENS, STRUCTURE_VALUES, tower_height
from scanner.engine.monolyth.tower import EDGES
from scanner.geometry import FloatArray, read_only
from scanner.reading.readings import CONTENT_CHARACTERS, LogArray, Readings
from scanner.sheet.monolyth_places import LEVELS, PLAYERS, PROPHECIES, SIDE, SIDES, TOKENS
from scanner.sheet.pose import SheetIdentity

STACK_STOPS: Final = 0.25
SAME_COLOUR: Final = 1e-3
"""How much rarer it is that two sides show one colour."""
NO_COLOUR: Final = 0.05
"""How often a side's colour is not noted."""
FOREIGN_COLOUR: Final = 0.02
KNOWN_VALUE: Final = 0.97
"""How often a token's value is one that exists."""
TOKEN_IF_FULL: Final = 0.93
"""How often a full level's token is noted. Without one it seldom is, but a level of which a block was missed looks so, too."""
TOKEN_IF_NOT: Final = 0.15
STRUCTURE_MET: Final = 0.6


def decode_monolyth(readings: Readings, identity: SheetIdentity) -> Decoded:
    """The most probable board and what is open about it."""
    readings = replace(
        readings, content=tempered(readings.content), marks=beside_clear_marks(beside_bare_circles(readings.marks))
    )
    facts: dict[Hashable, Any] = {}
    questions: list[Question | None] = []
    for place, cell in _tower(readings.content).items():
        facts[place] = cell.read
        questions.append(question(place, _where(place), cell.odds, cell.read, disputed=cell.disputed, named=_cell_name))
    players, clash = read_number({n: readings.marks[f"players.{n}"] for n in PLAYERS})
    facts["players"] = max(players, key=lambda n: players[n])
    questions.append(question("players", "players", players, facts["players"], disputed=clash))
    questions += _sides(readings, facts)
    questions += _tokens(readings.marks, facts)
    asked = _that_count(keep_answers(facts, questions, readings.answers, _where), facts)
    doubts, bounds = ask(facts, asked, _totals)
    state = _state(facts) | {"seat": identity.seat, "sheet_number": identity.sheet_number}
    return Decoded(state, to_dict(score_board(parse_state(state))), bounds, doubts)


def _tower(content: Mapping[str, LogArray]) -> dict[Place, Cell]:
    """The tower's spaces: stacks without gaps, and blocks that seldom stand alone in their colour."""
    cells: dict[Place, Cell] = {}
    inks: dict[Place, tuple[str, float]] = {}
    for row, column in product(range(SIDE), repeat=2):
        stack = [content[f"level{z + 1}"][row, column] for z in range(LEVELS)]
        for z, (cell, ink) in enumerate(zip(read_chain(stack, SYMBOLS, STACK_STOPS), stack, strict=True)):
            seen = CONTENT_CHARACTERS[int(ink.argmax())]
            # A gap in a stack is an empty space, which a state can hold, and an overhang, which the audit names.
            is_gap = cell.read == UNREADABLE and seen == BLANK
            cells[z, row, column] = replace(cell, read=BLANK) if is_gap else cell
            inks[z, row, column] = seen, float(np.exp(ink.max()))
    return beside_neighbours(cells, inks)


def _that_count(asked: Sequence[Question], facts: Facts) -> list[Question]:
    """The questions without those about blocks and colours at sides where no prophecy can lie: they never change the score.
    Blocks on the fourth level also say that there is one, and so whether a fourth token counts."""
    open_keys = {question.key for question in asked}

    def may_hold(key: Hashable) -> bool:
        return bool(facts[key]) or key in open_keys

    foreseen = {side for side in SIDES if may_hold(("prophecy", side))}
    counting = {i for side in foreseen for i in EDGES[side]}
    last = f"token{TOKENS}"

    def counts(key: Hashable) -> bool:
        if not isinstance(key, tuple):
            return True
        if key[0] == "colour":
            return key[1] in foreseen
        if isinstance(key[0], int):
            level, row, column = key
            return row * SIDE + column in counting or (level == LEVELS - 1 and may_hold(last))
        return True

    return [question for question in asked if counts(question.key)]


def _sides(readings: Readings, facts: dict[Hashable, Any]) -> list[Question | None]:
    """The sides' colours, which differ, and prophecies; the facts are added."""
    likely = likelihoods(readings.content["sides"][:, 0])
    column = {character: likely[:, CONTENT_CHARACTERS.index(character)] for character in CONTENT_CHARACTERS}
    weights = [
        *((1 - NO_COLOUR - FOREIGN_COLOUR) / len(SYMBOLS) * column[symbol] for symbol in SYMBOLS),
        NO_COLOUR * column[BLANK],
        FOREIGN_COLOUR * (column["x"] + column[UNREADABLE]),
    ]
    by_side = np.stack(weights, axis=1)
    joint = np.einsum("i,j,k,l->ijkl", *by_side) * _repeats()
    axes = range(len(SIDES))
    odds = [
        dict(zip(_SIDE_CHOICES, joint.sum(axis=tuple(axis for axis in axes if axis != row)).tolist(), strict=True))
        for row in axes
    ]
    questions = []
    for row, side in enumerate(SIDES):
        total = sum(odds[row].values())
        shares = {character: weight / total for character, weight in odds[row].items()}
        read = max(shares, key=lambda character: shares[character])
        raw = CONTENT_CHARACTERS[int(likely[row].argmax())]
        disputed = read == UNREADABLE or (raw != read and raw in SYMBOLS and float(np.max(likely[row])) > 0.95)
        facts["colour", side] = read
        questions.append(question(("colour", side), f"sides r{row + 1} c1", shares, read, disputed=disputed, named=_cell_name))
        values, clash = read_number({value: readings.marks[f"prophecy.{side}.{value}"] for value in PROPHECIES})
        facts["prophecy", side] = max(values, key=lambda n: values[n])
        questions.append(question(("prophecy", side), f"prophecy {side}", values, facts["prophecy", side], disputed=clash))
    return questions


_SIDE_CHOICES: Final = SYMBOLS + BLANK + UNREADABLE


@cache
def _repeats() -> FloatArray:
    """float64 (7, 7, 7, 7): by what the four sides show, of _SIDE_CHOICES, the price of colours that stand there again."""
    repeated = np.zeros((len(_SIDE_CHOICES),) * len(SIDES))
    for chosen in product(range(len(_SIDE_CHOICES)), repeat=len(SIDES)):
        colours = [choice for choice in chosen if choice < len(SYMBOLS)]
        repeated[chosen] = len(colours) - len(set(colours))
    return read_only(SAME_COLOUR**repeated)


def _tokens(marks: Mapping[str, float], facts: dict[Hashable, Any]) -> list[Question | None]:
    """The tokens' points, in tens and ones; the facts are added."""
    players = facts["players"]
    full = sum(all(facts[z, row, column] != BLANK for row, column in product(range(SIDE), repeat=2)) for z in range(LEVELS))
    levels = LEVEL_TOKENS.get(players, LEVEL_VALUES)
    structures = STRUCTURE_TOKENS.get(players, STRUCTURE_VALUES)
    rows = [(f"token{n}", levels, TOKEN_IF_FULL if n <= full else TOKEN_IF_NOT) for n in range(1, TOKENS + 1)]
    questions = []
    for name, values, taken in (*rows, ("structure", structures, STRUCTURE_MET)):
        ones, clash = read_number({n: marks[f"{name}.{n}"] for n in range(1, 10)})
        tens, _ = read_number({10: marks[f"{name}.10"]})
        odds = {}
        for (ten, share), (one, other) in product(tens.items(), ones.items()):
            value = ten + one
            known = KNOWN_VALUE / len(values) if value in values else (1 - KNOWN_VALUE) / 20
            odds[value] = share * other * (taken * known if value else 1 - taken)
        total = sum(odds.values())
        odds = {value: share / total for value, share in odds.items()}
        read = max(odds, key=lambda value: odds[value])
        facts[name] = read
        questions.append(question(name, name, odds, read, disputed=clash))
    return questions


def _where(key: Hashable) -> str:
    """What reviews call a fact's place."""
    if not isinstance(key, tuple):
        return str(key)
    if isinstance(key[0], int):
        level, row, column = key
        return f"level{level + 1} r{row + 1} c{column + 1}"
    return f"sides r{SIDES.index(key[1]) + 1} c1" if key[0] == "colour" else " ".join(key)


def _cell_name(character: str) -> str:
    return {BLANK: "empty", UNREADABLE: "unreadable"}.get(character, character)


def _state(facts: Facts) -> dict[str, Any]:
    """The board's state in the contract's form, from what was read. Ink on the fourth level shows that there is one, whatever
    the number of players."""
    players = facts["players"] or None
    tower = [
        ["".join(facts[z, row, column] for column in range(SIDE)).replace(BLANK, EMPTY) for row in range(SIDE)]
        for z in range(LEVELS)
    ]
    height = LEVELS if set("".join(tower[-1])) != {EMPTY} else tower_height(players or max(PLAYERS))
    colours = {side: facts["colour", side] for side in SIDES}
    return {
        "game": "monolyth",
        "players": players,
        "height": height,
        "tower": tower[:height],
        "sides": {
            side: {
                "colour": None if colours[side] == BLANK else colours[side],
                "prophecy": facts["prophecy", side] or None,
            }
            for side in SIDES
        },
        "level_tokens": [facts[f"token{n}"] for n in range(1, TOKENS + 1) if facts[f"token{n}"]][:height],
        "structure_token": facts["structure"],
    }


def _totals(facts: Facts) -> Totals:
    return (score_board(parse_state(_state(facts))).total,)
