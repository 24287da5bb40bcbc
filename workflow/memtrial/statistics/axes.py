"""The axes along which questions are sliced: each gives a question one value, or none.

`all`; `scored` (where questions that want an abstention have no gold, as LoCoMo's adversarial ones: answerable
questions apart from those that are right only when the reader abstains, so that the two never share a headline);
`question_type`; `abstention`; `language`; any label of the gold by its name; and two that are measured:

- `answer_length`: words (separated by blanks) of the first reference answer, in the bins of `LENGTHS`.
- `evidence_position`: where the gold sessions lie in the conversation, by position: `edge` if all lie among its first
  or last fifth of sessions (n / 5, rounded up, at each end), `middle` if none does, else `both`. The whole conversation
  counts, whatever the question's date; unresolved references do not.

`a*b` crosses two axes or more. A built-in axis goes before a label of the same name.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import NamedTuple

from memtrial.errors import InputError
from memtrial.records import Evidence, Gold, Question, Session

LENGTHS = (("1 word", 1), ("2 to 3 words", 3), ("4 to 10 words", 10), ("11 words or more", 1 << 31))
CROSS = "*"
MACRO = "macro"
Values = dict[str, str]  # by question id


class Facts(NamedTuple):
    """What is known of a benchmark's questions; questions and gold by id."""

    questions: Mapping[str, Question]
    gold: Mapping[str, Gold]
    evidence: Sequence[Evidence]
    sessions: Sequence[Session]


def with_groups(
    gold: Mapping[str, Gold], groups: Mapping[str, Mapping[str, Mapping[str, Sequence[str]]]]
) -> dict[str, Gold]:
    """The gold with a label more for each group that a label's value belongs to.

    `groups`: new label, to the one label that it gathers, to group, to values: {"supergroup": {"semantic_type":
    {"User": ["StaticUser", "DynamicUser"]}}}. A value in no group leaves the question without the new label.
    """
    group_of = {
        (new, label, value): group
        for new, gathered in groups.items()
        for label, named in gathered.items()
        for group, values in named.items()
        for value in values
    }
    found = {}
    for i, g in gold.items():
        more = {new: group for (new, label, value), group in group_of.items() if g.labels.get(label) == value}
        found[i] = g._replace(labels={**g.labels, **more})
    return found


def parts(axis: str, facts: Facts) -> list[tuple[str, tuple[str, ...]]]:
    """An axis' slices: name and question ids (ascending), in the order of its values; raises `InputError` for an
    unknown axis. Questions without a value are in no slice; a crossing's names are joined by " × ".
    """
    names = [name.strip() for name in axis.split(CROSS)]
    values = [_values(name, facts) for name in names]
    members: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for i in sorted(facts.gold):
        if all(i in found for found in values):
            members[tuple(found[i] for found in values)].append(i)
    ordered = sorted(members, key=lambda crossed: [_place(n, v) for n, v in zip(names, crossed, strict=True)])
    found = [(" × ".join(crossed), tuple(members[crossed])) for crossed in ordered]
    if len(dict(found)) < len(found):
        raise InputError(f"two slices of {axis!r} have one name: a value holds ' × '", field="statistics.axes")
    return found


def _values(name: str, facts: Facts) -> Values:
    if name in _AXES:
        return _AXES[name](facts)
    if name == MACRO:
        told = "the axis 'macro' is that of the macro averages: give the label another name"
        raise InputError(told, field="statistics.axes")
    labels = {label for g in facts.gold.values() for label in g.labels}
    if name not in labels:
        known = f"known are {', '.join(_AXES)} and the labels {', '.join(sorted(labels)) or '(none)'}"
        raise InputError(f"unknown axis {name!r}: {known}", field="statistics.axes")
    return {i: value for i, g in facts.gold.items() if (value := g.labels.get(name))}


def _place(name: str, value: str) -> tuple[int, str]:
    order = _ORDER.get(name, ())
    return (order.index(value) if value in order else 0), value


def _all(facts: Facts) -> Values:
    return dict.fromkeys(facts.gold, "all")


def _scored(facts: Facts) -> Values:
    if all(g.reference_answers or not g.abstention for g in facts.gold.values()):
        return {}
    return {i: "abstention" if g.abstention else "answerable" for i, g in facts.gold.items()}


def _question_type(facts: Facts) -> Values:
    return {i: g.question_type for i, g in facts.gold.items()}


def _abstention(facts: Facts) -> Values:
    return {i: str(g.abstention).lower() for i, g in facts.gold.items()}


def _language(facts: Facts) -> Values:
    return {i: q.language for i, q in facts.questions.items()}


def _answer_length(facts: Facts) -> Values:
    words = {i: len(g.reference_answers[0].split()) for i, g in facts.gold.items() if g.reference_answers}
    return {i: next(name for name, most in LENGTHS if n <= most) for i, n in words.items()}


def _evidence_position(facts: Facts) -> Values:
    sizes = Counter(s.conversation_id for s in facts.sessions)
    at_edge: dict[str, set[bool]] = defaultdict(set)
    for e in facts.evidence:
        if e.position is not None:
            n = sizes[facts.questions[e.question_id].conversation_id]
            at_edge[e.question_id].add(min(e.position, n - 1 - e.position) < ceil(n / 5))
    return {i: "both" if len(found) == 2 else "edge" if True in found else "middle" for i, found in at_edge.items()}


_AXES: dict[str, Callable[[Facts], Values]] = {
    "all": _all, "scored": _scored, "question_type": _question_type, "abstention": _abstention, "language": _language,
    "answer_length": _answer_length, "evidence_position": _evidence_position,
}  # fmt: skip
# Values with an order of their own (answerable questions carry the headline); all others go by name.
_ORDER = {
    "scored": ("answerable", "abstention"),
    "answer_length": tuple(name for name, _ in LENGTHS),
    "evidence_position": ("edge", "middle", "both"),
}
