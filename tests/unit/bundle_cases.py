"""A small finished run made by hand: two questions, one system, readers of each sort, one judge, a report."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from memtrial import receipt, store
from memtrial.bundle.pack import pack
from memtrial.records import (
    Answer,
    Disputed,
    Evidence,
    Gold,
    Message,
    Packet,
    Quality,
    Question,
    Request,
    Scaffold,
    Session,
    Slot,
    Turn,
    Verdict,
)
from memtrial.request import make_request
from memtrial.text import sha256

NAME = "talks"
ROOT = f"results/{NAME}"
SOURCE = {"sha256": "5" * 64, "bytes": 321}
SAID = (
    "My greyhound Rufus ate a whole wheel of cheese in the pantry.",
    "The lighthouse on the north pier is painted every third spring.",
)
ASKED = ("What did the greyhound named Rufus eat in the pantry that day?", "How often is the lighthouse painted?")
GOLD = ("a whole wheel of cheese, in the pantry", "every third spring")
WRONG = "a loaf of bread that had been left in the pantry"
IDS = ("q1", "q2")
LICENSED = {"licence": "CC BY-NC 4.0", "url": "https://example.org/talks.json", "revision": "1", "citation": "Nobody"}


def config(**benchmark: Any) -> dict[str, Any]:
    """A resolved config of that run."""
    return {
        "benchmarks": {NAME: {"format": "locomo", "registry": "talks", **benchmark}},
        "readers": {"floor": {"kind": "extractive"}, "model": {"kind": "litellm", "model": "maker/reader-1"}},
        "judges": {"strict": {"kind": "litellm", "model": "maker/judge-1", "protocol": "binary"}},
        "run": {"systems": ["chain"], "readers": ["floor", "model"], "judges": ["strict"], "passes": [1]},
    }


class Run:
    """The working directory of the run, and a repository beside it."""

    def __init__(self, folder: Path) -> None:
        self.workdir, self.repository = folder / "work", folder / "repository"
        self.listed: list[str] = []
        self._corpus()
        self._system()
        for reader in ("floor", "model"):
            self._pass(reader)
        self._tables_and_report()
        self.gather()
        for name in ("Snakefile", "LICENSE", "workflow/memtrial/text.py", "config/config.yaml"):
            path = self.repository / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"# {name}\n", encoding="utf-8")
        self.sources = sorted(p for p in self.repository.rglob("*") if p.is_file())

    def path(self, name: str) -> Path:
        return self.workdir / ROOT / name

    def made(self, name: str, inputs: Sequence[str], rows: Sequence[Any] | None = None, **facts: Any) -> None:
        """Write a table if there are rows, and the receipt of the file."""
        if rows is not None:
            store.write(self.path(name), rows)
        told = receipt.make(self.path(name), [self.path(i) for i in inputs], {}, ["memtrial.text"], facts, self.workdir)
        receipt.write(told, receipt.receipt_path(self.path(name)))
        self.listed.append(f"{ROOT}/{name}")

    def gather(self) -> None:
        told = [json.loads((self.workdir / f"{n}{receipt.SUFFIX}").read_text(encoding="utf-8")) for n in self.listed]
        receipt.write(receipt.gather(told), self.path("receipt.json"))

    def pack(self, target: Path, registry: Any = LICENSED, extras: Sequence[str] = (), **benchmark: Any) -> Any:
        spec = {"config": config(**benchmark), "registry": registry, "date": "2026-11-30"}
        places = self.workdir, self.repository
        return pack(target, self.path("receipt.json"), [self.path(e) for e in extras], self.sources, spec, places)

    def _corpus(self) -> None:
        (self.workdir / ROOT).mkdir(parents=True)
        (self.workdir / ROOT / "../../talks.json").write_text("[]", encoding="utf-8")
        source = ["../../talks.json"]
        tables: dict[str, list[Any]] = {
            "sessions.parquet": [Session("c", 0, "s0", "x", None)],
            "turns.parquet": [Turn("x", n, "user", "Ann", text, None) for n, text in enumerate(SAID)],
            "questions.parquet": [Question(i, "c", q, None, "en", []) for i, q in zip(IDS, ASKED, strict=True)],
            "gold.parquet": [
                Gold(i, [g], "single-hop", {"category": "4", "adversarial_answer": WRONG}, False)
                for i, g in zip(IDS, GOLD, strict=True)
            ],
            "evidence.parquet": [Evidence(i, 0, n, f"D1:{n}", True) for n, i in enumerate(IDS)],
            "quality.jsonl": [Quality("odd-gold", "q1", f"the reference says '{GOLD[0]}'")],
            "disputed.jsonl": [Disputed("q1", "audit", "ambiguous", None, f"'{GOLD[0]}' is doubtful")],
        }
        for name, rows in tables.items():
            self.made(f"corpus/{name}", source, rows, **SOURCE)

    def _system(self) -> None:
        text = "\n".join(SAID)
        slots = [Slot(1, 0, "prefix", "whole", None, 0, len(text), len(text))]
        packets = [Packet(i, "coverage", slots, [], text, len(text), 9, None, sha256(text)) for i in IDS]
        index = f"* (x1) user: {SAID[0]}"
        scaffolds = [Scaffold(i, ["dates"], {"dates": "that day"}, "1", [], index, sha256(index), "") for i in IDS]
        self.made("chain/packets.parquet", ["corpus/turns.parquet", "corpus/questions.parquet"], packets)
        self.made("chain/scaffolds.parquet", ["chain/packets.parquet"], scaffolds)
        self.hashes = {"packet": sha256(text), "scaffold": sha256(index)}

    def _requests(self, context: dict[str, str]) -> list[Request]:
        texts = [[Message("user", f"{q}\n{SAID[0]}")] for q in ASKED]
        return [make_request(i, t, "{}", context) for i, t in zip(IDS, texts, strict=True)]

    def _pass(self, reader: str) -> None:
        folder = f"chain/reader={reader}"
        asked = self._requests(self.hashes)
        self.made(f"{folder}/requests.parquet", ["chain/packets.parquet", "chain/scaffolds.parquet"], asked)
        said = SAID[0] if reader == "floor" else "Rufus had cheese."
        hashes = [(r.sha256, self.hashes["packet"], self.hashes["scaffold"], 1, None) for r in asked]
        given = [
            Answer(i, "ok", said, f"Answer: {said}", "", "stop", reader, reader, {}, *h)
            for i, h in zip(IDS, hashes, strict=True)
        ]
        self.made(f"{folder}/pass=1/answers.jsonl", [f"{folder}/requests.parquet"], given)
        cell, digest = f"{folder}/pass=1/judge=strict", sha256(said)
        judged = self._requests({"answer": digest})
        self.made(f"{cell}/requests.parquet", [f"{folder}/pass=1/answers.jsonl", "corpus/gold.parquet"], judged)
        verdicts = [
            Verdict(r.question_id, "judged", True, 1.0, None, "yes", "j", "j", "binary", "t", digest, r.sha256, 1, None)
            for r in judged
        ]
        inputs = [f"{cell}/requests.parquet", f"{folder}/pass=1/answers.jsonl"]
        self.made(f"{cell}/verdicts.jsonl", inputs, verdicts)

    def _tables_and_report(self) -> None:
        record = {"question": ASKED[0], "references": [GOLD[0]], "answer": GOLD[0], "how": "reference", "raw": "yes"}
        controls = json.dumps({"passed": True, "records": [record]})
        self._text("judges/strict/controls.json", controls, "corpus/gold.parquet")
        self._text("judges/strict/controls.html", f"<p>{GOLD[0]}</p>", "judges/strict/controls.json")
        verdicts = [f"chain/reader={r}/pass=1/judge=strict/verdicts.jsonl" for r in ("floor", "model")]
        self.path("statistics").mkdir()
        tables = {"accuracy": {"accuracy": [1.0]}, "disputed": {"question_id": ["q1"], "detail": [GOLD[0]]}}
        for name, columns in tables.items():
            pq.write_table(pa.table(columns), self.path(f"statistics/{name}.parquet"))
            self.made(f"statistics/{name}.parquet", verdicts)
            lines = [",".join(columns), ",".join(str(v[0]) for v in columns.values())]
            self._text(f"statistics/{name}.csv", "\n".join(lines))
        self._text("report/accuracy.svg", "<svg/>", "statistics/accuracy.parquet")
        self._text("report/index.html", f"<p>{ASKED[0]} {SAID[0]}</p>", "statistics/accuracy.parquet")
        page = self.path("report/questions/0001.js")
        page.parent.mkdir()
        page.write_text(f"show({json.dumps(SAID)})\n", encoding="utf-8")
        files = {page.name: {"bytes": page.stat().st_size, "sha256": receipt.bytes_sha256(page)}}
        self._text("report/questions.json", json.dumps({"files": files, "folder": "questions"}), "corpus/turns.parquet")

    def _text(self, name: str, text: str, *inputs: str) -> None:
        self.path(name).parent.mkdir(parents=True, exist_ok=True)
        self.path(name).write_text(text, encoding="utf-8")
        self.made(name, inputs)
