"""The printed PDF, rasterised and read back."""

import io
from pathlib import Path

import cv2
import numpy as np
import pytest

from scanner.geometry import FloatArray, GrayImage
from scanner.sheet import codes
from scanner.sheet.codes import CornerCode, EdgeCode
from scanner.sheet.drawing import HOUSE, PLAIN, Drawing, Style, Text, random_style, sheet_drawing
from scanner.sheet.pdf import write_pdf
from scanner.sheet.printing import PAPERS_MM, Paper, write_sheets
from scanner.sheet.template import Grid, load_template
from scanner.synth.press import press

PX_PER_MM = 6.0
# Pixels a point, a hair less than exact: pdfium rounds a page up to whole pixels and stretches it to them.
SCALE = PX_PER_MM * 25.4 / 72 * (1 - 1e-6)
TEMPLATE = load_template("obelisk")


def rasterised(pdf: bytes, page: int = 0) -> GrayImage:
    """One page as gray pixels, `PX_PER_MM` to the millimetre of paper."""
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    try:
        bitmap = document[page].render(scale=SCALE, grayscale=True)
        return np.array(bitmap.to_numpy()).squeeze()
    finally:
        document.close()


def printed(paper: Paper = "a4", seats: int = 1, number: int = 199_389) -> bytes:
    target = io.BytesIO()
    write_sheets(target, "obelisk", seats, paper=paper, number=number)
    return target.getvalue()


def page_px(paper: Paper) -> FloatArray:
    """Width and height of the raster of a page."""
    return np.ceil(np.array(PAPERS_MM[paper]) * PX_PER_MM * (1 - 1e-6))


def on_paper(points_mm: FloatArray, paper: Paper) -> FloatArray:
    """Sheet mm to raster px: the sheet scaled to fit the paper and centred."""
    page, sheet = np.array(PAPERS_MM[paper]), np.array(TEMPLATE.paper_mm)
    scale = (page / sheet).min()
    px_per_mm = page_px(paper) / page
    result: FloatArray = (points_mm * scale + (page - scale * sheet) / 2) * px_per_mm - 0.5
    return result


