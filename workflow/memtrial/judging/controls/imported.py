"""Published receipts of a judge's controls, in the shape of what our own controls find.

A receipt is a JSON object of the counts of two arms over one sample of questions: the reference as the answer, which
must be judged right (not asked where the gold only describes an answer), and the answer to another question, which must
be judged wrong; and a record for each question with both verdicts and replies. The answers themselves are not in it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from memtrial.errors import InputError
from memtrial.judging.controls.drawing import ARMS, Control, Settings
from memtrial.judging.controls.results import Reply, Result, evaluate
from memtrial.records import Gold, Question
from memtrial.result_files import Files, Row, parse

_ARMS = ("positive", "negative")
_RATE_TOLERANCE = 1e-3  # published rates may be rounded
_CONFIDENCE = 0.95


def import_controls(
    files: Files, questions: Iterable[Question], gold: Iterable[Gold], judge: Mapping[str, Any]
) -> Result:
    """What receipts (path to content) show of a judge, as `controls.json` holds it; `how` names a record's receipt.

    `judge` is its identity: benchmark, judge, protocol, template_sha256, model_requested, draw. Raises `InputError`
    where a receipt's totals are not those of its records, for questions that the benchmark does not hold, and where
    receipts differ in their threshold.
    """
    asked, golds = list(questions), list(gold)
    receipts = [_receipt(content, file) for file, content in files.items()]
    known = {q.question_id for q in asked}
    found = [pair for receipt in receipts for pair in _controls(receipt, known)]
    thresholds = {receipt.values["threshold"] for receipt in receipts}
    if len(thresholds) != 1:
        raise InputError("the receipts differ in their threshold", file=", ".join(files), field="threshold")
    n = max(receipt.values["n"] for receipt in receipts)
    settings = Settings("published", n, float(*thresholds), _CONFIDENCE, 0, False)
    controls, replies = [c for c, _ in found], [r for _, r in found]
    return evaluate(controls, replies, asked, golds, settings, judge)


def _receipt(content: bytes, file: str) -> Row:
    """The receipt in a file, whose totals are those of its records."""
    found = parse(content, file)
    if len(found) != 1 or not isinstance(records := found[0].values.get("records"), list):
        raise InputError("expected one object with records", file=file)
    of = found[0].values
    passed = {arm: [r.get(f"{arm}_pass") for r in records if r.get(f"{arm}_pass") is not None] for arm in _ARMS}
    counted: dict[str, float] = {"n": len(records), "n_positive_eligible": len(passed["positive"])}
    for arm, verdicts in passed.items():
        counted |= {f"{arm}_pass": sum(verdicts), f"{arm}_rate": sum(verdicts) / max(len(verdicts), 1)}
    for name, value in counted.items():
        given = of.get(name)
        if not isinstance(given, int | float) or not math.isclose(given, value, abs_tol=_RATE_TOLERANCE):
            raise InputError(f"{json.dumps(given)} is not what the records come to: {value:g}", file=file, field=name)
    if not isinstance(of.get("threshold"), int | float):
        raise InputError("expected a number", file=file, field="threshold")
    return found[0]


def _controls(receipt: Row, known: Iterable[str]) -> Iterator[tuple[Control, Reply]]:
    """Each record's controls with what the judge said of them."""
    for number, record in enumerate(receipt.values["records"], 1):
        question_id = record.get("question_id")
        if question_id not in known:
            told = f"no question of the benchmark is called {json.dumps(question_id)}"
            raise InputError(told, file=receipt.file, row=number, field="question_id")
        for arm in _ARMS:
            passed, expected = record.get(f"{arm}_pass"), ARMS[arm].expected
            if passed is not None:
                name = f"{arm}/{question_id}/{receipt.file}"
                control = Control(name, question_id, arm, "", expected, f"receipt {receipt.file}")
                ruled = expected if passed else not expected
                yield control, Reply("judged", ruled, str(record.get(f"{arm}_raw") or ""), None, None)
