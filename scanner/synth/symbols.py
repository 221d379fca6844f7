"""How people draw the five symbols, crossings-out and things that are neither: strokes from a seeded hand.

A drawing is a list of strokes, each a float64 array (n, 2) of points in a unit box centred on the origin, x right, y down:
the drawing's larger side is about 1. Every generator takes `style`, a number in [0, 1) that is a person's habit (the same
for all their drawings of that class), and a numpy Generator for what varies from one drawing to the next.
"""

import itertools
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.random import Generator

from scanner.geometry import FloatArray

Strokes = list[FloatArray]
Draw = Callable[[float, Generator], Strokes]


def smooth(points: FloatArray, per_segment: int = 6) -> FloatArray:
    """A Catmull-Rom curve through `points` (n, 2), `per_segment` points between neighbours."""
    if len(points) < 3:
        return points
    padded = np.vstack([2 * points[0] - points[1], points, 2 * points[-1] - points[-2]])
    t = np.linspace(0, 1, per_segment, endpoint=False)[:, None]
    p0, p1, p2, p3 = padded[:-3, None], padded[1:-2, None], padded[2:-1, None], padded[3:, None]
    curve = 0.5 * (2 * p1 + (p2 - p0) * t + (2 * p0 - 5 * p1 + 4 * p2 - p3) * t**2 + (3 * p1 - p0 - 3 * p2 + p3) * t**3)
    return np.vstack([curve.reshape(-1, 2), points[-1:]])


def line(start: tuple[float, float], end: tuple[float, float], rng: Generator, bend: float = 0.04) -> FloatArray:
    """A stroke from start to end, bowed sideways by about `bend` of its length."""
    a, b = np.array(start, float), np.array(end, float)
    normal = np.array([a[1] - b[1], b[0] - a[0]])
    middle = (a + b) / 2 + normal * rng.normal(0, bend)
    return smooth(np.array([a, middle, b]), 5)


def arc(centre: tuple[float, float], radii: tuple[float, float], start: float, sweep: float, rng: Generator) -> FloatArray:
    """Part of an ellipse from angle `start` over `sweep` (radians, clockwise on paper), with a slow wobble of its radius."""
    n = max(6, int(abs(sweep) / (2 * np.pi) * 28))
    t = np.linspace(0, 1, n)
    angle = start + sweep * t
    wobble = 1 + 0.05 * rng.normal() * np.sin(2 * angle + rng.uniform(0, 6.3)) + 0.03 * rng.normal() * np.sin(3 * angle)
    drift = 1 + rng.normal(0, 0.06) * (t - 0.5)
    r = wobble * drift
    return np.stack([centre[0] + radii[0] * r * np.cos(angle), centre[1] + radii[1] * r * np.sin(angle)], 1)


def _jitter(points: FloatArray, rng: Generator, amount: float) -> FloatArray:
    return points + rng.normal(0, amount, points.shape)


def _polygon(corners: FloatArray, style: float, rng: Generator, open_chance: float = 0.25) -> Strokes:
    """Corners joined in turn: in one stroke, or side by side; closed, or not quite, or overshooting."""
    ring = np.vstack([corners, corners[:1]])
    if style < 0.55:
        if rng.random() < open_chance:
            ring[-1] += (ring[-2] - ring[-1]) * rng.uniform(-0.12, 0.25)
        sides = [line(tuple(a), tuple(b), rng, 0.03) for a, b in itertools.pairwise(ring)]
        stroke = np.vstack(sides)
        return [smooth(stroke[:: int(rng.integers(2, 5))]) if rng.random() < 0.35 else stroke]
    reach = rng.normal(0.02, 0.05, (len(corners), 2))
    return [
        line(tuple(a - (b - a) * reach[i, 0]), tuple(b + (b - a) * reach[i, 1]), rng, 0.03)
        for i, (a, b) in enumerate(itertools.pairwise(ring))
    ]


