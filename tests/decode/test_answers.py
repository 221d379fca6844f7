"""What people say of a sheet: it stands, whatever the rules would make of it, and the rest is decoded knowing it."""

from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from scanner.decode import decode, obelisk
from scanner.decode.answers import Place, Places, places, settle, understand
from scanner.decode.decoded import Decoded
from scanner.engine.imhotep.play import random_states as imhotep_tables
from scanner.engine.monolyth.play import random_states as monolyth_boards
from scanner.errors import BadState
from scanner.reading.readings import Readings
from scanner.sheet import imhotep_places, monolyth_places
from scanner.sheet.pose import SheetIdentity
from scanner.sheet.template import load_template
from scanner.sheet.written import Written
from tests.decode.simulated import IDENTITY, Noise, Sheet, play, read, truth_state
from tests.decode.test_imhotep import TABLE
from tests.decode.written_readings import readings_of
from tests.engine.monolyth.test_scoring import BOARD

GAMES = ("obelisk", "imhotep", "monolyth")


def decoded(game: str, readings: Readings, answers: dict[str, str] | None = None) -> Decoded:
    identity = IDENTITY if game == "obelisk" else SheetIdentity(game, 1, 4712)
    return decode(settle(readings, game, answers or {}), load_template(game), identity)


def clear(seed: int = 1) -> tuple[Sheet, Readings]:
    """A played sheet of the obelisk that leaves no doubt."""
    sheet = play(np.random.default_rng(seed), turns=24)
    return sheet, read(np.random.default_rng(3), sheet, Noise(skip_borders=False))


def noisy(game: str, rng: Generator) -> Readings:
    if game == "obelisk":
        return read(rng, play(rng), Noise(cells=0.08, circles=0.03))
    written: Written
    if game == "imhotep":
        written = imhotep_places.written(next(imhotep_tables(rng)))
    else:
        written = monolyth_places.written(next(monolyth_boards(rng)))
    hard = 0.05 if game == "imhotep" else 0.2
    return readings_of(load_template(game), written, rng, hard=hard, apart=2.6)


def shown(place: str, state: dict[str, Any]) -> str:
    """What a state of the obelisk's game has at a place."""
    first, *rest = place.split()
    if first == "obelisk":
        return str(state["obelisk"][int(rest[0][1:]) - 1][int(rest[1][1:]) - 1])
    if first.startswith("level"):
        points = state["levels"][int(first[5:]) - 1]
        return str(points) if not rest else "marked" if points == int(rest[1]) else "unmarked"
    scroll = state["scrolls"][int(first[6:]) - 1]
    if len(rest) == 2:
        cell = (scroll["symbols"] or "....")[2 * (int(rest[0][1:]) - 1) + int(rest[1][1:]) - 1]
        return "_" if cell == "." else str(cell)
    return "marked" if scroll["marked" if rest == ["points"] else "used"] else "unmarked"


def wheres(found: Decoded) -> list[str]:
    return [doubt.where for doubt in found.doubts]


@pytest.mark.parametrize("game", GAMES)
def test_places_are_the_templates(game: str) -> None:
    template = load_template(game)
    marks = {mark.name for mark in template.marks}
    known: Places = places(game)
    answerable: set[str] = set()
    for where, place in known.items():
        assert place.where == where
        assert set(place.marks) <= marks
        answerable |= set(place.marks)
        for value in place.values.values():
            assert len(value.cells) == len(place.cells)
            assert value.marked <= set(place.marks)
        for name, row, column in place.cells:
            grid = template.grid(name)
            assert "content" in grid.reads
            assert row < grid.rows
            assert column < grid.columns
    assert answerable == marks, "every circle can be answered for"
    cells = {cell for place in known.values() for cell in place.cells}
    assert len(cells) == sum(grid.rows * grid.columns for grid in template.grids if "content" in grid.reads)


@pytest.mark.parametrize("game", GAMES)
def test_whatever_is_asked_can_be_answered_and_is_then_neither_changed_nor_asked_again(game: str) -> None:
    rng = np.random.default_rng(7)
    kinds = set()
    for _ in range({"obelisk": 4, "monolyth": 3, "imhotep": 2}[game]):
        readings = noisy(game, rng)
        for doubt in decoded(game, readings).doubts[:2]:
            place = places(game)[doubt.where]
            kinds.add(bool(place.cells))
            assert doubt.alternatives.keys() <= place.values.keys()
            for value in list(doubt.alternatives)[:3]:
                found = decoded(game, readings, {doubt.where: value})
                assert doubt.where not in wheres(found)
                if game == "obelisk":
                    assert shown(doubt.where, found.state) == value
    assert kinds


