"""The layout `archivist`: its rules one by one, and the laws that it shares with the others."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packet_cases import ARCHIVIST, COUNTERS, HISTORIES, candidate, compiled, corpus_of, pool

from memtrial.errors import InputError
from memtrial.packet.rendering import Renderer
from memtrial.records import Packet, Reranked

WHOLE = {**ARCHIVIST, "form": "whole", "prefix_sessions": 1}
EXTRACTED = {**ARCHIVIST, "prefix_sessions": 1, "max_sessions": 3}
TALK = "The assistant goes on about other things here.\n"


def rows(pool_order: list[int], reranked: list[int], dense: list[int]) -> tuple[Any, Any]:
    ranks = {p: n for n, p in enumerate(dense, 1)}
    return (
        [candidate(p, ranks.get(p), None, n) for n, p in enumerate(pool_order, 1)],
        [Reranked("q1", p, n, 0.0, None, []) for n, p in enumerate(reranked, 1)],
    )


def forms(packet: Packet) -> list[tuple[int, str, str]]:
    return [(s.position, s.origin, s.form) for s in packet.slots]


def test_blocks_have_no_headings() -> None:
    packet = compiled(corpus_of([["a"], ["b"]]), "chain", ARCHIVIST, *pool([0, 1]))
    assert packet.text == "date: 2024/05/01 (Wed) 09:30\nuser: a\n\ndate: 2024/05/02 (Thu) 09:30\nuser: b"
    assert (packet.layout, packet.chars) == ("archivist", sum(s.chars for s in packet.slots) + 2)


def test_the_whole_form_goes_by_pool_order_and_stops_at_the_first_that_does_not_fit() -> None:
    corpus = corpus_of([["best"], ["x" * 900], ["small"], ["next"]])
    packet = compiled(corpus, "chain", {**WHOLE, "max_tokens": 80}, *rows([0, 3, 1, 2], [2, 1, 0, 3], [0, 1, 2, 3]))
    assert forms(packet) == [(0, "prefix", "whole"), (3, "extension", "whole")]
    # Session 2 would have fitted.
    assert [(d.position, d.rank, d.reason) for d in packet.dropped] == [(2, 1, "budget"), (1, 2, "budget")]
    packet = compiled(corpus, "chain", {**WHOLE, "max_sessions": 2}, *rows([0, 3, 1, 2], [2, 1, 0, 3], [0]))
    assert forms(packet) == [(0, "prefix", "whole"), (3, "extension", "whole")]
    assert {d.reason for d in packet.dropped} == {"sessions"}


def test_the_extracted_form_takes_the_reranked_order_and_extracts_even_what_would_fit() -> None:
    long = ["Hi.", TALK * 9 + "Bye."]
    corpus = corpus_of([["best"], ["short", "one\ntwo\nthree"], long, ["left out"]])
    packet = compiled(corpus, "chain", EXTRACTED, *rows([0, 1, 2, 3], [2, 0, 1, 3], [0]))
    assert forms(packet) == [(0, "prefix", "whole"), (2, "extension", "extracted"), (1, "extension", "extracted")]
    assert packet.slots[2].kept_lines == [0, 1, 4]
    assert "user: short\n[... 2 lines elided ...]\nthree" in packet.text
    assert [(d.position, d.reason) for d in packet.dropped] == [(3, "sessions")]


def test_an_extracted_session_with_nothing_to_elide_keeps_its_form() -> None:
    packet = compiled(corpus_of([["best"], ["user alone"]]), "chain", EXTRACTED, *rows([0, 1], [0, 1], [0]))
    assert (packet.slots[1].form, packet.slots[1].kept_lines, packet.slots[1].elided_lines) == ("extracted", [0, 1], 0)


def test_over_budget_the_lowest_extractions_are_dropped() -> None:
    corpus = corpus_of([["best"], ["y" * 100], ["z"]])
    packet = compiled(corpus, "chain", {**EXTRACTED, "max_tokens": 40}, *rows([0, 1, 2], [2, 1, 0], [0]))
    assert forms(packet) == [(0, "prefix", "whole"), (2, "extension", "extracted")]
    assert [(d.position, d.reason) for d in packet.dropped] == [(1, "budget")]


@pytest.mark.parametrize("form", ["whole", "extracted"])
def test_a_prefix_over_budget_has_its_longest_session_cut_to_the_character(form: str) -> None:
    corpus = corpus_of([["one"], ["line of the user\n" * 60], ["two"], ["three"]])
    spec = {**ARCHIVIST, "form": form, "prefix_sessions": 3, "max_tokens": 100}
    packet = compiled(corpus, "chain", spec, *rows([0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]))
    assert forms(packet) == [(0, "prefix", "whole"), (1, "prefix", "cut"), (2, "prefix", "whole")]
    assert (packet.chars, packet.proxy_tokens) == (400, 100)
    assert [(d.position, d.reason) for d in packet.dropped] == [(3, "budget")]


def test_of_equally_long_sessions_the_lowest_in_rank_is_cut() -> None:
    corpus = corpus_of([["x" * 300], ["y" * 300], ["z"]])
    packet = compiled(corpus, "chain", {**WHOLE, "prefix_sessions": 3, "max_tokens": 150}, *pool([0, 1, 2]))
    assert [s.form for s in packet.slots] == ["whole", "cut", "whole"]


@pytest.mark.parametrize(
    ("letters", "kept", "shown"), [(1, [0, 1], "abc"), (2, [0, 1], "abc"), (3, [0, 1, 2], "abc\nd")]
)
def test_a_line_of_which_nothing_is_left_is_not_kept(letters: int, kept: list[int], shown: str) -> None:
    corpus, body = corpus_of([["abc\ndef"]]), "date: 2024/05/01 (Wed) 09:30\nuser: abc"
    spec = {**WHOLE, "tokenizer": "letters", "max_tokens": len(body) + letters - 1 + len("\n\n")}
    packet = compiled(corpus, "chain", spec, *pool([0]), count_tokens=len)
    assert packet.text == body.removesuffix("abc") + shown
    assert packet.slots[0].kept_lines == kept


def test_the_switch_by_question_type_is_an_oracle_and_needs_the_type() -> None:
    corpus, ranked = corpus_of([["Hi.", "one\ntwo\nthree"], ["Hi.", "one\ntwo\nthree"]]), pool([0, 1])
    spec = {**ARCHIVIST, "form": "oracle-question-type", "prefix_sessions": 1}
    found = {
        name: compiled(corpus, "chain", spec, *ranked, question_types={"q1": name}).slots[1].form
        for name in ("multi-session", "temporal-reasoning", "single-session-user", "knowledge-update")
    }
    assert list(found.values()) == ["extracted", "extracted", "whole", "whole"]
    for types in (None, {"q2": "multi-session"}):
        with pytest.raises(InputError, match=r"question q1.*question type"):
            compiled(corpus, "chain", spec, *ranked, question_types=types)
    for form in ("whole", "extracted"):
        packet = compiled(corpus, "chain", {**spec, "form": form}, *ranked, question_types={"q1": "multi-session"})
        assert packet.slots[1].form == form


@settings(max_examples=200, deadline=None)
@given(HISTORIES, st.integers(0, 300), st.integers(1, 8), st.integers(1, 6), st.sampled_from(["reranked", "dense"]),
       st.sampled_from(["whole", "extracted"]), st.sampled_from(COUNTERS), st.randoms())  # fmt: skip
def test_laws_of_archivist(
    history: list[list[str]], tokens: int, sessions: int, prefix: int, lane: str, form: str, count: Any,
    rng: random.Random,
) -> None:  # fmt: skip
    corpus, ranking = corpus_of(history), list(range(len(history)))
    rng.shuffle(ranking)
    candidates, reranked = pool(ranking, dense=ranking[::-2])
    spec = {**ARCHIVIST, "max_sessions": sessions, "max_tokens": tokens, "prefix": lane, "prefix_sessions": prefix,
            "form": form, "tokenizer": "named" if count else None}  # fmt: skip
    packet = compiled(corpus, "chain", spec, candidates, reranked, count_tokens=count)
    assert Renderer(corpus).rebuilt(packet, "c") == packet.text
    assert (packet.tokens if count else packet.proxy_tokens) <= tokens and len(packet.slots) <= sessions
    found = [s.position for s in packet.slots] + [d.position for d in packet.dropped]
    assert sorted(found) == list(range(len(history)))
    rng.shuffle(candidates)
    rng.shuffle(reranked)
    assert compiled(corpus, "chain", spec, candidates, reranked, count_tokens=count) == packet
