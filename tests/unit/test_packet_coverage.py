"""The layout `coverage`: worked examples and the laws that hold for any corpus, budget and tokenizer."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packet_cases import (
    COUNTERS,
    COVERAGE,
    DATE_LINE,
    HISTORIES,
    QUESTION,
    START,
    compiled,
    corpus_of,
    pool,
)

from memtrial.corpus import Corpus
from memtrial.errors import InputError
from memtrial.packet.compile import compile_packets
from memtrial.packet.extraction import Extractor, content_terms
from memtrial.packet.rendering import Renderer
from memtrial.records import Packet

TALK = "The assistant goes on about other things here.\n"


def forms(packet: Packet) -> list[tuple[int, str, str]]:
    return [(s.position, s.origin, s.form) for s in packet.slots]


def test_chronological_order_is_an_option() -> None:
    corpus = corpus_of([["a"], ["b"], ["c"]])
    packet = compiled(corpus, "chain", {**COVERAGE, "order": "chronological"}, *pool([2, 0, 1]))
    assert [(s.slot, s.position) for s in packet.slots] == [(1, 0), (2, 1), (3, 2)]


def test_dense_prefix_comes_first_then_the_reranked_order() -> None:
    spec = {**COVERAGE, "prefix": "dense", "prefix_sessions": 2}
    packet = compiled(corpus_of([["a"], ["b"], ["c"], ["d"]]), "chain", spec, *pool([3, 2, 1, 0], dense=[0, 2]))
    assert [(s.position, s.origin) for s in packet.slots] == [
        (0, "prefix"),
        (2, "prefix"),
        (3, "extension"),
        (1, "extension"),
    ]


def test_a_session_that_does_not_fit_whole_is_extracted_and_one_that_does_not_fit_at_all_is_passed_over() -> None:
    long = ["I hold a party.", TALK * 20 + "A party is fun.\n" + TALK * 20 + "Bye."]
    corpus = corpus_of([["short"], long, ["u" * 900], ["Party!"], ["last"]])
    packet = compiled(corpus, "chain", {**COVERAGE, "prefix_sessions": 1, "max_tokens": 130}, *pool([0, 1, 2, 3, 4]))
    assert forms(packet) == [
        (0, "prefix", "whole"),
        (1, "extension", "extracted"),
        (3, "extension", "whole"),
        (4, "extension", "whole"),
    ]
    assert (packet.slots[1].kept_lines, packet.slots[1].elided_lines) == ([0, 1, 22, 43], 40)
    assert packet.text.count("[... 20 lines elided ...]") == 2
    size = DATE_LINE + len("\nuser: ") + 900
    assert [(d.position, d.rank, d.chars, d.reason) for d in packet.dropped] == [(2, 3, size, "budget")]


def test_a_prefix_over_budget_is_extracted_from_the_lowest_rank_up() -> None:
    corpus = corpus_of([["Hi.", TALK * 10 + "Bye."] for _ in range(4)])
    whole = len(corpus.text(corpus.conversation("c")[0]))
    # All four would take 4 * whole and their headings; one extraction makes room enough.
    packet = compiled(corpus, "chain", {**COVERAGE, "max_tokens": whole}, *pool([2, 0, 3, 1]))
    assert forms(packet) == [
        (2, "prefix", "whole"),
        (0, "prefix", "whole"),
        (3, "prefix", "whole"),
        (1, "prefix", "extracted"),
    ]
    packet = compiled(corpus, "chain", {**COVERAGE, "max_tokens": whole // 2}, *pool([2, 0, 3, 1]))
    assert [s.form for s in packet.slots] == ["whole", "extracted", "extracted", "extracted"]
    assert packet.dropped == []


def test_what_was_extracted_stands_whole_again_where_the_room_allows() -> None:
    # Extracting the third saves too little, extracting the second more than enough.
    corpus = corpus_of([["best " + "x" * 200], ["Hi.", TALK * 10 + "Bye."], ["Hi.", TALK * 2 + "Bye."]])
    packet = compiled(corpus, "chain", {**COVERAGE, "max_tokens": 150}, *pool([0, 1, 2]))
    assert forms(packet) == [(0, "prefix", "whole"), (1, "prefix", "extracted"), (2, "prefix", "whole")]


def test_no_session_is_extracted_if_its_marks_cost_more_than_its_lines() -> None:
    def dear_marks(text: str) -> int:
        return len(text) + 500 * text.count("elided")

    corpus = corpus_of([["best"], ["Hi.", TALK * 3 + "Bye."]])
    spec = {**COVERAGE, "prefix_sessions": 1, "tokenizer": "x", "max_tokens": 200}
    packet = compiled(corpus, "chain", spec, *pool([0, 1]), count_tokens=dear_marks)
    assert [(s.form, s.kept_lines) for s in packet.slots] == [("whole", None), ("cut", [0, 1, 2])]


@pytest.mark.parametrize(("letters", "shown"), [(-1, ""), (0, ""), (1, "Session 1\ndate: 2024/05/01 (Wed) 09:30\nu")])
def test_a_date_alone_is_not_shown(letters: int, shown: str) -> None:
    size = len("Session 1\n") + DATE_LINE + len("\n") + letters + len("\n\n")
    spec = {**COVERAGE, "tokenizer": "letters", "max_tokens": size}
    assert compiled(corpus_of([["word"]]), "chain", spec, *pool([0]), count_tokens=len).text == shown


def test_sessions_are_dropped_from_the_lowest_rank_up_but_the_best_the_oldest_and_the_newest_stay() -> None:
    corpus = corpus_of([[f"{letter} " + "x" * 150] for letter in "abcdef"])
    packet = compiled(corpus, "chain", {**COVERAGE, "max_tokens": 205}, *pool([2, 3, 1, 4, 0, 5]))
    assert [s.position for s in packet.slots] == [2, 3, 0, 5]
    assert [(d.position, d.rank, d.reason) for d in packet.dropped] == [(1, 3, "budget"), (4, 4, "budget")]


def test_the_oldest_and_the_newest_of_the_first_sessions_displace_better_ones() -> None:
    # Of the first four the dense lane gives 1 and 2; 0 and 3 are the oldest and the newest, 4 is beyond.
    spec = {**COVERAGE, "max_sessions": 4, "prefix": "dense", "prefix_sessions": 4}
    corpus = corpus_of([[w] for w in "abcdef"])
    packet = compiled(corpus, "chain", spec, *pool([1, 2, 3, 0, 4, 5], dense=[1, 4, 2, 5]))
    assert forms(packet) == [(1, "prefix", "whole"), (2, "prefix", "whole"), (3, "extension", "whole"),
                             (0, "extension", "whole")]  # fmt: skip
    assert [(d.position, d.reason) for d in packet.dropped] == [(4, "sessions"), (5, "sessions")]


def test_room_is_kept_for_the_newest_although_a_better_session_wants_it() -> None:
    corpus = corpus_of([["a"], ["b " + "x" * 300], ["Hi.", TALK * 6 + "Bye."]])
    spec = {**COVERAGE, "prefix_sessions": 1, "max_tokens": 105}
    packet = compiled(corpus, "chain", spec, *pool([0, 1, 2]))
    assert forms(packet) == [(0, "prefix", "whole"), (2, "extension", "whole")]
    assert [d.position for d in packet.dropped] == [1]


def test_the_longest_anchors_are_cut_to_a_common_size_last_of_all() -> None:
    corpus = corpus_of([["x" * 5000], ["short"], ["y" * 3000]])
    packet = compiled(corpus, "chain", {**COVERAGE, "max_tokens": 250}, *pool([1, 0, 2]))
    assert forms(packet) == [(1, "prefix", "whole"), (0, "prefix", "cut"), (2, "prefix", "cut")]
    assert packet.slots[1].chars == packet.slots[2].chars
    assert 998 <= packet.chars <= 1000


def test_a_cut_ends_at_a_line_and_says_which_lines_it_shows() -> None:
    corpus = corpus_of([["\n".join(f"line {i} of the user" for i in range(50)), TALK * 9 + "Bye."]])
    packet = compiled(corpus, "chain", {**COVERAGE, "max_tokens": 100}, *pool([0]))
    (slot,) = packet.slots
    text = corpus.text(corpus.conversation("c")[0])
    assert (slot.form, text[slot.chars], packet.text) == ("cut", "\n", f"Session 1\n{text[: slot.chars]}")
    assert slot.kept_lines == list(range(text[: slot.chars].count("\n") + 1))
    assert slot.elided_lines == text.count("\n") + 1 - len(slot.kept_lines or [])
    assert packet.chars <= 400 < packet.chars + len("\nline 18 of the user")


def test_what_is_cut_of_an_extraction_has_its_marks() -> None:
    corpus = corpus_of([["Hi.", "Now\n" + TALK * 9 + "Bye.", "word " * 100]])
    packet = compiled(corpus, "chain", {**COVERAGE, "max_tokens": 60}, *pool([0]))
    assert "[... 11 lines elided ...]\nuser: word" in packet.text
    (slot,) = packet.slots
    assert (slot.form, slot.kept_lines, slot.elided_lines, packet.chars) == ("cut", [0, 1, 13], 11, 240)


def test_one_very_long_line_is_cut_inside_and_fills_the_budget() -> None:
    packet = compiled(corpus_of([["x" * 5000]]), "chain", {**COVERAGE, "max_tokens": 100}, *pool([0]))
    assert (packet.slots[0].form, packet.chars) == ("cut", 400)


def test_a_full_packet_lists_the_rest_and_blank_sessions_are_never_packed() -> None:
    corpus = corpus_of([["a"], [" ", ""], ["c"], ["d"]])
    packet = compiled(corpus, "chain", {**COVERAGE, "max_sessions": 2, "prefix_sessions": 2}, *pool([1, 0, 2, 3]))
    assert [s.position for s in packet.slots] == [0, 2]
    assert [(d.position, d.reason) for d in packet.dropped] == [(1, "blank"), (3, "sessions")]


def test_a_budget_too_small_for_anything_gives_an_empty_packet_and_says_why() -> None:
    packet = compiled(corpus_of([["a"], ["b"]]), "chain", {**COVERAGE, "max_tokens": 2}, *pool([0, 1]))
    assert (packet.text, packet.slots) == ("", [])
    assert [(d.position, d.reason) for d in packet.dropped] == [(0, "budget"), (1, "budget")]


def test_no_candidates_give_an_empty_packet() -> None:
    packet = compiled(corpus_of([["a"]]), "chain", COVERAGE)
    assert (packet.text, packet.slots, packet.dropped) == ("", [], [])


def test_candidates_and_reranked_rows_must_agree_and_be_visible() -> None:
    candidates, reranked = pool([0, 1])
    with pytest.raises(InputError, match=r"q1.*positions \[1\]"):
        compiled(corpus_of([["a"], ["b"]]), "chain", COVERAGE, candidates, reranked[:1])
    hidden, corpus = [QUESTION._replace(asked_at=START)], corpus_of([["a"], ["b"]], future_sessions="drop")
    with pytest.raises(InputError, match="visible"):
        list(compile_packets(hidden, corpus, candidates, reranked, {"kind": "chain", "packet": COVERAGE}))


def test_no_label_can_be_seen() -> None:
    corpus, rows = corpus_of([["a"], ["b"]]), pool([0, 1])
    types = [{"q1": t} for t in ("multi-session", "single-session-user")]
    assert len({compiled(corpus, "chain", COVERAGE, *rows, question_types=t).sha256 for t in types}) == 1


def shortest(corpus: Corpus, position: int) -> int:
    """Characters of a session's shortest form."""
    renderer, session = Renderer(corpus), corpus.conversation("c")[position]
    whole = renderer.whole(session, "extension")
    return Extractor(renderer).condensed(whole, session, content_terms(QUESTION.question)).chars


