"""Verdicts on a stand-in for RUMBA with planted effects, and a study of how well the tables find them.

    PYTHONPATH=workflow python tests/bench/planted.py --seeds 200 [--resamples 2000] [--out planted.json]

Thirteen systems of three families judge the questions of `rumba.py` in both languages. Every system's chance of a right
answer is set for each question such that the means of slices are exactly as planted: a contrast either has the size of
what was planted or is exactly 0. A question is hard or easy for all systems, a conversation for all its questions
(and differently for each family and language), so that questions are no independent evidence.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rumba import Conversation, answer_text, conversations, question_text
from scipy.stats import norm

from memtrial.records import Gold, Question, Verdict
from memtrial.statistics.cells import Cell
from memtrial.statistics.contrasts import contrast_rows
from memtrial.statistics.design import design
from memtrial.statistics.intervals import wilson
from memtrial.statistics.languages import Language, language_rows

Floats = NDArray[np.float64]
FAMILIES = {
    "chain": ("chain-1", "chain-2", "chain-3", "chain-4"),
    "full-context": ("full-context-1", "full-context-2", "full-context-3", "full-context-4"),
    "retrieval": ("atemporal", "rag-1", "rag-2", "rag-3", "rag-4"),
}
SYSTEMS = tuple(system for systems in FAMILIES.values() for system in systems)
HOME = {system: family for family, systems in FAMILIES.items() for system in systems}
LANGUAGES = ("ru", "en")
AXES = ("semantic_type", "scope", "temporality", "text_temporal_expression")
BASE = 0.6
ALPHA = 0.05
# Shares of the variance of what decides a verdict beside its chance; the rest is the system's own luck.
SHARES = {"conversation": 0.06, "conversation and family": 0.04, "conversation and language": 0.02, "question": 0.45,
          "question and family": 0.1, "question and language": 0.08}  # fmt: skip


class Effect(NamedTuple):
    """A shift of the chance of these systems: on a slice against the rest of its axis, or everywhere (no axis)."""

    systems: tuple[str, ...]
    size: float
    axis: str = ""
    slice: str = ""
    languages: tuple[str, ...] = LANGUAGES


PLANTED = {
    "chains are better": Effect(FAMILIES["chain"], 0.06),
    "temporal questions are harder": Effect(SYSTEMS, -0.1, "temporality", "temporal"),
    "retrieval is weak at events": Effect(FAMILIES["retrieval"], -0.15, "semantic_type", "Event"),
    "full context is good at many sessions": Effect(FAMILIES["full-context"], 0.12, "scope", "multi"),
    "one system is blind to time": Effect(("atemporal",), -0.25, "temporality", "temporal"),
    "retrieval is worse in Russian": Effect(FAMILIES["retrieval"], -0.06, languages=("ru",)),
}


def labels(made: Sequence[Conversation]) -> dict[str, list[str | None]]:
    """The label of each question on each of `AXES`, in the order of conversations and questions."""
    asked = [q for c in made for q in c.questions]
    found: dict[str, list[str | None]] = {axis: [q.parts[i] for q in asked] for i, axis in enumerate(AXES[:3])}
    return found | {AXES[3]: [q.tag for q in asked]}


def chances(made: Sequence[Conversation], effects: Mapping[str, Effect] = PLANTED) -> Floats:
    """Chances of a right answer [questions x systems x languages]: `BASE`, least changed to have the effects."""
    found = labels(made)
    names = [(axis, value) for axis in AXES for value in sorted({v for v in found[axis] if v is not None})]
    held = np.array([[v == value for v in found[axis]] for axis, value in names], dtype=float)
    means = held / held.sum(axis=1, keepdims=True)
    chance = np.full((held.shape[1], len(SYSTEMS), len(LANGUAGES)), BASE)
    wanted = np.zeros((len(names), len(SYSTEMS), len(LANGUAGES)))
    for effect in effects.values():
        cells = np.ix_([SYSTEMS.index(s) for s in effect.systems], [LANGUAGES.index(x) for x in effect.languages])
        if not effect.axis:
            chance[:, *cells] += effect.size
            continue
        rows = [r for r, (axis, _) in enumerate(names) if axis == effect.axis]
        share = held[names.index((effect.axis, effect.slice))].sum() / held[rows].sum()
        for r in rows:
            wanted[r, *cells] += effect.size * ((names[r][1] == effect.slice) - share)
    # Tags stand on temporal questions alone, so they move as these do.
    tags = [r for r, (axis, _) in enumerate(names) if axis == AXES[3]]
    wanted[tags] += wanted[names.index(("temporality", "temporal"))]
    changes = np.linalg.lstsq(means, wanted.reshape(len(names), -1), rcond=None)[0]
    chance += changes.reshape(chance.shape)
    assert chance.min() > 0.02 and chance.max() < 0.98, "effects that leave no room"
    return chance


def judged(made: Sequence[Conversation], chance: Floats, seed: int) -> NDArray[np.bool_]:
    """Verdicts [questions x systems x languages] at these chances, alike within questions and conversations."""
    rng = np.random.default_rng(seed)
    home = np.array([c.index for c in made for _ in c.questions])
    n, languages = len(chance), len(LANGUAGES)
    family = np.array([list(FAMILIES).index(HOME[s]) for s in SYSTEMS])
    drawn = {
        "conversation": rng.standard_normal((len(made), 1, 1))[home],
        "conversation and family": rng.standard_normal((len(made), len(FAMILIES), 1))[home][:, family],
        "conversation and language": rng.standard_normal((len(made), 1, languages))[home],
        "question": rng.standard_normal((n, 1, 1)),
        "question and family": rng.standard_normal((n, len(FAMILIES), 1))[:, family],
        "question and language": rng.standard_normal((n, 1, languages)),
    }
    hardness = np.sqrt(1 - sum(SHARES.values())) * rng.standard_normal(chance.shape)
    for name, share in SHARES.items():
        hardness = hardness + np.sqrt(share) * drawn[name]
    right: NDArray[np.bool_] = norm.ppf(chance) > hardness
    return right


def records(made: Sequence[Conversation], language: str) -> tuple[list[Question], list[Gold]]:
    """Questions and gold as ingest makes them of the hub's form."""
    questions, gold = [], []
    for c in made:
        for q in c.questions:
            text, named = question_text(q, language), dict(zip(AXES, (*q.parts, q.tag), strict=True))
            named |= {"subcategory": q.subcategory, "subsubcategory": q.subsubcategory}
            told = {axis: value for axis, value in named.items() if value is not None}
            conversation = f"{c.index}-user_{c.index}"
            questions.append(Question(q.question_id, conversation, text, q.asked_at, language, []))
            abstention = q.parts[0] == "Abstention"
            gold.append(Gold(q.question_id, [answer_text(q, language)], q.category, told, abstention))
    return questions, gold


