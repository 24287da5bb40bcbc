"""Scaffolds of generated packets tell no lie, and the examiner that says so sees the lies that are planted."""

from __future__ import annotations

import random
import re
from collections import Counter
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from dateutil.relativedelta import relativedelta
from generated_packets import Case, case, whole_packet
from hypothesis import given
from hypothesis import strategies as st

from memtrial.controls.truth import examine
from memtrial.controls.truth_amounts import amount
from memtrial.controls.truth_dates import counted_from, readings
from memtrial.controls.truth_numbers import span, value
from memtrial.corpus import Corpus
from memtrial.records import Question, Scaffold, Session, Turn
from memtrial.scaffold.build import build_scaffolds
from memtrial.text import language_of, sha256

OPERATORS = ["dates", "recency", "counting", "comparison"]
PACKETS = 4000
SECTIONS = (
    "chronology",
    "dates",
    "intervals",
    "recency",
    "counting",
    "spread",
    "quantities",
    "order",
    "sides",
    "matching",
)
# Fewer scaffolds with lines of a section than this, in either language, would prove too little.
LEAST = 40
APRIL = datetime(2024, 4, 14, 9, 0)


def scaffold_of(made: Case) -> Scaffold:
    settings = {"enabled": True, "max_tokens": made.max_tokens, "operators": OPERATORS}
    (built,) = build_scaffolds([made.question], [made.packet], made.corpus, {"scaffold": settings})
    return built


def test_scaffolds_of_generated_packets_do_not_lie() -> None:
    lies: list[str] = []
    shown: Counter[tuple[str, str]] = Counter()
    unchecked: Counter[str] = Counter()
    checked = cut = 0
    for seed in range(PACKETS):
        made = case(seed)
        built = scaffold_of(made)
        found = examine(made.question, made.packet, built, made.corpus)
        lies += [f"seed {seed}: {fault}" for fault in found.faults]
        checked += found.checked
        unchecked.update(what.split(" said on ")[0] for what in found.unchecked)
        shown.update((p.section, language_of(made.question.question)) for p in built.parts if p.shown_lines)
        cut += any(p.cut_lines for p in built.parts)
    print(f"{PACKETS} packets, {checked} facts checked, {unchecked.total()} unchecked: {unchecked.most_common()}")
    print(f"scaffolds with lines in a section: {dict(shown)}; with cut lines: {cut}")
    assert not lies, f"{len(lies)} lies:\n" + "\n".join(lies[:20])
    assert min(cut, *(shown[name, language] for name in SECTIONS for language in ("en", "ru"))) >= LEAST
    assert unchecked.total() <= checked / 100


def test_a_changed_digit_is_seen() -> None:
    """Wherever it stands; only a number of events or of further statements may be another true one."""
    rng, seen, tried = random.Random(1), 0, 0
    for made, built in ((made, scaffold_of(made)) for made in map(case, range(300))):
        digits = [i for i, c in enumerate(built.text) if c.isdecimal()]
        for place in rng.sample(digits, min(10, len(digits))):
            other = rng.choice([d for d in "0123456789" if d != built.text[place]])
            text = built.text[:place] + other + built.text[place + 1 :]
            changed = built._replace(text=text, sha256=sha256(text))
            seen += bool(examine(made.question, made.packet, changed, made.corpus).faults)
            tried += 1
    assert tried > 1000
    assert seen >= 0.99 * tried


def test_a_case_is_its_seeds() -> None:
    assert case(7).packet == case(7).packet != case(8).packet


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"sha256": sha256("")}, "the hash is not that of the text"),
        ({"absence": "no-cue"}, "a text, or why there is none"),
        ({"cues": {"dates": "how long"}}, "the question does not say 'how long'"),
    ],
)
def test_lies_of_the_record_are_seen(change: dict[str, Any], fault: str) -> None:
    made = TOTAL["en"]
    found = examine(made.question, made.packet, scaffold_of(made)._replace(**change), made.corpus)
    assert any(fault in f for f in found.faults)


def test_a_packet_that_is_not_its_record_is_no_ground_to_judge_on() -> None:
    made = TOTAL["en"]
    packet = made.packet._replace(text=made.packet.text.replace("Session 2", "Session 4"))
    with pytest.raises(ValueError, match="Session 2 does not stand where its record says"):
        examine(made.question, packet, scaffold_of(made), made.corpus)


