"""Flip rows: questions whose verdict differs between two passes of the same system, reader and judge, and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

from memtrial.errors import InputError
from memtrial.records import Answer
from memtrial.statistics.cells import Cell
from memtrial.statistics.design import Design
from memtrial.statistics.judgings import Verdicts, along, by_cell

Row = dict[str, Any]
Hashes = tuple[str, str, str]  # of an answer: request, packet, scaffold; "" = not known
Pass = tuple[str, str, str]  # system, reader, pass
PAIR = ("system", "reader", "judge", "pass_a", "pass_b")
JUDGE, READER, EVIDENCE, UNKNOWN = CAUSES = ("judge", "reader", "evidence", "unknown")


def flip_rows(design: Design, cells: Iterable[Cell], answers: Mapping[Pass, Mapping[str, Hashes]]) -> list[Row]:
    """Rows of `columns.FLIPS`: one a flipped question and pair of passes, for any number of passes.

    `answers` has the hashes of each pass by question id. A question that is unjudged in either pass cannot flip; the
    accuracy table counts it. Raises `InputError` where cells do not hold the design's questions, or a pass has verdicts
    but no answer.
    """
    disputed = design.disputed
    return [
        {**dict(zip(PAIR, (*key, a, b), strict=True)), **row, "disputed": row["question_id"] in disputed}
        for key, passes in sorted(along("reader_pass", by_cell(design.ids, cells)).items())
        for a, b in combinations(passes, 2)
        for row in _pair(design, (passes[a], passes[b]), [_hashes(answers, (*key[:2], p)) for p in (a, b)])
    ]


def hashes_of(answers: Mapping[Pass, Iterable[Answer]]) -> dict[Pass, dict[str, Hashes]]:
    """What each answer was made from, by pass and question."""
    return {
        key: {a.question_id: (a.request_sha256, a.packet_sha256, a.scaffold_sha256) for a in rows}
        for key, rows in answers.items()
    }


def _hashes(answers: Mapping[Pass, Mapping[str, Hashes]], key: Pass) -> Mapping[str, Hashes]:
    if key not in answers:
        raise InputError(f"there are verdicts on pass {key[2]} of {key[0]}, {key[1]}, but no answers")
    return answers[key]


def _pair(design: Design, verdicts: tuple[Verdicts, Verdicts], answers: list[Mapping[str, Hashes]]) -> list[Row]:
    rows = []
    for i in design.ids:
        a, b = (passed[i] for passed in verdicts)
        if a.correct is None or b.correct is None or a.correct == b.correct:
            continue
        if any(i not in given for given in answers):
            raise InputError("a verdict without an answer", file="answers.jsonl", row=i, field="question_id")
        known = a.answer_sha256 and b.answer_sha256
        same_answer = a.answer_sha256 == b.answer_sha256 if known else None
        same_evidence, same_request = _same(*(given[i] for given in answers))
        row = {"question_id": i, "question_type": design.types[i], "correct_a": a.correct, "correct_b": b.correct}
        row |= {"same_answer": same_answer, "same_evidence": same_evidence}
        rows.append({**row, "cause": _cause(same_answer, same_evidence, same_request)})
    return rows


def _same(a: Hashes, b: Hashes) -> tuple[bool | None, bool]:
    """Whether packet and scaffold are the same (null: not known), and whether the request is known to be."""
    return (a[1:] == b[1:] if a[1] and b[1] else None), bool(a[0]) and a[0] == b[0]


def _cause(same_answer: bool | None, same_evidence: bool | None, same_request: bool) -> str:
    if same_answer is not False:
        return JUDGE if same_answer else UNKNOWN
    if same_evidence is False:
        return EVIDENCE
    return READER if same_evidence or same_request else UNKNOWN
