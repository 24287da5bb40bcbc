"""The page of one question: what a reader gets, what it does not, and the scaffold beside it. No gold comes near it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from memtrial.corpus import Corpus, date_text, slot_name
from memtrial.errors import InputError
from memtrial.records import Candidate, Packet, Question, Reranked, Scaffold, Session, Slot, Turn
from memtrial.report.data import Row, oracle_mark
from memtrial.report.template import render
from memtrial.report.transcript import Marker, Stretch, kept_lines, stretches
from memtrial.text import proxy_tokens

# Quotations come first, so that a name that somebody said is none of the scaffold's own.
_NAME = re.compile(r"“[^”]*”|«[^»]*»|\b(?:Session|Passage) (?P<slot>[0-9]+)\b")
ABSENCE = {
    "disabled": "This system builds no scaffolds.",
    "empty-packet": "The packet is empty, so there is nothing to index.",
    "no-cue": "Nothing in the question's wording asks for an operator.",
}
LEFT_OUT = {"cut": "cut here: {}", "turns": "outside this passage: {}"}


class QuestionData(NamedTuple):
    """What is known of a question before anyone answers it.

    `sessions` and `turns` are at least those of its conversation; `candidates` and `reranked` are its own rows, none
    where the system does not rank. `spec` is the system's resolved spec (`packet`, `scaffold`).
    """

    benchmark: str
    system: str
    question: Question
    sessions: Sequence[Session]
    turns: Sequence[Turn]
    packet: Packet
    scaffold: Scaffold
    candidates: Sequence[Candidate]
    reranked: Sequence[Reranked]
    spec: Row


class Bar(NamedTuple):
    """How much of a limit is used; a null limit is none."""

    name: str
    used: int
    limit: int | None

    @property
    def share(self) -> float:
        """Used of the limit, in percent, 100 at most."""
        return min(100.0, 100 * self.used / self.limit) if self.limit else 0.0


class ShownSlot(NamedTuple):
    """A slot as the page has it; `mentions` counts its name in the scaffold."""

    slot: Slot
    name: str
    date: str
    ranks: list[tuple[str, int | None]]
    lines: int
    mentions: int
    stretches: list[tuple[Stretch, str]]


class Section(NamedTuple):
    """A part of the scaffold with its lines as HTML, or words between parts (`operator` is empty)."""

    operator: str
    name: str
    title: Markup
    lines: list[Markup]


def build_question_page(data: QuestionData) -> str:
    """The page as HTML text, the same for the same data, all text from data escaped; it needs no other file.

    Raises `InputError` naming the question if its packet, scaffold and corpus contradict one another.
    """
    corpus = Corpus(data.sessions, data.turns)
    try:
        slots = _slots(data, corpus)
        scaffold = _sections(data)
    except InputError as error:
        where = f"question {data.question.question_id} of system {data.system}"
        raise InputError(f"{where}: {error}") from error
    conversation = corpus.conversation(data.question.conversation_id)
    shown = {
        "data": data, "slots": slots, "sections": scaffold, "bars": _bars(data), "cues": _cues(data.scaffold),
        "absence": ABSENCE.get(data.scaffold.absence, data.scaffold.absence),
        "asked": date_text(data.question.asked_at), "others": _others(data.turns), "mark": oracle_mark(data.spec),
        "dropped": [(d, date_text(conversation[d.position].started_at)) for d in data.packet.dropped],
    }  # fmt: skip
    return render("question.html.j2", ("page.css", "question.css"), shown)


def _others(turns: Sequence[Turn]) -> list[str]:
    """Of the people of a conversation all but the first by name: their turns get another colour."""
    return sorted({t.speaker for t in turns if t.role == "user"})[1:]


def _slots(data: QuestionData, corpus: Corpus) -> list[ShownSlot]:
    conversation = corpus.conversation(data.question.conversation_id)
    mentions = Counter(_mentioned(data.scaffold.text))
    mark, found = Marker(data.question.question), []
    for slot, body in zip(data.packet.slots, _bodies(data.packet), strict=True):
        if slot.position >= len(conversation):
            raise InputError(f"there is no session at position {slot.position}", field=f"slots, slot {slot.slot}")
        lines = corpus.lines(conversation[slot.position])
        parts = [(s, "" if s.shown else _left_out(slot, s)) for s in stretches(slot, lines, body, mark)]
        turns = {turn.turn_index for n in kept_lines(slot, lines) if (turn := lines[n][1])}
        date, ranks = date_text(conversation[slot.position].started_at), _ranks(slot, turns, data)
        found.append(ShownSlot(slot, slot_name(slot), date, ranks, len(lines), mentions[slot.slot], parts))
    return found


def _bodies(packet: Packet) -> list[str]:
    """What the packet's text has for each slot: behind its name, if the layout shows names, and before a blank line."""
    bodies, place = [], 0
    for slot in packet.slots:
        name = f"{slot_name(slot)}\n"
        place += len(name) if packet.text.startswith(name, place) else 0
        bodies.append(packet.text[place : place + slot.chars])
        place += slot.chars + 2
    return bodies


