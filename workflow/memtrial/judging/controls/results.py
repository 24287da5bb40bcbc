"""From drawn controls to what they show of a judge: requests, replies, rates with exact intervals, pass or fail."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from scipy.stats import binomtest

from memtrial.calls import Outcome
from memtrial.errors import InputError
from memtrial.judging.controls.drawing import ARMS, Control, Settings
from memtrial.judging.protocols.base import Protocol
from memtrial.records import Gold, Question, Request
from memtrial.request import make_request
from memtrial.text import sha256

DECIMALS = 6
Result = dict[str, Any]


class Reply(NamedTuple):
    """What a judge said of a control. `status`: judged, unparseable, error; `correct` is null unless judged."""

    status: str
    correct: bool | None
    raw: str
    model_resolved: str | None
    error: str | None


def requests(
    controls: Iterable[Control],
    questions: Iterable[Question],
    gold: Iterable[Gold],
    protocol: Protocol,
    parameters: str,
) -> Iterator[Request]:
    """One request a control, in their order; its `question_id` is the control's id, its context the answer's hash."""
    asked, golds = {q.question_id: q for q in questions}, {g.question_id: g for g in gold}
    for c in controls:
        messages = protocol.render(asked[c.question_id], golds[c.question_id], c.answer)
        yield make_request(c.control_id, messages, parameters, {"answer": sha256(c.answer)})


def by_calls(
    controls: Sequence[Control], asked: Sequence[Request], outcomes: Sequence[Outcome], protocol: Protocol
) -> list[Reply]:
    """Replies of a model; `outcomes` belong to `asked` one to one, as those do to the controls.

    Raises `InputError` where a request was made for another control.
    """
    if [(c.control_id, sha256(c.answer)) for c in controls] != [
        (r.question_id, json.loads(r.context)["answer"]) for r in asked
    ]:
        raise InputError("the requests are not those of this benchmark's controls", file="requests")
    return [_reply(o, protocol) for _, o in zip(asked, outcomes, strict=True)]


def _reply(outcome: Outcome, protocol: Protocol) -> Reply:
    if outcome.status in ("refused", "error"):
        return Reply("error", None, outcome.text, outcome.model_resolved, outcome.error)
    correct = protocol.parse(outcome.text).correct
    status = "unparseable" if correct is None else "judged"
    return Reply(status, correct, outcome.text, outcome.model_resolved, outcome.error)


def by_rule(
    controls: Iterable[Control], gold: Iterable[Gold], decide: Callable[[Gold, str], tuple[bool, float, str]]
) -> list[Reply]:
    """Replies of a judge that is a rule and makes no calls; `decide` gives right or wrong, grade and reason."""
    golds = {g.question_id: g for g in gold}
    ruled = [decide(golds[c.question_id], c.answer) for c in controls]
    return [Reply("judged", correct, why, None, None) for correct, _, why in ruled]


def evaluate(
    controls: Sequence[Control],
    replies: Sequence[Reply],
    questions: Iterable[Question],
    gold: Iterable[Gold],
    settings: Settings,
    judge: Mapping[str, Any],
) -> Result:
    """What controls show of a judge, as `controls.json` holds it; replies belong to the controls one to one.

    A reply that is unparseable or missing does not pass. An arm without controls is absent, not passed. The judge
    passes if every arm that is there reaches the threshold and, of those, one asks for "right" and one for "wrong".
    `judge` is its identity: benchmark, judge, protocol, template_sha256, model_requested, draw.
    """
    asked, golds = {q.question_id: q for q in questions}, {g.question_id: g for g in gold}
    records = [
        _record(c, r, asked[c.question_id], golds[c.question_id]) for c, r in zip(controls, replies, strict=True)
    ]
    arms = {a: found for a in ARMS if (found := _arm(a, [r for r in records if r["arm"] == a], settings))}
    why = _why(arms, settings)
    return {
        **judge,
        "model_resolved": sorted({r.model_resolved for r in replies if r.model_resolved}),
        "settings": settings._asdict(),
        "passed": not why,
        "why": why,
        "arms": arms,
        "absent": [a for a in ARMS if a not in arms],
        "records": records,
    }


def _record(control: Control, reply: Reply, question: Question, gold: Gold) -> Result:
    return {
        **control._asdict(),
        "question_type": gold.question_type,
        "language": question.language,
        "question": question.question,
        "references": gold.reference_answers,
        "status": reply.status,
        "ruled": reply.correct,
        "raw": reply.raw,
        "error": reply.error,
        "passed": reply.correct is control.expected,
    }


def _arm(name: str, records: Sequence[Result], settings: Settings) -> Result | None:
    """Counts and exact interval (Clopper and Pearson, Biometrika 26, 1934) of an arm; None if it has no controls."""
    if not records:
        return None
    n, passed = len(records), sum(r["passed"] for r in records)
    low, high = binomtest(passed, n).proportion_ci(settings.confidence, method="exact")
    types = Counter(r["question_type"] for r in records)
    right = Counter(r["question_type"] for r in records if r["passed"])
    statuses = Counter(r["status"] for r in records)
    return {
        "expected": ARMS[name].expected,
        "n": n,
        "passed": passed,
        "rate": round(passed / n, DECIMALS),
        "ci_low": round(float(low), DECIMALS),
        "ci_high": round(float(high), DECIMALS),
        "threshold": settings.threshold,
        "reached": passed >= settings.threshold * n,
        "n_unparseable": statuses["unparseable"],
        "n_error": statuses["error"],
        "question_types": {t: {"n": types[t], "passed": right[t]} for t in sorted(types)},
    }


def _why(arms: Mapping[str, Result], settings: Settings) -> list[str]:
    """Why a judge does not pass, a sentence a reason; empty if it does."""
    why = []
    for name, arm in arms.items():
        if not arm["reached"]:
            unread = [f"{arm[f'n_{s}']} {s}" for s in ("unparseable", "error") if arm[f"n_{s}"]]
            told = f" ({', '.join(unread)})" if unread else ""
            interval = f"{settings.confidence:.0%} exact interval {arm['ci_low']:.1%} to {arm['ci_high']:.1%}"
            counted = f"{arm['passed']} of {arm['n']} passed{told}, {arm['rate']:.1%}, {interval}"
            why.append(f"{name}: {counted}; {arm['threshold']:.0%} needed")
    for expected, word in ((True, "right"), (False, "wrong")):
        if not any(arm["expected"] is expected for arm in arms.values()):
            why.append(
                f"the benchmark gives no control whose answer is {word}: such a judge cannot be told from a stuck one"
            )
    return why


def page_path(benchmark: str, judge: str) -> str:
    """Where the page of a judge's controls lies."""
    return f"results/{benchmark}/judges/{judge}/controls.html"


def require(result: Mapping[str, Any], judge: str) -> None:
    """Raise `InputError` unless a judge passed its controls, or they are not enforced for it.

    `result` is what `controls.json` holds; the message names judge, failed arms with rate, n and threshold, and page.
    """
    if result["judge"] != judge:
        raise InputError(
            f"controls of judge '{result['judge']}', not of '{judge}'", file="controls.json", field="judge"
        )
    if result["settings"]["enforce"] and not result["passed"]:
        reasons = "\n  ".join(result["why"])
        page = page_path(result["benchmark"], judge)
        raise InputError(f"judge '{judge}' failed its controls and scores nothing; see {page}\n  {reasons}")


def to_json(result: Mapping[str, Any]) -> str:
    """The text of `controls.json`: indented, sorted keys, real characters."""
    return json.dumps(result, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
