"""How fast many photos are read, and what a lost worker costs: `python -m tests.benchmarks.night [--photos N] [--memory N]`.

One command for all figures of a game night:

1. Throughput: photos a second with one worker and with two, and their ratio, with and without the workers' start; run in turns,
   each `--rounds` times, the medians compared. Processor time a photo tells what the machine's other work took.
2. Memory: the resident memory of every process while `--memory` photos are read, in steps.
3. A Dask cluster of two worker processes of this machine, one of which is killed in the middle: all records must be those of
   the run above, byte for byte but for the photos' order.

The photos are the sample scans, copied until there are enough; every copy has a comment of its own in the JPEG, so that each
is another file with the same picture. Ends with 1 if the ratio is under `--least`, memory grows, or a record differs.
"""

import argparse
import os
import resource
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

from scanner.night.ledger import Ledger
from scanner.night.photos import PhotoFile, find_photos
from scanner.night.reading import read_photos
from scanner.night.workers import Bench, Crew, cluster_crew

SAMPLES: Final = Path(__file__).parents[2] / "sample_scans"
GROWTH: Final = 1.1
"""Memory that is more than this many times the most of the photos' first half is not flat: every worker has then met every
kind of photo."""


def make_photos(folder: Path, number: int) -> list[PhotoFile]:
    """So many photos in a folder: the samples, all of which show sheets, over and over, each file with other bytes."""
    samples = sorted(path for path in SAMPLES.glob("*/*.jpg") if path.parent.name != "not_a_sheet")
    for index in range(number):
        sample = samples[index % len(samples)]
        content = sample.read_bytes()
        comment = f"copy {index}".encode()
        segment = b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment
        # Right behind the start of the file, so that everything else stays as it is.
        (folder / f"{index:05d}-{sample.name}").write_bytes(content[:2] + segment + content[2:])
    return find_photos([str(folder)])


def resident_mb(process: int) -> float:
    """The resident memory of a process, MiB; 0 if it is gone."""
    try:
        fields = Path(f"/proc/{process}/statm").read_text().split()
    except OSError:
        return 0.0
    return int(fields[1]) * resource.getpagesize() / 2**20


def workers_seconds() -> float:
    """Processor time of all workers that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@dataclass(frozen=True)
class Reading:
    """seconds: wall time from nothing to the last record. warm_rate: photos a second from the time when every worker had given
    its first record. cpu_ms: processor time a photo of the workers, their start included."""

    seconds: float
    warm_rate: float
    cpu_ms: float


def read(
    photos: Sequence[PhotoFile], file: Path, workers: int, told: Callable[[int, Bench], None] = lambda *_: None
) -> Reading:
    """Read the photos with so many processes into a results file."""
    bench = Bench(workers)
    times: list[float] = []

    def done(_photo: PhotoFile) -> None:
        times.append(time.perf_counter())
        told(len(times), bench)

    before, started = workers_seconds(), time.perf_counter()
    with Ledger(file) as ledger:
        read_photos(photos, ledger, Crew(bench, lambda: workers), done)
    seconds = time.perf_counter() - started
    bench.shutdown()
    # With several workers the first records come from each of them, or nearly so.
    warm = (len(times) - workers) / (times[-1] - times[workers - 1])
    return Reading(seconds, warm, 1000 * (workers_seconds() - before) / len(photos))


def throughput(photos: Sequence[PhotoFile], folder: Path, rounds: int) -> tuple[float, float]:
    """The ratios of two workers to one: with their start, and without."""
    found: dict[int, list[Reading]] = {1: [], 2: []}
    for turn in range(rounds):
        for workers, readings in found.items():
            one = read(photos, folder / f"{workers}-{turn}.jsonl", workers)
            readings.append(one)
            say(
                f"{workers} worker{'s' if workers > 1 else ''}: {len(photos)} photos in {one.seconds:.1f} s, "
                f"{len(photos) / one.seconds:.2f}/s ({one.warm_rate:.2f}/s warm), {one.cpu_ms:.0f} ms of processor time a photo"
            )
    whole = [median(one.seconds for one in found[workers]) for workers in (1, 2)]
    warm = [median(one.warm_rate for one in found[workers]) for workers in (1, 2)]
    return whole[0] / whole[1], warm[1] / warm[0]


def memory(photos: Sequence[PhotoFile], folder: Path) -> bool:
    """Whether the memory of all processes stays flat."""
    steps: list[list[float]] = []
    every = max(1, len(photos) // 10)

    def told(count: int, bench: Bench) -> None:
        if count % every == 0:
            steps.append([resident_mb(process) for process in (os.getpid(), *bench.process_ids())])
            say(f"after {count:5d} photos: " + ", ".join(f"{one:.0f} MB" for one in steps[-1]))

    read(photos, folder / "memory.jsonl", 2, told)
    early, late = (max(map(sum, part)) for part in (steps[: max(1, len(steps) // 2)], steps[-2:]))
    say(f"all processes together: at most {early:.0f} MB in the first half, {late:.0f} MB at the end")
    return late <= GROWTH * early


def records(file: Path) -> list[bytes]:
    return sorted(file.read_bytes().splitlines())


@contextmanager
def dask_cluster() -> Iterator[Any]:
    from distributed import LocalCluster

    start: Any = LocalCluster
    with start(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50) as cluster:
        yield cluster


def cluster(photos: Sequence[PhotoFile], folder: Path) -> bool:
    """Whether a cluster gives the same records although one of its two workers is killed in the middle."""
    from distributed import Client

    connect: Any = Client
    file = folder / "cluster.jsonl"
    with dask_cluster() as running:
        address = running.scheduler_address
        with connect(address, set_as_default=False) as client:
            victim = next(iter(client.run(os.getpid).values()))
        count = 0

        def done(_photo: PhotoFile) -> None:
            nonlocal count
            count += 1
            if count == len(photos) // 2:
                say(f"killed worker {victim} after {count} photos")
                threading.Thread(target=os.kill, args=(victim, signal.SIGKILL)).start()

        with Ledger(file) as ledger, cluster_crew(address) as crew:
            read_photos(photos, ledger, crew, done)
    same = records(file) == records(folder / "2-0.jsonl")
    say(f"cluster: {len(records(file))} records, {'the same as' if same else 'OTHER than'} without one")
    return same


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description="Throughput, memory and a killed worker over many photos.")
    parser.add_argument("--photos", type=int, default=208, help="photos for throughput and the cluster")
    parser.add_argument("--memory", type=int, default=1000, help="photos over which memory is watched; 0 for none")
    parser.add_argument("--rounds", type=int, default=3, help="how often throughput is measured")
    parser.add_argument("--least", type=float, default=1.8, help="the ratio that two workers must reach")
    options = parser.parse_args()
    say(f"load average before: {os.getloadavg()[0]:.2f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "photos").mkdir()
        photos = make_photos(folder / "photos", max(options.photos, options.memory))
        few = photos[: options.photos]
        whole, warm = throughput(few, folder, options.rounds)
        say(
            f"two workers against one: {whole:.2f} x with their start, {warm:.2f} x without (at least {options.least} is asked)"
        )
        flat = memory(photos[: options.memory], folder) if options.memory else True
        same = cluster(few, folder)
    good = whole >= options.least and flat and same
    say("all as it should be" if good else "NOT as it should be")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
