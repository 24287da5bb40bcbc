"""The protocol `locomo`: correct or wrong, in our own words (the benchmark itself reports F1: judge `locomo-f1`).

An adversarial question (category 5) asks for what was never said: abstaining, or pointing out the false assumption, is
right; giving the answer that the question's author planted, or any other, is wrong.
"""

from __future__ import annotations

from memtrial.judging.protocols.base import Protocol, is_abstention, language_of, message, yes_or_no
from memtrial.judging.protocols.binary import LABELS
from memtrial.records import Gold, Message, Question
from memtrial.text import canonical, sha256

NAME = "locomo-v1"
PLANTED = "adversarial_answer"

RUBRICS = {
    "en": """\
Two people talked over months; an answer to a question about their talks is to be marked against the reference.
It is correct if it gives what the reference gives, in whatever words. Dates are the same if they name the same day, \
month or year as the reference does, whatever their form; "last week" and the like count if they lead to that time.
If the reference lists several things, all of them must be there; things beside them that contradict nothing do no harm.
It is wrong if it differs, lacks a part, stays vague where the reference is definite, or says that it is not known.""",
    "ru": """\
Двое людей беседовали месяцами; ответ на вопрос об их беседах проверяется по эталону.
Ответ верен, если даёт то же, что эталон, любыми словами. Даты совпадают, если называют тот же день, месяц или год, \
что эталон, в любой записи; «на прошлой неделе» и подобное засчитывается, если ведёт к этому времени.
Если эталон перечисляет несколько вещей, нужны все; лишние, если они ничему не противоречат, не мешают.
Ответ неверен, если расходится с эталоном, неполон, расплывчат там, где эталон определён, или говорит, что это \
неизвестно.""",
}
ADVERSARIAL_RUBRICS = {
    "en": """\
The question rests on something that the two people never said, for instance it takes one of them for the other.
The answer to mark is correct if it says that this was not said or is not known, or puts the false assumption right.
It is wrong if it answers the question as it stands; a known wrong answer may be given below.""",
    "ru": """\
Вопрос исходит из того, чего двое собеседников не говорили, например путает одного с другим.
Проверяемый ответ верен, если говорит, что об этом не говорили или это неизвестно, или исправляет ложную посылку.
Ответ неверен, если отвечает на вопрос, как он задан; ниже может быть дан известный неверный ответ.""",
}
KNOWN_WRONG = {"en": "Known wrong answer:", "ru": "Известный неверный ответ:"}
CLOSINGS = {
    "en": "Is the answer correct? Reply with one word, correct or wrong.",
    "ru": "Верен ли ответ? Ответь одним словом: верно или неверно.",
}
TEMPLATE_SHA256 = sha256(canonical([NAME, RUBRICS, ADVERSARIAL_RUBRICS, KNOWN_WRONG, LABELS, CLOSINGS]))


def render(question: Question, gold: Gold, answer: str) -> list[Message]:
    """One user message in the question's language; for an adversarial question with the planted answer, if known."""
    language, adversarial = language_of(question), is_abstention(gold)
    labels = LABELS[language]
    known = labels["note" if adversarial else "reference"]
    planted = [gold.labels[PLANTED]] if adversarial and PLANTED in gold.labels else []
    return message(
        (ADVERSARIAL_RUBRICS if adversarial else RUBRICS)[language],
        f"{labels['question']}\n{question.question}",
        *(f"{known}\n{reference}" for reference in gold.reference_answers),
        *(f"{KNOWN_WRONG[language]}\n{wrong}" for wrong in planted),
        f"{labels['answer']}\n{answer}",
        CLOSINGS[language],
    )


PROTOCOL = Protocol(NAME, TEMPLATE_SHA256, render, yes_or_no)
