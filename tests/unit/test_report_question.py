from __future__ import annotations

import re
from datetime import datetime
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtrial.corpus import Corpus
from memtrial.errors import InputError
from memtrial.records import (
    Candidate,
    Dropped,
    Packet,
    Part,
    Question,
    Reranked,
    Scaffold,
    Session,
    Slot,
    Turn,
    TurnHit,
)
from memtrial.report.question import QuestionData, build_question_page
from memtrial.report.transcript import Marker, stretches

DAYS = (datetime(2024, 3, 1, 9), datetime(2024, 3, 8, 9), datetime(2024, 3, 15, 9))
TURNS = [
    Turn("c0", 0, "user", "", "I bought two lamps.", None),
    Turn("c0", 1, "assistant", "", "Lovely.\nFirst tip.\nSecond tip, on lamps.\nThird tip.", None),
    Turn("c0", 2, "user", "", "Thank you.", None),
    Turn("c1", 0, "user", "", "My street is <b>Oak & Elm</b>.", None),
    Turn("c1", 1, "assistant", "", "</details><script>alert(1)</script>", None),
    Turn("c2", 0, "user", "", "The shelf stands.", None),
]
SPEC = {
    "kind": "chain",
    "packet": {"packet": {"max_sessions": 4, "max_tokens": 100, "tokenizer": None}},
    "scaffold": {"scaffold": {"enabled": True, "max_tokens": 50}},
}
EXTRACTED = Slot(1, 0, "prefix", "extracted", [0, 1, 4, 6], 3, 143, 141)
CUT = Slot(2, 1, "extension", "cut", [0, 1], 1, 55, 112)


def body(slot: Slot, lines: list[tuple[str, Any]]) -> str:
    """What a packet shows of a slot, with a line for each gap."""
    shown, before = [], -1
    for n in range(len(lines)) if slot.kept_lines is None else slot.kept_lines:
        if n > before + 1 and slot.form != "turns":
            shown.append(f"[... {n - before - 1} lines elided ...]")
        shown.append(lines[n][0])
        before = n
    return "\n".join(shown)[: slot.chars if slot.form == "cut" else None]


def sized(slot: Slot) -> tuple[Slot, str]:
    text = body(slot, corpus().lines(corpus().conversation("v")[slot.position]))
    return slot._replace(chars=len(text)), text


def corpus() -> Corpus:
    return Corpus([Session("v", n, f"s{n}", f"c{n}", DAYS[n]) for n in range(3)], TURNS)


def invented(**changed: Any) -> QuestionData:
    """A packet with an extracted and a cut session, a dropped one, and a scaffold of two parts."""
    head, first = "Index.", "Sessions in clock order: 2\n- 2024/03/01: Session 1\n- 2024/03/08: Session 2"
    second = "Matching: 1\n- Session 1, user: “I sat in Session 2 for Session 1”\n(2 more)\n"
    scaffold = f"{head}\n\n{first}\n\n{second}"
    parts = [
        Part("chronology", "chronology", len(head) + 2, len(head) + 2 + len(first), 2, 0),
        Part("counting", "items", len(head) + len(first) + 4, len(scaffold), 1, 2),
    ]
    text = "\n\n".join(f"Session {s.slot}\n{sized(s)[1]}" for s in (EXTRACTED, CUT))
    dropped = [Dropped(2, 7, 40, "budget")]
    ranks = {0: (1, 3, 2, None), 1: (2, 1, None, 4)}
    data = QuestionData(
        "tiny", "chain", Question("a.b|c-1_d", "v", "How many lamps did I buy?", DAYS[2], "en", []),
        [Session("v", n, f"answer_{n}", f"c{n}", DAYS[n]) for n in range(3)], TURNS,
        Packet("a.b|c-1_d", "coverage", [EXTRACTED, CUT], dropped, text, len(text), 40, None, "ab" * 32),
        Scaffold("a.b|c-1_d", ["chronology", "counting"], {"counting": "how many", "dates": "when"}, "counting-1",
                 parts, scaffold, "cd" * 32, ""),
        [Candidate("q", p, pool, dense, None, key, None, exp, None, None, [TurnHit(0, 5, None)])
         for p, (pool, dense, key, exp) in ranks.items()],
        [Reranked("q", 0, 2, 0.5, None, []), Reranked("q", 1, 1, 0.9, None, [])], SPEC,
    )  # fmt: skip
    return data._replace(**changed)


