"""Scenes by condition, and a broad mix of everything for training."""

from dataclasses import replace
from typing import Literal, get_args

import numpy as np

from scanner.synth.scene import (
    TABLE_KINDS,
    Bend,
    Crease,
    Curl,
    Lamp,
    Light,
    Occluder,
    OccluderKind,
    Placement,
    Scene,
    Sensor,
    Shadow,
    ShadowKind,
    Stock,
    Table,
    TableKind,
    View,
)

Condition = Literal[
    "easy", "tilt", "steep", "rotated", "curl", "crease", "shadow", "ramp", "dim", "blur", "far", "thumb", "table", "lowres",
    "whitecloth", "glossy", "everything",
]  # fmt: skip
CONDITIONS: tuple[Condition, ...] = get_args(Condition)

_BLUE_FIRST = {
    "noon": (1.0, 1.0, 1.0),
    "sky": (1.18, 1.02, 0.88),
    "lamp": (0.62, 0.9, 1.18),
    "candle": (0.42, 0.82, 1.3),
    "tube": (0.95, 1.06, 0.94),
}
_SHADOWS: tuple[ShadowKind, ...] = ("edge", "phone", "hand", "bars", "blob")
_THINGS: tuple[OccluderKind, ...] = ("finger", "finger", "coin", "pen", "die")


def scene_for(condition: Condition, rng: np.random.Generator, megapixels: float = 12.0, fine: bool = True) -> Scene:
    """A scene of that condition with 4:3 photos of about that many megapixels; `table` has 2 to 4 sheets, all others one."""
    scene = _plain(rng, megapixels, fine)
    view, light, sensor = scene.view, scene.light, scene.sensor
    match condition:
        case "easy":
            pass
        case "tilt":
            scene = replace(scene, view=replace(view, tilt_deg=rng.uniform(25, 42), roll_deg=rng.normal(0, 10)))
        case "steep":
            steep = replace(view, tilt_deg=rng.uniform(48, 60), roll_deg=rng.normal(0, 8), focal=rng.uniform(0.7, 0.95))
            scene = replace(scene, view=steep, sheets=(Placement(rotation_deg=rng.uniform(-35, 35)),))
        case "rotated":
            scene = replace(scene, sheets=(Placement(rotation_deg=rng.uniform(35, 325)),))
        case "curl":
            scene = _with_bend(scene, Bend((_curl(rng, 9, 22), _curl(rng, 0, 6)), (), rng.uniform(-8, 8), rng.uniform(0, 0.3)))
            scene = replace(scene, view=replace(view, tilt_deg=rng.uniform(10, 30)))
        case "crease":
            scene = _with_bend(scene, Bend((_curl(rng, 0, 6),), _folds(rng, 0.04, 0.14), rng.uniform(-3, 3)))
            scene = replace(
                scene, light=replace(light, lamps=(_lamp(rng, 0.7),)), view=replace(view, tilt_deg=rng.uniform(5, 25))
            )
        case "shadow":
            scene = replace(scene, light=_shadowed(rng, light))
        case "ramp":
            scene = replace(scene, light=_ramp(rng, light))
        case "dim":
            noisy = replace(
                sensor, shot=rng.uniform(0.03, 0.055), read=rng.uniform(0.002, 0.006), denoise=int(rng.integers(0, 3))
            )
            scene = replace(scene, light=replace(_ramp(rng, light, 0.4), exposure=rng.uniform(0.15, 0.38)), sensor=noisy)
        case "blur":
            scene = replace(scene, sensor=_blurred(rng, sensor, view.px_per_mm))
        case "far":
            scene = replace(
                scene, view=replace(view, px_per_mm=view.px_per_mm * rng.uniform(0.26, 0.36), position=_anywhere(rng))
            )
        case "thumb":
            scene = replace(scene, occluders=_covered(rng))
        case "table":
            scene = _several(rng, scene)
        case "lowres":
            scene = _sent(rng, scene)
        case "whitecloth":
            table = Table(_pick(rng, ("white_cloth", "white_cloth", "plain")), int(rng.integers(0, 3)))
            scene = replace(scene, table=table, light=replace(light, exposure=rng.uniform(0.45, 0.95)))
        case "glossy":
            scene = replace(scene, light=_glossy(rng, light))
        case "everything":
            scene = _everything(rng, scene)
    return scene


