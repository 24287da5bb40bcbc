"""Scaffolds for all questions of a benchmark: which operators a question needs, and what they show.

A scaffold is a pure function of the question's wording and date and of the packet's sessions as the reader sees them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from memtrial.corpus import Corpus, date_text
from memtrial.records import Packet, Part, Question, Scaffold
from memtrial.scaffold import chronology, comparison, counting, dates, events, matching, recency
from memtrial.scaffold.events import Event
from memtrial.scaffold.evidence import Evidence, ScaffoldError, Shown, content_stems
from memtrial.scaffold.gate import adds_up, cues
from memtrial.scaffold.headings import HEADINGS
from memtrial.scaffold.layout import LEAST_TOKENS, Labels, Line, Section, lay_out, quote, section
from memtrial.scaffold.matching import LIMIT, Match, Matcher, question_stems
from memtrial.text import language_of, sha256

# An operator's version is bumped by hand whenever the same packet would give another section.
VERSIONS = {
    "chronology": chronology.VERSION,
    "dates": dates.VERSION,
    "recency": recency.VERSION,
    "counting": counting.VERSION,
    "comparison": comparison.VERSION,
    "matching": matching.VERSION,
}
# The first and the last accompany every other operator.
COMPANIONS = ("chronology", "matching")


def build_scaffolds(
    questions: Iterable[Question],
    packets: Iterable[Packet],
    corpus: Corpus,
    spec: Mapping[str, Any],
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Scaffold]:
    """Scaffolds in the order of the packets, one a packet, empty where none is needed.

    `spec` is a system's; its `scaffold` settings are `enabled`, `max_tokens` (proxy tokens) and `operators` (those
    that may be used). `progress(done, total)` is called after each question.
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
    max_tokens = settings["max_tokens"]
    if max_tokens < LEAST_TOKENS:
        raise ValueError(f"scaffold.max_tokens must be at least {LEAST_TOKENS}, found {max_tokens}")
    asked = cues(question.question)
    wanted = [o for o in asked if o in settings["operators"]]
    absence = "disabled" if not settings["enabled"] else "empty-packet" if not packet.slots else ""
    absence = absence or ("" if wanted else "no-cue")
    needed = [] if absence else [COMPANIONS[0], *wanted, COMPANIONS[1]]
    text, parts = _laid_out(question, evidence.shown(packet, question), needed, max_tokens) if needed else ("", [])
    version = " ".join(f"{o}-{VERSIONS[o]}" for o in needed)
    return Scaffold(question.question_id, needed, asked, version, parts, text, sha256(text), absence)


def _laid_out(question: Question, shown: list[Shown], needed: list[str], max_tokens: int) -> tuple[str, list[Part]]:
    asked = question.question
    labels, terms = HEADINGS[language_of(asked)], question_stems(asked)
    matcher = Matcher(shown)
    matches = matcher.best(terms)
    outside = {m.shown.slot for m in matches} - {s.slot for s in shown}
    if outside:
        raise ScaffoldError(f"statements of slots {sorted(outside)} match, which the packet does not have")
    timed = not {"dates", "comparison"}.isdisjoint(needed)
    apart = _apart(asked, matcher) if timed else []
    named = dates.question_dates(question, shown) if timed else ()
    dated = dates.by_event(matches, apart, named, "comparison" in needed) if timed else []
    amounts, summed = comparison.of_amounts(asked), "recency" not in needed and adds_up(asked)
    made = {
        "chronology": lambda: chronology.sections(shown, labels),
        "dates": lambda: dates.sections(dated, apart, named, question, labels),
        "recency": lambda: recency.sections(matches, shown, labels, asked),
        "counting": lambda: counting.sections(matches, terms, labels, summed, asked),
        "comparison": lambda: comparison.sections(dated, apart, amounts, terms, labels),
        "matching": lambda: _matching(matches, labels),
    }
    header = [labels["header"], labels["asked"].format(date=date_text(question.asked_at))]
    return lay_out(header, [(o, s) for o in needed for s in made[o]()], max_tokens, labels)


def _apart(question: str, matcher: Matcher) -> list[tuple[Event, list[Match]]]:
    """The question's events, each with the statements that hold a word of its own; none if no event has any.

    Who did something is no event: a part of the question of which only a speaker's name is left does not count.
    """
    names = matcher.names_in(content_stems(question))
    told = [event for event in events.named(question) if not event.own.issubset(names)]
    found = [(event, matcher.best([*event.terms, *names], event.own)) for event in told]
    return found if len(found) > 1 and any(best for _, best in found) else []


def _matching(matches: list[Match], labels: Labels) -> list[Section]:
    """The statements themselves, best match first; beyond `LIMIT` they are only counted."""
    lines = [
        Line(
            f"{date_text(m.shown.time)}, {m.shown.name}, {m.sentence.speaker}: {quote(m.sentence.text, labels)}",
            m.score,
        )
        for m in matches[:LIMIT]
    ]
    return section(labels, "matching", lines, total=len(matches))
