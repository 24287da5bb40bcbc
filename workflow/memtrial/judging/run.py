"""One judging of one reader pass: answers to verdicts, by rule or through the ledger of the cell."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from memtrial.asking import ask
from memtrial.calls import Progress, Transport
from memtrial.errors import InputError
from memtrial.judging.requests import paired
from memtrial.judging.rules import RULES, judge, threshold
from memtrial.judging.verdicts import to_verdicts
from memtrial.records import Answer, Gold, Request, Verdict


def judge_pass(
    gold: Iterable[Gold],
    answers: Iterable[Answer],
    requests: Iterable[Request],
    spec: dict[str, Any],
    calls: Path,
    *,
    cache: Path | None = None,
    progress: Progress | None = None,
    transport: Transport | None = None,
    official_text: str | None = None,
) -> list[Verdict]:
    """Verdicts in gold order. `spec`: {"kind", "protocol", "form", "model", "parameters", "draw"}; for a judge by rule
    kind and parameters alone.

    `spec` and `cache` else as in `ask`. `transport` replaces litellm, and is needed for a local model. `official_text`
    as for the requests. Raises `CallsStopped`.
    """
    if spec["kind"] in RULES:
        return [judge(RULES[spec["kind"]], g, a, threshold(spec)) for g, a in paired(gold, answers)]
    if transport is None and spec["kind"] == "local":
        raise InputError("a local judge needs the transport of its server", field="kind")
    asked, draw = list(requests), spec.get("draw", 1)
    outcomes = ask(asked, spec, calls, draw=draw, total=len(asked), cache=cache, transport=transport, progress=progress)
    return to_verdicts(gold, answers, asked, outcomes, spec, official_text)