def random_scene(rng: np.random.Generator, megapixels: float | None = None) -> Scene:
    """One sheet, seen at 2.6 to 8 photo px a mm, with any mix of the effects at random strengths; quick to render."""
    size = float(rng.uniform(2.0, 4.0)) if megapixels is None else megapixels
    scene = _plain(rng, size, fine=False)
    scale = float(np.exp(rng.uniform(np.log(2.6), np.log(8.0))))
    tilt = abs(rng.normal(0, 18)) if rng.random() < 0.85 else rng.uniform(35, 58)
    placement = _turned(rng, 0.55)
    view = replace(
        scene.view,
        px_per_mm=scale,
        tilt_deg=float(min(tilt, 58)),
        roll_deg=float(rng.normal(0, 6)),
        focal=float(rng.uniform(0.6, 1.3)),
        position=_anywhere(rng),
        distortion=float(rng.uniform(-0.06, 0.03)),
    )
    if rng.random() < 0.05:
        view = replace(view, cut_mm=float(rng.uniform(3, 18)))
        placement = replace(placement, rotation_deg=float(90 * rng.integers(4) + rng.uniform(15, 75)))
    bend = Bend()
    if rng.random() < 0.55:
        bend = Bend((_curl(rng, 0, 14), _curl(rng, 0, 6)), (), float(rng.normal(0, 3)), float(rng.uniform(0, 0.3)))
    if rng.random() < 0.25:
        bend = replace(bend, creases=_folds(rng, 0.02, 0.13))
    light = scene.light
    if rng.random() < 0.35:
        light = _ramp(rng, light, float(rng.uniform(0.3, 0.95)))
    if rng.random() < 0.35:
        light = _shadowed(rng, light)
    if rng.random() < 0.15:
        light = _glossy(rng, light)
    if rng.random() < 0.2:
        light = replace(light, haze=float(rng.uniform(0.02, 0.3)))
    bright = rng.uniform(0.35, 1.1) if rng.random() < 0.75 else np.exp(rng.uniform(np.log(0.09), np.log(0.4)))
    light = replace(light, exposure=float(bright))
    sensor = scene.sensor
    if rng.random() < 0.3:
        sensor = replace(sensor, shot=float(rng.uniform(0.01, 0.05)), read=float(rng.uniform(0, 0.006)))
        sensor = replace(sensor, denoise=int(rng.random() < 0.5))
    if rng.random() < 0.3:
        sensor = _blurred(rng, sensor, scale)
    jpeg = () if rng.random() < 0.25 else scene.jpeg
    scene = replace(scene, view=view, light=light, sensor=sensor, jpeg=jpeg, sheets=(replace(placement, bend=bend),))
    if rng.random() < 0.12:
        scene = replace(scene, occluders=_covered(rng))
    if rng.random() < 0.12:
        factor = float(rng.uniform(1.15, 1.5))
        sent = replace(scene.view, px_per_mm=scale * factor)
        scene = replace(scene, view=sent, downscale=factor, jpeg=(int(rng.integers(75, 95)), int(rng.integers(55, 88))))
        scene = replace(scene, width=_even(scene.width / factor), height=_even(scene.height / factor))
    return scene


def _plain(rng: np.random.Generator, megapixels: float, fine: bool) -> Scene:
    """A careful photo: the sheet fills most of the frame, even light, little noise."""
    long_side, short_side = (4, 3) if rng.random() < 0.8 else (16, 9)
    unit = np.sqrt(megapixels * 1e6 / (long_side * short_side))
    wide = rng.random() < 0.65
    size = (_even(long_side * unit), _even(short_side * unit))
    width, height = size if wide else size[::-1]
    fit = min(width / 297, height / 210)
    view = View(
        px_per_mm=float(fit * rng.uniform(0.8, 1.0)),
        focal=float(rng.uniform(0.65, 1.05)),
        tilt_deg=float(abs(rng.normal(0, 7))),
        roll_deg=float(rng.normal(0, 3)),
        position=(float(rng.uniform(0.2, 0.8)), float(rng.uniform(0.2, 0.8))),
        distortion=float(rng.normal(0, 0.012)),
    )
    bend = Bend((_curl(rng, 0, 2.5),), (), float(rng.normal(0, 0.8)), float(rng.uniform(0, 0.15)))
    return Scene(
        width,
        height,
        view,
        (Placement(rotation_deg=float(rng.normal(0, 4)), bend=bend),),
        _stock(rng),
        _light(rng),
        Table(_pick(rng, TABLE_KINDS), int(rng.integers(1, 9)) if rng.random() < 0.35 else 0),
        (),
        _sensor(rng, fine),
        _compressions(rng),
        1.0,
        fine,
    )


