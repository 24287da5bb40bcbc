"""The front of the page: the claim and what stands beside it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from memtrial.report.data import (
    PUBLISHED,
    ReportData,
    Row,
    claimable,
    ends_of,
    p_value,
    percent,
    points,
    points_span,
    span,
    unjudged,
)  # fmt: skip
from memtrial.spec import TRIVIAL

TRIVIAL_NAMES = {
    "gold-echo": "the reference answer itself",
    "question-echo": "an echo of the question",
    "always-abstain": "an answer that always abstains",
}
MOST_DIFFERENCES = 6
_AXES = {"system": "systems", "reader": "readers", "reader_pass": "passes", "judge": "judges"}


class Passes(NamedTuple):
    """The passes of one reader: how many, the mean of their rates and half the range between them."""

    k: int
    mean: float
    half_range: float


class Claim(NamedTuple):
    """One cell's claim: its row of the accuracy table, which questions, and how far its passes lie apart.

    `passes` is absent for one pass, and while one of them has unjudged rows.
    """

    row: Row
    questions: str
    passes: Passes | None
    judge: str
    trivial: str


def judged(data: ReportData, gold: str = PUBLISHED) -> list[Row]:
    """Rows that a headline may be made of: all questions, or answerable and abstention where they are scored apart."""
    rows = data.rows("accuracy", gold=gold)
    axis = "scored" if any(r["axis"] == "scored" for r in rows) else "all"
    return [r for r in rows if r["axis"] == axis]


def claims(data: ReportData, gold: str = PUBLISHED) -> list[Claim]:
    """What may be claimed, models judged by models first, systems in the order of the run; the lead comes first.

    Oracles, trivial baselines, planted answers and shares of abstention make none. The order never looks at an
    accuracy: the first system of the run leads, not the best one.
    """
    rows = [r for r in judged(data, gold) if r["slice"] != "abstention" and not data.is_hollow(r)]
    return [_claim(data, r, gold) for r in ranked(data, rows)]


def ranked(data: ReportData, rows: Iterable[Row]) -> list[Row]:
    """Rows of cells as the page orders them: models before floors and word judges, then judges, readers, passes and
    systems as the run names them; trivial baselines last. An accuracy never decides."""
    judges, readers, systems = (
        {name: n for n, name in enumerate(of)} for of in (data.judges, data.readers, data.systems)
    )

    def place(r: Row) -> tuple[Any, ...]:
        marks = (r["system"] == TRIVIAL, bool(data.judge_mark(r["judge"])), bool(data.reader_mark(r["reader"])))
        return (
            *marks,
            judges[r["judge"]],
            readers.get(r["reader"], 0),
            int(r["reader_pass"]),
            systems.get(r["system"], 0),
        )

    return sorted(rows, key=place)


def _claim(data: ReportData, row: Row, gold: str) -> Claim:
    same = {name: row[name] for name in ("system", "reader", "judge", "axis", "slice")}
    rates = [r["accuracy"] for r in data.rows("accuracy", gold=gold, **same)]
    questions = "questions" if row["slice"] == "all" else f"{row['slice']} questions"
    return Claim(row, questions, _passes(rates), judge_told(data, row["judge"]), trivial_told(data, row, gold))


def _passes(rates: list[float | None]) -> Passes | None:
    known = [r for r in rates if r is not None]
    if len(known) < max(2, len(rates)):
        return None
    return Passes(len(known), sum(known) / len(known), (max(known) - min(known)) / 2)


def judge_told(data: ReportData, judge: str) -> str:
    """What a judge's controls showed, as a sentence."""
    found = data.controls.get(judge)
    if not found:
        planted = any(data.planted(r["reader"]) for r in data.rows("accuracy", judge=judge))
        return f"No controls of judge {judge} are here{'' if planted else ', so nothing shows what it lets through'}."
    arms = found["arms"]
    missed = [(name, arm) for name, arm in sorted(arms.items()) if not arm["reached"]]
    told = f"Judge {judge} reached the bar on {len(arms) - len(missed)} of {len(arms)} control arms"
    if not missed:
        return f"{told}."
    failed = [f"{name} ({percent(a['rate'])} of {a['n']}, {percent(a['threshold'])} needed)" for name, a in missed]
    return f"{told}; it missed {', '.join(failed)}."


def trivial_told(data: ReportData, row: Row, gold: str) -> str:
    """What the same judge gives answers that need no memory, and planted ones, in words; empty if it was not tried."""
    found = {
        r["reader"]: r
        for r in data.rows("accuracy", gold=gold, system=TRIVIAL, judge=row["judge"], axis=row["axis"])
        if r["slice"] == row["slice"]
    }
    named = [f"{TRIVIAL_NAMES.get(reader, reader)} {_rate(found[reader])}" for reader in _trivial_order(found)]
    same = {name: row[name] for name in ("system", "judge", "axis", "slice")}
    planted = {r["reader"]: r for r in data.rows("accuracy", gold=gold, **same) if data.planted(r["reader"])}
    passed = [f"{_rate(r)} of {r['n']:,} {data.planted(reader)}" for reader, r in planted.items()]
    told = [f"The same judge gives {', '.join(named)}."] if named else []
    return " ".join([*told, *([f"Judge {row['judge']} passes {' and '.join(passed)} answers."] if passed else [])])


