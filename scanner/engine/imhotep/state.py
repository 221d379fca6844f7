"""The state of a table, as the contract writes it in JSON: all players on one sheet.

Only `game` and `players` are required; what is left out counts nothing. Unknown keys are ignored.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from scanner.engine.checks import checked_list, checked_name, checked_object, identity, kind, shown, whole
from scanner.engine.imhotep.sites import BUILDINGS, GAME, MAX_PLAYERS, MIN_PLAYERS, ROUNDS, UNREADABLE, temple_spaces
from scanner.errors import BadState

MAX_STONES = 200
"""More stones than the box holds; a sanity bound."""
MAX_CARDS = 50


class ImhotepState(msgspec.Struct, frozen=True):
    """A table. `pyramid`, `burial_chamber`: the stones' colours in placing order. `temple`: for each of the six rounds the
    topmost colours at its end, left to right, as far as spaces are covered. `temple_stones`: how many stones lie there in all.
    Each mapping has every player as a key. "?" among the stones is one that could not be read."""

    players: tuple[str, ...]
    pyramid: tuple[str, ...]
    temple: tuple[tuple[str, ...], ...]
    temple_stones: int
    burial_chamber: tuple[str, ...]
    obelisks: Mapping[str, int]
    statues: Mapping[str, int]
    decorations: Mapping[str, tuple[str, ...]]
    blue_cards: Mapping[str, int]
    seat: int | None = None
    sheet_number: int | None = None
    game: str = GAME


def _players(value: Any) -> tuple[str, ...]:
    remedy = f'Give {MIN_PLAYERS} to {MAX_PLAYERS} different colours, e.g. ["white", "black"].'
    if value is None:
        raise BadState("`players` is missing.", remedy)
    players = checked_list(value, "players", remedy)
    if not MIN_PLAYERS <= len(players) <= MAX_PLAYERS:
        raise BadState(f"`players` has {len(players)} entries, not {MIN_PLAYERS} to {MAX_PLAYERS}.", remedy)
    for index, player in enumerate(players):
        checked_name(player, f"players[{index}]", remedy)
        if not player or player == UNREADABLE:
            raise BadState(f"`players[{index}]` is {shown(player)}, which is no colour.", remedy)
        if player in players[:index]:
            raise BadState(f"`players[{index}]` is {shown(player)} again.", remedy)
    return tuple(players)


def _stones(value: Any, field: str, players: tuple[str, ...]) -> tuple[str, ...]:
    remedy = f'List the stones\' colours in placing order, each one of {", ".join(players)} ("{UNREADABLE}" if unreadable).'
    stones = [] if value is None else checked_list(value, field, remedy)
    if len(stones) > MAX_STONES:
        raise BadState(f"`{field}` has {len(stones)} entries, more than {MAX_STONES}.", remedy)
    for index, stone in enumerate(stones):
        if not isinstance(stone, str):
            raise BadState(f"`{field}[{index}]` is {kind(stone)}, not a colour.", remedy)
        if stone not in players and stone != UNREADABLE:
            raise BadState(f"`{field}[{index}]` is {shown(stone)}, which is none of the players.", remedy)
    return tuple(stones)


def _temple(value: Any, players: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    spaces = temple_spaces(len(players))
    remedy = f"Give at most {ROUNDS} lists, one a round, each of up to {spaces} colours from the left."
    rounds = [] if value is None else checked_list(value, "temple", remedy)
    if len(rounds) > ROUNDS:
        raise BadState(f"`temple` has {len(rounds)} entries, not {ROUNDS}.", remedy)
    found = []
    for index, tops in enumerate(rounds):
        row = _stones(tops, f"temple[{index}]", players)
        if len(row) > spaces:
            raise BadState(
                f"`temple[{index}]` has {len(row)} entries; with {len(players)} players there are {spaces} spaces.", remedy
            )
        found.append(row)
    return tuple(found) + ((),) * (ROUNDS - len(found))


def _by_player(value: Any, field: str, players: tuple[str, ...]) -> Mapping[str, Any]:
    given = {} if value is None else checked_object(value, field, 'Give an object with the players as keys, e.g. {"white": 2}.')
    for player in given:
        if player not in players:
            raise BadState(
                f"`{field}` has the key {shown(player)}, which is none of the players.", f"Players: {', '.join(players)}."
            )
    return given


def _counts(value: Any, field: str, players: tuple[str, ...], most: int) -> dict[str, int]:
    given = _by_player(value, field, players)
    return {p: 0 if given.get(p) is None else whole(given[p], f"{field}.{p}", 0, most) for p in players}


def _decorations(value: Any, players: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    given = _by_player(value, "decorations", players)
    remedy = f"List the decorations' sites, each one of {', '.join(BUILDINGS)}."
    found: dict[str, tuple[str, ...]] = {}
    for player in players:
        field = f"decorations.{player}"
        sites = [] if given.get(player) is None else checked_list(given[player], field, remedy)
        if len(sites) > MAX_CARDS:
            raise BadState(f"`{field}` has {len(sites)} entries.", remedy)
        for index, site in enumerate(sites):
            if site not in BUILDINGS:
                raise BadState(f"`{field}[{index}]` is {shown(site)}, which is no site with a decoration.", remedy)
        found[player] = tuple(sites)
    return found


def parse_state(value: Any) -> ImhotepState:
    """The state that a JSON object holds; keys that are null count as left out. BadState names the field that is wrong.

    Where `temple_stones` is left out, only the covered spaces are known of."""
    state = checked_object(value, "the state", 'Give an object with "game" and "players".')
    seat, number = identity(state, GAME)
    players = _players(state.get("players"))
    temple = _temple(state.get("temple"), players)
    stones = state.get("temple_stones")
    return ImhotepState(
        players=players,
        pyramid=_stones(state.get("pyramid"), "pyramid", players),
        temple=temple,
        temple_stones=max(map(len, temple)) if stones is None else whole(stones, "temple_stones", 0, MAX_STONES),
        burial_chamber=_stones(state.get("burial_chamber"), "burial_chamber", players),
        obelisks=_counts(state.get("obelisks"), "obelisks", players, MAX_STONES),
        statues=_counts(state.get("statues"), "statues", players, MAX_CARDS),
        decorations=_decorations(state.get("decorations"), players),
        blue_cards=_counts(state.get("blue_cards"), "blue_cards", players, MAX_CARDS),
        seat=seat,
        sheet_number=number,
    )


def to_dict(state: ImhotepState) -> dict[str, Any]:
    """The state in the contract's form, JSON-ready, keys in its order; seat and sheet number only where they are known."""
    found: dict[str, Any] = {"game": GAME}
    if state.seat is not None:
        found["seat"] = state.seat
    if state.sheet_number is not None:
        found["sheet_number"] = state.sheet_number
    return found | {
        "players": list(state.players),
        "pyramid": list(state.pyramid),
        "temple": [list(tops) for tops in state.temple],
        "temple_stones": state.temple_stones,
        "burial_chamber": list(state.burial_chamber),
        "obelisks": dict(state.obelisks),
        "statues": dict(state.statues),
        "decorations": {player: list(sites) for player, sites in state.decorations.items()},
        "blue_cards": dict(state.blue_cards),
    }