def detected(image: GrayImage) -> dict[int, FloatArray]:
    """Fiducials by id: their corners in px."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_ARUCO_MIP_36h12)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(image)
    return {int(i): np.asarray(c, np.float64)[0] for i, c in zip(np.ravel(ids), corners, strict=True)}


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_every_page_reads_back(paper: Paper) -> None:
    pdf = printed(paper, seats=3, number=199_389)
    for page in range(3):
        image = rasterised(pdf, page)
        assert image.shape == tuple(page_px(paper)[::-1])
        found = detected(image)
        assert len(found) == 8
        digits: dict[int, int] = {}
        for fiducial_id, corners in found.items():
            code = codes.decode_id(fiducial_id)
            assert code is not None
            expected = on_paper(TEMPLATE.fiducial_corners_mm(code.place), paper)
            assert np.abs(corners - expected).max() < 0.1 * PX_PER_MM
            if isinstance(code, CornerCode):
                assert (code.game_index, code.seat) == (0, page + 1)
            elif isinstance(code, EdgeCode):
                digits[code.edge] = code.digit
        assert codes.number_from_digits([digits[edge] for edge in range(4)]) == 199_389 * 8 + page


def test_papers_are_standard() -> None:
    assert PAPERS_MM["a4"] == TEMPLATE.paper_mm
    assert PAPERS_MM["letter"] == pytest.approx((11 * 25.4, 8.5 * 25.4))


def test_largest_set() -> None:
    image = rasterised(printed(seats=8, number=260_641), 7)
    assert set(detected(image)) == {28, 29, 30, 31, 96 + 37, 134 + 37, 172 + 37, 210 + 37}


@pytest.mark.parametrize("seats", [0, 9])
def test_wrong_seats(seats: int) -> None:
    with pytest.raises(ValueError, match="1 to 8 seats"):
        printed(seats=seats)


@pytest.mark.parametrize("number", [-1, 260_642])
def test_wrong_numbers(number: int) -> None:
    with pytest.raises(ValueError, match="0 to 260,641"):
        printed(number=number)


def test_unknown_game(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        write_sheets(tmp_path / "x.pdf", "chess", 1, number=0)
    assert not (tmp_path / "x.pdf").exists()


def test_path_and_stream_get_the_same_bytes(tmp_path: Path) -> None:
    write_sheets(tmp_path / "sheets.pdf", "obelisk", 2, number=7)
    assert (tmp_path / "sheets.pdf").read_bytes() == printed(seats=2, number=7)


def cell_interiors(grid: Grid, inset_mm: float) -> list[FloatArray]:
    """The corners (2, 2) of each cell, drawn in by `inset_mm`, sheet mm."""
    return [
        np.array(grid.origin_mm) + grid.cell_mm * np.array([[c, r], [c + 1, r + 1]]) + np.array([[inset_mm], [-inset_mm]])
        for r in range(grid.rows)
        for c in range(grid.columns)
    ]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_cells_that_players_fill_are_blank(paper: Paper) -> None:
    image = rasterised(printed(paper))
    for name in ("obelisk", "scroll1", "scroll2", "scroll3"):
        for corners in cell_interiors(TEMPLATE.grid(name), 0.6):
            (x0, y0), (x1, y1) = np.rint(on_paper(corners, paper)).astype(int)
            assert image[y0:y1, x0:x1].min() == 255, name


def test_wall_cells_are_printed() -> None:
    image = rasterised(printed())
    for corners in cell_interiors(TEMPLATE.grid("wall"), 1.0):
        (x0, y0), (x1, y1) = np.rint(on_paper(corners, "a4")).astype(int)
        assert image[y0:y1, x0:x1].min() < 150


def quiet_zones_are_white(image: GrayImage, paper: Paper) -> None:
    quiet = TEMPLATE.fiducials.quiet_zone_mm
    for place in range(8):
        corners = TEMPLATE.fiducial_corners_mm(place)
        inner = np.rint(on_paper(np.array([corners[0], corners[2]]), paper)).astype(int) + np.array([[-1], [2]])
        outer = np.rint(on_paper(np.array([corners[0] - quiet, corners[2] + quiet]), paper)).astype(int)
        zone = image[outer[0, 1] : outer[1, 1], outer[0, 0] : outer[1, 0]].copy()
        low, high = inner[0] - outer[0], inner[1] - outer[0]
        assert zone[low[1] : high[1], low[0] : high[0]].min() < 100
        zone[low[1] : high[1], low[0] : high[0]] = 255
        assert zone.min() == 255, place


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_quiet_zones_are_white(paper: Paper) -> None:
    quiet_zones_are_white(rasterised(printed(paper)), paper)


def test_printers_margins_are_clear() -> None:
    """Most printers leave up to 6.4 mm (a quarter inch) of the paper blank."""
    margin = int(6.4 * PX_PER_MM)
    papers: tuple[Paper, ...] = ("a4", "letter")
    for paper in papers:
        image = rasterised(printed(paper)).copy()
        image[margin:-margin, margin:-margin] = 255
        assert image.min() == 255, paper


@pytest.mark.parametrize("seed", range(4))
def test_any_style_keeps_what_the_reader_needs(seed: int) -> None:
    style = random_style(np.random.default_rng(seed))
    image = press(sheet_drawing(TEMPLATE, 1 + seed, seed, style), PX_PER_MM)
    assert set(detected(image)) == set(codes.sheet_ids(0, 1 + seed, seed))
    quiet_zones_are_white(image, "a4")
    for corners in cell_interiors(TEMPLATE.grid("obelisk"), 0.6):
        (x0, y0), (x1, y1) = np.rint(on_paper(corners, "a4")).astype(int)
        assert image[y0:y1, x0:x1].min() == 255


def test_styles_come_from_their_seed() -> None:
    assert random_style(np.random.default_rng(5)) == random_style(np.random.default_rng(5))
    assert random_style(np.random.default_rng(5)) != random_style(np.random.default_rng(6))


@pytest.mark.parametrize("style", [HOUSE, PLAIN], ids=["house", "plain"])
def test_press_and_pdf_agree(style: Style) -> None:
    """Both paint the same drawing at the same place; text is left out, as the fonts differ."""
    whole = sheet_drawing(TEMPLATE, 4, 1234, style)
    drawing = Drawing(whole.paper_mm, tuple(p for p in whole.primitives if not isinstance(p, Text)))
    target = io.BytesIO()
    write_pdf(target, [drawing], drawing.paper_mm, "test")
    from_pdf = rasterised(target.getvalue()).astype(np.float64)
    pressed = press(drawing, PX_PER_MM).astype(np.float64)
    assert from_pdf.shape == pressed.shape

    def difference(dx: int, dy: int) -> float:
        return float(np.abs(np.roll(pressed, (dy, dx), (0, 1)) - from_pdf).mean())

    # Antialiasing differs a little; a shift by a sixth of a millimetre differs much more.
    assert difference(0, 0) < 0.8
    for shift in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        assert difference(*shift) > 3 * difference(0, 0)
