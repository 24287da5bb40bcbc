"""Sections of lines, laid out within the scaffold's own budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import NamedTuple

from memtrial.records import Part
from memtrial.scaffold.evidence import ScaffoldError
from memtrial.text import proxy_tokens

QUOTE_CHARS = 240
# Header and section titles alone take up to about 300 proxy tokens.
LEAST_TOKENS = 500
Labels = Mapping[str, str]
_STRAIGHT = str.maketrans(dict.fromkeys("“”«»", '"'))


class Line(NamedTuple):
    """A line of a section and how well it matches the question (infinite: it is cut after all others)."""

    text: str
    score: float = inf


class Section(NamedTuple):
    """A named section: its title, which states the number of its lines, cut ones included, and the lines."""

    name: str
    title: str
    lines: list[Line]


def section(labels: Labels, name: str, lines: Sequence[Line], **counts: int) -> list[Section]:
    """The section of that name, with the count of its lines and other `counts` that its title states; none if empty."""
    return [Section(name, labels[name].format(count=len(lines), **counts), list(lines))] if lines else []


def quote(text: str, labels: Labels) -> str:
    """Words of the packet between quotation marks, clipped with an ellipsis.

    Marks of that kind inside become straight ones, so that where a quotation ends is never in doubt.
    """
    clipped = text if len(text) <= QUOTE_CHARS else f"{text[: QUOTE_CHARS - 1]}…"
    return labels["quote"].format(text=clipped.translate(_STRAIGHT))


def lay_out(
    header: Sequence[str], made: Sequence[tuple[str, Section]], max_tokens: int, labels: Labels
) -> tuple[str, list[Part]]:
    """The scaffold's text and where its parts stand: header, then sections, each given with its operator.

    The lines that match least are cut first, and their number told; of lines that match equally the later is cut.
    Raises `ScaffoldError` if the text would still be over budget.
    """
    cut = _cut(header, [section for _, section in made], max_tokens, labels)
    text, parts = "\n".join(header), []
    for number, (operator, shown) in enumerate(made):
        kept = [f"- {line.text}" for place, line in enumerate(shown.lines) if (number, place) not in cut]
        missing = len(shown.lines) - len(kept)
        told = [labels["cut"].format(count=missing)] if missing else []
        body = "\n".join([shown.title, *kept, *told])
        start = len(text) + 2
        parts.append(Part(operator, shown.name, start, start + len(body), len(kept), missing))
        text = f"{text}\n\n{body}"
    if proxy_tokens(len(text)) > max_tokens:
        raise ScaffoldError(f"a scaffold of {len(text)} characters is over its budget of {max_tokens} proxy tokens")
    return text, parts


def _cut(header: Sequence[str], sections: Sequence[Section], max_tokens: int, labels: Labels) -> set[tuple[int, int]]:
    """(section, line) of the lines that the budget does not hold."""
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
    return cut