def planted_case(question: str, *said: str, max_tokens: int = 6000) -> Case:
    """A day a session, from 14 April 2024 on; slots in reverse order; asked on 1 May."""
    sessions = [Session("c", i, f"s{i}", f"t{i}", APRIL + timedelta(days=i)) for i in range(len(said))]
    turns = [
        Turn(f"t{i}", j, r, "", t, None)
        for i, t in enumerate(said)
        for j, r, t in ((0, "user", t), (1, "assistant", "Ok."))
    ]
    corpus, asked = Corpus(sessions, turns), Question("q", "c", question, datetime(2024, 5, 1, 12), "en", [])
    return Case(asked, whole_packet(asked, corpus, reversed(sessions)), corpus, max_tokens)


def planted(built: Scaffold, section: str, pattern: str, lie: str) -> Scaffold:
    """The scaffold with the first match of a pattern in a section (or the header, "") replaced."""
    ends = [built.parts[0].start - 2, *[p.end for p in built.parts]]
    starts = [0, *[p.start for p in built.parts]]
    bodies = [built.text[a:b] for a, b in zip(starts, ends, strict=True)]
    place = ["", *[p.section for p in built.parts]].index(section)
    bodies[place], count = re.subn(pattern, lie, bodies[place], count=1, flags=re.DOTALL | re.MULTILINE)
    assert count, f"{pattern} is not in {bodies[place]}"
    parts, start = [], len(bodies[0]) + 2
    for part, body in zip(built.parts, bodies[1:], strict=True):
        parts.append(part._replace(start=start, end=start + len(body)))
        start += len(body) + 2
    text = "\n\n".join(bodies)
    return built._replace(text=text, parts=parts, sha256=sha256(text))


