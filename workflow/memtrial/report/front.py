"""The front of the page: the claim, what stands beside it, and what is not shown and why."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from memtrial.report.data import (
    PUBLISHED,
    SMALL,
    ReportData,
    Row,
    in_order,
    p_value,
    percent,
    points,
    points_span,
    unjudged,
)  # fmt: skip
from memtrial.spec import TRIVIAL

TRIVIAL_NAMES = {
    "gold-echo": "the reference answer itself",
    "question-echo": "an echo of the question",
    "always-abstain": "an answer that always abstains",
}
MOST_DIFFERENCES = 6


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

    Oracles, trivial baselines and shares of abstention make none. The order never looks at an accuracy: the first
    system of the run leads, not the best one.
    """
    rows = [r for r in judged(data, gold) if r["slice"] != "abstention" and r["system"] != TRIVIAL]
    rows = [r for r in rows if not data.is_oracle(r["system"])]
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
        return f"No controls of judge {judge} are here, so nothing shows what it lets through."
    arms = found["arms"]
    missed = [(name, arm) for name, arm in sorted(arms.items()) if not arm["reached"]]
    told = f"Judge {judge} reached the bar on {len(arms) - len(missed)} of {len(arms)} control arms"
    if not missed:
        return f"{told}."
    failed = [f"{name} ({percent(a['rate'])} of {a['n']}, {percent(a['threshold'])} needed)" for name, a in missed]
    return f"{told}; it missed {', '.join(failed)}."


def trivial_told(data: ReportData, row: Row, gold: str) -> str:
    """What the same judge gives answers that need no memory, as a sentence; empty if it was not tried."""
    found = {
        r["reader"]: r
        for r in data.rows("accuracy", gold=gold, system=TRIVIAL, judge=row["judge"], axis=row["axis"])
        if r["slice"] == row["slice"]
    }
    named = [f"{TRIVIAL_NAMES.get(reader, reader)} {_rate(found[reader])}" for reader in _trivial_order(found)]
    return f"The same judge gives {', '.join(named)}." if named else ""


def _trivial_order(found: Iterable[str]) -> list[str]:
    return [*(r for r in TRIVIAL_NAMES if r in found), *sorted(set(found) - set(TRIVIAL_NAMES))]


def _rate(row: Row) -> str:
    return percent(row["accuracy"]) if row["accuracy"] is not None else f"(with {unjudged(row)} unjudged) no rate"


def differences(data: ReportData, lead: Row, gold: str = PUBLISHED) -> list[str]:
    """Whether the lead differs from each other system, else from each other reader, on the same questions."""
    for compare, axis in (("systems", "system"), ("readers", "reader")):
        found = [r for r in data.rows("comparisons", gold=gold, compare=compare) if _of_lead(data, r, lead, axis)]
        if found:
            shown = [_difference(data, r, lead[axis]) for r in found[:MOST_DIFFERENCES]]
            more = len(found) - len(shown)
            return [*shown, *([f"{more} more under Paired comparisons."] if more else [])]
    return []


def _of_lead(data: ReportData, row: Row, lead: Row, axis: str) -> bool:
    pair = (row["a"], row["b"])
    other = next((name for name in pair if name != lead[axis]), "")
    if lead[axis] not in pair or (axis == "system" and (other == TRIVIAL or data.is_oracle(other))):
        return False
    return all(
        row[name] == lead[name] for name in ("system", "reader", "reader_pass", "judge", "slice") if name != axis
    )


def _difference(data: ReportData, row: Row, lead: str) -> str:
    sign, other = (1, row["b"]) if row["a"] == lead else (-1, row["a"])
    if row["difference"] is None:
        return f"{lead} against {other}: not compared while {row['n_unjudged']} rows are unjudged."
    ends = sorted(sign * row[end] for end in ("low", "high"))
    told = f"{lead} minus {other}: {points(sign * row['difference'])} points on the same {row['n']:,} questions"
    told += f" ({data.confidence} interval {points_span(*ends)}; Holm-corrected p {p_value(row['p_holm'])})"
    return f"{told}: {'the difference stands' if stands(data, row) else 'no difference can be claimed'}."


