"""Table tops: textures in sRGB-encoded reflectance, and the things that lie around on them."""

from functools import lru_cache

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from scanner.geometry import BgrImage
from scanner.synth.scene import TABLE_KINDS, Table, TableKind

VARIANTS = 5
_COLOURS: dict[str, tuple[tuple[int, int, int], ...]] = {
    "wood": ((92, 128, 170), (70, 105, 150), (60, 84, 120), (120, 160, 190), (48, 62, 88)),
    "planks": ((96, 130, 165), (75, 98, 128), (140, 165, 180), (60, 80, 100), (110, 125, 135)),
    "slate": ((62, 58, 56), (48, 46, 46), (80, 78, 74), (36, 34, 34), (70, 66, 72)),
    "stone": ((196, 202, 206), (178, 184, 190), (210, 212, 212), (150, 158, 164), (188, 190, 182)),
    "cloth": ((150, 90, 52), (60, 62, 160), (84, 120, 50), (70, 60, 66), (170, 190, 205)),
    "stripes": ((90, 140, 80), (160, 110, 70), (70, 70, 170), (180, 190, 200), (120, 120, 130)),
    "checks": ((60, 60, 180), (150, 90, 50), (90, 130, 70), (120, 120, 120), (200, 200, 205)),
    "white_cloth": ((222, 224, 226), (232, 230, 226), (210, 216, 222), (226, 232, 234), (204, 206, 206)),
    "metal": ((150, 150, 148), (120, 122, 124), (176, 178, 180), (98, 98, 100), (160, 156, 150)),
    "card": ((110, 150, 185), (120, 150, 172), (90, 124, 160), (140, 170, 190), (170, 190, 200)),
    "tiles": ((190, 200, 205), (150, 160, 160), (120, 140, 170), (215, 215, 210), (90, 100, 110)),
    "plain": ((230, 232, 232), (60, 60, 60), (190, 170, 140), (90, 150, 190), (150, 190, 160)),
}


def _clouds(rng: np.random.Generator, shape: tuple[int, int], cells: tuple[int, int], octaves: int = 3) -> NDArray[np.float32]:
    """Smooth noise of about unit amplitude, float32 `shape`; `cells` features down and across at the coarsest octave."""
    total = np.zeros(shape, np.float32)
    for octave in range(octaves):
        grid = rng.normal(0, 0.6**octave, (cells[0] * 2**octave + 2, cells[1] * 2**octave + 2)).astype(np.float32)
        total += cv2.resize(grid, shape[::-1], interpolation=cv2.INTER_CUBIC)
    return total


