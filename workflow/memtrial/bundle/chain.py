"""The chain of hashes inside the files of a bundle: packet and scaffold, request, answer, verdict.

Receipts tie files to files; these tie each question's row to the rows that it was made from. So a verdict can be traced
to the very text that the model saw, and a row changed together with its receipt is still found. Text that was withheld
is taken at its stored hash.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from memtrial.bundle.opened import Opened
from memtrial.receipt import Problem
from memtrial.records import Message
from memtrial.request import make_request
from memtrial.store import iterate_plain
from memtrial.text import sha256

Row = dict[str, Any]
Check = Callable[[Row], str | None]
_BATCH = 64  # rows in memory: requests are long
_UNREAD = ("slots", "dropped", "parts", "cues", "operators")
_ANSWERS = re.compile(r"(?P<system>.+)/(?P<reader>reader=[^/]+)/pass=[^/]+/answers\.jsonl$")


def chain(bundle: Opened, places: Mapping[str, str], folder: str) -> tuple[list[Problem], int]:
    """(what does not fit, number of links checked) in the results below `folder`.

    `places`: the name in the bundle of each artifact that can be read, by the artifact's own name; the two differ where
    its text was withheld. One problem a file and kind of link, naming the first question and how many there are.
    """
    walk = _Walk(bundle, places)
    for name in sorted(n for n in places if n.startswith(folder)):
        if found := _ANSWERS.fullmatch(name):
            walk.cell(name, found["system"], f"{found['system']}/{found['reader']}")
    return walk.problems, walk.links


class _Walk:
    """The hashes of the rows read so far, by file and question."""

    def __init__(self, bundle: Opened, places: Mapping[str, str]) -> None:
        self._bundle, self._places = bundle, places
        self._known: dict[str, dict[str, str]] = {}
        self.problems: list[Problem] = []
        self.links = 0

    def cell(self, answers: str, system: str, reader: str) -> None:
        """Check the answers of one pass, all that they rest on, and the verdicts on them."""
        texts = {kind: self._texts(f"{system}/{kind}s.parquet") for kind in ("packet", "scaffold")}
        asked = self._requests(f"{reader}/requests.parquet", {"packet": texts["packet"], "scaffold": texts["scaffold"]})
        links = {"request_sha256": asked, "packet_sha256": texts["packet"], "scaffold_sha256": texts["scaffold"]}
        given = self._rows(answers, [_linked(field, known) for field, known in links.items()], _answer_sha256)
        for verdicts in sorted(self._below(answers.removesuffix("answers.jsonl"), "verdicts.jsonl")):
            judged = self._requests(verdicts.replace("verdicts.jsonl", "requests.parquet"), {"answer": given})
            self._rows(verdicts, [_linked("answer_sha256", given), _linked("request_sha256", judged)], _nothing)

    def _below(self, folder: str, last: str) -> Iterator[str]:
        return (n for n in self._places if n.startswith(folder) and n.endswith(f"/{last}"))

    def _texts(self, name: str) -> dict[str, str]:
        """Hashes of packets or scaffolds, whose texts must have them."""
        return self._rows(name, [] if self._withheld(name) else [_own_text], _own_sha256)

    def _requests(self, name: str, read: Mapping[str, dict[str, str]]) -> dict[str, str]:
        """Hashes of requests, whose messages must have them; `read`: what their context names, by its word for it."""
        checks = [_context(word, known) for word, known in read.items()]
        return self._rows(name, checks if self._withheld(name) else [_own_messages, *checks], _own_sha256)

    def _withheld(self, name: str) -> bool:
        return self._places.get(name, name) != name

    def _rows(self, name: str, checks: list[Check], hashed: Callable[[Row], str | None]) -> dict[str, str]:
        """Check each row of a file once; returns the hashes by which later files name its rows."""
        if name not in self._places or name in self._known:
            return self._known.get(name, {})
        withheld, known = self._withheld(name), self._known.setdefault(name, {})
        failed: dict[str, list[str]] = {}
        with self._bundle.local(self._places[name]) as path:
            for row in iterate_plain(path, _BATCH, _UNREAD):
                question = row["question_id"]
                for problem in filter(None, (check(row) for check in checks)):
                    failed.setdefault(problem, []).append(question)
                self.links += len(checks)
                if (digest := hashed(row)) is not None and not (withheld and hashed is _answer_sha256):
                    known[question] = digest
        for problem, ids in failed.items():
            many = f" and {len(ids) - 1} more" if len(ids) > 1 else ""
            self.problems.append(Problem(self._places[name], f"{problem} (question {ids[0]}{many})"))
        return known


def _linked(field: str, known: Mapping[str, str]) -> Check:
    """A row's hash must be the one known of its question; an empty or unknown one says nothing."""
    word = field.removesuffix("_sha256")

    def check(row: Row) -> str | None:
        there = known.get(row["question_id"])
        other = row[field] and there not in (None, row[field])
        return f"names another {word} than the one that lies here" if other else None

    return check


def _context(word: str, known: Mapping[str, str]) -> Check:
    def check(row: Row) -> str | None:
        there, told = known.get(row["question_id"]), json.loads(row["context"]).get(word)
        return f"was rendered from another {word} than the one that lies here" if there not in (None, told) else None

    return check


def _own_text(row: Row) -> str | None:
    return None if sha256(row["text"]) == row["sha256"] else "the text has not the hash that stands beside it"


def _own_messages(row: Row) -> str | None:
    messages = [Message(**m) for m in row["messages"]]
    made = make_request(row["question_id"], messages, row["parameters"], {})
    return None if made.sha256 == row["sha256"] else "the messages have not the hash that stands beside them"


def _own_sha256(row: Row) -> str:
    return str(row["sha256"])


def _answer_sha256(row: Row) -> str:
    return sha256(row["answer"])


def _nothing(row: Row) -> None:
    """Nothing later names a verdict."""
