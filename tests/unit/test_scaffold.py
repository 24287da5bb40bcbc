"""Scaffolds: worked examples of each operator in English and Russian, and the laws of all of them."""

from __future__ import annotations

import random
import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtrial.corpus import Corpus, slot_name
from memtrial.packet.budget import Budget, seal
from memtrial.packet.rendering import Renderer
from memtrial.records import Packet, Question, Scaffold, Session, Slot, Turn
from memtrial.scaffold import chronology, counting, recency
from memtrial.scaffold.build import VERSION, build_scaffolds
from memtrial.scaffold.evidence import Evidence, ScaffoldError, Shown
from memtrial.scaffold.gate import operators
from memtrial.scaffold.headings import HEADINGS
from memtrial.scaffold.layout import Line, Section, lay_out
from memtrial.scaffold.matching import match
from memtrial.scaffold.quantities import find as quantities
from memtrial.scaffold.sentences import split
from memtrial.text import proxy_tokens, sha256, stems

EN = HEADINGS["en"]
SPEC = {"scaffold": {"enabled": True, "max_tokens": 6000}}
ASKED = datetime(2024, 5, 1, 12, 0)
Said = tuple[datetime, list[str]]


def at(month: int, day: int, hour: int = 9, minute: int = 0) -> datetime:
    return datetime(2024, month, day, hour, minute)


def made(
    question: str, *sessions: Said, prefix: str = "answer", order: list[int] | None = None
) -> tuple[Question, Packet, Corpus]:
    """A question with a packet of all sessions (in slot order `order`); turns alternate between user and assistant."""
    rows = [Session("c", i, f"{prefix}_{i}", f"{prefix}{i}", time) for i, (time, _) in enumerate(sessions)]
    turns = [
        Turn(f"{prefix}{i}", j, ("user", "assistant")[j % 2], "", text, None)
        for i, (_, texts) in enumerate(sessions)
        for j, text in enumerate(texts)
    ]
    corpus, asked = Corpus(rows, turns), Question("q", "c", question, ASKED, "en", [])
    renderer = Renderer(corpus)
    sizes = {p: len(corpus.text(rows[p])) for p in range(len(rows))}
    slots = [Slot(0, p, "prefix", "whole", None, sizes[p], sizes[p]) for p in order or range(len(rows))]
    return asked, seal(asked, slots, [], renderer, Budget(None, None)), corpus


def build_scaffold(asked: Question, packet: Packet, corpus: Corpus, spec: dict[str, Any]) -> Scaffold:
    (built,) = build_scaffolds([asked], [packet], corpus, spec)
    return built


def scaffold(question: str, *sessions: Said, order: list[int] | None = None) -> Scaffold:
    return build_scaffold(*made(question, *sessions, order=order), SPEC)


def shown(question: str, *sessions: Said) -> list[Shown]:
    asked, packet, corpus = made(question, *sessions)
    return Evidence(corpus).shown(packet, asked)


@pytest.mark.parametrize(
    ("question", "fired"),
    [
        ("What is the name of my dog?", []),
        ("Как зовут мою собаку?", []),
        ("How many weddings did I attend?", ["counting"]),
        ("У скольких врачей я был?", ["counting"]),
        ("Сколько рублей я потратил?", ["counting"]),
        ("How many days passed between the two?", ["dates"]),
        ("How many days did I spend in total on the road?", ["dates", "counting"]),
        ("Сколько дней прошло между ними?", ["dates"]),
        ("Когда я ходил к врачу?", ["dates"]),
        ("Во сколько мой поезд?", ["dates"]),
        ("What is my cat called now?", ["recency"]),
        ("Где я сейчас живу?", ["recency"]),
        ("Что ещё?", []),
        ("How many plants do I currently have?", ["recency", "counting"]),
    ],
)
def test_the_question_alone_decides_the_operators(question: str, fired: list[str]) -> None:
    assert operators(question) == (["chronology", *fired, "matching"] if fired else [])


