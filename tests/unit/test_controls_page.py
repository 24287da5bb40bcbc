"""What a control's result says, the line that a failure ends in, and the page."""

from __future__ import annotations

import re
from typing import Any

from memtrial.controls.findings import SHOWN, Finding, result, told
from memtrial.controls.mutate import MUTATIONS
from memtrial.controls.page import SHOWS, build_page

COUNTS = {"packets.parquet": 60, "scaffolds.parquet": 60}


def failed() -> dict[str, Any]:
    findings = [Finding("packets.parquet", f"q{i:02}", f"slots[0].position is {i}, then <b>") for i in range(55, 0, -1)]
    return result("label-permutation", COUNTS, findings)


def test_a_result_names_all_questions_and_spells_out_the_first_findings() -> None:
    found = failed()
    assert (found["passed"], found["n"], found["n_findings"]) == (False, 60, 55)
    assert found["first"]["question_id"] == "q01"
    assert len(found["findings"]) == SHOWN
    assert len(found["artifacts"]["packets.parquet"]["differing"]) == 55
    assert found["artifacts"]["scaffolds.parquet"]["differing"] == []


def test_a_failure_is_told_with_control_artifact_and_first_question() -> None:
    whole = result("recompile", COUNTS, [Finding("packets.parquet", "", "the bytes differ")])
    nothing = result("truth", {"scaffolds.parquet": 0}, [])
    assert told("locomo", "chain", [failed(), result("leaks", COUNTS, []), whole, nothing]) == [
        "label-permutation of chain on locomo: packets.parquet, question q01: slots[0].position is 1, then <b>"
        " (1 of 55 findings)",
        "recompile of chain on locomo: packets.parquet, the whole file: the bytes differ",
        "truth of chain on locomo: there was nothing to look at",
    ]


def test_the_page_shows_every_control_its_meaning_and_its_failure_and_escapes_all() -> None:
    passed = [result(name, COUNTS, []) for name in SHOWS if name != "label-permutation"]
    passed[-1] |= {"facts": {"checked": 1234, "unchecked": 5}}
    page = build_page("locomo", "chain", [*passed, failed()])
    assert "1,234 facts checked, 5 not checkable" in page
    assert "1 of 8 controls failed" in page
    assert all(name in page for name in SHOWS)
    assert page.count(">passed<") == 7
    assert "slots[0].position is 1, then &lt;b&gt;" in page
    assert "55 of 60" in page
    assert "5 more" in page
    assert "<b>" not in page
    assert not re.search(r"https?:|<script|src=|<link|url\(", page)
    assert "All 7 controls passed" in build_page("locomo", "chain", passed)


def test_every_control_is_explained() -> None:
    assert SHOWS.keys() == MUTATIONS["locomo"].keys() | {"accounting", "leaks", "truth"}
