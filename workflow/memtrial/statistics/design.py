"""The design of a benchmark's tables: which questions there are, how they are sliced, and what is drawn together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from memtrial.records import Disputed, Evidence, Gold, Question, Session
from memtrial.statistics.axes import Facts, parts, with_groups
from memtrial.statistics.cells import require_same
from memtrial.statistics.columns import PUBLISHED, UNDISPUTED
from memtrial.statistics.intervals import MIN_CLUSTERS

ALWAYS = ("all", "scored")
DEFAULT_AXES = ("question_type", "abstention", "language")


class Slice(NamedTuple):
    """A named set of questions; ids in ascending order."""

    axis: str
    name: str
    ids: tuple[str, ...]


class Design(NamedTuple):
    """What the tables of a benchmark share; everything is by question id, and `ids` are in ascending order.

    `sets` holds the questions that count: `published` all, `undisputed` (only with a dossier) those whose gold nobody
    disputes in a way that changes the score, or may. `clusters` is what the bootstrap draws whole: the conversation,
    or each question alone. `abstentions` are the questions that are right only when the reader abstains.
    """

    ids: tuple[str, ...]
    slices: tuple[Slice, ...]
    sets: dict[str, frozenset[str]]
    clusters: dict[str, str]
    types: dict[str, str]
    abstentions: frozenset[str]

    @property
    def disputed(self) -> frozenset[str]:
        """The questions that are not `undisputed`; none without a dossier."""
        return self.sets[PUBLISHED] - self.sets.get(UNDISPUTED, self.sets[PUBLISHED])


def design(
    questions: Iterable[Question],
    gold: Iterable[Gold],
    evidence: Iterable[Evidence],
    sessions: Iterable[Session],
    disputed: Iterable[Disputed] | None,
    spec: Mapping[str, Any],
) -> Design:
    """The design of a benchmark from its corpus and its dossier of disputed gold (none, or empty: there is none).

    Slices are those of the axes `all` and `scored`, then of `spec["statistics"]["axes"]` in their order. Clusters are
    conversations if `spec["statistics"]["cluster"]` is `conversation` and there are at least `MIN_CLUSTERS` of them.
    Raises `InputError` where questions and gold do not match one to one, or an axis is unknown.
    """
    statistics = spec["statistics"]
    asked, answers = {q.question_id: q for q in questions}, {g.question_id: g for g in gold}
    require_same(asked, answers, "gold.parquet")
    ids = tuple(sorted(asked))
    answers = with_groups(answers, statistics.get("groups") or {})
    facts = Facts(asked, answers, list(evidence), list(sessions))
    axes = dict.fromkeys([*ALWAYS, *(statistics.get("axes") or DEFAULT_AXES)])
    sets = {PUBLISHED: frozenset(ids)}
    if dossier := list(disputed or ()):
        sets[UNDISPUTED] = sets[PUBLISHED] - {d.question_id for d in dossier if d.changes_score is not False}
    homes = {i: asked[i].conversation_id for i in ids}
    whole = statistics.get("cluster", "question") == "conversation" and len(set(homes.values())) >= MIN_CLUSTERS
    return Design(
        ids=ids,
        slices=tuple(Slice(axis, name, found) for axis in axes for name, found in parts(axis, facts)),
        sets=sets,
        clusters=homes if whole else {i: i for i in ids},
        types={i: answers[i].question_type for i in ids},
        abstentions=frozenset(i for i in ids if answers[i].abstention),
    )