def test_no_operator_no_scaffold() -> None:
    built = scaffold("What is the name of my dog?", (at(1, 2), ["My dog is Rex."]))
    assert built == Scaffold("q", [], VERSION, "", sha256(""))
    asked, packet, corpus = made("When did I move?", (at(1, 2), ["I moved."]))
    assert build_scaffold(asked, packet, corpus, {"scaffold": {"enabled": False}}).operators == []


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("I saw Dr. Low on 3.5 acres. J. R. Smith came! So do I. Then we left…",
         ["I saw Dr. Low on 3.5 acres.", "J. R. Smith came!", "So do I.", "Then we left…"]),
        ("hi. i bought a lamp. ok", ["hi.", "i bought a lamp.", "ok"]),
        ("1. Milk", ["1. Milk"]),
        ("See No. 5 at 9 p.m. Then rest", ["See No. 5 at 9 p.m.", "Then rest"]),
        ("Живу в г. Казань, ул. Ленина, д. 5. Там тихо, т. е. хорошо.",
         ["Живу в г. Казань, ул. Ленина, д. 5.", "Там тихо, т. е. хорошо."]),
        ("Ем хлеб и т. д. Потом сплю. А. С. Грин писал.", ["Ем хлеб и т. д.", "Потом сплю.", "А. С. Грин писал."]),
        ("  ", []),
    ],
)  # fmt: skip
def test_sentences(text: str, sentences: list[str]) -> None:
    assert split(text) == sentences


@given(st.text(alphabet="aBж. !?1«»\t", max_size=60))
def test_splitting_loses_no_word(text: str) -> None:
    assert " ".join(split(text)).split() == text.split()


def test_chronology_goes_by_clock_then_slot_and_unknown_times_come_last() -> None:
    sessions = shown("When?", (at(3, 2, 20, 56), ["a"]), (at(3, 2, 0, 55), ["b"]), (at(3, 2, 20, 56), ["c"]))
    unknown = sessions[0]._replace(slot=4, name="Session 4", time=None)
    (section,) = chronology.sections([unknown, *sessions], EN)
    assert [line.text for line in section.lines] == [
        "2024/03/02 (Sat) 00:55: Session 2",
        "2024/03/02 (Sat) 20:56: Session 1",
        "2024/03/02 (Sat) 20:56: Session 3",
        "unknown: Session 4",
    ]


def test_matching_prefers_rare_shared_words_and_user_statements_only() -> None:
    sessions = shown(
        "x",
        (at(1, 1), ["I walk my dog. The dog likes rain.", "Dermatologists like dogs."]),
        (at(1, 2), ["A dermatologist saw me. Dogs again."]),
    )
    found = match("Which dermatologist saw the dog?", sessions)
    assert [m.sentence.text for m in found] == [
        "A dermatologist saw me.",
        "I walk my dog.",
        "The dog likes rain.",
        "Dogs again.",
    ]
    assert found[0].score > found[1].score == found[2].score


def test_a_speakers_name_alone_is_no_match_but_ranks_the_speaker_first() -> None:
    turns = [
        Turn("t", 0, "user", "Ann", "I paint.", None),
        Turn("t", 1, "assistant", "Bo", "I paint too. Hi Ann!", None),
    ]
    corpus = Corpus([Session("c", 0, "s", "t", at(1, 1))], turns)
    size = len(corpus.text(corpus.conversation("c")[0]))
    asked = Question("q", "c", "When did Ann paint?", ASKED, "en", [])
    packet = seal(asked, [Slot(0, 0, "prefix", "whole", None, size, size)], [], Renderer(corpus), Budget(None, None))
    assert [m.sentence.text for m in match(asked.question, Evidence(corpus).shown(packet, asked))] == [
        "I paint.",
        "I paint too.",
    ]


def test_dates_english() -> None:
    text = scaffold(
        "How many days passed between my cat's arrival and her first check-up?",
        (at(4, 14), ["My cat arrived yesterday!", "Great."]),
        (at(4, 28), ["The cat had her first check-up today."]),
        order=[1, 0],
    ).text
    assert "- Session 2, said 2024/04/14 (Sun) 09:00: “yesterday” = 2024/04/13 (Sat) (18 days, 19 counting both" in text
    assert (
        "- 2024/04/13 (Sat) (Session 2) to 2024/04/28 (Sun) (Session 1): 15 days, 16 counting both the first and"
        in text
    )
    assert text.splitlines()[1] == "Question date: 2024/05/01 (Wed) 12:00"


