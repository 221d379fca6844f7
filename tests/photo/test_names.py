"""Files' names as they can be shown."""

import os

import pytest

from scanner.photo.names import shown_name


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (b"easy.jpg", "easy.jpg"),
        ("Fête à 2 – 日本 😀.jpg".encode(), "Fête à 2 – 日本 😀.jpg"),
        ("e\u0301.jpg".encode(), "e\u0301.jpg"),
        (b"caf\xe9.jpg", "caf\\xe9.jpg"),
        (b"\x1b[31m\n.jpg", "\\x1b[31m\\n.jpg"),
    ],
)
def test_names_become_text_that_steers_nothing(name: bytes, shown: str) -> None:
    assert shown_name(os.fsdecode(name)) == shown
    assert shown_name(os.fsdecode(name)).encode()


def test_half_a_character_of_another_system_is_shown_as_well() -> None:
    assert shown_name("a\ud800.jpg") == "a\\ud800.jpg"
