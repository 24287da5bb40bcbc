"""Recency: the newest value, what it superseded, ties, plans, the past and deletions, in English and Russian."""

from __future__ import annotations

import random
import re
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scaffold_cases import EN, RU, Said, at, matched, texts

from memtrial.scaffold import recency, values
from memtrial.scaffold.evidence import content_stems
from memtrial.scaffold.expressions import find as dates_in
from memtrial.text import language_of


def lines(question: str, *sessions: Said, order: list[int] | None = None) -> list[str]:
    """The section's lines without the time."""
    matches, shown = matched(question, *sessions, order=order)
    labels = RU if language_of(question) == "ru" else EN
    found = texts(recency.sections(matches, shown, labels, question), "recency")
    return [re.sub(r"^\S+ \S+ \d\d:\d\d, |^unknown, ", "", line) for line in found]


def test_an_older_value_is_superseded_by_the_newest() -> None:
    assert lines(
        "How many stamps do I own now?", (at(3, 1), ["I own 40 stamps."]), (at(4, 1), ["I own 55 stamps already."])
    ) == [
        "Session 1 [superseded by Session 2 of 2024/04/01 (Mon) 09:00, if about the same thing: “40 stamps”]: "
        "“I own 40 stamps.”",
        "Session 2 [latest: “55 stamps”]: “I own 55 stamps already.”",
    ]
    assert lines(
        "Сколько у меня сейчас марок?", (at(3, 1), ["У меня 40 марок."]), (at(4, 1), ["У меня уже 55 марок."])
    ) == [
        "Session 1 [заменено, если речь о том же: Session 2 от 2024/04/01 (Mon) 09:00: «40 марок»]: «У меня 40 марок.»",
        "Session 2 [последнее: «55 марок»]: «У меня уже 55 марок.»",
    ]


def test_a_statement_with_a_value_outranks_a_newer_one_without() -> None:
    assert lines(
        "How many stamps do I own now?", (at(3, 1), ["I own 40 stamps."]), (at(4, 1), ["I love my stamps."])
    ) == [
        "Session 1 [latest: “40 stamps”]: “I own 40 stamps.”",
        "Session 2 [names no such value]: “I love my stamps.”",
    ]
    assert lines(
        "Как зовут мою кошку теперь?", (at(3, 1), ["Кошку зовут Мурка."]), (at(4, 1), ["Кошку и теперь так зовут."])
    ) == [
        "Session 1 [последнее: «Мурка»]: «Кошку зовут Мурка.»",
        "Session 2 [не называет такого значения]: «Кошку и теперь так зовут.»",
    ]


def test_an_older_statement_without_a_value_is_left_out() -> None:
    found = lines("How many stamps do I own?", (at(3, 1), ["I love my stamps."]), (at(4, 1), ["I own 40 stamps."]))
    assert found == ["Session 2 [latest: “40 stamps”]: “I own 40 stamps.”"]


def test_the_same_value_again_supersedes_nothing() -> None:
    found = lines(
        "How many stamps do I own?", (at(3, 1), ["I own 40 stamps."]), (at(4, 1), ["Yes, I own forty stamps."])
    )
    assert [line.split("]")[0] for line in found] == ["Session 1 [earlier", "Session 2 [latest: “forty stamps”"]


def test_two_values_of_one_time_are_not_chosen_between() -> None:
    found = lines("How many stamps do I own?", (at(3, 1), ["I own 40 stamps."]), (at(3, 1), ["I own 55 stamps."]))
    assert found == [
        "Session 1 [latest: “40 stamps”, but Session 2 says otherwise at the same time]: “I own 40 stamps.”",
        "Session 2 [latest: “55 stamps”, but Session 1 says otherwise at the same time]: “I own 55 stamps.”",
    ]
    (both,) = {
        line.count("at the same time")
        for line in lines("How many stamps do I own?", (at(3, 1), ["I own 40 stamps. I own 55 stamps."]))
    }
    assert both == 1
    assert (
        "но в то же время Session 2 говорит иное"
        in lines("Сколько у меня марок сейчас?", (None, ["У меня 40 марок."]), (None, ["У меня 55 марок."]))[0]
    )


def test_a_later_turn_of_a_session_is_later() -> None:
    found = lines("How many stamps do I own?", (at(3, 1), ["I own 40 stamps.", "Nice.", "No, I own 55 stamps."]))
    marks = [line.split(" of ")[0].split(":")[0] for line in found]
    assert marks == ["Session 1 [superseded by Session 1", "Session 1 [latest"]


@pytest.mark.parametrize(
    ("question", "said", "later"),
    [
        ("How many stamps do I own?", "Of stamps I own 40.", "My stamps took 2 hours, weekly."),
        ("How much money is in my box?", "My box holds $40.", "My box weighs 2 kg."),
        ("Сколько марок у меня сейчас?", "Марок у меня 40.", "Марок хватило на 2 часа."),
    ],
)
def test_what_is_counted_decides_which_numbers_are_values(question: str, said: str, later: str) -> None:
    old, new = lines(question, (at(3, 1), [said]), (at(4, 1), [later]))
    assert re.match(r"Session 1 \[(?:latest|последнее): .\$?40.\]", old)
    assert re.match(r"Session 2 \[(?:names no|не называет)", new)