def _left_out(slot: Slot, stretch: Stretch) -> str:
    whole = stretch.lines - stretch.broken
    lines = f"{whole:,} line{'' if whole == 1 else 's'}"
    told = f"the rest of a line{f' and {lines}' if whole else ''}" if stretch.broken else lines
    told += f", {stretch.chars:,} character{'' if stretch.chars == 1 else 's'}"
    return LEFT_OUT.get(slot.form, "elided: {}").format(told)


def _ranks(slot: Slot, turns: set[int], data: QuestionData) -> list[tuple[str, int | None]]:
    """Where each ranking has the session, or where the passage of these turns stands among passages."""
    candidate = next((c for c in data.candidates if c.position == slot.position), None)
    if candidate is None:
        return []
    if slot.origin == "passage":
        hits = [h.dense_rank for h in candidate.turns if h.turn_index in turns and h.dense_rank is not None]
        return [("passage", min(hits, default=None))]
    reranked = [("reranked", r.rank) for r in data.reranked if r.position == slot.position]
    lanes = ("dense", "keyword", "expansion")
    return [*reranked, ("pool", candidate.pool_rank), *((n, getattr(candidate, f"{n}_rank")) for n in lanes)]


def _bars(data: QuestionData) -> list[Bar]:
    packet, scaffold = data.spec["packet"]["packet"], data.spec["scaffold"]["scaffold"]
    counted, unit = data.packet.proxy_tokens, "proxy tokens"
    if data.packet.tokens is not None:
        counted, unit = data.packet.tokens, f"tokens of {packet['tokenizer']}"
    slots = "passages" if any(s.origin == "passage" for s in data.packet.slots) else "sessions"
    return [
        Bar(f"packet, {slots}", len(data.packet.slots), packet.get("max_sessions", packet.get("top_k"))),
        Bar(f"packet, {unit}", counted, packet.get("max_tokens")),
        Bar("scaffold, proxy tokens", proxy_tokens(len(data.scaffold.text)), scaffold.get("max_tokens")),
    ]


def _cues(scaffold: Scaffold) -> list[tuple[str, str]]:
    """Operators, each with the words that made it fire or why it stands there without any."""
    used = [(o, f"“{scaffold.cues[o]}”" if o in scaffold.cues else "goes with the others") for o in scaffold.operators]
    idle = [(o, f"“{words}” asks for it; not in use here") for o, words in scaffold.cues.items()]
    return used + [(o, told) for o, told in idle if o not in scaffold.operators]


def _sections(data: QuestionData) -> list[Section]:
    """The scaffold's text, all of it, by part; what stands outside of parts keeps its place."""
    text, found, place = data.scaffold.text, [], 0
    numbers = {s.slot for s in data.packet.slots}
    for part in data.scaffold.parts:
        if not place <= part.start < part.end <= len(text):
            raise InputError(f"{part.section} does not lie in the text", field="parts")
        found.append(_section("", "", text[place : part.start], numbers))
        found.append(_section(part.operator, part.section, text[part.start : part.end], numbers))
        place = part.end
    found.append(_section("", "", text[place:], numbers))
    return [s for s in found if s.lines or s.operator]


def _section(operator: str, name: str, text: str, numbers: set[int]) -> Section:
    lines = [_linked(line.removeprefix("- "), numbers) for line in text.split("\n") if line.strip()]
    return Section(operator, name, lines[0], lines[1:]) if operator else Section("", "", Markup(""), lines)


def _linked(line: str, numbers: set[int]) -> Markup:
    """A line as HTML, each slot's name in it a link to the slot."""
    out, end = [], 0
    for name in _NAME.finditer(line):
        if (number := name["slot"]) and int(number) in numbers:
            out += [escape(line[end : name.start()]), Markup('<a href="#slot-{}">{}</a>').format(number, name.group())]
            end = name.end()
    return Markup("").join([*out, escape(line[end:])])


def _mentioned(text: str) -> list[int]:
    return [int(name["slot"]) for name in _NAME.finditer(text) if name["slot"]]
