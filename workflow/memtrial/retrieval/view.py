"""What a group of questions can see of a conversation: its sessions and non-blank turns, as arrays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from memtrial.corpus import Corpus, date_text, turn_body, turn_text
from memtrial.records import Question, Session


class View(NamedTuple):
    """Sessions visible to `questions`, and their non-blank turns in (position, turn index) order.

    `session_of` and `turn_of`: int32 [turns], the session's index in `sessions` and the turn index. Sessions without
    a non-blank turn are left out: there is nothing to find in them.
    """

    questions: list[Question]
    sessions: list[Session]
    texts: list[str]
    session_of: np.ndarray
    turn_of: np.ndarray

    @property
    def starts(self) -> np.ndarray:
        """Index of each session's first turn, for `reduceat`."""
        return np.flatnonzero(np.diff(self.session_of, prepend=-1))

    def best_per_session(self, scores: np.ndarray) -> np.ndarray:
        """Greatest score [..., sessions] of scores [..., turns]."""
        return np.asarray(np.maximum.reduceat(scores, self.starts, axis=-1))


def views(questions: Iterable[Question], corpus: Corpus, date_header: bool = False) -> Iterator[View]:
    """One view for each set of sessions that some questions share; questions in it in text order.

    Text order, not id order: ids must not reach the composition of any matrix product.
    """
    groups: dict[tuple[str, tuple[int, ...]], list[Question]] = defaultdict(list)
    for question in questions:
        groups[question.conversation_id, tuple(s.position for s in corpus.visible(question))].append(question)
    for (conversation_id, positions), members in groups.items():
        sessions: list[Session] = []
        texts: list[str] = []
        session_of: list[int] = []
        turn_of: list[int] = []
        for session in (corpus.conversation(conversation_id)[p] for p in positions):
            turns = [t for t in corpus.turns(session) if turn_body(t)]
            header = f"date: {date_text(session.started_at)}\n" if date_header else ""
            texts += [header + turn_text(t) for t in turns]
            session_of += [len(sessions)] * len(turns)
            turn_of += [t.turn_index for t in turns]
            sessions += [session] if turns else []
        ordered = sorted(members, key=lambda q: (q.question, q.question_id))
        yield View(ordered, sessions, texts, np.array(session_of, np.int32), np.array(turn_of, np.int32))
