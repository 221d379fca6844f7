"""Reading many photos: workers that die, runs that are killed, a cluster."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from scanner.night import workers as night_workers
from scanner.night.ledger import Ledger
from scanner.night.photos import PhotoFile, find_photos
from scanner.night.reading import read_photos
from scanner.night.record import version
from scanner.night.workers import Bench, ClusterGone, Crew, cluster_crew, cores, local_crew
from tests.night.jobs import note, threads_of


def photos_in(folder: Path, names: Sequence[str]) -> list[PhotoFile]:
    for name in names:
        (folder / f"{name}.jpg").write_bytes(name.encode())
    return find_photos([str(folder)])


def tries(folder: Path) -> Counter[str]:
    return Counter(line.split()[0] for line in (folder / "log").read_text().splitlines())


def outcome(folder: Path, ledger: Ledger) -> dict[str, int]:
    """Photo -> the code of its record's error."""
    found = {}
    for photo in find_photos([str(folder)]):
        entry = ledger.entry(photo)
        if entry is not None:
            error = ledger.load(entry).error
            found[Path(photo.name).stem] = error.code if error else 0
    return found


def test_a_worker_that_dies_costs_its_own_photo_and_no_other(tmp_path: Path) -> None:
    photos = photos_in(tmp_path, ["a", "b", "deadly", "c", "once", "buggy", "d"])
    done: list[str] = []
    with Ledger(tmp_path / "r.jsonl") as ledger, local_crew(2) as crew:
        read_photos(photos, ledger, crew, lambda photo: done.append(photo.name), note)
        assert outcome(tmp_path, ledger) == {"a": 3, "b": 3, "c": 3, "d": 3, "once": 3, "deadly": 70, "buggy": 70}
        entry = ledger.entry(next(photo for photo in photos if "deadly" in photo.name))
        assert entry is not None
        error = ledger.load(entry).error
        assert error is not None
        assert "died" in error.message
    assert sorted(done) == sorted(photo.name for photo in photos)
    assert tries(tmp_path) == {f"{n}.jpg": 1 for n in "abcd"} | {"deadly.jpg": 2, "once.jpg": 2, "buggy.jpg": 1}


def test_a_worker_that_is_killed_while_it_waits_is_replaced() -> None:
    bench = Bench(1)
    assert bench.submit(os.getpid).result() != os.getpid()
    (process,) = bench.process_ids()
    os.kill(process, signal.SIGKILL)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            assert bench.submit(os.getpid).result() != process
            break
        except RuntimeError:
            # The death was noticed only when the work was there.
            continue
    bench.shutdown()


def test_a_worker_keeps_to_one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("OMP", "OPENBLAS", "MKL"):
        monkeypatch.delenv(f"{library}_NUM_THREADS", raising=False)
    with local_crew(1) as crew:
        # The main thread and the one that watches the parent; none for matrices and pictures.
        assert crew.executor.submit(threads_of, "").result() <= 2


def test_every_record_is_in_the_file_as_soon_as_it_is_there(tmp_path: Path) -> None:
    photos = photos_in(tmp_path, ["a", "b", "c"])
    lengths: list[int] = []
    file = tmp_path / "r.jsonl"
    with Ledger(file) as ledger, ThreadPoolExecutor(1) as pool:
        read_photos(photos, ledger, Crew(pool, lambda: 1), lambda _: lengths.append(file.read_bytes().count(b"\n")), note)
    assert lengths == [1, 2, 3]


def test_a_worker_of_another_version_is_found_out(tmp_path: Path) -> None:
    photos = photos_in(tmp_path, ["a", "b"])

    def old(path: str, name: str) -> bytes:
        line = note(path, name)
        return line.replace(version().encode(), b"0.0.1") if "a.jpg" in path else line

    with Ledger(tmp_path / "r.jsonl") as ledger, ThreadPoolExecutor(1) as pool:
        read_photos(photos, ledger, Crew(pool, lambda: 1), job=old)
        assert outcome(tmp_path, ledger) == {"a": 70, "b": 3}


