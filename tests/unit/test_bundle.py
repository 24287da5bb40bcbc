"""What a bundle holds: which files, the same bytes each time, no key, and nothing of a benchmark that is withheld."""

from __future__ import annotations

import json
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from bundle_cases import ASKED, GOLD, LICENSED, ROOT, SAID, WRONG, Run

from memtrial import receipt
from memtrial.bundle.keys import refuse_keys
from memtrial.bundle.licences import address, free, redistributed
from memtrial.bundle.withheld import treatment, withheld_name, write_emptied
from memtrial.errors import InputError

MODEL = f"{ROOT}/chain/reader=model/pass=1/answers.jsonl"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return Run(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def whole(finished: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundle with the benchmark's text, unpacked."""
    return unpacked(finished, tmp_path_factory.mktemp("whole"), redistribute=True)


@pytest.fixture(scope="module")
def withheld(finished: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundle without it, unpacked."""
    return unpacked(finished, tmp_path_factory.mktemp("withheld"))


def unpacked(run: Run, folder: Path, **benchmark: Any) -> Path:
    run.pack(folder / "bundle.zip", **benchmark)
    with zipfile.ZipFile(folder / "bundle.zip") as archive:
        archive.extractall(folder / "bundle")
    return folder / "bundle"


def text_of(path: Path) -> str:
    """All that a file says, Parquet and JSON decoded."""
    if path.suffix == ".parquet":
        with pq.ParquetFile(path) as file:
            return json.dumps(file.read().to_pylist(), ensure_ascii=False, default=str)
    return path.read_text(encoding="utf-8")


def quoting(folder: Path, texts: tuple[str, ...]) -> dict[str, set[str]]:
    """The files that hold a stretch of 30 characters of one of the texts, with the texts."""
    found: dict[str, set[str]] = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        said = text_of(path)
        for text in texts:
            if any(text[at : at + 30] in said for at in range(max(len(text) - 30, 0) + 1)):
                found.setdefault(path.relative_to(folder).as_posix(), set()).add(text)
    return found


def test_a_bundle_holds_what_the_receipt_vouches_for_and_the_workflow(finished: Run, whole: Path) -> None:
    there = {p.relative_to(whole).as_posix() for p in whole.rglob("*") if p.is_file()}
    told = {"README.md", "bundle.json", "config.resolved.yaml", "manifest-sha256.txt", "ro-crate-metadata.json"}
    results = {*finished.listed, *(f"{n}.receipt.json" for n in finished.listed)}
    results |= {f"{ROOT}/receipt.json", f"{ROOT}/report/questions/0001.js"}
    workflow = {"Snakefile", "LICENSE", "workflow/memtrial/text.py", "config/config.yaml"}
    assert there == told | results | workflow
    for name in finished.listed:
        assert (whole / name).read_bytes() == (finished.workdir / name).read_bytes()


def test_the_plain_tool_verifies_the_manifest(whole: Path) -> None:
    command = ["sha256sum", "--quiet", "--strict", "-c", "manifest-sha256.txt"]
    assert subprocess.run(command, cwd=whole, capture_output=True).returncode == 0
    listed = [line.split("  ", 1)[1] for line in (whole / "manifest-sha256.txt").read_text().splitlines()]
    there = sorted(p.relative_to(whole).as_posix() for p in whole.rglob("*") if p.is_file())
    assert listed == sorted(listed) and sorted([*listed, "manifest-sha256.txt"]) == there


def test_the_same_results_give_the_same_bytes(finished: Run, tmp_path: Path) -> None:
    first, second = tmp_path / "a.zip", tmp_path / "b.zip"
    for path, order in ((first, 1), (second, -1)):
        finished.sources = finished.sources[::order]
        finished.pack(path)
    assert first.read_bytes() == second.read_bytes()
    with zipfile.ZipFile(first) as archive:
        infos = archive.infolist()
    assert {i.date_time for i in infos} == {(1980, 1, 1, 0, 0, 0)}
    kept = [i.filename for i in infos][:-5]
    assert kept == sorted(kept)
    stored = {i.filename.rpartition(".")[2] for i in infos if i.compress_type == zipfile.ZIP_STORED}
    assert stored == {"parquet"}


def test_extras_are_packed_with_their_receipts(finished: Run, tmp_path: Path) -> None:
    path = finished.path("chain/controls.json")
    path.write_text('{"passed": true}', encoding="utf-8")
    told = receipt.make(path, [], {}, [], {}, finished.workdir)
    receipt.write(told, receipt.receipt_path(path))
    finished.pack(tmp_path / "b.zip", extras=["chain/controls.json"], redistribute=True)
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        assert {f"{ROOT}/chain/controls.json", f"{ROOT}/chain/controls.json.receipt.json"} <= set(archive.namelist())
    facts = finished.pack(tmp_path / "c.zip", extras=["chain/controls.json"])
    assert {"file": f"{ROOT}/chain/controls.json", "instead": None} in [
        {k: e[k] for k in ("file", "instead")} for e in facts["withheld"]
    ]


def test_no_text_of_a_withheld_benchmark_is_packed(whole: Path, withheld: Path) -> None:
    texts = (*SAID, *ASKED, *GOLD, WRONG)
    everywhere = quoting(whole, texts)
    assert len(everywhere) > 15 and set().union(*everywhere.values()) == set(texts)  # the search finds what is there
    assert quoting(withheld, texts) == {}


def test_what_a_model_wrote_is_kept_and_what_another_reader_copied_is_not(withheld: Path) -> None:
    assert '"answer":"Rufus had cheese."' in (withheld / MODEL).read_text(encoding="utf-8")
    floor = withheld / MODEL.replace("=model", "=floor").replace("answers", "answers.withheld")
    rows = [json.loads(line) for line in floor.read_text(encoding="utf-8").splitlines()]
    assert [(r["question_id"], r["answer"], r["raw"], r["status"]) for r in rows] == [
        ("q1", "", "", "ok"),
        ("q2", "", "", "ok"),
    ]
    assert all(len(r["request_sha256"]) == 64 for r in rows)


def test_all_but_the_text_is_kept(finished: Run, withheld: Path) -> None:
    emptied = {
        "corpus/turns": {"text", "caption"},
        "corpus/questions": {"question"},
        "corpus/gold": {"reference_answers", "labels"},
        "chain/packets": {"text"},
        "chain/scaffolds": {"text", "cues"},
        "chain/reader=model/requests": {"messages"},
    }
    for name, fields in emptied.items():
        before = pq.read_table(finished.path(f"{name}.parquet"), partitioning=None)
        after = pq.read_table(withheld / ROOT / f"{name}.withheld.parquet", partitioning=None)
        assert after.schema == before.schema
        pairs = list(zip(before.to_pylist(), after.to_pylist(), strict=True))
        differing = {k for old, new in pairs for k in old if old[k] != new[k]}
        assert differing == fields - {"caption"}
        assert not any(new[k] for _, new in pairs for k in fields - {"labels"})
    with pq.ParquetFile(withheld / ROOT / "corpus/gold.withheld.parquet") as file:
        labels = file.read().to_pylist()[0]["labels"]
    assert dict(labels) == {"category": "4", "adversarial_answer": ""}
    controls = json.loads((withheld / ROOT / "judges/strict/controls.withheld.json").read_text(encoding="utf-8"))
    assert controls["records"] == [{"answer": "", "how": "", "question": "", "raw": "yes", "references": []}]


def test_what_was_withheld_is_told_with_the_reason(withheld: Path) -> None:
    facts = json.loads((withheld / "bundle.json").read_text(encoding="utf-8"))
    assert facts["redistributed"] is False
    assert facts["source"]["sha256"] == "5" * 64 and facts["source"]["licence"] == "CC BY-NC 4.0"
    readme = (withheld / "README.md").read_text(encoding="utf-8")
    for entry in facts["withheld"]:
        assert entry["reason"] and (withheld / f"{entry['file']}.receipt.json").exists() == (
            "/questions/" not in entry["file"]
        )
        assert (withheld / entry["file"]).exists() is False
        assert entry["instead"] is None or (withheld / entry["instead"]).exists()
        assert entry["file"].rpartition("/")[0] in readme
    assert "sha256sum" in readme and "verify_bundle" in readme and "5" * 64 in readme


def test_a_file_that_is_not_what_its_receipt_says_is_not_packed(tmp_path: Path) -> None:
    run = Run(tmp_path)
    run.path("statistics/accuracy.csv").write_text("accuracy\n0.9\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"accuracy\.csv: differs from its receipt"):
        run.pack(tmp_path / "bundle.zip")
    assert not (tmp_path / "bundle.zip").exists()


@pytest.mark.parametrize(
    "name", ["chain/packets.parquet", "corpus/gold.parquet.receipt.json", "report/questions/0001.js"]
)
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    run = Run(tmp_path)
    run.path(name).unlink()
    with pytest.raises(InputError, match=f"{name}: is missing"):
        run.pack(tmp_path / "bundle.zip")


def test_a_config_with_a_key_is_not_packed(finished: Run, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"config\.resolved\.yaml, row \d+: .*key"):
        finished.pack(tmp_path / "bundle.zip", note="sk-invented-0123456789abcdef")
    path = finished.repository / "config/mine.yaml"
    path.write_text("a: 1\napi_key: abc\n", encoding="utf-8")
    finished.sources.append(path)
    with pytest.raises(InputError, match=r"config/mine\.yaml, row 2"):
        finished.pack(tmp_path / "bundle.zip")
    finished.sources.remove(path)


@pytest.mark.parametrize(
    "line",
    [
        "model: sk-proj-abcdefghijklmnop1234",
        "token: ghp_0123456789abcdefghij",
        "API_KEY: abc",
        '"client_secret": "x1"',
        "headers: {Authorization: Basic dXNlcjpwYXNz}",
        "api_base: https://user:pass@example.org/v1",
        "api_base: https://example.org/v1?api_key=abc",
        "x: eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.sflKxwRJ",
        "x: Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z",
    ],
)
def test_what_looks_like_a_key_is_refused(line: str) -> None:
    with pytest.raises(InputError, match="row 2"):
        refuse_keys(f"a: 1\n{line}\n", "c.yaml")


@pytest.mark.parametrize(
    "line",
    [
        "parameters: {max_tokens: 1024, api_base: https://example.org:8080/v1}",
        "model: meta-llama/Llama-3.3-70B-Instruct-Turbo-with-a-long-name-128k",
        "revision: 5617a9f61b028005a4858fdac845db406aefb181",
        f"sha256: {'0a' * 32}",
        "api_key: null",
        "api_key: os.environ/SOME_KEY",
        "tokenizer: cl100k_base",
        "scaffold: {max_tokens: 6000}",
    ],
)
def test_an_honest_config_is_not_refused(line: str) -> None:
    refuse_keys(line, "c.yaml")


@pytest.mark.parametrize(
    ("licence", "expected"),
    [
        ("MIT", True), ("Apache-2.0", True), ("CC BY 4.0", True), ("CC-BY-SA-4.0", True), ("CC0-1.0", True),
        ("BSD-3-Clause", True), ("CC BY-NC 4.0", False), ("CC BY-ND 4.0", False), ("CC-BY-NC-SA-3.0", False),
        ("unknown", False), ("", False), (None, False), ("Proprietary, MIT-like", False),
    ],
)  # fmt: skip
def test_licences_that_let_a_work_be_passed_on(licence: str | None, expected: bool) -> None:
    assert free(licence) is expected


def test_the_config_decides_before_the_licence() -> None:
    assert redistributed(None, {"licence": "MIT"}) and not redistributed(None, LICENSED)
    assert redistributed(True, LICENSED) and not redistributed(False, {"licence": "MIT"})
    assert not redistributed(None, None) and redistributed(True, None)
    assert (address("MIT"), address("house rules")) == ("https://spdx.org/licenses/MIT", None)


@pytest.mark.parametrize(
    ("place", "omitted", "emptied"),
    [
        ("corpus/turns.parquet", False, True),
        ("corpus/evidence.parquet", False, False),
        ("corpus/disputed.jsonl", False, True),
        ("chain/candidates.parquet", False, False),
        ("chain/packets.parquet", False, True),
        ("statistics/packets.parquet", False, False),
        ("statistics/disputed.parquet", False, True),
        ("statistics/disputed.csv", True, False),
        ("statistics/accuracy.csv", False, False),
        ("chain/controls.json", True, False),
        ("controls/chain.truth.json", True, False),
        ("judges/j/controls.json", False, True),
        ("judges/j/controls.html", True, False),
        ("judges/j/requests.parquet", False, True),
        ("trivial/reader=gold-echo/pass=1/answers.jsonl", False, True),
        ("chain/reader=model/pass=1/answers.jsonl", False, False),
        ("chain/reader=model/pass=1/judge=j/verdicts.jsonl", False, False),
        ("report/accuracy.svg", False, False),
        ("report/index.html", True, False),
        ("report/questions/0001.js", True, False),
        ("chain/notes.parquet", True, False),
    ],
)
def test_what_is_done_with_each_kind_of_file(place: str, omitted: bool, emptied: bool) -> None:
    found = treatment(place, {"gold-echo"})
    assert (found.omitted, bool(found.fields)) == (omitted, emptied)
    assert bool(found.reason) == (omitted or emptied)


def test_row_groups_and_empty_files_come_through(tmp_path: Path, finished: Run) -> None:
    table = pq.read_table(finished.path("chain/packets.parquet"), partitioning=None)
    many, none = tmp_path / "packets.parquet", tmp_path / "none.parquet"
    pq.write_table(table, many, row_group_size=1)
    pq.write_table(table.slice(0, 0), none)
    for path, rows in ((many, 2), (none, 0)):
        target = tmp_path / withheld_name(path.name)
        write_emptied(path, target, ["text"])
        with pq.ParquetFile(target) as file:
            assert (file.metadata.num_rows, file.metadata.num_row_groups) == (rows, max(rows, 1))
            assert file.schema_arrow == table.schema
