"""Writes a file of LongMemEval-M's shape (about 500 questions x 500 sessions, 2.5 GB) with invented words.

    python tests/bench/longmemeval_m.py m.json --questions 500 --sessions 500 --bytes 2.5e9

One question is in memory at a time. The same arguments give the same bytes.
"""

from __future__ import annotations

import argparse
import json
import random
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

_TURNS = 10
_SENTENCES = 20_000
_SHARED = 200  # distractor sessions that stand in many haystacks
_SHARED_EVERY = 20
_START = datetime(2023, 1, 1)
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_SYLLABLES = ("ba", "chi", "do", "fen", "gor", "hul", "ka", "lim", "mo", "nar", "pe", "quo", "ris", "su", "tav", "zel")


def generate(path: Path, questions: int = 500, sessions: int = 500, bytes_target: float = 2.5e9, seed: int = 0) -> None:
    """Write `questions` rows of `sessions` sessions (ten turns each) of about `bytes_target` bytes in all.

    One session in twenty is drawn from a pool that all haystacks share, the rest are distinct. The last session holds
    the answer in a flagged turn.
    """
    rng = random.Random(seed)
    pool = [_sentence(rng) for _ in range(_SENTENCES)]
    per_turn = bytes_target / (questions * sessions * _TURNS)
    mean = sum(map(len, pool)) / len(pool) + 1
    sentences = max(1, round((per_turn - 60) / mean))  # about 60 bytes of a turn are JSON
    shared = [_session(rng, pool, sentences) for _ in range(min(_SHARED, sessions))]
    with path.open("w", encoding="utf-8") as out:
        for q in range(questions):
            out.write("[" if q == 0 else ",\n")
            json.dump(_row(rng, q, sessions, pool, sentences, shared), out, ensure_ascii=False, check_circular=False)
        out.write("]\n")


def _row(
    rng: random.Random, q: int, sessions: int, pool: list[str], sentences: int, shared: list[list[dict[str, Any]]]
) -> dict[str, Any]:
    haystack, ids, dates = [], [], []
    for s in range(sessions):
        common = s % _SHARED_EVERY == 0 and s < sessions - 1
        pick = rng.randrange(len(shared))
        haystack.append(shared[pick] if common else _session(rng, pool, sentences))
        ids.append(f"shared_{pick}_{s}" if common else f"m{q}_{s}")
        dates.append(_date(_START + timedelta(hours=12 * s, minutes=rng.randrange(600))))
    ids[-1] = f"answer_{q}"
    haystack[-1] = [{**turn, "has_answer": i == 0} for i, turn in enumerate(haystack[-1])]
    return {
        "question_id": f"m{q:04d}",
        "question_type": "single-session-user",
        "question": f"What did I say about {haystack[-1][0]['content'].split()[0]}?",
        "question_date": _date(_START + timedelta(hours=12 * (sessions + 1))),
        "answer": " ".join(haystack[-1][0]["content"].split()[:5]),
        "answer_session_ids": [ids[-1]],
        "haystack_dates": dates,
        "haystack_session_ids": ids,
        "haystack_sessions": haystack,
    }


def _session(rng: random.Random, pool: list[str], sentences: int) -> list[dict[str, Any]]:
    return [
        {"role": ("user", "assistant")[t % 2], "content": " ".join(rng.choices(pool, k=sentences))}
        for t in range(_TURNS)
    ]


def _sentence(rng: random.Random) -> str:
    words = ("".join(rng.choices(_SYLLABLES, k=rng.randint(1, 3))) for _ in range(rng.randint(6, 24)))
    return " ".join(words).capitalize() + "."


def _date(time: datetime) -> str:
    return f"{time:%Y/%m/%d} ({_WEEKDAYS[time.weekday()]}) {time:%H:%M}"


def main() -> None:
    parser = argparse.ArgumentParser(description="write a file of LongMemEval-M's shape")
    parser.add_argument("path", type=Path)
    parser.add_argument("--questions", type=int, default=500)
    parser.add_argument("--sessions", type=int, default=500)
    parser.add_argument("--bytes", type=float, default=2.5e9)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    generate(args.path, args.questions, args.sessions, args.bytes, args.seed)


if __name__ == "__main__":
    main()