@lru_cache(maxsize=80)
def texture(kind: TableKind, variant: int, side: int) -> BgrImage:
    """One of `VARIANTS` textures of a kind, uint8 (side, side, 3); the same for the same arguments."""
    rng = np.random.default_rng([TABLE_KINDS.index(kind), variant, 7])
    base = np.array(_COLOURS[kind][variant % VARIANTS], np.float32)
    shape = (side, side)
    light = 1 + 0.05 * _clouds(rng, shape, (3, 3))
    tint = np.zeros((side, side, 3), np.float32)
    y, x = np.mgrid[0:side, 0:side].astype(np.float32) / side
    if kind in ("wood", "planks"):
        grain = _clouds(rng, shape, (int(rng.integers(40, 90)), 3), 3)
        rings = np.sin(2 * np.pi * (rng.uniform(5, 14) * (y + 0.06 * _clouds(rng, shape, (2, 1), 2))))
        light += rng.uniform(0.04, 0.12) * grain + rng.uniform(0.02, 0.09) * rings
        tint[..., 0] = -6 * grain
        if kind == "planks":
            board = np.floor(y * rng.integers(4, 8))
            light += 0.12 * np.sin(board * 12.9898)
            seam = np.abs((y * rng.integers(4, 8)) % 1 - 0.5) > 0.485
            light *= np.where(seam, 0.45, 1.0)
    elif kind == "slate":
        light += 0.14 * _clouds(rng, shape, (5, 5), 5)
    elif kind == "stone":
        for _ in range(int(rng.integers(1, 4))):
            vein = np.abs(_clouds(rng, shape, (3, 3), 4))
            light -= rng.uniform(0.1, 0.35) * np.exp(-((vein / rng.uniform(0.01, 0.03)) ** 2))
        light += 0.04 * _clouds(rng, shape, (60, 60), 2)
    elif kind in ("cloth", "white_cloth"):
        folds = _clouds(rng, shape, (int(rng.integers(2, 6)), int(rng.integers(2, 6))), 2)
        light += rng.uniform(0.03, 0.12) * folds
        weave = np.sin(2 * np.pi * 170 * x) * np.sin(2 * np.pi * 170 * y)
        light += 0.05 * weave + 0.03 * _clouds(rng, shape, (90, 90), 1)
        if kind == "white_cloth" and rng.random() < 0.5:
            for _ in range(60):  # a woven pattern, white on white
                centre = rng.uniform(0, side, 2).astype(int).tolist()
                cv2.ellipse(light, centre, (side // 40, side // 80), float(rng.uniform(0, 360)), 0, 360, 0.93, 2, cv2.LINE_AA)
    elif kind in ("stripes", "checks"):
        other = base * rng.uniform(0.5, 0.8) if rng.random() < 0.5 else np.minimum(base * 1.5 + 30, 245)
        bands = rng.uniform(6, 22)
        across = np.sin(2 * np.pi * bands * x) > rng.uniform(-0.4, 0.4)
        amount = across.astype(np.float32)
        if kind == "checks":
            amount = (amount + (np.sin(2 * np.pi * bands * y) > 0)) / 2
        tint += amount[..., None] * (other - base)
        light += 0.06 * _clouds(rng, shape, (3, 4), 2)
    elif kind == "metal":
        light += 0.06 * _clouds(rng, shape, (160, 2), 1) + 0.08 * _clouds(rng, shape, (2, 2), 1)
    elif kind == "card":
        light += 0.03 * _clouds(rng, shape, (90, 90), 2) + 0.03 * np.sin(2 * np.pi * 60 * y)
    elif kind == "tiles":
        count = rng.integers(4, 9)
        joint = (np.abs((x * count) % 1 - 0.5) > 0.48) | (np.abs((y * count) % 1 - 0.5) > 0.48)
        cells = rng.normal(0, 0.05, (count + 1, count + 1))[np.floor(y * count).astype(int), np.floor(x * count).astype(int)]
        light += cells.astype(np.float32)
        light *= np.where(joint, rng.uniform(0.5, 0.8), 1.0)
    light += 0.02 * rng.normal(0, 1, shape).astype(np.float32)
    return np.clip((base + tint) * light[..., None], 0, 255).astype(np.uint8)


def table_top(table: Table, side_mm: float, px_per_mm: float, rng: np.random.Generator, fine: bool) -> BgrImage:
    """A square of table, uint8 (side, side, 3), side_mm * px_per_mm px a side, with its clutter."""
    picture = texture(table.kind, int(rng.integers(VARIANTS)), 1600 if fine else 512)
    picture = np.rot90(picture, int(rng.integers(4)))
    if rng.random() < 0.5:
        picture = picture[::-1]
    gain = rng.uniform(0.8, 1.15) * rng.uniform(0.94, 1.06, 3)
    lut = np.clip(np.arange(256)[:, None] * gain, 0, 255).astype(np.uint8)[:, None]
    side = max(round(side_mm * px_per_mm), 8)
    # Textures show about 0.5 to 0.9 m of table; a larger table mirrors them.
    shown = rng.uniform(500, 900) * px_per_mm
    zoom = picture.shape[0] / shown
    turn, offset = rng.normal(0, 0.12), rng.uniform(0, picture.shape[0], 2)
    matrix = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0]]) * zoom
    matrix[:, 2] = offset
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    tinted = cv2.LUT(np.ascontiguousarray(picture), np.ascontiguousarray(lut))
    top = cv2.warpAffine(tinted, matrix, (side, side), flags=flags, borderMode=cv2.BORDER_REFLECT_101)
    return np.asarray(top, np.uint8)


