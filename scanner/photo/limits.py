"""The sizes beyond which a file is refused before anything is decoded."""

from math import ceil
from typing import Final

from scanner.errors import TooLarge

MAX_PIXELS: Final = 200_000_000
MAX_BYTES: Final = 100_000_000


def check_bytes(size: int, name: str, limit: int = MAX_BYTES, hint: str | None = None) -> None:
    """Raises TooLarge, with the remedy `hint`, above `limit` bytes: 100 MB of a photo."""
    if size > limit:
        # Not how many: of a stream, nobody knows.
        raise TooLarge(f"{name} has more than {limit // 1_000_000} MB, which is more than is read.", hint)


def check_pixels(width: int, height: int, name: str) -> None:
    """Raises TooLarge above 200 megapixels, so that a small file cannot unpack to more memory than there is."""
    if width * height > MAX_PIXELS:
        raise TooLarge(
            f"{name} has {width} x {height} pixels ({ceil(width * height / 1e5) / 10:.1f} megapixels); "
            f"more than {MAX_PIXELS // 1_000_000} megapixels are not read."
        )
