"""Reading all photos of a night that were not read before, by whatever crew there is."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from dataclasses import dataclass
from typing import Final

from scanner.night.ledger import Ledger
from scanner.night.photos import PhotoFile
from scanner.night.work import lost_line, read_file
from scanner.night.workers import Crew

TRIES: Final = 2
"""A photo whose worker died is tried once more, alone in its worker: it may have been another's fault."""

OTHER_VERSION: Final = "the worker that read it has another version of obelisk-scan or of its networks"


@dataclass(frozen=True, slots=True)
class _Task:
    photo: PhotoFile
    tries: int = 1


def read_photos(
    photos: Iterable[PhotoFile],
    ledger: Ledger,
    crew: Crew,
    done: Callable[[PhotoFile], None] = lambda _photo: None,
    job: Callable[[str, str], bytes] = read_file,
) -> None:
    """Read the photos, each into the ledger as soon as its result is there, in whatever order they come.

    `done` is told after each photo. `job` is what the workers do: a photo's path and name to its record's line.
    """
    waiting: Iterator[_Task] = (_Task(photo) for photo in photos)
    again: list[_Task] = []
    running: dict[Future[bytes], _Task] = {}
    more = True
    while more or running:
        while more and len(running) < max(1, crew.at_hand()):
            task = again.pop() if again else next(waiting, None)
            if task is None:
                more = False
                break
            running[crew.executor.submit(job, task.photo.path, task.photo.name)] = task
        finished, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in finished:
            task = running.pop(future)
            line = _line(future, task)
            if line is None:
                again.append(_Task(task.photo, task.tries + 1))
                more = True
            else:
                if not ledger.append(line):
                    ledger.append(lost_line(task.photo.path, task.photo.name, OTHER_VERSION))
                done(task.photo)


def _line(future: Future[bytes], task: _Task) -> bytes | None:
    """The photo's line, or None where it is worth another try."""
    try:
        return future.result()
    except (BrokenExecutor, CancelledError):
        if task.tries < TRIES:
            return None
        return lost_line(task.photo.path, task.photo.name, "the process that read it died, perhaps for want of memory")
    except Exception as error:
        # Dask's KilledWorker is one: its scheduler has tried again by itself.
        return lost_line(task.photo.path, task.photo.name, f"{type(error).__name__}: {error}")
