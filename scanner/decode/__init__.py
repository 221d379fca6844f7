"""Probabilities and rules to a state, its doubts, bounds and audit: one module a game."""
