"""The networks: calibrated probabilities for every cell, edge and mark."""
