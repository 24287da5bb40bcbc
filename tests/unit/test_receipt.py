"""Receipts: what they say of an artifact, the root over them, and what verification finds."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtrial import receipt, store
from memtrial.records import Evidence, Scaffold
from memtrial.text import canonical, sha256

ROWS = [Scaffold(f"q{i}", ["dates"], {}, "1", [], text, sha256(text), "") for i, text in enumerate(["один", "two", ""])]


def leaf(text: str) -> bytes:
    return hashlib.sha256(b"\0" + text.encode()).digest()


def node(a: bytes, b: bytes) -> bytes:
    return hashlib.sha256(b"\1" + a + b).digest()


def test_content_is_of_rows_and_not_of_the_way_they_are_stored(tmp_path: Path) -> None:
    parquet, lines = tmp_path / "scaffolds.parquet", tmp_path / "scaffolds.jsonl"
    for path in (parquet, lines):
        store.write(path, ROWS)
    other = tmp_path / "other" / "scaffolds.parquet"
    other.parent.mkdir()
    pq.write_table(pq.read_table(parquet), other, compression="none")
    assert receipt.bytes_sha256(other) != receipt.bytes_sha256(parquet)
    assert receipt.content(parquet) == receipt.content(lines) == receipt.content(other)
    told = "".join(f"{line}\n" for line in ["scaffolds", *(canonical(r._asdict()) for r in ROWS)])
    assert receipt.content(parquet) == (3, sha256(told))


def test_content_differs_by_table_order_and_value(tmp_path: Path) -> None:
    path = tmp_path / "scaffolds.parquet"
    seen = set()
    for rows in (ROWS, ROWS[::-1], ROWS[:2], [ROWS[0]._replace(version="2"), *ROWS[1:]], []):
        store.write_sorted(path, rows)
        seen.add(receipt.content(path))
    evidence = tmp_path / "evidence.parquet"
    store.write(evidence, list[Evidence]())
    seen.add(receipt.content(evidence))
    assert len(seen) == 6


def test_content_of_a_file_that_is_no_table_is_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "headline.txt"
    path.write_text("x\n", encoding="utf-8")
    assert receipt.content(path) == (None, sha256("x\n"))


def test_the_root_of_a_worked_example() -> None:
    a, b, c = map(leaf, "abc")
    assert receipt.merkle_root([]) == hashlib.sha256(b"").hexdigest()
    assert receipt.merkle_root(["a"]) == a.hex()
    assert receipt.merkle_root(["a", "b"]) == node(a, b).hex()
    assert receipt.merkle_root(["a", "b", "c"]) == node(node(a, b), c).hex()
    five = node(node(node(a, b), node(c, leaf("d"))), leaf("e"))
    assert receipt.merkle_root(list("abcde")) == five.hex()


def rfc_root(leaves: list[str]) -> bytes:
    """The tree hash as RFC 6962, 2.1, defines it: split at the largest power of two below n."""
    if len(leaves) < 2:
        return leaf(leaves[0]) if leaves else hashlib.sha256(b"").digest()
    k = 1 << (len(leaves) - 1).bit_length() - 1
    return node(rfc_root(leaves[:k]), rfc_root(leaves[k:]))


@given(st.lists(st.text(max_size=3), max_size=40))
def test_the_root_is_that_of_rfc_6962(leaves: list[str]) -> None:
    assert receipt.merkle_root(leaves) == rfc_root(leaves).hex()


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A source, two artifacts made one from the other, their receipts, and the gathered one."""
    (tmp_path / "in.json").write_text("[]", encoding="utf-8")
    made(tmp_path, "evidence.parquet", [Evidence("q0", 1, None, "s", True)], ["in.json"])
    made(tmp_path, "scaffolds.jsonl", ROWS, ["evidence.parquet", "in.json"])
    gather(tmp_path)
    return tmp_path


def made(work: Path, name: str, rows: list[Any], inputs: list[str]) -> None:
    store.write(work / name, rows)
    spec, modules = {"b": 1, "a": {"ё": None}}, ["memtrial.store"]
    told = receipt.make(work / name, [work / i for i in inputs], spec, modules, {"fact": 1}, work)
    receipt.write(told, receipt.receipt_path(work / name))


