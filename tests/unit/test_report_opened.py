"""The page in a real browser, where there is one: it opens from disk, says nothing on the console, and switches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import Chromium
from report_fixture import invented

from memtrial.report.build import build_report
from memtrial.report.plots import draw


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = invented()
    file = tmp_path_factory.mktemp("report") / "index.html"
    file.write_text(build_report(data, draw(data)), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    with Chromium(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (1200, "dark"), (400, "light")])
def test_it_opens_from_disk_in_silence_and_fits(page: Chromium, page_file: Path, width: int, scheme: str) -> None:
    page.open(page_file, width=width, scheme=scheme)
    assert page.problems == []
    assert [url for url in page.urls if not url.startswith(("file:", "about:", "data:"))] == []
    assert page.js("document.documentElement.scrollWidth") == width
    paper = page.js("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(255, 255, 255)") == (scheme == "light")


def test_the_switch_works_by_mouse_and_by_keyboard(page: Chromium, page_file: Path) -> None:
    page.open(page_file)

    def shown() -> list[int]:
        counted = "[...document.querySelectorAll('[data-gold=%s]')].filter(e => e.checkVisibility()).length"
        return [page.js(counted % gold) for gold in ("published", "undisputed")]

    before = shown()
    assert before[0] > 10 and before[1] == 0
    page.js("document.querySelector('label[for=gold-undisputed]').click()")
    assert shown()[0] == 0 and shown()[1] > 10
    page.js("document.querySelector('#gold-undisputed').focus()")
    page.press("ArrowUp")
    assert shown() == before


def test_the_keyboard_reaches_the_main_part_and_every_table(page: Chromium, page_file: Path) -> None:
    page.open(page_file)
    page.press("Tab")
    assert page.js("document.activeElement.className") == "skip"
    page.press("Enter")
    assert page.js("document.activeElement.id") == "main"
    assert page.js("[...document.querySelectorAll('.scroll')].every(e => e.tabIndex === 0 && e.ariaLabel)")


def test_on_paper_nothing_is_wider_than_the_page(page: Chromium, page_file: Path) -> None:
    page.open(page_file, width=720, medium="print")
    assert page.js("document.documentElement.scrollWidth") == 720
    assert not page.js("document.querySelector('nav').checkVisibility()")
