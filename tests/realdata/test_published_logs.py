"""Published logs of other projects, imported through field maps, give the counts that they are known for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memtrial.errors import InputError
from memtrial.judging.imported import import_verdicts
from memtrial.reading.imported import import_answers
from memtrial.records import Answer, Gold, Question, Verdict

pytestmark = pytest.mark.realdata

ARCHIVIST: dict[str, Any] = {
    "kind": "import",
    "fields": {
        "question_id": "question_id",
        "correct": "llm_judge_correct",
        "raw": "llm_judge_raw",
        "model": "model",
        "model_resolved": "resolved_snapshot",
    },
    "unjudged": {"field": "attempts", "equals": [0]},
}
OFFICIAL: dict[str, Any] = {
    "kind": "import",
    "fields": {
        "question_id": "question_id",
        "correct": "autoeval_label.label",
        "model": "autoeval_label.model",
        "answer": "hypothesis",
    },
}
RUNS = {"oracle_con": 303, "oracle_answer_only_cot": 354, "s_rag": 264, "s_rag_timefiltered": 253}


def benchmark(data: Path) -> tuple[list[Question], list[Gold]]:
    lines = (data / "longmemeval/longmemeval_gold_500.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    asked = [Question(r["question_id"], r["question_id"], r["question"], None, "en", []) for r in rows]
    gold = [Gold(r["question_id"], [str(r["answer"])], r["question_type"], {}, r["abstention"]) for r in rows]
    return asked, gold


def unreleased(asked: list[Question], content: bytes) -> list[Answer]:
    return import_answers(content, asked, {"fields": {"question_id": "question_id", "answer": None}}, "rescored.jsonl")


def correct(verdicts: list[Verdict]) -> int:
    return sum(v.correct is True for v in verdicts)


def test_the_papers_verdicts(data: Path) -> None:
    asked, gold = benchmark(data)
    content = (data / "archivist_evidence/opus_pass1/judge_gpt4o_v2/rescored.jsonl").read_bytes()
    found = import_verdicts(content, gold, unreleased(asked, content), ARCHIVIST, "rescored.jsonl")
    assert [v.question_id for v in found] == [g.question_id for g in gold]
    assert (len(found), correct(found), {v.status for v in found}) == (500, 479, {"judged"})
    assert {v.model_resolved for v in found} == {"gpt-4o-2024-08-06"}


def test_rows_that_were_never_judged_are_not_wrong(data: Path) -> None:
    asked, gold = benchmark(data)
    lines = (data / "archivist_evidence/opus_pass1/judge_gpt4o_v2/rescored.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    empty = {"attempts": 0, "llm_judge_correct": False}
    content = "\n".join(json.dumps(r | (empty if n % 5 == 0 else {})) for n, r in enumerate(rows)).encode()
    found = import_verdicts(content, gold, unreleased(asked, content), ARCHIVIST, "rescored.jsonl")
    assert [sum(v.status == s for v in found) for s in ("judged", "error")] == [400, 100]
    assert sum(v.correct is False for v in found) == sum(
        not r["llm_judge_correct"] for n, r in enumerate(rows) if n % 5
    )


@pytest.mark.parametrize("run", RUNS)
def test_official_logs_of_another_reader(data: Path, run: str) -> None:
    asked, gold = benchmark(data)
    name = f"hunk0724_llama31_8b_{run}.eval-results-gpt-4o-mini.jsonl.gz"
    content = (data / "longmemeval/runs" / name).read_bytes()
    fields = {"question_id": "question_id", "answer": "hypothesis"}
    answers = import_answers(content, asked, {"fields": fields}, name)
    found = import_verdicts(content, gold, answers, OFFICIAL, name)
    unanswered = {a.question_id for a in answers if a.status != "ok"}
    assert correct(found) == RUNS[run]
    assert {v.question_id for v in found if v.status == "unanswered"} == unanswered
    others = [a._replace(answer=a.answer + "!", raw=a.raw + "!") for a in answers]
    with pytest.raises(InputError, match=r"500 of 500 verdicts are on other answers"):
        import_verdicts(content, gold, others, OFFICIAL, name)


def test_a_part_of_the_questions_is_refused(data: Path) -> None:
    asked, _ = benchmark(data)
    content = (data / "archivist_evidence/opus_pass1/judge_gpt4o_v2/rescored.jsonl").read_bytes()
    with pytest.raises(InputError, match=r"464 unknown"):
        unreleased(asked[:36], content)
    with pytest.raises(InputError, match=r"1 missing \(first 'e47becba'\)"):
        unreleased(asked, content.replace(content.split(b"\n")[0] + b"\n", b""))


def test_a_readers_checkpoint_is_read_with_its_answer_line(data: Path) -> None:
    path = data / "archivist_evidence/opus_pass1/reader/checkpoint_answerable.sample6.jsonl"
    content = path.read_bytes()
    ids = [json.loads(line)["question_id"] for line in content.splitlines()]
    asked = [Question(i, i, "", None, "en", []) for i in ids]
    fields = {"question_id": "question_id", "answer": "response", "error": "error", "model": "reader_model"}
    found = import_answers(content, asked, {"fields": fields, "answer_line": True}, path.name)
    assert {(a.status, a.model_requested) for a in found} == {("ok", "opus")}
    assert found[0].answer == "Business Administration"
    assert all("\n" not in a.answer and len(a.answer) < len(a.raw) for a in found)
