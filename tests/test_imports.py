"""The direction of imports: data flows one way from the photo to the report, and so do imports; the engine knows no pixels."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import scanner

ROOT = Path(scanner.__file__).parent

BASE = {"errors", "geometry"}
READING_CHAIN = ("photo", "sheet", "cells", "reading")
ALLOWED = {
    "errors": set(),
    "geometry": set(),
    "processes": set(),
    "engine": {"errors"},
    **{room: BASE | set(READING_CHAIN[:i]) for i, room in enumerate(READING_CHAIN)},
    "decode": BASE | {"engine", *READING_CHAIN},
    "result": BASE | {"engine", "decode", *READING_CHAIN},
    "pipeline": BASE | {"engine", "decode", "result", *READING_CHAIN},
    "evaluate": BASE | {"engine", "decode", "result", "pipeline", "processes", *READING_CHAIN},
    "games": {"engine", "decode", *READING_CHAIN},
    "report": BASE | {"engine", "decode", "games", "result", "pipeline", "evaluate", *READING_CHAIN},
    "night": BASE | {"engine", "decode", "result", "pipeline", "processes", "report", *READING_CHAIN},
    # Synthetic sheets are drawn from the template and the rules; training adds what the networks see.
    "synth": BASE | {"engine", *READING_CHAIN},
    "training": BASE | {"engine", "synth", *READING_CHAIN},
}
LAST = {"cli", "main", "__init__"}
"""They may know everybody; nobody may know them."""


def room_of(path: Path) -> str:
    part = path.relative_to(ROOT).parts[0]
    return part.removesuffix(".py")


def imports(tree: ast.AST) -> Iterator[str]:
    """Rooms of the package that a module imports, wherever the statement stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            module = node.module or ""
            modules = [f"{module}.{alias.name}" for alias in node.names] if module == "scanner" else [module]
        else:
            continue
        for module in modules:
            first, _, rest = module.partition(".")
            if first == "scanner" and rest:
                yield rest.split(".")[0]


def breaches(path: Path, source: str) -> list[str]:
    room = room_of(path)
    if room in LAST:
        return []
    known = ALLOWED[room] | {room}
    return [f"{path.relative_to(ROOT)} imports {other}" for other in imports(ast.parse(source)) if other not in known]


def test_imports_have_one_direction() -> None:
    found = [line for path in sorted(ROOT.rglob("*.py")) for line in breaches(path, path.read_text("utf-8"))]
    assert not found, "\n".join(found)


def test_every_room_has_its_place() -> None:
    rooms = {room_of(path) for path in ROOT.rglob("*.py")}
    assert rooms <= ALLOWED.keys() | LAST


@pytest.mark.parametrize(
    ("room", "line"),
    [
        ("engine/board.py", "import scanner.photo.photo"),
        ("photo/load.py", "from scanner.sheet.pose import Pose"),
        ("reading/read.py", "def f():\n    from scanner import decode"),
        ("report/terminal.py", "from scanner.cli import app"),
    ],
)
def test_a_wrong_import_is_noticed(room: str, line: str) -> None:
    assert breaches(ROOT / room, line)


@pytest.mark.parametrize("pixels", ["cv2", "numpy", "onnxruntime", "PIL"])
def test_the_engine_knows_no_pixels(pixels: str) -> None:
    code = f"import sys, scanner.engine; sys.exit({pixels!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    "modules", ["scanner, scanner.cli, scanner.main", "scanner.report.scoring, scanner.report.terminal", "scanner.photo.opencv"]
)
def test_what_needs_no_photo_loads_nothing_slow(modules: str) -> None:
    slow = ["cv2", "numpy", "onnxruntime", "scipy", "skimage", "PIL", "reportlab"]
    code = f"import sys, {modules}; sys.exit(', '.join(m for m in {slow} if m in sys.modules) or 0)"
    run = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert run.returncode == 0, f"loaded: {run.stderr}"
