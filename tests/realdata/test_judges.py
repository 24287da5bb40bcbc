"""Judging against released verdicts, LoCoMo's own answers, and the real upstream templates where the user has them."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from memtrial.judging.overlap import CATEGORIES, locomo_rule
from memtrial.judging.parsing import verdict
from memtrial.judging.protocols import protocol
from memtrial.records import Gold

pytestmark = pytest.mark.realdata

PLACE = "MEMTRIAL_EVALUATE_QA"
OFFICIAL = {
    "abstention": "5c0b365a1e1d06db36377c735432b56e122ca3c428f89faf61d43a0d5a7e050b",
    "knowledge-update": "183a9b3a6197ec620940f610cdc1207201ec98c1113dd633ea685cfc322fafac",
    "multi-session": "fba020ba3d57982efdc9a937c1c01f897b789a608c7f88e60244121f6505e5bc",
    "single-session-assistant": "fba020ba3d57982efdc9a937c1c01f897b789a608c7f88e60244121f6505e5bc",
    "single-session-preference": "741ee3bcbea7ff5e8ed359acef61d2f8ded3de021bbcff6ee13de455f2e2aa9b",
    "single-session-user": "fba020ba3d57982efdc9a937c1c01f897b789a608c7f88e60244121f6505e5bc",
    "temporal-reasoning": "8d33a5fdd83afeeb4592454a965eab43d1fcb2dedc042d1d3892f4254be6c273",
}


def test_the_real_templates_have_their_known_digests(data: Path) -> None:
    path = Path(os.environ.get(PLACE, data / "longmemeval" / "evaluate_qa.py"))
    if not path.is_file():
        pytest.skip(f"the benchmark's evaluate_qa.py is no part of the data; set {PLACE} to a copy")
    text = path.read_bytes().decode()
    official = protocol({"protocol": "longmemeval", "form": "official"}, text)
    assert official.templates == OFFICIAL
    archivist = protocol({"protocol": "longmemeval", "form": "archivist"}, text)
    assert archivist.template_sha256 == "9c9d67fab129acd497461a2f5589d57120d952744d9f7e04fbfff771b3860d62"


@pytest.mark.parametrize(
    ("run", "wrong"), [("opus_pass1/judge_gpt4o_v2", 21), ("opus_pass2/judge_gpt4o", 25)], ids=["pass 1", "pass 2"]
)
def test_our_reading_of_the_released_replies_is_theirs(data: Path, run: str, wrong: int) -> None:
    lines = (data / "archivist_evidence" / run / "rescored.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    assert len(rows) == 500
    assert [r for r in rows if verdict(r["llm_judge_raw"]) is not r["llm_judge_correct"]] == []
    assert sum(not r["llm_judge_correct"] for r in rows) == wrong


def test_every_locomo_reference_is_right_by_locomo_f1_as_its_own_answer(data: Path) -> None:
    with gzip.open(data / "locomo" / "locomo10.json.gz") as file:
        asked = [item for talk in json.load(file) for item in talk["qa"]]
    judged = 0
    for item in asked:
        category = str(item["category"])
        assert category in CATEGORIES
        if category != "5":
            reference = str(item["answer"])
            given = reference.split(";")[0] if category == "3" else reference
            golden = Gold("q", [reference], "", {"category": category}, False)
            judged += locomo_rule(golden, given, 1.0) == (True, 1.0, "overlaps")
    assert judged == 1540
