"""A machine on which cv2 cannot be loaded hears in one line what to install."""

import importlib.abc
import importlib.machinery
import subprocess
import sys

import pytest

from scanner.errors import InternalError
from scanner.photo.opencv import check_opencv


class Broken(importlib.abc.MetaPathFinder):
    """Finds cv2, only to fail as the dynamic linker does."""

    def __init__(self, cause: str) -> None:
        self.cause = cause

    def find_spec(self, fullname: str, *_: object) -> importlib.machinery.ModuleSpec | None:
        if fullname == "cv2":
            raise ImportError(self.cause)
        return None


@pytest.mark.parametrize(
    ("cause", "remedy"),
    [
        ("libGL.so.1: cannot open shared object file: No such file or directory", "apt install libgl1 libglib2.0-0"),
        ("libgthread-2.0.so.0: cannot open shared object file: No such file or directory", "opencv-python-headless"),
        ("No module named 'cv2'", "pip install"),
    ],
)
def test_a_failing_import_becomes_one_line(cause: str, remedy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "cv2", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Broken(cause), *sys.meta_path])
    with pytest.raises(InternalError) as caught:
        check_opencv()
    assert cause.partition(":")[0] in caught.value.message
    assert remedy in caught.value.hint
    assert "\n" not in caught.value.message + caught.value.hint


def test_a_working_import_passes() -> None:
    check_opencv()


def test_the_question_comes_before_the_import() -> None:
    """Asking must not import cv2 by the way, or the answer would be a traceback."""
    code = "import sys, scanner.photo.opencv; sys.exit('cv2' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