def _trivial_order(found: Iterable[str]) -> list[str]:
    return [*(r for r in TRIVIAL_NAMES if r in found), *sorted(set(found) - set(TRIVIAL_NAMES))]


def _rate(row: Row) -> str:
    return percent(row["accuracy"]) if row["accuracy"] is not None else f"(with {unjudged(row)} unjudged) no rate"


def differences(data: ReportData, lead: Row, gold: str = PUBLISHED) -> list[str]:
    """Whether the lead differs from each other system, else from each other reader, then from its other passes and
    under other judges, on the same questions."""
    rows = {axis: [r for r in data.rows("comparisons", gold=gold) if _of_lead(data, r, lead, axis)] for axis in _AXES}
    found = [*(rows["system"] or rows["reader"]), *rows["reader_pass"], *rows["judge"]]
    more = len(found) - MOST_DIFFERENCES
    told = [_difference(data, r, lead) for r in found[:MOST_DIFFERENCES]]
    return [*told, *([f"{more} more under Paired comparisons."] if more > 0 else [])]


def _of_lead(data: ReportData, row: Row, lead: Row, axis: str) -> bool:
    """Whether a comparison is of the lead with another one along an axis, and not with what is no result."""
    pair = (row["a"], row["b"])
    if row["compare"] != _AXES[axis] or lead[axis] not in pair:
        return False
    other = {**lead, axis: next((name for name in pair if name != lead[axis]), "")}
    shared = ("system", "reader", "reader_pass", "judge", "slice")
    return not data.is_hollow(other) and all(row[name] == lead[name] for name in shared if name != axis)


def _difference(data: ReportData, row: Row, lead: Row) -> str:
    axis = next(axis for axis, compare in _AXES.items() if compare == row["compare"])
    word = {"reader_pass": "pass ", "judge": "judge "}.get(axis, "")
    sign, other = (1, row["b"]) if row["a"] == lead[axis] else (-1, row["a"])
    if row["difference"] is None:
        return f"{word}{lead[axis]} against {other}: not compared while {row['n_unjudged']} rows are unjudged."
    if row["only_a"] == row["only_b"] == 0:
        told = f"{word}{lead[axis]} and {word}{other} are judged alike on each of the same {row['n']:,} questions."
        return told[0].upper() + told[1:] if word else told
    ends = sorted(sign * end for end in ends_of(row) if end is not None)
    told = f"{word}{lead[axis]} minus {word}{other}: {points(sign * row['difference'])} points on the same "
    told += f"{row['n']:,} questions ({data.confidence} interval {points_span(*ends)}; "
    told += f"Holm-corrected p {p_value(row['p_holm'])})"
    told = f"{told}: {'the difference stands' if stands(data, row) else 'no difference can be claimed'}."
    return told[0].upper() + told[1:] if word else told


def stands(data: ReportData, row: Row) -> bool:
    """Whether a difference may be claimed at the run's level."""
    return claimable(row, data.alpha)


def noise(data: ReportData, lead: Row, gold: str = PUBLISHED) -> list[str]:
    """How the lead's passes lie to each stated bar, and how far its judge contradicts itself, a sentence each."""
    same = {name: lead[name] for name in ("system", "reader")}
    rows = data.rows("stability", gold=gold, kind="passes", judge=lead["judge"], **same)
    told = [_bar(r) for r in rows if r["bar_name"] and r["decision"]]
    again = data.rows("stability", gold=gold, kind="judgings", reader_pass=lead["reader_pass"], **same)
    again = [r for r in again if lead["judge"] in r["members"].split(", ") and r["unstable"] is not None]
    return [*told, *(_judged_again(r) for r in again[:1])]


def _bar(row: Row) -> str:
    bar = f"the bar {row['bar_name']} ({percent(row['bar'])})"
    between = f"({span(row['lowest'], row['highest'])} of all {row['n']:,} questions)"
    if row["decision"] == "straddles":
        return f"The passes {between} straddle {bar}: no win is claimed."
    return f"Every pass {between} lies {row['decision']} {bar}."


def _judged_again(row: Row) -> str:
    return (
        f"The same answers judged {row['k']} times ({row['members']}): {row['unstable']:,} of {row['n']:,} verdicts "
        f"change by the judge alone ({row['all_right']:,} right every time, {row['any_right']:,} at least once)."
    )


def unclaimed(data: ReportData) -> str:
    """Why there is no claim at all."""
    if judged(data):
        return "No system here makes a claim."
    return "No answers have been judged here, so there is no accuracy and no claim of one."
