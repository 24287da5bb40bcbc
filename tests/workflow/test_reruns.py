"""What runs again after a change, and what is not paid for twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from flow import Flow, config, copy_repository, rows, write_rows

PASS = "tiny/full-context/reader=extractive/pass=1"
RECKONED = {"accuracy", "passes", "comparisons", "spread", "claims", "report", "gather"}
AFTER_VERDICTS = {*RECKONED, "browser"}
AFTER_ANSWERS = {"judge_requests", "judge", *AFTER_VERDICTS}
AFTER_REQUESTS = {"read", *AFTER_ANSWERS}


def ledger(flow: Flow, cell: str = PASS) -> dict[str, bytes]:
    return {n: flow.path(n).read_bytes() for n in flow.names(f"{cell}/calls/*.jsonl")}


def test_deleted_verdicts_are_judged_again_and_nothing_before_them(tiny: Flow) -> None:
    verdicts = tiny.path(f"{PASS}/judge=lexical/verdicts.jsonl")
    before = verdicts.read_bytes()
    verdicts.unlink()
    target = f"results/{PASS}/judge=lexical/verdicts.jsonl"
    assert tiny.due(target, "all") == {"judge", *AFTER_VERDICTS}
    tiny.ok(target)
    assert verdicts.read_bytes() == before


def test_deleted_verdicts_are_due_again(tiny: Flow) -> None:
    tiny.path(f"{PASS}/judge=lexical/verdicts.jsonl").unlink()
    assert tiny.due() == {"judge", *AFTER_VERDICTS}


def test_another_threshold_of_a_judge_asks_no_reader(tiny: Flow) -> None:
    tiny.config["judges"] = {"lexical": {"kind": "lexical", "parameters": {"f1_threshold": 0.01}}}
    assert tiny.due() == AFTER_ANSWERS | {"judge_control_requests", "judge_controls"}


@pytest.mark.parametrize(
    ("change", "due"),
    [
        ({"statistics": {"resamples": 300}}, RECKONED),
        ({"statistics": {"bars": {"ninety": 0.9}}}, RECKONED),
        ({"statistics": {"confidence": 0.9}}, {"evidence_tables", *RECKONED}),
        (
            {"systems": {"full-context": {"packet": {"max_tokens": 99}}}},
            {"packets", "scaffolds", "ranks", "support", "evidence_tables", "requests"},
        ),
        (
            {"systems": {"full-context": {"scaffold": {"enabled": True}}}},
            {"scaffolds", "support", "evidence_tables", "requests"},
        ),
        ({"benchmarks": {"tiny": {"cluster": "question"}}}, RECKONED),
        ({"benchmarks": {"tiny": {"axes": ["answer_length"]}}}, RECKONED),
        (
            {"benchmarks": {"tiny": {"operator_needs": {"question_types": {"dates": ["t"]}}}}},
            {"evidence_tables", "report", "gather"},
        ),
        ({"systems": {"rag": {"packet": {"top_k": 3}}}}, set()),
    ],
)
def test_an_edited_key_makes_due_what_depends_on_it(tiny: Flow, change: dict[str, dict], due: set[str]) -> None:
    for section, edited in change.items():
        for name, keys in edited.items():
            known = tiny.config[section].get(name)
            tiny.config[section][name] = {**(known or {}), **keys} if isinstance(keys, dict) else keys
    expected = due - {"requests"} | ({"reader_requests", *AFTER_REQUESTS} if "requests" in due else set())
    assert tiny.due() == expected


def test_deleted_answers_are_replayed_from_the_ledger_and_drawn_again_without_it(tiny: Flow) -> None:
    answers, calls = tiny.path(f"{PASS}/answers.jsonl"), ledger(tiny)
    before = answers.read_bytes()
    assert len(calls) == 1
    answers.unlink()
    tiny.ok(f"results/{PASS}/answers.jsonl")
    assert answers.read_bytes() == before
    assert ledger(tiny) == calls
    answers.unlink()
    for name in calls:
        tiny.path(name).unlink()
    tiny.ok(f"results/{PASS}/answers.jsonl")
    fresh = ledger(tiny)
    assert len(fresh) == 1
    assert fresh.keys() != calls.keys()
    assert answers.read_bytes() == before


def test_a_second_pass_adds_itself_and_leaves_the_first_alone(tiny: Flow) -> None:
    first, calls = tiny.path(f"{PASS}/answers.jsonl").read_bytes(), ledger(tiny)
    tiny.config["run"]["passes"] = [1, 2]
    assert tiny.due() == AFTER_REQUESTS
    tiny.ok()
    assert tiny.names("tiny/full-context/reader=extractive/pass=*/answers.jsonl") == [
        f"tiny/full-context/reader=extractive/pass={p}/answers.jsonl" for p in (1, 2)
    ]
    assert (tiny.path(f"{PASS}/answers.jsonl").read_bytes(), ledger(tiny)) == (first, calls)
    headline = tiny.path("tiny/statistics/headline.txt").read_text(encoding="utf-8").splitlines()
    assert [line.split()[3] for line in headline[2:]] == ["1", "2"]
    # The extractive reader answers alike each time: a table without rows.
    assert tiny.path("tiny/statistics/flips.csv").read_text(encoding="utf-8").count("\n") == 1


def test_code_edits_are_noticed_and_words_about_code_are_not(tmp_path: Path) -> None:
    repository = copy_repository(tmp_path)
    source = write_rows(tmp_path / "tiny.json", rows())
    flow = Flow(tmp_path / "run", config(source), repository=repository)
    flow.ok()
    prompts = repository / "workflow/memtrial/reading/prompts.py"
    original = prompts.read_text(encoding="utf-8")
    prompts.write_text(f'"""Other words."""\n# A comment.\n{original.split(chr(34) * 3, 2)[2]}', encoding="utf-8")
    assert flow.due() == set()
    assert original.count("=== QUESTION ===") == 1
    prompts.write_text(original.replace("=== QUESTION ===", "=== THE QUESTION ==="), encoding="utf-8")
    assert flow.due() == {"reader_requests", *AFTER_REQUESTS}
    prompts.write_text(original, encoding="utf-8")
    assert flow.due() == set()
    rubric = repository / "workflow/memtrial/judging/protocols/binary.py"
    asked = rubric.read_text(encoding="utf-8")
    assert asked.count("Reply with one word") == 1
    rubric.write_text(asked.replace("Reply with one word", "Say one word"), encoding="utf-8")
    assert flow.due() == {"judge_control_requests", "judge_controls", *AFTER_ANSWERS}, "judged again, not read again"
    rubric.write_text(asked, encoding="utf-8")
    stylesheet = repository / "workflow/memtrial/report/page.css"
    stylesheet.write_text(stylesheet.read_text(encoding="utf-8") + "\n.other {}\n", encoding="utf-8")
    assert flow.due() == {"report", "browser", "gather"}


def test_receipts_name_the_code_and_the_libraries(tiny_run: Flow) -> None:
    told = tiny_run.receipt("tiny/full-context/packets.parquet")
    assert told["code"]["modules"] == ["memtrial.packet.compile", "memtrial.tokenizers", "memtrial.store"]
    assert {"python", "pyarrow"} <= told["versions"].keys()
    assert told["inputs"].keys() == {f"results/tiny/corpus/{n}.parquet" for n in ("sessions", "turns", "questions")}
    assert json.dumps(told).count(str(tiny_run.folder)) == 0
