"""Makes the project's sample photos: `python -m scanner.synth.samples OUT --seed 1`.

Everything in them is the project's own: the sheet, the synthetic hand, the synthetic camera, the states from played games.
The same seed gives the same files, byte for byte, on the same versions of NumPy and OpenCV.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import cv2
import msgspec
import numpy as np
from numpy.random import Generator

from scanner.engine import score_state
from scanner.engine.obelisk.play import random_states
from scanner.engine.obelisk.state import ObeliskState
from scanner.geometry import BgrImage
from scanner.sheet.codes import SEATS, SET_NUMBERS
from scanner.sheet.drawing import sheet_drawing
from scanner.sheet.style import HOUSE, PLAIN, Style, random_style
from scanner.sheet.template import Template, load_template
from scanner.synth.camera import Paper, SheetPose, photograph
from scanner.synth.conditions import CONDITIONS, Condition, scene_for
from scanner.synth.filling import fill
from scanner.synth.game_samples import GAME_FOLDERS, game_photo
from scanner.synth.hand import random_hand
from scanner.synth.not_a_sheet import FOREIGN
from scanner.synth.pen import apply_ink
from scanner.synth.played import content_of
from scanner.synth.press import press
from scanner.synth.sample_files import AT_LEAST, content_rects, megapixels, pose_truth, write_sample

_THREE_OF: Final = ("steep", "curl", "crease", "shadow", "dim", "thumb", "table", "everything")
"""Conditions with three photos; the others have two."""
_BLANK_SHEETS: Final = 3
_HIGHEST_TOTAL_BYTES: Final = 30_000_000

_README: Final = """# Sample photos

Synthetic photographs of sheets of Shadow of the Obelisk, made by `python -m scanner.synth.samples sample_scans --seed {seed}`
from this project alone: its own printed sheet, synthetic hands, pens, paper, tables, light and camera (`scanner/synth/`). No
photograph, no drawing and no data of other people went into them; they may be used like the rest of the project. The states
are sheets of games that the engine's own players played.

One folder a condition. `NAME.truth.json` beside a photo holds the condition and, for every sheet in it, the state in the
contract's keys, its score, and `pose`: a 7 x 5 lattice of paper points in mm and their exact places in the photo in pixels (the
centre of the top left pixel is (0, 0)), with `lattice_visible` false where a point is covered, folded over or out of the frame.

`imhotep/` and `monolyth/` hold sheets of these games under several conditions, `mixed/` photos with sheets of two games.
`blank/` holds printed sheets on which nobody has written. The photos in `not_a_sheet/` show no sheet that can be read and must
be refused; their file names say what they show.

| folder | photos | sheets | megapixels | KB |
| --- | --- | --- | --- | --- |
{table}
"""


def written_sheet(template: Template, state: ObeliskState | None, seat: int, sheet_number: int, rng: Generator) -> Paper:
    """A printed sheet, filled by one more person as `state` says, or untouched if there is none."""
    draw = rng.random()
    style: Style = HOUSE if draw < 0.4 else PLAIN if draw < 0.6 else random_style(rng)
    px_per_mm = 8.0
    printed = press(sheet_drawing(template, seat, sheet_number, style), px_per_mm)
    picture: BgrImage = np.repeat(printed[..., None], 3, axis=2)
    if state is not None:
        hand = random_hand(rng)
        apply_ink(picture, fill(template, content_of(state, rng), hand, rng).strokes, hand.pen, px_per_mm, rng)
    return Paper(picture, px_per_mm, content_rects(template))


def truth_of(state: ObeliskState, pose: SheetPose) -> dict[str, Any]:
    """A sheet's entry in a truth file."""
    sheet: dict[str, Any] = msgspec.to_builtins(state)
    del sheet["player"]
    sheet["score"] = score_state(sheet)
    sheet["pose"] = pose_truth(pose)
    return sheet


def _states(rng: Generator, count: int) -> list[ObeliskState]:
    """Sheets of one set, at different seats."""
    first = int(rng.integers(SET_NUMBERS)) * SEATS
    seats = sorted(rng.permutation(SEATS)[:count].tolist()) if count < 4 else list(range(count))
    states = random_states(rng)
    return [msgspec.structs.replace(next(states), seat=seat + 1, sheet_number=first + seat) for seat in seats]


