"""The whole game: positions, legal actions, and what an action leads to.

A position is immutable; `apply` gives the next one or raises IllegalAction. Players, ships and cards are numbered from 0.
Stones are the numbers of their owners; -1 is an empty space of a ship.

References: RULES section 2 for the sites, the order of unloading and the cards' kinds. The actions and the cards' effects are
public rules data. Decisions: a player who can do nothing passes, and when all pass in a row the round ends; when more stones
reach the market than cards lie there, the last ones take none.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import permutations
from typing import Any, NamedTuple

from scanner.engine.imhotep.cards import CHISEL, DECK, DECORATIONS, HAMMER, LEVER, SAIL, STATUE, Card
from scanner.engine.imhotep.rounds import (
    FACE_UP,
    LEAST_LOAD,
    QUARRY_TAKES,
    SHIPS,
    SLED,
    STONES_A_PLAYER,
    first_sled,
)
from scanner.engine.imhotep.sites import (
    BUILDINGS,
    BURIAL_CHAMBER,
    COLOURS,
    GAME,
    MARKET,
    MAX_PLAYERS,
    MIN_PLAYERS,
    OBELISKS,
    PYRAMID,
    ROUNDS,
    SITES,
    TEMPLE,
    temple_spaces,
)

EMPTY = -1


class IllegalAction(Exception):
    """An action that the rules forbid; the message says why."""


class Take(NamedTuple):
    """Take stones from the quarry, as many as the sled holds, at most three."""


class Load(NamedTuple):
    """Put a stone from the sled on an empty space of a ship that has not sailed; space 0 is the front."""

    ship: int
    space: int


class Sail(NamedTuple):
    """Sail a ship to a site where none has landed in this round. `order` is given with the lever only: the ship's spaces in
    the order in which they are unloaded."""

    ship: int
    site: str
    order: tuple[int, ...] = ()


class PlayCard(NamedTuple):
    """Play a blue card: with `steps`, the actions that it gives, in their order."""

    card: Card
    steps: tuple[Take | Load | Sail, ...]


class Choose(NamedTuple):
    """Take a face-up market card, as the owner of a stone that was unloaded at the market."""

    card: int


class Pass(NamedTuple):
    """Do nothing; allowed only if nothing else can be done."""


Action = Take | Load | Sail | PlayCard | Choose | Pass


@dataclass(frozen=True, slots=True)
class Sites:
    """What lies at the sites and with the players. `pyramid`, `temple`, `burial_chamber`: owners in placing order. `tops`: the
    temple's topmost owners at the end of each round so far. The rest by player."""

    pyramid: tuple[int, ...]
    temple: tuple[int, ...]
    burial_chamber: tuple[int, ...]
    tops: tuple[tuple[int, ...], ...]
    obelisks: tuple[int, ...]
    cards: tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class Position:
    """A moment of a game. `ships`: the stones of each, front first; `landed`: the site of each, "" before it sails. `choosing`:
    the players who still take a market card, in order. `passes`: passes in a row."""

    sites: Sites
    quarry: tuple[int, ...]
    sleds: tuple[int, ...]
    ships: tuple[tuple[int, ...], ...]
    landed: tuple[str, ...]
    market: tuple[Card, ...]
    deck: tuple[Card, ...]
    round_cards: tuple[tuple[int, ...], ...]
    to_act: int = 0
    round: int = 1
    choosing: tuple[int, ...] = ()
    passes: int = 0

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return len(self.sleds)

    @property
    def over(self) -> bool:
        """Whether all rounds have been played."""
        return self.round > ROUNDS

    @property
    def to_move(self) -> int:
        """Whose action is expected."""
        return self.choosing[0] if self.choosing else self.to_act

    def state(self) -> dict[str, Any]:
        """The table in the contract's form."""
        sites, names = self.sites, COLOURS[: self.players]
        cards = dict(zip(names, sites.cards, strict=True))
        return {
            "game": GAME,
            "players": list(names),
            "pyramid": [names[owner] for owner in sites.pyramid],
            "temple": [[names[owner] for owner in tops] for tops in sites.tops] + [[]] * (ROUNDS - len(sites.tops)),
            "temple_stones": len(sites.temple),
            "burial_chamber": [names[owner] for owner in sites.burial_chamber],
            "obelisks": dict(zip(names, sites.obelisks, strict=True)),
            "statues": {name: held.count(STATUE) for name, held in cards.items()},
            "decorations": {
                name: [site for site in BUILDINGS for card in held if card == DECORATIONS[site]] for name, held in cards.items()
            },
            "blue_cards": {name: sum(card.kind == "blue" for card in held) for name, held in cards.items()},
        }


def _shuffled(count: int, seed: int, name: str) -> list[int]:
    """0 .. count - 1 in an order that follows from the seed alone."""
    return sorted(range(count), key=lambda index: sha256(f"{name} {seed} {index}".encode()).digest())


