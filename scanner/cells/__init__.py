"""Local white and crops, straight from the photo."""

from scanner.cells.crops import Crops, crop
from scanner.cells.rectify import Rectified, rectify

__all__ = ["Crops", "Rectified", "crop", "rectify"]
