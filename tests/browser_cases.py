"""A small made-up benchmark for the question browser, with hostile texts, and the folder that is made of it."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from memtrial.field_map import NOT_RELEASED
from memtrial.records import (
    Answer,
    Disputed,
    Dropped,
    Evidence,
    Gold,
    Message,
    Packet,
    Question,
    Request,
    Scaffold,
    Session,
    Slot,
    Verdict,
)
from memtrial.report import browser
from memtrial.report.browser_index import Index
from memtrial.report.browser_records import Asked, Cell, Sources, asked
from memtrial.request import make_request
from memtrial.text import sha256

HOSTILE = "</script><img src=x onerror=alert(1)>\u2028next\u202egnorw \U0001f4a1 <!-- שלום 'q' \"d\" \\ \u0007"
IDS = ["a|1", "b 100%", "c&q=x", "d"]
QUESTIONS = [f"Which lamp? {HOSTILE}", "Сколько ламп?", "Where is the <b>shelf</b>?", "Who came?"]
TYPES = ["single", "single", "multi", "multi"]
CELLS: list[Cell] = [
    ("chain", "model", "1", "strict"), ("chain", "model", "1", "kind"), ("chain", "model", "2", "strict"),
    ("chain", "model", "2", "kind"), ("outside", "paper", "1", "theirs"), ("trivial", "always-abstain", "1", "strict"),
]  # fmt: skip
KINDS = {"chain": "chain", "outside": "external", "trivial": "trivial"}
# Right or wrong by cell and question: b flips with both judges, c is what the judges disagree on, d was not answered.
VERDICTS = {cell: "1011" if n < 4 else "0000" for n, cell in enumerate(CELLS)} | {
    ("chain", "model", "2", "strict"): "111u",
    ("chain", "model", "2", "kind"): "110n",
}
SESSIONS = [Session("v", n, f"s{n}", f"c{n}", datetime(2024, 3, n + 1, 9)) for n in range(3)]
BODIES = [f"date: one \U0001f4a1\nuser: {HOSTILE}", "date: two\n[... 2 lines elided ...]\nuser: the end"]


def packet(key: str) -> Packet:
    """Two slots; the first shows astral characters, so that a browser counts other than Python."""
    text = "\n\n".join(f"Session {n}\n{body}" for n, body in enumerate(BODIES, 1))
    slots = [
        Slot(1, 0, "prefix", "whole", None, 0, len(BODIES[0]), len(BODIES[0])),
        Slot(2, 1, "extension", "extracted", [0, 3], 2, len(BODIES[1]), 400),
    ]
    return Packet(key, "coverage", slots, [Dropped(2, 7, 40, "budget")], text, len(text), 9, None, sha256(text))


def scaffold(key: str) -> Scaffold:
    text = f"Index.\n- Session 1: “{HOSTILE}”"
    return Scaffold(key, ["counting"], {"counting": "which"}, "v1", [], text, sha256(text), "")


def request(key: str, question: str) -> Request:
    said = f"=== QUESTION ===\n{question}\n=== SESSIONS ===\n{packet(key).text}\n\n{scaffold(key).text}\n\nAnswer:"
    return make_request(key, [Message("system", "Be brief."), Message("user", said)], '{"model":"m"}', {"packet": "p"})


def answer(key: str, of: tuple[str, str, str]) -> Answer:
    base = {"question_id": key, "reasoning": "", "model_requested": "m", "model_resolved": None, "attempts": 1}
    hashes = {f"{name}_sha256": "" for name in ("request", "packet", "scaffold")}
    if of[0] == "outside":
        told = {"status": "error", "answer": "", "raw": "", "finish_reason": None, "usage": {}, "error": NOT_RELEASED}
    elif key == "d" and of[2] == "2":
        told = {"status": "refused", "answer": "", "raw": "", "finish_reason": None, "usage": {}, "error": "filtered"}
    else:
        text = f"Lamp {of[2]} {HOSTILE}"
        told = {"status": "ok", "answer": text, "raw": f"Well.\nAnswer: {text}", "error": None}
        told |= {"finish_reason": "stop", "usage": {"prompt_tokens": 1234}}
    return Answer(**base, **told, **hashes)


def judge_request(key: str, question: str, cell: Cell) -> Request:
    said = f"Question: {question}\nReference: Red\nAnswer: {answer(key, cell[:3]).answer}\nRight?"
    return make_request(key, [Message("user", said)], '{"model":"j"}', {"answer": "a"})


def verdict(key: str, cell: Cell, letter: str) -> Verdict:
    status = {"u": "unparseable", "n": "unanswered"}.get(letter, "judged")
    released = "" if cell[0] == "outside" else sha256(answer(key, cell[:3]).answer)
    correct = letter == "1" if status == "judged" else None
    return Verdict(
        key, status, correct, 0.5, None, f"yes {HOSTILE}", "m", None, "p", "cd" * 32, released, None, 1, None
    )  # fmt: skip


def sources(**changed: Any) -> Sources:
    """The benchmark's rows."""
    asked_ = list(zip(IDS, QUESTIONS, strict=True))
    passes = dict.fromkeys(cell[:3] for cell in CELLS)
    own = [cell for cell in CELLS if cell[0] == "chain"]
    return Sources(
        questions=[Question(i, "v", q, datetime(2024, 4, 1, 9), "en", []) for i, q in asked_],
        gold=[
            Gold(i, ["Red", HOSTILE], t, {"scope": t[0], "__proto__": "x"}, i == "d")
            for i, t in zip(IDS, TYPES, strict=True)
        ],
        evidence=[
            Evidence(i, 2 if i == "c&q=x" else 1, 0, f"answer_{i}", True) for i in IDS
        ] + [Evidence("d", None, None, "D9:9", False)],
        disputed=[
            Disputed("b 100%", "a paper", "WRONG", True, HOSTILE), Disputed("d", "a note", "CITATION", False, "x"),
        ],
        packets={"chain": [packet(i) for i in IDS]},
        scaffolds={"chain": [scaffold(i) for i in IDS]},
        requests={("chain", "model"): [request(i, q) for i, q in asked_]},
        answers={p: [answer(i, p) for i in IDS] for p in passes},
        judge_requests={c: [judge_request(i, q, c) for i, q in asked_ if answer(i, c[:3]).answer] for c in own},
        verdicts={c: [verdict(i, c, VERDICTS[c][n]) for n, i in enumerate(IDS)] for c in CELLS},
    )._replace(**changed)  # fmt: skip