@pytest.mark.parametrize(
    ("question", "old", "new", "mark"),
    [
        ("How many stamps do I own?", "I own 40 stamps.", "I might own 90 stamps soon.", "a plan, wish or guess"),
        ("How many stamps do I own?", "I own 40 stamps.", "I used to own 90 stamps.", "of the past only"),
        ("How many stamps do I own?", "I own 40 stamps.", "Should one own 90 stamps?", "a question"),
        ("Сколько у меня марок?", "У меня 40 марок.", "Собираюсь собрать 90 марок.", "план, желание или догадка"),
        ("Сколько у меня марок?", "У меня 40 марок.", "Раньше было 90 марок.", "только о прошлом"),
        ("Сколько у меня марок?", "У меня 40 марок.", "Бывает ли 90 марок?", "вопрос"),
    ],
)
def test_plans_the_past_and_questions_are_no_values(question: str, old: str, new: str, mark: str) -> None:
    found = lines(question, (at(3, 1), [old]), (at(4, 1), [new]))
    assert found[0].startswith(("Session 1 [latest: “40", "Session 1 [последнее: «40"))
    assert found[1].startswith(f"Session 2 [{mark}]") or not found[1:]


def test_a_plan_in_another_clause_does_not_unsay_a_value() -> None:
    found = lines("How many stamps do I own?", (at(3, 1), ["I own 40 stamps, and I might buy more."]))
    assert found[0].startswith("Session 1 [latest: “40 stamps”]")


def test_a_question_about_plans_takes_them_as_values() -> None:
    found = lines("Where am I planning to stay now?", (at(3, 1), ["I am planning to stay in Riga."]))
    assert found[0].startswith("Session 1 [latest]")


def test_what_another_speaker_says_supersedes_nothing() -> None:
    matches, _ = matched("How many stamps?", (at(3, 1), ["I own 40 stamps."]), (at(4, 1), ["I own 55 stamps."]))
    bo = [m._replace(sentence=m.sentence._replace(speaker="Bo")) if m.shown.slot == 2 else m for m in matches]
    (section,) = recency.sections(bo, [m.shown for m in bo], EN, "How many stamps?")
    assert "[earlier]" in section.lines[0].text and "[latest: “55 stamps”]" in section.lines[1].text


def test_a_deletion_request_marks_what_it_deletes() -> None:
    assert lines(
        "What is my current locker code?",
        (at(3, 1, 20), ["My locker code is 1122 now."]),
        (at(3, 1, 8), ["The locker code is 9911."]),
        (at(3, 5), ["Please forget my locker code.", "Done."]),
    ) == [
        "Session 2 [superseded by Session 1 of 2024/03/01 (Fri) 20:00, if about the same thing: “9911”, "
        "deleted later, by Session 3]: "
        "“The locker code is 9911.”",
        "Session 1 [latest: “1122”, deleted later, by Session 3]: “My locker code is 1122 now.”",
        "Session 3 [asks for deletion]: “Please forget my locker code.”",
    ]


def test_a_bare_deletion_in_russian_refers_to_the_turn_before() -> None:
    assert lines(
        "Где я сейчас живу, на какой улице?",
        (at(3, 1), ["Я живу на улице Ленина."]),
        (at(3, 4), ["Теперь живу на улице Баумана.", "Понял.", "Удали это."]),
    ) == [
        "Session 1 [раньше]: «Я живу на улице Ленина.»",
        "Session 2 [последнее, удалено позже, Session 2]: «Теперь живу на улице Баумана.»",
        "Session 2 [просьба удалить]: «Удали это.»",
    ]


@pytest.mark.parametrize(
    ("question", "text", "found"),
    [
        ("How many cups do I drink?", "I drink 3 cups, in 20 minutes.", ["3 cups", "20 minutes"]),
        ("What is my code?", "It is 4 700 005, or 4 700 005.", ["4 700 005"]),
        ("What is my code?", "It is 4711 since 10:30.", ["4711"]),
        ("What is my best time?", "I ran it in 27:45.", ["27:45"]),
        ("How often do I swim?", "I swim twice a week, or every Monday.", ["twice a week", "every Monday"]),
        ("Как часто я плаваю?", "Плаваю каждую среду.", ["каждую среду"]),
        ("When is the exam?", "It is on May 10 at 2:30 pm.", ["May 10", "2:30 pm"]),
        ("Во сколько экзамен?", "В четверг, 16 мая, в 14:30.", ["16 мая", "14:30", "четверг"]),
        ("Who teaches me?", "My teacher is Rui Alves from “Blue Door”.", ["Blue Door", "Rui Alves"]),
        ("Who teaches Rui?", "Then Rui left.", []),
        ("Кто меня учит?", "Учит меня Анна Орлова.", ["Анна Орлова"]),
        ("Do I eat fish?", "I no longer eat fish.", ["no longer"]),
        ("Where is my hat?", "My hat is on the shelf.", []),
    ],
)
def test_values_are_of_the_kind_asked_for(question: str, text: str, found: list[str]) -> None:
    dates = dates_in(text, at(5, 2).date())
    got = values.find(text, values.kinds_asked(question), content_stems(question), dates)
    assert [v.text for v in got if v.text] == found


COUNTS = st.lists(st.tuples(st.integers(0, 5), st.integers(2, 9)), min_size=1, max_size=6)


@given(COUNTS, st.randoms(use_true_random=False))
def test_the_order_of_the_slots_changes_no_mark_but_names(counts: list[tuple[int, int]], rng: random.Random) -> None:
    times = [datetime(2024, 1, 1 + day, n) for n, (day, _) in enumerate(counts)]
    sessions = [(t, [f"I own {n} stamps."]) for t, (_, n) in zip(times, counts, strict=True)]
    order = list(range(len(sessions)))
    rng.shuffle(order)

    def without_names(found: list[str]) -> list[str]:
        return [re.sub(r"Session \d+", "Session", line) for line in found]

    question = "How many stamps do I own?"
    assert without_names(lines(question, *sessions)) == without_names(lines(question, *sessions, order=order))
    newest = max(zip(times, counts, strict=True))[1][1]
    assert f"[latest: “{newest} stamps”]" in lines(question, *sessions)[-1]
