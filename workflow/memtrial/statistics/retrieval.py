"""Retrieval measures: where the gold sessions and turns stand in each stage's ranking, and rates over questions.

Relevance is binary. With r the ranks (1-based) of a question's gold items and G their number:
recall_any@k = [min r <= k], recall_all@k = [all r <= k], mrr@k = 1/min r if that is <= k else 0,
ndcg@k = sum over r <= k of 1/log2(1 + r), divided by the same sum over 1..min(k, G) (Järvelin and Kekäläinen, ACM
TOIS 20, 2002). A ranking shorter than k counts as it is; an item that is not in it is never found. A packet's ranking
is the order of its slots; `gold_complete` is recall_all over all of them. A packet shows a turn in a slot that holds
all its rendered lines; the turn's rank is the number of the first such slot, and a blank turn has none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from memtrial.corpus import Corpus
from memtrial.errors import InputError
from memtrial.records import Candidate, Evidence, Gold, Packet, Question, Reranked, Session, Slot
from memtrial.statistics.intervals import MIN_CLUSTERS, Floats, Resampling, rate, resampling_of
from memtrial.statistics.resampling import mean_intervals

STAGES = ("dense", "keyword", "expansion", "pool", "reranked", "packet")
METRICS = ("recall_any", "recall_all", "ndcg", "mrr")
Row = dict[str, Any]
Ranks = dict[str, dict[Hashable, int]]  # question id -> session position or (position, turn index) -> rank
Column = tuple[str, str, int | None]  # stage, metric, k


class RetrievalCell(NamedTuple):
    """What a memory system ranked, of what corpus; lists are empty for stages that it does not have.

    An imported log has no packets (null); `unranked` are questions that it leaves out, which then do not count.
    """

    system: str
    corpus: Corpus
    candidates: Sequence[Candidate]
    reranked: Sequence[Reranked]
    packets: Sequence[Packet] | None
    unranked: frozenset[str] = frozenset()


def rank_rows(
    questions: Iterable[Question],
    gold: Iterable[Gold],
    evidence: Iterable[Evidence],
    cell: RetrievalCell,
    spec: Mapping[str, Any],
) -> list[Row]:
    """Rows of `columns.RANKS`: a question's gold ranks by stage and level, for questions in the denominator.

    recall_any@k holds where `rank_first` <= k, recall_all@k where `rank_all` <= k (null: never).
    Raises `InputError` if a question of the denominator has no packet, or if `reranked` and `candidates` hold
    different questions.
    """
    include = spec["statistics"].get("retrieval_abstention", "exclude") == "include"
    kept = {g.question_id for g in gold if include or not g.abstention} - cell.unranked
    sessions, turns = _gold_items(e for e in evidence if e.question_id in kept and e.resolved)
    _check(cell, sessions)
    home = {q.question_id: q.conversation_id for q in questions}
    turn_ranks = _turn_ranks(cell)
    if cell.packets is not None:
        turn_ranks["packet"] = _shown_turns(cell, cell.packets, turns, home)
    levels = (("session", sessions, _session_ranks(cell)), ("turn", turns, turn_ranks))
    return [
        {"question_id": i, "stage": stage, "level": level, **_places(items[i], ranks[stage].get(i, {}))}
        for level, items, ranks in levels
        for i in sorted(items)
        for stage in STAGES
        if stage in ranks
    ]


def _gold_items(evidence: Iterable[Evidence]) -> tuple[dict[str, set[Hashable]], dict[str, set[Hashable]]]:
    """Gold sessions, and gold turns of the questions whose resolved references all name a turn."""
    rows: dict[str, list[Evidence]] = defaultdict(list)
    for e in evidence:
        if e.position is None:
            raise InputError("a resolved reference needs a position", file="evidence.parquet", row=e.question_id)
        rows[e.question_id].append(e)
    sessions: dict[str, set[Hashable]] = {i: {e.position for e in found} for i, found in rows.items()}
    turns: dict[str, set[Hashable]] = {
        i: {(e.position, e.turn_index) for e in found}
        for i, found in rows.items()
        if all(e.turn_index is not None for e in found)
    }
    return sessions, turns


def _check(cell: RetrievalCell, wanted: Iterable[str]) -> None:
    unpacked = set() if cell.packets is None else set(wanted) - {p.question_id for p in cell.packets}
    if unpacked:
        raise InputError(f"no packet for {', '.join(sorted(unpacked)[:10])}", file=f"{cell.system}/packets.parquet")
    differ = sorted({c.question_id for c in cell.candidates} ^ {r.question_id for r in cell.reranked})
    if cell.candidates and cell.reranked and differ:
        where = f"{cell.system}/reranked.parquet"
        raise InputError(f"not the questions of candidates.parquet: {', '.join(differ[:10])}", file=where)


def _session_ranks(cell: RetrievalCell) -> dict[str, Ranks]:
    stages: dict[str, Ranks] = {} if cell.packets is not None else {"pool": {}}
    for c in cell.candidates:
        ranks = (c.dense_rank, c.keyword_rank, c.expansion_rank, c.pool_rank)
        for stage, rank in zip(STAGES, ranks, strict=False):
            _put(stages, stage, c.question_id, c.position, rank)
    for r in cell.reranked:
        _put(stages, "reranked", r.question_id, r.position, r.rank)
    for p in cell.packets or ():
        positions = dict.fromkeys(s.position for s in sorted(p.slots, key=lambda s: s.slot))
        stages.setdefault("packet", {})[p.question_id] = {item: n for n, item in enumerate(positions, 1)}
    return stages


def _turn_ranks(cell: RetrievalCell) -> dict[str, Ranks]:
    stages: dict[str, Ranks] = {}
    for c in cell.candidates:
        for hit in c.turns:
            _put(stages, "dense", c.question_id, (c.position, hit.turn_index), hit.dense_rank)
            _put(stages, "keyword", c.question_id, (c.position, hit.turn_index), hit.keyword_rank)
    for r in cell.reranked:
        for scored in r.turns:
            _put(stages, "reranked", r.question_id, (r.position, scored.turn_index), scored.rank)
    return stages


def _shown_turns(
    cell: RetrievalCell, packets: Iterable[Packet], items: Mapping[str, set[Hashable]], home: Mapping[str, str]
) -> Ranks:
    """For each question with gold turns the turns that its packet shows of their sessions, by their first slot."""
    ranks: Ranks = {}
    gold_positions = {i: {e[0] for e in found if isinstance(e, tuple)} for i, found in items.items()}
    for packet in (p for p in packets if p.question_id in items):
        sessions = cell.corpus.conversation(home[packet.question_id])
        found = ranks.setdefault(packet.question_id, {})
        for slot in sorted(packet.slots, key=lambda s: s.slot):
            if slot.position in gold_positions[packet.question_id]:
                for turn in _turns_in(slot, sessions[slot.position], cell.corpus):
                    found.setdefault((slot.position, turn), slot.slot)
    return ranks


def _turns_in(slot: Slot, session: Session, corpus: Corpus) -> set[int]:
    """The turns of a session of which a slot shows all lines.

    A cut slot may end within its last line. Where lines before it are elided too, that line counts as broken, since
    the record does not say how long the marks of elision are.
    """
    lines = corpus.lines(session)
    kept = list(range(len(lines))) if slot.kept_lines is None else slot.kept_lines
    if slot.form == "cut":
        whole = "\n".join(lines[n][0] for n in kept)
        kept = kept if len(whole) == slot.chars and kept[-1] == len(kept) - 1 else kept[:-1]
    shown = set(kept)
    missing = {turn.turn_index for n, (_, turn) in enumerate(lines) if turn and n not in shown}
    return {turn.turn_index for _, turn in lines if turn} - missing


def _put(stages: dict[str, Ranks], stage: str, question_id: str, item: Hashable, rank: int | None) -> None:
    if rank is None:
        return
    if rank < 1:
        raise InputError(f"ranks count from 1, found {rank}", file=stage, row=question_id, field="rank")
    stages.setdefault(stage, {}).setdefault(question_id, {})[item] = rank


def _places(items: set[Hashable], ranks: Mapping[Hashable, int]) -> Row:
    found = sorted(ranks[item] for item in items if item in ranks)
    whole = len(found) == len(items)
    return {
        "n_gold": len(items), "ranks": found, "rank_first": found[0] if found else None,
        "rank_all": found[-1] if whole else None,
    }  # fmt: skip


def rate_rows(
    questions: Iterable[Question], gold: Iterable[Gold], system: str, ranks: Iterable[Row], spec: Mapping[str, Any]
) -> list[Row]:
    """Rows of `columns.RETRIEVAL` for one system from its `rank_rows`, overall and by question type.

    Intervals are percentile bootstrap over conversations (over questions where there are few of them).
    """
    conversation = {q.question_id: q.conversation_id for q in questions}
    kind = {g.question_id: g.question_type for g in gold}
    levels: dict[str, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in sorted(ranks, key=lambda r: str(r["question_id"])):
        levels[row["level"]][row["stage"]].append(row)
    rows: list[Row] = []
    for level, stages in sorted(levels.items()):
        ids, columns, values = _measures(level, stages, spec["statistics"]["ks"])
        for name, members in _slices(ids, kind).items():
            part, own = values[members], [ids[m] for m in members]
            low, high = _interval(own, part, [conversation[i] for i in own], resampling_of(spec))
            shared = {"slice": name, "n": len(own)}
            rows += [
                {"system": system, "stage": stage, "level": level, "metric": metric, "k": k, **shared}
                | {"value": rate(mean), "ci_low": rate(low[m]), "ci_high": rate(high[m])}
                for m, ((stage, metric, k), mean) in enumerate(zip(columns, part.mean(axis=0), strict=True))
            ]
    return rows


def _interval(
    ids: Sequence[str], values: Floats, homes: Sequence[str], resampling: Resampling
) -> tuple[Floats, Floats]:
    """The interval of the mean of each column of `values`; too few conversations are not drawn, their questions are."""
    drawn = homes if len(set(homes)) >= MIN_CLUSTERS else ids
    low, high = mean_intervals(values, np.ones((len(values), 1), dtype=bool), drawn, resampling)
    return low[0], high[0]


def _slices(ids: list[str], kind: Mapping[str, str]) -> dict[str, list[int]]:
    slices = {"all": list(range(len(ids)))}
    for question_type in sorted({kind[i] for i in ids}):
        slices[f"question_type={question_type}"] = [n for n, i in enumerate(ids) if kind[i] == question_type]
    return slices


def _measures(level: str, stages: Mapping[str, list[Row]], ks: Sequence[int]) -> tuple[list[str], list[Column], Floats]:
    """Question ids, column names and values [questions x columns] of all stages of one level.

    Turns in a packet have no nDCG: they share the ranks of their slots.
    """
    columns: list[Column] = []
    blocks: list[Floats] = []
    for stage in (s for s in STAGES if s in stages):
        rows = stages[stage]
        found = padded([r["ranks"] for r in rows])
        n_gold = np.array([r["n_gold"] for r in rows])
        kept = [n for n, m in enumerate(METRICS) if (level, stage, m) != ("turn", "packet", "ndcg")]
        for k in ks:
            columns += [(stage, METRICS[n], k) for n in kept]
            blocks.append(measures(found, n_gold, k)[:, kept])
        if stage == "packet":
            columns.append((stage, "gold_complete", None))
            blocks.append(np.array([[float(r["rank_all"] is not None)] for r in rows]))
    ids = [str(r["question_id"]) for r in next(iter(stages.values()))]
    return ids, columns, np.concatenate(blocks, axis=1)


def padded(ranks: Sequence[Sequence[int]]) -> Floats:
    """Rank lists [questions] of unequal length as an array [questions x longest], filled up with infinity."""
    width = max(1, *(len(r) for r in ranks)) if ranks else 1
    return np.array([[*r, *[np.inf] * (width - len(r))] for r in ranks], dtype=np.float64).reshape(len(ranks), width)


def measures(ranks: Floats, n_gold: Any, k: int) -> Floats:
    """The METRICS at k [questions x 4] from ascending gold ranks [questions x any] and gold counts [questions]."""
    hit = ranks <= k
    first = ranks[:, 0]
    gains = np.cumsum(1 / np.log2(np.arange(2, k + 2)))
    ideal = gains[np.minimum(k, n_gold) - 1]
    ndcg = np.where(hit, 1 / np.log2(1 + ranks), 0).sum(axis=1) / ideal
    mrr = np.where(first <= k, 1 / first, 0)
    return np.stack([hit[:, 0], hit.sum(axis=1) == n_gold, ndcg, mrr], axis=1).astype(np.float64)