def gather(work: Path) -> None:
    receipts = [json.loads(p.read_text(encoding="utf-8")) for p in work.glob("*.*.receipt.json")]
    receipt.write(receipt.gather(receipts), work / "receipt.json")


def problems(work: Path) -> list[tuple[str, str]]:
    return [tuple(p) for p in receipt.verify(work / "receipt.json", work)]


def test_a_receipt_tells_what_an_artifact_is_and_was_made_from(work: Path) -> None:
    path = receipt.receipt_path(work / "scaffolds.jsonl")
    told = json.loads(path.read_text(encoding="utf-8"))
    rows, content = receipt.content(work / "scaffolds.jsonl")
    assert (told["rows"], told["content_sha256"]) == (rows, content) == (3, content)
    assert told["bytes"] == (work / "scaffolds.jsonl").stat().st_size
    assert told["inputs"] == {
        "evidence.parquet": receipt.content(work / "evidence.parquet")[1],
        "in.json": sha256("[]"),
    }
    assert (told["spec"], told["facts"]) == ({"b": 1, "a": {"ё": None}}, {"fact": 1})
    assert told["code"]["modules"] == ["memtrial.store"]
    assert told["versions"].keys() >= {"python", "pyarrow"}
    before = path.read_bytes()
    made(work, "scaffolds.jsonl", ROWS[::-1], ["in.json", "evidence.parquet"])
    assert path.read_bytes() == before, "nothing volatile, nothing of the order in which things are given"
    assert "ё" in path.read_text(encoding="utf-8")


def test_inputs_outside_the_working_directory_are_named_without_their_folder(work: Path, tmp_path: Path) -> None:
    assert receipt.name_of(work / "a/../b.json", work) == "b.json"
    assert receipt.name_of(tmp_path.parent / "elsewhere/x.json", work) == "x.json"


def test_results_that_are_a_link_to_another_disk_keep_their_names(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "work").mkdir()
    (tmp_path / "work/results").symlink_to(tmp_path / "disk")
    assert receipt.name_of(tmp_path / "work/results/a.parquet", tmp_path / "work") == "results/a.parquet"


def test_an_untouched_directory_verifies(work: Path) -> None:
    assert problems(work) == []
    told = json.loads((work / "receipt.json").read_text(encoding="utf-8"))
    assert [a["artifact"] for a in told["artifacts"]] == ["evidence.parquet", "scaffolds.jsonl"]


def test_the_order_of_receipts_does_not_matter_to_the_root(work: Path) -> None:
    receipts = [json.loads(p.read_text(encoding="utf-8")) for p in sorted(work.glob("*.*.receipt.json"))]
    assert receipt.gather(receipts) == receipt.gather(receipts[::-1])


def test_a_changed_file_is_named_with_what_differs(work: Path) -> None:
    path = work / "scaffolds.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("two", "Two"), encoding="utf-8")
    assert [(name, what.split(" differs")[0]) for name, what in problems(work)] == [
        ("scaffolds.jsonl", "bytes_sha256"),
        ("scaffolds.jsonl", "content_sha256"),
    ]


def test_a_damaged_file_and_a_missing_one_are_named(work: Path) -> None:
    (work / "evidence.parquet").write_bytes(b"PAR1")
    (work / "scaffolds.jsonl").unlink()
    found = dict(problems(work))
    assert found["evidence.parquet"].startswith("cannot be read")
    assert found["scaffolds.jsonl"] == "the artifact or its receipt is missing"
    (work / "receipt.json").unlink()
    assert problems(work) == [("receipt.json", "is missing: run the workflow first")]


def test_what_was_made_from_another_version_is_named(work: Path) -> None:
    made(work, "evidence.parquet", [Evidence("q0", 2, None, "s", True)], ["in.json"])
    gather(work)
    assert problems(work) == [("scaffolds.jsonl", "was made from another version of evidence.parquet")]


