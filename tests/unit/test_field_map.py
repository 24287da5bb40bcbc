"""Other people's files as plain rows, through a field map."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtrial.errors import InputError
from memtrial.field_map import at, chosen, exploded, joined, mapped, of_cell, renamed, table, text_of
from memtrial.result_files import Row, parse, source_files

ROWS: list[dict[str, Any]] = [
    {"id": "q1", "label": {"right": True}, "reply": "two\u2028lamps, «да»"},
    {"id": "q2", "label": {"right": False}, "reply": ""},
]
LINES = "\n\n".join(json.dumps(r, ensure_ascii=False) for r in ROWS).encode()


def values(rows: list[Row]) -> list[dict[str, Any]]:
    return [row.values for row in rows]


@pytest.mark.parametrize(
    "content",
    [LINES, LINES.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + LINES, gzip.compress(LINES), json.dumps(ROWS).encode()],
)
def test_json_lines_and_lists_are_read_gzipped_or_not(content: bytes) -> None:
    assert values(parse(content, "log.jsonl.eval-results-x")) == ROWS


def test_csv_gives_texts_and_numbers_its_rows_by_line() -> None:
    content = b'id,reply\r\nq1,"two\r\nlamps, and ""more"""\r\nq2,\r\n'
    assert parse(content, "a.csv") == [
        Row(3, {"id": "q1", "reply": 'two\r\nlamps, and "more"'}, "a.csv"),
        Row(4, {"id": "q2", "reply": ""}, "a.csv"),
    ]
    assert values(parse(gzip.compress(content), "A.CSV.GZ")) == values(parse(content, "a.csv"))


@pytest.mark.parametrize(
    ("content", "file", "told"),
    [
        (b'{"id": 1}\n{"id": \n', "a.jsonl", "a.jsonl, row 2: not JSON"),
        (b'{"id": NaN}', "a.jsonl", "row 1: not JSON: NaN"),
        (b'{"id": 1}\n7', "a.jsonl", "row 2: expected an object, found int"),
        (b'[{"id": 1}, null]', "a.json", "row 2: expected an object, found NoneType"),
        (b'[{"id": 1}', "a.json", "not JSON"),
        (b"\x1f\x8bbroken", "a.jsonl.gz", "not a whole gzip file"),
        (gzip.compress(LINES)[:-9], "a.jsonl.gz", "not a whole gzip file"),
        (b'{"id": "\xff"}', "a.jsonl", "expected UTF-8"),
        (b"id,reply\nq1\n", "a.csv", "row 2: 1 values under 2 names"),
        (b"id,id\nq1,q1\n", "a.csv", "header of differing names"),
        (b"", "a.csv", "header of differing names"),
        (b'id\n"q1', "a.csv", "not CSV"),
    ],
)
def test_what_is_no_rows_is_refused_by_name(content: bytes, file: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        parse(content, file)


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))


@given(st.lists(st.dictionaries(st.sampled_from(["a", "b.c", "ё"]), texts | st.integers() | st.none())))
def test_any_objects_come_back_from_lines_and_from_a_list(rows: list[dict[str, Any]]) -> None:
    lines = "\n".join(json.dumps(r, ensure_ascii=False) for r in rows).encode()
    listed = json.dumps(rows, ensure_ascii=False).encode()
    assert values(parse(lines, "a.jsonl")) == values(parse(gzip.compress(listed), "a.json")) == rows


@given(st.lists(st.tuples(texts, texts)))
def test_any_texts_come_back_from_csv(rows: list[tuple[str, str]]) -> None:
    out = io.StringIO(newline="")
    csv.writer(out).writerows([("a", "b"), *rows])
    assert values(parse(out.getvalue().encode(), "a.csv")) == [{"a": a, "b": b} for a, b in rows]


def test_an_object_over_several_lines_is_one_row() -> None:
    content = json.dumps({"records": ROWS}, indent=1).encode()
    assert values(parse(content, "a.json")) == [{"records": ROWS}]
    told = exploded(parse(content, "a.json"), "records")
    assert [(row.number, row.values["id"], row.file) for row in told] == [
        ("1.1", "q1", "a.json"),
        ("1.2", "q2", "a.json"),
    ]