def _even(value: float) -> int:
    return 2 * round(value / 2)


def _pick(rng: np.random.Generator, kinds: tuple[TableKind, ...]) -> TableKind:
    return kinds[int(rng.integers(len(kinds)))]


def _anywhere(rng: np.random.Generator) -> tuple[float, float]:
    return float(rng.uniform(0, 1)), float(rng.uniform(0, 1))


def _turned(rng: np.random.Generator, upright: float) -> Placement:
    """Nearly upright with that probability, else a quarter turn or any turn."""
    draw = rng.random()
    if draw < upright:
        return Placement(rotation_deg=float(rng.normal(0, 8)))
    if draw < (1 + upright) / 2:
        return Placement(rotation_deg=float(90 * rng.integers(4) + rng.normal(0, 6)))
    return Placement(rotation_deg=float(rng.uniform(0, 360)))


def _stock(rng: np.random.Generator) -> Stock:
    white = rng.uniform(0.7, 0.9)
    tint = rng.normal(0, 0.02, 3) if rng.random() < 0.85 else np.array([-0.14, -0.03, 0.02]) * rng.uniform(0.4, 1)
    b, g, r = np.clip(white + tint, 0.5, 0.95).tolist()
    return Stock(
        white=(b, g, r),
        black=float(rng.uniform(0, 0.06) if rng.random() < 0.8 else rng.uniform(0.06, 0.2)),
        bleed_mm=float(rng.uniform(0, 0.12)),
        texture=float(rng.uniform(0.05, 0.6)),
        show_through=float(rng.uniform(0.1, 0.6) if rng.random() < 0.12 else 0),
        stain=float(rng.uniform(0.1, 0.5) if rng.random() < 0.08 else 0),
    )


def _colour(rng: np.random.Generator) -> tuple[float, float, float]:
    """A lamp's colour, blue first: between two of the named ones."""
    names = list(_BLUE_FIRST)
    first, second = (np.array(_BLUE_FIRST[names[int(rng.integers(len(names)))]]) for _ in range(2))
    b, g, r = (first + (second - first) * rng.uniform(0, 0.7)).tolist()
    return b, g, r


def _lamp(rng: np.random.Generator, share: float, near: bool = False) -> Lamp:
    angle = rng.uniform(0, 2 * np.pi)
    away = rng.uniform(150, 360) if near else rng.uniform(300, 1200)
    up = rng.uniform(100, 320) if near else rng.uniform(500, 1600)
    return Lamp((float(away * np.cos(angle)), float(away * np.sin(angle)), float(up)), _colour(rng), share)


def _light(rng: np.random.Generator) -> Light:
    return Light(
        exposure=float(rng.uniform(0.5, 1.02)),
        ambient=_colour(rng),
        lamps=(_lamp(rng, float(rng.uniform(0.1, 0.5))),),
        vignette=float(rng.uniform(0, 0.25)),
        balance=float(rng.uniform(0.3, 1.0)),
        haze=float(rng.uniform(0, 0.06) if rng.random() < 0.4 else 0),
    )


def _ramp(rng: np.random.Generator, light: Light, share: float = 0.85) -> Light:
    """A near lamp that leaves the far side at down to a fifth of the light."""
    lamps: tuple[Lamp, ...] = (_lamp(rng, share, near=True),)
    if rng.random() < 0.3:
        lamps = (replace(lamps[0], share=share * 0.6), _lamp(rng, share * 0.4, near=True))
    return replace(light, lamps=lamps, exposure=float(rng.uniform(0.6, 1.3)))


