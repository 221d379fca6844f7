"""The synthetic camera: its truth agrees with its pictures, and its parts do what they say."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from scanner.geometry import FloatArray
from scanner.sheet.drawing import sheet_drawing
from scanner.sheet.style import PLAIN
from scanner.sheet.template import load_template
from scanner.synth.camera import Paper, photograph
from scanner.synth.press import press
from scanner.synth.sample_files import content_rects
from scanner.synth.scene import (
    Bend,
    Crease,
    Curl,
    Lamp,
    Light,
    Occluder,
    Placement,
    Scene,
    Sensor,
    Shadow,
    Stock,
    Table,
    View,
)
from scanner.synth.surface import aim

TEMPLATE = load_template("obelisk")
QUIET = Scene(
    1200,
    900,
    View(3.4),
    stock=Stock(texture=0.0),
    light=Light(vignette=0.0),
    table=Table("slate"),
    sensor=Sensor(shot=0.002, read=0.0, sharpen=0.0, contrast=0.0),
)
BENT = Bend((Curl(12.0, 330.0, 20.0, 0.7), Curl(4.0, 240.0, 95.0, 2.0)), (Crease("x", 0.5, 0.12),), twist_mm=5.0)


@pytest.fixture(scope="module")
def paper() -> Paper:
    picture = press(sheet_drawing(TEMPLATE, 3, 424_242, PLAIN), 6.0)
    return Paper(np.repeat(picture[..., None], 3, axis=2), 6.0, content_rects(TEMPLATE))


def fiducial_errors(paper: Paper, scene: Scene) -> FloatArray:
    """Detected less true places of all fiducial corners, photo px, float64 (N, 2)."""
    photo = photograph([paper], scene, np.random.default_rng(4))
    camera, (surface,) = aim(scene, [paper.size_mm])
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_ARUCO_MIP_36h12))
    corners, ids, _ = detector.detectMarkers(cv2.cvtColor(photo.bgr, cv2.COLOR_BGR2GRAY))
    errors = []
    for quad, number in zip(corners, np.ravel(ids), strict=True):
        place = int(number) % 4 if number < 96 else 4 + (int(number) - 96) // 38
        true_px = camera.project(surface.at(TEMPLATE.fiducial_corners_mm(place)))
        size = np.ascontiguousarray(quad.reshape(-1, 1, 2), np.float32)
        found = cv2.cornerSubPix(
            cv2.cvtColor(photo.bgr, cv2.COLOR_BGR2GRAY), size, (4, 4), (-1, -1), (cv2.TERM_CRITERIA_EPS, 30, 0.01)
        )
        errors.append(found.reshape(4, 2) - true_px)
    return np.concatenate(errors)


@pytest.mark.parametrize(
    ("bend", "view"),
    [
        (Bend(), View(3.4)),
        (Bend(), View(3.0, tilt_deg=38, roll_deg=12, distortion=-0.04)),
        (BENT, View(3.4, tilt_deg=20)),
        (BENT, View(3.0, tilt_deg=30, roll_deg=-80, distortion=0.03)),
    ],
)
def test_truth_agrees_with_the_picture(paper: Paper, bend: Bend, view: View) -> None:
    errors = fiducial_errors(paper, replace(QUIET, view=view, sheets=(Placement(rotation_deg=7, bend=bend),)))
    assert len(errors) >= 4 * 7
    # Single corners are found to about half a px; a systematic shift would show in the mean.
    assert np.abs(errors.mean(axis=0)).max() < 0.15
    assert np.sqrt((errors**2).mean()) < 0.9


def test_the_lattice_of_a_flat_sheet_is_a_homography(paper: Paper) -> None:
    pose = photograph([paper], replace(QUIET, view=View(3.0, tilt_deg=40)), np.random.default_rng(0)).poses[0]
    assert pose.lattice_mm.shape == pose.lattice_px.shape == (35, 2)
    assert pose.lattice_mm[8].tolist() == [49.5, 52.5]
    matrix, _ = cv2.findHomography(pose.lattice_mm, pose.lattice_px)
    mapped = cv2.perspectiveTransform(pose.lattice_mm[None], matrix)[0]
    assert np.abs(mapped - pose.lattice_px).max() < 0.01
    assert pose.lattice_visible.all()


def test_same_seed_same_photo(paper: Paper) -> None:
    first, second, other = (photograph([paper], QUIET, np.random.default_rng(seed)) for seed in (5, 5, 6))
    assert first.jpeg == second.jpeg
    assert first.jpeg != other.jpeg


def test_the_jpeg_is_the_photo(paper: Paper) -> None:
    scene = replace(QUIET, width=700, height=520, downscale=1.5, jpeg=(90, 70))
    photo = photograph([paper], scene, np.random.default_rng(0))
    assert photo.jpeg is not None
    decoded = np.asarray(cv2.imdecode(np.frombuffer(photo.jpeg, np.uint8), cv2.IMREAD_COLOR))
    assert photo.bgr.shape == (520, 700, 3)
    assert np.array_equal(decoded, photo.bgr)
    assert photograph([paper], replace(scene, jpeg=()), np.random.default_rng(0)).jpeg is None


def test_several_sheets_have_a_pose_each(paper: Paper) -> None:
    sheets = (Placement((-170, 0), 3), Placement((170, 10), 184))
    poses = photograph([paper, paper], replace(QUIET, sheets=sheets), np.random.default_rng(0)).poses
    assert poses[0].lattice_px[0, 0] < poses[0].lattice_px[6, 0]
    assert poses[1].lattice_px[0, 0] > poses[1].lattice_px[6, 0]
    assert all(pose.lattice_visible.all() for pose in poses)


def test_papers_and_placements_must_match(paper: Paper) -> None:
    with pytest.raises(ValueError, match="2 papers for 1 placements"):
        photograph([paper, paper], QUIET, np.random.default_rng(0))


def test_a_table_without_sheets() -> None:
    photo = photograph([], replace(QUIET, sheets=(), table=Table("wood", 8)), np.random.default_rng(0))
    assert photo.poses == ()
    assert photo.bgr.std() > 2


@pytest.mark.parametrize("kind", ["finger", "coin", "dog_ear"])
@pytest.mark.parametrize("place", [0, 1, 2, 3])
def test_what_covers_a_corner_hides_it_but_no_content(paper: Paper, kind: str, place: int) -> None:
    occluder = Occluder("dog_ear" if kind == "dog_ear" else "coin" if kind == "coin" else "finger", place, 24.0)
    bare = photograph([paper], replace(QUIET, jpeg=()), np.random.default_rng(1))
    covered = photograph([paper], replace(QUIET, jpeg=(), occluders=(occluder,)), np.random.default_rng(1))
    changed = np.abs(covered.bgr.astype(int) - bare.bgr).max(axis=2) > 60
    camera, (surface,) = aim(QUIET, [paper.size_mm])
    centre = camera.project(surface.at(TEMPLATE.fiducial_corners_mm(place)).mean(axis=0))
    x, y = np.round(centre).astype(int)
    assert changed[y - 20 : y + 20, x - 20 : x + 20].any()
    for left, top, right, bottom in content_rects(TEMPLATE):
        (x0, y0), (x1, y1) = camera.project(surface.at(np.array([[left, top], [right, bottom]])))
        assert not changed[int(y0) : int(y1), int(x0) : int(x1)].any()
    corner = {0: 0, 1: 6, 2: 34, 3: 28}[place]
    if kind == "dog_ear":
        assert np.flatnonzero(~covered.poses[0].lattice_visible).tolist() == [corner]


def test_a_cut_corner_is_out_of_the_frame(paper: Paper) -> None:
    view = View(3.0, cut_mm=12.0, position=(0.9, 0.5))
    pose = photograph([paper], replace(QUIET, view=view, sheets=(Placement(rotation_deg=35),)), np.random.default_rng(0)).poses[
        0
    ]
    assert (~pose.lattice_visible).sum() == 1
    assert pose.lattice_px[:, 0].max() > QUIET.width


def test_shadow_takes_the_lamps_light_only() -> None:
    lamp = Lamp((-300, -400, 900), (1, 1, 1), 0.6)
    lit = Light(lamps=(lamp,), vignette=0.0)
    blank = Paper(np.full((630, 891, 3), 255, np.uint8), 3.0)
    light, dark = (
        photograph([blank], replace(QUIET, light=one, jpeg=()), np.random.default_rng(3)).bgr
        for one in (lit, replace(lit, shadows=(Shadow("edge", 1.0, 3.0),)))
    )
    middle = (slice(200, 700), slice(300, 900), 1)
    assert light[middle].std() < 12
    bright, shaded = np.percentile(dark[middle], [90, 5])
    # Four tenths of the light are left, which the sRGB curve shows as about 0.66 of the value.
    assert 0.55 < shaded / bright < 0.8


def test_noise_has_the_strength_that_was_asked_for() -> None:
    blank = Paper(np.full((630, 891, 3), 200, np.uint8), 3.0)
    deviations = []
    for shot in (0.01, 0.04):
        scene = replace(QUIET, sensor=replace(QUIET.sensor, shot=shot), jpeg=())
        patch = photograph([blank], scene, np.random.default_rng(3)).bgr[400:500, 500:700, 1].astype(float)
        deviations.append((patch - cv2.GaussianBlur(patch, (0, 0), 8)).std() / 255)
    assert 0.005 < deviations[0] < 0.013
    assert 3 < deviations[1] / deviations[0] < 5


def test_shaking_smears_along_its_direction_and_keeps_the_place(paper: Paper) -> None:
    still, shaken = (
        photograph([paper], replace(QUIET, sensor=replace(QUIET.sensor, motion_px=px), jpeg=()), np.random.default_rng(2))
        for px in (0.0, 9.0)
    )
    a, b = (cv2.cvtColor(p.bgr, cv2.COLOR_BGR2GRAY).astype(np.float32) for p in (still, shaken))
    (dx, dy), _ = cv2.phaseCorrelate(a, b)
    assert abs(dx) < 0.6
    assert abs(dy) < 0.2
    across = [float(np.abs(np.diff(picture, axis=1)).mean()) for picture in (a, b)]
    down = [float(np.abs(np.diff(picture, axis=0)).mean()) for picture in (a, b)]
    assert across[1] / across[0] < 0.7 * down[1] / down[0]
