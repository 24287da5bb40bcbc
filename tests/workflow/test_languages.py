"""A small stand-in for RUMBA in both languages through its presets: the tables of each, and both side by side."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from flow import REPOSITORY, Flow
from rumba import conversations, write

from memtrial.spec import merged

SYSTEMS = {"full-context": {"kind": "full-context"}, "short": {"kind": "full-context", "packet": {"max_tokens": 800}}}
# One system in two families: the presets' blocks ask for all three.
FAMILIES = {"chains": ["short"], "retrieval": ["short"], "long-context": ["full-context"]}
ARTIFACTS = ("slices.csv", "slices.parquet", "contrasts.csv", "contrasts.parquet", "index.html")


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Flow:
    """A finished run of both presets on four conversations and forty questions, with systems that load no model."""
    folder = tmp_path_factory.mktemp("rumba")
    made = conversations(seed=1, n=4, questions=40, sessions=(12, 16))
    overlay: dict[str, Any] = {}
    for name in ("rumba-ru", "rumba-en", "rumba"):
        preset = yaml.safe_load((REPOSITORY / f"config/presets/{name}.yaml").read_text(encoding="utf-8"))
        overlay = merged(overlay, preset)
    for language in ("ru", "en"):
        source = folder / f"rumba_{language}.json.gz"
        write(source, made, language)
        overlay["benchmarks"][f"rumba-{language}"]["source"] = str(source)
    overlay |= {"systems": SYSTEMS}
    overlay["statistics"] |= {"resamples": 200, "families": FAMILIES}
    overlay["run"] |= {"systems": list(SYSTEMS), "judges": ["rumba-f1", "lexical"]}
    flow = Flow(folder, overlay, repository=repository)
    flow.ok("languages", *(f"results/rumba-{x}/statistics/contrasts.csv" for x in ("ru", "en")))
    return flow


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_target_makes_tables_and_page_with_receipts(pair: Flow) -> None:
    for name in ARTIFACTS:
        told = pair.receipt(f"languages/rumba/{name}")
        assert told["artifact"] == f"results/languages/rumba/{name}"
        assert {Path(i).parts[1] for i in told["inputs"]} == {"rumba-ru", "rumba-en"}
    assert pair.due("languages") == set()


def test_both_languages_stand_beside_each_other(pair: Flow) -> None:
    found = {
        (r["kind"], r["name"], r["axis"], r["slice"]): r
        for r in table(pair.path("languages/rumba/contrasts.csv"))
        if r["judge"] == "lexical"
    }
    means = []
    for benchmark in ("rumba-ru", "rumba-en"):
        rows = table(pair.path(f"{benchmark}/statistics/slices.csv"))
        wanted = {"judge": "lexical", "kind": "system", "name": "full-context", "axis": "all"}
        means += [float(r["mean"]) for r in rows if wanted.items() <= r.items()]
    assert min(means) > 0
    row = found["system", "full-context", "all", "all"]
    assert [float(row[f"mean_{side}"]) for side in ("left", "right")] == means
    assert float(row["estimate"]) == pytest.approx(means[0] - means[1], abs=2e-6)
    assert row["n"] == "40"
    assert found["family", "long-context", "all", "all"]["estimate"] == row["estimate"]
    assert {axis for _, _, axis, _ in found} >= {"supergroup", "scope*temporality", "text_temporal_expression"}


def test_the_page_shows_them_and_leads_to_tables_and_receipts(pair: Flow) -> None:
    page = pair.path("languages/rumba/index.html").read_text(encoding="utf-8")
    for name in ("contrasts.csv", "slices.csv", "contrasts.csv.receipt.json"):
        assert f'href="{name}"' in page
    shown = {(r["axis"], r["judge"]) for r in table(pair.path("languages/rumba/slices.csv"))}
    assert page.count("<details") == len(shown)
    assert "40" in page and "rumba-ru" in page and "src=" not in page


def test_the_presets_have_contrasts_of_families_slices_and_their_differences(pair: Flow) -> None:
    rows = table(pair.path("rumba-ru/statistics/contrasts.csv"))
    blocks = {r["block"] for r in rows}
    assert {"families", "families-by-group", "slices-by-scope", "differences-by-time"} <= blocks
    assert {(r["left"], r["right"]) for r in rows if r["block"] == "families"} == {
        ("chains", "retrieval"),
        ("chains", "long-context"),
        ("retrieval", "long-context"),
    }


def test_ingest_lost_nothing_of_the_stand_in(pair: Flow) -> None:
    kinds = {json.loads(line)["kind"] for line in pair.path("rumba-ru/corpus/quality.jsonl").read_text().splitlines()}
    assert kinds <= {"variant", "session-after-question", "repeated-question"}, kinds
