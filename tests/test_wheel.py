"""What people install: the distribution is built, installed apart from the checkout, and scans a sample there."""

import ast
import json
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Mapping, Sequence
from importlib.metadata import packages_distributions
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parent.parent
EXTRA_OF = {"training": "train", "night": "cluster"}
"""Rooms that may need more than a player's installation."""
SAMPLE = ROOT / "sample_scans" / "easy" / "easy-01.jpg"


def run(command: Sequence[str | Path], cwd: Path, **changes: str) -> "subprocess.CompletedProcess[str]":
    """Run a command that knows nothing of this process's own paths."""
    env: Mapping[str, str] = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return subprocess.run(
        [str(part) for part in command], cwd=cwd, env={**env, **changes}, check=False, capture_output=True, text=True
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution, and the wheel that is built from it alone."""
    folder = tmp_path_factory.mktemp("dist")
    # Without isolation the build needs no network: its tools are in the extra `test`.
    done = run([sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT], folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (found,) = built.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment that holds the wheel and nothing else; its scripts' folder.

    The dependencies are those of the environment that runs the tests, made visible by a path file: behind the wheel, and
    without the path files of that environment, so that an editable installation in it stays out of sight.
    """
    folder = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(folder, with_pip=False, symlinks=True)
    scripts = Path(sysconfig.get_path("scripts", "venv", {"base": str(folder), "platbase": str(folder)}))
    library = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder), "platbase": str(folder)}))
    python = scripts / "python"
    done = run([sys.executable, "-m", "pip", "--python", python, "install", "--no-index", "--no-deps", wheel], folder)
    assert done.returncode == 0, done.stderr
    dependencies = dict.fromkeys(sysconfig.get_path(kind) for kind in ("purelib", "platlib"))
    (library / "dependencies.pth").write_text("\n".join(dependencies) + "\n")
    return scripts


def test_the_wheel_holds_the_program_its_data_and_its_models(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {"scanner/py.typed", "scanner/sheet/obelisk.toml", "scanner/_models/manifest.json"} <= names
    models = json.loads((ROOT / "models" / "manifest.json").read_text())
    assert {f"scanner/_models/{row['file']}" for row in models} <= names
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "scanner").rglob("*.py")}
    assert modules <= names
    strangers = {name for name in names if PurePosixPath(name).parts[0] != "scanner" and ".dist-info/" not in name}
    assert not strangers, "tests, samples and tools stay at home"
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_the_source_distribution_builds_the_same_program(built: Path) -> None:
    """The wheel above was built from it; here, that it brings along what a packager needs, and nothing heavy."""
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        names = {name.partition("/")[2] for name in tar.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "models/manifest.json", "scanner/cli.py"} <= names
    assert not any(name.startswith(("sample_scans/", "tests/", ".ci/")) for name in names)


def test_the_installed_program_is_not_the_checkout(installed: Path, tmp_path: Path) -> None:
    code = "import scanner, sys; from scanner.reading.networks import models_folder; print(scanner.__file__, models_folder())"
    done = run([installed / "python", "-c", f"{code}; print(sys.path)"], tmp_path)
    assert done.returncode == 0, done.stderr
    where, path = done.stdout.splitlines()
    assert all(Path(part).is_relative_to(installed.parent) for part in where.split())
    assert repr(str(ROOT)) not in path


def test_the_installed_program_scans_a_sample(installed: Path, tmp_path: Path) -> None:
    """From another folder, with its own models: the total must be the truth's."""
    truth = json.loads(SAMPLE.with_name(f"{SAMPLE.stem}.truth.json").read_text())
    done = run([installed / "obelisk-scan", SAMPLE, "--json"], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    (photo,) = json.loads(done.stdout)["photos"]
    (sheet,) = photo["sheets"]
    (expected,) = truth["sheets"]
    assert sheet["score"]["total"] == expected["score"]["total"]
    assert sheet["state"]["obelisk"] == expected["obelisk"]
    assert done.stderr == ""
    assert not list(tmp_path.iterdir())


def test_the_installed_program_refuses_a_tampered_model(installed: Path, tmp_path: Path) -> None:
    """Its models are really those in the wheel: with one changed, nothing is read."""
    library = next(installed.parent.glob("lib*/**/scanner/_models"))
    model = library / "edges.onnx"
    released = model.read_bytes()
    model.write_bytes(released[:-1] + bytes([released[-1] ^ 1]))
    try:
        done = run([installed / "obelisk-scan", SAMPLE, "--json"], tmp_path)
    finally:
        model.write_bytes(released)
    assert done.returncode == 70
    assert "Traceback" not in done.stderr
    assert json.loads(done.stdout)["photos"][0]["error"]["kind"] == "internal"


def test_the_installed_program_knows_its_version(installed: Path, tmp_path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    done = run([installed / "obelisk-scan", "--version"], tmp_path)
    assert done.stdout.strip() == f"obelisk-scan {project['version']}"


def third_party_imports(path: Path) -> set[str]:
    """Top-level modules, neither Python's own nor the program's, that a module imports, wherever the statement stands."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found - set(sys.stdlib_module_names) - {"scanner"}


def project_names(requirements: Sequence[str]) -> set[str]:
    """The projects that requirements name, normalised."""
    return {normalised(re.split(r"[<>=!~;\[ ]", line)[0]) for line in requirements}


def normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_import_is_a_declared_dependency() -> None:
    """The test's own environment holds more than a player's; what the program imports must be asked for by name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = project_names(project["dependencies"])
    extras = {room: project_names(project["optional-dependencies"][extra]) for room, extra in EXTRA_OF.items()}
    providers = packages_distributions()
    for path in sorted((ROOT / "scanner").rglob("*.py")):
        known = asked | extras.get(path.parent.name, set())
        for module in third_party_imports(path):
            names = {normalised(name) for name in providers.get(module, [module])}
            assert names & known, f"{path.name} imports {module}, which is no dependency"
