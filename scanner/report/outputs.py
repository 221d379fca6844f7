"""Files that a command is about to write, looked at before it reads anything: what the user has must not be lost."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from scanner.report.paths import file_key


class WrongOutput(ValueError):
    """An output is named that must not be written. The message says why and what to do, as part of a wrong command line's."""


def check_outputs(outputs: Mapping[str, Path], inputs: Iterable[str | Path]) -> None:
    """WrongOutput if one of the files to be written is another one as well, is one of the files that are read, or is there
    and is no file. outputs: option -> its file."""
    written: dict[str, str] = {}
    for option, path in outputs.items():
        if path.exists() and not path.is_file() and not path.is_dir():
            raise WrongOutput(f"{option} {path} is a pipe or device, not a file; name a file")
        other = written.setdefault(file_key(path), option)
        if other != option:
            raise WrongOutput(f"{other} and {option} are the same file, {path}; give each its own")
    for read in inputs:
        option = written.get(file_key(read), "")
        if option:
            raise WrongOutput(f"{option} {outputs[option]} is read by this command, and would be lost; name another file")
