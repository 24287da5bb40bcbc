"""The protocol `binary`: is the answer right, yes or no; with a rubric of its own where abstaining is right."""

from __future__ import annotations

from memtrial.judging.protocols.base import Protocol, is_abstention, language_of, message, yes_or_no
from memtrial.records import Gold, Message, Question
from memtrial.text import canonical, sha256

NAME = "binary-v1"

RUBRICS = {
    "en": """\
You are marking an answer about past conversations against the reference.
Mark it right if it gives what the reference gives, in whatever words, or more detail that agrees with it. A value \
in another unit or format counts if it is the same value. If the reference describes what a good answer takes into \
account, the answer is right if it does so. If there are several references, agreement with one is enough.
Mark it wrong if it gives another value, only a part of what is asked, several values of which it does not choose \
one, or says that the information is missing.""",
    "ru": """\
Ты проверяешь по эталону ответ на вопрос о прошлых беседах.
Ответ верен, если сообщает то же, что эталон, любыми словами, или подробнее, но без противоречий. Значение в других \
единицах или в другой записи засчитывается, если оно то же самое. Если эталон описывает, что должен учитывать \
хороший ответ, ответ верен, когда он это учитывает. Если эталонов несколько, достаточно согласия с одним.
Ответ неверен, если в нём другое значение, лишь часть требуемого, несколько значений без выбора или сообщение, что \
сведений нет.""",
}
ABSTENTION_RUBRICS = {
    "en": """\
The conversations do not hold what this question asks for. You are marking whether an answer recognises that.
Mark it right if it says, in whatever words, that the information is missing, unknown or never mentioned, or points \
out that the question assumes something that was not said. Mention of related facts does no harm.
Mark it wrong if it gives an answer to the question as if it were known.""",
    "ru": """\
В беседах нет того, о чём спрашивает вопрос. Ты проверяешь, признаёт ли это ответ.
Ответ верен, если говорит любыми словами, что сведений нет, что это неизвестно или не упоминалось, или указывает, \
что вопрос исходит из того, чего не говорили. Упоминание близких фактов не мешает.
Ответ неверен, если отвечает на вопрос так, будто это известно.""",
}
LABELS = {
    "en": {"question": "Question:", "reference": "Reference:", "note": "Note on why:", "answer": "Answer to mark:"},
    "ru": {"question": "Вопрос:", "reference": "Эталон:", "note": "Почему:", "answer": "Проверяемый ответ:"},
}
CLOSINGS = {
    "en": "Is the answer right? Reply with one word, yes or no.",
    "ru": "Верен ли ответ? Ответь одним словом: да или нет.",
}
TEMPLATE_SHA256 = sha256(canonical([NAME, RUBRICS, ABSTENTION_RUBRICS, LABELS, CLOSINGS]))


def render(question: Question, gold: Gold, answer: str) -> list[Message]:
    """One user message in the question's language; for an abstention question the gold, if any, is a note on why."""
    abstention = is_abstention(gold)
    rubric = (ABSTENTION_RUBRICS if abstention else RUBRICS)[language_of(question)]
    return asked(rubric, "note" if abstention else "reference", question, gold, answer)


def asked(rubric: str, known: str, question: Question, gold: Gold, answer: str) -> list[Message]:
    """The rubric, the question, each reference under the label `known`, the answer, and the call for a yes or no."""
    language = language_of(question)
    labels = LABELS[language]
    return message(
        rubric,
        f"{labels['question']}\n{question.question}",
        *(f"{labels[known]}\n{reference}" for reference in gold.reference_answers),
        f"{labels['answer']}\n{answer}",
        CLOSINGS[language],
    )


PROTOCOL = Protocol(NAME, TEMPLATE_SHA256, render, yes_or_no)