def sun(style: float, rng: Generator) -> Strokes:
    """A circle: closed, open, overshooting or drawn twice; round, flat or tall."""
    rx = 0.5 * np.clip(rng.normal(1, 0.1), 0.6, 1)
    ry = 0.5 * np.clip(rng.normal(1, 0.1), 0.6, 1)
    start = rng.normal(-1.6, 0.7) if style < 0.8 else rng.uniform(0, 6.3)
    sweep = 2 * np.pi + rng.normal(-0.1, 0.35)
    if 0.45 < style < 0.6:
        sweep = 2 * np.pi - rng.uniform(0.3, 1.2)
    elif style > 0.88:
        sweep = 2 * np.pi * rng.uniform(1.4, 2.4)
    circle = arc((0, 0), (rx, ry), start, sweep * rng.choice([-1, 1]), rng)
    if rng.random() < 0.12:
        half = arc((0, 0), (rx, ry), start, np.pi + 0.2, rng)
        return [half, arc((rng.normal(0, 0.03), 0), (rx, ry), start + np.pi, np.pi + rng.normal(0, 0.2), rng)]
    return [circle]


def star(style: float, rng: Generator) -> Strokes:
    """A five-pointed star in one stroke or five, or as an outline; now and then six-rayed."""
    turn = -np.pi / 2 + rng.normal(0, 0.12)
    if style < 0.68:
        tips = turn + 2 * np.pi * np.arange(5) * 2 / 5
        radius = 0.5 * rng.normal(1, 0.11, 5)
        points = np.stack([np.cos(tips), np.sin(tips)], 1) * radius[:, None]
        points = _jitter(points * [1, rng.uniform(0.8, 1.1)], rng, 0.03)
        first = 2 if rng.random() < 0.7 else int(rng.integers(5))
        points = np.roll(points, -first, axis=0)
        if rng.random() < 0.5:
            points = points[::-1]
        return _polygon(points, 0.2 if style < 0.58 else 0.8, rng, 0.6)
    if style < 0.93:
        n = 5 if rng.random() < 0.93 else 6
        inner = rng.uniform(0.38, 0.58)
        angle = turn + np.pi / n * np.arange(2 * n)
        radius = 0.5 * np.where(np.arange(2 * n) % 2 == 0, 1, inner) * rng.normal(1, 0.08, 2 * n)
        return _polygon(_jitter(np.stack([np.cos(angle), np.sin(angle)], 1) * radius[:, None], rng, 0.015), 0.2, rng, 0.5)
    # Two triangles: six rays by mistake.
    strokes: Strokes = []
    for offset in (0.0, np.pi):
        angle = turn + offset + 2 * np.pi / 3 * np.arange(3)
        corners = 0.5 * np.stack([np.cos(angle), np.sin(angle)], 1)
        strokes += _polygon(_jitter(corners, rng, 0.03), 0.2, rng)
    return strokes


def pyramid(style: float, rng: Generator) -> Strokes:
    """A triangle, point up, leaning, flat or steep; one stroke or three."""
    apex = (rng.normal(0, 0.1) + (0.25 * rng.normal() if style > 0.8 else 0), -0.5)
    height = rng.uniform(0.45, 1.0)
    width = rng.uniform(0.55, 1.0)
    corners = np.array([[apex[0] * width, -height / 2], [width / 2, height / 2], [-width / 2, height / 2]])
    corners = _jitter(corners, rng, 0.045)
    shift = int(rng.integers(3))
    corners = np.roll(corners, shift, axis=0)
    if rng.random() < 0.5:
        corners = corners[::-1]
    if 0.5 < style < 0.58:
        # An A-like pyramid: two legs that run past the base line.
        legs = [line((0, -0.5), (-0.4, 0.5), rng), line((0, -0.5), (0.4, 0.5), rng)]
        return [*legs, line((-0.42, rng.uniform(0.25, 0.4)), (0.42, rng.uniform(0.25, 0.4)), rng)]
    return _polygon(corners, style * 0.5 / 0.55 if style < 0.7 else 0.8, rng, 0.5)


