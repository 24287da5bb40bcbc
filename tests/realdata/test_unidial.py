"""UniDial-EvalKit's own summary from its own scores: every number of it, by our aggregation."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from memtrial.records import Gold, Question, Verdict
from memtrial.statistics.cells import Cell
from memtrial.statistics.design import design
from memtrial.statistics.dialogues import dialogue_rows

pytestmark = pytest.mark.realdata

LABELS = ["task_type", "task_subtype", "cur_task_type"]
# Upstream crosses its two labels under a name of its own.
AXES = {"task_hierarchy": "task_type*task_subtype"}
RUN = "ude_mt_eval/deepseek-v3.2"


def scores(data: Path) -> list[dict[str, Any]]:
    paths = sorted((data / RUN / "eval_details").glob("*.json"))
    return [row for path in paths for row in json.loads(path.read_text(encoding="utf-8"))]


def rows(data: Path) -> dict[tuple[str, str, str], dict[str, Any]]:
    questions, gold, verdicts = [], [], []
    for s in scores(data):
        i = f"{s['dialog_id']}-{s['turn_id']}-{s['metric_name']}"
        labels = {"turn": str(s["turn_id"]), "metric": s["metric_name"], **s["dialog_labels"], **s["turn_labels"]}
        questions.append(Question(i, str(s["dialog_id"]), "", None, "en", []))
        gold.append(Gold(i, [], s["dialog_labels"]["task_type"], labels, False))
        verdicts.append(verdict(i, s["score"]))
    aggregates = json.loads((data / RUN / "summary.json").read_text())["summary"]["config"]
    dialogues = {"turn": aggregates["turn_stat"], "dialogue": aggregates["dialog_stat"]}
    settings = {"statistics": {"dialogues": dialogues, "axes": [*LABELS, *AXES.values()]}}
    shape = design(questions, gold, [], [], None, settings)
    found = dialogue_rows(shape, questions, gold, [Cell("deepseek-v3.2", "r", "1", "j", verdicts)], settings)
    return {(r["level"], r["axis"], r["slice"]): r for r in found}


def verdict(question_id: str, score: float) -> Verdict:
    return Verdict(question_id, "judged", score >= 0.5, score, None, "", "m", None, "p", "t", "", None, 1, None)


def test_every_number_of_the_summary(data: Path) -> None:
    found, checked = rows(data), 0
    summary = json.loads((data / RUN / "summary.json").read_text(encoding="utf-8"))["summary"]
    wanted = [("dialog", f"all:('all', '{name}')", value) for name, value in summary["global"].items()]
    wanted += [(level, *entry) for level, values in summary["by_label"].items() for entry in values.items()]
    for level, key, value in wanted:
        label, _, rest = key.partition(":")
        name, statistic = ast.literal_eval(rest)
        row = found["dialogue" if level == "dialog" else "turn", AXES.get(label, label), name.replace(" > ", " × ")]
        ours = row["n" if statistic == "count" else statistic]
        assert ours == pytest.approx(value, abs=5e-7), (level, key)
        checked += 1
    assert checked == 4 + 4 * (4 + 2 + 8) + 4 * 3


def test_the_records_that_it_is_made_of(data: Path) -> None:
    found = rows(data)
    assert (len(scores(data)), found["turn", "all", "all"]["n"], found["dialogue", "all", "all"]["n"]) == (47, 47, 10)
    metrics = {name: r["n"] for (level, axis, name), r in found.items() if (level, axis) == ("turn", "metric")}
    assert metrics == {
        "instruction_following->startend:start_char": 11,
        "llm_judge->expansion_evaluation": 8,
        "llm_judge->mt_bench_evaluation": 4,
        "llm_judge->refinement_multi_evaluation": 12,
        "llm_judge->refinement_single_evaluation": 1,
        "precision": 11,
    }
    assert ("dialogue", "cur_task_type", "sum") not in found
