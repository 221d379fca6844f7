"""The printed worker tiles, rasterised and read back."""

import io

import cv2
import numpy as np
import pytest

from scanner.engine.obelisk.polyomino import SHAPES, shape_of
from scanner.engine.obelisk.workers import WORKERS
from scanner.geometry import GrayImage
from scanner.sheet.tiles import PAGE_MM, TILE_MM, tile_centres, write_tiles

PX_PER_MM = 5.0
SCALE = PX_PER_MM * 25.4 / 72 * (1 - 1e-6)


def pages() -> list[GrayImage]:
    import pypdfium2

    target = io.BytesIO()
    write_tiles(target, WORKERS, SHAPES)
    document = pypdfium2.PdfDocument(target.getvalue())
    try:
        return [np.array(page.render(scale=SCALE, grayscale=True).to_numpy()).squeeze() for page in document]
    finally:
        document.close()


@pytest.fixture(scope="module")
def printed() -> list[GrayImage]:
    return pages()


def tile(page: GrayImage, number: int) -> GrayImage:
    x, y = tile_centres(12)[number]
    half = TILE_MM / 2
    left, top = round((x - half) * PX_PER_MM), round((y - half) * PX_PER_MM)
    side = round(TILE_MM * PX_PER_MM)
    return page[top : top + side, left : left + side]


def shape_at_top(face: GrayImage) -> str | None:
    """The shape of the light gray squares in the triangle between a tile's top side and its middle."""
    side = len(face)
    y, x = np.indices(face.shape)
    filled = (np.abs(face.astype(int) - 217) < 6) & (y < x) & (y < side - 1 - x)
    # Antialiased lines pass through the same gray: keep only what is as wide as a square's inside.
    squares = cv2.morphologyEx(filled.astype(np.uint8), cv2.MORPH_OPEN, np.ones((11, 11), np.uint8))
    rows, columns = np.nonzero(squares)
    cell = 5.2 * PX_PER_MM
    cells = {(int((r - rows.min()) // cell), int((c - columns.min()) // cell)) for r, c in zip(rows, columns, strict=True)}
    return shape_of(cells)


def test_two_pages_of_a4(printed: list[GrayImage]) -> None:
    assert [page.shape for page in printed] == [(1485, 1050)] * 2
    assert PAGE_MM == (210.0, 297.0)


@pytest.mark.parametrize("number", range(12))
def test_each_side_shows_its_shape(printed: list[GrayImage], number: int) -> None:
    face = tile(printed[0], number)
    # Turning the picture counter-clockwise brings the right side to the top, then the bottom, then the left.
    assert tuple(shape_at_top(np.rot90(face, turn)) for turn in range(4)) == WORKERS[number]


def test_backs_are_alike(printed: list[GrayImage]) -> None:
    """Whoever sees a back must not know the tile."""
    inner = [tile(printed[1], number)[8:-8, 8:-8].astype(int) for number in range(12)]
    assert inner[0].min() < 100
    for other in inner[1:]:
        assert np.abs(other - inner[0]).max() < 60
        assert np.abs(other - inner[0]).mean() < 0.5


def test_cutting_lines_run_through_both_pages(printed: list[GrayImage]) -> None:
    for page in printed:
        for column in range(4):
            x = round((15.0 + TILE_MM * column) * PX_PER_MM)
            assert (page[150:1335, x - 1 : x + 1].min(axis=1) < 250).mean() > 0.99
        for row in range(5):
            y = round((28.5 + TILE_MM * row) * PX_PER_MM)
            assert (page[y - 1 : y + 2, 60:990].min(axis=0) < 250).mean() > 0.99


def test_too_many_tiles() -> None:
    with pytest.raises(ValueError, match="12 tiles, not 13"):
        write_tiles(io.BytesIO(), (*WORKERS, WORKERS[0]), SHAPES)


def test_unknown_shape() -> None:
    with pytest.raises(KeyError):
        write_tiles(io.BytesIO(), [("I2", "I3", "V3", "Z9")], SHAPES)
