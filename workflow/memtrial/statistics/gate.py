"""The gate for a proposed change: what it recovers, what it breaks, and how much "nothing broken" is worth.

The rule is that of the paper "Auditable Long-Term Memory": a change passes only if no control question breaks. Zero
broken of n is weak evidence if n is small, so two figures go with it. A change that truly breaks a share p of such
questions shows none broken among n with probability (1 - p)^n, if questions break independently. And the largest share
that zero of n leaves possible, with 95% confidence from one side, is 1 - 0.05^(1/n): the upper end of Clopper and
Pearson (Biometrika 26, 1934) at 0 of n. Both hold for questions that the change was not tuned on.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from memtrial.errors import InputError
from memtrial.records import Verdict
from memtrial.statistics.cells import Cell, by_question
from memtrial.statistics.intervals import DECIMALS

RATES = (0.005, 0.01, 0.02, 0.05, 0.1)
MISS = 0.05  # the chance to overlook that the upper bound allows
# Up to this bound a control set is called large enough: it takes 59 questions.
SMALL_BOUND = 0.05
SHOWN = 10


def chance_of_none(rate: float, n: int) -> float:
    """Probability that a true rate shows nothing broken among n questions: (1 - rate)^n.

    >>> round(chance_of_none(0.05, 12), 3)
    0.54
    """
    return float((1 - rate) ** n)


def upper_bound(n: int) -> float:
    """Exact one-sided 95% upper bound of a rate of which 0 of n were seen; 1 for n = 0.

    >>> round(upper_bound(59), 4)
    0.0495
    """
    return 1 - MISS ** (1 / n) if n else 1.0


def questions_needed(rate: float) -> int:
    """The smallest control set on which zero broken bounds the rate by `rate`.

    >>> questions_needed(0.05)
    59
    """
    return math.ceil(math.log(MISS) / math.log(1 - rate))


def listed_ids(text: str) -> list[str]:
    """The ids of a file of control questions: one a line; blank lines and lines that begin with # do not count."""
    return [line for line in map(str.strip, text.splitlines()) if line and not line.startswith("#")]


def gate(
    incumbent: Cell, candidate: Cell, controls: Sequence[str] | None = None, file: object = None
) -> dict[str, Any]:
    """What the candidate recovers and breaks, by question id.

    `controls` are the ids of the control questions; by default all that the incumbent answers correctly. `broken` are
    control questions that the candidate answers wrongly, `broken_elsewhere` others that it loses; `unjudged` are
    control questions (by default also any question that might be one) without a verdict on a side: they block like
    broken ones, `unjudged_elsewhere` do not. `same_answer` are the broken ones whose answer is the same as before, so
    that the judge alone changed its mind.
    Raises `InputError` if the cells hold different questions, or, naming `file`, if a control question is unknown,
    given twice or answered wrongly by the incumbent.
    """
    old = by_question(incumbent, {v.question_id: v for v in incumbent.verdicts})
    new = by_question(candidate, old)
    held = _control_ids(old, controls, file)
    unjudged = {i for i in old if old[i].correct is None or new[i].correct is None}
    lost = {i for i in old if old[i].correct and new[i].correct is False}
    told = {
        "n_questions": len(old),
        "n_controls": len(held - unjudged),
        "recovered": sorted(i for i in old if old[i].correct is False and new[i].correct),
        "broken": sorted(lost & held),
        "broken_elsewhere": sorted(lost - held),
        "same_answer": sorted(i for i in lost & held if old[i].answer_sha256 == new[i].answer_sha256 != ""),
        "unjudged": sorted(unjudged & held),
        "unjudged_elsewhere": sorted(unjudged - held),
    }
    n = len(held - unjudged)
    told["passed"] = n > 0 and not told["broken"] and not told["unjudged"]
    told["chance_of_none"] = {f"{rate:.1%}": round(chance_of_none(rate, n), DECIMALS) for rate in RATES}
    told["upper_bound"] = round(upper_bound(n), DECIMALS) if told["passed"] else None
    return told | {"in_words": in_words(told)}


def _control_ids(old: Mapping[str, Verdict], controls: Sequence[str] | None, file: object) -> set[str]:
    if controls is None:
        return {i for i, v in old.items() if v.correct is not False}
    faults = {
        "are given twice": {i for i, count in Counter(controls).items() if count > 1},
        "have no verdict": set(controls) - set(old),
        "are answered wrongly by the incumbent": {i for i in controls if i in old and old[i].correct is False},
    }
    for what, ids in faults.items():
        if ids:
            raise InputError(f"control questions {what}: {_listed(sorted(ids))}", file=file)
    return set(controls)


def in_words(told: Mapping[str, Any]) -> list[str]:
    """The outcome in sentences, with what a control set of that size can and cannot show."""
    n = told["n_controls"]
    if told["broken"]:
        words = [f"Failed: {len(told['broken'])} of {n} control questions broke: {_listed(told['broken'])}."]
        if told["same_answer"]:
            words.append(f"The judge changed its mind about the same answer: {_listed(told['same_answer'])}.")
    elif told["unjudged"]:
        words = [f"Blocked: {len(told['unjudged'])} control questions are unjudged: {_listed(told['unjudged'])}."]
    elif n == 0:
        return ["Failed: there is no control question, so nothing could have broken."]
    else:
        words = [f"Passed: none of {n} control questions broke."]
    chances = ", ".join(f"{rate}: {chance:.1%}" for rate, chance in told["chance_of_none"].items())
    words.append(f"The chance to see none broken among {n}, by the share that the change truly breaks: {chances}.")
    if told["upper_bound"] is not None:
        words.append(f"A true share of up to {told['upper_bound']:.1%} stays possible (exact, one-sided 95%).")
        if told["upper_bound"] > SMALL_BOUND:
            sizes = ", ".join(f"{questions_needed(rate)} (for {rate:.0%})" for rate in (0.05, 0.02, 0.01))
            words.append(f"This control set is small: to bound the share it takes, none broken, {sizes} questions.")
    return words


def _listed(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - SHOWN} more" if len(ids) > SHOWN else ""
    return f"{', '.join(ids[:SHOWN])}{more}"


def render(name: str, benchmark: str, told: Mapping[str, Any], incumbent: Cell, candidate: Cell) -> str:
    """The outcome as plain text: what was compared, a table of counts, the sentences, all ids; ends in a line break."""
    lines = [f"gate {name} on {benchmark}", ""]
    for role, cell in (("incumbent", incumbent), ("candidate", candidate)):
        lines.append(f"{role}  {cell.system}, {cell.reader}, pass {cell.reader_pass}, judge {cell.judge}")
    lists = ("recovered", "broken", "broken_elsewhere", "unjudged", "unjudged_elsewhere")
    counts = [("questions", told["n_questions"]), ("controls judged", told["n_controls"])]
    counts += [(key.replace("_", " "), len(told[key])) for key in lists]
    lines += ["", *(f"{key:<20}{count:>8}" for key, count in counts), "", "true share   chance of none broken"]
    lines += [f"{rate:>10}   {chance:>21.1%}" for rate, chance in told["chance_of_none"].items()]
    lines += ["", *told["in_words"], ""]
    lines += [f"{key.replace('_', ' ')}: {', '.join(told[key])}" for key in lists if told[key]]
    return "\n".join(lines).rstrip() + "\n"