def _shadowed(rng: np.random.Generator, light: Light) -> Light:
    """A main lamp with one or two shadows in its light."""
    main = light.lamps[0]
    share = max(main.share, float(rng.uniform(0.45, 0.85)))
    shadows = []
    for _ in range(1 if rng.random() < 0.75 else 2):
        penumbra = float(np.exp(rng.uniform(np.log(1.0), np.log(45.0))))
        shadows.append(Shadow(_SHADOWS[int(rng.integers(len(_SHADOWS)))], float(rng.uniform(0.4, 1.0)), penumbra))
    return replace(light, lamps=(replace(main, share=share),), shadows=tuple(shadows))


def _glossy(rng: np.random.Generator, light: Light) -> Light:
    return replace(
        light,
        glare=float(rng.uniform(0.1, 0.55)),
        glare_mm=float(rng.uniform(25, 110)),
        haze=float(rng.uniform(0, 0.12)),
        exposure=float(rng.uniform(0.6, 1.1)),
    )


def _curl(rng: np.random.Generator, least_mm: float, most_mm: float) -> Curl:
    """Long bows may be high, short ones are low: paper does not bend sharply by itself."""
    length = float(rng.uniform(180, 700))
    amplitude = float(rng.uniform(least_mm, most_mm)) * min(1.0, length / 380)
    axis = float(rng.choice([0.0, 90.0, 45.0, -45.0], p=[0.35, 0.35, 0.15, 0.15]))
    return Curl(amplitude, length, axis + float(rng.normal(0, 8)), float(rng.uniform(0, 2 * np.pi)))


def _folds(rng: np.random.Generator, least: float, most: float) -> tuple[Crease, ...]:
    """Folded in halves, thirds or quarters, along one or both sides, and opened again."""
    pattern = int(rng.integers(5))
    x = {0: (0.5,), 1: (1 / 3, 2 / 3), 2: (0.25, 0.5, 0.75), 3: (), 4: (0.5,)}[pattern]
    y = {0: (), 1: (), 2: (), 3: (0.5,), 4: (0.5,)}[pattern]
    creases = []
    sign = 1 if rng.random() < 0.5 else -1
    for number, (axis, place) in enumerate([*(("x", p) for p in x), *(("y", p) for p in y)]):
        slope = float(rng.uniform(least, most)) * (sign if number % 2 == 0 else -sign)
        side: Literal["x", "y"] = "x" if axis == "x" else "y"
        where = place + float(rng.normal(0, 0.008))
        creases.append(Crease(side, where, slope, float(rng.normal(0, 1.2)), float(rng.uniform(0, 0.6))))
    return tuple(creases)


def _with_bend(scene: Scene, bend: Bend) -> Scene:
    return replace(scene, sheets=tuple(replace(sheet, bend=bend) for sheet in scene.sheets))


def _sensor(rng: np.random.Generator, fine: bool) -> Sensor:
    spread = 1.5 if fine else 1.0
    b, g, r = np.exp(rng.normal(0, 0.04, 3)).tolist()
    return Sensor(
        blur_px=float(rng.uniform(0.45, 0.95) * spread),
        shot=float(rng.uniform(0.003, 0.014)),
        read=float(rng.uniform(0, 0.001)),
        denoise=int(rng.random() < 0.25),
        sharpen=float(rng.uniform(0, 1.1) if rng.random() < 0.8 else 0),
        halo_px=5 if rng.random() < 0.3 else 3,
        edge_aware=bool(rng.random() < 0.7),
        white_balance=(b, g, r),
        contrast=float(rng.uniform(0, 0.8)),
        black=float(rng.uniform(0, 0.02)),
    )


def _blurred(rng: np.random.Generator, sensor: Sensor, px_per_mm: float) -> Sensor:
    """Out of focus by up to 0.36 mm (sigma) or shaken by up to 1.1 mm on the paper."""
    if rng.random() < 0.55:
        sensor = replace(sensor, blur_px=float(max(sensor.blur_px, rng.uniform(0.12, 0.36) * px_per_mm)))
    if rng.random() < 0.6:
        length = float(rng.uniform(0.3, 1.1) * px_per_mm)
        sensor = replace(sensor, motion_px=length, motion_deg=float(rng.uniform(0, 180)))
    return sensor


