"""Reads hand-filled game sheets from photos and scores them, never silently wrong.

    from scanner import scan_photo, score_state

Both are loaded when they are first asked for, so that importing this package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scanner.engine import score_state
    from scanner.pipeline import ScanOptions, scan_photo
    from scanner.result import ScanResult

__all__ = ["ScanOptions", "ScanResult", "scan_photo", "score_state"]

_HOMES = {
    "ScanOptions": "scanner.pipeline",
    "ScanResult": "scanner.result",
    "scan_photo": "scanner.pipeline",
    "score_state": "scanner.engine",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
