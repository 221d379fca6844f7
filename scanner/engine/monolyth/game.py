"""The whole game: positions, legal actions, and what an action leads to.

A position is immutable; `apply` gives the next one or raises IllegalAction. Players are numbered from 0 in seating order.

References: RULES section 3, "Setup", "Turn", "The end". Decisions: the ring has a space for each polyomino and one on which
the crystal stands, and its steps count spaces that hold a polyomino; a side takes one prophecy; a player takes the structure
token and the level tokens as soon as the tower allows it; who cannot do anything passes; when the box and the ring are empty
the game ends with the round.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, NamedTuple

from scanner.engine.monolyth.polyomino import BLOCK, COPIES, PIECES, Cells
from scanner.engine.monolyth.tables import (
    GAME,
    LEVEL_TOKENS,
    MAX_PLAYERS,
    MIN_PLAYERS,
    MOST_STEPS,
    PROPHECIES,
    RING,
    SIDE,
    SIDES,
    STRUCTURE_CARDS,
    STRUCTURE_TOKENS,
    SYMBOLS,
    tower_height,
)
from scanner.engine.monolyth.tower import Forbidden, Tower, empty_tower, full_levels, is_complete, meets, place, placements


class IllegalAction(Exception):
    """An action that the rules forbid; the message says why."""


class Piece(NamedTuple):
    """A polyomino of the box: its name in `polyomino.PIECES` and its colour."""

    name: str
    colour: str


class Build(NamedTuple):
    """Move the crystal 1 to 4 spaces and build: the polyomino there, or, if `block`, a 1 x 1 of its colour."""

    steps: int
    cells: Cells
    block: bool = False


class Foresee(NamedTuple):
    """Take a prophecy token and set it at a side (one of `tables.SIDES`)."""

    value: int
    side: str


class Pass(NamedTuple):
    """Do nothing; allowed only if nothing else can be done."""


Action = Build | Foresee | Pass


@dataclass(frozen=True, slots=True)
class Board:
    """One player's board. `colours` and `prophecies` (0 for none) by `tables.SIDES`."""

    tower: Tower
    colours: str
    prophecies: tuple[int, ...] = (0, 0, 0, 0)
    level_tokens: tuple[int, ...] = ()
    structure_token: int = 0


@dataclass(frozen=True, slots=True)
class Position:
    """A moment of a game. `ring`: the spaces clockwise, None where nothing lies. `crystal`: the space on which it stands.
    `levels`, `structures`: the tokens left, best first. `last_round`: somebody's tower is complete."""

    boards: tuple[Board, ...]
    ring: tuple[Piece | None, ...]
    crystal: int
    box: tuple[Piece, ...]
    card: str
    levels: tuple[int, ...]
    structures: tuple[int, ...]
    prophecies: tuple[int, ...]
    to_move: int = 0
    last_round: bool = False
    over: bool = False

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return len(self.boards)

    def state(self, player: int) -> dict[str, Any]:
        """A player's sheet in the contract's form."""
        board = self.boards[player]
        return {
            "game": GAME,
            "seat": player + 1,
            "players": self.players,
            "height": len(board.tower),
            "tower": [[level[r * SIDE : (r + 1) * SIDE] for r in range(SIDE)] for level in board.tower],
            "sides": {
                side: {"colour": colour, "prophecy": value or None}
                for side, colour, value in zip(SIDES, board.colours, board.prophecies, strict=True)
            },
            "level_tokens": list(board.level_tokens),
            "structure_token": board.structure_token,
        }


def _shuffled(count: int, seed: int, name: str) -> list[int]:
    """0 .. count - 1 in an order that follows from the seed alone."""
    return sorted(range(count), key=lambda index: sha256(f"{name} {seed} {index}".encode()).digest())


def new_game(players: int, seed: int) -> Position:
    """The first position; ValueError for a number of players outside 1 to 4."""
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise ValueError(f"Monolyth has {MIN_PLAYERS} to {MAX_PLAYERS} players, not {players}.")
    all_pieces = [Piece(name, colour) for colour in SYMBOLS for name in PIECES for _ in range(COPIES)]
    box = [all_pieces[index] for index in _shuffled(len(all_pieces), seed, "box")]
    boards = []
    for player in range(players):
        colours = [SYMBOLS[index] for index in _shuffled(len(SYMBOLS), seed, f"board {player}")]
        boards.append(Board(empty_tower(tower_height(players)), "".join(colours[: len(SIDES)])))
    cards = sorted(STRUCTURE_CARDS)
    return Position(
        boards=tuple(boards),
        ring=(None, *box[:RING]),
        crystal=0,
        box=tuple(box[RING:]),
        card=cards[_shuffled(len(cards), seed, "card")[0]],
        levels=LEVEL_TOKENS[players],
        structures=STRUCTURE_TOKENS[players],
        prophecies=PROPHECIES[players],
    )