def _blot(centre: tuple[float, float], radius: float, rng: Generator) -> FloatArray:
    """A filled spot, drawn as a tight spiral."""
    t = np.linspace(0, 1, 26)
    angle = t * 2 * np.pi * max(1.5, radius * 22) + rng.uniform(0, 6.3)
    r = radius * t
    return np.stack([centre[0] + r * np.cos(angle), centre[1] + r * np.sin(angle)], 1)


def eye(style: float, rng: Generator) -> Strokes:
    """An almond with a pupil: dot, ring or blot; with lashes, a brow, or bare; corners pointed, round or crossing."""
    h = rng.uniform(0.14, 0.34) if style < 0.85 else rng.uniform(0.3, 0.46)
    tilt = rng.normal(0, 0.06)
    left, right = np.array([-0.5, rng.normal(0, 0.05)]), np.array([0.5, rng.normal(0, 0.05)])
    top = np.array([rng.normal(0, 0.08), -h * rng.uniform(0.8, 1.25)])
    bottom = np.array([rng.normal(0, 0.08), h * rng.uniform(0.5, 1.1)])
    q = rng.uniform(0.45, 0.85)
    upper = smooth(np.array([left, [-0.27, top[1] * q], top, [0.27, top[1] * q], right]), 6)
    lower = smooth(np.array([right, [0.27, bottom[1] * q], bottom, [-0.27, bottom[1] * q], left]), 6)
    kind = (style * 7.3) % 1
    strokes: Strokes
    if kind < 0.45:
        strokes = [np.vstack([upper, lower])]
    elif kind < 0.75:
        cross = rng.uniform(0, 0.12, 2)
        strokes = [upper, lower + np.array([0, cross[0] * 0.3])]
        if rng.random() < 0.4:
            strokes[0] = np.vstack([upper, right + np.array([cross[1], cross[0]])])
    elif kind < 0.9:
        strokes = [arc((0, 0), (0.5, max(h, 0.2)), rng.uniform(2.5, 3.6), 2 * np.pi + rng.normal(0, 0.2), rng)]
    else:
        strokes = [upper] if rng.random() < 0.5 else [upper, lower]
    inner = min(h, 0.3)
    where = (rng.normal(0, 0.07), rng.normal(0, 0.03))
    pupil = (style * 3.7) % 1
    if pupil < 0.28:
        strokes.append(_blot(where, rng.uniform(0.03, 0.07), rng))
    elif pupil < 0.55:
        strokes.append(arc(where, (inner * 0.75, inner * 0.85), rng.uniform(0, 6.3), 2 * np.pi + rng.normal(0, 0.3), rng))
        if rng.random() < 0.5:
            strokes.append(_blot(where, rng.uniform(0.02, 0.05), rng))
    elif pupil < 0.85:
        strokes.append(_blot(where, inner * rng.uniform(0.5, 0.95), rng))
    else:
        strokes.append(line((where[0], -inner * 0.8), (where[0], inner * 0.8), rng))
    decoration = (style * 5.1) % 1
    if decoration < 0.3:
        for x in np.linspace(-0.36, 0.36, int(rng.integers(3, 8))):
            y = top[1] * (1 - (x / 0.55) ** 2)
            length = rng.uniform(0.1, 0.22)
            strokes.append(line((x, y), (x * 1.25 + rng.normal(0, 0.03), y - length), rng))
        if rng.random() < 0.25:
            for x in np.linspace(-0.3, 0.3, int(rng.integers(3, 5))):
                strokes.append(line((x, bottom[1] * 0.8), (x * 1.2, bottom[1] * 0.8 + 0.13), rng))
    elif decoration < 0.42:
        lift = rng.uniform(0.12, 0.2)
        strokes.append(smooth(np.array([left, top, right]) * [0.95, 1] - [0, lift]))
    elif decoration < 0.5:
        strokes.append(line((0.42, 0.02), (0.6, rng.uniform(0.1, 0.25)), rng))
    turn = np.array([[np.cos(tilt), np.sin(tilt)], [-np.sin(tilt), np.cos(tilt)]])
    return [s @ turn for s in strokes]


