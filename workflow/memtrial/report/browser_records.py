"""What is known of each question, gathered from many files that are read side by side, one question at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from memtrial.errors import InputError
from memtrial.records import Answer, Disputed, Evidence, Gold, Packet, Question, Request, Scaffold, Verdict

Read = tuple[str, str]  # system, reader
Pass = tuple[str, str, str]  # system, reader, pass
Cell = tuple[str, str, str, str]  # system, reader, pass, judge
LISTS = ("gold", "evidence", "disputed")
MAPS = ("packets", "scaffolds", "requests", "answers", "judge_requests", "verdicts")


class Sources(NamedTuple):
    """Rows of each file, ascending by question id as `store` writes them; a file that does not exist is left out.

    `gold` has a row for each question; any other file may lack some.
    """

    questions: Iterable[Question]
    gold: Iterable[Gold]
    evidence: Iterable[Evidence]
    disputed: Iterable[Disputed]
    packets: Mapping[str, Iterable[Packet]]
    scaffolds: Mapping[str, Iterable[Scaffold]]
    requests: Mapping[Read, Iterable[Request]]
    answers: Mapping[Pass, Iterable[Answer]]
    judge_requests: Mapping[Cell, Iterable[Request]]
    verdicts: Mapping[Cell, Iterable[Verdict]]


class Asked(NamedTuple):
    """One question's rows; the maps hold those that there are."""

    question: Question
    gold: Gold
    evidence: list[Evidence]
    disputed: list[Disputed]
    packets: dict[str, Packet]
    scaffolds: dict[str, Scaffold]
    requests: dict[Read, Request]
    answers: dict[Pass, Answer]
    judge_requests: dict[Cell, Request]
    verdicts: dict[Cell, Verdict]


class _Cursor:
    """Rows of one file, taken question by question."""

    def __init__(self, name: str, rows: Iterable[Any]) -> None:
        self._name, self._rows = name, iter(rows)
        self._next = next(self._rows, None)

    def take(self, question_id: str) -> list[Any]:
        """The question's rows. Raises `InputError` for a row before them, whose question is none of the benchmark's."""
        found = []
        while self._next is not None and self._next.question_id <= question_id:
            if self._next.question_id != question_id:
                self.finish()
            found.append(self._next)
            self._next = next(self._rows, None)
        return found

    def finish(self) -> None:
        """Raise `InputError` if a row is left."""
        if self._next is not None:
            problem = f"no question '{self._next.question_id}', or rows out of order"
            raise InputError(problem, file=self._name, field="question_id")


def sources(base: str, cells: Sequence[Cell], there: Mapping[str, Iterable[Any]]) -> Sources:
    """Rows by what they are of. `there` has the rows of each file that exists, by its path under `base`.

    Raises `InputError` for a path that is none of these cells'.
    """
    passes, reads = (list(dict.fromkeys(cell[:n] for cell in cells)) for n in (3, 2))
    systems = list(dict.fromkeys(cell[0] for cell in cells))
    places: dict[str, dict[Any, str]] = {
        "packets": {s: f"{s}/packets.parquet" for s in systems},
        "scaffolds": {s: f"{s}/scaffolds.parquet" for s in systems},
        "requests": {r: "{}/reader={}/requests.parquet".format(*r) for r in reads},
        "answers": {p: "{}/reader={}/pass={}/answers.jsonl".format(*p) for p in passes},
        "judge_requests": {c: "{}/reader={}/pass={}/judge={}/requests.parquet".format(*c) for c in cells},
        "verdicts": {c: "{}/reader={}/pass={}/judge={}/verdicts.jsonl".format(*c) for c in cells},
    }
    singles = {n: f"corpus/{n}.parquet" for n in ("questions", "gold", "evidence")} | {
        "disputed": "corpus/disputed.jsonl"
    }
    known = {f"{base}/{path}" for of in (singles, *places.values()) for path in of.values()}
    if strange := sorted(there.keys() - known):
        raise InputError("belongs to no cell of the browser", file=strange[0])
    found: dict[str, dict[Any, Any]] = {
        name: {key: there[path] for key, end in of.items() if (path := f"{base}/{end}") in there}
        for name, of in places.items()
    }
    rows: dict[str, Any] = {name: there.get(f"{base}/{end}", ()) for name, end in singles.items()}
    return Sources(**rows, **found)


def asked(sources: Sources) -> Iterator[Asked]:
    """All rows of each question in turn, holding one question's rows at a time.

    Raises `InputError` naming the file for a question without gold, and for rows of unknown questions.
    """
    lists = {name: _Cursor(name, getattr(sources, name)) for name in LISTS}
    maps = {
        name: {key: _Cursor(f"{name} of {key}", rows) for key, rows in getattr(sources, name).items()} for name in MAPS
    }
    for question in sources.questions:
        key = question.question_id
        own = {name: cursor.take(key) for name, cursor in lists.items()}
        if not own["gold"]:
            raise InputError(f"no gold for question '{key}'", file="gold", field="question_id")
        found = {name: {k: rows[0] for k, c in of.items() if (rows := c.take(key))} for name, of in maps.items()}
        yield Asked(question, own["gold"][0], own["evidence"], own["disputed"], **found)
    for cursor in [*lists.values(), *(c for of in maps.values() for c in of.values())]:
        cursor.finish()
