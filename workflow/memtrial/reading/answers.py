"""From replies to answers: the answer line, and one row for every request."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from memtrial.calls import Outcome
from memtrial.records import Answer, Request

_LABEL = re.compile(
    r"^[^\w\n]*(?:(?:final|short|my|итоговый|краткий|окончательный)\s+)?"
    r"(?:answer|ответ)[*_ \t]*[:：](?:[*_]+(?=\s))?[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)


def parse_answer(text: str) -> str:
    """The short answer in a reply; total, never raises.

    The last line that starts with `Answer:` or `Ответ:` (any case, with markup or `Final` before it) decides: the rest
    of that line, or, where nothing is left on it, all that follows. A label with nothing after it does not count.
    Without a label the whole reply is the answer, as cutting it could cut the answer. Outer markup is stripped.
    """
    for label in reversed(list(_LABEL.finditer(text))):
        rest = text[label.end() :]
        if found := _bare(rest.split("\n", 1)[0]) or _bare(rest):
            return found
    return _bare(text)


def _bare(text: str) -> str:
    stripped = text.strip()
    for mark in ("**", "__", "*", "`"):
        if stripped.startswith(mark) and stripped.endswith(mark) and len(stripped) > 2 * len(mark):
            stripped = stripped[len(mark) : -len(mark)].strip()
    # A label inside the emphasis (`**Answer: 7**`) leaves one mark of a pair behind.
    return stripped.removeprefix("**").removesuffix("**").strip() if stripped.count("**") % 2 else stripped


def to_answers(requests: Iterable[Request], outcomes: Iterable[Outcome]) -> list[Answer]:
    """One answer for each request, in order (messages of the requests are not looked at).

    `answer` is empty unless the status is ok: a cut reply may lack or halve its answer line; `raw` keeps it.
    """
    return [_answer(r, o) for r, o in zip(requests, outcomes, strict=True)]


def _answer(request: Request, outcome: Outcome) -> Answer:
    context = json.loads(request.context)
    return Answer(
        question_id=request.question_id,
        status=outcome.status,
        answer=parse_answer(outcome.text) if outcome.status == "ok" else "",
        raw=outcome.text,
        finish_reason=outcome.finish_reason,
        model_requested=json.loads(request.parameters)["model"],
        model_resolved=outcome.model_resolved,
        usage=outcome.usage,
        request_sha256=request.sha256,
        packet_sha256=context["packet"],
        scaffold_sha256=context["scaffold"],
        attempts=outcome.attempts,
        error=outcome.error,
    )