def plenty(number: int) -> Sources:
    """Many questions with nothing but a verdict."""
    ids = [f"q{n:05}" for n in range(number)]
    cell = CELLS[0]
    return Sources(
        [Question(i, "v", f"Question {i}?", None, "en", []) for i in ids], [Gold(i, [], "t", {}, False) for i in ids],
        [], [], {}, {}, {}, {}, {}, {cell: [verdict(i, cell, "1") for i in ids]},
    )  # fmt: skip


def write_browser(folder: Path, rows: Sources, cells: list[Cell] = CELLS) -> Path:
    """Write the page and its files as the script does; returns the page."""
    index, written, files = Index(cells, "exclude"), set[str](), {}
    (folder / browser.FOLDER).mkdir(parents=True)
    for number, one in enumerate(asked(rows), 1):
        index.add(one)
        for name, content in browser.question_files(number, one, SESSIONS, cells, written):
            (folder / browser.FOLDER / name).write_bytes(content)
            files[name] = browser.entry(content)
    (folder / "questions.js").write_bytes(browser.index_script(index, "tiny", KINDS, []))
    (folder / "questions.json").write_text(browser.manifest(files), encoding="utf-8")
    (folder / "questions.html").write_text(browser.page("tiny"), encoding="utf-8")
    return folder / "questions.html"


def value_of(script: bytes) -> Any:
    """What a script file hands to the page."""
    text = script.decode()
    return json.loads(text[text.index(",") + 1 : text.rindex(")")])


def all_asked() -> list[Asked]:
    return list(asked(sources()))
