"""Playing Imhotep: unloading, cards, rounds, and games that end in states without a breach."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scanner.engine import audit_state
from scanner.engine.imhotep.cards import CHISEL, DECORATIONS, ENTRANCE, HAMMER, LEVER, SAIL, STATUE, Card
from scanner.engine.imhotep.game import (
    EMPTY,
    Choose,
    IllegalAction,
    Load,
    Pass,
    PlayCard,
    Position,
    Sail,
    Take,
    apply,
    legal_actions,
    new_game,
    temple_tops,
    unload,
)
from scanner.engine.imhotep.play import KINDS, play_game, random_states, simulate
from scanner.engine.imhotep.rounds import STONES_A_PLAYER


def position(**changes: Any) -> Position:
    """Four players, the first ship with stones of 0, 1, a gap, 2, the second empty; nothing else going on."""
    start = new_game(4, 1)
    ships = ((0, 1, EMPTY, 2), (EMPTY, EMPTY))
    return replace(start, **{"ships": ships, "landed": ("", ""), **changes})


def with_card(card: Card, start: Position) -> Position:
    return replace(start, sites=replace(start.sites, cards=((card,), (), (), ())))


def test_stones_leave_a_ship_front_first() -> None:
    start = position()
    assert unload(start, 0, "pyramid").sites.pyramid == (0, 1, 2)
    assert unload(start, 0, "burial_chamber", (3, 2, 1, 0)).sites.burial_chamber == (2, 1, 0)
    assert unload(start, 0, "obelisks").sites.obelisks == (1, 1, 1, 0)
    assert unload(start, 0, "temple").landed == ("temple", "")


def test_the_temple_fills_level_on_level() -> None:
    """The seed's example: two brown stones and a white one, the first on the last free space of the lowest level."""
    start = position()
    laid = replace(start.sites, temple=(0, 1, 2, 3))
    after = unload(replace(start, sites=laid, ships=((2, 2, 0), ())), 0, "temple")
    assert after.sites.temple == (0, 1, 2, 3, 2, 2, 0)
    assert temple_tops(after.sites) == (2, 0, 2, 3, 2)
    assert temple_tops(replace(laid, obelisks=(0, 0))) == (0, 1, 2, 3)
    assert temple_tops(replace(laid, obelisks=(0, 0), temple=(0, 1, 0, 1, 1))) == (1, 1, 0, 1)


def test_at_the_market_every_stone_takes_a_card_and_returns_to_the_quarry() -> None:
    market = (STATUE, ENTRANCE, CHISEL, DECORATIONS["temple"])
    at_market = apply(position(market=market), Sail(0, "market"))
    assert at_market.choosing == (0, 1, 2)
    assert at_market.to_move == 0
    with pytest.raises(IllegalAction, match="first"):
        apply(at_market, Take())
    assert len(legal_actions(at_market)) == 4
    after = at_market
    for card in (0, 0, 1):  # the statue, the entrance, the decoration
        after = apply(after, Choose(card))
    assert after.sites.cards == ((STATUE,), (), (DECORATIONS["temple"],), ())
    assert after.sites.temple == (1,), "a red card is played at once"
    assert after.market == (CHISEL,)
    before = position().quarry
    assert after.quarry == (before[0] + 1, before[1] + 1 - 1, before[2] + 1, before[3])
    assert after.to_act == 1


def test_the_market_of_the_seed() -> None:
    """A four-stone ship: white takes the sail card, brown the statue, gray the lever; all stones go back to the quarry."""
    start = position(ships=((0, 2, 3, 2), ()), market=(LEVER, STATUE, SAIL, CHISEL))
    after = apply(start, Sail(0, "market"))
    for card in (2, 1, 0, 0):  # of those that still lie there
        after = apply(after, Choose(card))
    assert after.sites.cards == ((SAIL,), (), (STATUE, CHISEL), (LEVER,))
    assert after.quarry == tuple(stones + back for stones, back in zip(start.quarry, (1, 0, 2, 1), strict=True))
    assert after.sites.pyramid == after.sites.temple == after.sites.burial_chamber == ()