def _untouched(rng: Generator) -> ObeliskState:
    seat = int(rng.integers(SEATS))
    number = int(rng.integers(SET_NUMBERS)) * SEATS + seat
    return ObeliskState(("." * 5,) * 12, ("." * 8,) * 12, levels=(0, 0, 0), seat=seat + 1, sheet_number=number)


def _sheet_photo(folder: Path, name: str, condition: Condition, blank: bool, rng: Generator) -> None:
    template = load_template("obelisk")
    scene = scene_for(condition, rng, megapixels(rng, AT_LEAST.get(condition, 0.0)))
    states = [_untouched(rng)] if blank else _states(rng, len(scene.sheets))
    papers = [
        written_sheet(template, None if blank else state, int(state.seat or 1), int(state.sheet_number or 0), rng)
        for state in states
    ]
    photo = photograph(papers, scene, rng)
    sheets = [truth_of(state, pose) for state, pose in zip(states, photo.poses, strict=True)]
    write_sample(folder, name, photo, scene, {"condition": "blank" if blank else condition, "sheets": sheets})


def _foreign_photo(folder: Path, name: str, rng: Generator) -> None:
    make = FOREIGN[name]
    condition: Condition = CONDITIONS[int(rng.choice([0, 1, 3, 6]))]
    scene = scene_for(condition, rng, megapixels(rng, 3.0))
    if make is None:
        scene = replace(scene, sheets=(), table=replace(scene.table, clutter=14))
    papers = [] if make is None else [make(rng)]
    write_sample(folder, name, photograph(papers, scene, rng), scene, None)


def make_samples(out: Path, seed: int, only: Sequence[str] = ()) -> None:
    """Write the sample photos to `out`; `only` names the folders to make, all if empty. ValueError if they grow too large."""
    cv2.setNumThreads(1)
    for index, condition in enumerate(CONDITIONS):
        if not only or condition in only:
            for number in range(3 if condition in _THREE_OF else 2):
                rng = np.random.default_rng([seed, index, number])
                _sheet_photo(out / condition, f"{condition}-{number + 1:02d}", condition, False, rng)
    for index, kind in enumerate(GAME_FOLDERS):
        if not only or kind in only:
            for number, condition in enumerate(GAME_FOLDERS[kind]):
                rng = np.random.default_rng([seed, 300 + index, number])
                game_photo(out / kind, f"{kind}-{condition}", kind, condition, rng)
    if not only or "blank" in only:
        for number in range(_BLANK_SHEETS):
            rng = np.random.default_rng([seed, 100, number])
            condition = CONDITIONS[int(rng.choice([0, 1, 6]))]
            _sheet_photo(out / "blank", f"blank-{number + 1:02d}", condition, True, rng)
    if not only or "not_a_sheet" in only:
        for number, name in enumerate(FOREIGN):
            _foreign_photo(out / "not_a_sheet", name, np.random.default_rng([seed, 200, number]))
    photos = sorted(out.rglob("*.jpg"))
    total = sum(path.stat().st_size for path in photos)
    if total > _HIGHEST_TOTAL_BYTES:
        raise ValueError(f"The samples take {total} bytes, more than {_HIGHEST_TOTAL_BYTES}.")
    (out / "README.md").write_text(_README.format(seed=seed, table="\n".join(_rows(out))), encoding="utf-8")


def _rows(out: Path) -> Iterator[str]:
    """The README's table, a row a folder."""
    for folder in sorted(path for path in out.iterdir() if path.is_dir()):
        photos = sorted(folder.glob("*.jpg"))
        truths = [msgspec.json.decode(path.read_bytes()) for path in sorted(folder.glob("*.truth.json"))]
        sheets = sum(len(truth["sheets"]) for truth in truths)
        sizes = []
        for path in photos:
            picture = cv2.imread(str(path), cv2.IMREAD_REDUCED_GRAYSCALE_8)
            if picture is None:
                raise ValueError(f"{path} cannot be read back.")
            sizes.append(picture.size * 64 / 1e6)
        kilobytes = sum(path.stat().st_size for path in photos) // 1000
        yield f"| {folder.name} | {len(photos)} | {sheets} | {min(sizes):.0f} to {max(sizes):.0f} | {kilobytes} |"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Make the sample photos.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=(), help="folders to make, e.g. table not_a_sheet")
    arguments = parser.parse_args()
    make_samples(arguments.out, arguments.seed, arguments.only)


if __name__ == "__main__":
    main()
