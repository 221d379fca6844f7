"""Sample photos of the sheets of Imhotep and Monolyth, and of sheets of two games side by side."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.random import Generator

from scanner.engine import score_state
from scanner.engine.imhotep.play import random_states as random_tables
from scanner.engine.monolyth.play import random_states as random_boards
from scanner.engine.obelisk.play import random_states as random_obelisks
from scanner.engine.obelisk.state import to_dict
from scanner.geometry import BgrImage
from scanner.sheet.codes import SEATS, SET_NUMBERS
from scanner.sheet.drawing import sheet_drawing
from scanner.sheet.style import HOUSE
from scanner.sheet.template import load_template
from scanner.sheet.writers import WRITERS
from scanner.synth.camera import Paper, photograph
from scanner.synth.conditions import Condition, scene_for
from scanner.synth.filling import Content, fill
from scanner.synth.hand import random_hand
from scanner.synth.pen import apply_ink
from scanner.synth.played import content_of
from scanner.synth.press import press
from scanner.synth.sample_files import AT_LEAST, content_rects, megapixels, pose_truth, write_sample

_CONDITIONS: Final[tuple[Condition, ...]] = ("easy", "tilt", "rotated", "curl", "shadow", "dim", "thumb", "lowres")
GAME_FOLDERS: Final[Mapping[str, tuple[Condition, ...]]] = {
    "imhotep": _CONDITIONS,
    "monolyth": _CONDITIONS,
    "mixed": ("table", "easy"),
}
"""Folder -> the conditions of its photos, one each."""
_PX_PER_MM: Final = 8.0


def states(game: str, rng: Generator) -> Iterator[tuple[dict[str, Any], Content]]:
    """Sheets without end: the state in the contract's form, and what is written."""
    if game == "obelisk":
        for obelisk in random_obelisks(rng):
            yield to_dict(obelisk), content_of(obelisk, rng)
    for state in random_tables(rng) if game == "imhotep" else random_boards(rng):
        try:
            shown = WRITERS[game](state)
        except ValueError:
            continue  # more stones than the sheet has room for
        yield state, Content(shown.cells, marks=shown.marks)


def written_by_somebody(game: str, content: Content, seat: int, sheet_number: int, rng: Generator) -> Paper:
    """The printed sheet, filled in by one more person."""
    template = load_template(game)
    picture: BgrImage = np.repeat(press(sheet_drawing(template, seat, sheet_number, HOUSE), _PX_PER_MM)[..., None], 3, axis=2)
    hand = random_hand(rng)
    apply_ink(picture, fill(template, content, hand, rng).strokes, hand.pen, _PX_PER_MM, rng)
    return Paper(picture, _PX_PER_MM, content_rects(template))


def game_photo(folder: Path, name: str, kind: str, condition: Condition, rng: Generator) -> None:
    """Write one photo with its truth: of a sheet of the game `kind`, or, if that is "mixed", of several games' sheets."""
    scene = scene_for(condition, rng, megapixels(rng, AT_LEAST.get(condition, 0.0)))
    games = [kind]
    if kind == "mixed":
        table = scene_for("table", rng, 8.0)
        scene = replace(scene, width=table.width, height=table.height, view=table.view, sheets=table.sheets[:2])
        games = ["obelisk", "imhotep"] if condition == "table" else ["monolyth", "imhotep"]
    first = int(rng.integers(SET_NUMBERS)) * SEATS
    sheets, papers = [], []
    for index, game in enumerate(games):
        state, content = next(states(game, rng))
        seat = 1 if game == "imhotep" else 1 + int(rng.integers(SEATS // 2))
        number = (first + index * SEATS + seat - 1) % (SET_NUMBERS * SEATS)
        sheets.append(state | {"seat": seat, "sheet_number": number, "score": score_state(state)})
        papers.append(written_by_somebody(game, content, seat, number, rng))
    photo = photograph(papers, scene, rng)
    truth = [sheet | {"pose": pose_truth(pose)} for sheet, pose in zip(sheets, photo.poses, strict=True)]
    write_sample(folder, name, photo, scene, {"condition": kind, "sheets": truth})
