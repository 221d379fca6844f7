"""How many photos are read, how fast, and how long it will take: on standard error, only where that is a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from scanner.night.photos import PhotoFile


@contextmanager
def progress_bar(of: int) -> Iterator[Callable[[PhotoFile], None]]:
    """A bar for so many photos; the value is to be told of each as it is done."""
    if not of or not sys.stderr.isatty():
        yield lambda _photo: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:.1f} photos/s" if task.speed else "", "cyan")

    columns = (TextColumn("Reading"), BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("photos", total=of)
        yield lambda _photo: bar.advance(task)