def test_no_more_photos_are_at_hand_than_there_is_work_for(tmp_path: Path) -> None:
    photos = photos_in(tmp_path, [f"p{n}" for n in range(9)])
    now, most, lock = 0, 0, threading.Lock()

    def count(path: str, name: str) -> bytes:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.01)
        with lock:
            now -= 1
        return note(path, name)

    with Ledger(tmp_path / "r.jsonl") as ledger, ThreadPoolExecutor(8) as pool:
        read_photos(photos, ledger, Crew(pool, lambda: 3), job=count)
        assert len(outcome(tmp_path, ledger)) == 9
    assert most <= 3


_RUN = """
import sys
from pathlib import Path
from scanner.night.ledger import Ledger
from scanner.night.photos import find_photos
from scanner.night.reading import read_photos
from scanner.night.workers import local_crew
from tests.night.jobs import note, threads_of
if __name__ == "__main__":
    folder = Path(sys.argv[1])
    with Ledger(folder / "r.jsonl") as ledger, local_crew(2) as crew:
        new = [photo for photo in find_photos([str(folder)]) if not ledger.recall(photo)]
        read_photos(new, ledger, crew, job=note)
"""


def test_a_run_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    photos_in(tmp_path, [f"slow{n:02d}" for n in range(12)])
    script = tmp_path / "run.py"
    script.write_text(_RUN)
    command = [sys.executable, str(script), str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    file = tmp_path / "r.jsonl"
    with subprocess.Popen(command, env=environment) as first:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not (file.exists() and file.read_bytes().count(b"\n") >= 3):
            time.sleep(0.02)
        first.kill()
    before = file.read_bytes().count(b"\n")
    assert 3 <= before < 12
    workers = {int(line.split()[1]) for line in (tmp_path / "log").read_text().splitlines()}
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and any(map(_alive, workers)):
        time.sleep(0.05)
    assert not any(map(_alive, workers)), "workers end with their parent"
    subprocess.run(command, env=environment, check=True)
    with Ledger(file) as ledger:
        assert len(outcome(tmp_path, ledger)) == 12
    # What was kept before is not read again; what was under way when the run was killed is.
    assert file.read_bytes().count(b"\n") == 12
    assert sum(tries(tmp_path).values()) <= 12 + 2


def _alive(process: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rsplit(")")[-1].split()[0]
    except OSError:
        return False


def test_there_are_cores() -> None:
    assert 1 <= cores() <= (os.cpu_count() or 1)


@pytest.mark.filterwarnings("default")  # Dask's own
def test_a_cluster_gives_the_same_although_a_worker_is_killed(tmp_path: Path) -> None:
    from distributed import Client, LocalCluster

    photos = photos_in(tmp_path, [f"slow{n:02d}" for n in range(10)])
    start: object = LocalCluster
    assert callable(start)
    with start(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        address = cluster.scheduler_address
        client: object = Client
        assert callable(client)
        with client(address, set_as_default=False) as watching:
            processes = list(watching.run(os.getpid).values())
        killer = threading.Timer(0.5, os.kill, (processes[0], signal.SIGKILL))
        killer.start()
        with Ledger(tmp_path / "r.jsonl") as ledger, cluster_crew(address) as crew:
            read_photos(photos, ledger, crew, job=note)
            assert outcome(tmp_path, ledger) == {f"slow{n:02d}": 3 for n in range(10)}
        killer.join()
    assert (tmp_path / "r.jsonl").read_bytes().count(b"\n") == 10


@pytest.mark.filterwarnings("default")  # Dask's own
def test_a_cluster_whose_scheduler_ends_is_found_out(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from distributed import LocalCluster

    monkeypatch.setattr(night_workers, "TIMEOUT", "1s")
    photos = photos_in(tmp_path, [f"slow{n:02d}" for n in range(10)])
    start: Any = LocalCluster
    with start(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:

        def end_it(_photo: PhotoFile) -> None:
            cluster.close()

        with (
            Ledger(tmp_path / "r.jsonl") as ledger,
            pytest.raises(ClusterGone),
            cluster_crew(cluster.scheduler_address) as crew,
        ):
            read_photos(photos, ledger, crew, end_it, note)
        assert set(outcome(tmp_path, ledger).values()) == {3}
    assert "Traceback" not in capfd.readouterr().err