def cells(made: Sequence[Conversation], right: NDArray[np.bool_]) -> list[Cell]:
    """Cells of one language from verdicts [questions x systems]."""
    ids = [q.question_id for c in made for q in c.questions]
    return [
        Cell(system, "reader", "1", "judge", [verdict(i, bool(ok)) for i, ok in zip(ids, column, strict=True)])
        for system, column in zip(SYSTEMS, right.T, strict=True)
    ]


def verdict(question_id: str, correct: bool) -> Verdict:
    """A verdict of a judge that says no more than right or wrong."""
    return Verdict(question_id, "judged", correct, None, None, "", "judge", None, "binary", "", "", None, 1, None)


def blocks() -> dict[str, dict[str, Any]]:
    """The blocks of contrasts that the study tests: families, slices, and differences of differences."""
    found: dict[str, dict[str, Any]] = {"families": {"contrast": "families", "axis": "all"}}
    for axis in AXES:
        blind = {"exclude": ["atemporal"]} if axis in ("temporality", "text_temporal_expression") else {}
        for kind in ("families", "slices", "differences"):
            found[f"{kind} by {axis}"] = {"contrast": kind, "axis": axis, **blind}
    return found


def spec_of(resamples: int) -> dict[str, Any]:
    """The spec of the study's tables."""
    statistics = {"resamples": resamples, "seed": 20260830, "confidence": 0.95, "cluster": "conversation"}
    return {"statistics": {**statistics, "axes": list(AXES), "families": FAMILIES, "blocks": blocks()}}


