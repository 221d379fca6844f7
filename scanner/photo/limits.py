"""The sizes beyond which a file is refused before anything is decoded."""

from math import ceil
from typing import Final

from scanner.errors import TooLarge

MAX_PIXELS: Final = 200_000_000
MAX_BYTES: Final = 100_000_000


def check_bytes(size: int, name: str) -> None:
    """Raises TooLarge above 100 MB."""
    if size > MAX_BYTES:
        raise TooLarge(f"{name} has {ceil(size / 1e5) / 10:.1f} MB; more than {MAX_BYTES // 1_000_000} MB are not read.")


def check_pixels(width: int, height: int, name: str) -> None:
    """Raises TooLarge above 200 megapixels, so that a small file cannot unpack to more memory than there is."""
    if width * height > MAX_PIXELS:
        raise TooLarge(
            f"{name} has {width} x {height} pixels ({ceil(width * height / 1e5) / 10:.1f} megapixels); "
            f"more than {MAX_PIXELS // 1_000_000} megapixels are not read."
        )