INLINE = {"mark", "a", "code", "strong"}


class Reader(HTMLParser):
    """The words of a page in order, those inside of elisions between braces."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.open: list[bool] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in INLINE:
            self.found.append(" ")
        if tag == "details":
            self.open.append(("class", "elided") in attrs)
            self.found.append("{" if self.open[-1] else "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "details" and self.open.pop():
            self.found.append("}")

    def handle_data(self, data: str) -> None:
        self.found.append(data)


def words(html: str) -> str:
    reader = Reader()
    reader.feed(html[html.index("<body>") :])
    return " ".join("".join(reader.found).split())


@pytest.fixture(scope="module")
def page() -> str:
    return build_question_page(invented())


def test_the_same_data_gives_the_same_bytes_in_any_order_of_rows(page: str) -> None:
    data = invented()
    turned = data._replace(
        turns=data.turns[::-1], sessions=data.sessions[::-1], candidates=data.candidates[::-1],
        reranked=data.reranked[::-1],
    )  # fmt: skip
    assert build_question_page(data) == page == build_question_page(turned)


def test_the_page_needs_no_network_no_script_and_no_other_file(page: str) -> None:
    assert "http" not in page
    assert not re.search(r"<(script|link|img|iframe)\b|@import|url\(|\bsrc=|\son\w+=", page)


def test_every_reference_is_met_once(page: str) -> None:
    ids = re.findall(r'\bid="([^"]*)"', page)
    assert len(ids) == len(set(ids)) and {"slot-1", "slot-2"} <= set(ids)
    assert set(re.findall(r'href="#([^"]*)"', page)) <= set(ids)


def test_elided_lines_stand_folded_where_they_were(page: str) -> None:
    text = words(page)
    order = ("I bought two lamps.", "{ elided: 2 lines, 29 characters", "assistant Lovely. First tip. }",
             "assistant, going on Second tip, on lamps.", "{ elided: 1 line, 10 characters assistant, going on "
             "Third tip. }", "user Thank you.")  # fmt: skip
    places = [text.find(part) for part in order]
    assert -1 not in places and places == sorted(places), text


def test_a_cut_session_shows_where_it_breaks_off_and_what_followed(page: str) -> None:
    text = words(page)
    assert "My street is <b>Oak { cut here: the rest of a line and 1 line, 57 characters" in text
    assert "user, going on & Elm</b>. assistant </details><script>alert(1)</script> }" in text


def test_slots_carry_their_ranks_sizes_and_mentions(page: str) -> None:
    text = words(page)
    assert "Session 1 extracted 2024/03/01 (Fri) 09:00 prefix · reranked 2 · pool 1 · dense 3 · keyword 2 · ex" in text
    assert "Session 2 cut 2024/03/08 (Fri) 09:00 extension · reranked 1 · pool 2 · dense 1 · keyword – · exp" in text
    assert "4 of 7 lines · 2 mentions in the scaffold" in text
    assert "55 of 112 characters · 2 of 3 lines · 1 mention in the scaffold" in text, "a quotation mentions nothing"


def test_a_passage_has_the_rank_of_its_pair() -> None:
    slot, shown = sized(Slot(1, 0, "passage", "turns", [0, 1], 5, 0, 0))
    data = invented()
    packet = data.packet._replace(slots=[slot], text=f"Passage 1\n{shown}")
    text = words(build_question_page(data._replace(packet=packet, reranked=[])))
    assert "Passage 1 turns 2024/03/01 (Fri) 09:00 passage · passage 5" in text
    assert "{ outside this passage: 5 lines" in text and "packet, passages" in text


def test_dropped_candidates_are_listed_without_their_text(page: str) -> None:
    assert "1 candidate considered and left out date rank characters reason 2024/03/15 (Fri) 09:00 7 40" in words(page)
    assert "shelf" not in page


def test_no_source_id_is_shown(page: str) -> None:
    assert "answer_" not in page


def test_the_scaffold_is_shown_whole_by_part_with_its_cues(page: str) -> None:
    text = words(page)
    assert "chronology goes with the others counting “how many” dates “when” asks for it; not in use here" in text
    assert "Index. Sessions in clock order: 2 chronology 2024/03/01: Session 1" in text
    assert "Matching: 1 counting, items Session 1, user: “I sat in Session 2 for Session 1” (2 more)" in text
    aside = page[page.index("<aside") : page.index("</aside>")]
    assert re.findall(r'<a href="#slot-(\d)">Session \1</a>', aside) == ["1", "2", "1"]


@pytest.mark.parametrize(
    ("absence", "told"),
    [
        ("no-cue", "Nothing in the question's wording"),
        ("disabled", "This system builds no scaffolds"),
        ("empty-packet", "The packet is empty, so"),
    ],
)
def test_why_there_is_no_scaffold_is_told(absence: str, told: str) -> None:
    none = Scaffold("q", [], {}, "", [], "", "ef" * 32, absence)
    text = words(build_question_page(invented(scaffold=none)))
    assert f"None. {told}" in text and "mentions" not in text


def test_budgets_show_what_is_used_of_what() -> None:
    text = words(build_question_page(invented()))
    assert "packet, sessions 2 of 4" in text and "packet, proxy tokens 40 of 100" in text
    spec = SPEC | {"packet": {"packet": {"max_tokens": 90, "tokenizer": "some-words"}}}
    counted = invented(packet=invented().packet._replace(tokens=77), spec=spec)
    text = words(build_question_page(counted))
    assert "packet, tokens of some-words 77 of 90" in text and "packet, sessions 2, no limit" in text


def test_an_oracle_system_is_called_one(page: str) -> None:
    spec = SPEC | {"packet": {"packet": {"max_tokens": None, "tokenizer": None, "form": "oracle-question-type"}}}
    assert "system chain oracle: reads the benchmark's question type" in words(build_question_page(invented(spec=spec)))
    assert "oracle" not in page


def test_an_empty_packet_says_so() -> None:
    packet = invented().packet._replace(slots=[], dropped=[], text="")
    text = words(build_question_page(invented(packet=packet, turns=[], sessions=[])))
    assert "no session is shown to the reader" in text and "Nothing that was considered was left out" in text


def test_all_text_is_escaped() -> None:
    nasty = '"><b>&lamps</b>'
    data = invented(benchmark=nasty, system=nasty)
    part = [Part(nasty, nasty, 0, len(nasty), 1, 0)]
    changed = data._replace(
        question=data.question._replace(question=nasty, question_id=nasty, language=nasty, options=[nasty]),
        packet=data.packet._replace(layout=nasty, sha256=nasty, dropped=[Dropped(2, 1, 1, nasty)]),
        scaffold=Scaffold(nasty, [nasty], {nasty: nasty}, nasty, part, nasty, nasty, ""), spec={nasty: nasty} | SPEC,
        turns=[t._replace(speaker=nasty, text=nasty) if t.content_id == "c2" else t for t in data.turns],
    )  # fmt: skip
    packet = changed.packet
    lines = Corpus(changed.sessions, changed.turns).text(changed.sessions[2])
    shown = Slot(3, 2, "prefix", "whole", None, 0, len(lines), len(lines))
    changed = changed._replace(packet=packet._replace(slots=[*packet.slots, shown], text=f"{packet.text}\n\n{lines}"))
    html = build_question_page(changed)
    assert "<b>" not in html and "<script" not in html and html.count("&lt;b&gt;") > 12


@pytest.mark.parametrize(
    ("slot", "told"),
    [
        (EXTRACTED._replace(elided_lines=2), "slot 1': 4 kept and 2 elided lines do not make a session of 7"),
        (EXTRACTED._replace(kept_lines=[0, 1, 4, 9]), "do not make a session of 7"),
        (EXTRACTED._replace(kept_lines=[1, 0, 4, 6]), "do not make a session of 7"),
        (
            EXTRACTED._replace(kept_lines=[0, 1, 2, 6]),
            "slot 1': line 'assistant: Lovely.' is kept and not in the packet's text",
        ),
        (EXTRACTED._replace(kept_lines=[], elided_lines=7), "0 kept and 7 elided lines"),
        (EXTRACTED._replace(chars=90), "is kept and not in the packet's text"),
        (EXTRACTED._replace(position=5), "no session at position 5"),
    ],
)
def test_a_record_that_does_not_fit_its_packet_is_refused(slot: Slot, told: str) -> None:
    packet = invented().packet._replace(slots=[slot, CUT])
    with pytest.raises(InputError, match=r"question a\.b") as refused:
        build_question_page(invented(packet=packet))
    assert told in str(refused.value)


def test_a_part_outside_of_the_scaffold_is_refused() -> None:
    scaffold = invented().scaffold
    with pytest.raises(InputError, match="items does not lie in the text"):
        build_question_page(invented(scaffold=scaffold._replace(parts=[Part("c", "items", 5, 9999, 1, 0)])))


LINES = st.lists(st.text(alphabet="ab \nя", max_size=9), max_size=6)


@given(LINES, st.data())
def test_stretches_hold_every_line_once_and_in_order(texts: list[str], data: st.DataObject) -> None:
    turns = [Turn("c0", n, ("user", "assistant")[n % 2], "", text, None) for n, text in enumerate(texts)]
    own = Corpus([Session("v", 0, "s", "c0", None)], turns)
    lines = own.lines(own.conversation("v")[0])
    kept = sorted(data.draw(st.sets(st.integers(0, len(lines) - 1), min_size=1)))
    slot = Slot(1, 0, "prefix", "extracted", kept, len(lines) - len(kept), 0, 0)
    shown = body(slot, lines)
    if data.draw(st.booleans()):
        line = len(lines[kept[-1]][0])
        lost = data.draw(st.integers(0, line))
        slot = slot._replace(form="cut", chars=len(shown) - lost)
        shown = shown[: slot.chars]
    found = stretches(slot, lines, shown, Marker(""))
    assert all(a.shown != b.shown for a, b in pairwise(found))
    assert sum(s.lines - s.broken for s in found) == len(lines)
    assert sum(s.chars + 1 - s.broken for s in found) == len(own.text(own.conversation("v")[0])) + 1
    parts = [s for s in found if s.shown]
    assert sum(s.lines for s in parts) == len(kept)
    marks = sum(len(gap) + 1 for gap in shown.split("\n") if gap.startswith("[... "))
    assert sum(s.chars + 1 for s in parts) + marks == len(shown) + 1


def test_a_cut_of_an_extraction_breaks_off_in_its_last_kept_line() -> None:
    lines = corpus().lines(corpus().conversation("v")[0])
    slot = Slot(1, 0, "prefix", "cut", [0, 1, 4], 4, 94, 141)
    found = stretches(slot, lines, body(slot, lines), Marker(""))
    texts = [" | ".join(said.text for said in s.said) for s in found]
    assert texts == [
        "date: 2024/03/01 (Fri) 09:00 | I bought two lamps.", "Lovely.\nFirst tip.", "Second tip, on",
        " lamps.\nThird tip. | Thank you.",
    ]  # fmt: skip
    assert [s.broken for s in found] == [False, False, False, True]


@given(st.text(alphabet="lampsЛамп <&'ёе1-"))
def test_marking_changes_no_letter(text: str) -> None:
    marked = Marker("How many lamps? Сколько ламп?")(text)
    assert marked.striptags() == " ".join(text.split()) or marked.replace("<mark>", "").replace("</mark>", "") == (
        Marker("")(text)
    )


def test_words_of_the_question_are_marked_by_their_stem() -> None:
    assert Marker("How many lamps did I buy?")("My lamp, his lamps: clamps.") == (
        "My <mark>lamp</mark>, his <mark>lamps</mark>: clamps."
    )
    assert Marker("Где моя собака?")("Собаке нужна ёлка") == "<mark>Собаке</mark> нужна ёлка"