def add_clutter(
    top: BgrImage, px_per_mm: float, avoid: NDArray[np.uint8], count: int, reach_mm: float, rng: np.random.Generator
) -> None:
    """Draws `count` things on the table top where `avoid` (uint8, same height and width, non-zero under sheets) is free.

    They lie within `reach_mm` of the middle.
    """
    half = top.shape[0] / 2
    for _ in range(count):
        picture, mask = _thing(int(rng.integers(len(_THINGS))), int(rng.integers(VARIANTS)), 2.0 if px_per_mm < 3 else 5.0)
        zoom = px_per_mm / (2.0 if px_per_mm < 3 else 5.0)
        h, w = mask.shape
        matrix = cv2.getRotationMatrix2D((w / 2, h / 2), float(rng.uniform(0, 360)), zoom)
        radius = int(np.hypot(h, w) * zoom / 2) + 2
        size = 2 * radius
        matrix[:, 2] += radius - np.array([w / 2, h / 2])
        probes = np.stack(np.meshgrid(np.linspace(0, w, 6), np.linspace(0, h, 6)), axis=-1).reshape(-1, 2)
        probes = (probes @ matrix[:, :2].T + matrix[:, 2]).astype(int)
        for _ in range(8):
            x, y = (half + rng.uniform(-reach_mm, reach_mm, 2) * px_per_mm - radius).astype(int)
            if x < 0 or y < 0 or x + size > top.shape[1] or y + size > top.shape[0]:
                continue
            window = (slice(y, y + size), slice(x, x + size))
            if not np.any(avoid[window][probes[:, 1].clip(0, size - 1), probes[:, 0].clip(0, size - 1)]):
                _put(top[window], picture, mask, matrix, max(round(1.5 * px_per_mm), 1))
                break


