"""`verify` proves a finished run, and names what was changed after it."""

from __future__ import annotations

import json
from pathlib import Path

from flow import Flow, write_rows

VERDICTS = "tiny/full-context/reader=extractive/pass=1/judge=lexical/verdicts.jsonl"


def complaints(flow: Flow) -> list[str]:
    """What `verify` says; what it looks at must be as it was afterwards."""
    before = {n: flow.path(n).read_bytes() for n in flow.names("tiny/**/*.*") if flow.path(n).is_file()}
    ran = flow.run("verify")
    assert {n: flow.path(n).read_bytes() for n in before} == before
    found = [line.removeprefix("DIFFERS  ") for line in ran.text.splitlines() if line.startswith("DIFFERS")]
    assert (ran.code != 0) == bool(found), ran.text
    return found


def flip_a_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 1
    path.write_bytes(content)


def test_a_finished_run_verifies(tiny: Flow) -> None:
    told = json.loads(tiny.path("tiny/receipt.json").read_text(encoding="utf-8"))
    assert f"Merkle root {told['merkle_root']}" in tiny.ok("verify")


def test_without_results_verify_says_what_is_missing(tiny: Flow) -> None:
    tiny.path("tiny/receipt.json").unlink()
    assert complaints(tiny) == ["results/tiny/receipt.json: is missing: run the workflow first"]


def test_a_changed_byte_is_found_and_its_artifact_named(tiny: Flow) -> None:
    flip_a_byte(tiny.path("tiny/full-context/packets.parquet"))
    verdicts = tiny.path(VERDICTS)
    verdicts.write_text(verdicts.read_text(encoding="utf-8").replace("true", "tru3", 1), encoding="utf-8")
    tiny.path("tiny/statistics/headline.txt").unlink()
    found = complaints(tiny)
    assert {line.split(":")[0] for line in found} == {
        "results/tiny/full-context/packets.parquet",
        f"results/{VERDICTS}",
        "results/tiny/statistics/headline.txt",
    }
    assert any(line.startswith(f"results/{VERDICTS}: cannot be read") for line in found)
    assert "results/tiny/statistics/headline.txt: the artifact or its receipt is missing" in found


def test_a_changed_verdict_that_still_reads_is_found_by_bytes_and_content(tiny: Flow) -> None:
    verdicts = tiny.path(VERDICTS)
    text = verdicts.read_text(encoding="utf-8")
    verdicts.write_text(text.replace('"attempts":0', '"attempts":7', 1), encoding="utf-8")
    assert verdicts.read_text(encoding="utf-8") != text
    assert [line.split(" differs")[0] for line in complaints(tiny)] == [
        f"results/{VERDICTS}: bytes_sha256",
        f"results/{VERDICTS}: content_sha256",
    ]


def test_an_artifact_made_from_another_version_of_its_input_is_named(tiny: Flow) -> None:
    # A run on other sessions, of which the questions with their receipt are put into this one.
    rows = json.loads(Path(tiny.config["benchmarks"]["tiny"]["source"]).read_text(encoding="utf-8"))
    rows[0]["question"] = "What was the name of my dog?"
    other = tiny.copy(tiny.folder / "other", {**tiny.config})
    other.config["benchmarks"] = {"tiny": {"format": "longmemeval", "source": str(write_rows(tiny.folder / "o", rows))}}
    other.ok("results/tiny/corpus/questions.parquet")
    for end in ("", ".receipt.json"):
        name = f"tiny/corpus/questions.parquet{end}"
        tiny.path(name).write_bytes(other.path(name).read_bytes())
    found = complaints(tiny)
    stale = [line for line in found if "was made from another version of results/tiny/corpus/questions.parquet" in line]
    assert {Path(line.split(":")[0]).name for line in stale} >= {"packets.parquet", "scaffolds.parquet"}
    assert all(line in stale or line.startswith("results/tiny/corpus/questions.parquet: ") for line in found)


def test_an_edited_receipt_changes_the_merkle_root(tiny: Flow) -> None:
    path = tiny.path("tiny/full-context/packets.parquet.receipt.json")
    told = json.loads(path.read_text(encoding="utf-8"))
    told["spec"]["packet"]["max_tokens"] = 1
    path.write_text(json.dumps(told), encoding="utf-8")
    assert complaints(tiny) == ["results/tiny/receipt.json: the Merkle root differs: a receipt was changed"]
