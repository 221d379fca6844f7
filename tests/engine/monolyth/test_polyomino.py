"""Polyominoes in space."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scanner.engine.monolyth.polyomino import BLOCK, PIECES, Cells, normalised, orientations, rotations


def connected(cells: Cells) -> bool:
    reached, left = {cells[0]}, set(cells[1:])
    while near := {
        cell for cell in left if any(sum(abs(a - b) for a, b in zip(cell, other, strict=True)) == 1 for other in reached)
    }:
        reached |= near
        left -= near
    return not left


@pytest.mark.parametrize("piece", sorted(PIECES))
def test_pieces_are_connected_and_normalised(piece: str) -> None:
    cells = PIECES[piece]
    assert cells == normalised(cells)
    assert connected(cells)
    assert len(set(cells)) == len(cells)


def test_the_numbers_of_orientations() -> None:
    """24 divided by each solid's own rotations."""
    expected = {
        "I2": 3, "I3": 3, "I4": 3, "O4": 3, "V3": 12, "T4": 12, "S4": 12, "left screw": 12, "right screw": 12, "L4": 24,
        "tripod": 8,
    }  # fmt: skip
    assert {piece: len(orientations(piece)) for piece in PIECES} == expected
    assert orientations(BLOCK) == (((0, 0, 0),),)
    with pytest.raises(KeyError):
        orientations("I9")


def test_all_tetrominoes_of_space_are_there_once() -> None:
    """Grown cell by cell: 1 of two cells, 2 of three, 8 of four, counting mirror images that no rotation brings together."""
    shapes = {rotations(((0, 0, 0),))}
    sizes = []
    for _ in range(3):
        grown = set()
        for same in shapes:
            for r, c, z in same[0]:
                for step in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)):
                    cell = (r + step[0], c + step[1], z + step[2])
                    if cell not in same[0]:
                        grown.add(rotations((*same[0], cell)))
        shapes = grown
        sizes.append(len(shapes))
    assert sizes == [1, 2, 8]
    assert {orientations(piece) for piece in PIECES if len(PIECES[piece]) == 4} == shapes


def test_mirror_images_are_other_pieces() -> None:
    mirrored = normalised((-r, c, z) for r, c, z in PIECES["left screw"])
    assert mirrored not in orientations("left screw")
    assert mirrored in orientations("right screw")


def random_rotation(seed: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """A rotation built from quarter turns about the axes."""
    rng = np.random.default_rng(seed)
    matrix = np.eye(3, dtype=np.int64)
    for _ in range(8):
        a, b = rng.permutation(3)[:2]
        turn = np.eye(3, dtype=np.int64)
        turn[[a, b], [a, b]] = 0
        turn[a, b], turn[b, a] = 1, -1
        matrix = turn @ matrix
    return matrix


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(sorted(PIECES)), st.integers(0, 10**6))
def test_turning_a_piece_gives_one_of_its_orientations(piece: str, seed: int) -> None:
    turned = np.array(PIECES[piece]) @ random_rotation(seed).T
    assert normalised((int(r), int(c), int(z)) for r, c, z in turned) in orientations(piece)
