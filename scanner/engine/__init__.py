"""The games' pure rules: states, scores, audits and play. Knows nothing of pixels."""

from scanner.engine.games import GAMES, Game, audit_state, score_state

__all__ = ["GAMES", "Game", "audit_state", "score_state"]
