"""Packets: worked examples of each kind, and the laws that hold for any corpus and budget."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtrial.corpus import Corpus
from memtrial.errors import InputError
from memtrial.packet import chain, full_context
from memtrial.packet.budget import Budget, BudgetError, seal
from memtrial.packet.compile import compile_packets
from memtrial.packet.rendering import Renderer
from memtrial.records import Candidate, Packet, Question, Reranked, Session, Slot, Turn, TurnHit
from memtrial.text import proxy_tokens, sha256

START = datetime(2024, 5, 1, 9, 30)
QUESTION = Question("q1", "c", "Where do I live?", START + timedelta(days=400), "en", [])
CHAIN = {"max_sessions": 16, "max_tokens": 40000, "prefix": "reranked", "prefix_sessions": 10}


def corpus_of(sessions: list[list[str]], **options: Any) -> Corpus:
    """A conversation "c" of sessions a day apart; turns alternate between user and assistant."""
    rows = [Session("c", i, f"answer_{i}", f"t{i}", START + timedelta(days=i)) for i in range(len(sessions))]
    turns = [
        Turn(f"t{i}", j, ("user", "assistant")[j % 2], "", text, None)
        for i, texts in enumerate(sessions)
        for j, text in enumerate(texts)
    ]
    return Corpus(rows, turns, **options)


def candidate(position: int, dense_rank: int | None = None, hits: list[TurnHit] | None = None) -> Candidate:
    return Candidate("q1", position, position + 1, dense_rank, None, None, None, None, None, None, hits or [])


def pool(order: list[int], dense: list[int] | None = None) -> tuple[list[Candidate], list[Reranked]]:
    """Candidates and reranked rows of sessions in reranked order; `dense` is the dense lane's order."""
    dense_ranks = {p: r for r, p in enumerate(dense if dense is not None else order, 1)}
    return (
        [candidate(p, dense_ranks.get(p)) for p in sorted(order)],
        [Reranked("q1", p, r, 1.0 / r, None, []) for r, p in enumerate(order, 1)],
    )


def compiled(corpus: Corpus, kind: str, packet: dict[str, Any], candidates: Any = (), reranked: Any = ()) -> Packet:
    done: list[tuple[int, int]] = []
    spec = {"kind": kind, "packet": packet}
    packets = list(compile_packets([QUESTION], corpus, candidates, reranked, spec, lambda *counts: done.append(counts)))
    assert done == [(1, 1)]
    return packets[0]


def test_a_small_packet_reads_like_this() -> None:
    corpus = corpus_of([["I live in Oslo.", "Noted."], ["Hi.\nI moved.", "  "]])
    packet = compiled(corpus, "chain", CHAIN, *pool([1, 0]))
    assert packet.text == (
        "Session 1\ndate: 2024/05/02 (Thu) 09:30\nuser: Hi.\nI moved.\n\n"
        "Session 2\ndate: 2024/05/01 (Wed) 09:30\nuser: I live in Oslo.\nassistant: Noted."
    )
    assert [(s.slot, s.position, s.origin, s.form, s.kept_lines) for s in packet.slots] == [
        (1, 1, "prefix", "whole", None),
        (2, 0, "prefix", "whole", None),
    ]
    # By hand: date line 28, then "\nuser: Hi.\nI moved." 19; headings of 9 with their line break 10; one blank line 2.
    assert packet.slots[0].chars == 28 + 19
    assert packet.chars == packet.slots[0].chars + packet.slots[1].chars + 2 * 10 + 2
    assert (packet.proxy_tokens, packet.sha256) == (proxy_tokens(packet.chars), sha256(packet.text))


def test_chronological_order_is_an_option() -> None:
    packet = compiled(corpus_of([["a"], ["b"], ["c"]]), "chain", {**CHAIN, "order": "chronological"}, *pool([2, 0, 1]))
    assert [s.position for s in packet.slots] == [0, 1, 2]
    assert [s.slot for s in packet.slots] == [1, 2, 3]


def test_dense_prefix_comes_first_then_the_reranked_order() -> None:
    spec = {**CHAIN, "prefix": "dense", "prefix_sessions": 2}
    packet = compiled(corpus_of([["a"], ["b"], ["c"], ["d"]]), "chain", spec, *pool([3, 2, 1, 0], dense=[0, 2]))
    assert [(s.position, s.origin) for s in packet.slots] == [
        (0, "prefix"),
        (2, "prefix"),
        (3, "extension"),
        (1, "extension"),
    ]