def new_game(players: int, seed: int) -> Position:
    """The first position; ValueError for a number of players outside 2 to 4."""
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise ValueError(f"Imhotep has {MIN_PLAYERS} to {MAX_PLAYERS} players, not {players}.")
    deck = tuple(DECK[index] for index in _shuffled(len(DECK), seed, "market"))
    rounds = tuple(SHIPS[players][index] for index in _shuffled(len(SHIPS[players]), seed, "rounds")[:ROUNDS])
    sleds = tuple(first_sled(seat) for seat in range(players))
    start = Position(
        sites=Sites((), (), (), (), (0,) * players, ((),) * players),
        quarry=tuple(STONES_A_PLAYER - stones for stones in sleds),
        sleds=sleds,
        ships=(),
        landed=(),
        market=(),
        deck=deck,
        round_cards=rounds,
    )
    return _open_round(start)


def _open_round(position: Position) -> Position:
    sizes = position.round_cards[position.round - 1]
    deck = position.deck
    return replace(
        position,
        ships=tuple((EMPTY,) * size for size in sizes),
        landed=("",) * len(sizes),
        market=deck[:FACE_UP],
        deck=deck[FACE_UP:],
        passes=0,
    )


def lay(sites: Sites, site: str, owner: int) -> Sites:
    """The sites with one more stone at one where stones stay."""
    if site == PYRAMID:
        return replace(sites, pyramid=(*sites.pyramid, owner))
    if site == TEMPLE:
        return replace(sites, temple=(*sites.temple, owner))
    if site == BURIAL_CHAMBER:
        return replace(sites, burial_chamber=(*sites.burial_chamber, owner))
    if site == OBELISKS:
        return replace(sites, obelisks=_changed(sites.obelisks, owner, 1))
    raise IllegalAction(f"No stone stays at {site!r}.")


def temple_tops(sites: Sites) -> tuple[int, ...]:
    """The owners of the temple's topmost stones, left to right."""
    spaces = temple_spaces(len(sites.obelisks))
    return tuple(sites.temple[space::spaces][-1] for space in range(min(spaces, len(sites.temple))))


def unload(position: Position, ship: int, site: str, order: Sequence[int] = ()) -> Position:
    """The position after a ship's stones have left it at a site, front first or in the `order` given. At the market the stones
    go back to the quarry and their owners are to choose a card each."""
    spaces = order or range(len(position.ships[ship]))
    stones = [position.ships[ship][space] for space in spaces]
    stones = [owner for owner in stones if owner != EMPTY]
    position = replace(position, landed=_replaced(position.landed, ship, site))
    if site != MARKET:
        sites = position.sites
        for owner in stones:
            sites = lay(sites, site, owner)
        return replace(position, sites=sites)
    quarry = position.quarry
    for owner in stones:
        quarry = _changed(quarry, owner, 1)
    return replace(position, quarry=quarry, choosing=tuple(stones[: len(position.market)]))


def _changed(counts: tuple[int, ...], index: int, by: int) -> tuple[int, ...]:
    return (*counts[:index], counts[index] + by, *counts[index + 1 :])


