"""Training data: crops with their truth from synthetic photos of filled-in sheets, through the scanner's own stages.

Photos are made by `scanner.synth`, found, rectified and cut by the very code that reads them later, so that the networks
meet the errors of pose and light that they will have to live with. Everything follows from the seed.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from scanner.cells import crop, rectify
from scanner.cells.crops import Crops, beside_print
from scanner.errors import SheetError
from scanner.photo import load_photos
from scanner.reading.networks import Kind
from scanner.reading.readings import CONTENT_CHARACTERS
from scanner.sheet.codes import SEATS, SHEET_NUMBERS
from scanner.sheet.drawing import sheet_drawing
from scanner.sheet.estimate import find_sheets
from scanner.sheet.style import HOUSE, PLAIN, Style, random_style
from scanner.sheet.template import Template, load_template
from scanner.synth.camera import Paper, photograph
from scanner.synth.conditions import Condition, random_scene, scene_for
from scanner.synth.filling import SPOILED, Content, Filling, fill
from scanner.synth.game_samples import states
from scanner.synth.hand import random_hand, synthetic_drawings
from scanner.synth.pen import apply_ink
from scanner.synth.press import press
from scanner.synth.scene import Scene
from scanner.training.contents import random_content, with_slips
from scanner.training.drawings import People, real_drawings

Samples = dict[str, NDArray[np.uint8]]
"""For each kind of network `KIND` (uint8 crops (N, H, W)) and `KIND.label` (uint8 (N,))."""

_EDGES_KEPT: Final = 150
_STRUCK_KEPT: Final = 40
_MEGAPIXELS: Final = 4.0
_REAL_HANDS: Final = 0.7
"""So many sheets to train on are drawn by real people, where there are any; the others by the synthetic hand."""
_TIMID_SIZES: Final = (0.35, 0.8)
_TIMID_OFFSET: Final = 0.17
"""Some people mark circles by small ticks and dashes somewhere inside: marks as large, of the circle, and so far off centre."""
_EVERY_SHARD: Final = slice(None)


def sheet_samples(
    template: Template,
    content: Content,
    people: People,
    scene: Scene,
    rng: Generator,
    *,
    as_drawn: bool = False,
    timid: float = 0.0,
) -> Samples | None:
    """Crops and labels of one synthetic photo, or None when the sheet could not be found; `as_drawn` and `timid` as in
    `write_shard`."""
    drawings = None
    if people and (rng.random() < _REAL_HANDS or as_drawn):
        drawings = real_drawings(people, synthetic_drawings(rng), rng, varied=not as_drawn)
    hand = random_hand(rng, drawings)
    if timid and rng.random() < timid:
        hand = replace(hand, mark_sizes=_TIMID_SIZES, mark_offset=_TIMID_OFFSET)
    px_per_mm = rng.uniform(5.2, 7.0)
    paper = cv2.cvtColor(press(sheet_drawing(template, *_identity(rng), _style(rng)), px_per_mm), cv2.COLOR_GRAY2BGR)
    filling = fill(template, content, hand, rng)
    apply_ink(np.asarray(paper, np.uint8), filling.strokes, hand.pen, px_per_mm, rng)
    photo = photograph([Paper(np.asarray(paper, np.uint8), px_per_mm)], scene, rng)
    source = load_photos(photo.bgr, name="synthetic")[0]
    try:
        found = find_sheets(source, [template])
    except SheetError:
        return None
    if len(found.poses) != 1:
        return None
    crops = crop(rectify(source, found.poses[0]), template)
    return _labelled(template, crops, content, filling, rng)


def _identity(rng: Generator) -> tuple[int, int]:
    return int(rng.integers(1, SEATS + 1)), int(rng.integers(SHEET_NUMBERS))


def _style(rng: Generator) -> Style:
    draw = rng.random()
    return HOUSE if draw < 0.25 else PLAIN if draw < 0.5 else random_style(rng)


def _labelled(template: Template, crops: Crops, content: Content, filling: Filling, rng: Generator) -> Samples:
    cells = [
        ch.replace(".", "_").replace(SPOILED, "?")
        for g in template.grids
        if "content" in g.reads
        for row in content.cells.get(g.name, ["_" * g.columns] * g.rows)
        for ch in row
    ]
    edge_grids = [g.name for g in template.grids if "edges" in g.reads]
    none = np.zeros(0, bool)  # a sheet may have no such grid
    edges = np.concatenate(
        [none, *(filling.edges_h[name].ravel() for name in edge_grids), *(filling.edges_v[name].ravel() for name in edge_grids)]
    )
    struck = np.concatenate([none, *(filling.struck[g.name].ravel() for g in template.grids if "struck" in g.reads)])
    some_edges = rng.permutation(len(edges))[:_EDGES_KEPT]
    some_struck = rng.permutation(len(struck))[:_STRUCK_KEPT]
    return {
        "content": crops.content,
        "content.label": np.array([CONTENT_CHARACTERS.index(ch) for ch in cells], np.uint8),
        "edges": crops.edges[some_edges, 0],
        "edges.label": edges[some_edges].astype(np.uint8),
        "struck": crops.struck[some_struck],
        "struck.label": struck[some_struck].astype(np.uint8),
        "marks": crops.marks[:, 0],
        "marks.label": np.array([mark.name in content.marks for mark in template.marks], np.uint8),
    }


def write_shard(
    folder: Path,
    index: int,
    sheets: int,
    people: People,
    seed: int,
    *,
    played: bool = False,
    condition: Condition | None = None,
    game: str = "obelisk",
    as_drawn: bool = False,
    timid: float = 0.0,
) -> Path:
    """Make one shard of `sheets` photos; it depends on its arguments alone. Written whole or not at all.

    `played`: the sheets come from played games, with a few slips; else from `random_content`.
    `condition`: all photos are of that condition; else of any mixture. `game`: whose sheets. `as_drawn`: all sheets are drawn
    by the given people just as they drew, as is right for measuring; else most are, with variations to learn from. `timid`: the
    share of hands that mark circles by small ticks and dashes.
    """
    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, index])
    template = load_template(game)
    contents = (content for _, content in states(game, rng))
    made: list[Samples] = []
    while len(made) < sheets:
        content = with_slips(next(contents), rng) if played else random_content(template, rng)
        scene = scene_for(condition, rng, _MEGAPIXELS, fine=False) if condition else random_scene(rng)
        samples = sheet_samples(template, content, people, scene, rng, as_drawn=as_drawn, timid=timid)
        if samples is not None:
            made.append(samples)
    path = folder / shard_name(game, index)
    partial = path.with_suffix(".partial")
    with partial.open("wb") as file:
        np.savez(
            file, allow_pickle=False, game=np.array(game), **{key: np.concatenate([s[key] for s in made]) for key in made[0]}
        )
    partial.rename(path)
    return path


def shard_name(game: str, index: int) -> str:
    """A shard's file name; shards of several games may share a folder."""
    return f"shard-{index:05d}.npz" if game == "obelisk" else f"shard-{game}-{index:05d}.npz"


def load_shards(folder: Path, kind: Kind, which: slice = _EVERY_SHARD) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """All crops of a kind, as the network takes them, and their labels, uint8 (N,), in the order of the shards; `which`: of
    these of the folder's shards only."""
    crops: list[NDArray[np.uint8]] = []
    labels: list[NDArray[np.uint8]] = []
    for path in sorted(folder.glob("shard-*.npz"))[which]:
        with np.load(path) as shard:
            arrays: Mapping[str, NDArray[np.uint8]] = shard
            marks = len(load_template(str(shard["game"]) if "game" in shard else "obelisk").marks)
            of_sheets = np.split(arrays[kind], len(arrays["marks.label"]) // marks)
            crops += [beside_print(sheet) for sheet in of_sheets] if kind in ("edges", "marks") else of_sheets
            labels.append(arrays[f"{kind}.label"])
    return np.concatenate(crops), np.concatenate(labels)
