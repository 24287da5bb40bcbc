"""What a report shows: plain rows of the statistics tables, findings, receipts and resolved definitions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from memtrial.records import Quality
from memtrial.spec import ORACLE_FORM, TRIVIAL

Row = Mapping[str, Any]
# Every report has all of these, so that a workflow can declare them.
PLOTS = ("accuracy", "comparisons", "contrasts", "passes", "agreement", "readers", "retrieval", "recall", "cost")
FLOOR_READER = "extractive"
WORD_JUDGE = "lexical"
EXTERNAL = "external"
PUBLISHED, UNDISPUTED = "published", "undisputed"
GOLD_NAMES = {PUBLISHED: "gold as published", UNDISPUTED: "without disputed rows"}
SMALL = 10  # a slice of fewer questions is marked wherever it stands


class ReportData(NamedTuple):
    """`tables` has the rows of each table of the statistics by its name; one that is absent has none.

    `headline` is what `tables.headline` of the statistics made of them. `receipts` rows: artifact, rows,
    content_sha256, bytes_sha256. `systems`, `readers` and `judges` map each name in use to its resolved spec, of which
    `kind` and a system's packet form are read here (the trivial baselines need none); `controls` maps a judge to what
    its controls found, where they were run; `statistics` is the resolved statistics spec.
    """

    benchmark: str
    headline: Sequence[Row]
    tables: Mapping[str, Sequence[Row]]
    quality: Sequence[Quality]
    receipts: Sequence[Row]
    systems: Mapping[str, Row]
    readers: Mapping[str, Row]
    judges: Mapping[str, Row]
    controls: Mapping[str, Row]
    statistics: Row

    def rows(self, table: str, **wanted: Any) -> list[Row]:
        """The rows of a table whose columns have the values that are wanted, in its order."""
        return [r for r in self.tables.get(table, ()) if all(r[name] == value for name, value in wanted.items())]

    @property
    def golds(self) -> tuple[str, ...]:
        """Which sets of questions the tables have: all, and where a dossier was given those without its rows."""
        found = any(r.get("gold") == UNDISPUTED for rows in self.tables.values() for r in rows[-1:])
        return (PUBLISHED, UNDISPUTED) if found or self.tables.get("disputed") else (PUBLISHED,)

    @property
    def confidence(self) -> str:
        return f"{100 * self.statistics['confidence']:g}%"

    @property
    def alpha(self) -> float:
        """The level at which a corrected p is called a difference: what the confidence leaves."""
        return round(1 - float(self.statistics["confidence"]), 9)

    def is_oracle(self, system: str) -> bool:
        return system != TRIVIAL and bool(oracle_mark(self.systems[system]))

    def is_external(self, system: str) -> bool:
        return system == TRIVIAL or self.systems[system].get("kind") == EXTERNAL

    def planted(self, reader: str) -> str:
        """What answers were planted under the name of this reader to try a judge; empty for a reader's own."""
        return str(self.readers.get(reader, {}).get("planted", ""))

    def is_hollow(self, row: Row) -> bool:
        """Whether a row is no result, but an oracle, a trivial baseline or planted answers."""
        return row["system"] == TRIVIAL or self.is_oracle(row["system"]) or bool(self.planted(row["reader"]))

    def is_floor(self, reader: str) -> bool:
        return bool(self.readers.get(reader, {}).get("kind") == FLOOR_READER)

    def system_mark(self, system: str) -> str:
        """The warning that follows a system's name wherever it stands; empty for one that needs no label."""
        return "trivial baseline" if system == TRIVIAL else oracle_mark(self.systems[system])

    def reader_mark(self, reader: str) -> str:
        """The warning that follows a reader's name wherever it stands; empty for a model."""
        planted = self.planted(reader)
        return f"planted: {planted}" if planted else "floor, not a model" if self.is_floor(reader) else ""

    def judge_mark(self, judge: str) -> str:
        """The warning that follows a judge's name wherever it stands; empty for a model."""
        return "not an LLM" if self.judges[judge].get("kind") == WORD_JUDGE else ""

    def reader_name(self, reader: str) -> str:
        return _marked(reader, self.reader_mark(reader)) if reader else ""

    def judge_name(self, judge: str) -> str:
        return _marked(judge, self.judge_mark(judge)) if judge else ""

    def receipt_of(self, table: str) -> str:
        """The content hash of a table's receipt; empty if it is not among the receipts."""
        ends = f"statistics/{table}.parquet"
        return next((r["content_sha256"] for r in self.receipts if r["artifact"].endswith(ends)), "")