def test_blue_cards_are_actions_and_are_used_once() -> None:
    chisel = PlayCard(CHISEL, (Load(1, 0), Load(0, 2)))
    after = apply(with_card(CHISEL, position()), chisel)
    assert after.ships == ((0, 1, 0, 2), (0, EMPTY))
    assert after.sites.cards[0] == ()
    with pytest.raises(IllegalAction, match="holds no"):
        apply(replace(after, to_act=0), chisel)
    hammer = apply(with_card(HAMMER, position(sleds=(0, 3, 4, 5))), PlayCard(HAMMER, (Take(), Load(1, 1))))
    assert hammer.sleds[0] == 2
    sail = apply(with_card(SAIL, position()), PlayCard(SAIL, (Load(0, 2), Sail(0, "pyramid"))))
    assert sail.sites.pyramid == (0, 1, 0, 2)
    lever = apply(with_card(LEVER, position()), PlayCard(LEVER, (Sail(0, "pyramid", (3, 0, 2, 1)),)))
    assert lever.sites.pyramid == (2, 0, 1)


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (Sail(1, "temple"), "too few"),
        (Sail(0, "temple", (0, 1, 2, 3)), "lever"),
        (Sail(0, "harbour"), "land"),
        (Sail(7, "temple"), "no ship"),
        (Load(0, 0), "not free"),
        (Load(0, 9), "not free"),
        (Choose(0), "No market card"),
        (Pass(), "can be done"),
        (PlayCard(LEVER, (Sail(0, "temple", (0, 1, 2)),)), "order"),
        (PlayCard(LEVER, (Load(0, 2),)), "other actions"),
        (PlayCard(LEVER, (Sail(7, "temple", (0, 1, 2, 3)),)), "no ship"),
        (PlayCard(LEVER, (Sail(-1, "temple", (0, 1)),)), "no ship"),
        (PlayCard(STATUE, ()), "no blue card"),
    ],
)
def test_illegal_actions(action: Any, reason: str) -> None:
    with pytest.raises(IllegalAction, match=reason):
        apply(with_card(LEVER, position()), action)


def test_sites_take_one_ship_a_round() -> None:
    with pytest.raises(IllegalAction, match="land"):
        apply(position(landed=("", "temple")), Sail(0, "temple"))


def test_a_full_sled_takes_no_stones() -> None:
    with pytest.raises(IllegalAction, match="full"):
        apply(position(sleds=(5, 3, 4, 5)), Take())


def test_the_round_ends_when_all_ships_have_sailed() -> None:
    after = apply(position(landed=("", "temple")), Sail(0, "pyramid"))
    assert after.round == 2
    assert after.sites.tops == ((),)
    assert not any(after.landed)
    assert len(after.market) == 4


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_games(kind: str, players: int) -> None:
    (game,) = simulate(players, seed=players, kind=kind)
    assert game.final.over
    assert legal_actions(game.final) == []
    (state,) = game.states()
    assert not audit_state(state)
    assert len(state["temple"]) == 6
    final, sites = game.final, game.final.sites
    for player in range(players):
        lying = sum(stones.count(player) for stones in (sites.pyramid, sites.temple, sites.burial_chamber))
        afloat = sum(ship.count(player) for ship, site in zip(final.ships, final.landed, strict=True) if not site)
        owned = lying + afloat + sites.obelisks[player] + final.quarry[player] + final.sleds[player]
        assert owned == STONES_A_PLAYER, "no stone is lost or made"


def test_listed_actions_are_legal_and_games_repeat() -> None:
    game = play_game([KINDS["random"]] * 3, 5)
    assert game == play_game([KINDS["random"]] * 3, 5)
    at = new_game(3, 5)
    for number, action in enumerate(game.actions):
        listed = legal_actions(at)
        assert action in listed
        if number % 25 == 0:
            for other in listed:
                apply(at, other)
        at = apply(at, action)
    assert at == game.final


def test_numbers_of_players() -> None:
    for players in (1, 5):
        with pytest.raises(ValueError, match="2 to 4"):
            new_game(players, 0)
    with pytest.raises(ValueError, match="no player"):
        next(simulate(kind="lucky"))


def test_random_states_are_legal() -> None:
    states = random_states(np.random.default_rng(3))
    assert all(not [line for line in audit_state(next(states)) if line.breach] for _ in range(4))
