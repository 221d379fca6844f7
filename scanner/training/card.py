"""The model card, models/README.md, written from the figures of the last fits."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from scanner.reading.networks import manifest

_INTRODUCTION: Final = """# The models

Four small convolutional networks read the crops of a rectified sheet. Each is an ONNX file with its labels in the metadata;
`manifest.json` names every file with its SHA-256, labels, input size and the command that rebuilds it, and the scanner
refuses to load a file whose bytes are not the ones named there. The content labels are blank, the five symbols, crossed out,
and something else: letters, digits and doodles that must not pass as symbols. This page is written by
`python -m scanner.training card` from `figures.json`, which the training leaves.

| model | reads | input | outputs |
| --- | --- | --- | --- |
| `content.onnx` | what is in a cell of the obelisk or a scroll | 64 x 64, 48 px a cell | log-probabilities, 8 labels |
| `edges.onnx` | whether a cell's edge carries a drawn line | 32 x 56, the edge lying flat | log-odds |
| `struck.onnx` | whether a printed wall cell is struck through | 40 x 40 | log-odds |
| `marks.onnx` | whether a circle is marked | 72 x 72 | log-odds |

Crops are uint8 with paper white near 230, whatever the light in the photo. Weights are float16; those of the content
network's convolutions, and what passes between them, are integers of 8 bits. All files together: {size} KB.

## Data

Training sees synthetic photos only, made from a seed by `scanner.synth`: sheets in many print styles, filled by many hands with
pens and pencils, photographed by a camera with perspective, bent paper, shadows, lamps, noise, blur and JPEG, then found,
rectified and cropped by the scanner itself. Hands are the project's own synthetic hand and, for a part of the sheets, real
people's drawings from public collections:

| collection | what | licence |
| --- | --- | --- |
| $1 unistroke gestures (Wobbrock, Wilson, Li 2007) | pen on a tablet | new BSD |
| MMG, mixed multistroke gestures (Anthony, Wobbrock 2012) | pen and finger | BSD-3-Clause |
| EDS, execution-difficulty sets (Vatavu et al. 2011) | pen on a tablet | BSD-3-Clause |
| SIGN, pen commands (Almaksour) | pen | BSD-3-Clause |
| LaViola, mathematical symbols | pen | BSD-3-Clause |
| Quick, Draw! (Google) | eyes, and doodles to be rejected | CC BY 4.0 |
| Hand-drawn shapes (Francois Robert) | finger | CC BY 4.0 |
| BHMSDS | pen on paper, photographed | MIT |

The drawings themselves are not part of the project. **Split:** people are split by a hash of their name, one in five is
held out; no drawing of a held-out person, and no synthetic person of the held-out stream, is trained on. Symbols that were
crossed out or written over again count as something else. In training, doodles that most people draw as a plain ring, a
triangle or a cross are left out, some suns are drawn flat, as some people do, some hands mark circles by small ticks,
and stains, shadows and stray lines are laid over some crops. Drawings to train on are also turned, sheared and bent;
**held-out people's are shown just as they drew them**. Calibration (a temperature, and a shift a label) is fitted on
sheets of played games by held-out people, at the frequencies that the game itself has. The figures below are from
other sheets by held-out people, with every class about as frequent: in photos of all kinds, also very bad ones, and
in clear photos.

## What the figures do not say

Synthetic photos share one camera model, so real photos can be harder in ways that are not in here. People who draw a symbol
in a way that nobody in the data does will be misread; the reject class `other` catches much of that, not all. Six-rayed stars
are drawn by some people as stars and stand in one collection as no star: they are read with doubt, on purpose.

