"""Sentence splitting of chat text in English and Russian."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtrial.scaffold.sentences import split


@pytest.mark.parametrize(
    "whole",
    [
        "I saw Dr. Low and Mrs. Gray on 3.5 acres.",
        "J. K. Low met J. I. Gray.",
        "Some fruit, e.g. plums, i.e. stone fruit, etc. and so on.",
        "At 9 a.m. Monday and at 10 p.m. we ring.",
        "See No. 5 on p. 210.",
        "The U.S. coins cost $3.50 approx. each.",
        "1. Milk",
        "well... maybe not",
        "hm… perhaps",
        "“Really?” he said.",
        "Живу в г. Казань, ул. Ленина, д. 5, кв. 12.",
        "Там тихо, т. е. хорошо, т.к. нет машин.",
        "А. С. Грин и Л. Н. Белый писали.",
        "Заплатил 500 руб. за хлеб и 20 коп. сверху.",
        "Вес 3.5 кг в 2019 г. был верен.",
        "ну... может быть",
    ],
)
def test_a_sentence_stays_whole(whole: str) -> None:
    assert split(whole) == [whole]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("J. R. Low came! So do I. Then we left… Yes?", ["J. R. Low came!", "So do I.", "Then we left…", "Yes?"]),
        ("hi. i bought a lamp. ok", ["hi.", "i bought a lamp.", "ok"]),
        ("We ate at 9 p.m. Then rest", ["We ate at 9 p.m.", "Then rest"]),
        ("I take vitamin C. It helps", ["I take vitamin C.", "It helps"]),
        ("«Да.» Она ушла.", ["«Да.»", "Она ушла."]),
        ("Ем хлеб и т. д. Потом сплю.", ["Ем хлеб и т. д.", "Потом сплю."]),
        ("Дал 500 руб. Потом ушёл.", ["Дал 500 руб.", "Потом ушёл."]),
        ("Жил там до 2019 г. Потом уехал.", ["Жил там до 2019 г.", "Потом уехал."]),
        ("- Milk\n- Eggs\n1. Bread\n2. Ham", ["- Milk", "- Eggs", "1. Bread", "2. Ham"]),
        ("a lamp\nthe fern", ["a lamp", "the fern"]),
        ("  ", []),
    ],
)
def test_sentences(text: str, sentences: list[str]) -> None:
    assert split(text) == sentences


@given(st.text(alphabet='aBж. !?…1«»"\t\n', max_size=60))
def test_splitting_loses_no_word(text: str) -> None:
    assert " ".join(split(text)).split() == text.split()


@given(st.lists(st.sampled_from(["I left.", "Dr. Low came!", "Мы дома?", "ok"]), max_size=6))
def test_a_line_break_ends_a_sentence(lines: list[str]) -> None:
    assert split("\n".join(lines)) == lines