def test_a_misfit_is_passed_over_and_a_later_smaller_session_still_packed() -> None:
    corpus = corpus_of([["short"], ["x" * 900], ["short too"], ["y" * 900]])
    packet = compiled(corpus, "chain", {**CHAIN, "prefix_sessions": 1, "max_tokens": 50}, *pool([0, 1, 2, 3]))
    assert [s.position for s in packet.slots] == [0, 2]
    assert [(d.position, d.rank, d.reason) for d in packet.dropped] == [(1, 2, "budget"), (3, 4, "budget")]
    assert packet.dropped[0].chars == len("date: 2024/05/02 (Thu) 09:30\nuser: ") + 900


def test_a_full_packet_lists_the_rest_and_blank_sessions_are_never_packed() -> None:
    packet = compiled(
        corpus_of([["a"], [" ", ""], ["c"], ["d"]]), "chain", {**CHAIN, "max_sessions": 2}, *pool([1, 0, 2, 3])
    )
    assert [s.position for s in packet.slots] == [0, 2]
    assert [(d.position, d.reason) for d in packet.dropped] == [(1, "blank"), (3, "sessions")]


def test_a_prefix_over_budget_has_its_longest_session_cut_at_a_line() -> None:
    lines = ["line of the user " + "x" * 20] * 30
    corpus = corpus_of([["short"], lines])
    packet = compiled(corpus, "chain", {**CHAIN, "max_tokens": 150}, *pool([0, 1]))
    whole, cut = packet.slots
    assert (whole.form, cut.form) == ("whole", "cut")
    text = corpus.text(corpus.conversation("c")[1])
    assert text[cut.chars] == "\n" and text[: cut.chars].startswith("date: ")
    assert cut.kept_lines == list(range(text[: cut.chars].count("\n") + 1))
    assert packet.proxy_tokens <= 150 < proxy_tokens(packet.chars + 60)  # one more line would not have fitted


def test_one_very_long_line_is_cut_inside_and_fills_the_budget() -> None:
    packet = compiled(corpus_of([["x" * 5000]]), "chain", {**CHAIN, "max_tokens": 100}, *pool([0]))
    assert (packet.slots[0].form, packet.chars) == ("cut", 400)


def test_a_cut_that_shortens_too_little_ends_in_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (chain, full_context):
        monkeypatch.setattr(module, "cut", lambda slot, *_: slot._replace(form="cut"))
    for kind, spec in (("chain", {**CHAIN, "max_tokens": 100}), ("full-context", {"max_tokens": 100})):
        with pytest.raises(BudgetError, match="over its token budget"):
            compiled(corpus_of([["x" * 5000]]), kind, spec, *pool([0]))


def test_the_newest_session_of_a_history_is_cut_if_it_alone_is_too_long() -> None:
    packet = compiled(corpus_of([["old"], ["x" * 5000]]), "full-context", {"max_tokens": 100})
    assert [(s.position, s.form) for s in packet.slots] == [(1, "cut")]
    assert packet.chars == 400
    packet = compiled(corpus_of([["old"], ["x" * 5000]]), "full-context", {"max_tokens": 9})
    assert (packet.slots, [(d.position, d.rank) for d in packet.dropped]) == ([], [(1, 1), (0, 2)])


def test_a_budget_too_small_for_anything_gives_an_empty_packet_and_says_why() -> None:
    packet = compiled(corpus_of([["a"], ["b"]]), "chain", {**CHAIN, "max_tokens": 2}, *pool([0, 1]))
    assert (packet.text, packet.slots) == ("", [])
    assert [(d.position, d.reason) for d in packet.dropped] == [(0, "budget"), (1, "budget")]


def test_candidates_and_reranked_rows_must_agree_and_be_visible() -> None:
    candidates, reranked = pool([0, 1])
    with pytest.raises(InputError, match=r"q1.*positions \[1\]"):
        compiled(corpus_of([["a"], ["b"]]), "chain", CHAIN, candidates, reranked[:1])
    hidden = [QUESTION._replace(asked_at=START)]
    spec = {"kind": "chain", "packet": CHAIN}
    with pytest.raises(InputError, match="visible"):
        list(
            compile_packets(
                hidden, corpus_of([["a"], ["b"]], future_sessions="drop"), candidates, reranked, spec, print
            )
        )


def test_an_unknown_kind_is_named() -> None:
    with pytest.raises(ValueError, match="'magic'"):
        compiled(corpus_of([["a"]]), "magic", {})


