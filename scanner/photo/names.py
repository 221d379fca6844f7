"""Files' names as they can be shown: not every name is text, and not every text is harmless."""

from unicodedata import category

_ESCAPED_BYTES = range(0xDC80, 0xDD00)
"""Where Python keeps the bytes of a name that is no UTF-8 (PEP 383)."""


def shown_name(path: str) -> str:
    """A path as text that any document can hold and that steers no terminal: bytes that are no UTF-8 and control characters as
    Python writes them, `caf\\xe9.jpg`."""
    return path if path.isprintable() else "".join(map(_shown, path))


def _shown(character: str) -> str:
    if ord(character) in _ESCAPED_BYTES:
        return f"\\x{ord(character) - 0xDC00:02x}"
    return character.encode("unicode_escape").decode() if category(character) in ("Cc", "Cs") else character
