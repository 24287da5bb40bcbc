"""Small packets for the tests of the scaffold: sessions as (time, turns), turns of user and assistant by turns."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from memtrial.corpus import Corpus
from memtrial.packet.rendering import SEPARATOR
from memtrial.records import Packet, Question, Scaffold, Session, Slot, Turn
from memtrial.scaffold.build import build_scaffolds
from memtrial.scaffold.evidence import Evidence, Shown
from memtrial.scaffold.headings import HEADINGS
from memtrial.scaffold.layout import Section
from memtrial.scaffold.matching import Match, match
from memtrial.text import proxy_tokens, sha256

EN, RU = HEADINGS["en"], HEADINGS["ru"]
OPERATORS = ["dates", "recency", "counting", "comparison"]
ASKED = datetime(2024, 5, 1, 12, 0)
Said = tuple[datetime | None, Sequence[str]]


def at(month: int, day: int, hour: int = 9, minute: int = 0) -> datetime:
    return datetime(2024, month, day, hour, minute)


def spec(max_tokens: int = 6000, enabled: bool = True, operators: Sequence[str] = OPERATORS) -> dict[str, Any]:
    return {"scaffold": {"enabled": enabled, "max_tokens": max_tokens, "operators": list(operators)}}


def corpus_of(*sessions: Said, prefix: str = "answer") -> Corpus:
    rows = [Session("c", i, f"{prefix}_{i}", f"{prefix}{i}", time) for i, (time, _) in enumerate(sessions)]
    turns = [
        Turn(f"{prefix}{i}", j, ("user", "assistant")[j % 2], "", text, None)
        for i, (_, texts) in enumerate(sessions)
        for j, text in enumerate(texts)
    ]
    return Corpus(rows, turns)


def packet_of(corpus: Corpus, slots: Sequence[Slot], bodies: Sequence[str]) -> Packet:
    text = SEPARATOR.join(
        f"{'Passage' if s.form == 'turns' else 'Session'} {s.slot}\n{b}" for s, b in zip(slots, bodies, strict=True)
    )
    return Packet("q", "coverage", list(slots), [], text, len(text), proxy_tokens(len(text)), None, sha256(text))


def made(
    question: str, *sessions: Said, prefix: str = "answer", order: Sequence[int] | None = None
) -> tuple[Question, Packet, Corpus]:
    """A question with a packet of all sessions whole, in slot order `order`."""
    corpus = corpus_of(*sessions, prefix=prefix)
    bodies = [corpus.text(corpus.conversation("c")[p]) for p in order or range(len(sessions))]
    slots = [
        Slot(n, p, "prefix", "whole", None, 0, len(bodies[n - 1]), len(bodies[n - 1]))
        for n, p in enumerate(order or range(len(sessions)), 1)
    ]
    return Question("q", "c", question, ASKED, "en", []), packet_of(corpus, slots, bodies), corpus


def built(asked: Question, packet: Packet, corpus: Corpus, settings: dict[str, Any] | None = None) -> Scaffold:
    (scaffold,) = build_scaffolds([asked], [packet], corpus, settings or spec())
    return scaffold


def scaffold(question: str, *sessions: Said, order: Sequence[int] | None = None) -> Scaffold:
    return built(*made(question, *sessions, order=order))


def shown(*sessions: Said, order: Sequence[int] | None = None) -> list[Shown]:
    asked, packet, corpus = made("x", *sessions, order=order)
    return Evidence(corpus).shown(packet, asked)


def matched(question: str, *sessions: Said, order: Sequence[int] | None = None) -> tuple[list[Match], list[Shown]]:
    found = shown(*sessions, order=order)
    return match(question, found), found


def texts(sections: Sequence[Section], name: str) -> list[str]:
    """The lines of the section of that name; none if it is missing."""
    return [line.text for s in sections if s.name == name for line in s.lines]
