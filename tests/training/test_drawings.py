"""Real people's drawings: read as they are, split by person, never by drawing."""

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator
from numpy.typing import NDArray

from scanner.synth.symbols import Strokes
from scanner.training.drawings import (
    Person,
    RealDrawings,
    Split,
    load_people,
    real_drawings,
    split_of,
    strokes_of_bitmap,
    vary,
)

Row = tuple[str, str, str, list[list[list[float]]]]
STROKE = [[100.0, 100.0], [500.0, 900.0], [900.0, 100.0]]


def write_folder(folder: Path, rows: list[Row], **bitmaps: NDArray[Any]) -> Path:
    with gzip.open(folder / "strokes.jsonl.gz", "wt", encoding="utf-8") as out:
        for kind, source, person, strokes in rows:
            out.write(json.dumps({"class": kind, "source": source, "person": person, "strokes": strokes, "label": "x"}) + "\n")
    with (folder / "bitmaps.npz").open("wb") as file:
        np.savez(file, allow_pickle=False, **bitmaps)
    return folder


def names(people: dict[str, list[Person]], kind: str) -> set[str]:
    return {person.name for person in people.get(kind, [])}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Thirty people with two suns and a star each."""
    rows: list[Row] = []
    for i in range(30):
        rows += [
            ("sun", "made", f"p{i}", [STROKE]),
            ("sun", "made", f"p{i}", [STROKE, STROKE]),
            ("star", "made", f"p{i}", [STROKE]),
        ]
    return write_folder(tmp_path, rows)


def test_people_are_on_one_side_with_all_their_drawings(folder: Path) -> None:
    train, held_out = load_people(folder, "train"), load_people(folder, "held_out")
    everybody = {f"p{i}" for i in range(30)}
    for kind in ("sun", "star"):
        assert names(train, kind) | names(held_out, kind) == everybody
        assert not names(train, kind) & names(held_out, kind)
    assert names(train, "sun") == names(train, "star"), "the side goes with the person, not with the class"
    assert all(len(person.drawings) == 2 for person in held_out["sun"])
    assert all(len(person.drawings) == 1 for person in (*train["star"], *held_out["star"]))
    assert names(held_out, "sun") == {f"p{i}" for i in range(30) if split_of("made", f"p{i}") == "held_out"}


def test_flat_suns_are_for_training_only(folder: Path) -> None:
    def heights(split: Split) -> list[list[float]]:
        return [[float(np.ptp(np.vstack(d)[:, 1])) for d in one.drawings] for one in load_people(folder, split)["sun"]]

    assert all(found == [1.0, 1.0] for found in heights("held_out"))
    for found in heights("train"):
        assert found[:2] == [1.0, 1.0]
        assert found[2:] == [0.6]


def test_doodles_that_look_like_symbols_are_measured_on_but_not_trained_on(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "strokes.jsonl.gz", "wt", encoding="utf-8") as out:
        for i in range(30):
            for label in ("potato", "cat"):
                row = {"class": "other", "source": "made", "person": f"p{i}", "strokes": [STROKE], "label": label}
                out.write(json.dumps(row) + "\n")
    np.savez(tmp_path / "bitmaps.npz", allow_pickle=False)
    assert {len(one.drawings) for one in load_people(tmp_path, "train")["other"]} == {1}
    assert {len(one.drawings) for one in load_people(tmp_path, "held_out")["other"]} == {2}


def test_the_split_is_about_a_fifth_and_never_changes() -> None:
    sides = [split_of("anywhere", str(i)) for i in range(2000)]
    assert sides.count("held_out") / len(sides) == pytest.approx(0.2, abs=0.03)
    # By the first byte of the name's hash: models were measured on these people, so nothing may move them.
    held_out = [i for i in range(10) if split_of("made", f"p{i}") == "held_out"]
    assert held_out == [i for i in range(10) if hashlib.sha256(f"made/p{i}".encode()).digest()[0] < 0.2 * 256]
    assert held_out == [0, 3, 4, 5]


def test_the_order_of_the_file_does_not_matter(tmp_path: Path) -> None:
    rows: list[Row] = [(kind, "made", f"p{i}", [STROKE]) for i in range(12) for kind in ("sun", "eye")]
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one = load_people(write_folder(tmp_path / "a", rows), "train")
    two = load_people(write_folder(tmp_path / "b", rows[::-1]), "train")
    assert {kind: [p.name for p in people] for kind, people in one.items()} == {
        kind: [p.name for p in people] for kind, people in two.items()
    }


def test_drawings_come_into_the_unit_box(folder: Path) -> None:
    for person in load_people(folder, "train")["sun"]:
        for drawing in person.drawings:
            points = np.vstack(drawing)
            assert np.allclose(points.max(0) + points.min(0), 0)
            assert np.ptp(points, axis=0).max() == pytest.approx(1)
    tall = load_people(folder, "train")["star"][0].drawings[0][0]
    assert np.allclose(tall[:, 1], [-0.5, 0.5, -0.5]), "y still points down"


def test_a_dot_becomes_a_short_stroke(tmp_path: Path) -> None:
    rows: list[Row] = [("other", "made", f"p{i}", [[[10.0, 10.0]], STROKE, []]) for i in range(9)]
    for person in load_people(write_folder(tmp_path, rows), "train")["other"]:
        assert [len(stroke) for stroke in person.drawings[0]] == [2, 3]


def ring() -> NDArray[np.uint8]:
    y, x = np.mgrid[:40, :60]
    return np.where(np.abs(np.hypot(x - 30, y - 20) - 14) < 1.6, 255, 0).astype(np.uint8)


def test_bitmaps_become_their_middle_line() -> None:
    points = np.vstack(strokes_of_bitmap(ring()))
    radius = np.hypot(points[:, 0] - 30, points[:, 1] - 20)
    assert np.abs(radius - 14).max() < 1.5
    angles = np.degrees(np.arctan2(points[:, 1] - 20, points[:, 0] - 30))
    assert np.histogram(angles, 24, (-180, 180))[0].min() > 0, "a gap in the ring"


def test_filled_spots_stay_filled() -> None:
    y, x = np.mgrid[:40, :40]
    disc = np.where(np.hypot(x - 20, y - 20) < 9, 255, 0).astype(np.uint8)
    points = np.vstack(strokes_of_bitmap(disc))
    assert len(points) > 60
    assert np.hypot(points[:, 0] - 20, points[:, 1] - 20).max() < 9


def test_faint_gray_is_no_ink() -> None:
    assert strokes_of_bitmap(np.full((20, 20), 90, np.uint8)) == []


def test_bitmaps_are_people_too(tmp_path: Path) -> None:
    many = {
        "many_images": np.stack([ring()] * 20),
        "many_classes": np.array(["eye"] * 20),
        "many_people": np.array([f"q{i // 2}" for i in range(20)]),
    }
    people = [p for side in ("train", "held_out") for p in load_people(write_folder(tmp_path, [], **many), side)["eye"]]
    assert {p.name for p in people} == {f"q{i}" for i in range(10)}
    assert all(len(p.drawings) == 2 for p in people)


def test_a_collection_without_names_counts_every_drawing_as_a_person(tmp_path: Path) -> None:
    lone = {
        "lone_images": np.stack([ring()] * 40),
        "lone_classes": np.array(["eye"] * 40),
        "lone_people": np.array(["unknown"] * 40),
    }
    folder = write_folder(tmp_path, [], **lone)
    sides = [load_people(folder, side)["eye"] for side in ("train", "held_out")]
    assert all(sides)
    assert len({p.name for people in sides for p in people}) == 40


def test_a_missing_folder_is_no_empty_one(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_people(tmp_path, "train")


class Spare:
    """Says when it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def draw(self, label: str, rng: Generator) -> Strokes:  # noqa: ARG002 - the protocol's parameters
        self.asked.append(label)
        return [np.zeros((2, 2))]


