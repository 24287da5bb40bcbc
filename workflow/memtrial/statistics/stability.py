"""What repeating showed: k passes of a reader, or k judgings of the same answers, and whether a claim survives them.

The k-pass rule: every pass is reported, their mean with half the range between the lowest and the highest; a stated bar
is passed only if every pass lies above it. Passes that lie on both sides of it, or on it, claim nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import fsum
from typing import Any

from memtrial.statistics.cells import Cell
from memtrial.statistics.columns import CELL
from memtrial.statistics.design import Design
from memtrial.statistics.intervals import rate
from memtrial.statistics.judgings import Key, Verdicts, along, by_cell, judging_of, require_same_answers

Row = dict[str, Any]
ABOVE, BELOW, STRADDLES = "above", "below", "straddles"


def stability_rows(
    design: Design, cells: Iterable[Cell], judges: Mapping[str, Mapping[str, Any]], spec: Mapping[str, Any]
) -> list[Row]:
    """Rows of `columns.STABILITY`: for each group of repeats one without a bar, then one for each stated bar.

    `judges` gives each judge's definition: those that differ in nothing but `draw` are repeated judgings. Rates are
    shares of all n questions; counts are over those that every member judged. While some are not, rates and decisions
    are null. Raises `InputError` where cells do not hold the design's questions, or a judging is on other answers.
    """
    bars = spec["statistics"].get("bars") or {}
    judged = by_cell(design.ids, cells)
    groups = [*_passes(judged), *_judgings(judged, judges)]
    return [
        {"gold": gold, **head, **_counts([[v[i].correct for v in members] for i in sorted(ids)], bar)}
        for gold, ids in design.sets.items()
        if ids
        for head, members in groups
        for bar in (None, *sorted(bars.items()))
    ]


def decision(rates: Sequence[float], bar: float) -> str:
    """Where all `rates` lie on one side of `bar`, which; else, or where one is equal to it, `straddles`.

    >>> decision([0.958, 0.95], 0.95)
    'straddles'
    """
    return ABOVE if min(rates) > bar else BELOW if max(rates) < bar else STRADDLES


def _passes(judged: Mapping[Key, Verdicts]) -> Iterator[tuple[Row, list[Verdicts]]]:
    for (system, reader, judge), passes in sorted(along("reader_pass", judged).items()):
        if len(passes) > 1:
            yield _head("passes", (system, reader, "", judge), list(passes)), list(passes.values())


def _judgings(
    judged: Mapping[Key, Verdicts], judges: Mapping[str, Mapping[str, Any]]
) -> Iterator[tuple[Row, list[Verdicts]]]:
    groups: dict[Any, dict[tuple[int, str], Verdicts]] = defaultdict(dict)
    for (*names, judge), verdicts in judged.items():
        groups[*names, judging_of(judges[judge])][judges[judge].get("draw", 1), judge] = verdicts
    for (*names, _), draws in groups.items():
        # Two with one draw are not known to be two draws of one judge.
        if len(draws) > 1 and len({draw for draw, _ in draws}) == len(draws):
            members = {judge: draws[draw, judge] for draw, judge in sorted(draws)}
            require_same_answers(members, f"verdicts of {', '.join(names)}")
            yield _head("judgings", (*names, next(iter(members))), list(members)), list(members.values())


def _head(kind: str, names: Sequence[str], members: Sequence[str]) -> Row:
    return {"kind": kind, **dict(zip(CELL, names, strict=True)), "members": ", ".join(members), "k": len(members)}


def _counts(verdicts: Sequence[Sequence[bool | None]], bar: tuple[str, float] | None) -> Row:
    """The measures of verdicts [questions x members]; null is unjudged."""
    n, whole = len(verdicts), [votes for votes in verdicts if None not in votes]
    k = len(verdicts[0])
    right = [sum(vote is True for vote in votes) for votes in whole]
    rates = [sum(votes[m] is True for votes in whole) / n for m in range(k)] if len(whole) == n else []
    shown = (fsum(rates) / k, (max(rates) - min(rates)) / 2, min(rates), max(rates)) if rates else (None,) * 4
    measures = zip(("mean", "half_range", "lowest", "highest"), shown, strict=True)
    return {
        "n": n,
        "n_unjudged": n - len(whole),
        **{name: rate(value) for name, value in measures},
        "all_right": right.count(k),
        "majority_right": sum(2 * count > k for count in right),
        "any_right": len(right) - right.count(0),
        "unstable": sum(0 < count < k for count in right),
        "bar_name": bar[0] if bar else None,
        "bar": bar[1] if bar else None,
        "decision": decision(rates, bar[1]) if bar and rates else None,
    }
