"""Sections of lines, laid out within the scaffold's own budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import NamedTuple

from memtrial.scaffold.evidence import ScaffoldError
from memtrial.text import proxy_tokens

QUOTE_CHARS = 240
# Header and section titles alone take up to about 300 proxy tokens.
LEAST_TOKENS = 500
Labels = Mapping[str, str]


class Line(NamedTuple):
    """A line of a section and how well it matches the question (infinite: it is cut after all others)."""

    text: str
    score: float = inf


class Section(NamedTuple):
    """A title and its lines; the title states their number, cut ones included."""

    title: str
    lines: list[Line]


def section(labels: Labels, name: str, lines: Sequence[Line], **counts: int) -> list[Section]:
    """The section of that name, with the count of its lines and other `counts` that its title states; none if empty."""
    return [Section(labels[name].format(count=len(lines), **counts), list(lines))] if lines else []


def quote(text: str) -> str:
    """A statement as it is quoted: its own words, clipped with an ellipsis."""
    return text if len(text) <= QUOTE_CHARS else f"{text[: QUOTE_CHARS - 1]}…"


def lay_out(header: Sequence[str], sections: Sequence[Section], max_tokens: int, labels: Labels) -> str:
    """The scaffold's text: header, then sections; the lines that match least are cut first, and their number told.

    Of lines that match equally the later is cut. Raises `ScaffoldError` if the text would still be over budget.
    """
    reserve = len(labels["cut"]) + 10
    size = sum(len(h) + 1 for h in header) + sum(
        1 + len(s.title) + 1 + reserve + sum(len(line.text) + 3 for line in s.lines) for s in sections
    )
    by_match = sorted(
        ((line.score, -number, -place) for number, s in enumerate(sections) for place, line in enumerate(s.lines)),
    )
    cut: set[tuple[int, int]] = set()
    for _, number, place in by_match:
        if size <= 4 * max_tokens:
            break
        cut.add((-number, -place))
        size -= len(sections[-number].lines[-place].text) + 3
    text = "\n".join([*header, *(line for n, s in enumerate(sections) for line in _lines(n, s, cut, labels))])
    if proxy_tokens(len(text)) > max_tokens:
        raise ScaffoldError(f"a scaffold of {len(text)} characters is over its budget of {max_tokens} proxy tokens")
    return text


def _lines(number: int, shown: Section, cut: set[tuple[int, int]], labels: Labels) -> list[str]:
    kept = [f"- {line.text}" for place, line in enumerate(shown.lines) if (number, place) not in cut]
    missing = len(shown.lines) - len(kept)
    return ["", shown.title, *kept, *([labels["cut"].format(count=missing)] if missing else [])]
