"""The protocol `longmemeval`: a rubric by question type, and one of its own where abstaining is right; yes or no.

Forms: `ours`, in our own words; `official`, with the templates of the benchmark's own `evaluate_qa.py`; `archivist`,
with the templates of the paper's release, which differ from them. In the latter two `correct` is by our reading of the
reply, which may find none, and `official` by theirs: the letters "yes" anywhere in the lower-cased reply.
"""

from __future__ import annotations

from collections.abc import Mapping

from memtrial.errors import InputError
from memtrial.judging import parsing
from memtrial.judging.protocols import binary
from memtrial.judging.protocols.base import PARAMETERS, Protocol, Ruling, is_abstention, language_of, message, yes_or_no
from memtrial.judging.protocols.official import (
    ABSTENTION,
    BASE,
    FILE,
    FILE_SHA256,
    PREFERENCE,
    TEMPORAL,
    UPDATE,
    deviating,
    digest,
    extract,
    filled,
)
from memtrial.records import Gold, Message, Question
from memtrial.text import canonical, sha256

FORMS = ("ours", "official", "archivist")
MAX_TOKENS = {"official": 10, "archivist": 5}
ARCHIVIST_SHA256 = "9c9d67fab129acd497461a2f5589d57120d952744d9f7e04fbfff771b3860d62"
NAME = "longmemeval-v1"

_BASE = {
    "en": """\
Compare an answer about past conversations with the reference.
Count it as right when it holds what the reference says, however it is worded, or when all that is needed to arrive \
there is in it. Count it as wrong when it says something else, gives only part of what the reference gives, or says \
that the information is missing.""",
    "ru": """\
Сравни ответ на вопрос о прошлых беседах с эталоном.
Считай ответ верным, если в нём есть то, что говорит эталон, в любой формулировке, или всё нужное, чтобы к этому \
прийти. Считай ответ неверным, если он говорит другое, даёт лишь часть эталона или сообщает, что сведений нет.""",
}
RUBRICS = {
    BASE: _BASE,
    TEMPORAL: {
        "en": f"{_BASE['en']}\nA count of days, weeks or months that is one away from the reference is still right.",
        "ru": f"{_BASE['ru']}\nЧисло дней, недель или месяцев, отличное от эталона на единицу, тоже верно.",
    },
    UPDATE: {
        "en": f"{_BASE['en']}\nThe reference gives the latest state: an answer that also tells an earlier one is "
        "right if it makes the latest its answer.",
        "ru": f"{_BASE['ru']}\nЭталон даёт последнее состояние: ответ, где названо и прежнее, верен, если он "
        "отвечает последним.",
    },
    PREFERENCE: {
        "en": """\
The reference describes what a reply that suits this user takes into account. You are marking a reply to the user.
Count it as right when it recalls what the user told about themselves and makes proper use of it; it need not touch \
every point. Count it as wrong when it is general, or contradicts what the user told.""",
        "ru": """\
Эталон описывает, что учитывает ответ, подходящий этому пользователю. Ты проверяешь ответ пользователю.
Считай ответ верным, если он помнит, что пользователь рассказал о себе, и правильно это использует; все пункты \
затрагивать не обязательно. Считай ответ неверным, если он общий или противоречит рассказанному.""",
    },
    ABSTENTION: binary.ABSTENTION_RUBRICS,
}


def rubric_of(gold: Gold) -> str:
    """The rubric by which an answer is marked: `abstention`, one of three types with their own, or the base."""
    if is_abstention(gold):
        return ABSTENTION
    return gold.question_type if gold.question_type in RUBRICS else BASE


def _render(question: Question, gold: Gold, answer: str) -> list[Message]:
    """One user message in the question's language, with the rubric of the question."""
    known = "note" if is_abstention(gold) else "reference"
    return binary.asked(RUBRICS[rubric_of(gold)][language_of(question)], known, question, gold, answer)


OURS = Protocol(NAME, sha256(canonical([NAME, RUBRICS, binary.LABELS, binary.CLOSINGS])), _render, yes_or_no)


def official(form: str, text: str | None, known: str = FILE_SHA256, archivist: str = ARCHIVIST_SHA256) -> Protocol:
    """The protocol in the form `official` or `archivist`, from the text of the user's copy of `evaluate_qa.py`.

    `known` and `archivist` are the digests that the text and the release's templates must have. `template_sha256` is
    the digest of five texts joined by NUL: for `archivist` the one that the release prints. Raises `InputError` where
    the text is missing or another.
    """
    if text is None:
        raise InputError(f"form '{form}' needs the benchmark's own {FILE} (SHA-256 {known})", field="form")
    found = extract(text, known)
    templates, template_sha256 = dict(found.templates), found.sha256()
    if form == "archivist":
        rebuilt = deviating(found)
        templates, template_sha256 = rebuilt.templates(templates), digest(list(rebuilt))
        if template_sha256 != archivist:
            raise InputError(f"expected templates with digest {archivist}, found {template_sha256}", file=FILE)

    def render(question: Question, gold: Gold, answer: str) -> list[Message]:
        return message(filled(_template(templates, gold), question.question, gold.reference_answers[0], answer))

    parameters = {**PARAMETERS, "max_tokens": MAX_TOKENS[form]}
    hashes = {kind: sha256(template) for kind, template in sorted(templates.items())}
    return Protocol(f"longmemeval-{form}-v1", template_sha256, render, two_readings, parameters, hashes)


def _template(templates: Mapping[str, str], gold: Gold) -> str:
    """The template of a question. Raises `InputError` where there is none, or not one reference to put into it."""
    kind = ABSTENTION if gold.abstention else gold.question_type
    if kind not in templates:
        problem = f"the official templates know no type '{kind}' (question '{gold.question_id}')"
        raise InputError(problem, file="gold", field="question_type")
    if len(gold.reference_answers) != 1:
        problem = f"the official templates take one reference answer; question '{gold.question_id}' has another number"
        raise InputError(problem, file="gold", field="reference_answers")
    return templates[kind]


def two_readings(text: str) -> Ruling:
    """Our reading of a reply to an official template, and the official one beside it."""
    return Ruling(parsing.verdict(text), official="yes" in text.lower())
