"""Real people's drawings, from a folder that is given: strokes and bitmaps of several public collections.

The folder holds `strokes.jsonl.gz` (a drawing a line: `class`, `source`, `person`, `strokes` in a 0..1000 box) and
`bitmaps.npz` (for each source S: `S_images`, `S_classes`, `S_people`). People are split into those trained on and those held
out by a hash of their name, never by drawing.
"""

import gzip
import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from scanner.geometry import FloatArray
from scanner.synth.hand import Drawings
from scanner.synth.symbols import Strokes

Split = Literal["train", "held_out"]
_HELD_OUT_SHARE: Final = 0.2

_CLASSES_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "sun": ("sun",),
    "star": ("star",),
    "pyramid": ("pyramid",),
    "eye": ("eye",),
    "lotus": ("lotus",),
    "crossed": ("cross", "scribble", "strike"),
    "other": ("other",),
    "tick": ("tick",),
    "cross": ("cross",),
    "circle": ("sun",),
    "scribble": ("scribble",),
}
"""Which classes of the collections serve for a content label or a mark style."""


_LOOK_ALIKES: Final = frozenset(
    {"potato", "pond", "pool", "blueberry", "hockey puck", "baseball", "basketball", "onion", "bracelet", "necklace", "cookie"}
    | {"stop sign", "bottlecap", "hot tub", "pizza", "mouth", "watermelon", "pillow", "tooth", "caret", "plus"}
)
"""Doodles that most people draw as a plain ring, an almond, a triangle or a cross: nobody could tell them from a symbol or a
crossing-out, so nothing is to be learnt from them. They are measured on all the same."""

_FLATTENED: Final = (0.4, 0.6, 0.8, 0.5, 0.7)
"""How high, beside their width, the flat suns are that training sees beside every second and third one: some people's are as
flat as an eye, and few of them are in the collections."""


@dataclass(frozen=True, slots=True)
class Person:
    """All drawings of one class by one person."""

    name: str
    source: str
    drawings: tuple[Strokes, ...]


People = Mapping[str, Sequence[Person]]
"""Class -> people who drew it."""


def split_of(source: str, person: str) -> Split:
    """Whether a person is trained on; the same for all their drawings, whatever the order of the files."""
    digest = hashlib.sha256(f"{source}/{person}".encode()).digest()
    return "held_out" if digest[0] / 256 < _HELD_OUT_SHARE else "train"


def load_people(folder: Path, split: Split) -> dict[str, list[Person]]:
    """The people of one side of the split, by class; FileNotFoundError when the folder lacks the two files.

    Those to train on come without `_LOOK_ALIKES` and with flat suns added; those to measure on as they are."""
    found: dict[tuple[str, str, str], list[Strokes]] = {}
    left_out = _LOOK_ALIKES if split == "train" else frozenset()
    for kind, source, person, strokes in (*_read_strokes(folder, left_out), *_read_bitmaps(folder)):
        if strokes and split_of(source, person) == split:
            found.setdefault((kind, source, person), []).append(_unit_box(strokes))
    if split == "train":
        for (kind, _, _), drawings in found.items():
            if kind == "sun":
                drawings.extend(_flattened(drawings))
    people: dict[str, list[Person]] = {}
    for (kind, source, person), drawings in sorted(found.items(), key=lambda item: item[0]):
        people.setdefault(kind, []).append(Person(person, source, tuple(drawings)))
    return people


def _flattened(drawings: Sequence[Strokes]) -> list[Strokes]:
    """Flat copies of two in three drawings."""
    heights = [_FLATTENED[number % len(_FLATTENED)] for number in range(len(drawings))]
    return [
        [stroke * [1, height] for stroke in drawing]
        for number, (drawing, height) in enumerate(zip(drawings, heights, strict=True))
        if number % 3
    ]


def _read_strokes(folder: Path, left_out: Collection[str]) -> Iterator[tuple[str, str, str, Strokes]]:
    with gzip.open(folder / "strokes.jsonl.gz", "rt", encoding="utf-8") as lines:
        for text in lines:
            row = json.loads(text)
            if row["class"] == "other" and row["label"] in left_out:
                continue
            strokes = [np.array(s, np.float64).reshape(-1, 2) for s in row["strokes"] if len(s)]
            yield row["class"], row["source"], row["person"], [s if len(s) > 1 else np.vstack([s, s + 4]) for s in strokes]


