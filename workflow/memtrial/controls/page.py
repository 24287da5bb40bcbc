"""All controls of a system on a benchmark as one HTML page that needs no network, no script and no other file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

# What each control does, and what its passing shows.
SHOWS = {
    "recompile": "The unchanged source goes through all stages again: packets and scaffolds are the same bytes.",
    "gold-permutation": "Answers and evidence are moved to other questions: no stage before the judge reads them.",
    "label-permutation": "Question types are moved to other questions: no stage before the judge reads them.",
    "id-sabotage": "Ids of questions, conversations and sessions are replaced: only these ids change.",
    "row-order": "Rows, and the sessions inside a row, come in another order: nothing depends on it.",
    "accounting": "Every packet follows from its record and the corpus, sizes and hashes are those of the text, and "
    "packets and scaffolds keep to their budgets.",
    "leaks": "No source id, has_answer, answer_, label or reference answer stands in a packet or scaffold outside of "
    "what it quotes.",
    "truth": "Every date, number and quotation of a scaffold occurs in its packet or is computed from it.",
}
LISTED = 50


def build_page(benchmark: str, system: str, results: Sequence[Mapping[str, Any]]) -> str:
    """The page as HTML text; `results` are what `findings.result` made. All text from data is escaped."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html.j2").render(
        benchmark=benchmark,
        system=system,
        results=results,
        failed=[r for r in results if not r["passed"]],
        shows=SHOWS,
        listed=LISTED,
    )
