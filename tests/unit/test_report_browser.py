"""The question browser's files: what stands in them, and that nothing is lost on the way to the page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from browser_cases import (
    BODIES,
    CELLS,
    HOSTILE,
    IDS,
    SESSIONS,
    all_asked,
    answer,
    packet,
    plenty,
    request,
    scaffold,
    sources,
    value_of,
    write_browser,
)
from hypothesis import given
from hypothesis import strategies as st

from memtrial.errors import InputError
from memtrial.records import Evidence, Gold
from memtrial.report import browser
from memtrial.report.browser_index import Index
from memtrial.report.browser_question import PACKET, question_object
from memtrial.report.browser_records import Sources, asked
from memtrial.report.browser_records import sources as sources_of
from memtrial.text import sha256


def index(abstention: str = "exclude", rows: Sources | None = None) -> dict[str, Any]:
    found = Index(CELLS, abstention)
    for one in asked(rows or sources()):
        found.add(one)
    return found.columns()


def objects() -> list[dict[str, Any]]:
    return [json.loads(json.dumps(question_object(one, SESSIONS, CELLS))) for one in all_asked()]


def test_index_has_a_letter_a_question() -> None:
    found = index()
    assert found["ids"] == IDS
    assert found["types"] == [["multi", "single"], [1, 1, 0, 0]]
    assert found["abstention"] == "0001"
    assert found["disputed"] == "0201"
    assert dict(zip(map(tuple, found["cells"]), found["verdicts"], strict=True)) == {
        CELLS[0]: "1011", CELLS[1]: "1011", CELLS[2]: "111u", CELLS[3]: "110n", CELLS[4]: "0000", CELLS[5]: "0000"
    }  # fmt: skip
    assert dict(zip(map(tuple, found["passes"]), found["answers"], strict=True)) == {
        CELLS[0][:3]: "oooo", CELLS[2][:3]: "ooor", CELLS[4][:3]: "xxxx", CELLS[5][:3]: "oooo"
    }  # fmt: skip


def test_gold_is_looked_for_in_packets_alone_and_not_on_abstention_questions() -> None:
    assert dict(zip(index()["systems"], index()["packets"], strict=True)) == {
        "chain": "110-", "outside": "----", "trivial": "----"
    }  # fmt: skip
    assert index("include")["packets"][0] == "1101"
    without = sources(evidence=[Evidence("a|1", None, None, "D9:9", False)])
    assert index(rows=without)["packets"][0] == "----"


def test_labels_may_lack_and_may_have_any_name() -> None:
    gold = [Gold(i, [], "t", {} if n else {"__proto__": "x"}, False) for n, i in enumerate(IDS)]
    assert index(rows=sources(gold=gold))["labels"] == [["__proto__", ["x"], [0, -1, -1, -1]]]


def test_a_request_is_its_pieces_put_together() -> None:
    for data, one in zip(objects(), all_asked(), strict=True):
        chain = data["systems"][0]
        kept = chain["readers"][0]["request"]
        recorded = request(one.question.question_id, one.question.question)
        built = ["".join(packet("").text if n == PACKET else data["texts"][n] for n in p) for _, p in kept["messages"]]
        assert built == [m.content for m in recorded.messages]
        assert PACKET in kept["messages"][1][1]
        assert data["texts"].index(scaffold("").text) in kept["messages"][1][1]
        assert kept["sha256"] == recorded.sha256


@given(st.text("abc", max_size=6), st.text("abc", max_size=9), st.text("abc", max_size=40))
def test_pieces_lose_nothing(known: str, shown: str, between: str) -> None:
    one = all_asked()[0]
    content = f"{between}{shown}{known}{between}"
    messages = [m._replace(content=content) for m in request("a|1", "q").messages[:1]]
    changed = one._replace(
        packets={"chain": packet("a|1")._replace(text=shown, slots=[])},
        scaffolds={"chain": scaffold("a|1")._replace(text=known)},
        requests={("chain", "model"): request("a|1", "q")._replace(messages=messages)},
    )
    data = question_object(changed, SESSIONS, CELLS)
    pieces = data["systems"][0]["readers"][0]["request"]["messages"][0][1]
    assert "".join(shown if n == PACKET else data["texts"][n] for n in pieces) == content


def test_slots_are_where_a_browser_finds_them() -> None:
    """JavaScript counts in UTF-16 units."""
    units = packet("").text.encode("utf-16-le")
    spans = [slot["span"] for slot in objects()[0]["systems"][0]["packet"]["slots"]]
    assert [units[2 * a : 2 * b].decode("utf-16-le") for a, b in spans] == BODIES


def test_passages_without_a_name_are_found_too() -> None:
    bare = packet("a|1")._replace(text="\n\n".join(BODIES))
    data = question_object(all_asked()[0]._replace(packets={"chain": bare}), SESSIONS, CELLS)
    units = bare.text.encode("utf-16-le")
    spans = [slot["span"] for slot in data["systems"][0]["packet"]["slots"]]
    assert [units[2 * a : 2 * b].decode("utf-16-le") for a, b in spans] == BODIES


def test_what_repeats_is_kept_once() -> None:
    data = objects()[0]
    assert len(data["texts"]) == len(set(data["texts"]))
    assert data["systems"][0]["readers"][0]["passes"][0]["answer"]["answer"] in range(len(data["texts"]))
    assert packet("").text not in data["texts"]


def test_imported_and_trivial_systems_have_answers_and_verdicts_alone() -> None:
    _, outside, trivial = objects()[0]["systems"]
    for system in (outside, trivial):
        assert (system["packet"], system["scaffold"], system["readers"][0]["request"]) == (None, None, None)
    theirs = outside["readers"][0]["passes"][0]
    assert theirs["answer"]["status"] == "error"
    assert theirs["judges"][0]["request"] is None
    assert theirs["judges"][0]["answer_sha256"] == ""


@pytest.mark.parametrize("text", [HOSTILE, "</SCRIPT>", "<!--", "\u2029", "é\U0001f4a1", "\\u003c"])
def test_script_files_keep_texts_and_end_nothing(text: str) -> None:
    written = browser.script(text, {"k": text})
    assert value_of(b"x," + written.split(b",", 1)[1]) == {"k": text}
    assert not re.search("[<\u2028\u2029]", written.decode())
    assert written.count(b"\n") == 1


def test_a_packet_text_that_repeats_lies_there_once(tmp_path: Path) -> None:
    page = write_browser(tmp_path, sources())
    names = sorted(p.name for p in (page.parent / "questions").iterdir())
    assert names == ["0001.js", "0002.js", "0003.js", "0004.js", f"{packet('').sha256}.js"]


def test_manifest_names_every_file(tmp_path: Path) -> None:
    page = write_browser(tmp_path, sources())
    told = json.loads((tmp_path / "questions.json").read_text(encoding="utf-8"))
    assert told.keys() == {"folder", "files"}
    assert told["files"] == {
        p.name: {"bytes": p.stat().st_size, "sha256": sha256(p.read_bytes())}
        for p in (page.parent / told["folder"]).iterdir()
    }


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    made = [write_browser(tmp_path / name, sources()).parent for name in ("one", "two")]
    files = [{p.relative_to(m): p.read_bytes() for m in [root] for p in sorted(m.rglob("*.*"))} for root in made]
    assert files[0] == files[1]


def test_rows_are_taken_one_question_at_a_time() -> None:
    """A file is not read ahead further than to the next row."""
    taken: list[str] = []

    def packets() -> Any:
        for key in IDS:
            taken.append(key)
            yield packet(key)

    first = next(asked(sources(packets={"chain": packets()})))
    assert first.question.question_id == IDS[0]
    assert taken == IDS[:2]


def test_files_may_lack_rows() -> None:
    rows = sources(packets={"chain": [packet("b 100%")]}, disputed=[])
    found = list(asked(rows))
    assert [one.packets.keys() for one in found] == [set(), {"chain"}, set(), set()]
    assert index(rows=rows)["packets"][0] == "-1--"


def test_a_row_of_an_unknown_question_is_refused() -> None:
    for key in ("", "bb", "zz"):
        rows = sorted([*(packet(i) for i in IDS), packet(key)], key=lambda p: p.question_id)
        with pytest.raises(InputError, match=f"packets of chain.*no question '{key}'"):
            list(asked(sources(packets={"chain": rows})))


def test_a_question_without_gold_is_refused() -> None:
    with pytest.raises(InputError, match="no gold for question 'd'"):
        list(asked(sources(gold=list(sources().gold)[:3])))


def test_files_are_known_by_their_paths() -> None:
    at = "results/tiny"
    there: dict[str, Any] = {
        f"{at}/corpus/questions.parquet": "q",
        f"{at}/corpus/disputed.jsonl": "d",
        f"{at}/chain/packets.parquet": "p",
        f"{at}/chain/reader=model/requests.parquet": "r",
        f"{at}/chain/reader=model/pass=2/answers.jsonl": "a",
        f"{at}/chain/reader=model/pass=2/judge=kind/requests.parquet": "jr",
        f"{at}/chain/reader=model/pass=2/judge=kind/verdicts.jsonl": "v",
    }
    found = sources_of(at, CELLS, there)
    assert (found.questions, found.disputed, found.gold, found.scaffolds) == ("q", "d", (), {})
    assert found.packets == {"chain": "p"}
    assert found.requests == {("chain", "model"): "r"}
    assert found.answers == {("chain", "model", "2"): "a"}
    assert (found.judge_requests, found.verdicts) == ({CELLS[3]: "jr"}, {CELLS[3]: "v"})
    with pytest.raises(InputError, match=r"rag/packets\.parquet"):
        sources_of(at, CELLS, {f"{at}/rag/packets.parquet": "p"})


def test_the_page_holds_no_data_and_names_no_address() -> None:
    html = browser.page("tiny <&>")
    assert "tiny &lt;&amp;&gt;" in html
    assert not re.search(r"https?://|\bfetch\(|innerHTML|insertAdjacentHTML|document\.write", html)
    assert re.findall(r'(?:src|href)="([^"]*)"', html) == ["index.html", "questions.js"]


def test_the_index_stays_small() -> None:
    """A question costs its words and a few bytes a cell."""
    few, many = (len(json.dumps(index(rows=plenty(n)))) for n in (100, 1100))
    assert (many - few) / 1000 < 80


def test_answers_that_differ_are_kept_apart() -> None:
    data = objects()[0]
    passes = data["systems"][0]["readers"][0]["passes"]
    shown = [data["texts"][p["answer"]["answer"]] for p in passes]
    assert shown == [answer("a|1", ("chain", "model", n)).answer for n in "12"]
