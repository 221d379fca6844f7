"""Reads hand-filled game sheets from photos and scores them, never silently wrong."""
