"""Changed copies of benchmark files, and the comparison that a control ends in."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from memtrial import store
from memtrial.controls.compare import compare, difference, differing, original
from memtrial.controls.mutate import MUTATIONS, disguise, mutate_file, rotate
from memtrial.errors import InputError
from memtrial.ingest.build import ingest
from memtrial.records import Packet, Scaffold, Slot
from memtrial.text import proxy_tokens, sha256

SAMPLES = Path(__file__).resolve().parents[2] / "resources/sample"
FORMATS = ("longmemeval", "locomo", "rumba")
CONTROLS = ("recompile", "gold-permutation", "label-permutation", "id-sabotage", "row-order")
TABLES = ("sessions", "turns", "questions", "gold", "evidence", "quality")

Tables = dict[str, list[Any]]


def tables(source: Path, fmt: str, folder: Path) -> Tables:
    outputs = {t: folder / f"{t}.{'jsonl' if t == 'quality' else 'parquet'}" for t in TABLES}
    ingest(source, {"format": fmt}, outputs)
    return {t: store.read(p) for t, p in outputs.items()}


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Tables]:
    return {f: tables(SAMPLES / f"{f}-sample.json", f, tmp_path_factory.mktemp(f)) for f in FORMATS}


@pytest.fixture
def after(tmp_path: Path) -> Callable[[str, str], tuple[Tables, dict[str, str]]]:
    """Tables of the changed copy, and the old id of each new one."""

    def changed(fmt: str, control: str) -> tuple[Tables, dict[str, str]]:
        target, names = tmp_path / "changed.json", tmp_path / "names.json"
        told = mutate_file(SAMPLES / f"{fmt}-sample.json", fmt, control, target, names)
        rows = json.loads(target.read_text(encoding="utf-8"))
        assert len(rows) == told["rows"] >= told["rows_changed"] >= (control != "recompile")
        return tables(target, fmt, tmp_path / "corpus"), json.loads(names.read_text(encoding="utf-8"))

    return changed


Changed = Callable[[str, str], tuple[Tables, dict[str, str]]]


def seen(found: Tables) -> Tables:
    """What the stages before the judge are given."""
    return {t: found[t] for t in ("sessions", "turns", "questions")}


def of_gold(found: Tables, *fields: str) -> list[Any]:
    return [tuple(getattr(g, f) for f in fields) for g in found["gold"]]


def test_every_format_has_every_control() -> None:
    assert {fmt: tuple(controls) for fmt, controls in MUTATIONS.items()} == dict.fromkeys(FORMATS, CONTROLS)


@pytest.mark.parametrize("fmt", FORMATS)
def test_gold_permutation_moves_answers_and_evidence_and_nothing_else(
    fmt: str, before: dict[str, Tables], after: Changed
) -> None:
    own, (changed, names) = before[fmt], after(fmt, "gold-permutation")
    assert seen(changed) == seen(own)
    assert names == {}
    answers, moved = of_gold(own, "reference_answers"), of_gold(changed, "reference_answers")
    assert sum(a != b for a, b in zip(answers, moved, strict=True)) > len(answers) / 2
    assert Counter(map(str, answers)) == Counter(map(str, moved)), "the same answers, at other questions"
    assert {e.question_id for e in changed["evidence"]} & {e.question_id for e in own["evidence"]}
    assert changed["evidence"] != own["evidence"]
    assert sum(e.resolved for e in changed["evidence"]) >= 0.8 * len(changed["evidence"])
    assert of_gold(changed, "question_id", "question_type") == of_gold(own, "question_id", "question_type")


@pytest.mark.parametrize("fmt", FORMATS)
def test_label_permutation_moves_types_and_nothing_else(fmt: str, before: dict[str, Tables], after: Changed) -> None:
    own, (changed, names) = before[fmt], after(fmt, "label-permutation")
    assert seen(changed) == seen(own)
    assert names == {}
    assert changed["evidence"] == own["evidence"]
    assert of_gold(changed, "reference_answers") == of_gold(own, "reference_answers")
    types, moved = of_gold(own, "question_type"), of_gold(changed, "question_type")
    assert moved != types
    assert Counter(moved) == Counter(types), "the same labels, at other questions"


@pytest.mark.parametrize("fmt", FORMATS)
def test_id_sabotage_leaves_no_old_id_and_the_rest_as_it_was(
    fmt: str, before: dict[str, Tables], after: Changed
) -> None:
    own, (changed, names) = before[fmt], after(fmt, "id-sabotage")
    assert names
    assert all(new == disguise(old) for new, old in names.items())
    ids = [{q.question_id for q in found["questions"]} for found in (own, changed)]
    assert not ids[0] & ids[1]
    assert not {s.conversation_id for s in own["sessions"]} & {s.conversation_id for s in changed["sessions"]}
    if fmt == "longmemeval":
        assert not {s.source_session_id for s in own["sessions"]} & {s.source_session_id for s in changed["sessions"]}
        assert not any("answer_" in s.source_session_id for s in changed["sessions"])
    renamed = {original(q.question_id, names): q for q in changed["questions"]}
    for q in own["questions"]:
        assert renamed.pop(q.question_id)[2:] == q[2:]
    assert not renamed
    assert changed["turns"] == own["turns"]
    places = [Counter((s.position, s.content_id, s.started_at) for s in found["sessions"]) for found in (own, changed)]
    assert places[0] == places[1]
    answers = [Counter(map(str, of_gold(found, "reference_answers", "question_type"))) for found in (own, changed)]
    assert answers[0] == answers[1]


@pytest.mark.parametrize("control", ["recompile", "row-order"])
@pytest.mark.parametrize("fmt", FORMATS)
def test_an_unchanged_file_and_another_order_change_no_table(
    fmt: str, control: str, before: dict[str, Tables], after: Changed
) -> None:
    changed, names = after(fmt, control)
    assert names == {}
    for table in ("sessions", "turns", "questions", "gold", "evidence"):
        assert changed[table] == before[fmt][table], table


def github_form() -> list[dict[str, Any]]:
    """Two dialogues of four questions each, in the other of RUMBA's published forms."""

    def dialogue(number: int, *told: str) -> dict[str, Any]:
        talk: dict[str, Any] = {"speaker_a": "Я", "speaker_b": "Ассистент"}
        for n, text in enumerate(told, 1):
            talk |= {f"session_{n}": [{"speaker": "Я", "text": text}], f"session_{n}_date_time": f"{n} мая 2023"}
        asked = [
            {
                "question": f"Что {n}?",
                "answer": f"{number}.{n}{kind}",
                "category": kind,
                "evidence": [{"content": text}],
            }
            for n, text in enumerate(told)
            for kind in "аб"
        ]
        return {"dialogue_id": number, "conversation": talk, "qa": asked}

    return [dialogue(1, "Завёл кошку.", "Купил стол."), dialogue(2, "Уехал в Омск.", "Сломал лыжи.")]


