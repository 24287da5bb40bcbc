"""Passages of plain RAG: a user turn with the answer to it, under the session's time (RUMBA's simple RAG)."""

from __future__ import annotations

from typing import NamedTuple

from memtrial.corpus import Corpus, date_text, turn_body, turn_text
from memtrial.records import Turn
from memtrial.retrieval.view import View


class Passage(NamedTuple):
    """`session`: index in the view's sessions; `turns`: turn indices; `text` as embedded."""

    session: int
    turns: list[int]
    text: str


def pairs(turns: list[Turn]) -> list[list[Turn]]:
    """Consecutive turns by two; an assistant's turn always closes its pair.

    >>> roles = ["assistant", "user", "assistant", "user", "assistant"]
    >>> [[t.turn_index for t in p] for p in pairs([Turn("c", i, r, "", "x", None) for i, r in enumerate(roles)])]
    [[0], [1, 2], [3, 4]]
    """
    grouped: list[list[Turn]] = []
    for turn in turns:
        if grouped and len(grouped[-1]) == 1 and grouped[-1][0].role != "assistant":
            grouped[-1].append(turn)
        else:
            grouped.append([turn])
    return grouped


def passages(view: View, corpus: Corpus) -> list[Passage]:
    """All passages of a view's sessions, in order."""
    found = []
    for i, session in enumerate(view.sessions):
        for pair in pairs([t for t in corpus.turns(session) if turn_body(t)]):
            text = "\n".join([f"date: {date_text(session.started_at)}", *map(turn_text, pair)])
            found.append(Passage(i, [t.turn_index for t in pair], text))
    return found