def _put(patch: BgrImage, picture: BgrImage, mask: NDArray[np.uint8], matrix: MatLike, shadow_px: int) -> None:
    """Draws the thing on the patch, turned and scaled by the 2 x 3 matrix, with a contact shadow; in place."""
    size = patch.shape[1::-1]
    cover = cv2.merge([cv2.warpAffine(mask, matrix, size)] * 3)
    turned = cv2.warpAffine(picture, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    left = cv2.addWeighted(cv2.blur(cover, (2 * shadow_px + 1, 2 * shadow_px + 1)), -0.45, cover, 0, 255)
    under = cv2.multiply(cv2.multiply(patch, left, scale=1 / 255), 255 - cover, scale=1 / 255)
    patch[:] = cv2.add(under, cv2.multiply(turned, cover, scale=1 / 255))


@lru_cache(maxsize=120)
def _thing(kind: int, variant: int, scale: float) -> "Thing":
    return _THINGS[kind](scale, np.random.default_rng([kind, variant, 11]))


Thing = tuple[BgrImage, NDArray[np.uint8]]


def _blank(w_mm: float, h_mm: float, scale: float, colour: tuple[int, int, int]) -> Thing:
    h, w = max(round(h_mm * scale), 6), max(round(w_mm * scale), 6)
    picture = np.empty((h, w, 3), np.uint8)
    picture[:] = colour
    return picture, np.full((h, w), 255, np.uint8)


def page_of_text(scale: float, rng: np.random.Generator) -> Thing:
    """A printed page, A4 to A6: headings, lines of text, sometimes a table or boxes to tick."""
    size = float(rng.choice([1.0, 0.71, 0.5]))
    w_mm, h_mm = 210 * size, 297 * size
    shade = int(rng.integers(215, 250))
    picture, mask = _blank(w_mm, h_mm, scale, (shade - 4, shade - 1, shade))
    ink = int(rng.integers(20, 90))
    letters = np.array(list("abcdefghiklmnoprstuvy"))
    y, font = 18 * size, rng.uniform(2.2, 4.2) * max(size, 0.7)
    boxes = rng.random() < 0.35
    while y < h_mm - 15 * size:
        if rng.random() < 0.08:
            y += font * 2
        words = ["".join(rng.choice(letters, int(rng.integers(2, 10)))) for _ in range(int(rng.integers(4, 12)))]
        x0 = 14 * size
        if boxes:
            corner = (round(x0 * scale), round((y - font * 0.8) * scale))
            far = (round((x0 + font) * scale), round((y + font * 0.2) * scale))
            cv2.rectangle(picture, corner, far, (ink, ink, ink), max(round(0.3 * scale), 1))
            x0 += font * 1.6
        origin = (round(x0 * scale), round(y * scale))
        thick = max(round(0.3 * scale), 1)
        cv2.putText(
            picture, " ".join(words), origin, cv2.FONT_HERSHEY_SIMPLEX, font * scale / 22, (ink,) * 3, thick, cv2.LINE_AA
        )
        y += font * 1.7
    return picture, mask


def form_with_table(scale: float, rng: np.random.Generator) -> Thing:
    """A printed table, some of its cells filled."""
    w_mm, h_mm = float(rng.uniform(90, 260)), float(rng.uniform(80, 190))
    picture, mask = _blank(w_mm, h_mm, scale, (238, 242, 243))
    columns, rows = int(rng.integers(3, 12)), int(rng.integers(4, 16))
    ink, thick = int(rng.integers(20, 110)), max(round(rng.uniform(0.2, 0.8) * scale), 1)
    x0, y0, dx, dy = 10.0, 14.0, (w_mm - 20) / columns, (h_mm - 24) / rows

    def px(x: float, y: float) -> tuple[int, int]:
        return round(x * scale), round(y * scale)

    for c in range(columns + 1):
        cv2.line(picture, px(x0 + c * dx, y0), px(x0 + c * dx, y0 + rows * dy), (ink,) * 3, thick, cv2.LINE_AA)
    for r in range(rows + 1):
        cv2.line(picture, px(x0, y0 + r * dy), px(x0 + columns * dx, y0 + r * dy), (ink,) * 3, thick, cv2.LINE_AA)
    for r in range(rows):
        for c in range(columns):
            if rng.random() < 0.4:
                word = str(int(rng.integers(0, 99)))
                place = px(x0 + (c + 0.25) * dx, y0 + (r + 0.75) * dy)
                cv2.putText(picture, word, place, cv2.FONT_HERSHEY_PLAIN, dy * scale / 25, (90, 40, 30), thick, cv2.LINE_AA)
    return picture, mask


def _playing_card(scale: float, rng: np.random.Generator) -> Thing:
    picture, mask = _blank(63, 88, scale, (240, 243, 244))
    h, w = mask.shape
    if rng.random() < 0.35:
        back = rng.integers(30, 190, 3).tolist()
        cv2.rectangle(picture, (w // 12, w // 12), (w - w // 12, h - w // 12), back, -1)
        for k in range(0, w + h, max(round(5 * scale), 3)):
            cv2.line(picture, (k, w // 12), (k - h, h - w // 12), (230, 230, 230), 1, cv2.LINE_AA)
        return picture, mask
    colour = (40, 35, 190) if rng.random() < 0.5 else (30, 28, 28)
    for _ in range(int(rng.integers(2, 10))):
        centre = (rng.uniform(0.2, 0.8, 2) * [w, h]).astype(int).tolist()
        size = max(round(5 * scale), 2)
        diamond = np.array(centre) + np.array([[0, -size], [size * 0.75, 0], [0, size], [-size * 0.75, 0]])
        cv2.fillPoly(picture, [np.round(diamond).astype(np.int32)], colour, cv2.LINE_AA)
    name = str(rng.choice(list("A23456789JQK")))
    cv2.putText(
        picture, name, (round(4 * scale), round(13 * scale)), cv2.FONT_HERSHEY_SIMPLEX, scale * 0.35, colour, 1, cv2.LINE_AA
    )
    return picture, mask


def die(scale: float, rng: np.random.Generator) -> Thing:
    face = [(235, 238, 240), (60, 60, 190), (50, 50, 50)][int(rng.integers(3))]
    picture, mask = _blank(16, 16, scale, face)
    pip = (30, 30, 30) if face[0] > 100 else (240, 240, 240)
    places = {1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8]}
    for k in places[int(rng.integers(1, 7))]:
        centre = (round((4 + 4 * (k % 3)) * scale), round((4 + 4 * (k // 3)) * scale))
        cv2.circle(picture, centre, max(round(1.5 * scale), 1), pip, -1, cv2.LINE_AA)
    return picture, mask


def round_thing(scale: float, rng: np.random.Generator) -> Thing:
    """A coin, a token or a cup from above."""
    size = float(rng.choice([20.0, 24.0, 28.0, 82.0]))
    colour = [(80, 140, 170), (150, 158, 165), (60, 70, 180), (160, 90, 40), (225, 228, 230), (45, 60, 75)][
        int(rng.integers(6))
    ]
    picture, mask = _blank(size, size, scale, colour)
    mask[:] = 0
    c = mask.shape[0] // 2
    cv2.circle(mask, (c, c), c - 1, 255, -1, cv2.LINE_AA)
    for ring in (0.85, 0.5):
        shade = tuple(int(v * rng.uniform(0.6, 1.25)) for v in colour)
        cv2.circle(picture, (c, c), max(round(c * ring), 1), tuple(min(v, 255) for v in shade), -1, cv2.LINE_AA)
    return picture, mask


def pen(scale: float, rng: np.random.Generator) -> Thing:
    colour = rng.integers(20, 230, 3).tolist()
    picture, mask = _blank(145, 8, scale, (0, 0, 0))
    picture[:] = colour
    h, w = mask.shape
    shade = np.sin(np.linspace(0.2, np.pi - 0.2, h))[:, None, None]
    picture[:] = np.clip(picture * (0.45 + 0.7 * shade), 0, 255).astype(np.uint8)
    picture[:, : w // 14] = (60, 70, 80)
    tip = np.array([[0, 0], [w // 14, 0], [0, h // 2]]), np.array([[0, h], [w // 14, h], [0, h // 2]])
    cv2.fillPoly(mask, [t.astype(np.int32) for t in tip], 0)
    return picture, mask


def _worker_tile(scale: float, rng: np.random.Generator) -> Thing:
    """A square card with a shape of squares on each side, like the game's own tiles."""
    picture, mask = _blank(50, 50, scale, (190, 214, 226))
    h = mask.shape[0]
    cv2.rectangle(picture, (1, 1), (h - 2, h - 2), (70, 80, 90), max(round(0.5 * scale), 1), cv2.LINE_AA)
    for side in range(4):
        for k in range(int(rng.integers(2, 5))):
            x, y = round((18 + 4 * (k % 3)) * scale), round((4 + 4 * (k // 3)) * scale)
            far = (x + max(round(3.6 * scale), 1), y + max(round(3.6 * scale), 1))
            cv2.rectangle(picture, (x, y), far, (60, 90, 150), -1)
        picture = np.ascontiguousarray(np.rot90(picture)) if side < 3 else picture
    return picture, mask


_THINGS = (page_of_text, form_with_table, _playing_card, _playing_card, die, round_thing, pen, _worker_tile)
