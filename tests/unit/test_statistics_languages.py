"""Two benchmarks that hold the same questions: scores side by side, differences question by question, their page."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from memtrial.errors import InputError
from memtrial.records import Verdict
from memtrial.report.languages import build_page, sections
from memtrial.statistics import columns
from memtrial.statistics.cells import Cell
from memtrial.statistics.design import Design, Slice
from memtrial.statistics.languages import Language, language_rows

N = 40
IDS = tuple(f"{i}|q0" for i in range(10, 10 + N))
RNG = np.random.default_rng(11)
RIGHT = {language: {s: RNG.random(N) < p for s, p in chances} for language, chances in (
    ("ru", (("a", 0.4), ("b", 0.6))), ("en", (("a", 0.8), ("b", 0.6))),
)}  # fmt: skip


def language(name: str, right: dict[str, Any] | None = None, **changes: Any) -> Language:
    slices = (
        Slice("all", "all", IDS), Slice("scope", "single", IDS[:25]), Slice("scope", "multi", IDS[25:]),
        Slice("language", name, IDS),
    )  # fmt: skip
    design = Design(IDS, slices, {"published": frozenset(IDS)}, {i: i for i in IDS}, {}, frozenset())
    return Language(f"rumba-{name}", design._replace(**changes), cells(right or RIGHT[name]))


def cells(right: dict[str, Any]) -> list[Cell]:
    return [Cell(s, "r", "1", "j", [verdict(i, v) for i, v in zip(IDS, of, strict=True)]) for s, of in right.items()]


def verdict(question_id: str, correct: Any) -> Verdict:
    status, known = ("error", None) if correct is None else ("judged", bool(correct))
    return Verdict(question_id, status, known, None, None, "", "m", None, "binary", "", "", None, 1, None)


SPEC: dict[str, Any] = {
    "statistics": {"resamples": 300, "seed": 1, "confidence": 0.95, "families": {"both": ["a", "b"]}}
}


def found(rows: list[dict[str, Any]], **wanted: str) -> list[dict[str, Any]]:
    return [r for r in rows if wanted.items() <= r.items()]


def test_the_difference_is_question_by_question() -> None:
    slices, contrasts = language_rows(language("ru"), language("en"), SPEC)
    (row,) = found(contrasts, name="a", slice="all")
    paired = RIGHT["ru"]["a"].astype(float) - RIGHT["en"]["a"]
    assert (row["left"], row["right"], row["n"]) == ("rumba-ru", "rumba-en", N)
    assert row["estimate"] == pytest.approx(paired.mean(), abs=1e-6)
    assert row["se"] == pytest.approx(paired.std(ddof=1) / np.sqrt(N), abs=1e-6)
    assert row["p"] == pytest.approx(stats.ttest_1samp(paired, 0).pvalue, rel=1e-5)
    (family,) = found(contrasts, name="both", slice="all")
    other = RIGHT["ru"]["b"].astype(float) - RIGHT["en"]["b"]
    assert family["estimate"] == pytest.approx((paired + other).mean() / 2, abs=1e-6)
    for side, name in (("left", "ru"), ("right", "en")):
        (own,) = found(slices, benchmark=f"rumba-{name}", name="a", slice="all")
        assert own["mean"] == row[f"mean_{side}"] == pytest.approx(RIGHT[name]["a"].mean(), abs=1e-6)
    assert set(slices[0]) == set(columns.LANGUAGE_SLICES.names)
    assert set(contrasts[0]) == set(columns.LANGUAGE_CONTRASTS.names)


def test_the_axes_of_texts_are_left_out_and_a_block_is_one_kind_along_one_axis() -> None:
    _, contrasts = language_rows(language("ru"), language("en"), SPEC)
    blocks = {r["block"]: r["tests"] for r in contrasts}
    assert blocks == {"system by all": 2, "system by scope": 4, "family by all": 1, "family by scope": 2}
    own = found(contrasts, block="system by scope")
    reference = multipletests([r["p"] for r in own], method="holm")[1]
    assert [r["p_holm"] for r in own] == pytest.approx(list(reference), rel=1e-5)


def test_an_unjudged_verdict_on_one_side_leaves_no_difference_but_the_other_sides_mean() -> None:
    right = {s: list(v) for s, v in RIGHT["en"].items()}
    right["a"][0] = None
    _, contrasts = language_rows(language("ru"), language("en", right), SPEC)
    (row,) = found(contrasts, name="a", slice="single")
    assert [row[k] for k in ("mean_right", "estimate", "se", "low", "p", "p_holm")] == [None] * 6
    assert (row["mean_left"] is None, row["n_unjudged"], row["tests"]) == (False, 1, 3)


def test_a_question_counts_as_undisputed_only_if_it_is_so_in_both_languages() -> None:
    both = {"published": frozenset(IDS), "undisputed": frozenset(IDS[:30])}
    one = {"published": frozenset(IDS), "undisputed": frozenset(IDS[10:])}
    _, contrasts = language_rows(language("ru", sets=both), language("en", sets=one), SPEC)
    assert [r["n"] for r in found(contrasts, name="a", slice="all")] == [N, 20]
    _, contrasts = language_rows(language("ru"), language("en", sets=one), SPEC)
    assert [r["n"] for r in found(contrasts, name="a", gold="undisputed", slice="all")] == [30]


def test_other_ids_are_refused_by_name() -> None:
    design = language("en").design
    ids = (*IDS[:-1], "99|q0")
    with pytest.raises(InputError, match=r"49\|q0"):
        language_rows(language("ru"), language("en")._replace(design=design._replace(ids=ids)), SPEC)


def test_other_conversations_labels_or_systems_are_refused_by_name() -> None:
    moved = {i: i for i in IDS} | {IDS[3]: "elsewhere"}
    with pytest.raises(InputError, match=r"conversations.*13\|q0"):
        language_rows(language("ru"), language("en", clusters=moved), SPEC)
    slices = (Slice("all", "all", IDS), Slice("scope", "single", IDS[:24]), Slice("scope", "multi", IDS[24:]))
    with pytest.raises(InputError, match=r"'single'.*34\|q0"):
        language_rows(language("ru"), language("en", slices=slices), SPEC)
    with pytest.raises(InputError, match="one side alone: b, r, j"):
        language_rows(language("ru"), language("en", {"a": RIGHT["en"]["a"]}), SPEC)


def test_the_page_has_a_section_an_axis_with_families_first_and_escapes() -> None:
    slices, contrasts = language_rows(language("ru"), language("en"), SPEC)
    named = [row | {"name": "<i>"} if row["name"] == "b" else row for row in contrasts]
    assert [(s.axis, [r["name"] for r in s.rows][:3]) for s in sections(slices, contrasts, 0.05)] == [
        ("all", ["both", "a", "b"]), ("scope", ["both", "a", "b"]),
    ]  # fmt: skip
    page = build_page("rumba", slices, named, SPEC["statistics"])
    assert page.count("<details") == 2
    assert "&lt;i&gt;" in page and "<i>" not in page
    assert "<b>4 of 9</b> differences between rumba-ru and rumba-en stand" in page
    assert page.count("the difference stands.") + page.count("no difference can be claimed.") == 3
    (row,) = found(contrasts, name="a", slice="all")
    assert f"{row['mean_left']:.1%}" in page and f"{100 * row['estimate']:+.1f}".replace("-", "−") in page