TOTAL = {
    "en": planted_case("How many lamps did I buy, and when did the cat arrive?", "The cat arrived on April 11, 2024.",
                       "I bought 4,700 lamps yesterday.", "I bought 3 lamps. Lamps are good."),
    "ru": planted_case("Сколько ламп я купил и когда приехал кот?", "Кот приехал 11 апреля 2024 года.",
                       "Вчера я купил 4 700 ламп.", "Я купил 3 лампы. Хороши лампы."),
}  # fmt: skip
HOURS = {
    "en": planted_case("How many hours did I spend on the lamp in total?", "I spent 2 hours on the lamp.",
                       "Then I spent 30 minutes on the blue lamp."),
    "ru": planted_case("Сколько часов я потратил на лампу в сумме?", "Я потратил 2 часа на лампу.",
                       "Потом потратил 30 минут на синюю лампу."),
}  # fmt: skip
ORDER = {
    "en": planted_case("Which came first, the lamp or the cat?", "The cat came on April 11, 2024.",
                       "My lamp came yesterday."),
    "ru": planted_case("Что появилось раньше, лампа или кот?", "Кот появился 11 апреля 2024 года.",
                       "Лампа появилась вчера."),
}  # fmt: skip
NOW = {
    "en": planted_case("Where is my lamp now?", "My lamp is in Riga.", "My lamp is in Perm.", "Forget my lamp."),
    "ru": planted_case("Где сейчас моя лампа?", "Моя лампа в Риге.", "Моя лампа в Перми.", "Забудь про мою лампу."),
}
MANY = range(20)
CUT = {
    "en": planted_case(
        "Where is my lamp now?", *[f"My lamp is in {'Riga and ' * n}Perm." for n in MANY], max_tokens=700
    ),
    "ru": planted_case("Где сейчас лампа?", *[f"Лампа {'в Риге и ' * n}в Перми." for n in MANY], max_tokens=700),
}
LIES = [
    (TOTAL, "", r"2024/05/01 \(Wed\)", "2024/05/02 (Thu)", "not the question's date"),
    (TOTAL, "", "$", " 42", "a number from nowhere"),
    (TOTAL, "chronology", r"(\d+)$", "4", "the section has 3 lines"),
    (TOTAL, "chronology", "09:00", "09:01", "is not the time of"),
    (TOTAL, "chronology", r"\(Sun\)", "(Mon)", "there is no day"),
    (TOTAL, "chronology", "2024/04/14", "2024/13/14", "there is no day"),
    (TOTAL, "chronology", "Session 2", "Session 9", "the packet has no"),
    (TOTAL, "chronology", "^(- .*?\n)(- .*?\n)", r"\2\1", "not in clock order"),
    (TOTAL, "chronology", "^- .*?\n", "", "the record counts 3 lines"),
    (TOTAL, "chronology", "^(- .*?)\n(- .*?)\n", r"\1\n\1\n", "stands twice"),
    (TOTAL, "dates", r"2024/04/11 \(Thu\)", "2024/04/12 (Fri)", "names another day"),
    (TOTAL, "dates", r"2024/04/14 \(Sun\)", "2024/04/13 (Sat)", "names another day"),
    (TOTAL, "dates", "[Yy]esterday|Вчера", "tomorrow", "does not say 'tomorrow'"),
    (TOTAL, "dates", ", 2024|1 апреля", "", "a part of a longer expression"),
    (TOTAL, "dates", r"\b20\b", "21", "the distance is [20, 21"),
    (TOTAL, "dates", r"2024/04/16 \(Tue\)", "2024/04/17 (Wed)", "not the day of Session 1"),
    (TOTAL, "dates", r"before|\bдо\b", "after", "wrong side"),
    (TOTAL, "intervals", r"(2024/04/11.*?\]\))(.*?)(2024/04/14.*?\]\))", r"\3\2\1", "ends are swapped"),
    (TOTAL, "intervals", r"2024/04/11 \(Thu\)", "2024/04/10 (Wed)", "no date of Session 3"),
    (TOTAL, "intervals", r"\b4\b", "5", "the time between them is [3, 4, 0, 3, 0, 3]"),
    (TOTAL, "counting", "^- 1", "- 3", "the list runs"),
    (TOTAL, "counting", r"\[(\D*)2", r"[\g<1>9", "question terms"),
    (TOTAL, "counting", r"(Session \d)", r"\1 (1 times: \1)", "the mentions"),
    (TOTAL, "counting", r"Session [12]", r"Session 3", "is not the time of"),
    (TOTAL, "quantities", r"4703", "4704", "the sum is 4703"),
    (TOTAL, "quantities", r"\b4700", "47", "is no 47 of"),
    (TOTAL, "quantities", r"([“«])4[ ,]", r"\1", "'700 "),
    (TOTAL, "quantities", r"^- \w+", r"- cats", "of 'cats'"),
    (TOTAL, "matching", "lamps|ламп", "cats", "does not say"),
    (TOTAL, "matching", "user", "assistant", "does not say"),
    (TOTAL, "matching", "\\Z", "\nand 42 more", "a line that no list holds"),
    (TOTAL, "matching", r"09:00, (Session \d)", r"09:00, \1 (17 times)", "a number or day from nowhere"),
    (HOURS, "quantities", r"0\.5", "0.6", "is no 0.6 of"),
    (ORDER, "order", "^(- .*?\n)(- .*)\\Z", r"\2\n\1", "not in time order"),
    (ORDER, "order", r"2024/04/11 \(Thu\)", "2024/04/10 (Wed)", "has no such date"),
    (NOW, "recency", "^(- .*?\n)(- .*?\n)", r"\2\1", "not in clock order"),
    (NOW, "recency", "Session [13]", "Session 2", "is not the time of"),
    (NOW, "recency", r"Riga|Риге", "Perm", "does not say"),
    (NOW, "recency", r"(Session 2 \[[^\]]*)Session 1", r"\1Session 3", "Session 3 is older"),
    (NOW, "recency", r"(Session 2 \[[^\]]*)Session 1", r"\1Session 2", "Session 2 does not ask for a deletion"),
    (NOW, "recency", r"[”»]$", "", "a quotation that does not end"),
    (NOW, "recency", r": [“«].*?[”»]", "", "a line without words"),
    (NOW, "matching", r", Session 1", "", "a line of no slot"),
    (CUT, "matching", r"\d+(?=\D*\Z)", "1", "lines were cut"),
]


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(("cases", "section", "pattern", "lie", "fault"), LIES)
def test_planted_lies_are_seen(
    language: str, cases: dict[str, Case], section: str, pattern: str, lie: str, fault: str
) -> None:
    made = cases[language]
    built = scaffold_of(made)
    assert examine(made.question, made.packet, built, made.corpus).faults == []
    faults = examine(made.question, made.packet, planted(built, section, pattern, lie), made.corpus).faults
    assert any(fault in found for found in faults), faults


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,325", 1325),
        ("4 700 рублей", 4700),
        ("$1,200", 1200),
        ("0,125", 0.125),
        ("2,5", 2.5),
        ("$1.5 million", 1_500_000),
        ("5 тыс. рублей", 5000),
        ("twenty-five", 25),
        ("three and a half miles", 3.5),
        ("an hour and a half", 1.5),
        ("half a dozen", 6),
        ("three hundred", 300),
        ("сто двадцать", 120),
        ("две тысячи пятьсот", 2500),
        ("пятеро", 5),
        ("12,34,5", None),
        ("dog", None),
    ],
)
def test_numbers(text: str, number: float | None) -> None:
    assert value(text) == number


