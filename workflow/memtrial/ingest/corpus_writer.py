"""Gathers the units of a file in bounded memory: records in lists, turns of distinct sessions in spill files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from memtrial.errors import InputError
from memtrial.ingest.conversation import SourceSession, Unit
from memtrial.records import Evidence, Gold, Quality, Question, Session, Turn
from memtrial.text import canonical, sha256

BUCKETS = 64
_HEX_PER_BUCKET = 256 // BUCKETS
_ID_LENGTH = 64


class CorpusWriter:
    """Collects units. Sessions with equal turns are kept once, in one of `BUCKETS` files by prefix of their content id.

    The result does not depend on the order of the units.
    """

    def __init__(self, spill: Path, file: str) -> None:
        self.file = file
        self._paths = [spill / f"{i:02d}" for i in range(BUCKETS)]
        self._stack = ExitStack()
        self._stored: set[bytes] = set()
        self._question_ids: set[str] = set()
        self._fingerprints: dict[str, str] = {}
        self.sessions: list[Session] = []
        self.questions: list[Question] = []
        self.gold: list[Gold] = []
        self.evidence: list[Evidence] = []
        self.findings: set[Quality] = set()

    def __enter__(self) -> Self:
        self._files = [self._stack.enter_context(path.open("wb")) for path in self._paths]
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def add(self, unit: Unit) -> bool:
        """Take in a unit; False if its conversation was there already.

        Raises `InputError` for a question id that occurs twice, and for a conversation that differs from its namesake.
        """
        for question in unit.questions:
            if question.question_id in self._question_ids:
                raise InputError(
                    "expected each question id once, found it again",
                    file=self.file,
                    row=question.question_id,
                    field="question_id",
                )
            self._question_ids.add(question.question_id)
        self.questions += unit.questions
        self.gold += unit.gold
        self.evidence += unit.evidence
        self.findings.update(unit.findings)
        return self._add_conversation(unit)

    def _add_conversation(self, unit: Unit) -> bool:
        fingerprint = sha256(canonical([[s.source_session_id, str(s.started_at), s.content_id] for s in unit.sessions]))
        if before := self._fingerprints.get(unit.conversation_id):
            if before != fingerprint:
                row = unit.questions[0].question_id if unit.questions else unit.conversation_id
                problem = f"expected the same sessions in all rows of conversation {unit.conversation_id}, found others"
                raise InputError(problem, file=self.file, row=row, field="conversation")
            return False
        self._fingerprints[unit.conversation_id] = fingerprint
        for position, s in enumerate(unit.sessions):
            self.sessions.append(
                Session(unit.conversation_id, position, s.source_session_id, s.content_id, s.started_at)
            )
            self._spill(s)
        return True

    def _spill(self, session: SourceSession) -> None:
        digest = bytes.fromhex(session.content_id)
        if digest not in self._stored:
            self._stored.add(digest)
            file = self._files[digest[0] // _HEX_PER_BUCKET]
            file.write(session.content_id.encode() + session.body + b"\n")

    def turns(self) -> Iterator[Turn]:
        """All turns by (content id, turn index), a bucket in memory at a time; nothing can be added afterwards."""
        self._stack.close()
        for path in self._paths:
            for line in sorted(path.read_bytes().splitlines()):
                content_id = line[:_ID_LENGTH].decode()
                for index, turn in enumerate(json.loads(line[_ID_LENGTH:])):
                    yield Turn(content_id, index, *turn)
