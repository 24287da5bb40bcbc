"""Counting: items, restatements, enumerations, quantities and their sums, in English and Russian."""

from __future__ import annotations

import random
import re
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scaffold_cases import EN, RU, Said, at, matched, texts

from memtrial.scaffold import counting
from memtrial.scaffold.calendar_words import NUMBERS
from memtrial.scaffold.enumerations import find as enumerations
from memtrial.scaffold.evidence import ScaffoldError, content_stems
from memtrial.scaffold.layout import Section
from memtrial.scaffold.quantities import find, ordinals
from memtrial.text import language_of, stem, stems


def made(question: str, *sessions: Said, summed: bool = True, order: list[int] | None = None) -> list[Section]:
    matches, _ = matched(question, *sessions, order=order)
    labels = RU if language_of(question) == "ru" else EN
    return counting.sections(matches, content_stems(question), labels, summed, question)


def test_restatements_are_joined_with_all_mentions() -> None:
    sections = made(
        "How much did I spend on my bike?",
        (at(1, 5), ["I spent $1,200 on my new bike, and it is red."]),
        (at(1, 7), ["I spent $1,200 on my new bike, and it is so red."]),
        (at(1, 9), ["The bike helmet cost 85 dollars."]),
    )
    assert texts(sections, "counting") == [
        "1. 2024/01/05 (Fri) 09:00, Session 1 (said 2 times: Session 1, Session 2): “I spent $1,200 on my new bike” "
        "[2 of 2 question terms]",
        "2. 2024/01/09 (Tue) 09:00, Session 3: “The bike helmet cost 85 dollars.” [1 of 2 question terms]",
    ]
    assert sections[0].title == "Candidate items, restatements joined, best match first: 2"


@pytest.mark.parametrize(
    ("question", "said", "again", "joined"),
    [
        ("How much did I pay for the sofa?", "I paid $900 for the grey sofa.", "The sofa cost me 900 dollars.", True),
        ("How much did I pay for gifts?", "I paid $50 for a necklace gift.", "Paid $50 for a gift for Bo.", False),
        ("How many ferns do I have?", "My fern Fernando is new.", "I watered the fern Fernando today.", True),
        ("How many ferns do I have?", "My fern Fernando is new.", "I watered the fern Olga today.", False),
        ("How many talks did I give?", "On May 3 I gave a talk in Riga.", "My talk in Riga was on May 9.", False),
        ("Сколько я отдал за диван?", "Отдал 900 рублей за серый диван.", "Диван стоил 900 руб.", True),
        ("Сколько у меня фикусов?", "Мой фикус Федя новый.", "Полил фикус Федя сегодня.", True),
        ("Сколько у меня фикусов?", "Мой фикус Федя новый.", "Полил фикус Оля сегодня.", False),
    ],
)
def test_paraphrases_are_joined(question: str, said: str, again: str, joined: bool) -> None:
    listed = texts(made(question, (at(5, 10), [said]), (at(5, 20), [again])), "counting")
    assert len(listed) == (1 if joined else 2)
    assert not joined or ("Session 1, Session 2" in listed[0] and re.search("; (?:also|также): ", listed[0]))


def test_an_item_shows_the_day_that_its_clause_names() -> None:
    (line,) = texts(made("How many talks did I give?", (at(5, 20), ["Last Friday I gave a talk."])), "counting")
    assert "“Last Friday I gave a talk.”; “Last Friday” = 2024/05/17 (Fri) [" in line
    (line,) = texts(made("Сколько докладов я сделал?", (at(5, 20), ["Вчера сделал доклад."])), "counting")
    assert "; «Вчера» = 2024/05/19 (Sun) [" in line


def test_members_of_an_enumeration_are_items_where_things_are_counted() -> None:
    said = (at(5, 20), ["I bought tools: a drill, a saw and two hammers for the shed."])
    assert texts(made("How many tools did I buy?", said), "counting") == [
        "1. 2024/05/20 (Mon) 09:00, Session 1: “a drill” in “I bought tools: a drill, a saw and two hammers for the "
        "shed.” [2 of 2 question terms]",
        "2. “a saw”, in the same clause",
        "3. “two hammers”, in the same clause",
    ]
    assert len(texts(made("How much did I spend on tools?", said), "counting")) == 1
    russian = made("Сколько гостей у меня было?", (at(5, 20), ["Были гости: Анна, Борис и Ким."]))
    assert [re.findall("«(.+?)»", line)[0] for line in texts(russian, "counting")] == ["Анна", "Борис", "Ким"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I met Anna, Bo and Kim yesterday", [["Anna", "Bo", "Kim"]]),
        ("We use lime, lemon and orange in drinks", [["lime", "lemon", "orange"]]),
        ("I have a dog and a cat", [["a dog", "a cat"]]),
        ("I read 'Dune', 'Emma', and 'Ulysses'", [["'Dune'", "'Emma'", "'Ulysses'"]]),
        ("I got two plants, a fern and an aloe", [["a fern", "an aloe"]]),
        ("We saw the new lamp, the rug, and some chairs", [["the new lamp", "the rug", "some chairs"]]),
        ("Купил дрель, пилу и два молотка", [["дрель", "пилу", "два молотка"]]),
        ("I went home and slept", []),
        ("I cooked, cleaned and rested", []),
        ("My cat, who is old, and I left", []),
        ("", []),
    ],
)
def test_enumerations(text: str, found: list[list[str]]) -> None:
    assert enumerations(text) == found


