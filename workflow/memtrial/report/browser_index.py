"""The browser's index: what its list and its filters need of every question, in columns of small values.

A verdict is one letter of `VERDICTS`, an answer's status one of `ANSWERS`; a column of them is a text with a letter a
question, `-` where there is none. What a question's flags are (flipped, judges disagree) is worked out from them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memtrial.field_map import NOT_RELEASED
from memtrial.records import Answer, Packet, Verdict
from memtrial.report.browser_records import Asked, Cell

VERDICTS = {"unparseable": "u", "error": "e", "unanswered": "n"}
ANSWERS = {"ok": "o", "truncated": "t", "refused": "r", "error": "e"}
NOT_PUBLIC = "x"
NONE = "-"


class Index:
    """Columns over questions, filled a question at a time."""

    def __init__(self, cells: Sequence[Cell], abstention: str) -> None:
        """`abstention`: `include` if questions that the history cannot answer count where gold is looked for."""
        self._cells, self._abstention = list(cells), abstention
        self._passes = list(dict.fromkeys(cell[:3] for cell in cells))
        self._systems = list(dict.fromkeys(cell[0] for cell in cells))
        self._rows: list[dict[str, Any]] = []

    def add(self, asked: Asked) -> None:
        """Take up the next question."""
        found = {e.position for e in asked.evidence if e.resolved}
        wanted = found if self._abstention == "include" or not asked.gold.abstention else set()
        self._rows.append(
            {
                "id": asked.question.question_id,
                "question": asked.question.question,
                "type": asked.gold.question_type,
                "labels": asked.gold.labels,
                "abstention": str(int(asked.gold.abstention)),
                "disputed": _disputed([d.changes_score for d in asked.disputed]),
                "verdicts": [_verdict(asked.verdicts.get(cell)) for cell in self._cells],
                "answers": [_answer(asked.answers.get(p)) for p in self._passes],
                "packets": [_complete(wanted, asked.packets.get(s)) for s in self._systems],
            }
        )

    def columns(self) -> dict[str, Any]:
        """The index as plain values: lists over questions, values that repeat as numbers into a list of them."""
        rows = self._rows
        labels = sorted({name for row in rows for name in row["labels"]})
        return {
            "cells": [list(cell) for cell in self._cells],
            "passes": [list(p) for p in self._passes],
            "systems": self._systems,
            "ids": [row["id"] for row in rows],
            "questions": [row["question"] for row in rows],
            "types": _numbered([row["type"] for row in rows]),
            "labels": [[name, *_numbered([row["labels"].get(name) for row in rows])] for name in labels],
            **{name: "".join(row[name] for row in rows) for name in ("abstention", "disputed")},
            **{
                name: ["".join(row[name][n] for row in rows) for n in range(len(of))]
                for name, of in (("verdicts", self._cells), ("answers", self._passes), ("packets", self._systems))
            },
        }


def _disputed(changes: Sequence[bool | None]) -> str:
    """0: by nobody; 1: without a change of score; 2: a right answer would, or may, be judged otherwise."""
    return "0" if not changes else "1" if all(c is False for c in changes) else "2"


def _verdict(verdict: Verdict | None) -> str:
    if verdict is None:
        return NONE
    return VERDICTS[verdict.status] if verdict.correct is None else str(int(verdict.correct))


def _answer(answer: Answer | None) -> str:
    if answer is None:
        return NONE
    return NOT_PUBLIC if answer.error == NOT_RELEASED else ANSWERS[answer.status]


def _complete(wanted: set[int | None], packet: Packet | None) -> str:
    """Whether a packet shows something of each gold session (recall_all over its slots)."""
    return NONE if packet is None or not wanted else str(int(wanted <= {slot.position for slot in packet.slots}))


def _numbered(values: Sequence[str | None]) -> list[Any]:
    """[the distinct values in order, the number of each value, -1 for none]."""
    distinct = sorted({v for v in values if v is not None})
    places: Mapping[str | None, int] = {value: n for n, value in enumerate(distinct)}
    return [distinct, [places.get(v, -1) for v in values]]
