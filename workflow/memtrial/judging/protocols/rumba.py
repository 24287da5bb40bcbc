"""The protocol `rumba`: grades 0 to 3 as the RUMBA benchmark defines them (arXiv 2607.21447), in our own words.

0 wrong or missing, 1 incomplete, 2 right, 3 right with further detail that the reference does not support; 2 and 3
count as correct. Where the reference says that there is no such information, saying so is right.
"""

from __future__ import annotations

from memtrial.judging import parsing
from memtrial.judging.protocols.base import Protocol, Ruling, language_of, message
from memtrial.judging.protocols.binary import LABELS
from memtrial.records import Gold, Message, Question
from memtrial.text import canonical, sha256

NAME = "rumba-v1"
RIGHT = 2

RUBRICS = {
    "en": """\
Grade an answer to a question about past conversations against the reference.
0: it is wrong, contradicts the reference, or gives no answer though the reference does.
1: what it says agrees with the reference, but a part of what is asked is missing.
2: it gives everything that the reference gives, in whatever words, and nothing of substance beyond it.
3: it gives everything that the reference gives, and adds details that the reference does not support.
If the reference says that there is no such information, an answer that says so gets 2, and one that makes up \
an answer gets 0. If there are several references, the one that suits the answer best counts.""",
    "ru": """\
Оцени по эталону ответ на вопрос о прошлых беседах.
0: ответ неверен, противоречит эталону или ничего не сообщает, хотя эталон сообщает.
1: сказанное согласуется с эталоном, но части требуемого не хватает.
2: есть всё, что сообщает эталон, любыми словами, и ничего существенного сверх него.
3: есть всё, что сообщает эталон, но добавлены подробности, которых эталон не подтверждает.
Если эталон говорит, что таких сведений нет, то ответ, который это признаёт, получает 2, а выдуманный \
ответ получает 0. Если эталонов несколько, считается тот, что ближе к ответу.""",
}
CLOSINGS = {
    "en": 'Which grade does the answer get? Reply with JSON and nothing else: {"grade": 0, 1, 2 or 3}',
    "ru": 'Какую оценку получает ответ? Ответь только объектом JSON: {"grade": 0, 1, 2 или 3}',
}
TEMPLATE_SHA256 = sha256(canonical([NAME, RUBRICS, LABELS, CLOSINGS]))


def render(question: Question, gold: Gold, answer: str) -> list[Message]:
    """One user message in the question's language."""
    language = language_of(question)
    labels = LABELS[language]
    return message(
        RUBRICS[language],
        f"{labels['question']}\n{question.question}",
        *(f"{labels['reference']}\n{reference}" for reference in gold.reference_answers),
        f"{labels['answer']}\n{answer}",
        CLOSINGS[language],
    )


def parse(text: str) -> Ruling:
    """The grade, and whether it counts as correct; no grade from 0 to 3 is unparseable."""
    grade = parsing.grade(text)
    return Ruling(None) if grade is None else Ruling(grade >= RIGHT, float(grade))


PROTOCOL = Protocol(NAME, TEMPLATE_SHA256, render, parse)
