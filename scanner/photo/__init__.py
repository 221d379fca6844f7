"""Bytes to a Photo: formats, EXIF, limits, truncation."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scanner.photo.load import LoadedPhoto, load_photos

__all__ = ["LoadedPhoto", "load_photos"]


def __getattr__(name: str) -> Any:
    # Late, so that `photo.opencv` can be asked whether cv2 loads before anything here imports it.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from scanner.photo import load

    return getattr(load, name)