def test_dates_russian() -> None:
    text = scaffold(
        "Сколько дней прошло между отъездом и возвращением?",
        (at(4, 14), ["Мой отъезд был вчера."]),
        (at(4, 20), ["Возвращение — 16 апреля. На прошлой неделе отъезда не было."]),
    ).text
    assert "«вчера» = 2024/04/13 (Sat)" in text
    assert (
        "с 2024/04/13 (Sat) (Session 1) по 2024/04/16 (Tue) (Session 2): дней: 3, считая первый и последний: 4" in text
    )
    assert "«прошлой неделе» = с 2024/04/08 (Mon) по 2024/04/14 (Sun) (до даты вопроса, дней: от 17 до 23)" in text


def test_recency_english_marks_the_newest_and_a_deletion() -> None:
    sessions = shown(
        "x",
        (at(3, 1, 20), ["My locker code is 1122 now."]),
        (at(3, 1, 8), ["The locker code is 9911."]),
        (at(3, 5), ["Please forget my locker code.", "Done."]),
    )
    (section,) = recency.sections(match("What is my current locker code?", sessions), sessions, EN)
    assert [line.text for line in section.lines] == [
        "2024/03/01 (Fri) 08:00, Session 2 [earlier, deleted later, by Session 3]: The locker code is 9911.",
        "2024/03/01 (Fri) 20:00, Session 1 [latest, deleted later, by Session 3]: My locker code is 1122 now.",
        "2024/03/05 (Tue) 09:00, Session 3 [asks for deletion]: Please forget my locker code.",
    ]


def test_recency_russian_bare_deletion_refers_to_the_turn_before() -> None:
    sessions = shown(
        "x",
        (at(3, 1), ["Я живу на улице Ленина."]),
        (at(3, 4), ["Теперь живу на улице Баумана.", "Понял.", "Удали это."]),
    )
    (section,) = recency.sections(match("Где я сейчас живу, на какой улице?", sessions), sessions, HEADINGS["ru"])
    assert [re.sub(r"^\S+ \S+ ", "", line.text) for line in section.lines] == [
        "09:00, Session 1 [раньше]: Я живу на улице Ленина.",
        "09:00, Session 2 [последнее, удалено позже, Session 2]: Теперь живу на улице Баумана.",
        "09:00, Session 2 [просьба удалить]: Удали это.",
    ]


def test_counting_english_joins_restatements_and_sums_what_is_listed() -> None:
    question = "How much money did I spend on my bike in total?"
    sessions = shown(
        "x",
        (at(1, 5), ["I spent $1,200 on my new bike, and it is red."]),
        (at(1, 7), ["I spent $1,200 on my new bike, and it is so red."]),
        (at(1, 9), ["The bike helmet cost 85 dollars. Is a bike lock worth it?"]),
    )
    items, sums = counting.sections(match(question, sessions), ["money", "spent", "bike"], EN, summed=True)
    assert [line.text for line in items.lines] == [
        "1. 2024/01/05 (Fri) 09:00, Session 1 (said 2 times: Session 1, Session 2): I spent $1,200 on my new bike "
        "[1 of 3 question terms]",
        "2. 2024/01/09 (Tue) 09:00, Session 3: The bike helmet cost 85 dollars. [1 of 3 question terms]",
        "3. 2024/01/09 (Tue) 09:00, Session 3: Is a bike lock worth it? [1 of 3 question terms, a question]",
    ]
    assert [line.text for line in sums.lines] == [
        "$: 1200 (“$1,200”, Session 1) + 85 (“85”, Session 3); sum of the quantities listed: 1285"
    ]
    assert items.title == "Candidate items, restatements joined, best match first: 3"


def test_counting_russian() -> None:
    text = scaffold(
        "Сколько рублей я потратил на собаку?",
        (at(1, 5), ["Потратил 4 700 рублей на корм собаке."]),
        (at(1, 9), ["Купил собаке две миски за 1200 руб. вчера."]),
    ).text
    assert "₽: 4700 (“4 700”, Session 1) + 1200 (“1200”, Session 2); сумма перечисленных величин: 5900" in text


