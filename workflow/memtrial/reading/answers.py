"""From replies to answers: reasoning put apart, the answer line, and one row for every request."""

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
# Marks by which open models set off their reasoning; a chat template may have written the opening one in the prompt.
_BLOCK = re.compile(r"<(think|thinking|thought|reasoning)>(.*?)(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_CLOSING = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
NO_ANSWER = "the reply holds reasoning or markup alone"


def apart(text: str) -> tuple[str, str]:
    """(reasoning, reply): marked reasoning cut out of a text; total, never raises.

    Blocks between marks are reasoning, one that is not closed up to the end of the text, and all before a closing mark
    that was never opened. The reply is what is left, stripped if anything was cut out.
    """
    reasoning = [m[2].strip() for m in _BLOCK.finditer(text)]
    reply = _BLOCK.sub("", text)
    if closings := list(_CLOSING.finditer(reply)):
        reasoning.insert(0, _CLOSING.sub("", reply[: closings[-1].start()]).strip())
        reply = reply[closings[-1].end() :]
    return "\n\n".join(filter(None, reasoning)), reply if reply == text else reply.strip()


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

    `answer` is empty unless the status is ok: a cut reply may lack or halve its answer line; `raw` keeps it. A reply
    of nothing but marked reasoning or markup is an error. `reasoning` is what the provider gave apart, then what
    `apart` cut out.
    """
    return [_answer(r, o) for r, o in zip(requests, outcomes, strict=True)]


def _answer(request: Request, outcome: Outcome) -> Answer:
    context = json.loads(request.context)
    reasoning, reply = apart(outcome.text)
    answer = parse_answer(reply) if outcome.status == "ok" else ""
    silent = outcome.status == "ok" and not answer
    return Answer(
        question_id=request.question_id,
        status="error" if silent else outcome.status,
        answer=answer,
        raw=outcome.text,
        reasoning="\n\n".join(filter(None, [outcome.reasoning, reasoning])),
        finish_reason=outcome.finish_reason,
        model_requested=json.loads(request.parameters)["model"],
        model_resolved=outcome.model_resolved,
        usage=outcome.usage,
        request_sha256=request.sha256,
        packet_sha256=context["packet"],
        scaffold_sha256=context["scaffold"],
        attempts=outcome.attempts,
        error=NO_ANSWER if silent else outcome.error,
    )