def _replaced(values: tuple[Any, ...], index: int, value: object) -> tuple[Any, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _step(position: Position, player: int, step: Take | Load | Sail) -> Position:
    """The position after one of the actions that every player has, whoever's turn it is."""
    if isinstance(step, Take):
        taken = min(QUARRY_TAKES, SLED - position.sleds[player], position.quarry[player])
        if taken <= 0:
            raise IllegalAction("The sled is full, or the quarry holds no stone of this colour.")
        return replace(
            position,
            sleds=_changed(position.sleds, player, taken),
            quarry=_changed(position.quarry, player, -taken),
        )
    if not 0 <= step.ship < len(position.ships):
        raise IllegalAction(f"There is no ship {step.ship}.")
    if position.landed[step.ship]:
        raise IllegalAction("The ship has sailed.")
    ship = position.ships[step.ship]
    if isinstance(step, Load):
        if position.sleds[player] == 0:
            raise IllegalAction("The sled is empty.")
        if not 0 <= step.space < len(ship) or ship[step.space] != EMPTY:
            raise IllegalAction(f"Space {step.space} of the ship is not free.")
        loaded = _replaced(ship, step.space, player)
        return replace(
            position,
            sleds=_changed(position.sleds, player, -1),
            ships=_replaced(position.ships, step.ship, loaded),
        )
    if step.site not in SITES or step.site in position.landed:
        raise IllegalAction(f"No ship can land at {step.site!r} any more in this round.")
    if sum(stone != EMPTY for stone in ship) < LEAST_LOAD[len(ship)]:
        raise IllegalAction("The ship carries too few stones to sail.")
    return unload(position, step.ship, step.site, step.order)


_STEPS_OF: dict[str, tuple[type, ...]] = {
    CHISEL.name: (Load, Load),
    HAMMER.name: (Take, Load),
    SAIL.name: (Load, Sail),
    LEVER.name: (Sail,),
}


def _play(position: Position, player: int, action: PlayCard) -> Position:
    held = position.sites.cards[player]
    if action.card.kind != "blue" or action.card not in held:
        raise IllegalAction(f"The player holds no blue card {action.card.name!r}.")
    if tuple(map(type, action.steps)) != _STEPS_OF[action.card.name]:
        raise IllegalAction(f"The {action.card.name} gives other actions.")
    index = held.index(action.card)
    left = _replaced(position.sites.cards, player, (*held[:index], *held[index + 1 :]))
    position = replace(position, sites=replace(position.sites, cards=left))
    for step in action.steps:
        if isinstance(step, Sail):
            if not 0 <= step.ship < len(position.ships):
                raise IllegalAction(f"There is no ship {step.ship}.")
            spaces = list(range(len(position.ships[step.ship])))
            wanted = spaces if action.card == LEVER else []
            if sorted(step.order) != wanted:
                raise IllegalAction("The order names each space of the ship once with the lever, and none without it.")
        if isinstance(step, Sail) and action.card == SAIL and step.ship != getattr(action.steps[0], "ship", None):
            raise IllegalAction("The sail moves the ship that was loaded with it.")
        position = _step(position, player, step)
    return position


def _choose(position: Position, action: Choose) -> Position:
    player = position.choosing[0]
    if not 0 <= action.card < len(position.market):
        raise IllegalAction(f"There is no market card {action.card}.")
    card = position.market[action.card]
    market = (*position.market[: action.card], *position.market[action.card + 1 :])
    position = replace(position, market=market, choosing=position.choosing[1:])
    if card.kind != "red":
        cards = _replaced(position.sites.cards, player, (*position.sites.cards[player], card))
        return replace(position, sites=replace(position.sites, cards=cards))
    if position.quarry[player] == 0:
        return position
    return replace(position, sites=lay(position.sites, card.site, player), quarry=_changed(position.quarry, player, -1))


def apply(position: Position, action: Action) -> Position:
    """The next position; IllegalAction if the rules forbid the action."""
    if position.over:
        raise IllegalAction("The game has ended.")
    if position.choosing:
        if not isinstance(action, Choose):
            raise IllegalAction("A market card is to be chosen first.")
        after = _choose(position, action)
        return after if after.choosing else _end_turn(after)
    player = position.to_act
    if isinstance(action, Choose):
        raise IllegalAction("No market card is to be chosen now.")
    if isinstance(action, Pass):
        if next(_steps(position, player), None) is not None or any(_card_plays(position, player)):
            raise IllegalAction("Something can be done.")
        return _end_turn(replace(position, passes=position.passes + 1))
    if isinstance(action, PlayCard):
        after = _play(position, player, action)
    else:
        if isinstance(action, Sail) and action.order:
            raise IllegalAction("Only the lever lets a player choose the order.")
        after = _step(position, player, action)
    after = replace(after, passes=0)
    return after if after.choosing else _end_turn(after)


def _end_turn(position: Position) -> Position:
    position = replace(position, to_act=(position.to_act + 1) % position.players)
    if not all(position.landed) and position.passes < position.players:
        return position
    tops = (*position.sites.tops, temple_tops(position.sites))
    position = replace(position, sites=replace(position.sites, tops=tops), round=position.round + 1)
    return position if position.over else _open_round(position)


def _steps(position: Position, player: int) -> Iterator[Take | Load | Sail]:
    if position.sleds[player] < SLED and position.quarry[player]:
        yield Take()
    free = [site for site in SITES if site not in position.landed]
    for index, ship in enumerate(position.ships):
        if position.landed[index]:
            continue
        if position.sleds[player]:
            yield from (Load(index, space) for space, stone in enumerate(ship) if stone == EMPTY)
        if sum(stone != EMPTY for stone in ship) >= LEAST_LOAD[len(ship)]:
            yield from (Sail(index, site) for site in free)


def _card_plays(position: Position, player: int) -> Iterator[PlayCard]:
    for card in dict.fromkeys(position.sites.cards[player]):
        if card == LEVER:
            for step in _steps(position, player):
                if isinstance(step, Sail):
                    spaces = range(len(position.ships[step.ship]))
                    yield from (PlayCard(card, (step._replace(order=order),)) for order in permutations(spaces))
        elif card.kind == "blue":
            first_type, second_type = _STEPS_OF[card.name]
            for first in _steps(position, player):
                if isinstance(first, first_type):
                    between = _step(position, player, first)
                    for second in _steps(between, player):
                        same = card != SAIL or getattr(second, "ship", None) == getattr(first, "ship", None)
                        if isinstance(second, second_type) and same:
                            yield PlayCard(card, (first, second))


def legal_actions(position: Position) -> list[Action]:
    """All legal actions of the player to move, in a fixed order; none once the game is over."""
    if position.over:
        return []
    if position.choosing:
        return [Choose(index) for index in range(len(position.market))]
    player = position.to_act
    found: list[Action] = [*_steps(position, player), *_card_plays(position, player)]
    return found or [Pass()]