def lotus(style: float, rng: Generator) -> Strokes:
    """A Psi: a bowl or a wedge through which a stem runs; round or angular, two or three strokes, or one."""
    w = rng.uniform(0.3, 0.48)
    base = rng.uniform(0.0, 0.28)
    left, right = np.array([-w, rng.normal(-0.4, 0.07)]), np.array([w, rng.normal(-0.4, 0.07)])
    stem_top, stem_bottom = (rng.normal(0, 0.05), rng.uniform(-0.5, -0.3)), (rng.normal(0, 0.06), 0.5)
    if style < 0.5:
        k = rng.uniform(0.75, 1.0)
        bowl = smooth(np.array([left, [-w * k, base * 0.4], [0, base], [w * k, base * 0.4], right]))
    elif style < 0.75:
        bowl = np.vstack([line(tuple(left), (0, base), rng), line((0, base), tuple(right), rng)])
    elif style < 0.88:
        corner = base * rng.uniform(0.8, 1)
        bowl = np.vstack(
            [
                line(tuple(left), (-w * 0.9, corner), rng),
                line((-w * 0.9, corner), (w * 0.9, corner), rng),
                line((w * 0.9, corner), tuple(right), rng),
            ]
        )
    else:
        # Ends that curl in or out, as in handwriting.
        curl = rng.uniform(-0.12, 0.12)
        bowl = smooth(
            np.array([left + np.array([curl, 0.06]), left, [-w * 0.8, base * 0.5], [0, base], [w * 0.8, base * 0.5], right])
        )
    if (style * 6.7) % 1 < 0.12:
        # One stroke: bowl, back to the middle, up and down.
        return [np.vstack([bowl, line(tuple(right), stem_top, rng), line(stem_top, stem_bottom, rng)])]
    strokes = [bowl, line(stem_top, stem_bottom, rng)]
    if rng.random() < 0.08:
        strokes.append(line((-0.15, 0.5), (0.15, 0.5), rng))
    return strokes


def crossed(style: float, rng: Generator) -> Strokes:
    """A crossing-out: X in two strokes or one, an asterisk, a plus, hatching, a scribble, or one bold line."""
    spread = rng.uniform(0.35, 0.5, 4)
    if style < 0.5:
        return [
            line((-spread[0], -spread[1]), (spread[2], spread[3]), rng, 0.06),
            line((spread[1], -spread[0]), (-spread[3], spread[2]), rng, 0.06),
        ]
    if style < 0.62:
        a, b = (-spread[0], -spread[1]), (spread[2], spread[3])
        c, d = (spread[2] * rng.uniform(0.7, 1.1), -spread[1]), (-spread[0], spread[3])
        if rng.random() < 0.5:
            a, b = b, a
        loop = smooth(np.array([b, [b[0] + 0.06, (b[1] + c[1]) / 2], c]), 4)
        return [np.vstack([line(a, b, rng), loop, line(c, d, rng)])]
    if style < 0.68:
        angles = rng.uniform(0, 0.5) + np.pi * np.arange(3) / 3 + rng.normal(0, 0.08, 3)
        return [line((-0.5 * np.cos(t), -0.5 * np.sin(t)), (0.5 * np.cos(t), 0.5 * np.sin(t)), rng) for t in angles]
    if style < 0.76:
        slope = rng.choice([-1, 1])
        offsets = np.linspace(-0.55, 0.55, int(rng.integers(3, 6)))
        strokes = [
            line((max(-0.5, o - 0.5), slope * max(-0.5, -o - 0.5)), (min(0.5, o + 0.5), slope * min(0.5, 0.5 - o)), rng)
            for o in offsets
        ]
        return strokes + ([s * [-1, 1] for s in strokes] if rng.random() < 0.3 else [])
    if style < 0.92:
        n = int(rng.integers(6, 13))
        along = np.linspace(-0.5, 0.5, n) + rng.normal(0, 0.03, n)
        across = np.where(np.arange(n) % 2 == 0, -1, 1) * rng.uniform(0.25, 0.5, n)
        points = np.stack([along, across], 1)
        angle = rng.choice([0, np.pi / 2, np.pi / 4]) + rng.normal(0, 0.25)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        points = points @ turn
        return [smooth(points, 4) if rng.random() < 0.6 else points]
    angle = rng.choice([0.8, -0.8]) + rng.normal(0, 0.15)
    end = np.array([np.cos(angle), np.sin(angle)]) * 0.6
    bold = [line(tuple(-end), tuple(end), rng, 0.03)]
    return bold + ([line(tuple(-end), tuple(end), rng, 0.03)] if rng.random() < 0.7 else [])


