"""Surfaces, scenes by condition, and the sample photos made from them."""

from dataclasses import replace
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from scanner.sheet.codes import decode_id
from scanner.synth.backgrounds import texture
from scanner.synth.conditions import CONDITIONS, Condition, random_scene, scene_for
from scanner.synth.not_a_sheet import FOREIGN
from scanner.synth.samples import make_samples
from scanner.synth.scene import TABLE_KINDS, Bend, Crease, Curl, Placement, Scene, View
from scanner.synth.surface import MARGIN, aim, make_surface, photo_to_paper

A4 = (297.0, 210.0)


def test_bent_paper_does_not_stretch() -> None:
    bend = Bend((Curl(20.0, 400.0, 30.0, 1.0),), (Crease("y", 0.5, 0.2),))
    surface = make_surface(A4, Placement((10.0, -20.0), 25.0, bend))
    for axis, step in ((1, surface.step_mm[0]), (0, surface.step_mm[1])):
        lengths = np.linalg.norm(np.diff(surface.space, axis=axis), axis=-1)
        assert abs(lengths.mean() / step - 1) < 0.004
    inside = surface.space[MARGIN:-MARGIN, MARGIN:-MARGIN, 2]
    assert inside.min() == 0
    assert inside.max() > 15


def test_flat_paper_lies_where_it_is_put() -> None:
    surface = make_surface(A4, Placement((10.0, -20.0), 90.0))
    space = surface.at(np.array([[148.5, 105.0], [0.0, 0.0]]))
    assert np.allclose(space, [[10.0, -20.0, 0.0], [115.0, -168.5, 0.0]])
    assert np.allclose(surface.normal, [0.0, 0.0, 1.0])


@pytest.mark.parametrize("tilt", [0.0, 25.0, 50.0])
def test_what_the_camera_sees_is_found_on_the_paper(tilt: float) -> None:
    bend = Bend((Curl(14.0, 330.0, 70.0, 1.0),), (Crease("x", 1 / 3, -0.1),), twist_mm=4.0)
    scene = Scene(1600, 1200, View(4.0, tilt_deg=tilt, distortion=-0.03), (Placement(rotation_deg=20, bend=bend),))
    camera, (surface,) = aim(scene, [A4])
    points = np.random.default_rng(0).uniform([2, 2], [295, 208], (30, 40, 2))
    found = photo_to_paper(camera, surface, camera.project(surface.at(points)), bent=True)
    assert np.abs(found - points).max() < 0.08


def test_the_sheets_fit_into_the_frame() -> None:
    scene = Scene(1600, 1200, View(40.0, tilt_deg=35), (Placement(rotation_deg=40),))
    camera, (surface,) = aim(scene, [A4])
    px = camera.project(surface.at(np.array([[0.0, 0], [297, 0], [297, 210], [0, 210]])))
    assert (px >= 0).all()
    assert (px < [1600, 1200]).all()


@pytest.mark.parametrize("condition", CONDITIONS)
def test_conditions_make_scenes_of_their_size(condition: Condition) -> None:
    for seed in range(5):
        scene = scene_for(condition, np.random.default_rng(seed), 6.0)
        assert (2 <= len(scene.sheets) <= 4) if condition == "table" else len(scene.sheets) == 1
        low, high = (1.6, 2.2) if condition == "lowres" else (5.7, 6.3)
        assert low < scene.width * scene.height / 1e6 < high


def test_sheets_on_a_table_do_not_overlap() -> None:
    corners = np.array([[0.0, 0], [297, 0], [297, 210], [0, 210]])
    for seed in range(30):
        scene = scene_for("table", np.random.default_rng(seed))
        flat = [make_surface(A4, replace(sheet, bend=Bend())).at(corners)[:, :2] for sheet in scene.sheets]
        for i, first in enumerate(flat):
            for second in flat[i + 1 :]:
                area, _ = cv2.intersectConvexConvex(first.astype(np.float32), second.astype(np.float32))
                assert area < 1.0


def test_random_scenes_are_varied_and_within_their_range() -> None:
    scenes = [random_scene(np.random.default_rng(seed)) for seed in range(300)]
    scales = []
    for scene in scenes:
        camera, _ = aim(scene, [A4])
        scales.append(camera.focal_px / camera.distance_mm / scene.downscale)
    assert max(scales) <= 8.01
    assert np.percentile(scales, 2) > 2.2
    assert {scene.table.kind for scene in scenes} == set(TABLE_KINDS)
    effects = [
        [bool(scene.light.shadows) for scene in scenes],
        [bool(scene.sheets[0].bend.creases) for scene in scenes],
        [bool(scene.occluders) for scene in scenes],
        [scene.light.glare > 0 for scene in scenes],
        [scene.downscale > 1 for scene in scenes],
        [scene.sensor.motion_px > 0 for scene in scenes],
        [abs(scene.sheets[0].rotation_deg) > 60 for scene in scenes],
    ]
    assert all(0.05 < np.mean(effect) < 0.6 for effect in effects)


@pytest.mark.parametrize("kind", TABLE_KINDS)
def test_textures_repeat_and_differ(kind: str) -> None:
    table = next(k for k in TABLE_KINDS if k == kind)
    first = texture(table, 0, 96)
    texture.cache_clear()
    assert np.array_equal(first, texture(table, 0, 96))
    assert not np.array_equal(first, texture(table, 1, 96))


@pytest.mark.parametrize("name", FOREIGN)
def test_foreign_papers_carry_no_code_of_a_sheet(name: str) -> None:
    make = FOREIGN[name]
    if make is None:
        return
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_ARUCO_MIP_36h12))
    picture = make(np.random.default_rng(2)).bgr
    _, ids, _ = detector.detectMarkers(cv2.copyMakeBorder(picture, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=(255, 255, 255)))
    found = [] if ids is None else np.ravel(ids).tolist()
    assert all(decode_id(int(number)) is None for number in found)
    assert (len(found) == 8) == (name == "unknown-kind")


def test_samples_repeat_byte_for_byte(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        make_samples(tmp_path / folder, 7, ["lowres"])
    files = sorted(path.name for path in (tmp_path / "a" / "lowres").iterdir())
    assert files == ["lowres-01.jpg", "lowres-01.truth.json", "lowres-02.jpg", "lowres-02.truth.json"]
    for name in files:
        assert (tmp_path / "a" / "lowres" / name).read_bytes() == (tmp_path / "b" / "lowres" / name).read_bytes()
    assert (tmp_path / "a" / "README.md").read_text().count("\n| lowres | 2 | 2 |") == 1
    truth = msgspec.json.decode((tmp_path / "a" / "lowres" / "lowres-01.truth.json").read_bytes())
    assert truth["condition"] == "lowres"
    (sheet,) = truth["sheets"]
    assert sheet["score"]["total"] >= 0
    assert len(sheet["pose"]["lattice_px"]) == len(sheet["pose"]["lattice_visible"]) == 35
    assert len(sheet["obelisk"]) == len(sheet["wall_shapes"]) == 12
