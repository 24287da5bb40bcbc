"""Published receipts of judge controls in the shape of our own controls, on invented records."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memtrial.errors import InputError
from memtrial.judging.controls.imported import import_controls
from memtrial.judging.controls.page import build_page
from memtrial.judging.controls.results import require, to_json
from memtrial.records import Gold, Question

QUESTIONS = [Question(i, i, f"What of {i}?", None, "en", []) for i in ("q1", "q2", "q3")]
GOLD = [Gold(q.question_id, ["a lamp"], "single", {}, False) for q in QUESTIONS]
JUDGE = {
    "benchmark": "b", "judge": "theirs", "protocol": "p", "template_sha256": "", "model_requested": "m", "draw": 1,
}  # fmt: skip


def record(i: str, positive: bool | None, negative: bool) -> dict[str, Any]:
    raws = {"positive_raw": "Yes." if positive else "No", "negative_raw": "No" if negative else "Yes"}
    return {"question_id": i, "question_type": "single", "positive_pass": positive, "negative_pass": negative, **raws}


def receipt(*records: dict[str, Any], **changed: Any) -> bytes:
    eligible = [r for r in records if r["positive_pass"] is not None]
    right = sum(r["positive_pass"] for r in eligible)
    wrong = sum(r["negative_pass"] for r in records)
    totals = {
        "n": len(records), "n_positive_eligible": len(eligible), "positive_pass": right, "negative_pass": wrong,
        "positive_rate": right / len(eligible), "negative_rate": round(wrong / len(records), 3), "threshold": 0.5,
        "records": list(records),
    }  # fmt: skip
    return json.dumps(totals | changed, indent=1).encode()


def evaluated(**receipts: bytes) -> dict[str, Any]:
    return import_controls({f"{name}/r.json": content for name, content in receipts.items()}, QUESTIONS, GOLD, JUDGE)


def test_a_receipt_gives_two_arms() -> None:
    told = evaluated(one=receipt(record("q1", True, True), record("q2", None, True), record("q3", False, False)))
    counts = {arm: (of["n"], of["passed"], of["rate"], of["threshold"]) for arm, of in told["arms"].items()}
    assert counts == {"positive": (2, 1, 0.5, 0.5), "negative": (3, 2, 0.666667, 0.5)}
    assert (told["passed"], told["judge"], told["settings"]["sample"]) == (True, "theirs", "published")
    ruled = {(r["arm"], r["question_id"]): (r["ruled"], r["passed"], r["raw"]) for r in told["records"]}
    assert ruled["positive", "q3"] == (False, False, "No")
    assert ruled["negative", "q3"] == (True, False, "Yes")
    assert ruled["negative", "q2"] == (False, True, "No")
    assert ("positive", "q2") not in ruled
    assert {r["how"] for r in told["records"]} == {"receipt one/r.json"}
    assert "q3" in build_page(told)
    assert json.loads(to_json(told)) == told
    require(told, "theirs")


def test_receipts_add_up_and_each_record_says_whose_it_is() -> None:
    told = evaluated(
        one=receipt(record("q1", True, True)), two=receipt(record("q1", False, True), record("q2", True, True))
    )
    assert (told["arms"]["positive"]["n"], told["arms"]["positive"]["passed"]) == (3, 2)
    assert len({r["control_id"] for r in told["records"]}) == 6
    assert [r["how"] for r in told["records"] if r["arm"] == "positive"] == ["receipt one/r.json"] + [
        "receipt two/r.json"
    ] * 2


def test_a_judge_below_its_threshold_does_not_pass() -> None:
    told = evaluated(one=receipt(record("q1", True, False), record("q2", True, False)))
    assert not told["passed"]
    assert told["why"][0].startswith("negative: 0 of 2 passed")


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"n": 3}, "field 'n': 3 is not what the records come to: 2"),
        ({"n_positive_eligible": 2}, "field 'n_positive_eligible': 2 is not"),
        ({"negative_pass": 1}, "field 'negative_pass': 1 is not what the records come to: 2"),
        ({"positive_rate": 0.9}, "field 'positive_rate': 0.9 is not what the records come to: 1"),
        ({"negative_rate": None}, "field 'negative_rate': null is not"),
        ({"threshold": None}, "field 'threshold': expected a number"),
        ({"records": 2}, "expected one object with records"),
    ],
)
def test_a_receipt_whose_totals_are_not_its_records_is_refused(changed: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=f"one/r.json.*: {told}|one/r.json, {told}"):
        evaluated(one=receipt(record("q1", True, True), record("q2", None, True), **changed))


def test_foreign_questions_and_differing_thresholds_are_refused() -> None:
    with pytest.raises(InputError, match=r"one/r.json, row 1, field 'question_id': no question .* is called .q9."):
        evaluated(one=receipt(record("q9", True, True)))
    same = record("q1", True, True)
    with pytest.raises(InputError, match="the receipts differ in their threshold"):
        evaluated(one=receipt(same), two=receipt(same, threshold=0.9))
