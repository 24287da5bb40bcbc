from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from memtrial.statistics import columns, tables

SCHEMA = pa.schema([("name", pa.string()), ("n", pa.int64()), ("value", pa.float64()), ("same", pa.bool_())])
ROWS = [
    {"name": "a,b", "n": 3, "value": 1 / 3, "same": True},
    {"name": "я", "n": None, "value": None, "same": False},
]


def accuracy(system: str, axis: str, name: str, correct: int, n: int, error: int = 0) -> dict[str, Any]:
    rate = None if error else correct / n
    return dict.fromkeys(columns.ACCURACY.names) | {"gold": columns.PUBLISHED} | {
        "system": system, "reader": "gpt-x", "reader_pass": "1", "judge": "lexical", "axis": axis, "slice": name,
        "n": n, "correct": correct, "accuracy": rate, "wilson_low": rate and 0.5, "wilson_high": rate and 0.9,
        "n_error": error, "n_unparseable": 0, "n_unanswered": 0,
        "bound_low": correct / n, "bound_high": (correct + error) / n, "mean_grade": None,
    }  # fmt: skip


def recall(stage: str, metric: str, k: int | None, value: float, level: str = "session") -> dict[str, Any]:
    row = {"system": "chain", "stage": stage, "level": level, "metric": metric, "k": k, "slice": "all", "n": 32}
    return row | {"value": value, "ci_low": value, "ci_high": value}


RETRIEVAL = [
    recall("dense", "recall_all", 10, 0.8),
    recall("reranked", "recall_all", 10, 0.9),
    recall("reranked", "recall_all", 10, 0.1, "turn"),
    recall("packet", "gold_complete", None, 0.95),
]


def test_csv_has_one_number_format() -> None:
    assert tables.csv_text(ROWS, SCHEMA) == 'name,n,value,same\n"a,b",3,0.333333,true\nя,,,false\n'


def test_files_are_the_same_twice_and_read_back(tmp_path: Path) -> None:
    for suffix in ("csv", "parquet"):
        a, b = tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix}"
        assert tables.write_table(a, ROWS, SCHEMA) == tables.write_table(b, iter(ROWS), SCHEMA) == 2
        assert a.read_bytes() == b.read_bytes()
    assert tables.read_table(tmp_path / "a.parquet") == ROWS
    assert pq.read_schema(tmp_path / "a.parquet").metadata is None


def test_an_empty_table_keeps_its_columns(tmp_path: Path) -> None:
    tables.write_table(tmp_path / "flips.csv", [], columns.FLIPS)
    assert (tmp_path / "flips.csv").read_text().startswith("system,reader,judge,pass_a,pass_b,question_id,")
    tables.write_table(tmp_path / "flips.parquet", [], columns.FLIPS)
    assert tables.read_table(tmp_path / "flips.parquet") == []


@pytest.mark.parametrize("schema", [columns.SUPPORT, columns.SUPPORT_ROWS, columns.TRIGGERS, columns.PACKETS])
def test_a_table_of_evidence_keeps_its_rows(tmp_path: Path, schema: pa.Schema) -> None:
    kinds = {pa.string(): "a", pa.int64(): 1, pa.float64(): 0.5, pa.bool_(): True}
    rows = [{f.name: kinds[f.type] for f in schema}, dict.fromkeys(schema.names)]
    tables.write_table(tmp_path / "a.parquet", rows, schema)
    assert tables.read_table(tmp_path / "a.parquet") == rows
    assert len(set(schema.names)) == len(schema.names)


def test_a_missing_column_and_another_suffix_are_refused(tmp_path: Path) -> None:
    with pytest.raises(KeyError, match="same"):
        tables.write_table(tmp_path / "a.csv", [{"name": "a", "n": 1, "value": 0.5}], SCHEMA)
    with pytest.raises(ValueError, match=r"a\.xlsx"):
        tables.write_table(tmp_path / "a.xlsx", ROWS, SCHEMA)
    assert list(tmp_path.iterdir()) == []


def test_headline_takes_the_last_ranking_and_the_packet() -> None:
    rows = tables.headline(
        "sample", [accuracy("chain", "all", "all", 3, 4), accuracy("chain", "language", "en", 1, 2)], RETRIEVAL
    )
    assert len(rows) == 1
    assert (rows[0]["recall_all_10"], rows[0]["gold_complete"], rows[0]["n_retrieval"]) == (0.9, 0.95, 32)


def test_headline_keeps_answerable_and_abstention_apart() -> None:
    cells = [accuracy("chain", "all", "all", 3, 4), accuracy("chain", "scored", "answerable", 2, 3)]
    cells += [accuracy("chain", "scored", "abstention", 1, 1)]
    rows = tables.headline("locomo", cells, [])
    assert [(r["questions"], r["n"]) for r in rows] == [("answerable", 3), ("abstention", 1)]


def test_headline_keeps_the_order_of_the_run() -> None:
    rows = tables.headline("sample", [accuracy(s, "all", "all", 3, 4) for s in ("rag", "chain")], [])
    assert [r["system"] for r in rows] == ["rag", "chain"]


def test_a_confidence_is_not_rounded_to_certainty() -> None:
    rows = tables.headline("sample", [accuracy("chain", "all", "all", 3, 4)], [])
    assert "accuracy [99.5% Wilson]" in tables.render(rows, 0.995)


def test_rendered_table_is_aligned_and_shows_a_bound_for_unjudged_rows() -> None:
    cells = [accuracy("chain", "all", "all", 3, 4), accuracy("the-external-system", "all", "all", 2, 4, error=1)]
    lines = tables.render(tables.headline("sample", cells, RETRIEVAL), 0.95).split("\n")
    assert lines[0].split()[:7] == ["benchmark", "system", "reader", "pass", "judge", "questions", "n"]
    assert "75.0% [50.0, 90.0]" in lines[2] and lines[2].endswith("90.0% (n=32)   95.0% (n=32)")
    assert "50.0% to 75.0% (1 unjudged)" in lines[3] and lines[3].endswith("-")
    assert lines[0].index("reader") == lines[2].index("gpt-x") == lines[3].index("gpt-x")