@settings(max_examples=300, deadline=None)
@given(HISTORIES, st.integers(0, 300), st.integers(1, 8), st.integers(1, 6), st.sampled_from(["reranked", "dense"]),
       st.sampled_from(["ranked", "chronological"]), st.sampled_from(COUNTERS), st.randoms())  # fmt: skip
def test_laws_of_coverage(
    history: list[list[str]], tokens: int, sessions: int, prefix: int, lane: str, order: str, count: Any,
    rng: random.Random,
) -> None:  # fmt: skip
    corpus, ranking = corpus_of(history), list(range(len(history)))
    rng.shuffle(ranking)
    candidates, reranked = pool(ranking, dense=ranking[::-2])
    spec = {**COVERAGE, "max_sessions": sessions, "max_tokens": tokens, "prefix": lane, "prefix_sessions": prefix,
            "order": order, "tokenizer": "named" if count else None}  # fmt: skip
    packet = compiled(corpus, "chain", spec, candidates, reranked, count_tokens=count)
    assert Renderer(corpus).rebuilt(packet, "c") == packet.text
    assert (packet.tokens if count else packet.proxy_tokens) <= tokens and len(packet.slots) <= sessions
    shown = [s.position for s in packet.slots]
    assert sorted(shown + [d.position for d in packet.dropped]) == list(range(len(history)))
    usable = [p for p in ranking if any(text.strip() for text in history[p])]
    anchors = {f(usable[:sessions]) for f in (min, max, lambda window: window[0])} if usable else set()
    # Room for three headings, date lines and one letter of each is enough to show them all.
    assert anchors <= set(shown) or tokens < (35 if count is None else 120)
    if count is None:
        room = 4 * tokens - packet.chars - len(f"\n\nSession {len(shown) + 1}\n" if shown else "Session 1\n")
        assert all(shortest(corpus, d.position) > room for d in packet.dropped if d.reason == "budget")
    assert len(shown) == sessions or all(d.reason != "sessions" for d in packet.dropped)
    rng.shuffle(candidates)
    rng.shuffle(reranked)
    assert compiled(corpus, "chain", spec, candidates, reranked, count_tokens=count) == packet