def person(name: str, source: str, count: int = 2) -> Person:
    return Person(name, source, tuple([np.array([[-0.5, -0.5], [0.5, 0.5]]) * (i + 1)] for i in range(count)))


def test_labels_that_nobody_drew_fall_to_the_spare_hand() -> None:
    rng, spare = np.random.default_rng(1), Spare()
    drawings = real_drawings({"sun": [person("a", "s")]}, spare, rng)
    drawings.draw("sun", rng)
    assert spare.asked == []
    drawings.draw("lotus", rng)
    assert spare.asked == ["lotus"]


def test_one_made_up_person_draws_a_label_like_one_real_person() -> None:
    people = {"star": [person(f"p{i}", "s") for i in range(9)]}
    chosen = {real_drawings(people, Spare(), np.random.default_rng(seed)).chosen["star"].name for seed in range(80)}
    assert chosen == {f"p{i}" for i in range(9)}


def test_collections_weigh_alike() -> None:
    people = {"star": [person("alone", "small"), *(person(f"p{i}", "large") for i in range(99))]}
    drawn = [real_drawings(people, Spare(), np.random.default_rng(seed)).chosen["star"].source for seed in range(200)]
    assert 0.38 < drawn.count("small") / 200 < 0.62


def test_people_with_a_single_drawing_are_joined_to_one_who_varies() -> None:
    people = {"eye": [person(f"p{i}", "s", 1) for i in range(50)]}
    assert len(real_drawings(people, Spare(), np.random.default_rng(1)).chosen["eye"].drawings) == 12


@pytest.mark.parametrize(("style", "kind"), [("cross", "cross"), ("circle", "sun"), ("tick", "tick"), ("scribble", "scribble")])
def test_marks_are_drawn_by_real_people_too(style: str, kind: str) -> None:
    drawings = real_drawings({kind: [person("a", "s")]}, Spare(), np.random.default_rng(1))
    assert drawings.chosen[style].name == "a"


def test_a_drawing_once_more_is_alike_but_not_the_same() -> None:
    rng = np.random.default_rng(1)
    t = np.linspace(0, 2 * np.pi, 40)
    circle = [np.stack([np.cos(t), np.sin(t)], 1) / 2]
    versions = [vary(circle, rng)[0] for _ in range(100)]
    assert not any(np.array_equal(v, circle[0]) for v in versions)
    radii = np.concatenate([np.hypot(v[:, 0], v[:, 1]) for v in versions])
    assert radii.min() > 0.25
    assert radii.max() < 0.9
    assert 3 < sum(len(v) < 40 for v in versions) < 35, "at times an end is missing"
    assert np.allclose(np.mean([v.mean(0) for v in versions], axis=0), 0, atol=0.1)


def test_drawing_leaves_the_collection_as_it_was() -> None:
    one = person("a", "s")
    before = one.drawings[0][0].copy()
    drawings = RealDrawings({"sun": one}, Spare())
    for seed in range(20):
        drawings.draw("sun", np.random.default_rng(seed))
    assert np.array_equal(one.drawings[0][0], before)
