"""Monolyth."""