"""

_REBUILD: Final = """## Rebuilding

    pip install -e '.[train]'
    python -m scanner.training samples DATA/train --sheets 3200 --seed 21
    python -m scanner.training samples DATA/train --sheets 400 --game imhotep --seed 22
    python -m scanner.training samples DATA/train --sheets 100 --game monolyth --seed 23
    python -m scanner.training samples DATA/more --sheets 500 --game imhotep --timid 0.3 --seed 32
    python -m scanner.training samples DATA/more --sheets 100 --game monolyth --timid 0.3 --seed 33
    python -m scanner.training samples DATA/more --sheets 150 --timid 0.3 --seed 34
    python -m scanner.training samples DATA/played --sheets 400 --split held_out --played --seed 24
    python -m scanner.training samples DATA/played --sheets 200 --split held_out --played --game imhotep --seed 25
    python -m scanner.training samples DATA/played --sheets 200 --split held_out --played --game monolyth --seed 26
    python -m scanner.training samples DATA/held_out --sheets 200 --split held_out --seed 27
    python -m scanner.training samples DATA/clear --sheets 400 --split held_out --condition easy --seed 28
{fits}
    python -m scanner.training measure DATA/clear
    python -m scanner.training card

Every `samples` command was given `--drawings DRAWINGS` besides; without it every hand is synthetic. The samples follow from
the seed and the libraries' versions; the fit does too, up to the rounding of the machine's own arithmetic, so that a
rebuild gives networks of the same kind, not the same bytes. When `content` was fitted first, lines struck out 7 % of the
symbols, and 15 % when that fit went on; the last of its fits, `edges` and `struck` were calibrated again after training.
"""


def write_card(models: Path) -> Path:
    """Write models/README.md from models/figures.json; returns its path. OSError when the figures are missing."""
    figures: dict[str, dict[str, Any]] = json.loads((models / "figures.json").read_text())
    size = sum(path.stat().st_size for path in models.glob("*.onnx"))
    parts = [_INTRODUCTION.replace("{size}", str(round(size / 1000)))]
    for kind, measured in figures.items():
        parts.append(_section(kind, measured))
    fits = "\n".join(f"    {entry.rebuild}" for _, entry in sorted(manifest(models).items()))
    parts.append(_REBUILD.replace("{fits}", fits))
    path = models / "README.md"
    path.write_text("".join(parts))
    return path


def _section(kind: str, measured: Mapping[str, Any]) -> str:
    lines = [
        f"## {kind}\n\n",
        f"Trained on {measured['training_crops']:,} crops; measured on {measured['crops']:,} crops of held-out people: "
        f"accuracy {100 * measured['accuracy']:.2f} %, expected calibration error {measured['calibration_error']:.4f} "
        f"({measured['played']['calibration_error']:.4f} at the game's own frequencies), "
        f"temperature {measured['temperature']:.2f}. "
        f"{100 * measured['sure']:.1f} % of the readings have a confidence of 99 % or more; "
        f"{100 * measured['right_when_sure']:.2f} % of these are right.\n\n",
    ]
    lines += _confusions(measured)
    clear = measured["clear"]
    lines.append(
        f"\nIn clear photos, of {clear['crops']:,} crops {100 * clear['accuracy']:.2f} % are right; confidence of 99 % or more "
        f"is right in {100 * clear['right_when_sure']:.2f} %."
    )
    if kind == "content":
        taken = 100 * clear["other_taken_for_symbols"]
        lines.append(f" Of letters, digits and doodles {taken:.1f} % are taken for a symbol with such confidence.")
    lines.append("\n\n")
    lines += _confusions(clear)
    return "".join(lines) + "\n"


def _confusions(measured: Mapping[str, Any]) -> list[str]:
    names = list(measured["by_class"])
    lines = [
        "| truly | right % | " + " | ".join(f"read as {name}" for name in names) + " |\n",
        "| --- | ---: |" + " ---: |" * len(names) + "\n",
    ]
    for name in names:
        counts = " | ".join(str(n) for n in measured["confusion"][name])
        lines.append(f"| {name} | {100 * measured['by_class'][name]:.2f} | {counts} |\n")
    return lines
