"""Photos of printed sheets on a plain table, made by projecting the printed drawing, and readings that were never in doubt."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scanner.evaluate.compare import outlines
from scanner.reading.readings import CONTENT_CHARACTERS, Readings
from scanner.report.marks import is_marked
from scanner.sheet.drawing import sheet_drawing
from scanner.sheet.template import Template, load_template
from scanner.synth.press import press

PX_PER_MM = 4.0
TABLE_GRAY = 90


@cache
def printed(seat: int, sheet_number: int) -> NDArray[np.uint8]:
    """The blank sheet, uint8 (H, W)."""
    return press(sheet_drawing(load_template("obelisk"), seat, sheet_number), PX_PER_MM)


def tabletop(*sheets: tuple[int, int]) -> NDArray[np.uint8]:
    """BGR uint8 (H, W, 3): sheets (seat, sheet number) one below the other, each a little turned."""
    height, width = 980, 1320
    photo = np.full((height * max(1, len(sheets)), width), TABLE_GRAY, np.uint8)
    for index, (seat, number) in enumerate(sheets):
        paper = printed(seat, number)
        to_photo = np.vstack([cv2.getRotationMatrix2D((594.0, 420.0), 2.0 + index, 1.0), [0, 0, 1]])
        to_photo = np.array([[1.0, 0, 66], [0, 1, 70 + index * height], [0, 0, 1]]) @ to_photo
        size = (photo.shape[1], photo.shape[0])
        laid = cv2.warpPerspective(paper, to_photo, size, flags=cv2.INTER_AREA)
        mask = cv2.warpPerspective(np.full_like(paper, 255), to_photo, size, flags=cv2.INTER_NEAREST)
        photo = np.where(mask > 0, laid, photo).astype(np.uint8)
    return np.repeat(photo[..., None], 3, axis=2)


def encoded(photo: NDArray[np.uint8], suffix: str = ".png") -> bytes:
    """The photo as a file's bytes."""
    done, data = cv2.imencode(suffix, photo)
    assert done
    return data.tobytes()


def certain(state: Mapping[str, Any], template: Template) -> Readings:
    """Readings that leave no doubt about a state; every built cell of the obelisk is outlined by itself."""
    scrolls = {f"scroll{i}": s["symbols"] or "...." for i, s in enumerate(state["scrolls"], start=1)}
    grids = {"obelisk": state["obelisk"], **{name: (text[:2], text[2:]) for name, text in scrolls.items()}}
    content = {}
    for name, rows in grids.items():
        grid = np.full((len(rows), len(rows[0]), len(CONTENT_CHARACTERS)), np.log(1e-7), np.float32)
        for r, row in enumerate(rows):
            for c, character in enumerate(row):
                grid[r, c, CONTENT_CHARACTERS.index("_" if character == "." else character)] = np.log(1 - 7e-7)
        content[name] = grid
    alone = [
        "".join("." if cell == "." else chr(ord("A") + (5 * r + c) % 26) for c, cell in enumerate(row))
        for r, row in enumerate(state["obelisk"])
    ]
    horizontal, vertical = {}, {}
    for name, shapes in (("obelisk", alone), ("wall", state["wall_shapes"])):
        drawn = outlines(shapes)
        rows, columns = len(shapes), len(shapes[0])
        horizontal[name] = np.full((rows + 1, columns), -9, np.float32)
        vertical[name] = np.full((rows, columns + 1), -9, np.float32)
        for kind, r, c in drawn:
            (horizontal if kind == "h" else vertical)[name][r, c] = 9
    struck = {"wall": np.full((12, 8), -9, np.float32)}
    marks = {mark.name: 9.0 if is_marked(state, mark.name) else -9.0 for mark in template.marks}
    return Readings(content, horizontal, vertical, struck, marks)


def reader(*states: Mapping[str, Any]) -> Callable[[Sequence[object], Template], list[Readings]]:
    """Stands in for `read_sheets`: gives the states in turn, whatever the pictures show."""

    def read(rectified: Sequence[object], template: Template) -> list[Readings]:
        return [certain(state, template) for state in states[: len(rectified)]]

    return read
