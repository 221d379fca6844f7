"""Shards of other games' sheets, which have no outlines."""

from pathlib import Path

import numpy as np

from scanner.sheet.template import load_template
from scanner.training.dataset import load_shards, write_shard


def test_shards_of_two_games_lie_in_one_folder(tmp_path: Path) -> None:
    path = write_shard(tmp_path, 0, 1, {}, 7, played=True, condition="easy", game="monolyth")
    assert path.name == "shard-monolyth-00000.npz"
    template = load_template("monolyth")
    with np.load(path) as shard:
        assert len(shard["marks"]) == len(shard["marks.label"]) == len(template.marks)
        assert len(shard["content"]) == len(shard["content.label"]) == 4 * 16 + 4
        assert len(shard["edges"]) == len(shard["struck"]) == 0
        assert 0 < shard["marks.label"].sum() < 20
        assert len(set(shard["content.label"].tolist())) > 3
    crops, labels = load_shards(tmp_path, "marks")
    assert crops.shape == (len(template.marks), 2, 72, 72)
    assert labels.shape == (len(template.marks),)
    edges, _ = load_shards(tmp_path, "edges")
    assert edges.shape == (0, 2, 32, 56)
