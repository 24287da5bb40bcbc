"""All of one question as plain values for its page: gold, packets, scaffolds, answers, verdicts and whole requests.

Each text is kept once, in `texts`; all else has its number there. A message of a request is a list of such numbers, its
content being these texts joined, with `PACKET` in the place of the packet's text, which has a file of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memtrial.corpus import date_text, slot_name
from memtrial.records import Answer, Packet, Request, Scaffold, Session, Verdict
from memtrial.report.browser_records import Asked, Cell

PACKET = -1
Plain = dict[str, Any]


class _Texts:
    """Texts by number, each once."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))


def question_object(asked: Asked, sessions: Sequence[Session], cells: Sequence[Cell]) -> Plain:
    """A question's object; `sessions` are those of its conversation, by position, `cells` in the order to show them.

    Raises `IndexError` for a slot or evidence at a position that the conversation does not have.
    """
    dates = [date_text(session.started_at) for session in sessions]
    texts, question, gold = _Texts(), asked.question, asked.gold
    systems = [_system(s, asked, dates, cells, texts) for s in dict.fromkeys(cell[0] for cell in cells)]
    return {
        "id": question.question_id,
        "conversation": question.conversation_id,
        "question": question.question,
        "asked": date_text(question.asked_at),
        "language": question.language,
        "options": question.options,
        "gold": gold.reference_answers,
        "type": gold.question_type,
        "labels": sorted(gold.labels.items()),
        "abstention": gold.abstention,
        "evidence": [
            [
                e.position,
                None if e.position is None else dates[e.position],
                e.turn_index,
                e.source_reference,
                e.resolved,
            ]
            for e in asked.evidence
        ],
        "disputed": [d._asdict() for d in asked.disputed],
        "systems": systems,
        "texts": list(texts.numbers),
    }


def _system(name: str, asked: Asked, dates: Sequence[str], cells: Sequence[Cell], texts: _Texts) -> Plain:
    packet, scaffold = asked.packets.get(name), asked.scaffolds.get(name)
    readers = dict.fromkeys(cell[1] for cell in cells if cell[0] == name)
    return {
        "name": name,
        "packet": packet and _packet(packet, dates),
        "scaffold": scaffold and _scaffold(scaffold, texts),
        "readers": [_reader((name, reader), asked, cells, texts) for reader in readers],
    }


def _packet(packet: Packet, dates: Sequence[str]) -> Plain:
    spans = _spans(packet)
    shown = ("slot", "position", "origin", "form", "elided_lines", "chars", "original_chars")
    return {
        "sha256": packet.sha256,
        "layout": packet.layout,
        "chars": packet.chars,
        "proxy_tokens": packet.proxy_tokens,
        "tokens": packet.tokens,
        "slots": [
            {f: getattr(s, f) for f in shown} | {"name": slot_name(s), "date": dates[s.position], "span": span}
            for s, span in zip(packet.slots, spans, strict=True)
        ],
        "dropped": [[d.position, dates[d.position], d.rank, d.chars, d.reason] for d in packet.dropped],
    }


def _spans(packet: Packet) -> list[tuple[int, int]]:
    """Start and end in the packet's text of what each slot shows, in UTF-16 units, as a browser counts."""
    spans, place = [], 0
    units = len if packet.text.isascii() else _units
    before, counted = 0, 0
    for slot in packet.slots:
        name = f"{slot_name(slot)}\n"
        start = place + (len(name) if packet.text.startswith(name, place) else 0)
        counted += units(packet.text[before:start])
        before, end = start + slot.chars, counted + units(packet.text[start : start + slot.chars])
        spans.append((counted, end))
        counted, place = end, before + 2  # the blank line between slots
    return spans


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def _scaffold(scaffold: Scaffold, texts: _Texts) -> Plain:
    kept = ("operators", "version", "sha256", "absence")
    return {f: getattr(scaffold, f) for f in kept} | {
        "cues": sorted(scaffold.cues.items()),
        "text": texts(scaffold.text),
    }


def _reader(read: tuple[str, str], asked: Asked, cells: Sequence[Cell], texts: _Texts) -> Plain:
    request = asked.requests.get(read)
    scaffold = asked.scaffolds.get(read[0])
    known = [scaffold.text if scaffold else "", asked.question.question]
    passes = dict.fromkeys(cell[2] for cell in cells if cell[:2] == read)
    return {
        "name": read[1],
        "request": request and _request(request, asked.packets.get(read[0]), known, texts),
        "passes": [_pass((*read, p), asked, cells, texts) for p in passes],
    }


def _pass(of: tuple[str, str, str], asked: Asked, cells: Sequence[Cell], texts: _Texts) -> Plain:
    answer = asked.answers.get(of)
    judges = [cell for cell in cells if cell[:3] == of and cell in asked.verdicts]
    return {
        "name": of[2],
        "answer": answer and _answer(answer, texts),
        "judges": [_judge(cell, asked, texts) for cell in judges],
    }


def _answer(answer: Answer, texts: _Texts) -> Plain:
    numbered = {f: texts(getattr(answer, f)) for f in ("answer", "raw", "reasoning")}
    return _without(answer._asdict(), "question_id") | numbered | {"usage": sorted(answer.usage.items())}


def _judge(cell: Cell, asked: Asked, texts: _Texts) -> Plain:
    verdict: Verdict = asked.verdicts[cell]
    request, answer = asked.judge_requests.get(cell), asked.answers.get(cell[:3])
    known = [answer.answer if answer else "", asked.question.question, *asked.gold.reference_answers]
    told = _without(verdict._asdict(), "question_id") | {"raw": texts(verdict.raw)}
    return {"name": cell[3], **told, "request": request and _request(request, None, known, texts)}


def _request(request: Request, packet: Packet | None, known: Sequence[str], texts: _Texts) -> Plain:
    kept = ("chars", "proxy_tokens", "sha256")
    return {f: getattr(request, f) for f in kept} | {
        "messages": [[m.role, _pieces(m.content, packet, known, texts)] for m in request.messages],
        "parameters": texts(request.parameters),
        "context": texts(request.context),
    }


def _pieces(content: str, packet: Packet | None, known: Sequence[str], texts: _Texts) -> list[int]:
    """A text as numbers of texts; what is known from elsewhere is cut out, so that the rest repeats."""
    parts: list[str | int] = [content]
    marked = [(packet.text, PACKET)] if packet else []
    for text, number in [*marked, *((k, texts(k)) for k in known if k)]:
        at = next((n for n, part in enumerate(parts) if isinstance(part, str) and text and text in part), None)
        if at is not None:
            before, _, after = str(parts[at]).partition(text)
            parts[at : at + 1] = [before, number, after]
    return [texts(part) if isinstance(part, str) else part for part in parts if part != ""]


def _without(row: Mapping[str, Any], name: str) -> Plain:
    return {key: value for key, value in row.items() if key != name}