def _compressions(rng: np.random.Generator) -> tuple[int, ...]:
    first = int(rng.integers(78, 96))
    return (first,) if rng.random() < 0.85 else (first, int(rng.integers(60, 90)))


def _covered(rng: np.random.Generator) -> tuple[Occluder, ...]:
    """One or, seldom, two fiducials lost to fingers, things or a folded corner."""
    places = rng.permutation(8)
    result = []
    for place in places[: 1 if rng.random() < 0.75 else 2].tolist():
        if place < 4 and rng.random() < 0.35:
            result.append(Occluder("dog_ear", place, float(rng.uniform(20, 44))))
        else:
            result.append(Occluder(_THINGS[int(rng.integers(len(_THINGS)))], place, float(rng.uniform(15, 25))))
    ears = [o for o in result if o.kind == "dog_ear"]
    return tuple(o for o in result if o not in ears[1:])


def _sent(rng: np.random.Generator, scene: Scene) -> Scene:
    """As a messaging app sends it: 1.6 to 2 megapixels, compressed twice."""
    size = (1600, 1200) if rng.random() < 0.6 else (1920, 1080)
    if scene.width < scene.height:
        size = size[::-1]
    view = replace(scene.view, px_per_mm=scene.view.px_per_mm / max(scene.width, scene.height) * 2 * max(size))
    qualities = (int(rng.integers(80, 94)), int(rng.integers(60, 85)))
    return replace(scene, width=size[0], height=size[1], view=view, downscale=2.0, jpeg=qualities)


def _several(rng: np.random.Generator, scene: Scene) -> Scene:
    """Two to four sheets around the middle of a table: in rows, or each turned to its own player."""
    count = int(rng.integers(2, 5))
    cells = [(-1, -1), (1, -1), (-1, 1), (1, 1)] if count > 2 else [(-1, 0), (1, 0)]
    in_rows = rng.random() < 0.5
    step = np.array([178.0, 150.0]) if in_rows else np.array([192.0, 192.0])
    sheets = []
    for cell in cells[:count]:
        turn = float(np.clip(rng.normal(0, 8), -14, 14) + 180 * (rng.random() < 0.3)) if in_rows else float(rng.uniform(0, 360))
        x, y = (np.array(cell) * step + rng.uniform(-6, 6, 2)).tolist()
        sheets.append(Placement((x, y), turn, Bend((_curl(rng, 0, 5),), (), float(rng.normal(0, 1.5)))))
    tilt, roll = float(rng.uniform(0, 32)), float(rng.normal(0, 8))
    view = replace(scene.view, px_per_mm=scene.view.px_per_mm * 0.75, tilt_deg=tilt, roll_deg=roll)
    return replace(scene, sheets=tuple(sheets), view=view)


def _everything(rng: np.random.Generator, scene: Scene) -> Scene:
    """Many troubles together, each of middling strength."""
    bend = Bend((_curl(rng, 4, 14),), _folds(rng, 0.03, 0.1) if rng.random() < 0.5 else (), float(rng.normal(0, 3)))
    view = replace(
        scene.view,
        px_per_mm=scene.view.px_per_mm * rng.uniform(0.6, 0.95),
        tilt_deg=float(rng.uniform(12, 35)),
        roll_deg=float(rng.normal(0, 12)),
        position=_anywhere(rng),
    )
    light = _shadowed(rng, _ramp(rng, scene.light, 0.6))
    if rng.random() < 0.5:
        light = replace(light, glare=float(rng.uniform(0.05, 0.25)))
    light = replace(light, exposure=float(rng.uniform(0.3, 1.1)))
    sensor = replace(scene.sensor, shot=float(rng.uniform(0.01, 0.03)), blur_px=float(rng.uniform(0.8, 1.8)))
    placement = replace(_turned(rng, 0.2), bend=bend)
    scene = replace(scene, view=view, light=light, sensor=sensor, sheets=(placement,), jpeg=(85, 75))
    if rng.random() < 0.6:
        scene = replace(scene, occluders=_covered(rng)[:1])
    return scene
