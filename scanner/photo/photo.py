"""A photo that has been found whole: its pixels, decoded only at the resolutions that are asked for."""

from typing import Protocol

from scanner.geometry import BgrImage, GrayImage


class Photo(Protocol):
    """An upright photo (EXIF turn applied), checked to be whole.

    Attributes: `name`, what to call it in messages and reports; `width`, `height`, full-resolution pixels, upright.
    """

    @property
    def name(self) -> str: ...
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...

    def gray(self, reduction: int = 1) -> GrayImage:
        """Luma, uint8 (ceil(height / reduction), ceil(width / reduction)), read-only; reduction is 1, 2 or 4.

        A reduced pixel averages a block (see `geometry.reduced_px`). Results are kept, so asking twice costs nothing.
        """
        ...

    def bgr(self, reduction: int = 1) -> BgrImage:
        """The same in colour, uint8 (H, W, 3), for pictures shown to people; not kept."""
        ...
