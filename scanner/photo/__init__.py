"""Bytes to a Photo: formats, EXIF, limits, truncation."""