@given(st.text(alphabet="ab A,и.1 and«»", max_size=50))
def test_members_stand_in_the_text(text: str) -> None:
    for members in enumerations(text):
        assert len(members) > 1 and all(m and m in text for m in members)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("two new lamps, one fern and this one", [("two new lamps", 2, "lamp"), ("one fern", 1, "fern")]),
        ("about 35% at 5 pm, 7:05, the 3rd, No. 5", [("35%", 35, "%")]),
        ("15€ for twenty-five minutes", [("15€", 15, "€"), ("twenty-five minutes", 25, "minutes")]),
        ("0,125 miles, $20-30", [("0,125 miles", 0.125, "miles")]),
        ("$1,300, 1300 dollars", [("$1,300", 1300, "$"), ("1300 dollars", 1300, "$")]),
        ("half an hour, 3 hrs", [("half an hour", 0.5, "hours"), ("3 hrs", 3, "hours")]),
        ("20 mins and 5 min each", [("20 mins", 20, "minutes"), ("5 min", 5, "minutes")]),
        ("an hour and a half", [("an hour and a half", 1.5, "hours")]),
        ("two and a half weeks", [("two and a half weeks", 2.5, "weeks")]),
        ("a dozen eggs, half a dozen pears", [("dozen eggs", 12, "egg"), ("half a dozen pears", 6, "pear")]),
        ("twice, and a couple of big hats", [("twice", 2, "times"), ("a couple of big hats", 2, "hat")]),
        ("1.5k followers, 2 million views", [("1.5k followers", 1500, "follow"), ("2 million views", 2e6, "view")]),
        ("8 km and 5 miles", [("8 km", 8, "kilometres"), ("5 miles", 5, "miles")]),
        ("4 Marvel films", [("4 Marvel films", 4, "film")]),
        ("10-12 hours, one of the four walls", [("four walls", 4, "wall")]),
        ("три лампы и одна кошка", [("три лампы", 3, "ламп")]),
        ("1 300 руб, 5 тыс. рублей", [("1 300 руб", 1300, "₽"), ("5 тыс. рублей", 5000, "₽")]),
        ("полтора часа, полчаса", [("полтора часа", 1.5, "hours"), ("полчаса", 0.5, "hours")]),
        ("дважды за пять недель", [("дважды", 2, "times"), ("пять недель", 5, "weeks")]),
        ("пять больших коробок", [("пять больших коробок", 5, "коробок")]),
        ("no number here", []),
    ],
)  # fmt: skip
def test_quantities(text: str, found: list[tuple[str, float, str]]) -> None:
    assert [(q.text, q.value, q.unit) for q in find(text, stems("lamp fern лампа"))] == found


@pytest.mark.parametrize("word", sorted(NUMBERS))
def test_every_number_word_counts(word: str) -> None:
    unit = "лампа" if word >= "а" else "lamps"
    assert [q.value for q in find(f"{word} {unit}", stems(unit))] == [NUMBERS[word]]


@pytest.mark.parametrize(
    ("text", "thing", "found"),
    [
        ("I won my fourth chess cup, the 7th cup here", "cup", [("fourth chess cup", 4), ("7th cup", 7)]),
        ("my first cup on the second floor", "cup", []),
        ("выиграл третий кубок и пятый приз", "кубок", [("третий кубок", 3)]),
        ("во вторник пришли с пятью кубками", "кубками", []),
        ("since February 30th, but I bought 1,200 cups", "cups", []),
        ("on the 30th [a photo of 3 cups]", "cups", []),
    ],
)
def test_ordinals_tell_how_many_so_far(text: str, thing: str, found: list[tuple[str, float]]) -> None:
    assert [(q.text, q.value) for q in ordinals(text, stem(thing))] == found


def test_a_sum_is_labelled_and_made_of_one_unit() -> None:
    sections = made(
        "How many km did I paddle?", (at(1, 1), ["I paddled 8 km in 2 hours. I paddled 12 kilometres there."])
    )
    assert texts(sections, "quantities") == [
        "hours: 2 (“2 hours”, Session 1)",
        "km: 8 (“8 km”, Session 1) + 12 (“12 kilometres”, Session 1); sum of the quantities listed: 20",
    ]
    assert "answer" not in "".join(texts(sections, "quantities"))


def test_a_restated_quantity_is_summed_once() -> None:
    sections = made(
        "How much did I pay for the sofa and the lamp?",
        (at(1, 1), ["I paid $900 for the grey sofa."]),
        (at(1, 3), ["The sofa cost me 900 dollars. The lamp cost $50."]),
    )
    (line,) = texts(sections, "quantities")
    assert line.endswith("sum of the quantities listed: 950")


