"""Which operators fire: decided from the wording of a question, in English and Russian."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from pathlib import Path

import pytest

from memtrial.scaffold.gate import adds_up, cues

SAMPLE = Path(__file__).parents[2] / "resources" / "sample"


@pytest.mark.parametrize(
    ("question", "fired"),
    [
        ("What is the name of my dog?", []),
        ("Как зовут мою собаку?", []),
        ("Что ещё?", []),
        ("When did I move?", ["dates"]),
        ("Когда я ходил к врачу?", ["dates"]),
        ("How many days passed between the two?", ["dates"]),
        ("Сколько дней прошло между ними?", ["dates"]),
        ("Во сколько мой поезд?", ["dates"]),
        ("Which lamp did I buy in May 2023?", ["dates"]),
        ("What did I cook last Tuesday?", ["dates"]),
        ("Что я готовил в прошлую субботу?", ["dates"]),
        ("What was the first fault of the car after its service?", ["dates"]),
        ("What is my cat called now?", ["recency"]),
        ("Where do I work?", ["recency"]),
        ("What is my record in chess?", ["recency"]),
        ("Which languages is Ann learning?", ["recency"]),
        ("How often do I swim?", ["recency"]),
        ("Do you still remember my pin?", ["recency"]),
        ("What was my previous job?", ["recency"]),
        ("Где я живу?", ["recency"]),
        ("Какой у меня номер телефона?", ["recency"]),
        ("Ты ещё помнишь мой адрес?", ["recency"]),
        ("How many bikes do I own?", ["recency", "counting"]),
        ("How many cafés have I tried?", ["recency", "counting"]),
        ("How many weddings did I attend?", ["counting"]),
        ("How many weddings did I attend last year?", ["counting"]),
        ("У скольких врачей я был?", ["counting"]),
        ("Сколько рублей я потратил?", ["counting"]),
        ("Какова цена стола?", ["counting"]),
        ("How many hours have I spent in total on my current plan?", ["counting"]),
        ("How many days a week do I train?", ["recency", "counting"]),
        ("How many days did I spend in total on the road?", ["dates", "counting"]),
        ("Which came first, the lamp or the fern?", ["dates", "comparison"]),
        ("Who moved first, Ann or Bo?", ["dates", "comparison"]),
        ("In what order did I visit the towns?", ["dates", "comparison"]),
        ("Что было раньше: отпуск или переезд?", ["dates", "comparison"]),
        ("В каком порядке я читал книги?", ["dates", "comparison"]),
        ("Did I pay more for the lamp than for the fern?", ["comparison"]),
        ("Что стоило больше, лампа или стол?", ["comparison"]),
    ],
)
def test_the_wording_decides(question: str, fired: list[str]) -> None:
    assert list(cues(question)) == fired


@pytest.mark.parametrize(
    "question",
    [
        "What was the first name of the vet?",
        "What may I have marched for?",
        "What did Ann do on the day off before lunch?",
        "Name what people other than Ann eat.",
        "Can you recommend a show for tonight?",
        "I have been sleeping badly lately. Any tips?",
        "What should I cook this weekend?",
        "Посоветуй, что почитать сейчас.",
        "Что мне лучше приготовить сегодня?",
        "How many grams did you tell me to use?",
        "You mentioned three hostels. Which was the latest?",
        "Сколько минут, по твоему совету, варить рис?",
    ],
)
def test_no_operator_where_the_wording_needs_none(question: str) -> None:
    assert cues(question) == {}


def test_advice_that_counts_or_dates_something_is_no_mere_advice() -> None:
    assert "dates" in cues("Can you suggest when I was last in Rome, and how many days I stayed?")
    assert "counting" in cues("Подскажи, сколько книг я прочёл?")


def test_the_words_that_asked_are_told() -> None:
    assert cues("How MANY bikes, and When did I buy them?") == {"dates": "when did", "counting": "how many "}


def _questions() -> dict[tuple[str, str], str]:
    """The sample's questions by benchmark and id, read from the source files as ingest numbers them."""
    found = {}
    for row in json.loads((SAMPLE / "longmemeval-sample.json").read_text(encoding="utf-8")):
        found["sample-assistant", row["question_id"]] = row["question"]
    for row in json.loads((SAMPLE / "locomo-sample.json").read_text(encoding="utf-8")):
        for n, qa in enumerate(row["qa"]):
            found["sample-friends", f"{row['sample_id']}-q{n:03d}"] = qa["question"]
    for row in json.loads((SAMPLE / "rumba-sample.json").read_text(encoding="utf-8")):
        found["sample-russian", row["id"]] = row["question"]
    return found


def test_the_labelled_sample_is_met_by_nine_in_ten() -> None:
    """Precision and recall of each operator on questions labelled by hand from their text."""
    questions, right = _questions(), defaultdict(lambda: [0, 0, 0])
    with (SAMPLE / "operator-needs.csv").open(encoding="utf-8", newline="") as file:
        needs = {(r["benchmark"], r["question_id"]): set(r["operators"].split()) for r in csv.DictReader(file)}
    assert set(questions) == set(needs)
    for key, question in questions.items():
        fired = set(cues(question))
        for operator in fired | needs[key]:
            right[operator][(operator in fired) + 2 * (operator in needs[key]) - 1] += 1
    for operator, (only_fired, only_needed, both) in right.items():
        assert both >= 0.9 * (both + only_fired), f"precision of {operator}"
        assert both >= 0.9 * (both + only_needed), f"recall of {operator}"


@pytest.mark.parametrize("question", ["How much did I spend?", "Сколько я потратил?", "What is the total price?"])
def test_a_sum_can_answer_how_much_and_a_total(question: str) -> None:
    assert adds_up(question)
    assert not adds_up("What was the price of my lamp?")
    assert not adds_up("Какова цена моей лампы?")
