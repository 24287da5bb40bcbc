"""Scaffolds for all questions of a benchmark: which operators a question needs, and what they show.

A scaffold is a pure function of the question's wording and date and of the packet's sessions as the reader sees them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from memtrial.corpus import Corpus, date_text
from memtrial.records import Packet, Question, Scaffold
from memtrial.scaffold import chronology, counting, dates, recency
from memtrial.scaffold.evidence import Evidence, ScaffoldError, Shown, content_stems
from memtrial.scaffold.gate import operators
from memtrial.scaffold.headings import HEADINGS
from memtrial.scaffold.layout import LEAST_TOKENS, Labels, Line, Section, lay_out, quote, section
from memtrial.scaffold.matching import LIMIT, Match, match
from memtrial.text import language_of, sha256

# Bumped by hand whenever the same packet would give another scaffold.
VERSION = "1"
DEFAULT_TOKENS = 6000


def build_scaffolds(
    questions: Iterable[Question],
    packets: Iterable[Packet],
    corpus: Corpus,
    spec: Mapping[str, Any],
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Scaffold]:
    """Scaffolds in the order of the packets, one a packet, empty where none is needed.

    `spec` is a system's, its `scaffold` settings are `enabled` and `max_tokens` (proxy tokens, default 6,000).
    `progress(done, total)` is called after each question.
    Raises `ValueError` if a packet has no question or the budget is too small.
    """
    by_id = {q.question_id: q for q in questions}
    evidence = Evidence(corpus)
    for done, packet in enumerate(packets, 1):
        if packet.question_id not in by_id:
            raise ValueError(f"packet of question {packet.question_id}: there is no such question")
        yield _build(by_id[packet.question_id], packet, evidence, spec["scaffold"])
        if progress:
            progress(done, len(by_id))


def _build(question: Question, packet: Packet, evidence: Evidence, settings: Mapping[str, Any]) -> Scaffold:
    max_tokens = settings.get("max_tokens", DEFAULT_TOKENS)
    if max_tokens < LEAST_TOKENS:
        raise ValueError(f"scaffold.max_tokens must be at least {LEAST_TOKENS}, found {max_tokens}")
    needed = operators(question.question) if settings["enabled"] and packet.slots else []
    text = _text(question, evidence.shown(packet, question), needed, max_tokens) if needed else ""
    return Scaffold(question.question_id, needed, VERSION, text, sha256(text))


def _text(question: Question, shown: list[Shown], needed: list[str], max_tokens: int) -> str:
    labels = HEADINGS[language_of(question.question)]
    matches = match(question.question, shown)
    outside = {m.shown.slot for m in matches} - {s.slot for s in shown}
    if outside:
        raise ScaffoldError(f"statements of slots {sorted(outside)} match, which the packet does not have")
    terms = content_stems(question.question)
    made = {
        "chronology": lambda: chronology.sections(shown, labels),
        "dates": lambda: dates.sections(matches, question, labels),
        "recency": lambda: recency.sections(matches, shown, labels),
        "counting": lambda: counting.sections(matches, terms, labels, summed="recency" not in needed),
        "matching": lambda: _matching(matches, labels),
    }
    header = [labels["header"], labels["asked"].format(date=date_text(question.asked_at))]
    return lay_out(header, [s for operator in needed for s in made[operator]()], max_tokens, labels)


def _matching(matches: list[Match], labels: Labels) -> list[Section]:
    """The statements themselves, best match first; beyond `LIMIT` they are only counted."""
    lines = [
        Line(f"{date_text(m.shown.time)}, {m.shown.name}, {m.sentence.speaker}: {quote(m.sentence.text)}", m.score)
        for m in matches[:LIMIT]
    ]
    return section(labels, "matching", lines, total=len(matches))