def test_units_of_time_are_added_up_in_one_as_well() -> None:
    sections = made(
        "How long did I paint?", (at(1, 1), ["I painted for 30 minutes."]), (at(1, 2), ["Painted 2 hours."])
    )
    assert texts(sections, "quantities")[-1] == (
        "hours, converted: 0.5 (“30 minutes”, Session 1) + 2 (“2 hours”, Session 2); sum of the quantities listed: 2.5"
    )
    russian = made("Сколько я рисовал?", (at(1, 1), ["Рисовал 30 минут."]), (at(1, 2), ["Рисовал полчаса."]))
    assert texts(russian, "quantities")[-1] == (
        "часов, в пересчёте: 0.5 («30 минут», Session 1) + 0.5 («полчаса», Session 2); сумма перечисленных величин: 1"
    )
    apart = made("How far did I ride?", (at(1, 1), ["I rode 5 miles. Another day I rode 8 km."]))
    assert not [line for line in texts(apart, "quantities") if "converted" in line or "sum" in line]


def test_values_that_replace_each_other_are_not_summed() -> None:
    sections = made(
        "How many titles are on my list now?",
        (at(1, 1), ["20 titles are there."]),
        (at(2, 1), ["25 titles!"]),
        summed=False,
    )
    assert texts(sections, "quantities") == ["titles: 20 (“20 titles”, Session 1), 25 (“25 titles”, Session 2)"]


def test_the_items_are_spread_over_sessions_by_the_terms_they_hold() -> None:
    sections = made(
        "How many hilly walks did I take?",
        (at(1, 1), ["I took a hilly walk by the sea.", "Ok.", "A hilly walk up the hill was next."]),
        (at(2, 1), ["The walk to town was wet."]),
    )
    assert texts(sections, "spread") == [
        "[2 of 2 question terms or more] items: 2; sessions in which they stand: 1",
        "[1 of 2 question terms or more] items: 3; sessions in which they stand: 2",
    ]


def test_a_weak_match_is_no_candidate() -> None:
    filler = ["It rained on and on here. " * 3, "Ok."] * 8
    sections = made(
        "How many striped lamps did I buy?",
        (at(1, 1), ["I bought striped lamps.", "Ok.", *filler]),
        (at(1, 2), ["I bought ham."] + ["Ok.", "I bought jam."] * 9),
    )
    assert [line for line in texts(sections, "counting") if "striped" in line]
    assert not [line for line in texts(sections, "counting") if "jam" in line]


def test_an_inconsistent_sum_is_a_fault() -> None:
    matches, _ = matched("How many lamps?", (at(1, 1), ["I have 3 lamps."]))
    (quantity,) = find("3 lamps", ["lamp"])
    stated = [counting.Stated(quantity, matches[0])]
    with pytest.raises(ScaffoldError, match="several units"):
        counting._unit_text("fern", stated, EN, True)


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("How many weddings have I attended?", "weddings"),
        ("How many different types of citrus fruits did I use?", "fruits"),
        ("У скольких разных врачей я был?", "врачей"),
        ("How many hours did I play?", ""),
        ("How much did I pay?", ""),
        ("Сколько рублей я потратил?", ""),
    ],
)
def test_what_is_counted(question: str, thing: str) -> None:
    assert counting.counted_thing(question) == (stem(thing) if thing else "")


SAID = st.lists(
    st.sampled_from(
        (
            "I bought 3 lamps.", "Bought two lamps and a desk lamp yesterday.", "The lamp cost $40.", "My lamp broke.",
            "I bought a red lamp, a desk and two chairs.", "Lamps took 30 minutes.", "It took 2 hours, this lamp.",
            "Купил 2 лампы.", "My third lamp came.",
        )
    ),
    min_size=1,
    max_size=4,
)  # fmt: skip


@given(st.lists(SAID, min_size=1, max_size=5), st.booleans(), st.randoms(use_true_random=False))
def test_laws_of_counting(said: list[list[str]], summed: bool, rng: random.Random) -> None:
    sessions = [(datetime(2024, 1, 1 + n), [" ".join(s)]) for n, s in enumerate(said)]
    order = list(range(len(sessions)))
    rng.shuffle(order)
    question = "How many lamps did I buy?"
    sections = made(question, *sessions, summed=summed)
    for section in sections:
        assert section.title.endswith(f": {len(section.lines)}")
    packet = "\n".join(t for _, turns in sessions for t in turns)
    for line in texts(sections, "quantities"):
        values = [float(v) for v in re.findall(r"([\d.]+) \(“", line)]
        assert len(values) == len(re.findall("“.+?”", line)) and all(q in packet for q in re.findall("“(.+?)”", line))
        if total := re.search(r"listed: ([\d.]+)$", line):
            assert summed and len(values) > 1 and float(total[1]) == pytest.approx(sum(values), abs=1e-3)
    moved = made(question, *sessions, summed=summed, order=order)
    assert [len(s.lines) for s in moved] == [len(s.lines) for s in sections]
    assert texts(moved, "spread") == texts(sections, "spread")
