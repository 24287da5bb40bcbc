"""An invented finished run for the report: every table of the statistics, in the shapes that a real one has."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import product
from typing import Any

from report_rows import (
    GOLDS,
    KS,
    READERS,
    N,
    Rows,
    accuracy,
    agreement,
    comparisons,
    contrasts,
    flips,
    row_of,
    slices,
    stability,
    usage,
)  # fmt: skip

from memtrial.records import Quality
from memtrial.report.data import ReportData
from memtrial.statistics import columns


def retrieval(system: str) -> Rows:
    stages = ("dense", "keyword", "pool", "reranked", "packet")
    rows: Rows = []
    for (number, stage), k in product(enumerate(stages), KS):
        for metric, base in (("recall_any", 0.6), ("recall_all", 0.45), ("ndcg", 0.5), ("mrr", 0.55)):
            rows.append(
                {"stage": stage, "metric": metric, "k": k, "value": min(0.99, base + 0.03 * number + 0.018 * k)}
            )
    rows.append({"stage": "packet", "metric": "gold_complete", "k": None, "value": 0.954})
    shared = {"system": system, "level": "session", "slice": "all", "n": 1543}
    return [shared | r | {"ci_low": r["value"] - 0.02, "ci_high": min(1, r["value"] + 0.02)} for r in rows]


def packets(system: str) -> dict[str, Any]:
    return {
        "system": system,
        "slice": "all",
        "n": N,
        "layout": "coverage",
        "sessions_mean": 15.96,
        "proxy_tokens_mean": 13456.7,
        "proxy_tokens_max": 16012,
        "max_sessions": 16,
        "max_tokens": 40000,
        "tokenizer": None,
        "over_budget": 0,
        "whole": 30000,
        "extracted": 5,
        "cut": 1,
        "turns": 0,
        "elided_lines": 1234,
        "dropped": 7012,
        "dropped_by": "budget=12 sessions=7000",
        "gold_complete": 0.954,
        "n_gold_complete": 1543,
        "turn_complete": None,
        "n_turn_complete": 0,
    }


def support(system: str, fired: int) -> Rows:
    return [
        {
            "system": system,
            "operator": operator,
            "kind": kind,
            "slice": name,
            "n": n,
            "supported": n // 2,
            "rate": 0.5 if fired else 0.0,
            "ci_low": 0.45,
            "ci_high": 0.55,
            "chance": None if kind == "day" else 0.125,
            "values": 3.0,
            "fired": fired,
        }
        for operator in ("dates", "any")
        for kind, n in (("all", 400), ("day", 300), ("number", 100))
        for name in ("all", "question_type=temporal")
    ]


def triggers(system: str, fired: int) -> Rows:
    known = {"labelled": 20, "needed": 10, "tp": 8, "fp": 2, "fn": 2, "precision": 0.8, "recall": 0.8}
    unknown = dict.fromkeys(known) | {"labelled": 0}
    shared = {"system": system, "n": N, "fired": fired, "rate": fired / N}
    return [
        shared | {"operator": operator, "slice": name} | (known if operator == "dates" else unknown)
        for operator in ("dates", "counting")
        for name in ("all", "question_type=temporal")
    ]


def audits() -> dict[str, Rows]:
    """Published figures, the dossier, dialogues, and what tells systems apart."""
    claims = [
        ("Correct answers, pass 1", "1269", "1269", "equal"),
        ("Correct answers, pass 2", "1262", "1259", "differs"),
        ("Human labels", "493", None, "absent"),
    ]
    named = [row_of(columns.CLAIMS, *(*c, "accuracy", "correct", "system=chain", "paper, table 2")) for c in claims]
    disputed = [
        row_of(
            columns.DISPUTED,
            *(
                f"conv-{n:02}#{n}",
                "temporal",
                "date off by one",
                (True, None, False)[n % 3],
                "an invented audit",
                "says the 3rd, is the 4th",
                6,
                n % 7,
            ),
        )
        for n in range(70)
    ]
    dialogues = [
        row_of(
            columns.DIALOGUES,
            *("chain", "gpt-4o", "1", "judge-4o", level, "mean", "min", "all", "all", n, 0.71, 0.0, 1.0, 0),
        )
        for level, n in (("turn", 47), ("dialogue", 10))
    ]
    tells = [
        row_of(
            columns.DISCRIMINABILITY,
            *(g, "gpt-4o", "1", "judge-4o", "all", "all", N, 3, 0.051, 0.0098, "sd of systems / mean se", 5.2),
        )
        for g in GOLDS
    ]
    ranks = [
        row_of(columns.CORRELATIONS, *(g, "gpt-4o", "1", "judge-4o", "question_type", "temporal", "multi-hop", 3, 0.5))
        for g in GOLDS
    ]
    replies = [
        row_of(columns.DISAGREEMENTS, *("chain", "gpt-4o", "1", "judge-4o", "conv-01#1", True, False, "Yes, no doubt"))
    ]
    return {
        "claims": named,
        "disputed": disputed,
        "dialogues": dialogues,
        "discriminability": tells,
        "correlations": ranks,
        "disagreements": replies,
    }


def arm(rate: float, expected: bool) -> dict[str, Any]:
    return {
        "rate": rate,
        "n": 20,
        "passed": round(20 * rate),
        "ci_low": rate - 0.2,
        "ci_high": min(1.0, rate + 0.1),
        "expected": expected,
        "reached": rate >= 0.9,
        "threshold": 0.9,
        "n_error": 0,
        "n_unparseable": 0,
    }


def controls() -> dict[str, Any]:
    fine = {"positive": arm(1.0, True), "negative": arm(1.0, False), "negative-hard-vague": arm(0.95, False)}
    return {"judge-4o": {"arms": fine}, "lexical": {"arms": fine | {"negative-hard-vague": arm(0.375, False)}}}


def defined(form: str = "extracted") -> dict[str, Any]:
    return {"kind": "chain", "packet": {"packet": {"form": form}}}


def headline(rows: Rows) -> Rows:
    ranked = {"chain": (0.931, 0.954), "rag": (0.84, 0.86), "chain-oracle": (0.931, 0.97)}
    return [
        r
        | {
            "benchmark": "invented",
            "questions": r["slice"],
            "n_unjudged": r["n_error"],
            "refused": False,
            "recall_all_10": ranked.get(r["system"], (None, None))[0],
            "gold_complete": ranked.get(r["system"], (None, None))[1],
            "n_retrieval": 1543,
        }
        for r in rows
        if r["gold"] == "published" and r["axis"] == "all" and r["system"] != "trivial"
    ]


def invented() -> ReportData:
    """Four systems (an oracle, an external one), three readers, two passes, three judges; disputed, unjudged rows."""
    table = accuracy()
    made = {
        "accuracy": table,
        "slices": slices(),
        "contrasts": contrasts(),
        "comparisons": comparisons(),
        "stability": stability(),
        "flips": flips(),
        "agreement": agreement(),
        "usage": usage(),
        "retrieval": retrieval("chain") + retrieval("rag"),
        "packets": [packets("chain"), packets("rag")],
        "support": support("chain", 321) + support("rag", 0),
        "triggers": triggers("chain", 600),
        **audits(),
    }
    quality = [Quality("unresolved-evidence", f"conv-{n}", f"D{n}:19 is not in the dialogue") for n in range(27)]
    receipts = [
        {
            "artifact": f"results/invented/statistics/{name}.{end}",
            "rows": 272,
            "content_sha256": f"{place:02x}" * 32,
            "bytes_sha256": "cd" * 32,
        }
        for place, name in enumerate(sorted(made))
        for end in ("csv", "parquet")
    ]
    return ReportData(
        "invented",
        headline(table),
        made,
        [*quality, Quality("integer-answer", "conv-3", "2022 is a number <b>here</b>")],
        receipts,
        systems={
            "chain": defined(),
            "rag": defined(),
            "chain-oracle": defined("oracle-question-type"),
            "archivist": {"kind": "external"},
        },
        readers={r: {"kind": "extractive" if r == "extractive" else "litellm"} for r in READERS},
        judges={
            "judge-4o": {"kind": "litellm", "protocol": "longmemeval", "model": "x"},
            "judge-4o-again": {"kind": "litellm", "protocol": "longmemeval", "draw": 2},
            "lexical": {"kind": "lexical"},
        },
        controls=controls(),
        statistics={
            "resamples": 10000,
            "seed": 20260830,
            "confidence": 0.95,
            "ks": list(KS),
            "cluster": "conversation",
        },
    )


def words(html: str) -> str:
    """The page's words, each run of blanks as one."""
    found: list[str] = []
    parser = HTMLParser()
    parser.handle_data = found.append  # type: ignore[method-assign]
    parser.feed(re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL))
    return " ".join(" ".join(found).split())
