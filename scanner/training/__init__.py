"""Builds, calibrates and exports the models from a seed (extra `train`)."""
