"""Reducing a picture by averaging blocks of pixels, in the frame of `geometry.reduced_px`."""

import cv2
import numpy as np
from numpy.typing import NDArray


def shrink(pixels: NDArray[np.uint8], reduction: int) -> NDArray[np.uint8]:
    """Averages of blocks of `reduction` x `reduction` pixels, counted from the top left corner.

    Takes (H, W) or (H, W, 3); gives (ceil(H / reduction), ceil(W / reduction)) and the channels. Blocks cut by the right or
    lower border are filled up with the border's pixels.
    """
    if reduction == 1:
        return pixels
    height, width = (-(-side // reduction) for side in pixels.shape[:2])
    below, beside = height * reduction - pixels.shape[0], width * reduction - pixels.shape[1]
    if below or beside:
        pixels = np.asarray(cv2.copyMakeBorder(pixels, 0, below, 0, beside, cv2.BORDER_REPLICATE), dtype=np.uint8)
    return np.asarray(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)
