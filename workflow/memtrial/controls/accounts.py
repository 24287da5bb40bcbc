"""The accounts of packets and scaffolds, done again from their texts and the corpus by other code than made them.

A packet's text must follow from its record: for each slot a heading line (its neutral name; none in the layout
`archivist`) and the body that the corpus gives for the slot's form, and a blank line between slots. A body is the
session whole, its kept lines with `[... N lines elided ...]` before each that follows a gap (`extracted`), the first
`chars` characters of such a text (`cut`), or the kept lines alone (`turns`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from memtrial.controls.compare import difference
from memtrial.controls.findings import Finding
from memtrial.corpus import Corpus, slot_name
from memtrial.records import Packet, Question, Scaffold, Session, Slot
from memtrial.text import proxy_tokens, sha256

SEPARATOR = "\n\n"
HEADLESS = "archivist"
CACHED_SESSIONS = 4096


def accounting(
    questions: Iterable[Question],
    packets: Iterable[Packet],
    scaffolds: Iterable[Scaffold],
    corpus: Corpus,
    spec: Mapping[str, Any],
) -> Iterator[Finding]:
    """Every fault of every packet and scaffold; `spec` has their settings under `packet` and `scaffold`."""
    asked = {q.question_id: q for q in questions}

    @lru_cache(maxsize=CACHED_SESSIONS)
    def lines(session: Session) -> list[str]:
        return [line for line, _ in corpus.lines(session)]

    for packet in packets:
        question = asked.pop(packet.question_id, None)
        if question is None:
            yield Finding("packets.parquet", packet.question_id, "a packet without a question")
            continue
        sessions = corpus.conversation(question.conversation_id)
        shown = [lines(sessions[s.position]) if s.position < len(sessions) else [] for s in packet.slots]
        for what in packet_faults(packet, shown, spec["packet"]):
            yield Finding("packets.parquet", packet.question_id, what)
    for name in asked:
        yield Finding("packets.parquet", name, "a question without a packet")
    for scaffold in scaffolds:
        for what in scaffold_faults(scaffold, spec["scaffold"]):
            yield Finding("scaffolds.parquet", scaffold.question_id, what)


def packet_faults(packet: Packet, shown: Sequence[Sequence[str]], settings: Mapping[str, Any]) -> list[str]:
    """What is wrong with a packet, in words; `shown` are the rendered lines of the session of each slot."""
    text, slots = packet.text, packet.slots
    told = _sizes(packet) + _over_budget(packet, settings)
    if packet.sha256 != sha256(text):
        told.append("sha256 is not that of the text")
    if [s.slot for s in slots] != list(range(1, len(slots) + 1)):
        told.append("the slots are not numbered 1, 2, 3, …")
    for slot, lines in zip(slots, shown, strict=True):
        told += [f"slot {slot.slot}: {what}" for what in _slot_faults(slot, lines)]
    return told or _text_faults(packet, shown)


def _sizes(packet: Packet) -> list[str]:
    size, slots = len(packet.text), sum(s.chars for s in packet.slots)
    told = []
    if packet.chars != size:
        told.append(f"the record says {packet.chars} characters, the text has {size}")
    if packet.proxy_tokens != proxy_tokens(size):
        told.append(f"the record says {packet.proxy_tokens} proxy tokens, the text has {proxy_tokens(size)}")
    if slots > size:
        told.append(f"the slots sum up to {slots} characters, the text has {size}")
    return told


def _over_budget(packet: Packet, settings: Mapping[str, Any]) -> list[str]:
    """The limit of tokens is in those of the named tokenizer if there is one, else in proxy tokens."""
    sessions, limit = settings.get("max_sessions", settings.get("top_k")), settings.get("max_tokens")
    named = settings.get("tokenizer") is not None
    size = packet.tokens if named else proxy_tokens(len(packet.text))
    told = []
    if named and size is None:
        told.append(f"the budget is in tokens of {settings['tokenizer']}, the record has none")
    if limit is not None and size is not None and size > limit:
        told.append(f"{size} tokens are over the budget of {limit}")
    if sessions is not None and len(packet.slots) > sessions:
        told.append(f"{len(packet.slots)} slots are over the budget of {sessions}")
    return told


def _slot_faults(slot: Slot, lines: Sequence[str]) -> list[str]:
    if not lines:
        return [f"there is no session at position {slot.position}"]
    whole = "\n".join(lines)
    told = []
    if slot.original_chars != len(whole):
        told.append(f"the record says {slot.original_chars} characters, the session has {len(whole)}")
    kept = slot.kept_lines
    if kept is not None and not (all(a < b for a, b in pairwise(kept)) and all(0 <= i < len(lines) for i in kept)):
        return [*told, f"kept_lines are no ascending line indices of a session of {len(lines)} lines"]
    elided = 0 if kept is None else len(lines) - len(kept)
    if slot.elided_lines != elided:
        told.append(f"the record says {slot.elided_lines} lines elided, there are {elided}")
    body = _body(slot, lines)
    if len(body) != slot.chars:
        told.append(f"the record says {slot.chars} characters shown, {slot.form} gives {len(body)}")
    return told


def _body(slot: Slot, lines: Sequence[str]) -> str:
    kept = range(len(lines)) if slot.kept_lines is None else slot.kept_lines
    body: list[str] = []
    for before, at in pairwise([-1, *kept]):
        if at - before > 1 and slot.form != "turns":
            body.append(f"[... {at - before - 1} lines elided ...]")
        body.append(lines[at])
    text = "\n".join(body)
    return text[: slot.chars] if slot.form == "cut" else text


def _text_faults(packet: Packet, shown: Sequence[Sequence[str]]) -> list[str]:
    """Nothing if the text is what record and corpus give, to the byte."""
    headed = packet.layout != HEADLESS
    blocks = [
        (f"{slot_name(slot)}\n" if headed else "") + _body(slot, lines)
        for slot, lines in zip(packet.slots, shown, strict=True)
    ]
    expected = SEPARATOR.join(blocks)
    return [] if packet.text == expected else [difference(expected, packet.text, "text rebuilt from record and corpus")]


def scaffold_faults(scaffold: Scaffold, settings: Mapping[str, Any]) -> list[str]:
    """What is wrong with a scaffold's record and budget, in words."""
    text, limit = scaffold.text, settings.get("max_tokens")
    told = []
    if scaffold.sha256 != sha256(text):
        told.append("sha256 is not that of the text")
    if bool(text) == bool(scaffold.absence):
        told.append(f"the absence is {scaffold.absence!r} and the text has {len(text)} characters")
    if limit is not None and proxy_tokens(len(text)) > limit:
        told.append(f"{proxy_tokens(len(text))} proxy tokens are over the budget of {limit}")
    if {p.operator for p in scaffold.parts} - set(scaffold.operators):
        told.append("a part is of an operator that the record does not name")
    ends = [0, *(end for p in scaffold.parts for end in (p.start, p.end)), len(text)]
    if any(a > b for a, b in pairwise(ends)):
        told.append("its parts overlap or stand outside of the text")
    for part in scaffold.parts:
        if part.shown_lines > text[part.start : part.end].count("\n") + 1:
            told.append(f"part {part.section} shows fewer than {part.shown_lines} lines")
    return told
