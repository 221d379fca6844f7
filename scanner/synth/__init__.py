"""Seeded hand, pen, paper and camera: makes sample scans and training data."""