@pytest.mark.parametrize("value", list("O*^@Yx?"))
def test_a_symbol_stands_against_the_group_that_was_carved_there(value: str) -> None:
    sheet, readings = clear()
    row, column = next((r, c) for r, c in np.argwhere(np.isin(sheet.obelisk, list("O*^@Y"))).tolist())
    where = f"obelisk r{row + 1} c{column + 1}"
    found = decoded("obelisk", readings, {where: value})
    assert shown(where, found.state) == value
    assert not found.doubts
    expected = [list(line) for line in sheet.rows]
    expected[row][column] = value
    assert found.state["obelisk"] == ["".join(line) for line in expected], "no other cell is touched"
    if value in set("O*^@Y") - {sheet.obelisk[row, column]}:
        assert where in {line.where for line in found.audit}


def test_what_is_no_symbol_of_a_group_may_be_blank() -> None:
    sheet, readings = clear()
    row, column = np.argwhere(np.isin(sheet.obelisk, list("O*^@Y"))).tolist()[0]
    where = f"obelisk r{row + 1} c{column + 1}"
    for blank in (".", "_"):
        found = decoded("obelisk", readings, {where: blank})
        assert shown(where, found.state) == "_", "the cell is built, whatever a blank one is called"
        assert where not in wheres(found)


def test_symbols_stand_in_the_air_and_in_closed_cells() -> None:
    sheet, readings = clear()
    for where in ("obelisk r1 c1", *(f"obelisk r{r + 1} c{c + 1}" for r, c in np.argwhere(sheet.obelisk == "x")[:1])):
        for value in "Yx?":
            found = decoded("obelisk", readings, {where: value})
            assert shown(where, found.state) == value
            assert where not in wheres(found)


def test_circles_stand_whatever_the_tower_and_the_scrolls_say() -> None:
    _, readings = clear()
    state = decoded("obelisk", readings).state
    for place in places("obelisk").values():
        if place.marks and not place.where.endswith(("3 mark 8", "level1")):
            for value in list(place.values)[:1]:
                found = decoded("obelisk", readings, {place.where: value})
                assert place.where not in wheres(found)
                on = value == "marked"
                if " " in place.where and not (on and place.where.startswith("level")):
                    assert shown(place.where, found.state) == value
    assert state["levels"][2] == 0
    found = decoded("obelisk", readings, {"level3 mark 8": "marked"})
    assert (found.state["levels"][2], found.doubts) == (8, ())
    assert found.score["total"] == decoded("obelisk", readings).score["total"] + 8


def test_a_levels_circles_can_be_answered_for_together_but_not_two_ways() -> None:
    _, readings = clear()
    found = decoded("obelisk", readings, {"level3": "5"})
    assert found.state["levels"][2] == 5
    assert decoded("obelisk", readings, {"level3": "5", "level3 mark 8": "no"}).state["levels"][2] == 5
    with pytest.raises(BadState, match='"level3" and to "level3 mark 8"'):
        decoded("obelisk", readings, {"level3": "5", "level3 mark 8": "marked"})


def test_two_circles_at_a_level_are_named_and_the_higher_counts() -> None:
    _, readings = clear()
    found = decoded("obelisk", readings, {"level3 mark 8": "marked", "level3 mark 5": "marked"})
    assert found.state["levels"][2] == 8
    assert not found.doubts
    assert "marked twice at a level" in [line.rule for line in found.audit]


def test_a_scrolls_symbols_stand() -> None:
    _, readings = clear()
    answers = {"scroll3 r1 c1": "sun", "scroll3 r1 c2": "?", "scroll3 r2 c1": "blank", "scroll3 points": "marked"}
    found = decoded("obelisk", readings, answers)
    assert found.state["scrolls"][2] == {"points": 9, "symbols": "O?..", "marked": True, "used": False}


