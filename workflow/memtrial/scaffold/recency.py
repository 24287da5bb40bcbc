"""Recency: what was said last about the question, for facts that change.

Statements that match at least half as well as the best one, by (time, slot, place in the session), newest last: the
newest that is not a question is marked as latest, the others as earlier. A deletion request is shown and marks the
earlier statements that it deletes: those sharing at least half of its content words, or, for a bare "delete that",
those of the turn that it follows (or stands in).
"""

from __future__ import annotations

from memtrial.corpus import date_text
from memtrial.scaffold.evidence import Shown, content_stems
from memtrial.scaffold.layout import Labels, Line, Section, quote, section
from memtrial.scaffold.matching import LIMIT, Match
from memtrial.scaffold.words import DELETION_WORDS
from memtrial.text import stem

_REQUEST_STEMS = frozenset(stem(w) for w in DELETION_WORDS)


def sections(matches: list[Match], shown: list[Shown], labels: Labels) -> list[Section]:
    """One line a statement, with its mark."""
    strong = [m for m in matches[:LIMIT] if 2 * m.score >= matches[0].score]
    requests = _requests(matches, shown)
    deleted: dict[tuple[int, int], str] = {}
    for request in requests:
        targets = [m for m in strong if _deletes(request, m)]
        deleted.update({_place(m): request.shown.name for m in targets})
        if targets and _place(request) not in {_place(m) for m in strong}:
            strong.append(request._replace(score=max(m.score for m in targets)))
    asked = {_place(r) for r in requests}
    strong.sort(key=Match.clock)
    statements = [m for m in strong if _place(m) not in asked]
    asserted = [m for m in statements if not m.sentence.asks()]
    newest = _place(asserted[-1]) if asserted else None
    lines = []
    for match in strong:
        place = _place(match)
        mark = labels["latest" if place == newest else "question" if match.sentence.asks() else "earlier"]
        if place in asked:
            mark = labels["deletion"]
        elif place in deleted:
            mark = f"{mark}, {labels['deleted'].format(name=deleted[place])}"
        text = f"{date_text(match.shown.time)}, {match.shown.name} [{mark}]: {quote(match.sentence.text)}"
        lines.append(Line(text, match.score))
    return section(labels, "recency", lines)


def _place(match: Match) -> tuple[int, int]:
    return match.shown.slot, match.sentence.order


def _requests(matches: list[Match], shown: list[Shown]) -> list[Match]:
    """All deletion requests of the packet, in clock order, matching or not."""
    known = {_place(m): m for m in matches}
    found = [
        known.get((session.slot, sentence.order), Match(session, sentence, (), 0.0))
        for session in shown
        for sentence in session.indexed.sentences
        if sentence.deletion
    ]
    return sorted(found, key=Match.clock)


def _deletes(request: Match, match: Match) -> bool:
    if match.clock() >= request.clock() or match.sentence.deletion:
        return False
    about = frozenset(content_stems(request.sentence.text)) - _REQUEST_STEMS
    if about:
        return 2 * len(about & match.sentence.stems) >= len(about)
    if match.shown.slot != request.shown.slot:
        return False
    return match.sentence.turn_index == _turn_before(request)


def _turn_before(request: Match) -> int:
    """The turn that a bare request speaks of: its own, if that says anything before it, else the person's last one."""
    before = request.shown.indexed.sentences[: request.sentence.order]
    return before[-1].turn_index if before else -1
