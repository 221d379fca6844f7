"""Lens blur, a Bayer sensor with its noise, and what a phone makes of it.

The sensor works on the square root of light, in which photon noise has the same strength everywhere (Anscombe 1948).
"""

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from scanner.geometry import BgrImage
from scanner.synth.light import REDUCTION, Field, LightFields
from scanner.synth.scene import Sensor

_BAYER = ((0, 0, 2), (0, 1, 1), (1, 0, 1), (1, 1, 0))
"""Row and column in the 2 x 2 tile, and the channel (blue first) that is measured there: RGGB."""
_BANK_ROWS = 256


def blur(picture: MatLike, sensor: Sensor) -> MatLike:
    """The linear picture out of focus and shaken; uint8 or uint16 (H, W, 3)."""
    if sensor.blur_px > 0.3:
        reach = 2 * max(round(1.8 * sensor.blur_px), 1) + 1
        picture = cv2.GaussianBlur(picture, (reach, reach), sensor.blur_px)
    if sensor.motion_px >= 1:
        # Averages of shifted copies, each half as far as the one before, make an even smear.
        length = sensor.motion_px / 2
        direction = np.array([np.cos(np.radians(sensor.motion_deg)), np.sin(np.radians(sensor.motion_deg))])
        while length >= 0.75:
            dx, dy = np.round(direction * length).astype(int)
            picture = _doubled(picture, int(dx), int(dy))
            length /= 2
    return picture


def _doubled(picture: MatLike, dx: int, dy: int) -> MatLike:
    """The average of two copies (dx, dy) apart, which keeps the picture in place to half a px."""
    x, y = abs(dx), abs(dy)
    padded = cv2.copyMakeBorder(picture, y, y, x, x, cv2.BORDER_REPLICATE)
    h, w = picture.shape[:2]

    def moved(by_x: int, by_y: int) -> MatLike:
        return padded[y + by_y : y + by_y + h, x + by_x : x + by_x + w]

    return cv2.addWeighted(moved(dx // 2, dy // 2), 0.5, moved(dx // 2 - dx, dy // 2 - dy), 0.5, 0)


def expose(picture: MatLike, fields: LightFields, sensor: Sensor, rng: np.random.Generator) -> BgrImage:
    """The developed photo, uint8 (H, W, 3), of the linear picture under that light; height and width are even."""
    h, w = picture.shape[:2]
    full = 255.0 if picture.dtype == np.uint8 else 65535.0
    bank = rng.standard_normal((_BANK_ROWS, w // 2 + 64), np.float32)
    mosaic = np.empty((h, w), np.uint8)
    has_added = bool(fields.added.any())
    for row, column, channel in _BAYER:
        light = np.ascontiguousarray(picture[row::2, column::2, channel]).astype(np.float32)
        balance = 255.0**2 * sensor.white_balance[channel]
        light *= _plane(fields.gain[..., channel] * np.float32(balance / full), light.shape)
        if has_added:
            light += _plane(fields.added[..., channel] * np.float32(balance), light.shape)
        if sensor.read:
            _add_noise(light, bank, sensor.read * 255**2, rng)
        np.maximum(light, 0, out=light)
        cv2.sqrt(light, light)
        _add_noise(light, bank, sensor.shot * 255, rng)
        mosaic[row::2, column::2] = cv2.convertScaleAbs(np.maximum(light, 0, out=light))
    return _process(mosaic, sensor)


def _plane(field: Field, shape: tuple[int, ...]) -> Field:
    """The field at one Bayer plane's resolution."""
    size = (field.shape[1] * REDUCTION // 2, field.shape[0] * REDUCTION // 2)
    return np.asarray(cv2.resize(field, size, interpolation=cv2.INTER_LINEAR)[: shape[0], : shape[1]], np.float32)


def _add_noise(light: Field, bank: Field, sigma: float, rng: np.random.Generator) -> None:
    """Adds normal noise from the bank, at a new offset for each block of rows, in place."""
    w = light.shape[1]
    for start in range(0, light.shape[0], _BANK_ROWS):
        block = light[start : start + _BANK_ROWS]
        offset = int(rng.integers(0, 64))
        noise = bank[: block.shape[0], offset : offset + w]
        cv2.scaleAdd(noise, sigma if rng.random() < 0.5 else -sigma, block, block)


def _process(mosaic: MatLike, sensor: Sensor) -> BgrImage:
    """Tone curve, demosaicing, denoising and sharpening."""
    code = cv2.COLOR_BayerRGGB2BGR_EA if sensor.edge_aware else cv2.COLOR_BayerRGGB2BGR
    bgr = cv2.cvtColor(cv2.LUT(mosaic, _tone_table(sensor)), code)
    if sensor.denoise == 1:
        bgr = cv2.medianBlur(bgr, 3)
    elif sensor.denoise == 2:
        bgr = cv2.bilateralFilter(bgr, 5, 255 * sensor.shot * 3 + 6, 1.5)
    if sensor.sharpen:
        soft = cv2.blur(bgr, (sensor.halo_px, sensor.halo_px))
        bgr = cv2.addWeighted(bgr, 1 + sensor.sharpen, soft, -sensor.sharpen, 0)
    return np.asarray(bgr, np.uint8)


def _tone_table(sensor: Sensor) -> NDArray[np.uint8]:
    """From the square root of light, uint8, to the encoded value: black level, sRGB curve, contrast."""
    light = sensor.black + (1 - sensor.black) * (np.arange(256) / 255.0) ** 2
    encoded = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    steep = encoded * encoded * (3 - 2 * encoded)
    encoded = (1 - 0.6 * sensor.contrast) * encoded + 0.6 * sensor.contrast * steep
    return np.asarray(np.clip(np.round(encoded * 255), 0, 255), np.uint8)