def test_answers_stand_where_the_rules_cannot_be_brought_to_bear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(obelisk, "carve", lambda *_: None)
    readings = noisy("obelisk", np.random.default_rng(2))
    before = decoded("obelisk", readings)
    answers = {doubt.where: "?" if doubt.where.startswith("obelisk") else doubt.read for doubt in before.doubts}
    assert answers
    found = decoded("obelisk", readings, answers)
    assert not found.doubts
    assert all(shown(where, found.state) == value for where, value in answers.items())


def test_true_answers_lead_to_the_true_sheet_with_fewer_questions_than_there_were_doubts() -> None:
    rng = np.random.default_rng(20)
    asked = doubts = sheets = 0
    for _ in range(8):
        sheet = play(rng)
        readings = read(rng, sheet, Noise(cells=0.12, circles=0.02))
        found = decoded("obelisk", readings)
        if not found.doubts:
            continue
        sheets += 1
        doubts += len(found.doubts)
        answers: dict[str, str] = {}
        widths = [found.bounds[1] - found.bounds[0]]
        while found.doubts:
            where = found.doubts[0].where
            answers[where] = shown(where, truth_state(sheet))
            found = decoded("obelisk", readings, answers)
            widths.append(found.bounds[1] - found.bounds[0])
        asked += len(answers)
        assert widths[-1] == 0 <= widths[0]
        assert all(shown(where, found.state) in (value, "_", ".") for where, value in answers.items())
    assert sheets >= 3
    assert asked <= doubts


def test_answers_are_added_to_earlier_ones_and_the_readings_stay_as_they_were() -> None:
    _, readings = clear()
    before = readings.content["obelisk"].copy()
    once = settle(readings, "obelisk", {"obelisk r1 c1": "O"})
    both = settle(once, "obelisk", {"obelisk r1 c2": "eye"})
    assert both.answers == {"obelisk r1 c1": "O", "obelisk r1 c2": "@"}
    assert not readings.answers
    assert np.array_equal(readings.content["obelisk"], before)
    assert both.content["scroll1"] is readings.content["scroll1"]


@pytest.mark.parametrize(
    ("where", "value", "said"),
    [
        ("pyramid1 r1 c1", "gray", lambda s: s["pyramid"][0]),
        ("pyramid1 r1 c1", "unreadable", lambda s: "unreadable" if s["pyramid"][0] == "?" else ""),
        ("temple r1 c2", "gray", lambda s: s["temple"][0][1]),
        ("temple r6 c1", "unreadable", lambda s: "unreadable" if s["temple"][5][0] == "?" else ""),
        ("burial_chamber r1 c2", "brown", lambda s: s["burial_chamber"][3]),
        ("obelisks white", "7", lambda s: str(s["obelisks"]["white"])),
        ("obelisks black", "0", lambda s: str(s["obelisks"]["black"])),
        ("statues gray", "8", lambda s: str(s["statues"]["gray"])),
        ("statues white", "0", lambda s: str(s["statues"]["white"])),
        ("blue_cards gray", "5", lambda s: str(s["blue_cards"]["gray"])),
        ("decorations black obelisks 1", "marked", lambda s: "marked" if s["decorations"]["black"] == ["obelisks"] else ""),
        ("decorations white pyramid 1", "unmarked", lambda s: "unmarked" if s["decorations"]["white"] == ["temple"] else ""),
        ("temple_stones", "39", lambda s: str(s["temple_stones"])),
        ("temple_stones", "0", lambda s: str(s["temple_stones"])),
        ("plays brown", "marked", lambda s: "marked" if "brown" in s["players"] else ""),
        ("plays gray", "unmarked", lambda s: "unmarked" if "gray" not in s["players"] else ""),
    ],
)
def test_every_kind_of_place_at_imhotep(where: str, value: str, said: Any) -> None:
    readings = readings_of(load_template("imhotep"), imhotep_places.written(TABLE))
    found = decoded("imhotep", readings, {where: value})
    assert said(found.state) == value
    assert where not in wheres(found)


def test_a_gap_in_the_placing_order_is_believed() -> None:
    readings = readings_of(load_template("imhotep"), imhotep_places.written(TABLE))
    found = decoded("imhotep", readings, {"pyramid1 r1 c1": "empty"})
    assert found.state["pyramid"][0] == "?", "a list of stones has no other way to say so"
    assert not found.doubts