def test_lines_before_a_csv_header_may_be_comments() -> None:
    content = b"# whose, and from where\n# more\nid,reply\nq1,# no comment\n#2,x\n"
    assert parse(content, "a.csv") == [
        Row(4, {"id": "q1", "reply": "# no comment"}, "a.csv"),
        Row(5, {"id": "#2", "reply": "x"}, "a.csv"),
    ]
    with pytest.raises(InputError, match=r"a.csv, row 3: 1 values under 2 names"):
        parse(b"# c\nid,reply\nq1\n", "a.csv")
    assert values(parse(b"#id,reply\nq1,a\n", "a.csv")) == [{"#id": "q1", "reply": "a"}]


def test_a_folder_is_its_data_files_by_name(tmp_path: Path) -> None:
    for name in ("b.json", "a.jsonl", "c.CSV.GZ", "_meta.json", ".d.json", "notes.txt"):
        (tmp_path / name).write_bytes(b"{}")
    (tmp_path / "e.json").mkdir()
    assert [Path(p).name for p in source_files(str(tmp_path))] == ["a.jsonl", "b.json", "c.CSV.GZ"]
    assert source_files("there/is/none.json") == ["there/is/none.json"]
    (tmp_path / "e.json" / "notes.txt").write_bytes(b"")
    with pytest.raises(InputError, match=r"e.json: the folder holds no file that ends in .json"):
        source_files(str(tmp_path / "e.json"))


def test_nested_lists_are_rows_with_the_fields_around_them() -> None:
    dialogues = [
        {"id": 7, "kind": "talk", "turns": [{"n": 1, "scores": [{"m": "a"}, {"m": "b"}]}, {"n": 2, "scores": []}]},
        {"id": 8, "kind": "talk", "turns": [{"n": 1, "kind": "own", "scores": [{"m": "a"}]}]},
    ]
    spec = {"rows": "turns.scores", "fields": {"question_id": ["id", "n", "m"], "kind": "kind"}}
    found = table({"d.json": json.dumps(dialogues).encode()}, spec)
    assert [(row.number, row.values["question_id"], row.values["kind"]) for row in found] == [
        ("1.1.1", "7|1|a", "talk"),
        ("1.1.2", "7|1|b", "talk"),
        ("2.1.1", "8|1|a", "own"),
    ]
    with pytest.raises(InputError, match=r"d.json, row 1.2, field 'turns': expected an object .* found int"):
        table({"d.json": b'[{"turns": [{}, 3]}]'}, {**spec, "rows": "turns"})


def test_rows_are_kept_by_the_value_of_a_field() -> None:
    rows = [{"id": 1, "by": "A", "fix": None}, {"id": 2, "by": "b", "fix": "x"}, {"id": 3, "by": "a", "fix": ""}]
    files = {"a.json": json.dumps(rows[:2]).encode(), "b.json": json.dumps(rows[2:]).encode()}

    def kept(**only: Any) -> list[str]:
        return [r.values["question_id"] for r in table(files, {"fields": {"question_id": "id"}, "only": only})]

    assert kept(field="by", equals=["a"]) == ["1", "3"]
    assert kept(field="fix", present=True) == ["2"]


def test_a_field_may_be_missing_or_a_place_in_a_list() -> None:
    row = Row(1, {"label": {}, "votes": [True, False], "odd?": 1}, "f")
    assert [at(row, p) for p in ("label.kind?", "votes.1", "odd?", "votes.2?")] == [None, False, 1, None]
    assert mapped([row], {"correct": ["votes.0", "votes.1"]}) == [Row(1, {"correct": [True, False]}, "f")]
    with pytest.raises(InputError, match=r"field 'votes.2'"):
        at(row, "votes.2")


def test_a_definition_is_filled_in_for_its_cell() -> None:
    definition = {
        "source": "runs/{system}.jsonl",
        "fields": {"correct": ["v.{draw}", "w"], "raw": "{reader}_p{reader_pass}"},
        "model": "{kept}",
        "cells": [
            {"reader": "other", "source": "never"},
            {"system": "s1", "reader_pass": 2, "source": "second.jsonl", "unjudged": None},
            {"system": "s1", "source": "too late"},
        ],
    }
    names = {"system": "s1", "reader": "r", "reader_pass": "2", "draw": 3}
    filled = {"correct": ["v.3", "w"], "raw": "r_p2"}
    assert of_cell(definition, names) == {
        "source": "second.jsonl", "fields": filled, "model": "{kept}", "unjudged": None,
    }  # fmt: skip
    assert of_cell(definition, {**names, "system": "s2"})["source"] == "runs/s2.jsonl"
    with pytest.raises(InputError, match=r"'runs/\{system\}.jsonl': in braces stands one of reader"):
        of_cell({"source": "runs/{system}.jsonl"}, {"reader": "r"})


