"""Local white, crops and what covers them, straight from the photo."""

from scanner.cells.cover import Cover, find_cover
from scanner.cells.crops import Crops, crop
from scanner.cells.rectify import Rectified, rectify

__all__ = ["Cover", "Crops", "Rectified", "crop", "find_cover", "rectify"]