def test_rag_takes_the_best_pairs_across_sessions_in_ranked_order() -> None:
    corpus = corpus_of([["u0", "a0", "u1", "a1"], ["v0\nmore", "b0"]])
    hits0 = [TurnHit(0, 3, None), TurnHit(1, 3, None), TurnHit(2, 2, 1), TurnHit(3, 2, None)]
    candidates = [candidate(0, 2, hits0), candidate(1, 1, [TurnHit(1, 1, None), TurnHit(0, 1, 2)])]
    packet = compiled(corpus, "rag", {"top_k": 2, "max_tokens": None}, candidates)
    assert packet.text == (
        "Passage 1\ndate: 2024/05/02 (Thu) 09:30\nuser: v0\nmore\nassistant: b0\n\n"
        "Passage 2\ndate: 2024/05/01 (Wed) 09:30\nuser: u1\nassistant: a1"
    )
    assert [(s.position, s.form, s.origin, s.kept_lines) for s in packet.slots] == [
        (1, "turns", "passage", [0, 1, 2, 3]),
        (0, "turns", "passage", [0, 3, 4]),
    ]


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
    spec = {"kind": "full-context", "packet": {}}
    asked = QUESTION._replace(asked_at=START + timedelta(hours=1))
    (packet,) = compile_packets([asked], future, [], [], spec)
    assert [s.position for s in packet.slots] == [0]


def test_accounting_that_does_not_add_up_is_an_error() -> None:
    renderer = Renderer(corpus_of([["hello there"]]))
    size = len(renderer.text(renderer.corpus.conversation("c")[0]))
    wrong = Slot(1, 0, "prefix", "whole", None, size - 1, size)
    with pytest.raises(BudgetError, match="q1: sizes"):
        seal(QUESTION, [wrong], [], renderer, Budget(None, None))
    with pytest.raises(BudgetError, match="over its token budget"):
        seal(QUESTION, [wrong._replace(chars=size)], [], renderer, Budget(None, 3))


WORDS = st.text(alphabet="ab йё\n.", max_size=60)
HISTORIES = st.lists(st.lists(WORDS, max_size=6), min_size=1, max_size=12)


@settings(max_examples=200, deadline=None)
@given(HISTORIES, st.integers(0, 200), st.integers(1, 8), st.integers(1, 6), st.sampled_from(["reranked", "dense"]),
       st.sampled_from(["ranked", "chronological"]), st.randoms(use_true_random=False))  # fmt: skip
def test_laws_of_the_chain(
    history: list[list[str]], tokens: int, sessions: int, prefix: int, lane: str, order: str, rng: random.Random
) -> None:
    corpus = corpus_of(history)
    ranking = list(range(len(history)))
    rng.shuffle(ranking)
    candidates, reranked = pool(ranking, dense=ranking[::-2])
    spec = {"max_sessions": sessions, "max_tokens": tokens, "prefix": lane, "prefix_sessions": prefix, "order": order}
    packet = compiled(corpus, "chain", spec, candidates, reranked)
    assert Renderer(corpus).render(packet.slots, "c") == packet.text
    assert packet.proxy_tokens <= tokens and len(packet.slots) <= sessions
    assert sorted([s.position for s in packet.slots] + [d.position for d in packet.dropped]) == list(
        range(len(history))
    )
    if not any(s.form == "cut" for s in packet.slots):
        room = 4 * tokens - packet.chars - len("\n\nSession 9\n")
        assert all(
            d.chars > room for d in packet.dropped if d.reason == "budget" and d.rank > prefix and lane == "reranked"
        )
    rng.shuffle(candidates)
    rng.shuffle(reranked)
    assert compiled(corpus, "chain", spec, candidates, reranked) == packet


@settings(max_examples=100, deadline=None)
@given(HISTORIES, st.integers(0, 200), st.integers(1, 5), st.randoms(use_true_random=False))
def test_laws_of_rag_and_full_context(history: list[list[str]], tokens: int, top_k: int, rng: random.Random) -> None:
    corpus = corpus_of(history)
    pairs = [(i, j) for i, texts in enumerate(history) for j in range(0, len(texts), 2)]
    rng.shuffle(pairs)
    rank = {pair: r for r, pair in enumerate(pairs, 1)}
    candidates = [
        candidate(i, None, [TurnHit(j, rank[i, j - j % 2], None) for j in range(len(texts))])
        for i, texts in enumerate(history)
    ]
    for kind, spec in (("rag", {"top_k": top_k, "max_tokens": tokens}), ("full-context", {"max_tokens": tokens})):
        packet = compiled(corpus, kind, spec, candidates)
        assert Renderer(corpus).render(packet.slots, "c") == packet.text
        assert packet.proxy_tokens <= tokens
        expected = min(top_k, len(pairs)) if kind == "rag" else len(history)
        assert len(packet.slots) + len(packet.dropped) == expected
        rng.shuffle(candidates)
        assert compiled(corpus, kind, spec, candidates) == packet