def tables(made: Sequence[Conversation], right: NDArray[np.bool_], spec: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The contrasts of the Russian benchmark, then those between the languages."""
    sides = []
    for at, language in enumerate(LANGUAGES):
        of = design(*records(made, language), [], [], None, spec)
        sides.append(Language(f"rumba-{language}", of, cells(made, right[:, :, at])))
    return contrast_rows(sides[0].design, sides[0].cells, spec) + language_rows(*sides, spec)[1]


def truths(made: Sequence[Conversation], chance: Floats, rows: Sequence[Mapping[str, Any]]) -> list[float]:
    """What each contrast of `tables` estimates: the same combination of the chances themselves."""
    found = labels(made)

    def mean(name: str, excluded: Sequence[str], axis: str, part: str, language: int) -> float:
        systems = [SYSTEMS.index(s) for s in FAMILIES.get(name, (name,)) if s not in excluded]
        questions = [axis == "all" or value == part for value in found.get(axis, [None] * len(chance))]
        return float(chance[questions][:, systems, language].mean())

    out = []
    for row in rows:
        axis, part, other = row["axis"], row["slice"], row.get("other_slice")
        if "name" in row:
            out.append(mean(row["name"], (), axis, part, 0) - mean(row["name"], (), axis, part, 1))
            continue
        excluded = blocks()[row["block"]].get("exclude", ())
        names = [row["left"]] if row["left"] == row["right"] else [row["left"], row["right"]]
        here = [mean(name, excluded, axis, part, 0) for name in names]
        there = [mean(name, excluded, axis, other, 0) if other else 0.0 for name in names]
        differences = [a - b for a, b in zip(here, there, strict=True)]
        out.append(differences[0] - sum(differences[1:]))
    return out


def study(seeds: int, resamples: int, effects: Mapping[str, Effect] = PLANTED) -> list[dict[str, Any]]:
    """A row a block and size of effect: how often its contrasts are found at 0.05 after Holm's correction.

    For contrasts that are exactly 0 also `any`: the share of seeds in which the block holds a false alarm.
    """
    made = conversations(0)
    chance = chances(made, effects)
    hits: dict[tuple[str, float], list[list[bool]]] = {}
    for seed in range(seeds):
        rows = [r for r in tables(made, judged(made, chance, seed), spec_of(resamples)) if r["axis"] in ("all", *AXES)]
        found: dict[tuple[str, float], list[bool]] = {}
        for row, truth in zip(rows, truths(made, chance, rows), strict=True):
            found.setdefault((row["block"], round(abs(truth), 4)), []).append(row["p_holm"] <= ALPHA)
        for key, of in found.items():
            hits.setdefault(key, []).append(of)
    told: list[dict[str, Any]] = []
    for (block, size), of in sorted(hits.items()):
        told.append({"block": block, "size": size, "tests": len(of[0]), "found": float(np.mean(of)), "seeds": seeds})
        if not size:
            alarms = sum(map(any, of))
            told[-1] |= {"any": alarms / seeds, "any_interval": wilson(alarms, seeds, 0.95)}
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description="power and false alarms of the tables on planted effects")
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--resamples", type=int, default=2000)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    told = {"planted": study(args.seeds, args.resamples), "nothing planted": study(args.seeds, args.resamples, {})}
    for name, rows in told.items():
        print(name)
        for row in rows:
            alarms = (
                "in {:.3f} of seeds ({:.3f} to {:.3f})".format(row["any"], *row["any_interval"]) if "any" in row else ""
            )
            print(f"  {row['block']:40} {row['size']:.3f}  {row['tests']:4} tests, found {row['found']:.4f}", alarms)
    if args.out:
        args.out.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
