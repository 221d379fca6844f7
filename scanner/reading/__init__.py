"""The networks: calibrated probabilities for every cell, edge and mark."""

from scanner.reading.read import read_sheets
from scanner.reading.readings import Readings

__all__ = ["Readings", "read_sheets"]
