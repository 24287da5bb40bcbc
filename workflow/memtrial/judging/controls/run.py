"""The controls of one judge on one benchmark: what is sent, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from memtrial.asking import ask
from memtrial.calls import Progress, Transport
from memtrial.errors import InputError
from memtrial.judging.controls.drawing import Settings, draw
from memtrial.judging.controls.results import Result, by_calls, by_rule, evaluate, requests
from memtrial.judging.protocols import protocol
from memtrial.judging.requests import parameters
from memtrial.judging.rules import RULES, template_sha256, threshold
from memtrial.records import Gold, Question, Request


def control_requests(
    questions: Iterable[Question], gold: Iterable[Gold], spec: dict[str, Any], official_text: str | None = None
) -> list[Request]:
    """The requests of a judge's controls, in order of control id; none for a judge that is a rule.

    `spec` is the judge's, with the settings of its controls under "controls". Raises `InputError`.
    """
    if spec["kind"] in RULES:
        return []
    asked, golds = list(questions), list(gold)
    drawn = draw(asked, golds, Settings(**spec["controls"]))
    chosen = protocol(spec, official_text)
    return list(requests(drawn, asked, golds, chosen, parameters(spec, chosen)))


def judge_controls(
    questions: Iterable[Question],
    gold: Iterable[Gold],
    rendered: Iterable[Request],
    spec: dict[str, Any],
    at: dict[str, str],
    calls: Path,
    *,
    cache: Path | None = None,
    progress: Progress | None = None,
    transport: Transport | None = None,
    official_text: str | None = None,
) -> Result:
    """What `controls.json` holds; `at` names benchmark and judge, `rendered` is what `control_requests` gave.

    `spec` and `cache` else as in `ask`. `transport` replaces litellm, and is needed for a local model. Raises
    `InputError`, `CallsStopped`.
    """
    asked, golds, settings = list(questions), list(gold), Settings(**spec["controls"])
    drawn = draw(asked, golds, settings)
    identity: dict[str, Any] = {**at, "draw": spec.get("draw", 1)}
    if spec["kind"] in RULES:
        rule, f1 = RULES[spec["kind"]], threshold(spec)
        replies = by_rule(drawn, golds, partial(_decide, rule.decide, f1))
        known = {"protocol": rule.name, "template_sha256": template_sha256(rule, f1), "model_requested": None}
    else:
        if transport is None and spec["kind"] == "local":
            raise InputError("a local judge needs the transport of its server", field="kind")
        chosen, sent = protocol(spec, official_text), list(rendered)
        shared: dict[str, Any] = {"cache": cache, "transport": transport, "progress": progress}
        outcomes = ask(sent, spec, calls, draw=identity["draw"], total=len(sent), **shared)
        replies = by_calls(drawn, sent, outcomes, chosen)
        known = {"protocol": chosen.name, "template_sha256": chosen.template_sha256, "model_requested": spec["model"]}
    return evaluate(drawn, replies, asked, golds, settings, {**identity, **known})


def _decide(
    decide: Callable[[Gold, str, float], tuple[bool, float, str]], f1: float, gold: Gold, answer: str
) -> tuple[bool, float, str]:
    return decide(gold, answer, f1)
