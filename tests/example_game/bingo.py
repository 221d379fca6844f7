"""A game from outside: a card of 8 x 8 fields to cross out; a point for every field, five for every full row or column, and as
much for the joker. State: {"game": "bingo", "card": [8 strings of 8: 'x' crossed out, '.' not], "joker": true or false}.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from scanner.decode.answers import Place, Shown
from scanner.decode.chains import likelihoods, read_circle
from scanner.decode.decoded import Decoded
from scanner.decode.rescoring import ask, keep_answers, question
from scanner.engine.findings import AuditLine
from scanner.engine.games import Game
from scanner.errors import BadState
from scanner.games import AddedGame
from scanner.reading.readings import CONTENT_CHARACTERS, Readings
from scanner.sheet.pose import SheetIdentity
from scanner.sheet.template import read_template
from scanner.sheet.written import Written

SIDE = 8


def normalise(state: dict[str, Any]) -> dict[str, Any]:
    card = state.get("card")
    if not isinstance(card, list) or len(card) != SIDE or any(len(row) != SIDE or set(row) - {"x", "."} for row in card):
        raise BadState("`card` is not 8 strings of 8.", "Write 'x' for a field that is crossed out and '.' for the others.")
    return {**state, "joker": bool(state.get("joker"))}


def score(state: dict[str, Any]) -> dict[str, Any]:
    whole = normalise(state)
    lines = [*whole["card"], *("".join(column) for column in zip(*whole["card"], strict=True))]
    full = lines.count("x" * SIDE) + whole["joker"]
    fields = sum(row.count("x") for row in whole["card"])
    return {"fields": fields, "lines": 5 * full, "total": fields + 5 * full}


def audit(state: dict[str, Any]) -> tuple[AuditLine, ...]:
    normalise(state)
    return ()


def decode(readings: Readings, identity: SheetIdentity) -> Decoded:
    likely = likelihoods(readings.content["card"])
    blank = likely[..., CONTENT_CHARACTERS.index("_")]
    crossed = 1 - blank / (blank + likely[..., 1:].max(axis=-1))
    facts: dict[Any, Any] = {(r, c): bool(crossed[r, c] > 0.5) for r, c in np.ndindex(SIDE, SIDE)}
    joker = read_circle(readings.marks["joker"], prior=0.3)
    facts["joker"] = joker > 0.5
    chances = {key: joker if key == "joker" else float(crossed[key]) for key in facts}
    where = {key: "joker" if key == "joker" else f"card r{key[0] + 1} c{key[1] + 1}" for key in facts}
    questions = [question(key, where[key], {True: p, False: 1 - p}, facts[key], named=_named) for key, p in chances.items()]
    asked = keep_answers(facts, questions, readings.answers, lambda key: where[key])

    def state_of(facts: Mapping[Any, Any]) -> dict[str, Any]:
        card = ["".join("x" if facts[r, c] else "." for c in range(SIDE)) for r in range(SIDE)]
        return {"game": "bingo", "card": card, "joker": facts["joker"]}

    doubts, bounds = ask(facts, asked, lambda facts: (score(state_of(facts))["total"],))
    state = state_of(facts)
    return Decoded(state | {"seat": identity.seat, "sheet_number": identity.sheet_number}, score(state), bounds, doubts)


def written(state: Mapping[str, Any]) -> Written:
    cells = {"card": tuple(row.replace(".", "_") for row in state["card"])}
    return Written(cells, frozenset({"joker"} if state["joker"] else ()))


def _named(on: bool) -> str:
    return "crossed" if on else "free"


def places() -> Mapping[str, Place]:
    """What people can answer for: a field is crossed out or free, and so is the joker's circle."""
    found = {}
    for r, c in np.ndindex(SIDE, SIDE):
        values = {"crossed": Shown(True, "x"), "free": Shown(False, "_")}
        found[f"card r{r + 1} c{c + 1}"] = Place(f"card r{r + 1} c{c + 1}", (("card", r, c),), (), values, {"x": "crossed"})
    joker = {"crossed": Shown(True, marked=frozenset({"joker"})), "free": Shown(False)}
    return {**found, "joker": Place("joker", (), ("joker",), joker, {})}


BINGO = AddedGame(
    template=read_template(Path(__file__).with_name("bingo.toml").read_bytes()),
    rules=Game("bingo", normalise, score, audit),
    decode=decode,
    writer=written,
    places=places,
)