def stands(data: ReportData, row: Row) -> bool:
    """Whether a difference may be claimed: its corrected p is under the level and its interval leaves out zero."""
    if row["p_holm"] is None or row["low"] is None:
        return False
    return bool(row["p_holm"] < data.alpha and (row["low"] > 0 or row["high"] < 0))


def not_shown(data: ReportData) -> list[str]:
    """What the reader of the page could miss, a sentence each: what it is and why it is not there."""
    return [*_unjudged(data), *_refused(data), *_unreleased(data), *_controls(data), *_small(data), *_usage(data)]


def _unjudged(data: ReportData) -> list[str]:
    told = []
    for r in (r for r in data.rows("accuracy", gold=PUBLISHED, axis="all") if unjudged(r)):
        kinds = [f"{r[f'n_{kind}']} {kind}" for kind in ("error", "unparseable", "unanswered") if r[f"n_{kind}"]]
        who = f"{r['system']}, {r['reader']}, pass {r['reader_pass']}, judge {r['judge']}"
        told.append(f"No accuracy of {who}: {unjudged(r)} of {r['n']:,} rows have no verdict ({', '.join(kinds)}). "
                    "The lowest and highest possible share stand instead.")  # fmt: skip
    return told


def _refused(data: ReportData) -> list[str]:
    told = [
        f"No claim for {s}: it reads the benchmark's question type, a label that no deployed memory has (an oracle)."
        for s in data.systems
        if data.is_oracle(s)
    ]
    outside = [s for s in data.systems if data.is_external(s)]
    unranked = [s for s in outside if not data.rows("retrieval", system=s)]
    for what, systems in (("packets", outside), ("retrieval", unranked)):
        if systems:
            told.append(f"No {what} of {', '.join(systems)}: their answers were made elsewhere.")
    return told


def _unreleased(data: ReportData) -> list[str]:
    unknown = sum(f["cause"] == "unknown" for f in data.rows("flips"))
    return [f"No cause of {unknown:,} flips: the answers were not released."] if unknown else []


def _controls(data: ReportData) -> list[str]:
    used = in_order(r["judge"] for r in data.rows("accuracy"))
    without = [judge for judge in used if judge not in data.controls]
    return [f"No controls of judge {', '.join(without)}: none were run here or given."] if without else []


def _small(data: ReportData) -> list[str]:
    sizes = {(r["axis"], r["slice"]): r["n"] for r in data.rows("accuracy", gold=PUBLISHED) if r["axis"] != "macro"}
    sizes |= {(r["axis"], r["slice"]): r["n"] for r in data.rows("slices", gold=PUBLISHED)}
    small = sum(n < SMALL for n in sizes.values())
    if not small:
        return []
    return [
        f"No conclusion from {small} of {len(sizes)} slices: they have under {SMALL} questions and bear a dagger (†)."
    ]


def _usage(data: ReportData) -> list[str]:
    """Where only some pairs of system and reader have a count or a price; where none has, the section says so."""
    pairs = in_order((r["system"], r["reader"]) for r in data.rows("accuracy") if r["system"] != TRIVIAL)
    counted = {(r["system"], r["reader"]) for r in data.rows("usage") if r["n_counted"]}
    priced = {(r["system"], r["reader"]) for r in data.rows("usage") if r["dollars"] is not None}
    uncounted, unpriced = [p for p in pairs if p not in counted], [p for p in pairs if p in counted - priced]
    told = [f"No token counts of {len(uncounted)} of {len(pairs)} system-reader pairs: their answers carry none."]
    told = told if 0 < len(uncounted) < len(pairs) else []
    if unpriced:
        told.append(f"No dollars of {len(unpriced)} of {len(pairs)} system-reader pairs: the price table has no price.")
    return told


def unclaimed(data: ReportData) -> str:
    """Why there is no claim at all."""
    return "No system here makes a claim." if judged(data) else "No reader has been judged on this benchmark yet."
