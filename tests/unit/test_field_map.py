"""Other people's files as plain rows, through a field map."""

from __future__ import annotations

import csv
import gzip
import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtrial.errors import InputError
from memtrial.field_map import Row, chosen, joined, mapped, parse, text_of

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
        Row(3, {"id": "q1", "reply": 'two\r\nlamps, and "more"'}),
        Row(4, {"id": "q2", "reply": ""}),
    ]
    assert parse(gzip.compress(content), "A.CSV.GZ") == parse(content, "a.csv")


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


def test_a_map_follows_dots_into_objects_unless_a_field_has_that_name() -> None:
    rows = [Row(4, {"id": 7, "label": {"right": None}, "other.right": "x", "other": {"right": "y"}, "rest": 1})]
    fields = {"question_id": "id", "correct": "label.right", "raw": "other.right", "grade": None}
    assert mapped(rows, fields, "f") == [Row(4, {"question_id": "7", "correct": None, "raw": "x"})]


@pytest.mark.parametrize("path", ["label.wrong", "label.right.deep", "none"])
def test_a_missing_field_is_named_with_its_row(path: str) -> None:
    with pytest.raises(InputError, match=f"f, row 1, field '{path}': the row has no such field"):
        mapped(parse(LINES, "f"), {"question_id": "id", "correct": path}, "f")


@pytest.mark.parametrize("key", [None, True, 1.5, " ", ["q1"]])
def test_a_question_id_is_text_or_a_whole_number(key: Any) -> None:
    with pytest.raises(InputError, match="f, row 1, field 'id': expected text or a whole number"):
        mapped([Row(1, {"id": key})], {"question_id": "id"}, "f")


def test_a_map_without_the_question_id_is_refused() -> None:
    with pytest.raises(InputError, match="no field for question_id"):
        mapped([], {"correct": "x"}, "f")


def keyed(*ids: str) -> list[Row]:
    return [Row(n, {"question_id": i}) for n, i in enumerate(ids, 1)]


def test_rows_are_joined_in_the_wanted_order() -> None:
    assert list(joined(keyed("b", "a"), ["a", "b"], "f")) == ["a", "b"]


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
        joined(keyed(*ids), ["a", "b", "c"], "f")


@given(st.lists(st.sampled_from("abcd")), st.sets(st.sampled_from("abcd")))
def test_a_join_is_complete_or_refused(ids: list[str], wanted: set[str]) -> None:
    whole = sorted(ids) == sorted(wanted)
    try:
        found = joined(keyed(*ids), sorted(wanted), "f")
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
