"""The question browser: one page, an index of all questions, and a script file a question and a packet text.

A page that is opened from disk may fetch nothing, but may load scripts: each data file is one call that hands a value
to the page. A packet's text lies in a file named by its hash, so one text of many questions lies there once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from memtrial.records import Session
from memtrial.report.browser_index import Index
from memtrial.report.browser_question import question_object
from memtrial.report.browser_records import Asked, Cell
from memtrial.report.template import render
from memtrial.text import canonical, sha256

FOLDER = "questions"
_SCRIPTS = ("browser.js", "browser_question.js")
# Harmless in JSON, but an end to a script or to a line where they stand in HTML or in JavaScript.
_ESCAPED = {"<": "\\u003c", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def script(name: str, value: Any) -> bytes:
    """A script file that hands `value` to the page under `name`: ends no script element, breaks no line."""
    told = f"memtrial.deliver({canonical(name)},{canonical(value)});\n"
    for character, escaped in _ESCAPED.items():
        told = told.replace(character, escaped)
    return told.encode()


def page(benchmark: str) -> str:
    """The page as HTML text; it holds no data but the benchmark's name."""
    here = Path(__file__).parent
    code = Markup("\n".join((here / name).read_text(encoding="utf-8") for name in _SCRIPTS))
    return render("browser.html.j2", ("page.css", "browser.css"), {"benchmark": benchmark, "script": code})


def index_script(index: Index, benchmark: str, kinds: Mapping[str, str], oracles: Sequence[str]) -> bytes:
    """The index as a script file. `kinds`: each system's kind; `oracles`: systems that read the benchmark's labels."""
    told = {"benchmark": benchmark, "kinds": sorted(kinds.items()), "oracles": sorted(oracles)}
    return script("index", {**index.columns(), **told})


def question_files(
    number: int, asked: Asked, sessions: Sequence[Session], cells: Sequence[Cell], written: set[str]
) -> Iterator[tuple[str, bytes]]:
    """Name and bytes of each file of question `number` (from 1), without the packet texts that are `written` already.

    `written` takes up the names; `sessions` are those of the question's conversation, by position.
    """
    yield f"{number:04}.js", script(f"{number:04}", question_object(asked, sessions, cells))
    for packet in asked.packets.values():
        if packet.sha256 not in written:
            written.add(packet.sha256)
            yield f"{packet.sha256}.js", script(packet.sha256, packet.text)


def manifest(files: Mapping[str, Mapping[str, Any]]) -> str:
    """JSON that names each file of the folder, with its `entry`; `receipt.verify` looks them all up."""
    return json.dumps({"folder": FOLDER, "files": files}, indent=1, sort_keys=True) + "\n"


def entry(content: bytes) -> dict[str, Any]:
    """A file's entry in the manifest."""
    return {"bytes": len(content), "sha256": sha256(content)}
