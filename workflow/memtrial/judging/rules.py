"""The judges that are rules, not models: no request, no call, the same verdict every time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from memtrial.judging import lexical, overlap
from memtrial.records import Answer, Gold, Verdict
from memtrial.text import canonical, sha256

F1_THRESHOLD = 0.5


class Rule(NamedTuple):
    """A rule: its name with version, what it is made of (hashed as its template), and how it decides.

    `decide` takes gold, answer and F1 threshold, and gives whether the answer is right, its grade in [0, 1], and why
    in one word.
    """

    name: str
    made_of: list[Any]
    decide: Callable[[Gold, str, float], tuple[bool, float, str]]


RULES: Mapping[str, Rule] = {
    "lexical": Rule(lexical.PROTOCOL, lexical.MADE_OF, lexical.rule),
    "locomo-f1": Rule("locomo-f1-v1", ["locomo-f1-v1", *overlap.ABSTENTIONS], overlap.locomo_rule),
    "rumba-f1": Rule("rumba-f1-v1", ["rumba-f1-v1"], overlap.rumba_rule),
}


def threshold(spec: Mapping[str, Any]) -> float:
    """The spec's F1 threshold, in (0, 1]."""
    return float(spec.get("parameters", {}).get("f1_threshold", F1_THRESHOLD))


def template_sha256(rule: Rule, f1_threshold: float) -> str:
    """Hash of everything the rule is made of, threshold included."""
    return sha256(canonical([*rule.made_of, f1_threshold]))


def judge(rule: Rule, gold: Gold, answer: Answer, f1_threshold: float = F1_THRESHOLD) -> Verdict:
    """The verdict on one answer; `raw` is the reason in one word. An answer that is not ok is unanswered.

    Raises `InputError` where the rule cannot judge such a question.
    """
    answered = answer.status == "ok"
    correct, grade, why = rule.decide(gold, answer.answer, f1_threshold) if answered else (None, None, "")
    model = f"memtrial/{rule.name}"
    return Verdict(
        question_id=gold.question_id,
        status="judged" if answered else "unanswered",
        correct=correct,
        grade=grade,
        official=None,
        raw=why,
        model_requested=model,
        model_resolved=model if answered else None,
        protocol=rule.name,
        template_sha256=template_sha256(rule, f1_threshold),
        answer_sha256=sha256(answer.answer),
        request_sha256=None,
        attempts=0,
        error=None,
    )
