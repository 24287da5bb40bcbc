"""Whether a scaffold lies: every quotation, day, time and number in it is looked up in its packet or computed anew.

The examiner reads the scaffold's text as a reader would: it shares nothing with the operators that made it, and has its
own tables of date expressions and numbers (`truth_dates`, `truth_numbers`). What they do not know is told as unchecked,
never passed in silence.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from memtrial.controls.truth_lines import FIGURE, STAMP, Ledger, Shown
from memtrial.controls.truth_sections import check_section
from memtrial.corpus import Corpus, date_text, slot_name
from memtrial.records import Packet, Part, Question, Scaffold
from memtrial.text import nfc, sha256

# Of so many matching statements or more the best so many are listed.
_LISTED = 30


class Examination(NamedTuple):
    """Faults in words, each with its line; the number of facts checked; those that could not be, in words."""

    faults: list[str]
    checked: int
    unchecked: list[str]


def examine(question: Question, packet: Packet, scaffold: Scaffold, corpus: Corpus) -> Examination:
    """What is wrong with the scaffold of that question and packet; one without text has nothing to check."""
    ledger = Ledger(question.question, question.asked_at, _shown(question, packet, corpus))
    ledger.expect(scaffold.sha256 == sha256(scaffold.text), "the hash is not that of the text", scaffold.sha256)
    ledger.expect(bool(scaffold.text) != bool(scaffold.absence), "a text, or why there is none", scaffold.absence)
    folded = nfc(question.question).casefold().replace("ё", "е").replace("’", "'")
    for operator, words in scaffold.cues.items():
        ledger.expect(words in folded, f"the question does not say {words!r}", operator)
    if scaffold.text:
        _check_header(scaffold, question, ledger)
    for part in scaffold.parts:
        _check_part(part, scaffold.text[part.start : part.end].split("\n"), ledger)
    return Examination(ledger.faults, ledger.checked, ledger.unchecked)


def _shown(question: Question, packet: Packet, corpus: Corpus) -> dict[str, Shown]:
    """The packet's slots by name, as its text shows them, with the speakers that the corpus gives.

    Raises `ValueError` if the text and the record of the packet do not agree: such a packet is no ground to judge on.
    """
    sessions, place, found = corpus.conversation(question.conversation_id), 0, {}
    for slot in packet.slots:
        name, session = slot_name(slot), sessions[slot.position]
        heading = "" if packet.layout == "archivist" else f"{name}\n"
        if not packet.text.startswith(heading, place):
            raise ValueError(f"packet of question {packet.question_id}: {name} does not stand where its record says")
        start = place + len(heading)
        place = start + slot.chars + 2
        lines = corpus.lines(session)
        kept = iter(lines if slot.kept_lines is None else [lines[i] for i in slot.kept_lines])
        spoken = []
        # A line that is not in the session tells what was left out.
        expected = next(kept, None)
        for text in packet.text[start : start + slot.chars].split("\n"):
            if expected and (expected[0] == text or (slot.form == "cut" and expected[0].startswith(text))):
                if turn := expected[1]:
                    spoken.append((text, turn.speaker or turn.role))
                expected = next(kept, None)
        if expected and slot.form != "cut":
            raise ValueError(f"packet of question {packet.question_id}: {name} lacks the line {expected[0]!r}")
        found[name] = Shown(slot.slot, session.started_at, spoken)
    return found


def _check_header(scaffold: Scaffold, question: Question, ledger: Ledger) -> None:
    """The header states the question's date and no other number, and the parts make up the rest of the text."""
    parts = scaffold.parts
    header = scaffold.text[: parts[0].start - 2 if parts else None]
    bodies = [scaffold.text[p.start : p.end] for p in parts]
    ledger.expect("\n\n".join([header, *bodies]) == scaffold.text, "the parts do not make up the text", header)
    ledger.expect(header.endswith(date_text(question.asked_at)), "that is not the question's date", header)
    ledger.expect(not FIGURE.search(STAMP.sub("", header)), "a number from nowhere", header)


def _check_part(part: Part, body: list[str], ledger: Ledger) -> None:
    """The counts of a section, then its lines."""
    title, items = body[0], [line for line in body[1:] if line.startswith("- ")]
    told = [line for line in body[1:] if not line.startswith("- ")]
    ledger.expect(len(items) == part.shown_lines, f"the record counts {part.shown_lines} lines, not these", title)
    count = part.shown_lines + part.cut_lines
    counts = [int(n) for n in re.findall(r"\d+", title)]
    ledger.expect(counts[:1] == [count], f"the section has {count} lines", title)
    limited = part.section != "matching" or count == _LISTED
    right = len(counts) == 1 or (len(counts) == 2 and (counts[1] == count or (limited and counts[1] > count)))
    ledger.expect(right, "a count from nowhere", title)
    if part.cut_lines:
        right = len(told) == 1 and re.findall(r"\d+", told[0]) == [str(part.cut_lines)]
        ledger.expect(right, f"{part.cut_lines} lines were cut", "\n".join(told))
    else:
        ledger.expect(not told, "a line that no list holds", "\n".join(told))
    check_section(part, [line.removeprefix("- ") for line in items], ledger)
