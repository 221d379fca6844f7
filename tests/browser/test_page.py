"""The page of a game night in headless Chromium: on a phone and on a desk, light and dark.

Not among the tests that run by themselves: `.ci/run` installs Debian's chromium, and runs these with `pytest tests/browser`.
"""

import json
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scanner.night.ledger import Ledger
from scanner.night.names import NamedPlayer
from scanner.night.page import PageWriter
from scanner.night.run import NightRun, show
from scanner.night.workers import Crew
from tests.night.sightings import log, played, with_cell, written
from tests.tabletop import encoded, tabletop

PHONE, DESK = 360, 1200
WIDTHS = (320, PHONE, 480, 481, 500, 640, 641, 800, DESK)

_LOOK = """<script>
addEventListener("load", () => {
  const images = [...document.images];
  const texts = [...document.querySelectorAll("td, th, li, p, summary")].filter(e => e.textContent.trim());
  document.title = JSON.stringify({
    width: document.documentElement.scrollWidth,
    beyond: Math.max(...[...document.querySelectorAll("section *")].map(
      e => e.getBoundingClientRect().right - e.closest("section").getBoundingClientRect().right)),
    images: images.map(image => image.naturalWidth),
    names: Math.min(...[...document.querySelectorAll("tbody td:nth-child(2)")].map(e => e.getBoundingClientRect().width)),
    smallest: Math.min(...texts.map(e => parseFloat(getComputedStyle(e).fontSize))),
    outside: performance.getEntriesByType("resource").map(e => e.name).filter(name => !name.startsWith("data:")),
  });
});
</script>"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A night of two games: one with photos, one with long names and a contradiction whose photos are gone."""
    folder = tmp_path_factory.mktemp("night")
    (folder / "table.png").write_bytes(encoded(tabletop((1, 8000), (2, 8001))))
    names = [NamedPlayer(1, "Neferneferuaten-Nefertiti, Great Royal Wife", set=2), NamedPlayer(2, "Ramses", set=2)]
    top = replace(played(3), levels=(3, 5, 8))
    with Ledger(folder / "r.jsonl") as ledger, ThreadPoolExecutor(1) as pool:
        night = NightRun([str(folder)], ledger, Crew(pool, lambda: 1), names).read()
        gone = [
            log(
                ledger,
                "a-folder-with-a-rather-long-name/IMG_20260101_120000.jpg",
                written(top, 1, 16),
                written(played(1), 2, 17),
            ),
            log(ledger, "a-folder-with-a-rather-long-name/b.jpg", written(with_cell(12, 2, "^", played(1)), 2, 17)),
        ]
        show(replace(night, photos=[*night.photos, *gone]), [PageWriter(folder / "night.html")])
    return folder / "night.html"


def chromium(page: Path, width: int, *options: str) -> str:
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert browser is not None, "these tests need chromium: apt-get install chromium"
    command = [
        browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-background-networking",
        "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=4000", f"--window-size={width},1600",
        f"--user-data-dir={page.parent / 'profile'}", *options, page.as_uri(),
    ]  # fmt: skip
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout


def looked_at(page: Path, width: int) -> dict[str, Any]:
    """What the page says of itself when a script may look at it, which its own policy forbids."""
    text = re.sub(r"<meta http-equiv=.*?>", "", page.read_text("utf-8")).replace("</head>", f"{_LOOK}</head>")
    text = text.replace(' loading="lazy"', "").replace("<details>", "<details open>")
    # Every total and every number of empty spaces is open: nothing takes more room.
    wide = '<span class="range">100 to 123</span>'
    open_points = r'(<td class="total">\d+)(?:<span.*?</span>)?(</td><td>\d+)(?:<span.*?</span>)?</td>'
    text, rows = re.subn(open_points, rf"\1{wide}\2{wide}</td>", text)
    assert rows == 4
    # A window is never as narrow as a phone; a frame is.
    inner = page.with_name("inner.html")
    inner.write_text(text, "utf-8")
    outer = page.with_name("outer.html")
    outer.write_text(
        f'<iframe id="f" src="inner.html" style="width:{width}px;height:2000px;border:0"></iframe><script>setInterval(() => '
        'document.title = document.getElementById("f").contentDocument.title, 100)</script>',
        "utf-8",
    )
    dom = chromium(outer, max(width, 600) + 20, "--dump-dom", "--allow-file-access-from-files")
    title = re.search(r"<title>(\{.*?\})</title>", dom, re.DOTALL)
    assert title is not None, dom[:500]
    found: dict[str, Any] = json.loads(unescape(title[1]))
    return found


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_screen_and_all_can_be_read(page: Path, width: int) -> None:
    found = looked_at(page, width)
    assert found["width"] <= width
    assert found["beyond"] < 0, "nothing is wider than its card"
    assert found["smallest"] >= 11
    assert found["names"] >= 150, "a long name is not broken into syllables"
    assert len(found["images"]) >= 4
    assert all(found["images"]), "every picture is shown"
    assert not found["outside"]


def picture(page: Path, width: int, scheme: int) -> NDArray[np.uint8]:
    file = page.with_name(f"{width}-{scheme}.png")
    chromium(page, width, f"--screenshot={file}", f"--blink-settings=preferredColorScheme={scheme}")
    found = cv2.imread(str(file))
    assert found is not None
    return np.asarray(found, np.uint8)


def test_it_is_light_by_day_and_dark_by_night(page: Path) -> None:
    dark, light = (picture(page, DESK, scheme) for scheme in (0, 1))
    assert np.median(light) > 200
    assert np.median(dark) < 80
    for shown in (light, dark):
        assert shown.std() > 5, "something is drawn on it"
