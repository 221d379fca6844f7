"""Pictures that show no sheet of a known game: other papers, foreign markers, bare tables."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import cv2
import numpy as np
from numpy.random import Generator

from scanner.sheet.drawing import sheet_drawing
from scanner.sheet.style import PLAIN
from scanner.sheet.template import load_template
from scanner.synth.backgrounds import form_with_table, page_of_text
from scanner.synth.camera import Paper
from scanner.synth.hand import random_hand
from scanner.synth.pen import apply_ink
from scanner.synth.press import press

_SCALE = 6.0


def _blank(rng: Generator) -> Paper:
    shade = int(rng.integers(236, 256))
    return Paper(np.full((1260, 1782, 3), shade, np.uint8), _SCALE)


def _page(rng: Generator) -> Paper:
    return Paper(page_of_text(_SCALE, rng)[0], _SCALE)


def _form(rng: Generator) -> Paper:
    """A printed table on A4."""
    paper = _blank(rng)
    table = form_with_table(_SCALE * 0.9, rng)[0]
    h, w = min(table.shape[0], 1200), min(table.shape[1], 1700)
    paper.bgr[30 : 30 + h, 40 : 40 + w] = table[:h, :w]
    return paper


def _tick_boxes(rng: Generator) -> Paper:
    """A questionnaire of square boxes, some ticked, with black squares for its own reader at the corners."""
    paper = _blank(rng)
    for corner in ((60, 60), (1660, 60), (60, 1140), (1660, 1140)):
        cv2.rectangle(paper.bgr, corner, (corner[0] + 60, corner[1] + 60), (25, 25, 25), -1)
    for row in range(12):
        for column in range(10):
            x, y = 260 + column * 130, 150 + row * 80
            cv2.rectangle(paper.bgr, (x, y), (x + 42, y + 42), (60, 60, 60), 3)
            if rng.random() < 0.3:
                cv2.line(paper.bgr, (x - 4, y + 8), (x + 20, y + 46), (150, 60, 40), 5, cv2.LINE_AA)
                cv2.line(paper.bgr, (x + 20, y + 46), (x + 52, y - 12), (150, 60, 40), 5, cv2.LINE_AA)
    return paper


def _sheet_with(rng: Generator, dictionary: int, ids: Callable[[int], int]) -> Paper:
    """A printed sheet whose fiducials are replaced by others: `ids` gives the id at each place."""
    template = load_template("obelisk")
    drawing = sheet_drawing(template, int(rng.integers(1, 5)), int(rng.integers(1000)), PLAIN)
    picture = cv2.cvtColor(press(drawing, _SCALE), cv2.COLOR_GRAY2BGR)
    codes = cv2.aruco.getPredefinedDictionary(dictionary)
    for place in range(8):
        low, high = np.round(template.fiducial_corners_mm(place)[[0, 2]] * _SCALE).astype(int)
        side = int(high[0] - low[0])
        marker = cv2.aruco.generateImageMarker(codes, ids(place), side)
        picture[low[1] : low[1] + side, low[0] : low[0] + side] = np.maximum(marker, 20)[..., None]
    return Paper(np.asarray(picture, np.uint8), _SCALE)


def _foreign_aruco(rng: Generator) -> Paper:
    dictionary = [cv2.aruco.DICT_4X4_50, cv2.aruco.DICT_5X5_100, cv2.aruco.DICT_6X6_250][int(rng.integers(3))]
    return _sheet_with(rng, dictionary, lambda place: int(rng.integers(40)) + place)


def _april_tags(rng: Generator) -> Paper:
    return _sheet_with(rng, cv2.aruco.DICT_APRILTAG_36h11, lambda place: int(rng.integers(500)) + place)


def _unknown_kind(rng: Generator) -> Paper:
    """Our dictionary, with the two ids that no sheet of any game carries."""
    return _sheet_with(rng, cv2.aruco.DICT_ARUCO_MIP_36h12, lambda place: 248 + place % 2)


def _mirrored(rng: Generator) -> Paper:
    """A sheet seen from behind, through the paper."""
    drawing = sheet_drawing(load_template("obelisk"), int(rng.integers(1, 5)), int(rng.integers(1000)), PLAIN)
    through = 255 - (255 - press(drawing, _SCALE)[:, ::-1].astype(np.float32)) * 0.8
    return Paper(np.asarray(cv2.cvtColor(through.astype(np.uint8), cv2.COLOR_GRAY2BGR), np.uint8), _SCALE)


def _chessboard(rng: Generator) -> Paper:
    side = int(rng.integers(70, 140))
    y, x = np.mgrid[0:1260, 0:1782]
    black = ((x // side + y // side) % 2 == 0) & (x > 60) & (x < 1722) & (y > 60) & (y < 1200)
    return Paper(np.repeat(np.where(black, 25, 248).astype(np.uint8)[..., None], 3, axis=2), _SCALE)


def _qr_codes(rng: Generator) -> Paper:
    """Six square codes with finder patterns, of random modules."""
    paper = _blank(rng)
    for number in range(6):
        count, module = int(rng.choice([21, 25, 29])), int(rng.integers(8, 15))
        bits = rng.random((count, count)) < 0.5
        finder = np.ones((7, 7), bool)
        finder[1:6, 1:6] = False
        finder[2:5, 2:5] = True
        for rows, columns in ((slice(0, 8), slice(0, 8)), (slice(0, 8), slice(-8, None)), (slice(-8, None), slice(0, 8))):
            bits[rows, columns] = False
        bits[:7, :7] = bits[:7, -7:] = bits[-7:, :7] = finder
        code = np.where(np.kron(bits, np.ones((module, module), bool)), 20, 250).astype(np.uint8)
        y, x = 90 + 580 * (number // 3), 90 + 560 * (number % 3)
        paper.bgr[y : y + code.shape[0], x : x + code.shape[1]] = code[..., None]
    return paper


def _drawn_by_hand(rng: Generator) -> Paper:
    """Someone without a printer: the grids drawn by hand on blank paper, symbols in them, no fiducials."""
    paper = _blank(rng)
    hand = random_hand(rng)
    template = load_template("obelisk")
    strokes = []
    for grid in template.grids:
        x0, y0 = grid.origin_mm
        x1, y1 = x0 + grid.columns * grid.cell_mm, y0 + grid.rows * grid.cell_mm
        for row in range(grid.rows + 1):
            y = y0 + row * grid.cell_mm
            strokes.append(hand.segment(np.array([x0, y]), np.array([x1, y]), rng))
        for column in range(grid.columns + 1):
            x = x0 + column * grid.cell_mm
            strokes.append(hand.segment(np.array([x, y0]), np.array([x, y1]), rng))
        for row in range(grid.rows):
            for column in range(grid.columns):
                if rng.random() < (1.0 if grid.printed else 0.4):
                    label = str(rng.choice(["sun", "star", "pyramid", "eye", "lotus"]))
                    centre = np.array(grid.origin_mm) + grid.cell_mm * np.array([column + 0.5, row + 0.5])
                    strokes += hand.symbol(label, centre, grid.cell_mm, rng)
    # Always legible: a pencil so faint that nothing shows would be blank paper again.
    apply_ink(paper.bgr, strokes, replace(hand.pen, opacity=0.95), _SCALE, rng)
    return paper


def _lined(rng: Generator) -> Paper:
    """Squared exercise paper with doodles."""
    paper = _blank(rng)
    for x in range(30, 1782, 30):
        cv2.line(paper.bgr, (x, 0), (x, 1260), (215, 190, 170), 1)
    for y in range(30, 1260, 30):
        cv2.line(paper.bgr, (0, y), (1782, y), (215, 190, 170), 1)
    hand = random_hand(rng)
    strokes = []
    for _ in range(40):
        centre = rng.uniform([20, 20], [275, 190])
        strokes += hand.symbol(str(rng.choice(["other", "sun", "star", "crossed"])), centre, float(rng.uniform(12, 30)), rng)
    apply_ink(paper.bgr, strokes, hand.pen, _SCALE, rng)
    return paper


FOREIGN: Mapping[str, Callable[[Generator], Paper] | None] = {
    "blank-paper": _blank,
    "text": _page,
    "form": _form,
    "tick-boxes": _tick_boxes,
    "foreign-aruco": _foreign_aruco,
    "april-tags": _april_tags,
    "unknown-kind": _unknown_kind,
    "mirrored": _mirrored,
    "chessboard": _chessboard,
    "qr-codes": _qr_codes,
    "drawn-by-hand": _drawn_by_hand,
    "squared-paper": _lined,
    "empty-table": None,
}
"""What lies on the table, by name; None for nothing but clutter."""
