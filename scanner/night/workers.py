"""Who reads the photos: processes of this machine, or a Dask cluster, both as executors of `concurrent.futures`."""

import asyncio
import logging
import os
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from queue import SimpleQueue
from typing import Any, ParamSpec, TypeVar

from scanner.processes import settle

TIMEOUT = "10s"
"""How long a cluster may be silent, before the work and in the midst of it."""

_P = ParamSpec("_P")
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Crew:
    """An executor, and how many photos it should have at hand at a time so that nobody waits: asked before each is given."""

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


class ClusterGone(Exception):
    """The cluster answered, and does not answer any more."""


@contextmanager
def cluster_crew(address: str) -> Iterator[Crew]:
    """The workers of the Dask cluster at an address; they must have obelisk-scan installed and see the photos under the same
    paths. ConnectionError if nobody answers there, ImportError without the extra `cluster`. The crew's `at_hand` raises
    ClusterGone."""
    from distributed import Client

    connect: Any = partial(Client, address, timeout=TIMEOUT, set_as_default=False)

    def at_hand() -> int:
        if client.status != "closed":
            with suppress(OSError):
                threads: int = sum(client.nthreads().values())
                return 2 * max(1, threads)
        raise ClusterGone

    with _unheard():
        try:
            # With a client that comes and goes: one that lives in a thread takes 20 s to be taken down where it fails.
            asyncio.run(_meet(connect))
            client = connect()
        except (OSError, ValueError, TypeError) as error:
            raise ConnectionError(f"there is no Dask cluster at {address}: {error}") from error
        with client:
            yield Crew(client.get_executor(pure=False), at_hand)


async def _meet(connect: Any) -> None:
    client = connect(asynchronous=True)
    try:
        await client
    finally:
        await client.close()


@contextmanager
def _unheard() -> Iterator[None]:
    """What Dask logs of a cluster that fails are tracebacks, in other words than the errors here."""
    before = logging.root.manager.disable
    logging.disable()
    try:
        yield
    finally:
        logging.disable(before)