def test_a_sum_is_only_made_of_one_unit() -> None:
    sessions = shown("x", (at(1, 1), ["I paddled 8 km in 2 hours. I paddled 12 km there."]))
    _, sums = counting.sections(match("How many km did I paddle?", sessions), stems("km paddle"), EN, summed=True)
    assert [line.text for line in sums.lines] == [
        "hours: 2 (“2”, Session 1)",
        "km: 8 (“8”, Session 1) + 12 (“12”, Session 1); sum of the quantities listed: 20",
    ]


def test_values_that_replace_each_other_are_not_summed() -> None:
    text = scaffold(
        "How many titles are on my list now?",
        (at(1, 1), ["20 titles on my list."]),
        (at(2, 1), ["25 titles on my list. Are there many titles on my list?"]),
    ).text
    assert "- titles: 20 (“20”, Session 1), 25 (“25”, Session 2)\n" in text
    assert (
        "Session 2 [latest]: 25 titles on my list." in text
        and "Session 2 [a question]: Are there many titles on my list?" in text
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("two new lamps, one fern and this one", [("two", "lamp"), ("one", "fern")]),
        ("about 35% at 5 pm, 7:05, the 3rd", [("35", "%")]),
        ("15€ for twenty-five minutes", [("15", "€"), ("twenty-five", "minut")]),
        ("три лампы и одна кошка", [("три", "ламп")]),
    ],
)
def test_quantities(text: str, found: list[tuple[str, str]]) -> None:
    assert [(q.text, q.unit) for q in quantities(text, stems("lamp fern лампа"))] == found


def test_the_budget_cuts_the_least_matching_lines_and_says_how_many() -> None:
    sections = [
        Section("A", [Line("top " * 100, 9.0), Line("low " * 200, 1.0)]),
        Section("B", [Line("low " * 200, 1.0), Line("fixed")]),
    ]
    text = lay_out(["head"], sections, 350, EN)
    assert text == (
        f"head\n\nA\n- {'top ' * 100}\n- {'low ' * 200}\n\nB\n- fixed\n(1 more, which match less, are not shown)"
    )
    with pytest.raises(ScaffoldError, match="over its budget"):
        lay_out(["head" * 1000], [], 350, EN)


def test_passages_and_cut_sessions_are_read_as_far_as_they_are_shown() -> None:
    asked, _, corpus = made("When did I paint?", (at(1, 2), ["I paint on May 3. ", "Ok.", "I paint on May 9."]))
    session, renderer = corpus.conversation("c")[0], Renderer(corpus)
    size = len(corpus.text(session))
    passage = Slot(0, 0, "passage", "turns", [0, 3], len(renderer.body(session, "turns", [0, 3], 0)), size)
    cut = Slot(
        0,
        0,
        "prefix",
        "cut",
        [0, 1],
        len(corpus.text(session)) - len("\nassistant: Ok.\nuser: I paint on May 9."),
        size,
    )
    for slot, day, other in ((passage, "May 9", "May 3"), (cut, "May 3", "May 9")):
        text = build_scaffold(asked, seal(asked, [slot], [], renderer, Budget(None, None)), corpus, SPEC).text
        assert day in text and other not in text
        assert slot_name(slot._replace(slot=1)) in text


def test_scaffolds_come_in_packet_order_and_progress_is_told() -> None:
    asked, packet, corpus = made("When did I move?", (at(1, 2), ["I moved yesterday."]))
    questions = [asked, asked._replace(question_id="p", question="Who?")]
    told: list[tuple[int, int]] = []
    packets = [packet, packet._replace(question_id="p")]
    built = list(build_scaffolds(questions, packets, corpus, SPEC, lambda *counts: told.append(counts)))
    assert [(s.question_id, bool(s.text)) for s in built] == [("q", True), ("p", False)]
    assert built[0] == build_scaffold(asked, packet, corpus, SPEC)
    assert told == [(1, 2), (2, 2)]