def _marked(name: str, mark: str) -> str:
    return f"{name} ({mark})" if mark else name


def oracle_mark(spec: Row) -> str:
    """The warning that follows the name of a system of this resolved spec; empty for one that needs no label."""
    form = spec.get("packet", {}).get("packet", {}).get("form")
    words = spec.get("oracle") or ("reads the benchmark's question type" if form == ORACLE_FORM else "")
    return f"oracle: {words}" if words else ""


def unjudged(row: Row) -> int:
    """How many of a row of the accuracy table have no verdict."""
    return int(row["n_error"] + row["n_unparseable"] + row["n_unanswered"])


def ends_of(row: Row) -> tuple[float | None, float | None]:
    """The interval of a difference: t over conversations where they are drawn, else the bootstrap's."""
    if row.get("t_low") is not None:
        return row["t_low"], row["t_high"]
    return row["low"], row["high"]


def claimable(row: Row, alpha: float) -> bool:
    """Whether a difference may be claimed: its corrected p is under the level and its interval leaves out zero."""
    low, high = ends_of(row)
    if row["p_holm"] is None or low is None or high is None:
        return False
    return bool(row["p_holm"] < alpha and (low > 0 or high < 0))


def in_order(names: Iterable[Any]) -> list[Any]:
    """Each name once, as they first come."""
    return list(dict.fromkeys(names))


def percent(value: float | None) -> str:
    """A rate with one decimal; an en dash for a missing one."""
    return "–" if value is None else f"{value:.1%}"


def span(low: float | None, high: float | None) -> str:
    """An interval of two rates, one percent sign for both; empty if there is none."""
    return "" if low is None or high is None else f"{100 * low:.1f}–{high:.1%}"


def interval(row: Row) -> tuple[Any, Any]:
    """The interval that leads a row of the accuracy table: accuracy ± t over conversations where those are drawn, else
    Wilson's, which takes questions as independent, else (a macro average) the bootstrap's."""
    kind = "t" if over_conversations(row) else "boot" if row["wilson_low"] is None else "wilson"
    return row[f"{kind}_low"], row[f"{kind}_high"]


def over_conversations(row: Row) -> bool:
    """Whether conversations were drawn; where all questions have one verdict, t has no width and says nothing."""
    return row["t_low"] is not None and (row["t_low"] < row["t_high"] or row["wilson_low"] is None)


def intervals_named(rows: Iterable[Row]) -> str:
    """What the intervals of rows of the accuracy table are, in words."""
    named = ("t over conversations" if over_conversations(r) else "Wilson" for r in rows if r["accuracy"] is not None)
    return " or ".join(in_order(named))


def points(value: float | None) -> str:
    """A difference of rates in percentage points with its sign; an en dash for a missing one.

    >>> points(0.0123), points(-0.5), points(0.0)
    ('+1.2', '−50.0', '0.0')
    """
    if value is None:
        return "–"
    told = f"{100 * value:+.1f}"
    return "0.0" if float(told) == 0 else told.replace("-", "−")


def points_span(low: float | None, high: float | None) -> str:
    """An interval of differences in percentage points; empty if there is none."""
    return "" if low is None or high is None else f"{points(low)} to {points(high)}"


def p_value(value: float | None) -> str:
    """A p with three decimals, or as much as is needed to say that it is small.

    >>> p_value(0.2890625), p_value(0.00001), p_value(None)
    ('0.289', '<0.001', '–')
    """
    if value is None:
        return "–"
    return "<0.001" if value < 0.001 else f"{value:.3f}"
