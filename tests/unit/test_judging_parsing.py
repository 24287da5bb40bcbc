"""How a judge's reply becomes a verdict or a grade: by rule, totally, and without a guess."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memtrial.judging.parsing import grade, verdict

RIGHT = [
    "yes", "Yes.", "**Да**", "`yes`", '"Yes"', "TRUE", "CORRECT", "correct.", "верно", "Верно.",
    "Yes. There is no doubt", "Yes, the answer is right.", "Yes — the date agrees", "Да, ответ верный",
    "The answer is correct", "So the model response is correct.", "It's right", "That's correct!", "Ответ верен.",
    "Это правильно", "The response is completely correct because it names Paris.",
    "Verdict: yes", "Correct: yes", "## Verdict: yes", "verdict = yes", "Final verdict: correct", "Answer: yes",
    "Вердикт: **да**", "The values agree.\n\nyes", "Yes.\nExplanation: there is no error here. No doubt.",
    "Yes\n\nThe reference says no.",
    "<think>no, or maybe</think>\nYes", "<THINK>no</THINK>yes",
    "Incorrect? No, it is correct.", "hm, no</think>yes",
    '{"correct": true}', '{"correct": true,}', "{'verdict': 'yes'}", '```json\n{"verdict": "yes"}\n```',
    'Here: {"label": "CORRECT", "explanation": "no doubt, \\"no\\""}',
]  # fmt: skip
WRONG = [
    "NO", "**No**", "нет", "Нет.", "FALSE", "INCORRECT", "incorrect.", "Wrong.", "неверно", "не верно", "не верно.",
    "не правильно", "нет, неверно", "No. Yesterday is not the date", "No - the date differs", "No, but close",
    "No, the correct answer is 45.", "incorrect, since the date differs",
    "The answer is not correct", "The answer isn't right", "The reply isn’t correct", "This is wrong",
    "The model's response is not entirely correct.", "Ответ неверен.", "Ответ не верный",
    "Verdict: no", "```\nno\n```", "No\nThe answer is correct about the date but not the place.",
    '{"verdict": "no",}', "{'correct': False}", "{correct: false}", '{"verdict": "incorrect"',
    '{"correct": "no", "why": "it says yes"}',
]  # fmt: skip
CONTRADICTORY = [
    "Yes and no", "Yes/No", "yes or no", "Yes\nAnswer: no", "Yes, the answer is not correct", "Да, неверно",
    "correct incorrect", "CORRECT / INCORRECT", 'Yes {"correct": false}', '{"correct": true, "verdict": "no"}',
]  # fmt: skip
SILENT = [
    "", "...", "maybe", "I cannot tell.", "Yesterday", "Ja", "oui", "1", "0", "не", "not", "not yes", "Not: yes",
    "<think>no", "No errors here.", "No information is given", "нет ответа", "Is the answer correct?",
    "The answer is correct? No", "Correct answer: 45 euros", "The right answer is 45", "Right number, wrong date",
    "The answer is no", "The answer is not wrong", "The answer is almost correct", "Yes, but the date is off",
    "It is true that the answer is wrong", "It is wrong that the answer is not 5", "Yes, it is true that it is wrong",
    "I don't think the answer is correct", "It doesn't seem right", "This would be correct", "Correct: 45 euros",
    "The answer is not only correct", "No way to tell", "Да нет",
    "{", "}{", "{}", '{"a": 1}', '{"correct": null}', '{"verdict": "partly"}', '{"verdict": "no',
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [*((t, True) for t in RIGHT), *((t, False) for t in WRONG), *((t, None) for t in CONTRADICTORY + SILENT)],
)
def test_a_verdict_is_read_by_rule_and_never_guessed(text: str, expected: bool | None) -> None:
    assert verdict(text) is expected


PIECES = ["yes", "no", "да", "не", "correct", "wrong", "\n", ".", ",", "?", " ", "Answer:", "<think>", "</think>", "*",
          "not", "{", "}", '"verdict":', "'", '"', "```", "2", "Grade:", "/3", "but", "the answer is"]  # fmt: skip
REPLIES = st.text() | st.lists(st.sampled_from(PIECES)).map(" ".join) | st.lists(st.sampled_from(PIECES)).map("".join)


@given(REPLIES)
@example("\n> -\n")
@example("{" * 1000)
@example("<think>" * 1000)
@example('{"verdict": "' + "\\" * 1000)
def test_reading_is_total(text: str) -> None:
    assert verdict(text) in (True, False, None)
    assert grade(text) in (0, 1, 2, 3, None)


@given(st.text(alphabet="abcегн 0123\n.,:*{}\"'", max_size=40))
def test_a_reply_without_a_verdict_word_has_no_verdict(text: str) -> None:
    assert verdict(text) is None


@given(st.sampled_from(RIGHT), st.sampled_from(WRONG))
def test_two_lines_that_contradict_each_other_have_no_verdict(right: str, wrong: str) -> None:
    if not {"{", "<", "`", "?", "\n"} & set(right + wrong):
        assert verdict(f"{right}\nVerdict: no") is None
        assert verdict(f"{wrong}\nVerdict: yes") is None


@pytest.mark.parametrize(
    "text",
    [
        "2", "**2**", "2.", "2/3", "2 of 3", "2 из 3", "2.0", "Grade: 2", "Оценка: 2", "Grade: 2/3", "Grade: 2 (right)",
        "Grade: 2 - right", "Grade: 2, since it is right", "It says what the reference says.\n2", "<think>3</think>2",
        '{"grade": 2}', '{"grade": 2,}', "{'score': '2'}", '```json\n{"grade": 2.0}\n```', '{"оценка": 2}',
        '{"why": "grade: 3", "grade": 2}',
    ],
)  # fmt: skip
def test_a_grade_is_read(text: str) -> None:
    assert grade(text) == 2


@pytest.mark.parametrize(
    "text",
    [
        "", "yes", "two", "5", "-1", "20", "2.5", "2 or 3", "2\n3", "Grade: 2 or 3", "Grade: 2-3", "Grade: 25",
        "Grade: 2.5", "Grade: 2/5", '{"grade": 4}', '{"grade": null}', '{"grade": 2, "score": 3}',
    ],
)  # fmt: skip
def test_what_is_no_grade_from_0_to_3_is_none(text: str) -> None:
    assert grade(text) is None
