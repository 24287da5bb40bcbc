"""Released packet rows re-made from the benchmark's text: the compiler finds form, order, lines, cut and stop."""

from __future__ import annotations

import gzip
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from memtrial.corpus import Corpus
from memtrial.packet.compile import compile_packets
from memtrial.packet.rendering import Renderer
from memtrial.records import Candidate, Packet, Question, Reranked, Session, Turn
from memtrial.text import sha256

pytestmark = pytest.mark.realdata

SETTINGS = {
    "layout": "archivist", "form": "oracle-question-type", "max_sessions": 16, "max_tokens": 40000, "tokenizer": None,
    "prefix": "dense", "prefix_sessions": 10,
}  # fmt: skip
Key = tuple[str, str]  # source session id, date: an id repeats within a haystack


def time(text: str) -> datetime:
    return datetime.strptime(text, "%Y/%m/%d (%a) %H:%M")


@pytest.fixture(scope="module")
def haystacks(data: Path) -> dict[str, dict[str, Any]]:
    folder, found = data / "longmemeval", {}
    for name in ("variants/muhammadnoor7_3haystacks_multiquestion.json.gz", "longmemeval_s_cleaned_36.json.gz"):
        with gzip.open(folder / name, "rt", encoding="utf-8") as file:
            found |= {q["question_id"]: q for q in json.load(file)}
    return found


def corpus_of(haystack: dict[str, Any]) -> tuple[Corpus, dict[Key, int]]:
    """The haystack in clock order, and the position of each of its sessions."""
    columns = (haystack[f"haystack_{name}"] for name in ("session_ids", "dates", "sessions"))
    placed = sorted(zip(*columns, strict=True), key=lambda s: time(s[1]))
    sessions = [Session("c", i, key, f"t{i}", time(date)) for i, (key, date, _) in enumerate(placed)]
    turns = [
        Turn(f"t{i}", j, turn["role"], "", turn["content"], None)
        for i, (_, _, said) in enumerate(placed)
        for j, turn in enumerate(said)
    ]
    return Corpus(sessions, turns), {(key, date): i for i, (key, date, _) in enumerate(placed)}


def ranked(released: dict[str, Any], positions: dict[Key, int], sizes: list[int]) -> tuple[list[Any], list[Any]]:
    """Candidate and reranked rows of the whole haystack, in which the released sessions rank as they did.

    What else was in the pool was not released: the other sessions rank behind, the longest first, so that the rule
    of the whole form (stop at the first that does not fit) meets one that does not fit and then smaller ones.
    """
    rows = {positions[s["session_id"], s["date"]]: s for s in released["sessions"]}
    others = sorted(positions.values() - rows.keys(), key=lambda p: -sizes[p])
    free = max(s["pool_position"] for s in rows.values()) + 1
    pool = {p: s["pool_position"] for p, s in rows.items()} | {p: n for n, p in enumerate(others, free)}
    dense = {p: s["baseline_rank"] for p, s in rows.items()}
    # The reranked order decides on extensions alone, so that of the prefix may be anything.
    order = sorted(rows, key=lambda p: rows[p]["position"])
    order = [p for p in order if dense[p] is None] + [p for p in order[::-1] if dense[p] is not None] + others
    return (
        [Candidate("q", p, n, dense.get(p), None, None, None, None, None, None, []) for p, n in pool.items()],
        [Reranked("q", p, n, 0.0, None, []) for n, p in enumerate(order, 1)],
    )


def remade(data: Path, haystacks: dict[str, Any], name: str) -> tuple[Packet, dict[str, Any], Corpus]:
    folder = data / "archivist_evidence" / "chain"
    released = json.loads((folder / f"packet_row_{name}.json").read_text(encoding="utf-8"))
    haystack = haystacks[name]
    corpus, positions = corpus_of(haystack)
    wording = haystack.get("question") or haystack["questions"][0]
    question = Question("q", "c", wording, time(released["question_date"]), "en", [])
    sizes = [len(corpus.text(s)) for s in corpus.conversation("c")]
    candidates, reranked = ranked(released, positions, sizes)
    spec = {"kind": "chain", "packet": SETTINGS}
    types = {"q": released["question_type"]}
    (packet,) = compile_packets([question], corpus, candidates, reranked, spec, question_types=types)
    return packet, released, corpus


@pytest.mark.parametrize(
    ("name", "sessions", "extracted", "chars", "tokens"),
    [
        ("e47becba", 16, 0, 157_147, 39_287),
        ("852ce960", 12, 0, 158_948, 39_737),
        ("6a1eabeb", 11, 0, 149_225, 37_307),
        ("gpt4_59149c78", 16, 6, 141_166, 35_292),
    ],
)
def test_a_released_packet_is_made_again(
    data: Path, haystacks: dict[str, Any], name: str, sessions: int, extracted: int, chars: int, tokens: int
) -> None:
    packet, released, corpus = remade(data, haystacks, name)
    assert (len(packet.slots), packet.chars, packet.proxy_tokens) == (sessions, chars, tokens)
    account = released["accounting"]
    assert (account["n_sessions"], account["packet_chars"], account["tokens"]) == (sessions, chars, tokens)
    conversation = corpus.conversation("c")
    origins = {"baseline_top10": "prefix", "pool_extension": "extension"}
    assert [
        (conversation[s.position].source_session_id, conversation[s.position].started_at, s.origin, s.chars)
        for s in packet.slots
    ] == [(s["session_id"], time(s["date"]), origins[s["origin"]], s["chars"]) for s in released["sessions"]]
    lines = {
        conversation[s.position].source_session_id: (s.kept_lines, s.elided_lines, s.chars, s.original_chars)
        for s in packet.slots
        if s.form == "extracted"
    }
    assert lines == {
        e["session_id"]: (e["kept_line_indices"], e["n_lines_elided"], e["kept_chars"], e["original_chars"])
        for e in released.get("extractions", [])
    }
    assert len(lines) == extracted
    assert Renderer(corpus).rebuilt(packet, "c") == packet.text


def test_the_text_of_a_released_packet_is_the_materialised_one(data: Path, haystacks: dict[str, Any]) -> None:
    packet, _, _ = remade(data, haystacks, "e47becba")
    folder = data / "archivist_evidence" / "chain"
    row = json.loads((folder / "materialized_row_e47becba_rerendered.json").read_text(encoding="utf-8"))
    assert packet.text == "\n\n".join(row["session_blobs"])
    assert packet.sha256 == sha256("\n\n".join(row["session_blobs"]))
