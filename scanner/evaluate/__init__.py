"""Accuracy over photos whose truth is known."""
