"""Scores of turns gathered to dialogues, and dialogues to the data set (the aggregation of UniDial-EvalKit,
arXiv 2603.23160).

A question is one metric of one turn, its conversation the dialogue; the labels `turn` and `metric` say which. Without
them each question is a turn of its own. A dialogue that counts by its worst turn scores lower the longer it is, by
construction. Upstream leaves out scores that are no numbers without a word; here such rows are counted, and the means
that they would be part of are null.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any, TypeVar

from memtrial.records import Gold, Question
from memtrial.statistics.cells import Cell
from memtrial.statistics.columns import CELL
from memtrial.statistics.design import Design, Slice
from memtrial.statistics.intervals import rate
from memtrial.statistics.judgings import Verdicts, by_cell

TURN, METRIC = "turn", "metric"
AGGREGATES: dict[str, Callable[[Sequence[float]], float]] = {"mean": fmean, "min": min, "max": max}
Row = dict[str, Any]
Place = tuple[str, str]  # dialogue and turn
Key = TypeVar("Key")


def dialogue_rows(
    design: Design,
    questions: Iterable[Question],
    gold: Iterable[Gold],
    cells: Iterable[Cell],
    spec: Mapping[str, Any],
) -> list[Row]:
    """Rows of `columns.DIALOGUES`, one a cell, slice and level; none if `spec["statistics"]["dialogues"]` is null.

    That is {"turn": aggregate of a turn's metrics, "dialogue": aggregate of a dialogue's turns}, each `mean`, `min` or
    `max`. A question's value is the verdict's grade where the judge grades all that it judged, else 1 or 0. Slices are
    those of the design, and of the label `metric`. Only an axis whose slices hold whole dialogues has rows of the level
    `dialogue`, and `metric`: there a dialogue is made of its turns with that metric. Raises `InputError` where verdicts
    do not match the design's questions.
    """
    aggregates = spec["statistics"].get("dialogues")
    if not aggregates:
        return []
    labels = {g.question_id: g.labels for g in gold}
    homes = {q.question_id: q.conversation_id for q in questions}
    places = {i: (homes[i], labels[i].get(TURN, i)) for i in design.ids}
    slices = [*(s for s in design.slices if s.axis != METRIC), *_metrics({i: labels[i] for i in design.ids})]
    levels = {s.axis: _levels(s.axis, slices, places) for s in slices}
    rows = []
    for key, verdicts in by_cell(design.ids, cells).items():
        values = _values(verdicts)
        for part, level in ((s, level) for s in slices for level in levels[s.axis]):
            row: Row = {**dict(zip(CELL, key, strict=True)), "level": level}
            row |= {"turn_aggregate": aggregates["turn"], "dialogue_aggregate": aggregates["dialogue"]}
            row |= {"axis": part.axis, "slice": part.name, **_summary(part.ids, level, values, places, aggregates)}
            rows.append(row)
    return rows


def _metrics(labels: Mapping[str, Mapping[str, str]]) -> list[Slice]:
    """The questions of each metric; none where no question has such a label."""
    members: dict[str, list[str]] = defaultdict(list)
    for i, found in labels.items():
        if METRIC in found:
            members[found[METRIC]].append(i)
    return [Slice(METRIC, name, tuple(members[name])) for name in sorted(members)]


def _levels(axis: str, slices: Iterable[Slice], places: Mapping[str, Place]) -> tuple[str, ...]:
    """The levels at which an axis is shown."""
    name_of = {i: s.name for s in slices if s.axis == axis for i in s.ids}
    found: dict[str, set[str | None]] = defaultdict(set)
    for i, (dialogue, _) in places.items():
        found[dialogue].add(name_of.get(i))
    whole = all(len(names) == 1 for names in found.values())
    return ("turn", "dialogue") if whole or axis == METRIC else ("turn",)


def _values(verdicts: Verdicts) -> dict[str, float | None]:
    graded = all(v.grade is not None for v in verdicts.values() if v.correct is not None)
    return {i: None if v.correct is None else v.grade if graded else float(v.correct) for i, v in verdicts.items()}


def _summary(
    ids: Sequence[str],
    level: str,
    values: Mapping[str, float | None],
    places: Mapping[str, Place],
    aggregates: Mapping[str, str],
) -> Row:
    """Number, mean, least and greatest of a slice's turns or dialogues."""
    known = {i: value for i in ids if (value := values[i]) is not None}
    if len(known) < len(ids):
        units = {places[i] if level == "turn" else places[i][0] for i in ids}
        return {"n": len(units), "mean": None, "min": None, "max": None, "n_unjudged": len(ids) - len(known)}
    turns = _gathered(((places[i], value) for i, value in known.items()), aggregates["turn"])
    dialogues = _gathered(((place[0], value) for place, value in turns.items()), aggregates["dialogue"])
    scores = list(turns.values() if level == "turn" else dialogues.values())
    found = {name: rate(aggregate(scores)) for name, aggregate in AGGREGATES.items()}
    return {"n": len(scores), **found, "n_unjudged": 0}


def _gathered(scored: Iterable[tuple[Key, float]], aggregate: str) -> dict[Key, float]:
    """The aggregate of the scores of each key."""
    groups: dict[Key, list[float]] = defaultdict(list)
    for key, score in scored:
        groups[key].append(score)
    return {key: AGGREGATES[aggregate](scores) for key, scores in groups.items()}
