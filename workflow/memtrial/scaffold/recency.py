"""Recency: what was said last about the question, for facts that change.

Statements that match at least half as well as the best one, by (time, turn), newest last. Of those that state
something (no question, plan or wish, and not said of the past only) the newest that carries a value of the kind asked
for (`values`) is marked as latest; newer ones that carry none do not outrank it. An older statement of the same person
whose values are all others is marked as superseded, with its value, if it is about the same thing: that is for the
reader to see. Where two
statements of one time carry different values, both are marked so, and none is chosen. Older statements without a value
are left out then (the best matching statements are listed elsewhere). A deletion request is shown and
marks the earlier statements that it deletes: those sharing at least half of its content words, or, for a bare "delete
that", those of the turn that it follows (or stands in).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from memtrial.corpus import date_text
from memtrial.scaffold import expressions, values
from memtrial.scaffold.evidence import ScaffoldError, Shown, content_stems
from memtrial.scaffold.gate import fold
from memtrial.scaffold.layout import Labels, Line, Section, quote, section
from memtrial.scaffold.matching import LIMIT, Match
from memtrial.scaffold.words import DELETION_WORDS, PAST, PLANS, PRESENT
from memtrial.text import stem

VERSION = "2"

_REQUEST_STEMS = frozenset(stem(w) for w in DELETION_WORDS)
_PLAN, _PAST, _PRESENT = (re.compile("|".join(patterns)) for patterns in (PLANS, PAST, PRESENT))
_CLAUSE_END = re.compile(r"[,;]\s+|\s+[–—-]\s+")
_Place = tuple[int, int]


class Statement(NamedTuple):
    """A matching statement, what it is (`states`, `question`, `plan` or `past`), and its values of the kind asked."""

    match: Match
    status: str
    values: list[values.Value]

    def keys(self) -> frozenset[str]:
        return frozenset(v.key for v in self.values)

    def beside(self, other: Statement) -> bool:
        """Neither is later: one time in two sessions, or one turn."""
        mine, theirs = self.match, other.match
        if mine.shown.slot == theirs.shown.slot:
            return mine.sentence.turn_index == theirs.sentence.turn_index
        return mine.shown.time == theirs.shown.time


def sections(matches: list[Match], shown: list[Shown], labels: Labels, question: str) -> list[Section]:
    """One line a statement, with its mark; without the question's words its kind is open."""
    strong = [m for m in matches[:LIMIT] if 2 * m.score >= matches[0].score]
    requests = _requests(matches, shown)
    deleted: dict[_Place, str] = {}
    for request in requests:
        targets = [m for m in strong if _deletes(request, m)]
        deleted.update({_place(m): request.shown.name for m in targets})
        if targets and _place(request) not in {_place(m) for m in strong}:
            strong.append(request._replace(score=max(m.score for m in targets)))
    asked = {_place(r) for r in requests}
    strong.sort(key=Match.clock)
    said = _statements([m for m in strong if _place(m) not in asked], question)
    marks = dict(zip((_place(s.match) for s in said), _marks(said, labels), strict=True))
    silent = _silent(said, set(deleted))
    lines = []
    for match in strong:
        mark = labels["deletion"] if _place(match) in asked else marks[_place(match)]
        if _place(match) in deleted:
            mark = f"{mark}, {labels['deleted'].format(name=deleted[_place(match)])}"
        text = f"{date_text(match.shown.time)}, {match.shown.name} [{mark}]: {quote(match.sentence.text, labels)}"
        if _place(match) not in silent:
            lines.append(Line(text, match.score))
    return section(labels, "recency", lines)


def _silent(said: list[Statement], kept: set[_Place]) -> set[_Place]:
    """Statements that are not shown: where some name a value, those that name none before the newest that does."""
    named = [n for n, s in enumerate(said) if s.status == "states" and s.values]
    old = said[: named[-1]] if named else []
    return {_place(s.match) for s in old if not s.values} - kept


def _statements(matches: list[Match], question: str) -> list[Statement]:
    """In clock order. Where the question names a unit, or some values are of one of its, those of others are none."""
    kinds, terms = values.kinds_asked(question), frozenset(content_stems(question))
    plans_asked, past_asked = bool(_PLAN.search(fold(question))), bool(_PAST.search(fold(question)))
    found = []
    for match in matches:
        text, time = match.sentence.text, match.shown.time
        dates = expressions.find(text, time.date() if time else None) if kinds else ()
        said = values.find(text, kinds, terms, dates)
        planned = [] if plans_asked else [c for c in _CLAUSE_END.split(text) if _PLAN.search(fold(c))]
        firm = [v for v in said if not any(v.text and v.text in c for c in planned)]
        held = "".join(planned) == "".join(_CLAUSE_END.split(text)) or _about(planned, match)
        status = _status(match, bool(planned) and not firm and (bool(said) or held), past_asked)
        found.append(Statement(match, status, firm if status == "states" else said))
    units, only = values.units_asked(question, terms)
    if only or any(v.unit in units for s in found for v in s.values):
        found = [s._replace(values=_of_units(s.values, units)) for s in found]
    return found


def _about(clauses: list[str], match: Match) -> bool:
    """Whether these clauses hold all question terms that the statement holds."""
    return match.sentence.stems & set(match.terms) <= {s for c in clauses for s in content_stems(c)}


def _of_units(found: list[values.Value], units: frozenset[str]) -> list[values.Value]:
    """The values of a unit asked for, else those without a unit."""
    return [v for v in found if v.unit in units] or [v for v in found if not v.unit]


def _status(match: Match, planned: bool, past_asked: bool) -> str:
    folded = fold(match.sentence.text)
    if match.sentence.asks():
        return "question"
    if planned:
        return "plan"
    if not past_asked and _PAST.search(folded) and not _PRESENT.search(folded):
        return "past"
    return "states"


def _marks(said: list[Statement], labels: Labels) -> list[str]:
    """The mark of each statement; they are in clock order."""
    stating = [s for s in said if s.status == "states"]
    newest = next(reversed([s for s in stating if s.values] or stating), None)
    if newest is None:
        return [labels[s.status] for s in said]
    ties = [s for s in stating if s is not newest and s.beside(newest) and _differ(s, newest)]
    if newest not in said or any(t.match.clock() > newest.match.clock() and t.values for t in stating):
        raise ScaffoldError("a statement with a value is newer than the one marked as latest")
    return [_mark(s, newest, ties, labels) for s in said]


def _differ(one: Statement, other: Statement) -> bool:
    return bool(one.values and other.values and not one.keys() & other.keys())


def _mark(statement: Statement, newest: Statement, ties: list[Statement], labels: Labels) -> str:
    if statement.status != "states":
        return labels[statement.status]
    value = ", ".join(quote(v.text, labels) for v in statement.values if v.text)
    if statement is newest or statement in ties:
        mark = f"{labels['latest']}: {value}" if value else labels["latest"]
        others = [t for t in (*ties, newest) if t is not statement] if ties else []
        names = ", ".join(dict.fromkeys(t.match.shown.name for t in others))
        return f"{mark}, {labels['tied'].format(names=names)}" if others else mark
    if not statement.values and newest.values:
        return labels["valueless"]
    if _differ(statement, newest) and statement.match.sentence.speaker == newest.match.sentence.speaker:
        shown = newest.match.shown
        mark = labels["superseded"].format(name=shown.name, time=date_text(shown.time))
        return f"{mark}: {value}" if value else mark
    return labels["earlier"]


def _place(match: Match) -> _Place:
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
