"""Builds the models: `python -m scanner.training samples`, then `fit`. Everything follows from the seed."""

import hashlib
import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import numpy as np
import typer

from scanner.reading.networks import MANIFEST, Kind, ModelEntry, Network, manifest

if TYPE_CHECKING:
    from scanner.training.nets import NetSpec

app = typer.Typer(help=__doc__, no_args_is_help=True, pretty_exceptions_enable=False)

_SHEETS_A_SHARD = 50
_EXAMPLES = 1536
"""Crops that show what ranges a network's activations take."""


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


@app.command()
def samples(
    out: Annotated[Path, typer.Argument(help="folder for the shards")],
    sheets: Annotated[int, typer.Option(help="photos to make")] = 8000,
    split: Annotated[str, typer.Option(help="people to draw with: train or held_out")] = "train",
    drawings: Annotated[
        Path | None, typer.Option(help="folder of real people's drawings; without it all hands are synthetic")
    ] = None,
    played: Annotated[bool, typer.Option(help="sheets of played games instead of random ones: for calibration")] = False,
    condition: Annotated[str | None, typer.Option(help="make all photos of this condition, e.g. easy")] = None,
    game: Annotated[str, typer.Option(help="whose sheets: obelisk, imhotep or monolyth")] = "obelisk",
    timid: Annotated[float, typer.Option(help="share of hands that mark circles by small ticks and dashes")] = 0.0,
    seed: int = 1,
    workers: int = 2,
) -> None:
    """Make crops with their truth from synthetic photos. Shards that are there already are not made again."""
    from scanner.synth.conditions import CONDITIONS
    from scanner.training.dataset import shard_name, write_shard
    from scanner.training.drawings import load_people

    if condition is not None and condition not in CONDITIONS:
        raise typer.BadParameter(f"condition is one of {', '.join(CONDITIONS)}")
    if split not in ("train", "held_out"):
        raise typer.BadParameter("split is train or held_out")
    people = load_people(drawings, "train" if split == "train" else "held_out") if drawings else {}
    out.mkdir(parents=True, exist_ok=True)
    stream = seed * 4 + (split == "held_out") + 2 * played
    missing = [i for i in range(-(-sheets // _SHEETS_A_SHARD)) if not (out / shard_name(game, i)).exists()]
    started = time.monotonic()
    with ProcessPoolExecutor(workers) as pool:
        make = partial(
            write_shard,
            sheets=_SHEETS_A_SHARD,
            people=people,
            seed=stream,
            played=played,
            condition=condition,
            game=game,
            as_drawn=split == "held_out",
            timid=timid,
        )
        jobs = [pool.submit(make, out, i) for i in missing]
        for done, job in enumerate(as_completed(jobs), 1):
            _say(f"{job.result().name}: {done} of {len(missing)}, {time.monotonic() - started:.0f} s")


@app.command()
def fit(
    train: Annotated[Path, typer.Argument(help="shards to train on")],
    played: Annotated[Path, typer.Argument(help="shards of played games by other people, to calibrate on")],
    held_out: Annotated[Path, typer.Argument(help="shards of other people, to measure on")],
    more: Annotated[Path | None, typer.Option(help="further shards to train on")] = None,
    models: Annotated[Path, typer.Option(help="where to write the models")] = Path("models"),
    kinds: Annotated[str, typer.Option(help="which networks, parted by commas")] = ",".join(get_args(Kind)),
    steps: Annotated[int, typer.Option(help="batches of 256 for the content network; the others take half")] = 12000,
    checkpoints: Annotated[Path | None, typer.Option(help="folder to leave the trained nets in")] = None,
    resume: Annotated[bool, typer.Option(help="go on from the nets in that folder, at a lower rate")] = False,
    seed: int = 1,
    threads: int = 2,
) -> None:
    """Train, calibrate and export networks; their figures go to models/figures.json."""
    import torch

    from scanner.training.dataset import load_shards
    from scanner.training.export import export
    from scanner.training.fit import calibrate, logits_of
    from scanner.training.fit import fit as fit_net
    from scanner.training.measure import figures
    from scanner.training.nets import specs

    if resume and checkpoints is None:
        raise typer.BadParameter("--resume needs --checkpoints")
    if len(list(played.glob("shard-*.npz"))) < 2:
        raise typer.BadParameter("PLAYED needs two shards or more: one half calibrates, the other measures")
    torch.set_num_threads(threads)
    for kind in get_args(Kind):
        if kind not in kinds.split(","):
            continue
        spec = specs()[kind]
        crops, labels = load_shards(train, kind)
        if more:
            crops, labels = map(np.concatenate, zip((crops, labels), load_shards(more, kind), strict=True))
        examples = crops[np.random.default_rng(seed).choice(len(crops), min(_EXAMPLES, len(crops)), replace=False)]
        start = torch.load(checkpoints / f"{kind}.pt", weights_only=True) if checkpoints and resume else None
        net = fit_net(spec, kind, crops, labels, steps if kind == "content" else steps // 2, seed, _say, start)
        if checkpoints:
            checkpoints.mkdir(parents=True, exist_ok=True)
            torch.save(net.state_dict(), checkpoints / f"{kind}.pt")
        training: dict[str, object] = {
            "seed": seed,
            "steps": steps,
            "resumed": resume,
            "training_sheets": _SHEETS_A_SHARD * sum(len(list(of.glob("shard-*.npz"))) for of in (train, more) if of),
            "training_crops": len(labels),
        }
        # Every other shard, so that each half holds sheets of all games.
        crops, labels = load_shards(played, kind, slice(0, None, 2))
        calibration = calibrate(logits_of(net, crops), labels)
        path = models / f"{kind}.onnx"
        metadata = {"seed": str(seed), "steps": str(steps)}
        export(net, spec, calibration.scale, calibration.shift, path, metadata, examples)
        command = f"python -m scanner.training fit DATA/train DATA/played DATA/held_out --kinds {kind} --steps {steps}"
        command += f" --seed {seed}" + " --more DATA/more" * (more is not None)
        if checkpoints:
            command += " --checkpoints NETS" + " --resume" * resume
        _register(models, kind, spec, path, command)
        # What is measured is what is released.
        released = Network(manifest(models)[kind], models)
        crops, labels = load_shards(played, kind, slice(1, None, 2))
        at_play = figures(released(crops), labels, spec.labels)
        crops, labels = load_shards(held_out, kind)
        measured = figures(released(crops), labels, spec.labels)
        training["temperature"] = round(1 / float(calibration.scale[0]), 4)
        _record(models, kind, {**training, **measured, "played": at_play})
        _say(f"{kind}: {json.dumps(measured)} at play: {json.dumps(at_play)}")


@app.command()
def measure(
    clear: Annotated[Path, typer.Argument(help="shards of clear photos of sheets by other people")],
    models: Annotated[Path, typer.Option(help="where the models are")] = Path("models"),
) -> None:
    """Measure the released networks on clear photos, where what counts is how people draw; for models/figures.json."""
    from scanner.training.dataset import load_shards
    from scanner.training.measure import figures

    for kind, entry in sorted(manifest(models).items()):
        crops, labels = load_shards(clear, kind)
        measured = figures(Network(entry, models)(crops), labels, entry.labels)
        _record(models, kind, {"clear": measured})
        _say(f"{kind}: {json.dumps(measured['by_class'])}")


@app.command()
def card(models: Annotated[Path, typer.Option(help="where the models are")] = Path("models")) -> None:
    """Write the model card from the figures."""
    from scanner.training.card import write_card

    _say(f"wrote {write_card(models)}")


def _register(models: Path, kind: Kind, spec: "NetSpec", path: Path, command: str) -> None:
    """Enter the model into the manifest; a resumed fit adds its command to the one that it goes on from."""
    entries = manifest(models) if (models / MANIFEST).exists() else {}
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    rebuild = f"{entries[kind].rebuild} && {command}" if "--resume" in command and kind in entries else command
    entries[kind] = ModelEntry(kind, path.name, digest, spec.labels, spec.size, rebuild)
    rows = [
        {"kind": e.kind, "file": e.file, "sha256": e.sha256, "labels": e.labels, "input": e.input, "rebuild": e.rebuild}
        for _, e in sorted(entries.items())
    ]
    (models / MANIFEST).write_text(json.dumps(rows, indent=1) + "\n")


def _record(models: Path, kind: Kind, measured: dict[str, object]) -> None:
    """Enter figures beside those that are there already."""
    path = models / "figures.json"
    all_figures = json.loads(path.read_text()) if path.exists() else {}
    all_figures[kind] = all_figures.get(kind, {}) | measured
    path.write_text(json.dumps(dict(sorted(all_figures.items())), indent=1) + "\n")


if __name__ == "__main__":
    app()
