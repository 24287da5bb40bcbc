"""The embedded reader: a deterministic floor, not a model. It answers with the sentence that covers the question best.

A sentence's score is the share of the question's content stems that it (or its speaker's name) holds, weighted by
idf(s) = ln(1 + (N - n(s) + 0.5) / (n(s) + 0.5)) over the N sentences of the prompt (the idf of BM25 in Lucene's form).
Ties go to the shorter sentence, then to the earlier one. Questions in the sessions are no answers and are skipped.
It knows nothing of dates, counts, updates or forgetting, and does not use the evidence index.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Any, NamedTuple

from memtrial.reading.prompts import EN, RU, Wording
from memtrial.text import stems

# To be raised with every change of what this module answers: the ledger knows its answers by this name.
MODEL = "memtrial/extractive-1"
MIN_COVERAGE = 0.5

_FUNCTION_WORDS = frozenset(
    stem
    for stem in stems(
        """a an the this that these those there it its he him his she her they them their we us our you your i me my who
        whom whose what which when where why how many much long often is are was were be been being am do does did done
        have has had having will would can could should may might must and or but not no if then than so as of in on at
        to from for with by about into over after before during between up out any some all last first ever just also
        tell know please remember remind current currently

        а без был была были было быть в вам вас во вот все вы где да для до его ее ей ему если есть еще за и из или им
        их к как какая какие какой каком какую когда кого кому который ли меня мне много мои моя мой мою мы на над нам
        нас не него нее нет ни них но о об он она они оно от по под после при про с сам сколько со так также там тебе
        тебя то только том тот ты у уже чего чем что чтобы эта эти это этот я называется зовут скажи напомни помнишь
        сейчас"""
    )
)
_SPEAKER = re.compile(r"([^\n:.!?]{1,40}): ")
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'»”)]*\s+")
_NOT_SAID = re.compile(r"(?:session|passage) \d+|date: .*|\[\W*\d+ lines? .*\]", re.IGNORECASE)


class Sentence(NamedTuple):
    """A sentence of a session and its stems, its speaker's name included."""

    text: str
    stems: frozenset[str]


def answer(messages: list[dict[str, str]], parameters: dict[str, Any]) -> str:
    """The reply to a prompt of `reading.requests`: one line with a sentence of the sessions, or an abstention."""
    words, question, lines = parse_prompt(messages[-1]["content"])
    wanted = frozenset(stems(question)) - _FUNCTION_WORDS
    found = best([s for line in lines for s in sentences(line)], wanted)
    return f"{words.answer_label} {found or words.abstention}"


def parse_prompt(content: str) -> tuple[Wording, str, list[str]]:
    """A prompt's wording, question and lines of sessions. Raises `ValueError` for any other text."""
    words = RU if content.startswith((RU.date, RU.question)) else EN
    try:
        _, head = f"\n{content}".split(f"\n{words.question}\n", 1)
        question, body = head.split(f"\n{words.sessions}\n", 1)
        body, _ = body.rsplit(f"\n{words.instructions}\n", 1)
    except ValueError:
        raise ValueError("not a reader prompt: a section mark is missing") from None
    return words, question.split(f"\n{words.options}\n")[0], body.rsplit(f"\n{words.scaffold}\n", 1)[0].split("\n")


@lru_cache(maxsize=1 << 17)
def sentences(line: str) -> tuple[Sentence, ...]:
    """The statements of a rendered line (headings, dates, elision marks and questions give none)."""
    if _NOT_SAID.fullmatch(line):
        return ()
    speaker = _SPEAKER.match(line)
    name = stems(speaker[1]) if speaker else []
    parts = (p.strip() for p in _SENTENCE_END.split(line[speaker.end() :] if speaker else line))
    return tuple(Sentence(p, frozenset(stems(p)).union(name)) for p in parts if p and not p.endswith("?"))


def best(candidates: list[Sentence], wanted: frozenset[str]) -> str | None:
    """The sentence that covers `wanted` best; None where the cover is below `MIN_COVERAGE` or nothing is wanted."""
    held = [wanted & s.stems for s in candidates]
    counts = dict.fromkeys(sorted(wanted), 0)
    for common in held:
        for stem in common:
            counts[stem] += 1
    n = len(candidates)
    idf = {s: math.log(1 + (n - c + 0.5) / (c + 0.5)) for s, c in counts.items()}
    # fsum: a sum over a set, whose order differs between processes, must not.
    needed = MIN_COVERAGE * math.fsum(idf.values())
    scored = (
        (-math.fsum(idf[s] for s in common), len(candidate.stems), i)
        for i, (candidate, common) in enumerate(zip(candidates, held, strict=True))
        if common
    )
    top = min(scored, default=None)
    return candidates[top[2]].text if top and -top[0] >= needed else None