@pytest.mark.parametrize("control", CONTROLS)
def test_both_published_forms_of_rumba_have_every_control(tmp_path: Path, control: str) -> None:
    source, target, names = tmp_path / "github.json", tmp_path / "changed.json", tmp_path / "names.json"
    source.write_text(json.dumps(github_form(), ensure_ascii=False), encoding="utf-8")
    mutate_file(source, "rumba", control, target, names)
    own, changed = tables(source, "rumba", tmp_path / "own"), tables(target, "rumba", tmp_path / "changed")
    assert all(e.resolved for e in changed["evidence"])
    known = json.loads(names.read_text(encoding="utf-8"))
    assert len(known) == (2 if control == "id-sabotage" else 0)
    renamed = sorted(original(q.question_id, known) for q in changed["questions"])
    assert renamed == [q.question_id for q in own["questions"]]
    same = {t for t in ("questions", "gold", "evidence") if changed[t] == own[t]}
    assert (
        same
        == {
            "gold-permutation": {"questions"},
            "label-permutation": {"questions", "evidence"},
            "id-sabotage": set(),
            "row-order": {"questions", "gold", "evidence"},
            "recompile": {"questions", "gold", "evidence"},
        }[control]
    )


def test_a_control_that_changes_nothing_is_refused(tmp_path: Path) -> None:
    rows = json.loads((SAMPLES / "longmemeval-sample.json").read_text(encoding="utf-8"))
    for row in rows:
        row["question_type"] = "one-for-all"
    source = tmp_path / "alike.json.gz"
    source.write_bytes(gzip.compress(json.dumps(rows).encode()))
    target, names = tmp_path / "t.json", tmp_path / "n.json"
    with pytest.raises(InputError, match=r"alike\.json\.gz: the control 'label-permutation' changes nothing"):
        mutate_file(source, "longmemeval", "label-permutation", target, names)
    assert not target.exists()
    assert not names.exists()
    mutate_file(source, "longmemeval", "gold-permutation", target, names)
    mutate_file(source, "longmemeval", "recompile", target, names)
    assert json.loads(target.read_text(encoding="utf-8")) == rows


def test_rotation_stays_within_a_group_and_takes_absent_fields_along() -> None:
    rows: list[dict[str, Any]] = [{"g": 1, "a": 1}, {"g": 2, "a": 2}, {"g": 1, "a": 3, "b": 4}, {"g": 1}]
    rotate(rows, ["a", "b"], lambda row: row["g"])
    assert rows == [{"g": 1, "a": 3, "b": 4}, {"g": 2, "a": 2}, {"g": 1}, {"g": 1, "a": 1}]


