"""What a report shows: plain rows of the statistics tables, findings, receipts and resolved definitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from memtrial.records import Quality

Row = Mapping[str, Any]
FLOOR_READER = "extractive"
WORD_JUDGE = "lexical"
ORACLE_FORM = "oracle-question-type"


class ReportData(NamedTuple):
    """Rows have the columns of `statistics.tables`; `headline` is what its `headline` made of them.

    `receipts` rows: artifact, rows, content_sha256, bytes_sha256. `systems`, `readers` and `judges` map each name in
    use to its resolved spec, of which `kind` and a system's packet form are read here; `statistics` is the resolved
    statistics spec.
    """

    benchmark: str
    headline: Sequence[Row]
    accuracy: Sequence[Row]
    retrieval: Sequence[Row]
    flips: Sequence[Row]
    packets: Sequence[Row]
    support: Sequence[Row]
    triggers: Sequence[Row]
    quality: Sequence[Quality]
    receipts: Sequence[Row]
    systems: Mapping[str, Row]
    readers: Mapping[str, Row]
    judges: Mapping[str, Row]
    statistics: Row

    @property
    def confidence(self) -> str:
        return f"{100 * self.statistics['confidence']:g}%"

    def system_mark(self, system: str) -> str:
        """The warning that follows a system's name wherever it stands; empty for one that needs no label."""
        return oracle_mark(self.systems[system])

    def reader_mark(self, reader: str) -> str:
        """The warning that follows a reader's name wherever it stands; empty for a model."""
        return "floor, not a model" if self.readers[reader].get("kind") == FLOOR_READER else ""

    def judge_mark(self, judge: str) -> str:
        """The warning that follows a judge's name wherever it stands; empty for a model."""
        return "not an LLM" if self.judges[judge].get("kind") == WORD_JUDGE else ""


def oracle_mark(spec: Row) -> str:
    """The warning that follows the name of a system of this resolved spec; empty for one that needs no label."""
    form = spec["packet"]["packet"].get("form")
    return "oracle: reads the benchmark's question type" if form == ORACLE_FORM else ""


def percent(value: float | None) -> str:
    """A rate with one decimal; an en dash for a missing one."""
    return "–" if value is None else f"{value:.1%}"


def span(low: float | None, high: float | None) -> str:
    """An interval of two rates, one percent sign for both; empty if there is none."""
    return "" if low is None or high is None else f"{100 * low:.1f}–{high:.1%}"
