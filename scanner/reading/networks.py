"""Loads the networks from `models/`, checks that they are the ones that were released, and runs them."""

import hashlib
import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from scanner.errors import InternalError
from scanner.reading.readings import MOST_SURE

Kind = Literal["content", "edges", "struck", "marks"]
"""What a network reads: a cell's content; a line drawn on an edge; a printed cell struck through; a circle marked."""

MANIFEST: Final = "manifest.json"


_BATCH: Final = 32
"""Crops that run at once. More are no quicker, and take memory that must be touched for the first time, which is slow."""


class ModelEntry(msgspec.Struct, frozen=True):
    """One model of the manifest. `input` is the crops' height and width; `rebuild` the command that makes it again."""

    kind: Kind
    file: str
    sha256: str
    labels: tuple[str, ...]
    input: tuple[int, int]
    rebuild: str


def models_folder() -> Path:
    """Where the models lie: beside the package in a checkout, inside it when installed."""
    package = Path(str(files("scanner")))
    inside = package / "_models"
    return inside if inside.is_dir() else package.parent / "models"


def manifest(folder: Path) -> dict[Kind, ModelEntry]:
    """The manifest's entries by kind; InternalError when it is missing or malformed."""
    try:
        entries = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=list[ModelEntry])
    except (OSError, msgspec.MsgspecError) as error:
        raise InternalError(f"The models' manifest cannot be read: {error}", "Install obelisk-scan again.") from error
    return {entry.kind: entry for entry in entries}


class Network:
    """One network. Thread-safe; runs on one thread, since its work is small and photos can be read side by side."""

    def __init__(self, entry: ModelEntry, folder: Path) -> None:
        """InternalError when the file is missing, or its bytes are not those that the manifest names."""
        import onnxruntime

        try:
            model = (folder / entry.file).read_bytes()
        except OSError as error:
            raise InternalError(f"The model {entry.file} cannot be read: {error}", "Install obelisk-scan again.") from error
        if hashlib.sha256(model).hexdigest() != entry.sha256:
            raise InternalError(f"The model {entry.file} is not the one that was released.", "Install obelisk-scan again.")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session: Any = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        labels = tuple(json.loads(self._session.get_modelmeta().custom_metadata_map["labels"]))
        if labels != entry.labels:
            raise InternalError(f"The model {entry.file} names other labels than the manifest.", "Install obelisk-scan again.")
        self.labels = labels

    def __call__(self, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Calibrated log-probabilities (N, labels), or log-odds (N, 1), MOST_SURE at most, for a single label, of crops uint8
        (N, H, W), or (N, 2, H, W) where they come beside the bare print."""
        parts = [
            self._session.run(None, {"crops": np.ascontiguousarray(crops[k : k + _BATCH])})[0]
            for k in range(0, max(len(crops), 1), _BATCH)
        ]
        result: NDArray[np.float32] = np.concatenate(parts) if len(parts) > 1 else parts[0]
        return np.clip(result, -MOST_SURE, MOST_SURE) if len(self.labels) == 1 else result


@cache
def network(kind: Kind) -> Network:
    """The released network of a kind, loaded once."""
    folder = models_folder()
    return Network(manifest(folder)[kind], folder)