_LETTERS: Final = {
    "A": "0,1 .5,0 1,1|.2,.6 .8,.6",
    "B": "0,0 0,1|0,0 .7,.1 .8,.3 .6,.5 0,.5|0,.5 .8,.6 .9,.8 .7,1 0,1",
    "C": "~.9,.15 .5,0 .05,.5 .5,1 .9,.85",
    "D": "0,0 0,1|~0,0 .6,.1 .9,.5 .6,.9 0,1",
    "E": ".8,0 0,0 0,1 .8,1|0,.5 .6,.5",
    "F": ".8,0 0,0 0,1|0,.5 .6,.5",
    "H": "0,0 0,1|.8,0 .8,1|0,.5 .8,.5",
    "K": "0,0 0,1|.8,0 0,.55 .8,1",
    "L": "0,0 0,1 .7,1",
    "M": "0,1 0,0 .5,.6 1,0 1,1",
    "N": "0,1 0,0 .8,1 .8,0",
    "P": "0,1 0,0|~0,0 .8,.1 .8,.45 0,.5",
    "R": "0,1 0,0|~0,0 .8,.1 .8,.45 0,.5|0,.5 .8,1",
    "S": "~.8,.1 .4,0 .1,.25 .5,.5 .8,.75 .4,1 0,.9",
    "T": "0,0 1,0|.5,0 .5,1",
    "U": "~0,0 .05,.8 .4,1 .75,.8 .8,0",
    "V": "0,0 .45,1 .9,0",
    "W": "0,0 .25,1 .5,.3 .75,1 1,0",
    "Z": "0,0 .9,0 0,1 .9,1",
    "1": ".1,.25 .4,0 .4,1",
    "2": "~.05,.25 .4,0 .8,.25 .5,.6 0,1|0,1 .9,1",
    "3": "~.05,.1 .6,0 .7,.35 .3,.48 .8,.7 .5,1 0,.9",
    "4": ".6,1 .6,0 0,.65 .9,.65",
    "5": ".8,0 .1,0 .1,.45|~.1,.45 .6,.4 .8,.7 .5,1 0,.92",
    "6": "~.7,.05 .2,.4 .1,.8 .5,1 .8,.75 .4,.55 .12,.75",
    "7": "0,0 .8,0 .3,1",
    "8": "~.7,.2 .4,0 .1,.2 .4,.47 .8,.75 .4,1 .05,.75 .45,.47 .7,.2",
    "9": "~.7,.3 .4,.5 .1,.25 .4,0 .7,.2 .7,.6 .5,1",
    "heart": "~.5,.3 .3,0 0,.2 .1,.55 .5,1 .9,.55 1,.2 .7,0 .5,.3",
    "square": "0,0 1,0 1,1 0,1 0,0",
    "diamond": ".5,0 1,.5 .5,1 0,.5 .5,0",
    "arrow": "0,.5 1,.5|.7,.2 1,.5 .7,.8",
    "question": "~.1,.2 .5,0 .8,.25 .5,.5 .45,.7|.45,.95 .46,1",
    "exclamation": ".5,0 .5,.7|.5,.95 .51,1",
    "tick": "0,.6 .35,1 1,0",
    "caret": "0,1 .5,0 1,1",
    "equals": "0,.35 1,.35|0,.65 1,.65",
    "plus": ".5,0 .5,1|0,.5 1,.5",
    "house": "0,1 0,.45 .5,0 1,.45 1,1 0,1",
    "infinity": "~.5,.5 .2,.2 0,.5 .2,.8 .5,.5 .8,.2 1,.5 .8,.8 .5,.5",
    "bracket": "~.7,0 .3,.2 .3,.8 .7,1",
    "sigma": ".9,.1 .1,0 .5,.5 .1,1 .9,.9",
    "pi": "0,.1 1,.1|.25,.1 .2,1|.75,.1 .8,1",
    "spiral": "~.5,.5 .6,.5 .55,.65 .35,.6 .35,.35 .65,.25 .85,.5 .7,.85 .3,.9 .05,.5 .3,.05 .8,.05",
    "moon": "~.7,0 .2,.2 .2,.8 .7,1 .5,.75 .5,.25 .7,0",
    "bolt": ".6,0 .2,.55 .7,.5 .3,1",
    "smile": "~0,.5 .15,.1 .5,0 .85,.1 1,.5 .85,.9 .5,1 .15,.9 0,.5|.35,.3 .36,.38|.65,.3 .66,.38|~.25,.6 .5,.8 .75,.6",
    "dots": ".2,.5 .22,.52|.5,.5 .52,.52|.8,.5 .82,.52",
    "dot": ".5,.5 .53,.52",
}
"""Letters, digits and doodles: control points in a box from (0, 0) to (1, 1); '|' parts strokes, '~' starts a curve."""


