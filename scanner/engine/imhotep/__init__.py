"""Imhotep, side A of the five sites."""
