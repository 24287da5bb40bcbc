"""LongMemEval's own judge templates, taken at run time out of the user's copy of its `evaluate_qa.py`.

The file is pinned by its SHA-256 and parsed, never executed; no text of it is kept here. Its function gives each
question type a template with three blanks, in the order question, reference answer (or rubric, or explanation),
response; another one where abstaining is right.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import NamedTuple

from memtrial.errors import InputError
from memtrial.text import sha256

FILE = "evaluate_qa.py"
FILE_SHA256 = "ecce9c4c79dc89d99534ac17b383a5cbb5b9f0c69ee98adaf0684742e3d95251"
FUNCTION = "get_anscheck_prompt"
ABSTENTION = "abstention"
BASE, TEMPORAL, UPDATE, PREFERENCE = (
    "multi-session", "temporal-reasoning", "knowledge-update", "single-session-preference",
)  # fmt: skip
RUBRICS = (BASE, TEMPORAL, UPDATE, PREFERENCE, ABSTENTION)
_BLANK = "{}"
_NAMES = ("{question}", "{answer}", "{response}")


class Official(NamedTuple):
    """Templates by question type, `abstention` among them, as the file has them."""

    templates: Mapping[str, str]

    def sha256(self) -> str:
        """Digest of the five rubrics, joined by NUL in the order base, temporal, update, preference, abstention."""
        return digest([self.templates[r] for r in RUBRICS])


class Deviating(NamedTuple):
    """The templates of the paper's release, rebuilt: its base template, two additions to it, and two of their own.

    Its digest is of these five, with named blanks, joined by NUL.
    """

    base: str
    temporal_addition: str
    update_addition: str
    preference: str
    abstention: str

    def templates(self, official: Mapping[str, str]) -> dict[str, str]:
        """Templates by question type, with blanks as in the official ones; additions end the base's instructions."""
        head, _, tail = self.base.partition("\n\n")
        added = {TEMPORAL: self.temporal_addition, UPDATE: self.update_addition}
        own = {PREFERENCE: self.preference, ABSTENTION: self.abstention}
        named = {kind: own.get(kind, f"{head}{added.get(kind, '')}\n\n{tail}") for kind in official}
        return {kind: _unnamed(template) for kind, template in named.items()}


def digest(templates: list[str]) -> str:
    """SHA-256 of templates joined by NUL."""
    return sha256("\0".join(templates))


def extract(text: str, known: str = FILE_SHA256) -> Official:
    """The templates in the text of `evaluate_qa.py`; `known` is the SHA-256 that the text must have.

    Raises `InputError` for another text (naming both digests) and for one that does not hold them as expected.
    """
    if (found := sha256(text)) != known:
        raise InputError(f"expected the file with SHA-256 {known}, found {found}", file=FILE)
    bodies = [n.body for n in ast.parse(text, FILE).body if isinstance(n, ast.FunctionDef) and n.name == FUNCTION]
    branch = next((n for n in (bodies or [[]])[0] if isinstance(n, ast.If)), None)
    if branch is None:
        raise InputError(f"expected a function {FUNCTION} that chooses a template", file=FILE)
    templates = {ABSTENTION: _template(branch.orelse), **_by_type(branch.body)}
    for kind in RUBRICS:
        if templates.get(kind, "").count(_BLANK) != len(_NAMES):
            raise InputError(f"expected a template with three blanks for '{kind}'", file=FILE)
    return Official(templates)


def _by_type(body: list[ast.stmt]) -> dict[str, str]:
    """Templates of a chain of `if task == ...` or `if task in [...]`, by task."""
    branch = next((n for n in body if isinstance(n, ast.If)), None)
    if branch is None:
        return {}
    names = [n.value for n in ast.walk(branch.test) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    return {**_by_type(branch.orelse), **dict.fromkeys(names, _template(branch.body))}


def _template(body: list[ast.stmt]) -> str:
    """The text that a branch assigns."""
    values = (n.value for n in body if isinstance(n, ast.Assign))
    return next((v.value for v in values if isinstance(v, ast.Constant) and isinstance(v.value, str)), "")


def filled(template: str, question: str, answer: str, response: str) -> str:
    """A template with its three blanks filled in their order, whatever the texts hold."""
    parts = template.split(_BLANK)
    return "".join(part + given for part, given in zip(parts, (question, answer, response, ""), strict=True))


def deviating(official: Official) -> Deviating:
    """The release's templates: blanks named, no space before the first line break of the base, and two additions.

    The temporal addition is what the official temporal instructions say beyond the base; the update addition what the
    official update instructions say after the sentences that they share with the base. Raises `InputError` where the
    official templates are not made so.
    """
    base, temporal, update = (_head(official.templates[k]) for k in (BASE, TEMPORAL, UPDATE))
    common = next((i for i, (a, b) in enumerate(zip(base, update, strict=False)) if a != b), len(base))
    shared = base[: base.rfind(".", 0, common) + 1]
    if not temporal.startswith(base) or not shared:
        raise InputError("expected temporal and update templates that begin like the base", file=FILE)
    tail = official.templates[BASE].partition("\n\n")[2]
    return Deviating(
        base=_named(f"{base}\n\n{tail}"),
        temporal_addition=temporal.removeprefix(base),
        update_addition=update.removeprefix(shared),
        preference=_named(official.templates[PREFERENCE]),
        abstention=_named(official.templates[ABSTENTION]),
    )


def _head(template: str) -> str:
    return template.partition("\n\n")[0].rstrip()


def _named(template: str) -> str:
    return filled(template, *_NAMES)


def _unnamed(template: str) -> str:
    for name in _NAMES:
        template = template.replace(name, _BLANK)
    return template