def other(style: float, rng: Generator) -> Strokes:
    """Something that is no symbol and no crossing-out: a letter, a digit, a doodle, a stray stroke."""
    keys = list(_LETTERS)
    if rng.random() < 0.1:
        points = rng.uniform(-0.5, 0.5, (int(rng.integers(2, 6)), 2))
        return [smooth(points)]
    spec = _LETTERS[keys[int((style * 97 + rng.integers(len(keys))) % len(keys))]]
    strokes: Strokes = []
    shear, squeeze = rng.normal(0, 0.12), rng.uniform(0.6, 1.0)
    for part in spec.split("|"):
        curved = part.startswith("~")
        points = np.array([[float(v) for v in p.split(",")] for p in part.lstrip("~").split()]) - 0.5
        points = _jitter(points, rng, 0.04)
        if curved or rng.random() < 0.15:
            points = smooth(points)
        strokes.append(points @ np.array([[squeeze, 0], [shear, 1]]))
    return strokes


def tick(style: float, rng: Generator) -> Strokes:
    """A tick: a short stroke down, a long one up; sharp or round."""
    points = _jitter(np.array([[-0.4, 0.0], [-0.12, 0.4], [0.5, -0.5]]), rng, 0.06)
    return [smooth(points) if style > 0.6 else points]


def scribble(style: float, rng: Generator) -> Strokes:
    """A to-and-fro scribble that fills, or a spiral."""
    if style > 0.8:
        t = np.linspace(0, 1, 60)
        angle = t * 2 * np.pi * rng.uniform(2.5, 5)
        return [np.stack([0.5 * t * np.cos(angle), 0.5 * t * np.sin(angle)], 1) + rng.normal(0, 0.02, (60, 2))]
    return crossed(0.8, rng)


SYMBOLS: Final[dict[str, Draw]] = {
    "sun": sun,
    "star": star,
    "pyramid": pyramid,
    "eye": eye,
    "lotus": lotus,
    "crossed": crossed,
    "other": other,
}
"""By the content labels of `scanner.reading.readings`."""

MARKS: Final[dict[str, Draw]] = {"tick": tick, "cross": crossed, "scribble": scribble, "circle": sun}
"""How people mark a circle."""