@pytest.mark.parametrize(
    ("new", "old"), [("x1", "s01"), ("x2-q003", "conv-26-q003"), ("s01", "s01"), ("other-q1", "other-q1")]
)
def test_old_ids_are_found_for_questions_and_for_those_of_a_conversation(new: str, old: str) -> None:
    assert original(new, {"x1": "s01", "x2": "conv-26"}) == old


def packet(name: str, text: str = "text", slots: int = 1) -> Packet:
    shown = [Slot(i + 1, i, "history", "whole", None, 0, 4, 4) for i in range(slots)]
    return Packet(name, "history", shown, [], text, len(text), proxy_tokens(len(text)), None, sha256(text))


def scaffold(name: str) -> Scaffold:
    return Scaffold(name, [], {}, "", [], "", sha256(""), "no-cue")


def test_ids_do_not_count_in_a_comparison_and_all_else_does() -> None:
    ours = [packet("a"), packet("b"), packet("c")]
    assert differing(ours, [packet("xb"), packet("a"), packet("c")], {"xb": "b"}) == {}
    found = differing(ours, [packet("a"), packet("b", "test"), packet("d")], {})
    assert found == {
        "b": "text is 'text', then 'test'",
        "c": "stands in the first run alone",
        "d": "stands in the second run without a counterpart in the first",
    }
    assert differing(ours, [packet("a"), packet("b", slots=2), packet("c")], {}) == {"b": "slots has 1 entries, then 2"}
    assert set(differing(ours, [packet("a"), *ours], {})) == {"a"}, "a row that comes twice"


@pytest.mark.parametrize(
    ("ours", "theirs", "told"),
    [
        (Slot(1, 4, "x", "whole", None, 0, 9, 9), Slot(1, 5, "x", "whole", None, 0, 8, 9), "position is 4, then 5"),
        ([[1], [2, 3]], [[1], [2, 4]], "f[1][1] is 3, then 4"),
        ("short", "other", "f is 'short', then 'other'"),
        ("same" * 20, "same" * 20 + " and more", "f differs from character 80 on: '', then ' and more'"),
        (None, [1], "f is None, then [1]"),
    ],
)
def test_the_first_difference_is_told_in_words(ours: Any, theirs: Any, told: str) -> None:
    assert difference(ours, theirs, "" if isinstance(ours, Slot) else "f") == told


class Comparison:
    """Files of a comparison: packets and scaffolds of three questions on both sides."""

    def __init__(self, folder: Path) -> None:
        self.names = folder / "names.json"
        self.name({"x0": "q0"})
        self.sides = [[folder / side / f"{t}.parquet" for t in ("packets", "scaffolds")] for side in ("ours", "theirs")]
        for side in self.sides:
            store.write(side[0], [packet(f"q{i}") for i in range(3)])
            store.write(side[1], [scaffold(f"q{i}") for i in range(3)])

    def name(self, names: dict[str, str]) -> None:
        self.names.write_text(json.dumps(names), encoding="utf-8")

    def run(self) -> dict[str, Any]:
        return compare("id-sabotage", *self.sides, self.names)


@pytest.fixture
def comparison(tmp_path: Path) -> Comparison:
    return Comparison(tmp_path)


def test_equal_sides_pass_and_the_result_says_what_was_compared(comparison: Comparison) -> None:
    store.write(comparison.sides[1][0], [packet("x0"), packet("q1"), packet("q2")])
    assert comparison.run() == {
        "control": "id-sabotage",
        "passed": True,
        "n": 3,
        "artifacts": {f"{t}.parquet": {"n": 3, "differing": []} for t in ("packets", "scaffolds")},
        "first": None,
        "n_findings": 0,
        "findings": [],
    }


def test_a_packet_and_a_scaffold_that_differ_fail_the_control_and_the_first_is_named(comparison: Comparison) -> None:
    store.write(comparison.sides[1][0], [packet("q0"), packet("q1"), packet("q2", "peeked at the gold")])
    store.write(comparison.sides[1][1], [scaffold(f"q{i}") for i in (0, 2)])
    found = comparison.run()
    assert not found["passed"]
    assert [a["differing"] for a in found["artifacts"].values()] == [["q2"], ["q1"]]
    assert found["first"] == {
        "artifact": "scaffolds.parquet",
        "question_id": "q1",
        "what": "stands in the first run alone",
    }
    assert [f["question_id"] for f in found["findings"]] == ["q1", "q2"]


def test_without_new_ids_the_files_must_be_equal_to_the_byte(comparison: Comparison) -> None:
    comparison.name({})
    assert comparison.run()["passed"]
    other = comparison.sides[1][0]
    pq.write_table(pq.read_table(other), other, compression="none")
    found = comparison.run()
    assert not found["passed"]
    assert (found["first"]["artifact"], found["first"]["question_id"]) == ("packets.parquet", "")
    assert found["first"]["what"].startswith("the rows are equal, the files are not: ")
    comparison.name({"x0": "q0"})
    assert comparison.run()["passed"], "with other ids the bytes must differ"