def _read_bitmaps(folder: Path) -> Iterator[tuple[str, str, str, Strokes]]:
    with np.load(folder / "bitmaps.npz") as arrays:
        for key in arrays.files:
            if key.endswith("_images"):
                source = key.removesuffix("_images")
                images, kinds, names = arrays[key], arrays[f"{source}_classes"], arrays[f"{source}_people"]
                # One person stands for a whole collection of unnamed writers there; each drawing then counts as its own.
                lone = len(set(names.tolist())) == 1
                for i, image in enumerate(images):
                    yield str(kinds[i]), source, f"{names[i]}/{i}" if lone else str(names[i]), strokes_of_bitmap(image)


def strokes_of_bitmap(image: NDArray[np.uint8]) -> Strokes:
    """The skeleton of a drawing, uint8 (H, W), ink 255 on 0, as short strokes; filled spots become tight hatching."""
    from scipy.ndimage import distance_transform_edt
    from skimage.morphology import skeletonize

    ink = image > 110
    skeleton = skeletonize(ink)
    strokes: Strokes = []
    height, width = ink.shape
    for r, c in np.argwhere(skeleton):
        for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
            rr, cc = r + dr, c + dc
            if rr >= height or not 0 <= cc < width or not skeleton[rr, cc]:
                continue
            if dr and dc and (skeleton[r, cc] or skeleton[rr, c]):
                continue  # the two straight steps join them already
            strokes.append(np.array([[c, r], [cc, rr]], np.float64))
    depth = distance_transform_edt(np.pad(ink, 1))[1:-1, 1:-1]
    core = depth > max(2.2, 0.09 * max(image.shape))
    strokes += [np.array([[c - 0.3, r - 0.3], [c + 0.3, r + 0.3]]) for r, c in np.argwhere(core)]
    return strokes


def _unit_box(strokes: Strokes) -> Strokes:
    points = np.vstack(strokes)
    low, high = points.min(0), points.max(0)
    side = max(float((high - low).max()), 1e-6)
    return [(s - (low + high) / 2) / side for s in strokes]


@dataclass(frozen=True, slots=True)
class RealDrawings:
    """Drawings of real people: for each label one of them, `varied` a little each time or just as they drew. Labels nobody drew
    fall to `spare`."""

    chosen: Mapping[str, Person]
    spare: Drawings
    varied: bool = True

    def draw(self, label: str, rng: Generator) -> Strokes:
        """See `scanner.synth.hand.Drawings`."""
        person = self.chosen.get(label)
        if person is None:
            return self.spare.draw(label, rng)
        drawing = person.drawings[int(rng.integers(len(person.drawings)))]
        return vary(drawing, rng) if self.varied else drawing


def real_drawings(people: People, spare: Drawings, rng: Generator, *, varied: bool = True) -> RealDrawings:
    """One made-up person: for every label somebody's drawings; collections weigh alike, however many people they have."""
    chosen: dict[str, Person] = {}
    for label, kinds in _CLASSES_OF.items():
        kind = kinds[int(rng.integers(len(kinds)))]
        group = people.get(kind, [])
        if group:
            sources = sorted({p.source for p in group})
            source = sources[int(rng.integers(len(sources)))]
            of_source = [p for p in group if p.source == source]
            chosen[label] = of_source[int(rng.integers(len(of_source)))]
            if len(chosen[label].drawings) == 1:
                # A collection with one drawing a person: a made-up person draws like several of them.
                picks = rng.integers(len(of_source), size=12)
                chosen[label] = Person("several", source, tuple(of_source[i].drawings[0] for i in picks))
    return RealDrawings(chosen, spare, varied)


def vary(strokes: Strokes, rng: Generator) -> Strokes:
    """The same drawing once more: turned, sheared, stretched and bent a little; at times a stroke's end is missing."""
    turn, shear = rng.normal(0, 0.1), rng.normal(0, 0.12)
    stretch = np.exp(rng.normal(0, 0.15))
    matrix = np.array([[np.cos(turn) * stretch, np.sin(turn)], [-np.sin(turn) + shear, np.cos(turn) / stretch]])
    wave = rng.normal(0, 0.035, (2, 2))
    phase = rng.uniform(0, 2 * np.pi, (2, 2))
    varied: Strokes = []
    for stroke in strokes:
        points: FloatArray = stroke @ matrix
        bent = points + np.stack(
            [
                wave[0, 0] * np.sin(4 * points[:, 1] + phase[0, 0]) + wave[0, 1] * np.sin(7 * points[:, 0] + phase[0, 1]),
                wave[1, 0] * np.sin(4 * points[:, 0] + phase[1, 0]) + wave[1, 1] * np.sin(7 * points[:, 1] + phase[1, 1]),
            ],
            1,
        )
        if len(bent) > 12 and rng.random() < 0.15:
            cut = 1 + int(len(bent) * rng.uniform(0.02, 0.1))
            bent = bent[cut:] if rng.random() < 0.5 else bent[:-cut]
        varied.append(bent)
    return varied
