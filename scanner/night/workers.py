"""Who reads the photos: processes of this machine, or a Dask cluster, both as executors of `concurrent.futures`."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from queue import SimpleQueue
from typing import Any, ParamSpec, TypeVar

from scanner.processes import settle

_P = ParamSpec("_P")
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Crew:
    """An executor, and how many photos it should have at hand at a time so that nobody waits."""

    executor: Executor
    at_hand: Callable[[], int]


def cores() -> int:
    """The cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


class Bench(Executor):
    """Single processes side by side, each with one photo at a time.

    A process pool breaks as a whole when one of its processes dies, and cannot say which photo it was. Here a death costs
    the one photo (its future fails with BrokenExecutor); a new process takes the seat when there is work for it.
    """

    def __init__(self, workers: int) -> None:
        self._seats: list[ProcessPoolExecutor | None] = [None] * workers
        self._idle: SimpleQueue[int] = SimpleQueue()
        for seat in range(workers):
            self._idle.put(seat)

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Waits until a process is idle."""
        seat = self._idle.get()
        try:
            future = self._process(seat).submit(fn, *args, **kwargs)
        except BrokenExecutor:
            # It died while it had nothing to do.
            self._seats[seat] = None
            future = self._process(seat).submit(fn, *args, **kwargs)
        future.add_done_callback(lambda done: self._stand_up(seat, done))
        return future

    def _process(self, seat: int) -> ProcessPoolExecutor:
        pool = self._seats[seat]
        if pool is None:
            # "spawn": forking a process in which other threads run can hang.
            pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=settle)
            self._seats[seat] = pool
        return pool

    def _stand_up(self, seat: int, future: Future[Any]) -> None:
        if not future.cancelled() and isinstance(future.exception(), BrokenExecutor):
            self._seats[seat] = None
        self._idle.put(seat)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        for pool in self._seats:
            if pool is not None:
                pool.shutdown(wait, cancel_futures=cancel_futures)

    def process_ids(self) -> list[int]:
        """The processes that run now."""
        return [pid for pool in self._seats if pool is not None for pid in pool._processes]


@contextmanager
def local_crew(workers: int) -> Iterator[Crew]:
    """So many processes of this machine, started when there is work for them."""
    bench = Bench(workers)
    try:
        yield Crew(bench, lambda: workers)
    except BaseException:
        bench.shutdown(wait=False, cancel_futures=True)
        raise
    bench.shutdown()


@contextmanager
def cluster_crew(address: str) -> Iterator[Crew]:
    """The workers of the Dask cluster at an address; they must have obelisk-scan installed and see the photos under the same
    paths. ConnectionError if nobody answers there, ImportError without the extra `cluster`."""
    from distributed import Client

    connect: Any = Client
    try:
        client = connect(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise ConnectionError(f"there is no Dask cluster at {address}") from error
    with client:
        executor = client.get_executor(pure=False)
        yield Crew(executor, lambda: 2 * max(1, sum(client.nthreads().values())))