@pytest.mark.parametrize(
    ("where", "value", "said"),
    [
        ("level1 r1 c1", "Y", lambda s: s["tower"][0][0][0]),
        ("level1 r2 c3", "unreadable", lambda s: "unreadable" if s["tower"][0][1][2] == "?" else ""),
        ("level1 r4 c4", "empty", lambda s: "empty" if s["tower"][0][3][3] == "." else ""),
        ("level3 r1 c1", "*", lambda s: s["tower"][2][0][0]),
        ("sides r1 c1", "^", lambda s: s["sides"]["front"]["colour"]),
        ("sides r3 c1", "empty", lambda s: s["sides"]["back"]["colour"] or "empty"),
        ("sides r4 c1", "unreadable", lambda s: "unreadable" if s["sides"]["left"]["colour"] == "?" else ""),
        ("players", "4", lambda s: str(s["players"])),
        ("players", "0", lambda s: str(s["players"] or 0)),
        ("prophecy right", "12", lambda s: str(s["sides"]["right"]["prophecy"])),
        ("prophecy front", "0", lambda s: str(s["sides"]["front"]["prophecy"] or 0)),
        ("token1", "19", lambda s: str(s["level_tokens"][0])),
        ("structure", "1", lambda s: str(s["structure_token"])),
        ("structure", "0", lambda s: str(s["structure_token"])),
    ],
)
def test_every_kind_of_place_at_monolyth(where: str, value: str, said: Any) -> None:
    readings = readings_of(load_template("monolyth"), monolyth_places.written(BOARD))
    found = decoded("monolyth", readings, {where: value})
    assert said(found.state) == value
    assert where not in wheres(found)


@pytest.mark.parametrize(
    ("game", "where", "text", "value"),
    [
        ("obelisk", "obelisk r3 c2", "Eye", "@"),
        ("obelisk", "obelisk r3 c2", "o", "O"),
        ("obelisk", "obelisk r3 c2", " crossed  out ", "x"),
        ("obelisk", "scroll1 used", "yes", "marked"),
        ("obelisk", "scroll1 used", "false", "unmarked"),
        ("imhotep", "pyramid1 r1 c1", imhotep_places.SYMBOL_OF["gray"], "gray"),
        ("imhotep", "pyramid1 r1 c1", "White", "white"),
        ("imhotep", "obelisks gray", "none", "0"),
        ("monolyth", "level4 r1 c1", "lotus", "Y"),
        ("monolyth", "sides r1 c1", "_", "empty"),
    ],
)
def test_answers_in_other_words(game: str, where: str, text: str, value: str) -> None:
    assert understand(game, where, text) == value


@pytest.mark.parametrize(
    ("game", "where", "text", "message", "hint"),
    [
        ("obelisk", "obelisk r13 c1", "O", 'no place "obelisk r13 c1"', '"obelisk r1 c1"'),
        ("obelisk", "wall r1 c1", "O", 'no place "wall r1 c1"', '"level1 mark 3"'),
        ("obelisk", "obelisk r3 c2", "Q", '"obelisk r3 c2" cannot hold "Q"', "O * ^ @ Y"),
        ("obelisk", "level2 mark 5", "5", '"level2 mark 5" cannot hold "5"', "marked, unmarked"),
        ("imhotep", "pyramid1 r1 c1", "green", '"pyramid1 r1 c1" cannot hold "green"', "white, black, brown, gray"),
        ("imhotep", "temple_stones", "40", '"temple_stones" cannot hold "40"', "0 to 39"),
        ("monolyth", "prophecy front", "11", '"prophecy front" cannot hold "11"', "12"),
        ("chess", "a1", "O", 'no place "a1"', ""),
    ],
)
def test_what_cannot_be_is_named(game: str, where: str, text: str, message: str, hint: str) -> None:
    with pytest.raises(BadState) as caught:
        understand(game, where, text)
    assert message in caught.value.message
    assert hint in caught.value.hint


def test_letters_that_choose_never_stand_for_a_value() -> None:
    from scanner.report.asking import BACK, LETTERS, QUIT, SKIP

    every: list[Place] = [place for game in GAMES for place in places(game).values()]
    for word in (*LETTERS, *SKIP, *QUIT, *BACK):
        assert not any(place.understand(word) for place in every)
