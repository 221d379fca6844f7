"""What a synthetic photograph is made of: sheets on a table, lamps, a camera. Pure values; `camera.photograph` renders them.

The table frame is in mm: X right and Y down as the upright photo shows them, Z up from the table; its origin is the point at
which the camera looks. A sheet lies with its centre at `Placement.centre_mm` before it is bent.
"""

from dataclasses import dataclass
from typing import Literal

TableKind = Literal[
    "wood", "planks", "slate", "stone", "cloth", "stripes", "checks", "white_cloth", "metal", "card", "tiles", "plain"
]
OccluderKind = Literal["finger", "coin", "pen", "die", "dog_ear"]
ShadowKind = Literal["edge", "phone", "hand", "bars", "blob"]

TABLE_KINDS: tuple[TableKind, ...] = (
    "wood", "planks", "slate", "stone", "cloth", "stripes", "checks", "white_cloth", "metal", "card", "tiles", "plain",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Curl:
    """A bow of the paper that runs along one direction: height A (1 + cos(2 pi s / wavelength + phase)) / 2."""

    amplitude_mm: float
    wavelength_mm: float
    direction_deg: float
    phase: float


@dataclass(frozen=True, slots=True)
class Crease:
    """A fold that was opened again: a ridge (rise_mm > 0) or a valley through the point at `place` (0..1) of the paper's
    width ("x") or height ("y"), turned by `skew_deg`; the paper falls by `slope` on both sides of it."""

    axis: Literal["x", "y"]
    place: float
    slope: float
    skew_deg: float = 0.0
    wear: float = 0.3
    """How far the fold has cracked the paper and what is on it, 0..1."""


@dataclass(frozen=True, slots=True)
class Bend:
    """All that keeps the paper from lying flat; `twist_mm` lifts two opposite corners, `cockle_mm` is small waviness."""

    curls: tuple[Curl, ...] = ()
    creases: tuple[Crease, ...] = ()
    twist_mm: float = 0.0
    cockle_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Placement:
    """Where one sheet lies: its centre in table mm, its rotation clockwise as seen from above, and its bends."""

    centre_mm: tuple[float, float] = (0.0, 0.0)
    rotation_deg: float = 0.0
    bend: Bend = Bend()


@dataclass(frozen=True, slots=True)
class View:
    """The camera's geometry.

    px_per_mm: photo px a table mm where the camera looks, before `Scene.downscale`; lowered when the sheets would not fit.
    focal: focal length in units of the photo's longer side (a phone's main camera has about 0.75, its wide one 0.45).
    tilt_deg: 0 is straight from above. roll_deg: turn of the camera about its axis.
    position: where the sheets' bounding box stands in the room that the frame leaves, 0..1 each way.
    cut_mm: how much of one corner of a turned sheet lies outside the frame.
    distortion: radial coefficient k1 at half the longer side (negative: barrel).
    """

    px_per_mm: float
    focal: float = 0.75
    tilt_deg: float = 0.0
    roll_deg: float = 0.0
    position: tuple[float, float] = (0.5, 0.5)
    cut_mm: float = 0.0
    distortion: float = 0.0


@dataclass(frozen=True, slots=True)
class Stock:
    """The paper itself. `white`: linear reflectance of its white, blue first; `black`: what the deepest print still reflects;
    texture, show_through (of print on the back) and stain are strengths, 0..1."""

    white: tuple[float, float, float] = (0.84, 0.85, 0.86)
    black: float = 0.0
    bleed_mm: float = 0.0
    texture: float = 0.2
    show_through: float = 0.0
    stain: float = 0.0


@dataclass(frozen=True, slots=True)
class Lamp:
    """A small lamp at `place_mm` (table frame) of the given colour (linear, blue first) and share of the light."""

    place_mm: tuple[float, float, float]
    colour: tuple[float, float, float]
    share: float


@dataclass(frozen=True, slots=True)
class Shadow:
    """Something between the first lamp and the table. `depth`: how much of that lamp's light it takes, 0..1."""

    kind: ShadowKind
    depth: float
    penumbra_mm: float


@dataclass(frozen=True, slots=True)
class Light:
    """All light. Ambient light takes the share that the lamps leave.

    exposure: linear value that a perfect white reaches in the papers' bright parts (1 is the brightest the sensor holds).
    glare: strength of the lamps' reflection on paper; its size is `glare_mm`. haze: stray light in the lens, 0..1.
    vignette: darkening in the frame's corners, 0..1. balance: how much of the light's colour the camera takes out, 0..1.
    """

    exposure: float = 0.8
    ambient: tuple[float, float, float] = (1.0, 1.0, 1.0)
    lamps: tuple[Lamp, ...] = ()
    shadows: tuple[Shadow, ...] = ()
    glare: float = 0.0
    glare_mm: float = 60.0
    haze: float = 0.0
    vignette: float = 0.1
    balance: float = 0.7


@dataclass(frozen=True, slots=True)
class Table:
    """What the sheets lie on; `clutter` other things lie around them."""

    kind: TableKind = "wood"
    clutter: int = 0


@dataclass(frozen=True, slots=True)
class Occluder:
    """Something over a fiducial of sheet `sheet`: at `place` 0..3 a corner (top left, clockwise), 4..7 an edge's middle (top,
    right, bottom, left). `reach_mm`: how far it comes in from the paper's edge (a dog ear: length of its legs)."""

    kind: OccluderKind
    place: int
    reach_mm: float
    sheet: int = 0


@dataclass(frozen=True, slots=True)
class Sensor:
    """From light to numbers.

    blur_px: sigma of the lens and focus; motion_px, motion_deg: length and direction of the shake.
    shot, read: noise, as standard deviations of the square root of light and of light itself (1 is full well).
    denoise: 0 none, 1 light, 2 heavy. sharpen: gain of the halo-making sharpening, halo_px its (odd) width.
    edge_aware: the demosaicing.
    white_balance: gains left wrong, blue first. contrast: 0 is a plain sRGB-like curve, 1 a steep S. black: black level.
    """

    blur_px: float = 0.7
    motion_px: float = 0.0
    motion_deg: float = 0.0
    shot: float = 0.008
    read: float = 0.0005
    denoise: int = 0
    sharpen: float = 0.5
    halo_px: int = 3
    edge_aware: bool = True
    white_balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    contrast: float = 0.2
    black: float = 0.0


@dataclass(frozen=True, slots=True)
class Scene:
    """One photograph to be taken: `width` x `height` is its final size in px; it is rendered `downscale` times as large and
    reduced (as messaging apps do). `jpeg`: the qualities of the compressions it went through, in order. `fine`: textures at
    full resolution and 16-bit light, for pictures that people look at; else a faster rendering of the same scene."""

    width: int
    height: int
    view: View
    sheets: tuple[Placement, ...] = (Placement(),)
    stock: Stock = Stock()
    light: Light = Light()
    table: Table = Table()
    occluders: tuple[Occluder, ...] = ()
    sensor: Sensor = Sensor()
    jpeg: tuple[int, ...] = (90,)
    downscale: float = 1.0
    fine: bool = False
