"""Answer support: can the gold value be read off the scaffold, operator by operator?

A gold value is supported by an operator if that operator's part of the scaffold shows it:

- day, interval: a shown span of days S (a day is a span of one day) supports an accepted span A if S lies inside A,
  or if A lies inside S and S is at most twice as long;
- number: a figure or number word, or the length of a numbered list (shown and cut items), equals it;
- duration: it is written out, as number and unit, equal or in another unit (weeks in days, years in months);
- string: all its content stems stand in one line.

Dates and clock times are no numbers here, nor are session names and item numbers. Headings and the note on what was
cut say nothing. A long list supports anything: `chance` is the share of golds of other questions of the same kind that
the same part would support: the next `ROTATION` by question id, cyclically, of the same conversation if it has as many,
else of the benchmark; golds that agree with this one (one would support the other) are passed over. Support says that
the value stands there, not that a reader would pick it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from itertools import islice
from typing import Any

from memtrial.errors import InputError
from memtrial.records import Gold, Part, Question, Scaffold
from memtrial.statistics.gold_values import KINDS, UNITS, GoldValue, content_stems, durations_in, gold_value, numbers_in
from memtrial.statistics.intervals import DECIMALS, wilson

OPERATORS = ("dates", "recency", "counting", "comparison", "chronology", "matching", "any")
ROTATION = 5
Row = dict[str, Any]

_DAY = r"(\d{4})/(\d\d)/(\d\d) \([A-Z][a-z]{2}\)(?: \d\d:\d\d)?"
_SPAN = re.compile(rf"{_DAY}(?: ?(?:to|по|–|—|-) ?{_DAY})?")
_QUOTED = re.compile(r"“[^”]*”|«[^»]*»")
_ITEM = re.compile(r"^(?:- )?\d+\. ", re.MULTILINE)
_NAME = r"\b(?:Session|Passage) \d+"
_MATCH = r"\[(?:[^\]\n]*: )?\d+ \w+ \d+[^\]\n]*\]"  # "[2 of 4 question terms]"
_NO_NUMBER = re.compile(rf"{_DAY}|\b\d{{1,2}}:\d\d\b|\([^()\n“«]*{_NAME}[^()\n“«]*\)|{_NAME}|{_MATCH}")
_COLON = re.compile(r"([^\W\d_]): (?=\d)")


def support_rows(questions: Iterable[Question], gold: Iterable[Gold], scaffolds: Iterable[Scaffold]) -> list[Row]:
    """Rows of `columns.SUPPORT_ROWS`, by question and operator, for the questions whose gold is of one of `KINDS`.

    `values` counts the distinct values of the question's kind that the part shows; `chance` is null where no other
    question has a gold of the kind. Raises `InputError` for such a question without a scaffold.
    """
    home = {q.question_id: q.conversation_id for q in questions}
    values = {g.question_id: v for g in gold if (v := gold_value(g)).kind in KINDS}
    by_id = {s.question_id: s for s in scaffolds}
    if missing := sorted(set(values) - set(by_id)):
        raise InputError(f"no scaffold for {', '.join(missing[:10])}", file="scaffolds.parquet")
    if missing := sorted(set(values) - set(home)):
        raise InputError(f"no question for {', '.join(missing[:10])}", file="questions.parquet")
    others = _others(values, home)
    return [
        {"question_id": i, "kind": values[i].kind, "operator": operator}
        | _support(by_id[i], operator, values[i], [values[o] for o in others[i]])
        for i in sorted(values)
        for operator in OPERATORS
    ]


def _others(values: Mapping[str, GoldValue], home: Mapping[str, str]) -> dict[str, list[str]]:
    """For each question, the questions whose golds measure chance."""
    pools: dict[tuple[str, str | None], list[str]] = defaultdict(list)
    for i in sorted(values):
        for conversation in (home[i], None):
            pools[values[i].kind, conversation].append(i)
    found = {}
    for i, value in values.items():
        near, far = (_next(i, pools[value.kind, conversation], values) for conversation in (home[i], None))
        found[i] = near if len(near) == ROTATION else far
    return found


def _next(question_id: str, pool: Sequence[str], values: Mapping[str, GoldValue]) -> list[str]:
    at = pool.index(question_id)
    turned = [*pool[at + 1 :], *pool[:at]]
    return list(islice((i for i in turned if not _agree(values[i], values[question_id])), ROTATION))


def _agree(a: GoldValue, b: GoldValue) -> bool:
    """Whether one of two golds of a kind would support the other."""
    return _supports(a.kind, a.accepted, set(b.accepted)) or _supports(a.kind, b.accepted, set(a.accepted))


def _support(scaffold: Scaffold, operator: str, value: GoldValue, others: Sequence[GoldValue]) -> Row:
    parts = [p for p in scaffold.parts if operator in (p.operator, "any")]
    shown: set[Any] = set().union(*(_SHOWN[value.kind](_lines(scaffold.text, p), p) for p in parts))
    by_chance = [_supports(value.kind, other.accepted, shown) for other in others]
    return {
        "supported": _supports(value.kind, value.accepted, shown),
        "chance": sum(by_chance) / len(by_chance) if by_chance else None, "values": len(shown), "fired": bool(parts),
    }  # fmt: skip


def _supports(kind: str, accepted: Iterable[Any], shown: set[Any]) -> bool:
    return any(_HOLDS[kind](a, s) for a in accepted for s in shown)


def _lines(text: str, part: Part) -> str:
    """A part's lines, without its heading and without the note on what was cut."""
    return "\n".join(text[part.start : part.end].split("\n")[1 : -1 if part.cut_lines else None])


