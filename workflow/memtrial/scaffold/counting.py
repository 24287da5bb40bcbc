"""Counting: candidate items for "how many" and "how much", each a clause of a matching statement, restatements joined.

Two statements restate each other if their content words overlap by at least 70 % (Jaccard). The quantities of the items
are grouped by unit; where a unit has several, their sum is shown and named as what it is, a sum of what is listed
(not for a question about the current state, where one value replaces another).
Within one item a quantity counts once, however often it was restated.
"""

from __future__ import annotations

import re
from collections import defaultdict
from math import fsum
from typing import NamedTuple

from memtrial.corpus import date_text
from memtrial.scaffold import expressions
from memtrial.scaffold.evidence import ScaffoldError, content_stems
from memtrial.scaffold.layout import Labels, Line, Section, quote, section
from memtrial.scaffold.matching import LIMIT, Match
from memtrial.scaffold.quantities import Quantity, figure, find

RESTATED = 0.7
_CLAUSE_END = re.compile(r";\s+|\s+[–—]\s+|,\s+(?=(?:and|but|so|because|while|и|но|а|потому|поэтому|хотя)\s)")


class Item(NamedTuple):
    """A candidate: its best matching statement, and all that restate it, that one included."""

    best: Match
    mentions: list[Match]


def items(matches: list[Match]) -> list[Item]:
    """The best matching statements with restatements joined, best match first."""
    found: list[Item] = []
    for match in matches:
        stems = match.sentence.stems
        for item in found:
            other = item.best.sentence.stems
            if len(stems & other) >= RESTATED * len(stems | other):
                item.mentions.append(match)
                break
        else:
            if len(found) < LIMIT:
                found.append(Item(match, [match]))
    return found


def clause(match: Match) -> str:
    """The shortest run of a statement's clauses that holds every question term that the statement holds."""
    text = match.sentence.text
    ends = [m.end() for m in _CLAUSE_END.finditer(text)] + [len(text)]
    starts = [0, *ends[:-1]]
    needed = match.sentence.stems & set(match.terms)
    runs = [(ends[j] - starts[i], starts[i], ends[j]) for i in range(len(starts)) for j in range(i, len(ends))]
    for _, start, end in sorted(runs):
        if needed <= set(content_stems(text[start:end])):
            return text[start:end].strip().rstrip(",;")
    return text


def sections(matches: list[Match], terms: list[str], labels: Labels, summed: bool) -> list[Section]:
    """The candidate items, and their quantities by unit, `summed` or only listed (values that replace each other)."""
    found = items(matches)
    lines = [Line(_item_text(n, item, terms, labels), item.best.score) for n, item in enumerate(found, 1)]
    return [
        *section(labels, "counting", lines),
        *section(labels, "quantities", _quantities(found, terms, labels, summed)),
    ]


def _item_text(number: int, item: Item, terms: list[str], labels: Labels) -> str:
    best, count = item.best, len(item.mentions)
    names = ", ".join(dict.fromkeys(m.shown.name for m in sorted(item.mentions, key=Match.clock)))
    return labels["item"].format(
        number=number, when=date_text(best.shown.time), name=best.shown.name, clause=quote(clause(best)),
        mentions=labels["mentions"].format(count=count, names=names) if count > 1 else "",
        held=len(best.terms), terms=len(terms), asks=f", {labels['question']}" if best.sentence.asks() else "",
    )  # fmt: skip


def _quantities(found: list[Item], terms: list[str], labels: Labels, summed: bool) -> list[Line]:
    by_unit: dict[str, list[tuple[Quantity, Match]]] = defaultdict(list)
    for item in found:
        stated: dict[tuple[str, float], tuple[Quantity, Match]] = {}
        for mention in item.mentions:
            time = mention.shown.time
            dates = expressions.find(mention.sentence.text, time.date() if time else None)
            for quantity in find(mention.sentence.text, terms, dates):
                stated.setdefault((quantity.unit, quantity.value), (quantity, mention))
        for quantity, mention in stated.values():
            by_unit[quantity.unit].append((quantity, mention))
    ordered = sorted(by_unit.items(), key=lambda pair: (-pair[1][0][1].score, pair[0]))
    return [Line(_unit_text(unit, stated, labels, summed), stated[0][1].score) for unit, stated in ordered]


def _unit_text(unit: str, stated: list[tuple[Quantity, Match]], labels: Labels, summed: bool) -> str:
    parts = [f"{figure(q.value)} (“{q.text}”, {m.shown.name})" for q, m in stated]
    text = labels["quantity"].format(unit=stated[0][0].counted, parts=(" + " if summed else ", ").join(parts))
    return text if len(stated) == 1 or not summed else text + labels["sum"].format(total=figure(_sum(unit, stated)))


def _sum(unit: str, stated: list[tuple[Quantity, Match]]) -> float:
    if any(q.unit != unit for q, _ in stated):
        raise ScaffoldError(f"quantities of several units are summed up as {unit!r}")
    return fsum(q.value for q, _ in stated)
