"""One judging of one reader pass: answers to verdicts, by rule or through the ledger of the cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from memtrial.calls import ATTEMPTS, CONCURRENCY, TIMEOUT_S, Transport, run_calls
from memtrial.judging import lexical
from memtrial.judging.requests import paired
from memtrial.judging.verdicts import to_verdicts
from memtrial.ledger import Ledger
from memtrial.records import Answer, Gold, Request, Verdict
from memtrial.transports import litellm_transport


def judge_pass(
    gold: Iterable[Gold],
    answers: Iterable[Answer],
    requests: Iterable[Request],
    spec: dict[str, Any],
    calls: Path,
    progress: Callable[[int, int], None] | None = None,
    transport: Transport | None = None,
) -> list[Verdict]:
    """Verdicts in gold order. `spec`: {"kind": "lexical" | "litellm", "protocol", "model", "parameters", "draw"}.

    `concurrency`, `attempts` and `timeout_s` of the spec change no verdict. `transport` replaces litellm. Raises
    `AuthenticationStopped`.
    """
    if spec["kind"] == "lexical":
        return [lexical.judge(g, a, lexical.threshold(spec)) for g, a in paired(gold, answers)]
    asked = list(requests)
    outcomes = run_calls(
        asked,
        transport or litellm_transport(),
        Ledger(calls),
        draw=spec.get("draw", 1),
        total=len(asked),
        concurrency=spec.get("concurrency", CONCURRENCY),
        attempts=spec.get("attempts", ATTEMPTS),
        timeout_s=spec.get("timeout_s", TIMEOUT_S),
        progress=progress,
    )
    return to_verdicts(gold, answers, asked, outcomes, spec)