def _spans(text: str, _part: Part) -> set[Any]:
    """The days and intervals that lines show outside their quotations, as (first day, last day)."""
    spans = set()
    for m in _SPAN.finditer(_QUOTED.sub(" ; ", text)):
        numbers = [int(n) for n in m.groups() if n]
        first, last = date(*numbers[:3]), date(*numbers[-3:])
        spans.add((min(first, last), max(first, last)))
    return spans


def _numbers(text: str, part: Part) -> set[Any]:
    """The numbers that lines show, and how many numbered items there are."""
    items = len(_ITEM.findall(text))
    listed = {float(items + part.cut_lines)} if items else set()
    return listed | set(numbers_in(_NO_NUMBER.sub(" ; ", _ITEM.sub("", text))))


def _durations(text: str, _part: Part) -> set[Any]:
    """The durations that lines show: written out in quotations, and clause by clause outside them.

    A clause with one unit gives all its numbers ("21 days, 22 counting both"), one with several its first ("3 weeks 6
    days" says three weeks, not six days).
    """
    found = {d for quoted in _QUOTED.findall(text) for d in durations_in(quoted)}
    plain = _COLON.sub(r"\1 ", _NO_NUMBER.sub(" ; ", _QUOTED.sub(" ; ", text)))
    for clause in re.split(r"[;:()\n]", plain):
        units = [UNITS[w] for w in re.findall(r"[^\W\d_]+", clause.casefold()) if w in UNITS]
        numbers = numbers_in(clause)
        found.update((n, units[0]) for n in (numbers if len(set(units)) == 1 else numbers[:1]) if units)
    return found


def _stems(text: str, _part: Part) -> set[Any]:
    """The content stems of each line."""
    return {content_stems(line) for line in text.split("\n") if line.strip()}


def _span_holds(accepted: Any, shown: Any) -> bool:
    inside = accepted[0] <= shown[0] and shown[1] <= accepted[1]
    around = shown[0] <= accepted[0] and accepted[1] <= shown[1]
    return inside or (around and _length(shown) <= 2 * _length(accepted))


def _length(span: tuple[date, date]) -> int:
    return (span[1] - span[0]).days + 1


def _duration_holds(accepted: Any, shown: Any) -> bool:
    (n, unit), (m, shown_unit) = accepted, shown
    if unit == shown_unit:
        return bool(n == m)
    if (unit, shown_unit) in _CONVERTED:
        return bool(m == n * _CONVERTED[unit, shown_unit])
    return (shown_unit, unit) in _CONVERTED and bool(n == m * _CONVERTED[shown_unit, unit])


def _equal(accepted: Any, shown: Any) -> bool:
    return bool(accepted == shown)


def _stems_hold(accepted: Any, shown: Any) -> bool:
    return bool(accepted <= shown)


_CONVERTED = {("weeks", "days"): 7, ("years", "months"): 12}
_SHOWN: dict[str, Callable[[str, Part], set[Any]]] = {
    "day": _spans, "interval": _spans, "number": _numbers, "duration": _durations, "string": _stems,
}  # fmt: skip
_HOLDS: dict[str, Callable[[Any, Any], bool]] = {
    "day": _span_holds, "interval": _span_holds, "number": _equal, "duration": _duration_holds, "string": _stems_hold,
}  # fmt: skip


def support_rates(system: str, rows: Iterable[Row], gold: Iterable[Gold], confidence: float) -> list[Row]:
    """Rows of `columns.SUPPORT` from `support_rows`: rates by operator, kind (and `all` kinds) and question type.

    n counts all questions of the kind, whether or not the operator fired; intervals are Wilson's.
    """
    type_of = {g.question_id: g.question_type for g in gold}
    groups: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in rows:
        for kind in ("all", row["kind"]):
            for name in ("all", f"question_type={type_of[row['question_id']]}"):
                groups[row["operator"], kind, name].append(row)
    order = sorted(groups, key=_place)
    return [
        {"system": system, "operator": operator, "kind": kind, "slice": name}
        | _rates(groups[operator, kind, name], confidence)
        for operator, kind, name in order
    ]


def _place(key: tuple[str, str, str]) -> tuple[int, int, str]:
    operator, kind, name = key
    return OPERATORS.index(operator), ("all", *KINDS).index(kind), name


def _rates(rows: Sequence[Row], confidence: float) -> Row:
    supported = sum(r["supported"] for r in rows)
    low, high = wilson(supported, len(rows), confidence)
    chances = [r["chance"] for r in rows if r["chance"] is not None]
    return {
        "n": len(rows), "supported": supported, "rate": round(supported / len(rows), DECIMALS),
        "ci_low": round(low, DECIMALS), "ci_high": round(high, DECIMALS),
        "chance": round(sum(chances) / len(chances), DECIMALS) if chances else None,
        "values": round(sum(r["values"] for r in rows) / len(rows), DECIMALS), "fired": sum(r["fired"] for r in rows),
    }  # fmt: skip
