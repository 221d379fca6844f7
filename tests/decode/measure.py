"""Figures of the decoder on many simulated sheets: `python -m tests.decode.measure [SHEETS]`."""

import sys
from dataclasses import dataclass, field
from time import process_time

import numpy as np

from scanner.decode.decoded import Decoded
from scanner.decode.obelisk import decode_obelisk
from scanner.decode.raw import decode_raw
from scanner.engine.obelisk.scoring import Score, score_sheet
from scanner.engine.obelisk.state import parse_state
from scanner.errors import Inconsistent
from tests.decode.simulated import IDENTITY, Noise, Sheet, play, read, truth_state

NOISES = {
    "clear": Noise(),
    "cells 1 %": Noise(cells=0.01),
    "cells 5 %": Noise(cells=0.05),
    "cells 10 %": Noise(cells=0.1),
    "cells 10 %, among 20 % hard ones": Noise(cells=0.1, hard=0.2),
    "cells 20 %": Noise(cells=0.2),
    "edges 2 %": Noise(edges=0.02),
    "edges 2 %, on level lines 10 %": Noise(edges=0.02, level_edges=0.1),
    "cells 10 %, edges 2 %": Noise(cells=0.1, edges=0.02),
    "cells 20 %, edges 2 %": Noise(cells=0.2, edges=0.02),
}


def score_of(sheet: Sheet) -> Score:
    """The score of what stands on the sheet."""
    return score_sheet(parse_state(truth_state(sheet)))


def is_exact(decoded: Decoded, truth: Score) -> bool:
    """Whether the total and the empty spaces are right."""
    return (decoded.score["total"], decoded.score["empty_spaces"]) == (truth.total, truth.empty_spaces)


def holds(decoded: Decoded, truth: Score) -> bool:
    """Whether the bounds hold the true total."""
    return decoded.bounds[0] <= truth.total <= decoded.bounds[1]


def is_silent(decoded: Decoded, truth: Score) -> bool:
    """A wrong total that no doubt names, or that lies outside the bounds."""
    return decoded.score["total"] != truth.total and not (decoded.doubts and holds(decoded, truth))


def unnoticed(decoded: Decoded, sheet: Sheet) -> int:
    """Cells read wrongly, in what counts, that no doubt names."""
    asked = {doubt.where for doubt in decoded.doubts}
    pairs = [(row, column) for row in range(12) for column in range(5)]
    return sum(
        decoded.state["obelisk"][row][column].replace(".", "_") != sheet.rows[row][column].replace(".", "_")
        and f"obelisk r{row + 1} c{column + 1}" not in asked
        for row, column in pairs
    )


@dataclass
class Tally:
    """Shares of the sheets (exact, total right, bounds that hold), numbers (silent, cells unnoticed, refused), doubts a sheet,
    times."""

    exact: float = 0.0
    total: float = 0.0
    raw: float = 0.0
    held: float = 0.0
    doubts: float = 0.0
    silent: int = 0
    unnoticed: int = 0
    refused: int = 0
    milliseconds: list[float] = field(default_factory=list)


def tally(noise: Noise, sheets: int, seed: int) -> Tally:
    """Simulated sheets read with noise and decoded, beside their raw decoding."""
    rng = np.random.default_rng(seed)
    found = Tally()
    for _ in range(sheets):
        sheet = play(rng)
        readings = read(rng, sheet, noise)
        start = process_time()
        try:
            decoded = decode_obelisk(readings, IDENTITY)
        except Inconsistent:
            # Nothing is claimed of a sheet that is refused.
            found.refused += 1
            found.held += 1 / sheets
            continue
        found.milliseconds.append(1000 * (process_time() - start))
        truth = score_of(sheet)
        found.exact += is_exact(decoded, truth) / sheets
        found.total += (decoded.score["total"] == truth.total) / sheets
        found.raw += is_exact(decode_raw(readings, IDENTITY), truth) / sheets
        found.held += holds(decoded, truth) / sheets
        found.doubts += len(decoded.doubts) / sheets
        found.silent += is_silent(decoded, truth)
        found.unnoticed += unnoticed(decoded, sheet)
    return found


def main() -> None:
    """Print a line a noise level."""
    sheets = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    lines = [f"{'noise':34} raw   exact total  silent unnoticed refused held   doubts median  95 %  worst ms"]
    for name, noise in NOISES.items():
        found = tally(noise, sheets, seed=100)
        times = np.array(found.milliseconds)
        lines.append(
            f"{name:34} {found.raw:.3f} {found.exact:.3f} {found.total:.3f}  "
            f"{found.silent:4}  {found.unnoticed:6}  {found.refused:6}   {found.held:.3f}  {found.doubts:5.2f}  "
            f"{np.median(times):5.1f}  {np.quantile(times, 0.95):5.1f}  {times.max():5.1f}"
        )
        sys.stdout.write("\n".join(lines) + "\n")
        sys.stdout.flush()
        lines = []


if __name__ == "__main__":
    main()