def test_faults_of_the_caller_are_named() -> None:
    asked, packet, corpus = made("When?", (at(1, 1), ["a"]))
    with pytest.raises(ValueError, match="no such question"):
        list(build_scaffolds([], [packet], corpus, SPEC))
    with pytest.raises(ValueError, match="at least 500"):
        build_scaffold(asked, packet, corpus, {"scaffold": {"enabled": True, "max_tokens": 10}})


PHRASES = ("I bought 3 lamps", "My cat Pixel moved in", "I saw Dr. Low", "Forget my lamps", "Delete that",
           "Купил две лампы", "Удали это", "The lamp cost $1,200", "It rained", "Is a lamp good?")  # fmt: skip
WHENS = (
    "",
    " yesterday",
    " last Tuesday",
    " two weeks ago",
    " on March 3rd",
    " 8 мая",
    " in June",
    " на прошлой неделе",
    " 3 days ago",
)
QUESTIONS = ("How many lamps did I buy?", "When did my cat move in?", "What is my cat called now?",
             "Сколько ламп я купил сейчас?", "How many days passed between the lamp and the cat?")  # fmt: skip
STATEMENTS = st.tuples(st.sampled_from(PHRASES), st.sampled_from(WHENS)).map("".join)
TURN = st.lists(STATEMENTS, min_size=1, max_size=4).map(lambda s: ". ".join(s) + ".")
SESSIONS = st.lists(
    st.tuples(st.integers(0, 900), st.lists(TURN, min_size=1, max_size=5)).map(
        lambda s: (ASKED - timedelta(hours=7 * s[0]), s[1])
    ),
    min_size=1,
    max_size=8,
)
QUOTED = re.compile(
    r"(?:from: |из: |\]: |, user: |^- \d+\. [^:]+:\d\d, Session \d+(?: \(.+?: .+?\))?: )"
    r"(.+?)…?(?: \[[^\]]+\d[^\]]+\])?$"
)
NAMED = re.compile(r"(?:Session|Passage) \d+")


@settings(max_examples=1000, deadline=None)
@given(st.sampled_from(QUESTIONS), SESSIONS, st.sampled_from([500, 6000]), st.randoms(use_true_random=False))
def test_scaffolds_do_not_lie(question: str, sessions: list[Said], tokens: int, rng: random.Random) -> None:
    order = list(range(len(sessions)))
    rng.shuffle(order)
    asked, packet, corpus = made(question, *sessions, order=order)
    spec = {"scaffold": {"enabled": True, "max_tokens": tokens}}
    built = build_scaffold(asked, packet, corpus, spec)
    assert proxy_tokens(len(built.text)) <= tokens and built.sha256 == sha256(built.text)
    shown_names = {f"Session {s.slot}" for s in packet.slots}
    assert set(NAMED.findall(built.text)) <= shown_names
    for line in built.text.splitlines():
        if line.startswith("- ") and (quoted := QUOTED.search(line)):
            assert quoted.group(1) in packet.text
        for words in re.findall(r"[“«](.+?)[”»]", line):
            assert words in packet.text
    renamed = made(question, *sessions, order=order, prefix="zz")
    assert build_scaffold(*renamed, spec) == built
    assert "answer" not in built.text
    _check_computed(built.text)


def _check_computed(text: str) -> None:
    """Every sum is that of its line, and every compared day one that a date line gives (if none was cut)."""
    for terms, total in re.findall(r"^- .+?: (.+); (?:sum of|сумма)[^:]+: (\S+)$", text, re.MULTILINE):
        assert sum(float(v) for v in re.findall(r"(?:^|\+ )([\d.]+) \(", terms)) == float(total)
    if "not shown" in text or "не показано" in text:
        return
    days = re.compile(r"\d{4}/\d\d/\d\d \(\w{3}\)")
    resolved = {d for line in text.splitlines() if "from: " in line or "из: " in line for d in days.findall(line)}
    for line in text.splitlines():
        if "; from" not in line and "counting both" in line and line.count("Session") == 2 and "said" not in line:
            assert set(days.findall(line)) <= resolved
