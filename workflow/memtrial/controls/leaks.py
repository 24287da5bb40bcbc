"""A scan of what a reader will see for what must stay hidden, in those words that are our own.

Hidden are: source ids of sessions, conversation, question and evidence; the word `has_answer` and the prefix `answer_`;
question type and label values; reference answers. A person may say any of these, so what is quoted does not count: in
a packet the lines of its sessions, in a scaffold a text between “ and ” or « and » that the packet holds. All else is
our own words: headings, marks of elision, and what operators say.

Marks (`has_answer`, `answer_`, ids) are looked for as they are, bounded by other than word characters; an id of fewer
than three characters, or of up to four digits and no more, cannot be told from a count and is passed over.
Phrases (types, labels, answers) are looked for whole, as sequences of words without regard to case. Computed dates,
counts and quantities are what a scaffold is for, so a phrase is told from them by its telling words: those that are
no number, no word of time (`vocabulary`), no speaker's name, and no word of our own vocabulary (it stands in the own
words of half of the other questions, such as headings). A phrase is looked for if it has telling words of at least
four letters together; if it holds a number or a word of time too, at least two. One that spells out a month or a
weekday among other words is looked for always, since computed dates are written in digits. A phrase that the question
itself contains reveals nothing. What this passes over, the gold and label permutations and the truth control cover.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from memtrial.controls.findings import Finding
from memtrial.controls.vocabulary import CALENDAR_NAMES, TIME_AND_NUMBER
from memtrial.corpus import Corpus
from memtrial.records import Evidence, Gold, Packet, Question, Scaffold, Session
from memtrial.text import stem, tokens

LEAST_LETTERS = 4
CONTEXT = 40
CACHED_SESSIONS = 4096
_QUOTATION = re.compile(r"“([^“”\n]*)”|«([^«»\n]*)»")
_STRAIGHT = str.maketrans(dict.fromkeys("“”«»", '"'))
Hidden = list[tuple[str, str]]


class Own(NamedTuple):
    """Our own words in a text: the text, and its words as lines of ` word word `."""

    text: str
    words: str

    @classmethod
    def of(cls, text: str) -> Own:
        return cls(text, "\n".join(f" {' '.join(tokens(line))} " for line in text.splitlines()))


def own_of_packet(packet: Packet, lines: Iterable[str], cut: Iterable[str] = ()) -> Own:
    """What of a packet is no line of its sessions; `cut` are lines of which the packet may show the beginning alone."""
    quoted, begun = set(lines), list(cut)
    kept = [line for line in packet.text.split("\n") if line not in quoted]
    return Own.of("\n".join(line for line in kept if not line or not any(b.startswith(line) for b in begun)))


def own_of_scaffold(scaffold: Scaffold, packet_text: str) -> Own:
    """What of a scaffold is no quotation from the packet; `…` in a quotation stands for words left out."""
    shown = " ".join(packet_text.translate(_STRAIGHT).split())

    def unquoted(found: re.Match[str]) -> str:
        inner = found[1] or found[2] or ""
        parts = (" ".join(part.split()) for part in inner.translate(_STRAIGHT).split("…"))
        return "\n" if all(part in shown for part in parts) else f"\n{inner}\n"

    return Own.of(_QUOTATION.sub(unquoted, scaffold.text))


class Secrets:
    """What is hidden of each question: marks as patterns, phrases as words."""

    def __init__(self, questions: Iterable[Question], gold: Iterable[Gold], evidence: Iterable[Evidence]) -> None:
        self.questions = {q.question_id: q for q in questions}
        self._gold = {g.question_id: g for g in gold}
        self._evidence: dict[str, list[str]] = defaultdict(list)
        for e in evidence:
            self._evidence[e.question_id].append(e.source_reference)

    def ids(self, question: Question, corpus: Corpus) -> Hidden:
        """(kind, id) of all source ids around a question that can be told from a count."""
        sessions = [s.source_session_id for s in corpus.conversation(question.conversation_id)]
        named = {
            "the session id": sessions,
            "the question id": [question.question_id],
            "the conversation id": [question.conversation_id],
            "the evidence reference": self._evidence.get(question.question_id, []),
        }
        found = [(kind, i) for kind, ids in named.items() for i in dict.fromkeys(ids)]
        return [(kind, i) for kind, i in found if len(i) > 2 and not (i.isdigit() and len(i) < 5)]

    def phrases(self, question: Question) -> Hidden:
        """(kind, text) of question type, label values and reference answers that the question does not contain."""
        gold = self._gold.get(question.question_id)
        if gold is None:
            return []
        found = [("the question type", gold.question_type)]
        found += [(f"the label {name}", value) for name, value in sorted(gold.labels.items())]
        found += [("the reference answer", answer) for answer in gold.reference_answers]
        asked = Own.of(question.question).words
        return [(kind, text) for kind, text in found if f" {' '.join(tokens(text))} " not in asked]


def is_telling(phrase: Sequence[str], exempt: frozenset[str]) -> bool:
    """Whether a phrase can be told from computed values and our own vocabulary (rule in the module's docstring)."""
    if len(phrase) > 1 and any(stem(w) in CALENDAR_NAMES for w in phrase):
        return True
    common = [w for w in phrase if any(c.isdigit() for c in w) or stem(w) in TIME_AND_NUMBER]
    telling = [w for w in phrase if w not in exempt and w not in common]
    return sum(map(len, telling)) >= LEAST_LETTERS and len(telling) > bool(common)


def leaks(
    packets: Iterable[Packet], scaffolds: Iterable[Scaffold], secrets: Secrets, corpus: Corpus
) -> Iterator[Finding]:
    """Every leak of every packet and scaffold. Raises `KeyError` for a packet without a question."""
    own: dict[str, dict[str, Own]] = {"packets.parquet": {}, "scaffolds.parquet": {}}
    texts = {s.question_id: s for s in scaffolds}

    @lru_cache(maxsize=CACHED_SESSIONS)
    def lines(session: Session) -> list[str]:
        return [line for line, _ in corpus.lines(session)]

    for packet in packets:
        sessions = corpus.conversation(secrets.questions[packet.question_id].conversation_id)
        shown = [line for s in packet.slots for line in lines(sessions[s.position])]
        cut = [line for s in packet.slots if s.form == "cut" for line in lines(sessions[s.position])]
        own["packets.parquet"][packet.question_id] = own_of_packet(packet, shown, cut)
        if scaffold := texts.pop(packet.question_id, None):
            own["scaffolds.parquet"][packet.question_id] = own_of_scaffold(scaffold, packet.text)
    for name in texts:
        yield Finding("scaffolds.parquet", name, "a scaffold without a packet")
    for artifact, said in own.items():
        for name, what in _found(said, secrets, corpus):
            yield Finding(artifact, name, what)


def _found(said: Mapping[str, Own], secrets: Secrets, corpus: Corpus) -> Iterator[tuple[str, str]]:
    """(question, leak in words) of one artifact."""
    words = {name: frozenset(own.words.split()) for name, own in said.items()}
    spread = Counter(word for own in words.values() for word in own)
    others = sum(map(bool, words.values())) - 1
    speakers: dict[str, frozenset[str]] = {}
    for name, own in said.items():
        question = secrets.questions[name]
        conversation = question.conversation_id
        if conversation not in speakers:
            speakers[conversation] = speaker_words(conversation, corpus)
        common = frozenset(w for w in words[name] if others > 0 and 2 * (spread[w] - 1) >= others)
        told = [*_marks(own, secrets.ids(question, corpus))]
        told += _phrases(own, secrets.phrases(question), common | speakers[conversation])
        yield from ((name, what) for what in told)


def _marks(own: Own, ids: Hidden) -> Iterator[str]:
    for kind, mark in (("the word", "has_answer"), ("the prefix", "answer_"), *ids):
        end = "" if kind == "the prefix" else r"(?!\w)"
        if mark in own.text and (found := re.search(rf"(?<!\w){re.escape(mark)}{end}", own.text)):
            yield _told(kind, mark, own.text, found.start())


def _phrases(own: Own, phrases: Hidden, exempt: frozenset[str]) -> Iterator[str]:
    for kind, text in phrases:
        phrase = tokens(text)
        if is_telling(phrase, exempt) and (sought := f" {' '.join(phrase)} ") in own.words:
            line = own.words[: own.words.index(sought)].count("\n")
            yield _told(kind, text, own.text.splitlines()[line], 0)


def _told(kind: str, text: str, where: str, at: int) -> str:
    around = where[max(0, at - CONTEXT) : at + len(text) + 2 * CONTEXT].strip()
    return f"{kind} {text!r} stands in our own words: {around!r}"


def speaker_words(conversation_id: str, corpus: Corpus) -> frozenset[str]:
    """The words of the names under which people speak in a conversation."""
    sessions = corpus.conversation(conversation_id)
    names = {turn.speaker for session in sessions for turn in corpus.turns(session)}
    return frozenset(word for name in names for word in tokens(name))