def test_an_edited_receipt_changes_the_root(work: Path) -> None:
    path = receipt.receipt_path(work / "scaffolds.jsonl")
    told = json.loads(path.read_text(encoding="utf-8"))
    receipt.write(told | {"spec": {}}, path)
    assert problems(work) == [("receipt.json", "the Merkle root differs: a receipt was changed")]
    receipt.write(told | {"rows": 4}, path)
    assert [name for name, _ in problems(work)] == ["scaffolds.jsonl"]


@pytest.fixture
def foldered(work: Path) -> Path:
    """The same with a manifest that vouches for a folder of two files."""
    folder = work / "pages"
    folder.mkdir()
    (folder / "0001.js").write_text("one", encoding="utf-8")
    (folder / "0002.js").write_text("two", encoding="utf-8")
    files = {p.name: {"bytes": 3, "sha256": receipt.bytes_sha256(p)} for p in sorted(folder.iterdir())}
    (work / "pages.json").write_text(json.dumps({"files": files, "folder": "pages"}), encoding="utf-8")
    told = receipt.make(work / "pages.json", [], {}, [], {}, work)
    receipt.write(told, work / "pages.json.receipt.json")
    gather(work)
    return work


def test_the_files_of_a_manifest_are_verified_too(foldered: Path) -> None:
    assert problems(foldered) == []
    (foldered / "pages/0001.js").write_text("0ne", encoding="utf-8")
    (foldered / "pages/0002.js").unlink()
    (foldered / "pages/inner").mkdir()
    (foldered / "pages/inner/0003.js").write_text("", encoding="utf-8")
    found = problems(foldered)
    assert [(name, what.split(":")[0]) for name, what in found] == [
        ("pages/0002.js", "is missing, and pages.json names it"),
        ("pages/inner/0003.js", "is not in pages.json"),
        ("pages/0001.js", "sha256 differs"),
    ]


def test_a_missing_folder_is_told_file_by_file(foldered: Path) -> None:
    for path in (foldered / "pages").iterdir():
        path.unlink()
    (foldered / "pages").rmdir()
    assert [name for name, _ in problems(foldered)] == ["pages/0001.js", "pages/0002.js"]


def test_a_manifest_that_was_changed_is_named_itself(foldered: Path) -> None:
    path = foldered / "pages.json"
    path.write_text(path.read_text(encoding="utf-8").replace("0001", "0007"), encoding="utf-8")
    assert {name for name, _ in problems(foldered)} == {"pages.json"}


@pytest.mark.parametrize("name", ["../in.json", "a/b", "..", ""])
def test_a_manifest_names_files_of_its_folder_alone(tmp_path: Path, name: str) -> None:
    path = tmp_path / "pages.json"
    path.write_text(json.dumps({"files": {name: {}}, "folder": "pages"}), encoding="utf-8")
    with pytest.raises(ValueError, match="no plain name"):
        receipt.manifest(path)


def test_other_json_is_no_manifest(tmp_path: Path) -> None:
    path = tmp_path / "controls.json"
    for text in ('{"files": {}}', "[]", '{"files": {}, "folder": "a", "more": 1}'):
        path.write_text(text, encoding="utf-8")
        assert receipt.manifest(path) is None


def test_inputs_of_one_name_elsewhere_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    for folder in ("pass1", "pass2"):
        (tmp_path / "theirs" / folder).mkdir(parents=True)
        (tmp_path / "theirs" / folder / "receipt.json").write_text(folder, encoding="utf-8")
    (tmp_path / "theirs" / "gold.json").write_text("{}", encoding="utf-8")
    work = tmp_path / "work"
    work.mkdir()
    artifact = work / "table.txt"
    artifact.write_text("x", encoding="utf-8")
    given = [*(tmp_path / "theirs").glob("pass*/receipt.json"), tmp_path / "theirs" / "gold.json"]
    told = receipt.make(artifact, given, {}, [], {}, work)
    assert list(told["inputs"]) == ["gold.json", "pass1/receipt.json", "pass2/receipt.json"]
    assert len(set(told["inputs"].values())) == 3
