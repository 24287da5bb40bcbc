"""What judging one reader pass would ask, for the plan: of the answers that are there, else as an upper estimate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from memtrial.judging.requests import render_requests
from memtrial.plan import MODEL_KINDS, Line, estimated, line, replayed, sizes
from memtrial.records import Answer, Gold, Question, Request


def judge_line(
    cell: Path,
    spec: dict[str, Any],
    questions: Iterable[Question],
    gold: Iterable[Gold],
    answers: Iterable[Answer] | None,
    longest_answer: int,
    table: Mapping[str, Mapping[str, Any]],
    official_text: str | None = None,
) -> Line:
    """The plan's line of a judge's cell, whose ledger is in its `calls/`.

    Without answers every question counts, with an answer of `longest_answer` tokens, and nothing as asked already.
    Raises `InputError` as `render_requests`.
    """
    if spec["kind"] not in MODEL_KINDS:
        return line(cell, spec, [], _nothing, table)
    golds = list(gold)
    if answers is None:
        empty = render_requests(questions, golds, [_unknown(g.question_id) for g in golds], spec, official_text)
        return line(cell, spec, estimated(empty, longest_answer), _nothing, table, note="estimate")
    return asked_line(cell, spec, render_requests(questions, golds, answers, spec, official_text), table)


def asked_line(
    cell: Path, spec: Mapping[str, Any], requests: Iterable[Request], table: Mapping[str, Mapping[str, Any]]
) -> Line:
    """The plan's line of a judge's requests whose ledger is in the `calls/` of `cell`; also for its controls."""
    return line(cell, spec, sizes(requests), replayed(cell / "calls", spec.get("draw", 1)), table)


def _unknown(question_id: str) -> Answer:
    """An answer that only lends its place to the size of a request."""
    return Answer(question_id, "ok", "", "", "", None, "", None, {}, "", "", "", 0, None)


def _nothing(key: str) -> bool:
    """A ledger without rows."""
    return False
