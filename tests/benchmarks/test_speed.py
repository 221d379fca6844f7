"""Benchmarks of the stages and of the whole, for one 12-megapixel photo; ordinary tests unless --benchmark-enable is given.

The photo shows a blank printed sheet, tilted, on a grainy table. What stands on a sheet hardly matters to any stage but the
decoding; `measure.py` takes filled ones.
"""

import sys

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from pytest_benchmark.fixture import BenchmarkFixture

from scanner.cells import crop, rectify
from scanner.decode import decode
from scanner.photo import load_photos
from scanner.photo.photo import Photo
from scanner.reading import read_sheets
from scanner.sheet.drawing import sheet_drawing
from scanner.sheet.estimate import find_sheets
from scanner.sheet.fiducials import detect_fiducials, search_levels
from scanner.sheet.pose import Pose
from scanner.sheet.template import Template, load_template
from scanner.synth.press import press
from tests.benchmarks.measure import models_bytes
from tests.benchmarks.processes import BARE_IMPORTS, run_cold, scan_command
from tests.benchmarks.stages import STAGES, Stopwatch, scan_and_report, watched

WIDTH, HEIGHT = 4032, 3024


@pytest.fixture(scope="session")
def template() -> Template:
    return load_template("obelisk")


@pytest.fixture(scope="session")
def jpeg(template: Template) -> bytes:
    """The photo's file; 4:2:0, quality 90, about two bytes in five pixels, as phones write."""
    rng = np.random.default_rng(11)
    paper = press(sheet_drawing(template, 1, 4096), 10.0)
    across, down = paper.shape[1], paper.shape[0]
    corners = np.array([[0, 0], [across, 0], [across, down], [0, down]], np.float32)
    seen = np.array([[520, 390], [3560, 310], [3710, 2690], [330, 2620]], np.float32)
    to_photo = cv2.getPerspectiveTransform(corners, seen)
    photo = np.full((HEIGHT, WIDTH), 95, np.uint8)
    cv2.warpPerspective(
        paper, to_photo, (WIDTH, HEIGHT), dst=photo, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT
    )  # fmt: skip
    light = np.linspace(0.95, 0.75, WIDTH, dtype=np.float32)
    grain = rng.normal(0, 3, (HEIGHT, WIDTH)).astype(np.float32)
    lit: NDArray[np.uint8] = np.clip(photo * light + grain, 0, 255).astype(np.uint8)
    colour = np.stack([lit // 10 * 9, lit, lit], axis=2)
    done, encoded = cv2.imencode(".jpg", colour, [cv2.IMWRITE_JPEG_QUALITY, 90])
    assert done
    return encoded.tobytes()


@pytest.fixture(scope="session")
def photo(jpeg: bytes) -> Photo:
    return load_photos(jpeg)[0]


@pytest.fixture(scope="session")
def pose(photo: Photo, template: Template) -> Pose:
    (found,) = find_sheets(photo, [template]).poses
    return found


def test_imdecode_in_full_colour(benchmark: BenchmarkFixture, jpeg: bytes) -> None:
    """What all the rest is compared with."""
    encoded = np.frombuffer(jpeg, np.uint8)
    picture = benchmark(cv2.imdecode, encoded, cv2.IMREAD_COLOR)
    assert picture.shape == (HEIGHT, WIDTH, 3)


def test_decode(benchmark: BenchmarkFixture, jpeg: bytes) -> None:
    (photo,) = benchmark(load_photos, jpeg)
    assert photo.gray(2).shape == (HEIGHT // 2, WIDTH // 2)


def test_fiducials(benchmark: BenchmarkFixture, photo: Photo) -> None:
    assert len(benchmark(detect_fiducials, photo, search_levels(photo)[0])) == 8


def test_pose(benchmark: BenchmarkFixture, photo: Photo, template: Template) -> None:
    found = benchmark(find_sheets, photo, [template])
    assert len(found.poses) == 1


def test_rectify(benchmark: BenchmarkFixture, photo: Photo, pose: Pose) -> None:
    assert benchmark(rectify, photo, pose).gray.size


def test_crops(benchmark: BenchmarkFixture, photo: Photo, pose: Pose, template: Template) -> None:
    assert len(benchmark(crop, rectify(photo, pose), template).content)


def test_networks(benchmark: BenchmarkFixture, photo: Photo, pose: Pose, template: Template) -> None:
    assert len(benchmark(read_sheets, [rectify(photo, pose)], template)) == 1


def test_decoding(benchmark: BenchmarkFixture, photo: Photo, pose: Pose, template: Template) -> None:
    (readings,) = read_sheets([rectify(photo, pose)], template)
    assert benchmark(decode, readings, template, pose.identity).state["sheet_number"] == 4096


def test_whole(benchmark: BenchmarkFixture, jpeg: bytes) -> None:
    result = benchmark(scan_and_report, jpeg)
    assert result.error is None
    assert len(result.sheets) == 1


def test_every_stage_is_seen(jpeg: bytes) -> None:
    """A stage that was renamed would show up as no time at all."""
    ticks = iter(range(1_000_000))
    stopwatch = Stopwatch(lambda: float(next(ticks)))
    with watched(stopwatch):
        scan_and_report(jpeg)
    assert set(stopwatch.seconds) == set(STAGES)
    assert all(seconds > 0 for seconds in stopwatch.seconds.values())


def test_the_stopwatch_counts_the_innermost_stage() -> None:
    now = 0.0
    stopwatch = Stopwatch(lambda: now)
    with stopwatch.stage("outer"):
        now = 3.0
        with stopwatch.stage("inner"):
            now = 5.0
        now = 6.0
    assert stopwatch.seconds == {"outer": 4.0, "inner": 2.0}


def test_networks_are_small() -> None:
    assert 10_000 < models_bytes() < 1_000_000


def test_memory_of_a_cold_scan(jpeg: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The peak of the whole process, interpreter and libraries included."""
    path = tmp_path_factory.mktemp("photo") / "photo.jpg"
    path.write_bytes(jpeg)
    run = run_cold(scan_command(str(path)))
    assert run.code in (0, 1)
    assert 50 < run.peak_mb < 300


def test_the_peak_is_that_of_the_command_alone() -> None:
    """A quarter of a gigabyte held here does not count for a command started from here; one held there does."""
    ballast = np.ones(1 << 28, np.uint8)
    bare = run_cold(BARE_IMPORTS)
    assert bare.code == 0
    assert 20 < bare.peak_mb < 200 < ballast.nbytes / 2**20
    assert run_cold((sys.executable, "-c", "import sys; x = b'1' * (1 << 28); sys.exit(9)")).peak_mb > 256
    assert run_cold((sys.executable, "-c", "import sys; sys.exit(9)")).code == 9
