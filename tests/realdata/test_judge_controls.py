"""The paper's own judge controls and the agreement of its judges, reproduced from the released files."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from memtrial.judging.controls.drawing import Settings, archivist_sample, draw
from memtrial.records import Gold, Question, Verdict
from memtrial.statistics.agreement import agreement_rows
from memtrial.statistics.cells import Cell
from memtrial.statistics.design import design

pytestmark = pytest.mark.realdata

RECEIPTS = {
    "opus_pass1/judge_gpt4o_v2": "opus_pass1/judge_gpt4o_v2",
    "opus_pass1/judge_gpt4o_repro_20260901": "opus_pass1/judge_gpt4o_v2",
    "opus_pass2/judge_gpt4o": "opus_pass2/judge_gpt4o",
}


def settings(**given: Any) -> Settings:
    known = {"sample": "even", "n": 20, "threshold": 0.9, "confidence": 0.95, "seed": 20260830, "enforce": True}
    return Settings(**{**known, **given})


def jsonl(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def known(data: Path) -> dict[str, tuple[Question, Gold]]:
    rows = jsonl(data / "longmemeval" / "longmemeval_gold_500.jsonl")
    return {
        r["question_id"]: (
            Question(r["question_id"], r["question_id"], r["question"], None, "en", []),
            Gold(r["question_id"], [str(r["answer"])], r["question_type"], {}, r["abstention"]),
        )
        for r in rows
    }


@pytest.mark.parametrize(("receipt", "rows"), RECEIPTS.items())
def test_the_papers_sample_gives_the_twelve_ids_of_its_receipt(
    receipt: str, rows: str, data: Path, known: dict[str, tuple[Question, Gold]]
) -> None:
    evidence = data / "archivist_evidence"
    told = json.loads((evidence / receipt / "control_receipt.json").read_text(encoding="utf-8"))["records"]
    order = [r["question_id"] for r in jsonl(evidence / rows / "rescored.jsonl")]
    answerable = [i for i in order if not known[i][1].abstention]
    assert len(answerable) == 470
    assert archivist_sample(answerable) == [r["question_id"] for r in told]
    controls = draw(*([known[i][k] for i in order] for k in (0, 1)), settings(sample="archivist"))
    arms = {arm: {c.question_id for c in controls if c.arm == arm} for arm in ("positive", "negative")}
    assert arms["negative"] == {r["question_id"] for r in told}
    assert arms["positive"] == {r["question_id"] for r in told if r["positive_pass"] is not None}


def test_all_arms_are_full_on_the_whole_benchmark(known: dict[str, tuple[Question, Gold]]) -> None:
    controls = draw(*([row[k] for row in known.values()] for k in (0, 1)), settings())
    counts = {arm: sum(c.arm == arm for c in controls) for arm in {c.arm for c in controls}}
    assert set(counts.values()) == {20} and len(counts) == 7
    types = {arm: {known[c.question_id][1].question_type for c in controls if c.arm == arm} for arm in counts}
    assert len(types["negative"]) == len(types["negative-hard-vague"]) == len(types["abstention-unfounded"]) == 6
    assert "single-session-preference" not in types["positive"] | types["negative-hard-changed"]


def test_the_papers_judges_agree_as_it_tells(data: Path, known: dict[str, tuple[Question, Gold]]) -> None:
    with (data / "archivist_evidence" / "verdicts_500.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))

    def pair(a: str, b: str) -> dict[tuple[str, str], dict[str, Any]]:
        cells = [
            Cell("chain", "opus", "1", judge, [verdict(r["question_id"], r[judge]) for r in rows]) for judge in (a, b)
        ]
        questions, gold = ([row[k] for row in known.values()] for k in (0, 1))
        of = design(questions, gold, [], [], None, {"statistics": {}})
        found = agreement_rows(of, cells, {a: {"model": a}, b: {"model": b}}, 0.95)
        return {(r["axis"], r["slice"]): r for r in found}

    first, second = pair("opus_p1", "opus_p1_glm53"), pair("opus_p2", "opus_p2_glm53")
    assert [p["all", "all"]["agree"] for p in (first, second)] == [493, 493]
    assert (first["all", "all"]["only_a"], first["all", "all"]["only_b"]) == (7, 0)
    assert (second["all", "all"]["only_a"], second["all", "all"]["only_b"]) == (5, 2)
    assert [p["abstention", "true"]["only_a"] for p in (first, second)] == [5, 4]
    again = pair("opus_p1", "opus_p1_repro")["all", "all"]
    assert (again["agree"], again["only_a"], again["only_b"]) == (497, 2, 1)


def verdict(question_id: str, mark: str) -> Verdict:
    return Verdict(question_id, "judged", mark == "1", None, None, "", "j", "j", "p", "t", "a", None, 1, None)


def test_no_gold_of_the_36_full_questions_is_its_own_wrong_answer(
    data: Path, known: dict[str, tuple[Question, Gold]]
) -> None:
    with gzip.open(data / "longmemeval" / "longmemeval_s_cleaned_36.json.gz", "rt", encoding="utf-8") as file:
        ids = [r["question_id"] for r in json.load(file)]
    controls = draw(*([known[i][k] for i in ids] for k in (0, 1)), settings())
    given = {c.question_id: c.answer for c in controls if c.arm == "negative"}
    # 21 days and 3 weeks are one value, and each is the gold of one of these questions.
    assert "21 days" not in given["gpt4_85da3956"] and "3 weeks" not in given["9a707b81"]