@pytest.mark.parametrize(
    ("text", "unit", "found"),
    [
        ("took |30 minutes| of work", "hours", 0.5),
        ("a |quick 15|-20 minutes", "minutes", None),
        ("for |15|-20 minutes", "minutes", None),
        ("the |1|/72 scale", "scale", None),
        ("|3 lamps|", "lamp", 3),
        ("|2 cats| 3 lamps", "lamps", None),
        ("всего 4 |700 рублей|", "₽", None),
        ("всего |4 700 рублей|", "₽", 4700),
        ("|полчаса|", "minutes", 30),
    ],
)
def test_amounts(text: str, unit: str, found: float | None) -> None:
    before, quote, after = text.split("|")
    assert amount(quote, before, after, unit) == found


def day(month: int, number: int, year: int = 2024) -> tuple[date, date]:
    return date(year, month, number), date(year, month, number)


def days(first: tuple[int, int], last: tuple[int, int], year: int = 2024) -> tuple[date, date]:
    return date(year, *first), date(year, *last)


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("yesterday", [day(4, 30)]),
        ("позавчера", [day(4, 29)]),
        ("May 9", [day(5, 9, 2023), day(5, 9)]),
        ("9-го мая 2022 г.", [day(5, 9, 2022)]),
        ("December 25", [day(12, 25, 2023), day(12, 25)]),
        ("3/4/2024", [day(3, 4), day(4, 3)]),
        ("last Friday", [day(4, 26)]),
        ("в прошлый понедельник", [day(4, 22), day(4, 29)]),
        ("on Tuesday night", [day(4, 30), day(5, 7)]),
        ("the Friday before last", [day(4, 19)]),
        ("in May", [days((5, 1), (5, 31))]),
        ("в середине мая", [days((5, 11), (5, 20))]),
        ("за последнюю неделю", [days((4, 24), (5, 1))]),
        ("two weeks ago", [day(4, 17), days((4, 15), (4, 21))]),
        ("half a year ago", [days((11, 1), (11, 30), 2023)]),
        ("несколько дней назад", [days((4, 25), (4, 29))]),
        ("last summer", [days((6, 1), (8, 31), 2023)]),
        ("the second week of May 2024", [days((5, 8), (5, 14))]),
        ("с 3 по 5 мая", [days((5, 3), (5, 5), 2023), days((5, 3), (5, 5))]),
        ("через 5 дней", [day(5, 6)]),
        ("some day", None),
        ("February 30", None),
    ],
)
def test_readings_of_date_expressions(expression: str, found: list[tuple[date, date]] | None) -> None:
    known = readings(expression, date(2024, 5, 1))
    assert (set(known) if known else known) == (set(found) if found else found)


def test_days_counted_from_other_days() -> None:
    assert counted_from("two days later", [day(5, 9), days((6, 1), (6, 30))]) == [day(5, 11)]
    assert counted_from("на следующий день", [day(5, 9)]) == [day(5, 10)]


@given(st.dates(date(1990, 1, 1), date(2040, 1, 1)), st.integers(0, 4000))
def test_spans_are_those_of_dateutil(first: date, days: int) -> None:
    last = first + timedelta(days=days)
    apart = relativedelta(last, first)
    assert span(first, last) == [days, days + 1, *divmod(days, 7), 12 * apart.years + apart.months, apart.days]
