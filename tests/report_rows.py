"""Invented rows of the statistics for the report: what was judged, compared and counted."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

from memtrial.statistics import columns
from memtrial.statistics.intervals import wilson

KS = (1, 5, 10, 16, 20)
TYPES = {"single-hop": 841, "multi-hop": 282, "temporal": 321, "open-domain": 96, "rare": 7}
N = sum(TYPES.values())
SYSTEMS = ("chain", "rag", "chain-oracle", "archivist")  # the last is external
READERS = ("gpt-4o", "gpt-4o-mini", "extractive")
JUDGES = ("judge-4o", "judge-4o-again", "lexical")
TRIVIAL = {"always-abstain": 0.06, "question-echo": 0.021, "gold-echo": 0.994}
UNJUDGED = ("rag", "gpt-4o-mini", "1", "judge-4o")
_BASE = {"chain": 0.82, "rag": 0.74, "chain-oracle": 0.88, "archivist": 0.81}
_READER = {"gpt-4o": 0.0, "gpt-4o-mini": -0.09, "extractive": -0.6}
_JUDGE = {"judge-4o": 0.0, "judge-4o-again": 0.004, "lexical": -0.2}
_TYPE = {"single-hop": 0.05, "multi-hop": -0.12, "temporal": -0.04, "open-domain": -0.2, "rare": -0.1}
GOLDS = ("published", "undisputed")
Rows = list[dict[str, Any]]


def cells() -> list[tuple[str, str, str, str]]:
    """Two passes of the models, one of the floor; the trivial baselines under every judge."""
    found = [
        (s, r, p, j)
        for s, r, p, j in product(SYSTEMS, READERS, ("1", "2"), JUDGES)
        if (p == "1" or r == "gpt-4o") and (s != "archivist" or r == "gpt-4o")
    ]
    return found + [("trivial", r, "1", j) for r, j in product(TRIVIAL, JUDGES)]


def row_of(schema: Any, *values: Any) -> dict[str, Any]:
    return dict(zip(schema.names, values, strict=True))


def _rate(cell: tuple[str, str, str, str], kind: str) -> float:
    system, reader, reader_pass, judge = cell
    if system == "trivial":
        return TRIVIAL[reader]
    shift = _READER[reader] + _JUDGE[judge] + _TYPE.get(kind, 0.0) - 0.006 * (reader_pass == "2")
    return min(0.99, max(0.01, _BASE[system] + shift))


def _accuracy(gold: str, cell: tuple[str, str, str, str], axis: str, name: str, n: int) -> dict[str, Any]:
    bad = 3 if cell == UNJUDGED and name in ("all", "temporal") else 0
    disputed = max(1, n // 12) if gold == "published" else None
    correct = round(n * _rate(cell, name))
    low, high = wilson(correct, n, 0.95)
    values = {
        "gold": gold,
        **dict(zip(columns.CELL, cell, strict=True)),
        "axis": axis,
        "slice": name,
        "n": n,
        "se": 0.01,
    }
    values |= {"n_error": bad, "n_unparseable": 0, "n_unanswered": 0, "n_disputed": disputed}
    values |= {"bound_low": round(correct / n, 6), "bound_high": round((correct + bad) / n, 6)}
    if not bad:
        values |= {"accuracy": round(correct / n, 6), "boot_low": low, "boot_high": high}
        values |= {} if axis == "macro" else {"correct": correct, "wilson_low": low, "wilson_high": high}
    if disputed and not bad:
        values |= {"disputed_low": max(0, correct - disputed) / n, "disputed_high": min(n, correct + disputed) / n}
    return dict.fromkeys(columns.ACCURACY.names) | values


def accuracy() -> Rows:
    return [
        _accuracy(gold, cell, axis, name, n - (n // 12 if gold == "undisputed" else 0))
        for gold in GOLDS
        for cell in cells()
        for axis, name, n in (
            ("all", "all", N),
            ("macro", "question_type", N),
            *(("question_type", t, n) for t, n in TYPES.items()),
            ("abstention", "false", N - 100),
            ("abstention", "true", 100),
        )
    ]


def slices() -> Rows:
    named = [("system", s, 1) for s in SYSTEMS] + [("family", "retrievers", 2)]
    axes = [
        *(("question_type", t, n) for t, n in TYPES.items()),
        *(("evidence_position", p, n) for p, n in (("edge", 600), ("middle", 947))),
    ]
    rows: Rows = []
    for gold, (kind, name, members), (axis, part, n) in product(GOLDS, named, axes):
        mean = _rate((name if kind == "system" else "rag", "gpt-4o", "1", "judge-4o"), part)
        values = (
            gold,
            "gpt-4o",
            "judge-4o",
            kind,
            name,
            members,
            2,
            axis,
            part,
            n,
            mean,
            0.01,
            mean - 0.02,
            mean + 0.02,
            0,
        )
        rows.append(row_of(columns.SLICES, *values))
    return rows


def contrasts() -> Rows:
    cell = {"reader": "gpt-4o", "judge": "judge-4o", "axis": "question_type", "slice": "temporal", "n": 321}
    found = (
        ("families", "retrievers", "whole", "temporal", "", 0.062, 0.0004),
        ("families", "retrievers", "whole", "rare", "", -0.031, 0.61),
        ("slices", "retrievers", "retrievers", "temporal", "multi-hop", 0.08, 0.002),
        ("differences", "retrievers", "whole", "temporal", "multi-hop", 0.01, 0.8),
    )
    return [
        dict.fromkeys(columns.CONTRASTS.names)
        | cell
        | {"block": f"by-{kind}", "gold": gold, "kind": kind, "left": left, "right": right, "slice": part}
        | {"other_slice": other, "n_other": 282 if other else 0, "estimate": d, "low": d - 0.03, "high": d + 0.03}
        | {"p": p, "p_holm": min(1.0, 4 * p), "tests": 4, "n_unjudged": 0}
        for gold in GOLDS
        for kind, left, right, part, other, d, p in found
    ]


def comparisons() -> Rows:
    """All pairs of systems, and one of readers that could not be compared."""
    blank = dict.fromkeys(columns.COMPARISONS.names) | {"axis": "all", "slice": "all", "n": N}
    cell = {"system": "", "reader": "gpt-4o", "reader_pass": "1", "judge": "judge-4o"}
    rows: Rows = []
    for gold, (a, b) in product(GOLDS, combinations(SYSTEMS, 2)):
        d = round(_BASE[a] - _BASE[b], 6)
        p = 0.001 if abs(d) > 0.05 else 0.4
        row = blank | cell | {"block": "systems", "gold": gold, "compare": "systems", "a": a, "b": b, "n_unjudged": 0}
        row |= {"rate_a": _BASE[a], "rate_b": _BASE[b], "only_a": 150, "only_b": round(150 - d * N), "difference": d}
        row |= {"low": d - 0.025, "high": d + 0.025, "mcnemar_p": p, "p_holm": min(1.0, 6 * p), "tests": 6}
        rows.append(row)
    readers = {"block": "readers", "gold": "published", "compare": "readers", "system": "rag", "reader": ""}
    return [*rows, blank | cell | readers | {"a": "gpt-4o", "b": "gpt-4o-mini", "n_unjudged": 3, "tests": 1}]


def stability() -> Rows:
    rows: Rows = []
    for gold, system, bar in product(GOLDS, ("chain", "rag"), ((None, None, None), ("published", 0.817, "straddles"))):
        mean = _BASE[system] - 0.003
        values = (
            gold,
            "passes",
            system,
            "gpt-4o",
            "",
            "judge-4o",
            "1, 2",
            2,
            N,
            0,
            mean,
            0.003,
            mean - 0.003,
            mean + 0.003,
            1200,
            1240,
            1290,
            90,
            *bar,
        )
        rows.append(row_of(columns.STABILITY, *values))
    values = (
        "published",
        "judgings",
        "chain",
        "gpt-4o",
        "1",
        "judge-4o",
        "judge-4o, judge-4o-again",
        2,
        N,
        0,
        0.822,
        0.002,
        0.82,
        0.824,
        1265,
        1270,
        1276,
        11,
        None,
        None,
        None,
    )
    return [*rows, row_of(columns.STABILITY, *values)]


def flips() -> Rows:
    causes = ("reader", "judge", "evidence", "unknown")
    return [
        row_of(
            columns.FLIPS,
            *(
                "chain",
                "gpt-4o",
                "judge-4o",
                "1",
                "2",
                f"conv-{n:02}#{n}",
                "temporal",
                n % 3 > 0,
                n % 3 == 0,
                causes[n % 4] == "judge",
                n % 4 != 2,
                causes[n % 4],
                n < 5,
            ),
        )
        for n in range(90)
    ]


def agreement() -> Rows:
    rows: Rows = []
    for gold, (a, b), (axis, part, n) in product(
        GOLDS, combinations(JUDGES, 2), (("all", "all", N), ("question_type", "temporal", 321))
    ):
        repeat = {a, b} == {"judge-4o", "judge-4o-again"}
        wrong = n // 100 if repeat else n // 5
        values = (
            gold,
            "chain",
            "gpt-4o",
            "1",
            a,
            b,
            repeat,
            axis,
            part,
            n,
            n - wrong,
            (n - wrong) / n,
            *wilson(n - wrong, n, 0.95),
            0.95 if repeat else 0.48,
            n // 2,
            wrong - wrong // 4,
            wrong // 4,
            n - n // 2 - wrong,
            0,
        )
        rows.append(row_of(columns.AGREEMENT, *values))
    return rows


def usage() -> Rows:
    tokens = {"chain": 12_400, "rag": 8_100, "chain-oracle": 11_900, "archivist": None}
    rows: Rows = []
    for system, count in tokens.items():
        known = count is not None
        total = count * N if count else None
        values = (
            system,
            "gpt-4o",
            "1",
            N,
            N if known else 0,
            total,
            40 * N if known else None,
            count,
            31.2 if known else None,
            0.0201 if known else None,
            13_400.5 if known else None,
        )
        rows.append(row_of(columns.USAGE, *values))
    return rows
