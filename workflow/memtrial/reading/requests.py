"""What will be sent to a reader, rendered whole before any call: one user message, no system text, no tools.

The sections stand one after the other, each a mark on its own line and its text below; a reader sees no source id,
label or gold string, as none is in the inputs. Question and packet come from the records unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from memtrial import local_spec
from memtrial.corpus import date_text
from memtrial.errors import InputError
from memtrial.local_spec import completes
from memtrial.reading.extractive import MODEL
from memtrial.reading.prompts import PROMPT_SHA256, PROMPT_VERSION, wording
from memtrial.records import Message, Packet, Question, Request, Scaffold
from memtrial.request import canonical_parameters, make_request

DEFAULTS = {"temperature": 0, "max_tokens": 1024}
MODEL_KINDS = ("litellm", "local")


def parameters(spec: dict[str, Any]) -> str:
    """Canonical parameters of a reader spec {"kind", "model", "parameters"}: `DEFAULTS`, overridden by the spec's.

    A parameter set to null in the spec is left out. Raises `InputError` for an unknown kind.
    """
    if spec["kind"] == "extractive":
        return canonical_parameters(MODEL, {})
    if spec["kind"] == "local":
        return canonical_parameters(*local_spec.request_parameters(spec))
    if spec["kind"] not in MODEL_KINDS:
        known = ", ".join(("extractive", "import", *MODEL_KINDS))
        raise InputError(f"expected a reader of kind {known}, found '{spec['kind']}'", field="kind")
    chosen = {**DEFAULTS, **spec.get("parameters", {})}
    return canonical_parameters(spec["model"], {k: v for k, v in chosen.items() if v is not None})


def render_requests(
    questions: Iterable[Question], packets: Iterable[Packet], scaffolds: Iterable[Scaffold], spec: dict[str, Any]
) -> Iterator[Request]:
    """One request a question, in the order of `packets`, which are streamed (sorted by question id, so are requests).

    None for a reader of kind import, whose answers are somebody else's. A request that does not fit into the model's
    context window is rendered like any other: whether it is sent is decided by `window.overflow`.
    Raises `InputError` naming the question where one of the three files lacks it, at the latest at the end.
    """
    if spec["kind"] == "import":
        return
    asked = {q.question_id: q for q in questions}
    indexed = {s.question_id: s for s in scaffolds}
    if odd := asked.keys() ^ indexed.keys():
        problem = f"questions and scaffolds differ by question '{min(odd)}'"
        raise InputError(problem, file="scaffolds", field="question_id")
    shared = parameters(spec)
    wording_facts = {"prompt": PROMPT_VERSION, "prompt_sha256": PROMPT_SHA256}
    for packet in packets:
        if (question := asked.pop(packet.question_id, None)) is None:
            problem = f"no question '{packet.question_id}', or two packets for it"
            raise InputError(problem, file="packets", field="question_id")
        scaffold = indexed[packet.question_id]
        context = {"packet": packet.sha256, "scaffold": scaffold.sha256, **wording_facts}
        text = prompt(question, packet.text, scaffold.text) + (ending(question) if completes(spec) else "")
        yield make_request(question.question_id, [Message("user", text)], shared, context)
    if asked:
        raise InputError(f"no packet for question '{min(asked)}'", file="packets", field="question_id")


def ending(question: Question) -> str:
    """What a model that continues a text is given last: the question once more, and the label of its answer."""
    words = wording(question.language)
    return f"\n\n{words.question}\n{question.question}\n\n{words.answer_label}"


def prompt(question: Question, sessions: str, scaffold: str) -> str:
    """The reader's message; `sessions` and `scaffold` are the texts of packet and scaffold, the latter may be empty."""
    words = wording(question.language)
    dated = [words.date, date_text(question.asked_at), ""] if question.asked_at else []
    options = [words.options, *(f"- {o}" for o in question.options), ""] if question.options else []
    index = [words.scaffold, scaffold, ""] if scaffold else []
    rules = [
        words.use_sessions,
        *([words.use_options] if options else []),
        *([words.use_scaffold] if index else []),
        words.use_answer,
    ]
    asked = [*dated, words.question, question.question, "", *options]
    return "\n".join([*asked, words.sessions, sessions, "", *index, words.instructions, *rules])