def test_the_ids_of_the_locomo_audit_count_conversations_by_number() -> None:
    ours = ["conv-26-q000", "conv-9-q012", "conv-26-q001", "odd"]
    found = renamed(ours, "locomo-audit")
    assert found == {"locomo_0_qa12": "conv-9-q012", "locomo_1_qa0": "conv-26-q000", "locomo_1_qa1": "conv-26-q001"}
    rows = keyed("locomo_1_qa0", "locomo_0_qa12")
    assert list(joined(rows, ours[:2], "locomo-audit")) == ours[:2]
    with pytest.raises(InputError, match=r"1 missing \(first 'conv-26-q001'\)"):
        joined(rows, ours[:3], "locomo-audit")
    assert list(joined(rows, ours[:3], "locomo-audit", partial=True)) == ours[:2]
    with pytest.raises(InputError, match="field 'ids': expected locomo-audit, found 'other'"):
        renamed(ours, "other")


def test_a_map_follows_dots_into_objects_unless_a_field_has_that_name() -> None:
    rows = [Row(4, {"id": 7, "label": {"right": None}, "other.right": "x", "other": {"right": "y"}, "rest": 1}, "f")]
    fields = {"question_id": "id", "correct": "label.right", "raw": "other.right", "grade": None}
    assert mapped(rows, fields) == [Row(4, {"question_id": "7", "correct": None, "raw": "x"}, "f")]


@pytest.mark.parametrize("path", ["label.wrong", "label.right.deep", "none"])
def test_a_missing_field_is_named_with_its_row(path: str) -> None:
    with pytest.raises(InputError, match=f"f, row 1, field '{path}': the row has no such field"):
        mapped(parse(LINES, "f"), {"question_id": "id", "correct": path})


@pytest.mark.parametrize("key", [None, True, 1.5, " ", ["q1"]])
def test_a_question_id_is_text_or_a_whole_number(key: Any) -> None:
    with pytest.raises(InputError, match="f, row 1, field 'id': expected text or a whole number"):
        mapped([Row(1, {"id": key}, "f")], {"question_id": "id"})


def test_a_map_without_the_question_id_is_refused() -> None:
    with pytest.raises(InputError, match="no field for question_id"):
        table({}, {"fields": {"correct": "x"}})


def keyed(*ids: str) -> list[Row]:
    return [Row(n, {"question_id": i}, "f") for n, i in enumerate(ids, 1)]


def test_rows_are_joined_in_the_wanted_order() -> None:
    assert list(joined(keyed("b", "a"), ["a", "b"])) == ["a", "b"]


@pytest.mark.parametrize(
    ("ids", "told"),
    [
        (["a"], r"are not the 3 of the benchmark: 2 missing \(first 'b'\)$"),
        (["a", "b", "c", "x", "y"], r": 2 unknown \(first 'x'\)$"),
        (["a", "b", "c", "c"], r": 1 there twice \(first 'c'\)$"),
        (["z", "b", "b"], r": 2 missing \(first 'a'\), 1 unknown \(first 'z'\), 1 there twice \(first 'b'\)$"),
    ],
)
def test_every_difference_is_counted_and_its_first_named(ids: list[str], told: str) -> None:
    with pytest.raises(InputError, match=told):
        joined(keyed(*ids), ["a", "b", "c"])


@given(st.lists(st.sampled_from("abcd")), st.sets(st.sampled_from("abcd")))
def test_a_join_is_complete_or_refused(ids: list[str], wanted: set[str]) -> None:
    whole = sorted(ids) == sorted(wanted)
    try:
        found = joined(keyed(*ids), sorted(wanted))
    except InputError:
        assert not whole
    else:
        assert whole
        assert list(found) == sorted(wanted)


def test_values_are_chosen_by_kind_and_texts_without_case() -> None:
    choices: dict[str, list[Any]] = {"correct": [True, "yes"], "wrong": [0, "no"], "grade": [1]}
    assert [chosen(v, choices) for v in (True, " YES ", 0, "No", 1)] == [
        "correct",
        "correct",
        "wrong",
        "wrong",
        "grade",
    ]
    assert [chosen(v, choices) for v in (False, "true", None, "0", [1])] == [None] * 5


def test_any_value_has_a_text() -> None:
    assert [text_of(v) for v in (None, " x ", 2, True, {"b": 1, "a": "ё"})] == [
        "",
        " x ",
        "2",
        "true",
        '{"a":"ё","b":1}',
    ]
