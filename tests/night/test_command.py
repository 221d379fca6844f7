"""The command `night`, with real photos and the real networks."""

import errno
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from scanner.cli import app
from scanner.night import command
from scanner.night import run as night_run
from scanner.night.arrivals import Arrivals
from scanner.night.ledger import DEFAULT_NAME, Ledger
from scanner.night.page import PageWriter
from scanner.night.photos import find_photos
from scanner.night.pictures import picture_of, picture_of_name, picture_of_sheet, scan_of
from scanner.night.run import NightRun, watch
from scanner.night.sheets import read_sheet
from scanner.night.table import Night
from scanner.night.workers import ClusterGone, Crew
from tests.night.sightings import sighting
from tests.tabletop import encoded, tabletop


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of photos, read: a table of two blank sheets, one of them again, and no picture at all."""
    folder = tmp_path_factory.mktemp("night")
    (folder / "table.png").write_bytes(encoded(tabletop((1, 8000), (2, 8001))))
    (folder / "again.png").write_bytes(encoded(tabletop((2, 8001))[::-1, ::-1]))
    (folder / "broken.jpg").write_bytes(b"no picture")
    run("night", folder, "--workers", "1", "--json")
    return folder


def run(*args: object) -> Result:
    return CliRunner().invoke(app, [str(arg) for arg in args], prog_name="obelisk-scan")


def test_a_folder_of_photos_becomes_a_game(photos: Path) -> None:
    done = run("night", photos, "--json")
    assert done.exit_code == 3, done.output
    document = json.loads(done.stdout)
    (game,) = document["games"]
    assert (game["set"], [player["seat"] for player in game["players"]]) == (1000, [1, 2])
    assert [player["total"] for player in game["players"]] == [0, 0]
    assert game["verdict"] == "Seat 1 and seat 2 share the win."
    assert [len(sheet["photos"]) for sheet in game["sheets"]] == [1, 2]
    assert [conflict["kind"] for conflict in game["conflicts"]] == ["nobody at the top level"]
    assert [photo["error"] and photo["error"]["kind"] for photo in document["photos"]] == [None, "not_an_image", None]
    assert "is no picture" in done.stderr or "broken.jpg" in done.stderr


def test_nothing_is_read_twice(photos: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(night_run, "read_photos", lambda new, *_: pytest.fail(f"reads {new}"))
    before = (photos / DEFAULT_NAME).read_bytes()
    first, second = run("night", photos, "--json"), run("night", photos, "--json")
    assert first.stdout == second.stdout
    assert (photos / DEFAULT_NAME).read_bytes() == before


def test_tables_csv_and_the_page(photos: Path, tmp_path: Path) -> None:
    page = tmp_path / "night.html"
    table = run("night", photos, "--html", page)
    assert "Set 1000" in table.stdout
    assert "share the win" in table.stdout
    text = page.read_text("utf-8")
    assert text.count('class="sheet"') == 2
    assert text.count('class="name"') == 2
    rows = run("night", photos, "--csv")
    assert len(rows.stdout.splitlines()) == 3


def test_names(photos: Path, tmp_path: Path) -> None:
    names = tmp_path / "names.toml"
    names.write_text('[[player]]\nset = 1000\nseat = 1\nname = "Nefertari"\n')
    assert "Nefertari (seat 1) and seat 2 share the win." in run("night", photos, "--names", names).stdout
    names.write_text("seat = 1")
    broken = run("night", photos, "--names", names)
    assert broken.exit_code == 5
    assert "[[player]]" in broken.stderr
    assert not broken.stdout


def test_names_that_are_of_no_game_are_told_of(photos: Path, tmp_path: Path) -> None:
    names = tmp_path / "names.toml"
    names.write_text('[[player]]\nset = 1001\nseat = 1\nname = "Nefertari"\n[[player]]\nseat = 7\nname = "Anywhere"\n')
    done = run("night", photos, "--names", names)
    assert "Nefertari (seat 1) is in no game here: none is of set 1001." in done.stderr
    assert "Anywhere" not in done.output


def test_a_page_that_cannot_be_written_is_told_of_at_once(photos: Path, tmp_path: Path) -> None:
    page = tmp_path / "nowhere" / "night.html"
    done = run("night", photos, "--html", page)
    assert done.exit_code == 3
    assert not done.stdout
    assert f"{page} cannot be written: No such file or directory." in done.stderr


def test_a_page_that_fails_on_the_way_costs_nothing_else(photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    page = tmp_path / "night.html"
    page.write_text("the old page")
    monkeypatch.setattr(PageWriter, "game", fail)
    done = run("night", photos, "--html", page)
    assert done.exit_code == 3
    assert "share the win" in done.stdout
    assert "broken.jpg" in done.stderr
    assert f"{page} cannot be written: No space left on device." in done.stderr
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("night.html", "the old page")]


def test_a_reader_that_goes_away_is_no_wrong_command(photos: Path) -> None:
    command = [sys.executable, "-c", "from scanner.main import main; main()", "night", str(photos)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as done:
        assert done.stdout is not None
        done.stdout.close()
        complaints = done.stderr.read() if done.stderr is not None else b""
    assert done.returncode == 141, complaints


def test_the_help_shows_what_a_names_file_holds() -> None:
    assert "[[player]]" in run("night", "--help").stdout


@pytest.mark.parametrize(
    ("args", "code"),
    [
        ((), 2),
        (("none",), 3),
        (("empty",), 3),
        (("empty", "--json", "--csv"), 2),
        (("empty", "--watch", "--json"), 2),
        (("empty", "--workers", "0"), 2),
        (("empty", "--workers", "9" * 23), 2),
        (("",), 3),
        (("empty", "--workers", "2", "--cluster", "tcp://127.0.0.1:1"), 2),
        (("empty", "--names", "none.toml"), 3),
        (("photos", "--cluster", "nonsense://here"), 2),
    ],
)
def test_wrong_commands(args: tuple[str, ...], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "a.jpg").touch()
    monkeypatch.chdir(tmp_path)
    done = run("night", *args)
    assert done.exit_code == code, done.output
    assert not done.stdout


def test_a_cluster_that_is_not_there_is_all_that_is_said(photos: Path) -> None:
    program = [sys.executable, "-c", "from scanner.main import main; main()"]
    # Twenty seconds is what Dask takes to give up a client that never was.
    done = subprocess.run(
        [*program, "night", photos, "--cluster", "nonsense"], capture_output=True, text=True, check=False, timeout=20
    )
    assert done.returncode == 2
    assert "there is no Dask cluster at nonsense: missing port" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_cluster_that_goes_away_is_told_of_and_what_was_read_is_kept(
    photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    for name in "abc":
        shutil.copy(photos / "broken.jpg", folder / f"{name}.jpg")
    answers = iter([1, 1])

    def at_hand() -> int:
        for number in answers:
            return number
        raise ClusterGone

    @contextmanager
    def crew(address: str) -> Iterator[Crew]:
        with ThreadPoolExecutor(1) as pool:
            yield Crew(pool, lambda: at_hand() if address == "tcp://there:1" else 0)

    monkeypatch.setattr(command, "cluster_crew", crew)
    done = run("night", folder, "--cluster", "tcp://there:1")
    assert done.exit_code == 3
    assert "The Dask cluster at tcp://there:1 does not answer any more." in done.stderr
    assert str(folder / DEFAULT_NAME) in done.stderr
    assert (folder / DEFAULT_NAME).read_bytes().count(b"\n") == 1


def test_results_may_lie_elsewhere(photos: Path, tmp_path: Path) -> None:
    folder, file = tmp_path / "photos", tmp_path / "kept.jsonl"
    shutil.copytree(photos, folder)
    (folder / DEFAULT_NAME).rename(file)
    done = run("night", folder, "--results", file, "--json")
    assert [len(sheet["photos"]) for sheet in json.loads(done.stdout)["games"][0]["sheets"]] == [1, 2]
    assert not (folder / DEFAULT_NAME).exists()
    # Known by their content: nothing was read again, and each stands where it lies now.
    assert file.read_bytes().count(b"\n") == 6


@pytest.mark.parametrize(
    ("args", "cause"),
    [
        (("--html", "broken.jpg"), "is read by this command"),
        (("--html", "names.toml", "--names", "names.toml"), "is read by this command"),
        (("--results", "answers.toml", "--answers", "answers.toml"), "is read by this command"),
        (("--results", "names.toml"), "holds no results"),
        (("--html", "new", "--results", "new"), "are the same file"),
        (("--html", DEFAULT_NAME), "are the same file"),
        (("--results", "pipe"), "is a pipe or device"),
    ],
)
def test_nothing_of_the_users_is_written_over(
    photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...], cause: str
) -> None:
    folder = tmp_path / "photos"
    shutil.copytree(photos, folder)
    monkeypatch.chdir(folder)
    (folder / "names.toml").write_text('[[player]]\nseat = 1\nname = "Nefertari"\n')
    (folder / "answers.toml").write_text("")
    os.mkfifo(folder / "pipe")
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    done = run("night", ".", *args)
    assert done.exit_code == 2, done.output
    assert cause in " ".join(done.stderr.replace("│", "").split())
    assert not done.stdout
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


def test_the_page_is_written_where_a_link_leads(photos: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.symlink_to("real.html")
    assert run("night", photos, "--html", page).exit_code == 3
    assert page.is_symlink()
    assert "share the win" in (tmp_path / "real.html").read_text("utf-8")


def test_watching_reads_what_comes_and_forgets_what_goes(photos: Path, tmp_path: Path) -> None:
    folder = tmp_path / "sync"
    folder.mkdir()
    seen: list[list[int]] = []

    def changes() -> Iterator[object]:
        yield "nothing has changed"
        shutil.copy(photos / "table.png", folder / "table.png")
        yield "a photo has come"
        os.unlink(folder / "table.png")
        yield "it is gone"

    def update(night: Night) -> int:
        seen.append([sheet.seat for table in night.tables() for sheet in table.game.sheets])
        return len(seen)

    with Ledger(tmp_path / "r.jsonl") as ledger, ThreadPoolExecutor(1) as pool:
        assert watch(NightRun([str(folder)], ledger, Crew(pool, lambda: 1)), changes(), update) == 3
    assert seen == [[], [1, 2], []], "what has not changed is not shown again"


def test_a_photo_that_is_still_being_copied_is_not_called_damaged(photos: Path, tmp_path: Path) -> None:
    folder = tmp_path / "sync"
    folder.mkdir()
    photo, now = folder / "table.png", [0.0]
    whole = (photos / "table.png").read_bytes()
    seen: list[tuple[list[str], list[str | None], int]] = []

    def changes() -> Iterator[object]:
        for part, quiet_s in (
            (0.2, 0.1),
            (0.4, 3.0),
            (0.6, 20.0),
            (0.6, 30.0),
            (1.0, 0.1),
            (1.0, 2.0),
            (0.3, 2.0),
            (0.3, 80.0),
        ):
            if not photo.exists() or photo.stat().st_size != int(part * len(whole)):
                photo.write_bytes(whole[: int(part * len(whole))])
                yield "more of it has come"
            now[0] += quiet_s
            yield None

    def update(night: Night) -> int:
        errors = [one.error.kind if one.error else None for one in night.verdicts()]
        seen.append(([Path(name).name for name in night.arriving], errors, sum(len(t.game.sheets) for t in night.tables())))
        return 0

    now[0] = time.time()
    with Ledger(tmp_path / "r.jsonl") as ledger, ThreadPoolExecutor(1) as pool:
        run = NightRun([str(folder)], ledger, Crew(pool, lambda: 1), arrivals=Arrivals(lambda: now[0]))
        watch(run, changes(), update)
    assert seen == [
        ([], [], 0),
        (["table.png"], [], 0),
        ([], [None], 2),
        (["table.png"], [], 0),
        ([], ["truncated"], 0),
    ]


def test_ctrl_c_ends_watching_as_it_should(photos: Path) -> None:
    def changes() -> Iterator[object]:
        yield None
        raise KeyboardInterrupt

    with Ledger(photos / DEFAULT_NAME) as ledger, ThreadPoolExecutor(1) as pool:
        assert watch(NightRun([str(photos)], ledger, Crew(pool, lambda: 1)), changes(), lambda _: 3) == 3


def test_pictures_of_a_sheet(photos: Path) -> None:
    with Ledger(photos / DEFAULT_NAME) as ledger:
        (photo,) = (one for one in find_photos([str(photos)]) if one.name.endswith("again.png"))
        entry = ledger.entry(photo)
        assert entry is not None
        sheet = read_sheet([sighting(ledger.load(entry).sheets[0])])
        assert scan_of(sheet) is None, "the photo is not where the sighting says"
        night = Night([photo], ledger)
        (table,) = night.tables()
    scan = scan_of(table.game.sheets[0])
    assert scan is not None
    assert abs(float(np.median(scan.rectified.gray)) - 230) < 12
    assert picture_of_sheet(scan).startswith("data:image/webp;base64,")
    assert picture_of_name(scan).startswith("data:image/webp;base64,")
    assert picture_of(scan, (93.75, 23.75, 118.75, 48.75)).startswith("data:image/webp;base64,")