def reached(position: Position, steps: int) -> int | None:
    """The ring's space that the crystal reaches in so many steps over spaces that hold a polyomino; None if they are fewer."""
    spaces = len(position.ring)
    filled = [(position.crystal + k) % spaces for k in range(1, spaces)]
    filled = [space for space in filled if position.ring[space] is not None]
    return filled[steps - 1] if 1 <= steps <= min(MOST_STEPS, len(filled)) else None


def _build(position: Position, action: Build) -> Position:
    space = reached(position, action.steps)
    if space is None:
        raise IllegalAction(f"The crystal cannot move {action.steps} spaces.")
    piece = position.ring[space]
    assert piece is not None
    board = position.boards[position.to_move]
    if action.cells not in placements(board.tower, BLOCK if action.block else piece.name):
        raise IllegalAction("The piece cannot stand like that.")
    try:
        tower = place(board.tower, piece.colour, action.cells)
    except Forbidden as error:
        raise IllegalAction(str(error)) from error
    ring, box = list(position.ring), position.box
    ring[space] = None
    if box:
        ring[position.crystal], box = box[0], box[1:]
    newly = full_levels(tower) - full_levels(board.tower)
    taken, levels = position.levels[:newly], position.levels[newly:]
    structure, structures = board.structure_token, position.structures
    if not structure and structures and meets(tower, STRUCTURE_CARDS[position.card]):
        structure, structures = structures[0], structures[1:]
    board = replace(board, tower=tower, level_tokens=board.level_tokens + taken, structure_token=structure)
    return replace(
        _with_board(position, board),
        ring=tuple(ring),
        crystal=space,
        box=box,
        levels=levels,
        structures=structures,
        last_round=position.last_round or is_complete(tower),
    )


def _with_board(position: Position, board: Board) -> Position:
    boards = list(position.boards)
    boards[position.to_move] = board
    return replace(position, boards=tuple(boards))


def _foresee(position: Position, action: Foresee) -> Position:
    board = position.boards[position.to_move]
    if action.value not in position.prophecies:
        raise IllegalAction(f"No prophecy of value {action.value} is left.")
    if action.side not in SIDES or board.prophecies[SIDES.index(action.side)]:
        raise IllegalAction(f"The side {action.side!r} takes no prophecy.")
    values = list(board.prophecies)
    values[SIDES.index(action.side)] = action.value
    left = list(position.prophecies)
    left.remove(action.value)
    return replace(_with_board(position, replace(board, prophecies=tuple(values))), prophecies=tuple(left))


def apply(position: Position, action: Action) -> Position:
    """The next position; IllegalAction if the rules forbid the action."""
    if position.over:
        raise IllegalAction("The game has ended.")
    if isinstance(action, Build):
        position = _build(position, action)
    elif isinstance(action, Foresee):
        position = _foresee(position, action)
    elif next(_all_actions(position), None) is not None:
        raise IllegalAction("Something can be done.")
    following = (position.to_move + 1) % position.players
    ends = position.last_round or not any(position.ring)
    return replace(position, to_move=following, over=ends and following == 0)


def _all_actions(position: Position) -> Iterator[Action]:
    board = position.boards[position.to_move]
    for steps in range(1, MOST_STEPS + 1):
        space = reached(position, steps)
        piece = None if space is None else position.ring[space]
        if piece is not None:
            yield from (Build(steps, cells) for cells in placements(board.tower, piece.name))
            yield from (Build(steps, cells, True) for cells in placements(board.tower, BLOCK))
    for value in sorted(set(position.prophecies)):
        yield from (Foresee(value, side) for side, own in zip(SIDES, board.prophecies, strict=True) if not own)


def legal_actions(position: Position) -> list[Action]:
    """All legal actions of the player to move, in a fixed order; none once the game is over."""
    if position.over:
        return []
    return list(_all_actions(position)) or [Pass()]
