"""The question browser in a real browser, opened from disk."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from browser_cases import BODIES, CELLS, HOSTILE, IDS, QUESTIONS, packet, plenty, request, sources, write_browser
from chromium import Chromium

ROWS = "[...document.querySelectorAll('#rows a')].map(a => questions[a.dataset.n].id)"
FOCUS = "questions[document.activeElement.dataset.n]?.id ?? document.activeElement.id"
OPEN_ALL = """(async () => {
  for (const _ of [1, 2, 3]) {
    document.querySelectorAll('#question details').forEach((d) => { d.open = true; });
    await new Promise((done) => setTimeout(done, 100));
  }
  return document.querySelector('#question').textContent;
})()"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_browser(tmp_path_factory.mktemp("report with a space"), sources())


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    with Chromium(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture
def chromium(running: Chromium) -> Iterator[Chromium]:
    """The browser; after the test nothing may have complained, and nothing but files been asked for."""
    running.problems.clear()
    running.urls.clear()
    yield running
    assert running.problems == []
    assert [u for u in running.urls if not u.startswith(("file:", "about:"))] == []


def show(chromium: Chromium, page: Path, question: str = "", more: str = "") -> None:
    """Open the page, or one of its questions."""
    chromium.open(page, f"#{more}&q={quote(question, safe='')}" if question else f"#{more}")
    chromium.wait("document.querySelector('#rows')")
    if question:
        chromium.wait("document.querySelector('#question h2')")


def flag(chromium: Chromium, name: str) -> None:
    chromium.js(f"document.querySelector('#flags [value={name}]').click()")


def choose(chromium: Chromium, name: str, value: str) -> None:
    at = f"document.querySelector('select[name={name}]')"
    chromium.js(f"{at}.value = {json.dumps(value)}, {at}.dispatchEvent(new Event('input', {{bubbles: true}}))")


def test_the_list_shows_all_questions_with_their_counts(chromium: Chromium, page: Path) -> None:
    show(chromium, page)
    assert chromium.js(ROWS) == IDS
    assert chromium.js("document.querySelector('#count').textContent") == "4 of 4 questions"
    counts = chromium.js("FLAGS.map(([f]) => [f, document.getElementById('n-' + f).value])")
    assert dict(counts) == {
        "wrong": "4", "flipped": "2", "judges": "1", "disputed": "2", "changes-score": "1", "missing": "1",
        "status": "1", "abstention": "1",
    }  # fmt: skip
    assert chromium.js("document.title") == "Questions of tiny"


@pytest.mark.parametrize(
    ("flags", "ids"),
    [
        (["flipped"], ["b 100%", "c&q=x"]),
        (["judges"], ["c&q=x"]),
        (["disputed"], ["b 100%", "d"]),
        (["changes-score"], ["b 100%"]),
        (["missing"], ["c&q=x"]),
        (["status"], ["d"]),
        (["abstention"], ["d"]),
        (["flipped", "disputed"], ["b 100%"]),
        (["missing", "status"], []),
    ],
)
def test_flags_filter(chromium: Chromium, page: Path, flags: list[str], ids: list[str]) -> None:
    show(chromium, page)
    for name in flags:
        flag(chromium, name)
    assert chromium.js(ROWS) == ids
    assert chromium.js("document.querySelector('#count').textContent") == f"{len(ids)} of 4 questions"
    kept = chromium.js("location.hash")
    chromium.open(page, kept)
    assert chromium.js(ROWS) == ids, "the address alone gives the same list"


def test_wrong_is_of_whom_is_chosen(chromium: Chromium, page: Path) -> None:
    show(chromium, page, more="filter=wrong&system=chain")
    assert chromium.js(ROWS) == ["b 100%", "c&q=x"]
    choose(chromium, "reader_pass", "2")
    assert chromium.js(ROWS) == ["c&q=x"]
    choose(chromium, "judge", "strict")
    assert chromium.js(ROWS) == []
    choose(chromium, "judge", "kind")
    assert chromium.js(ROWS) == ["c&q=x"]
    assert chromium.js("location.hash") == "#filter=wrong&system=chain&pass=2&judge=kind"


def test_baselines_count_only_where_they_are_chosen(chromium: Chromium, tmp_path: Path) -> None:
    cells = [CELLS[2], CELLS[5]]
    kept = {c: list(rows) for c, rows in sources().verdicts.items() if c in cells}
    answers = {c[:3]: sources().answers[c[:3]] for c in cells}
    rows = sources(verdicts=kept, answers=answers, judge_requests={})
    own = write_browser(tmp_path, rows, cells)
    show(chromium, own, more="filter=wrong")
    assert chromium.js(ROWS) == []
    choose(chromium, "system", "trivial")
    assert chromium.js(ROWS) == IDS


def test_type_label_and_search(chromium: Chromium, page: Path) -> None:
    show(chromium, page, more="type=multi")
    assert chromium.js(ROWS) == ["c&q=x", "d"]
    choose(chromium, "type", "")
    choose(chromium, "label", "scope=s")
    assert chromium.js(ROWS) == ["a|1", "b 100%"]
    choose(chromium, "label", "")
    for words, ids in (("ЛАМП", ["b 100%"]), ("100%", ["b 100%"]), ("which <img", ["a|1"]), ("nothing", [])):
        box = "document.querySelector('#search')"
        chromium.js(f"{box}.value = {json.dumps(words)}, {box}.dispatchEvent(new Event('input', {{bubbles: true}}))")
        assert chromium.js(ROWS) == ids


@pytest.mark.parametrize("number", range(4))
def test_a_question_is_shown_whole_and_as_text(chromium: Chromium, page: Path, number: int) -> None:
    show(chromium, page, IDS[number])
    assert chromium.js("document.querySelector('h2').textContent") == QUESTIONS[number]
    shown = chromium.js(OPEN_ALL)
    for text in (*BODIES, HOSTILE, f"Lamp 1 {HOSTILE}", f"yes {HOSTILE}", packet("").sha256, '{"model":"m"}'):
        assert text in shown
    for message in request(IDS[number], QUESTIONS[number]).messages:
        assert message.content in shown
    assert ("Disputed: WRONG" in shown, "Disputed: CITATION" in shown) == (number == 1, number == 3)
    assert ("not there" in shown) == (number == 2)
    assert ("refused: filtered" in shown) == (number == 3)
    assert ("not found in the history" in shown) == (number == 3)
    assert chromium.js("document.querySelectorAll('img, b, #question script').length") == 0


def test_each_hash_is_that_of_the_text_shown(chromium: Chromium, page: Path) -> None:
    for key in IDS:
        show(chromium, page, key)
        chromium.js("document.querySelector('#checked').previousElementSibling.click()")
        chromium.wait("document.querySelector('#checked').value")
        assert chromium.js("document.querySelector('#checked').value").startswith("all ")
    show(chromium, page, IDS[0])
    chromium.js(OPEN_ALL)
    buttons = "[...document.querySelectorAll('#question button[aria-label^=\"Check the hash\"]')]"
    results = f"{buttons}.map(b => b.nextElementSibling.value)"
    asked_for = f"{buttons}.map(b => b.getAttribute('aria-label'))"
    assert "Check the hash of the request to the reader model" in chromium.js(asked_for)
    chromium.js(f"{buttons}.forEach(b => b.click())")
    chromium.wait(f"{results}.every(Boolean)")
    assert set(chromium.js(results)) == {"the text here has this hash"}


def test_a_changed_text_is_found_out(chromium: Chromium, tmp_path: Path) -> None:
    changed = write_browser(tmp_path, sources())
    file = tmp_path / "questions" / f"{packet('').sha256}.js"
    file.write_text(file.read_text(encoding="utf-8").replace("the end", "The end"), encoding="utf-8")
    show(chromium, changed, IDS[0])
    chromium.js("document.querySelector('#checked').previousElementSibling.click()")
    chromium.wait("document.querySelector('#checked').value")
    told = chromium.js("document.querySelector('#checked').value")
    assert "differ: packet of chain; request of chain to model" in told


def test_what_is_not_known_is_said(chromium: Chromium, page: Path) -> None:
    show(chromium, page, IDS[0])
    shown = chromium.js(OPEN_ALL)
    assert "its answers were imported, and it has no packets or scaffolds here" in shown
    assert "The source made no answer texts public" in shown
    assert "An imported verdict: its request is not known." in shown
    assert "Baselines that no memory made" in shown


def test_a_packet_is_loaded_when_it_is_opened(chromium: Chromium, page: Path) -> None:
    show(chromium, page, IDS[0])
    name = f"{packet('').sha256}.js"
    assert not [u for u in chromium.urls if u.endswith(name)]
    chromium.js(OPEN_ALL)
    assert len([u for u in chromium.urls if u.endswith(name)]) == 1
    assert len([u for u in chromium.urls if u.endswith("0001.js")]) == 1
    assert not [u for u in chromium.urls if u.endswith("0002.js")]


def test_keys(chromium: Chromium, page: Path) -> None:
    show(chromium, page)
    for key, focus in (
        ("j", IDS[0]), ("j", IDS[1]), ("ArrowDown", IDS[2]), ("k", IDS[1]), ("ArrowUp", IDS[0]), ("k", IDS[0]),
        ("/", "search"), ("Escape", IDS[0]), ("j", IDS[1]),
    ):  # fmt: skip
        chromium.press(key)
        assert chromium.js(FOCUS) == focus
    chromium.press("Enter")
    chromium.wait("document.activeElement.matches('h2')")
    assert chromium.js("document.querySelector('h2').textContent") == QUESTIONS[1]
    chromium.press("j")
    chromium.wait(f"document.querySelector('h2')?.textContent === {json.dumps(QUESTIONS[2])}")
    chromium.press("k")
    chromium.wait(f"document.querySelector('h2')?.textContent === {json.dumps(QUESTIONS[1])}")
    assert chromium.js("document.querySelector('#rows [aria-current]').dataset.n") == "1"
    chromium.press("Escape")
    assert chromium.js(FOCUS) == IDS[1]
    assert chromium.js("document.querySelector('#question').hidden")
    chromium.press("/")
    chromium.press("j")
    assert chromium.js("document.querySelector('#search').value") == "j", "in the search a letter is a letter"
    chromium.press("Escape")
    assert chromium.js("document.querySelector('#search').value") == ""


def test_back_and_forward(chromium: Chromium, page: Path) -> None:
    show(chromium, page)
    chromium.js("document.querySelector('#rows a').click()")
    chromium.wait("document.querySelector('#question h2')")
    chromium.js("history.back()")
    chromium.wait("document.querySelector('#question').hidden")
    chromium.js("history.forward()")
    chromium.wait("document.querySelector('#question h2')")


@pytest.mark.parametrize("key", IDS)
def test_an_address_may_be_an_id_alone(chromium: Chromium, page: Path, key: str) -> None:
    chromium.open(page, f"#{quote(key, safe='')}")
    chromium.wait("document.querySelector('#question h2')")
    assert chromium.js("state.q") == key


def test_an_unknown_address_shows_the_list(chromium: Chromium, page: Path) -> None:
    show(chromium, page, more="filter=nonsense,flipped&system=nobody&q=nothing%ZZ")
    assert chromium.js(ROWS) == ["b 100%", "c&q=x"]
    assert chromium.js("document.querySelector('#question').hidden")


def test_many_questions_are_drawn_in_parts(chromium: Chromium, tmp_path: Path) -> None:
    many = write_browser(tmp_path, plenty(450), CELLS[:1])
    show(chromium, many)
    drawn = "document.querySelectorAll('#rows a').length"
    assert chromium.js(drawn) == 200
    assert chromium.js("document.querySelector('#more').textContent") == "Show 200 more of 250"
    chromium.js("document.querySelector('#more').click()")
    assert chromium.js(drawn) == 400
    chromium.js("[...document.querySelectorAll('#rows a')].at(-1).focus()")
    chromium.press("j")
    assert chromium.js(FOCUS) == "q00400"
    assert chromium.js("document.querySelector('#more').hidden")
    show(chromium, many, "q00300")
    assert chromium.js("document.querySelector('#rows [aria-current]').dataset.n") == "300"


EDGES = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"


@pytest.mark.parametrize("width", [400, 1280])
def test_nothing_runs_over_the_edge(chromium: Chromium, page: Path, width: int) -> None:
    chromium.open(page, "", width=width)
    assert chromium.js(EDGES) == [width, width]
    chromium.open(page, f"#q={quote(IDS[0])}", width=width)
    chromium.wait("document.querySelector('#question h2')")
    chromium.js(OPEN_ALL)
    assert chromium.js(EDGES) == [width, width]
    assert chromium.js("document.querySelector('#list').offsetParent === null") == (width == 400)


def test_colours_follow_the_scheme(chromium: Chromium, page: Path) -> None:
    found = {}
    for scheme in ("light", "dark"):
        chromium.open(page, scheme=scheme)
        found[scheme] = chromium.js("getComputedStyle(document.body).backgroundColor")
    assert found["light"] != found["dark"]


def test_on_paper_a_question_stands_alone(chromium: Chromium, page: Path) -> None:
    chromium.open(page, f"#q={quote(IDS[0])}", medium="print")
    chromium.wait("document.querySelector('#question h2')")
    hidden = "getComputedStyle(document.querySelector('{}')).display === 'none'"
    assert chromium.js(hidden.format("#list"))
    assert chromium.js(hidden.format("#question button"))
    assert not chromium.js(hidden.format("#question"))


def test_a_missing_file_is_told(running: Chromium, tmp_path: Path) -> None:
    page = write_browser(tmp_path, sources())
    (tmp_path / "questions" / "0001.js").unlink()
    show(running, page, more="q=a%7C1")
    running.wait("document.querySelector('#question [role=alert]')")
    assert "0001.js" in running.js("document.querySelector('#question [role=alert]').textContent")
    (tmp_path / "questions.js").unlink()
    running.open(page)
    assert "questions.js is missing" in running.js("document.querySelector('header [role=alert]').textContent")
