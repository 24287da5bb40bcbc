"""Packets of every kind: rendering, budget, accounting, and the kinds rag and full-context."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import pytest
from generated_packets import seal
from hypothesis import given, settings
from hypothesis import strategies as st
from packet_cases import (
    COUNTERS,
    COVERAGE,
    HISTORIES,
    QUESTION,
    START,
    candidate,
    compiled,
    corpus_of,
    floor_tokens,
    piece_tokens,
    pool,
)

from memtrial.errors import InputError
from memtrial.packet import full_context
from memtrial.packet.budget import Budget, BudgetError
from memtrial.packet.compile import compile_packets
from memtrial.packet.rendering import Renderer
from memtrial.records import Slot, TurnHit
from memtrial.text import proxy_tokens, sha256


def test_a_small_packet_reads_like_this() -> None:
    corpus = corpus_of([["I live in Oslo.", "Noted."], ["Hi.\nI moved.", "  "]])
    packet = compiled(corpus, "chain", COVERAGE, *pool([1, 0]))
    assert packet.text == (
        "Session 1\ndate: 2024/05/02 (Thu) 09:30\nuser: Hi.\nI moved.\n\n"
        "Session 2\ndate: 2024/05/01 (Wed) 09:30\nuser: I live in Oslo.\nassistant: Noted."
    )
    assert [(s.slot, s.position, s.origin, s.form, s.kept_lines, s.elided_lines) for s in packet.slots] == [
        (1, 1, "prefix", "whole", None, 0),
        (2, 0, "prefix", "whole", None, 0),
    ]
    # By hand: date line 28, then "\nuser: Hi.\nI moved." 19; headings of 9 with their line break 10; one blank line 2.
    assert packet.slots[0].chars == 28 + 19
    assert packet.chars == packet.slots[0].chars + packet.slots[1].chars + 2 * 10 + 2
    assert (packet.layout, packet.proxy_tokens, packet.tokens) == ("coverage", proxy_tokens(packet.chars), None)
    assert packet.sha256 == sha256(packet.text)


def test_progress_and_the_order_of_question_ids() -> None:
    asked = [QUESTION._replace(question_id=i) for i in ("b", "a")]
    done: list[tuple[int, int]] = []
    spec = {"kind": "full-context", "packet": {}}
    packets = compile_packets(asked, corpus_of([["x"]]), [], [], spec, progress=lambda *counts: done.append(counts))
    assert [p.question_id for p in packets] == ["a", "b"]
    assert done == [(1, 2), (2, 2)]


def test_an_unknown_kind_or_layout_is_named() -> None:
    with pytest.raises(ValueError, match="'magic'"):
        compiled(corpus_of([["a"]]), "magic", {})
    with pytest.raises(ValueError, match="'heap'"):
        compiled(corpus_of([["a"]]), "chain", {**COVERAGE, "layout": "heap"})


def test_a_tokenizer_and_its_counter_go_together() -> None:
    for named, count in (("cl100k_base", None), (None, len)):
        with pytest.raises(ValueError, match="go together"):
            compiled(corpus_of([["a"]]), "full-context", {"tokenizer": named}, count_tokens=count)


def test_tokens_are_those_of_the_whole_text_and_the_budget_counts_them() -> None:
    corpus = corpus_of([["one two three"], ["four five six"]])
    packet = compiled(corpus, "full-context", {"tokenizer": "letters"}, count_tokens=len)
    assert (packet.layout, packet.tokens, packet.chars) == ("history", packet.chars, len(packet.text))
    tight = {"tokenizer": "letters", "max_tokens": packet.chars - 1}
    assert [s.position for s in compiled(corpus, "full-context", tight, count_tokens=len).slots] == [1]


def test_a_plan_that_turns_out_too_long_gives_way_until_it_fits() -> None:
    corpus = corpus_of([[f"number {i} says so"] for i in range(20)])
    whole = compiled(corpus, "full-context", {"tokenizer": "x"}, count_tokens=floor_tokens)
    blocks = [floor_tokens(block) for block in whole.text.split("\n\n")]
    assert whole.tokens is not None and sum(blocks) < whole.tokens
    budget = {"tokenizer": "x", "max_tokens": whole.tokens - 1}
    packet = compiled(corpus, "full-context", budget, count_tokens=floor_tokens)
    assert [s.position for s in packet.slots] == list(range(1, 20))


def test_rag_takes_the_best_pairs_across_sessions_in_ranked_order() -> None:
    corpus = corpus_of([["u0", "a0", "u1", "a1"], ["v0\nmore", "b0"]])
    hits0 = [TurnHit(0, 3, None), TurnHit(1, 3, None), TurnHit(2, 2, 1), TurnHit(3, 2, None)]
    candidates = [candidate(0, 2, hits0), candidate(1, 1, [TurnHit(1, 1, None), TurnHit(0, 1, 2)])]
    packet = compiled(corpus, "rag", {"top_k": 2, "max_tokens": None}, candidates)
    assert packet.text == (
        "Passage 1\ndate: 2024/05/02 (Thu) 09:30\nuser: v0\nmore\nassistant: b0\n\n"
        "Passage 2\ndate: 2024/05/01 (Wed) 09:30\nuser: u1\nassistant: a1"
    )
    assert [(s.position, s.form, s.origin, s.kept_lines, s.elided_lines) for s in packet.slots] == [
        (1, "turns", "passage", [0, 1, 2, 3], 0),
        (0, "turns", "passage", [0, 3, 4], 2),
    ]
    assert packet.layout == "passages"


def test_rag_keeps_to_its_budget_and_refuses_a_rank_of_two_sessions() -> None:
    corpus = corpus_of([["u" * 400, "a0"], ["v0", "b0"]])
    candidates = [candidate(0, 1, [TurnHit(0, 1, None), TurnHit(1, 1, None)]), candidate(1, 2, [TurnHit(0, 2, None)])]
    packet = compiled(corpus, "rag", {"top_k": 10, "max_tokens": 40}, candidates)
    assert [s.position for s in packet.slots] == [1]
    assert [(d.position, d.rank, d.reason) for d in packet.dropped] == [(0, 1, "budget")]
    twice = [candidate(p, 1, [TurnHit(0, 1, None)]) for p in (0, 1)]
    with pytest.raises(InputError, match="two sessions"):
        compiled(corpus, "rag", {"top_k": 10}, twice)


def test_full_context_shows_the_visible_history_in_time_order_and_drops_the_oldest() -> None:
    corpus = corpus_of([["oldest"], [""], ["middle"], ["newest"]])
    packet = compiled(corpus, "full-context", {"max_tokens": None})
    assert [(s.position, s.origin) for s in packet.slots] == [(0, "history"), (2, "history"), (3, "history")]
    packet = compiled(corpus, "full-context", {"max_tokens": 30})
    assert [s.position for s in packet.slots] == [2, 3]
    assert [(d.position, d.rank, d.reason) for d in packet.dropped] == [(1, 3, "blank"), (0, 4, "budget")]
    future = corpus_of([["past"], ["future"]], future_sessions="drop")
    asked = QUESTION._replace(asked_at=START + timedelta(hours=1))
    (packet,) = compile_packets([asked], future, [], [], {"kind": "full-context", "packet": {}})
    assert [s.position for s in packet.slots] == [0]


def test_the_newest_session_of_a_history_is_cut_if_it_alone_is_too_long() -> None:
    packet = compiled(corpus_of([["old"], ["x" * 5000]]), "full-context", {"max_tokens": 100})
    assert [(s.position, s.form, s.kept_lines, s.elided_lines) for s in packet.slots] == [(1, "cut", [0, 1], 0)]
    assert packet.chars == 400
    packet = compiled(corpus_of([["old"], ["x" * 5000]]), "full-context", {"max_tokens": 9})
    assert (packet.slots, [(d.position, d.rank) for d in packet.dropped]) == ([], [(1, 1), (0, 2)])


def test_a_cut_that_shortens_too_little_ends_in_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(full_context, "cut", lambda slot, *_: slot._replace(form="cut", kept_lines=[0, 1]))
    with pytest.raises(BudgetError, match="over its token budget"):
        compiled(corpus_of([["x" * 5000]]), "full-context", {"max_tokens": 100})


def test_accounting_that_does_not_add_up_is_an_error() -> None:
    renderer = Renderer(corpus_of([["hello there"]]))
    right = renderer.whole(renderer.corpus.conversation("c")[0], "prefix")
    wrong = right._replace(chars=right.chars - 1)
    with pytest.raises(BudgetError, match="q1: sizes"):
        seal(QUESTION, [wrong], [], renderer, Budget(None, None))
    with pytest.raises(BudgetError, match="over its token budget"):
        seal(QUESTION, [right], [], renderer, Budget(None, 3))
    with pytest.raises(BudgetError, match="too many slots"):
        seal(QUESTION, [right, right], [], renderer, Budget(1, None))
    with pytest.raises(BudgetError, match="kept lines"):
        seal(QUESTION, [right._replace(kept_lines=[0, 1])], [], renderer, Budget(None, None))
    with pytest.raises(ValueError, match="'torn'"):
        seal(QUESTION, [right._replace(form="torn")], [], renderer, Budget(None, None))


def test_a_text_is_rebuilt_from_the_record_without_its_text() -> None:
    renderer = Renderer(corpus_of([["one\ntwo", "three", "four"]]))
    kept = Slot(0, 0, "prefix", "extracted", [0, 1, 4], 2, 0, 0)
    body = renderer.body(renderer.corpus.conversation("c")[0], "extracted", kept.kept_lines, 0)
    assert body == "date: 2024/05/01 (Wed) 09:30\nuser: one\n[... 2 lines elided ...]\nuser: four"
    slot = kept._replace(chars=len(body), original_chars=len(body))
    packet = seal(QUESTION, [slot], [], renderer, Budget(None, None), "archivist")
    assert packet.text == body
    assert renderer.rebuilt(packet._replace(text=""), "c") == body


@settings(max_examples=150, deadline=None)
@given(HISTORIES, st.integers(0, 200), st.integers(1, 5), st.sampled_from(COUNTERS), st.randoms())
def test_laws_of_rag_and_full_context(
    history: list[list[str]], tokens: int, top_k: int, count: Any, rng: random.Random
) -> None:
    corpus = corpus_of(history)
    pairs = [(i, j) for i, texts in enumerate(history) for j in range(0, len(texts), 2)]
    rng.shuffle(pairs)
    rank = {pair: r for r, pair in enumerate(pairs, 1)}
    candidates = [
        candidate(i, None, [TurnHit(j, rank[i, j - j % 2], None) for j in range(len(texts))])
        for i, texts in enumerate(history)
    ]
    limits = {"max_tokens": tokens, "tokenizer": "named" if count else None}
    for kind, spec in (("rag", {"top_k": top_k, **limits}), ("full-context", limits)):
        packet = compiled(corpus, kind, spec, candidates, count_tokens=count)
        assert Renderer(corpus).rebuilt(packet, "c") == packet.text
        assert (packet.tokens if count else packet.proxy_tokens) <= tokens
        assert packet.tokens == (count(packet.text) if count else None)
        expected = min(top_k, len(pairs)) if kind == "rag" else len(history)
        assert len(packet.slots) + len(packet.dropped) == expected
        rng.shuffle(candidates)
        assert compiled(corpus, kind, spec, candidates, count_tokens=count) == packet


@settings(max_examples=100, deadline=None)
@given(HISTORIES, st.integers(0, 200))
def test_a_history_loses_no_session_that_would_have_fitted(history: list[list[str]], tokens: int) -> None:
    corpus = corpus_of(history)
    packet = compiled(corpus, "full-context", {"max_tokens": tokens})
    lost = [d for d in packet.dropped if d.reason == "budget"]
    if lost and packet.slots and all(s.form == "whole" for s in packet.slots):
        heading = len(f"\n\nSession {len(packet.slots) + 1}\n")
        assert lost[0].rank < lost[-1].rank or len(lost) == 1
        assert packet.chars + heading + lost[0].chars > 4 * tokens


def test_whitespace_that_merges_across_blocks_is_counted_as_the_tokenizer_does() -> None:
    corpus = corpus_of([["a b c"], ["d e f"], ["g h i"]])
    whole = compiled(corpus, "full-context", {"tokenizer": "x"}, count_tokens=piece_tokens)
    assert whole.tokens == piece_tokens(whole.text)
    exact = {"tokenizer": "x", "max_tokens": whole.tokens + 1}
    assert compiled(corpus, "full-context", exact, count_tokens=piece_tokens).slots == whole.slots
