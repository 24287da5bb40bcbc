"""The pool: a worked example of fusion, and the laws of union and expansion."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memtrial.retrieval.pool import Pool, build_pool

Lanes = tuple[np.ndarray, np.ndarray, np.ndarray]
SIZES = st.fixed_dictionaries({"nominations": st.integers(1, 4), "expansion_limit": st.integers(0, 4)})


@st.composite
def lanes(draw: st.DrawFn, distinct: bool = False) -> Lanes:
    n = draw(st.integers(1, 8))
    scores = st.lists(st.integers(-4, 12), min_size=n, max_size=n, unique=distinct)
    dense, keyword, expansion = (np.array(draw(scores), float) for _ in range(3))
    return dense, keyword, expansion


def fused(pool: Pool, session: int) -> float:
    return sum(1 / (60 + lane[session]) for lane in (pool.dense, pool.keyword) if session in lane)


def test_reciprocal_rank_fusion_worked_by_hand() -> None:
    dense, keyword = np.array([0.9, 0.8, 0.1, 0.0]), np.array([1.0, 0, 2.0, 0])
    pool = build_pool(dense, keyword, np.zeros(4), nominations=2, expansion_limit=0)
    # 0: 1/61 + 1/62; 2: 1/61; 1: 1/62
    assert pool == Pool([0, 2, 1], {0: 1, 1: 2}, {2: 1, 0: 2}, {})


def test_equal_fusion_scores_go_to_the_older_session() -> None:
    dense, keyword = np.array([0.1, 0.8, 0.9]), np.array([0, 9.0, 8.0])
    pool = build_pool(dense, keyword, np.zeros(3), nominations=2, expansion_limit=0)
    assert pool.order == [1, 2]
    assert pool.dense == {2: 1, 1: 2}


def test_expansion_comes_last_in_its_own_order() -> None:
    dense, expansion = np.array([0.9, 0.2, 0.1, 0.0]), np.array([1.0, 0.5, 0.7, 0.9])
    pool = build_pool(dense, np.zeros(4), expansion, nominations=1, expansion_limit=2)
    assert pool == Pool([0, 3, 2], {0: 1}, {}, {3: 1, 2: 2})


def test_a_keyword_score_of_nothing_nominates_nothing() -> None:
    scores = np.array([0.0, -0.3])
    pool = build_pool(np.array([0.2, 0.1]), scores, scores, nominations=2, expansion_limit=0)
    assert pool.keyword == {}


@given(lanes(), SIZES)
def test_the_pool_is_the_union_of_nominations_by_fusion_and_then_the_expansion(
    scores: Lanes, sizes: dict[str, Any]
) -> None:
    keyword = scores[1]
    pool = build_pool(*scores, **sizes)
    best = {i: sorted(range(len(keyword)), key=lambda s: (-lane[s], s)) for i, lane in enumerate(scores)}
    nominated = {*best[0][: sizes["nominations"]], *[s for s in best[1] if keyword[s] > 0][: sizes["nominations"]]}
    added = [s for s in best[2] if s not in nominated][: sizes["expansion_limit"]]
    assert set(pool.order[: len(nominated)]) == nominated == pool.dense.keys() | pool.keyword.keys()
    assert pool.order[len(nominated) :] == added == list(pool.expansion)
    assert len(pool.order) <= 2 * sizes["nominations"] + sizes["expansion_limit"]
    by_fusion = [(-round(fused(pool, s), 12), s) for s in pool.order[: len(nominated)]]
    assert by_fusion == sorted(by_fusion)
    for lane, values in zip((pool.dense, pool.keyword, pool.expansion), scores, strict=True):
        assert list(lane.values()) == list(range(1, len(lane) + 1))
        assert [values[s] for s in lane] == sorted((values[s] for s in lane), reverse=True)


@given(lanes(), SIZES)
def test_expansion_only_adds(scores: Lanes, sizes: dict[str, Any]) -> None:
    without = build_pool(*scores, nominations=sizes["nominations"], expansion_limit=0)
    pool = build_pool(*scores, **sizes)
    assert pool.order[: len(without.order)] == without.order
    assert pool._replace(order=[], expansion={}) == without._replace(order=[])


@given(lanes(distinct=True), SIZES, st.randoms(use_true_random=False))
def test_where_scores_are_distinct_the_order_of_sessions_does_not_matter(
    scores: Lanes, sizes: dict[str, Any], random: Any
) -> None:
    new_of_old = list(range(len(scores[0])))
    random.shuffle(new_of_old)
    moved = [np.empty_like(s) for s in scores]
    for target, source in zip(moved, scores, strict=True):
        target[new_of_old] = source
    pool, other = build_pool(*scores, **sizes), build_pool(*moved, **sizes)
    for lane, renamed in zip(pool[1:], other[1:], strict=True):
        assert {new_of_old[s]: rank for s, rank in lane.items()} == renamed
    assert {new_of_old[s] for s in pool.order} == set(other.order)
    assert [round(fused(pool, s), 12) for s in pool.order] == [round(fused(other, s), 12) for s in other.order]
