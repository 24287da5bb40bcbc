"""Keys and tokens: a config that seems to hold one is not packed."""

from __future__ import annotations

import re

from memtrial.errors import InputError

_SIGNS = (
    # The prefixes by which providers mark their keys.
    re.compile(r"\b(?:sk|pk|rk)-[\w-]{16,}|\b(?:gh[opsru]|github_pat|hf|glpat|xox[abeprs])[_-][\w-]{10,}"),
    re.compile(r"\bAKIA[0-9A-Z]{12,}|\bAIza[\w-]{30,}|\beyJ[\w-]{8,}\.[\w-]{8,}\."),
    # A value under a telling name; a name of an environment variable is no key.
    re.compile(
        r"(?i)(?:api[_-]?key|secret|passw(?:or)?d|credential|authorization|(?:access|auth|bearer)[_-]?token)\w*[\"']?"
        r"\s*[:=]\s*(?![\"']?(?:null\b|~|os\.environ/)|[\"']{2}|[{\[#]|$)\S"
    ),
    re.compile(r"(?i)\bbearer\s+[\w.~+/-]{12,}"),
    # An address with a password or a signature in it.
    re.compile(r"://[^/\s@]*:[^/\s@]*@|[?&](?:api_?key|key|token|sig|signature)=\w"),
    # Random letters of both cases with digits; digests are of one case.
    re.compile(r"\b(?=[A-Za-z]*\d)(?=[a-z\d]*[A-Z])(?=[A-Z\d]*[a-z])[A-Za-z\d]{32,}\b"),
)


def refuse_keys(text: str, file: str) -> None:
    """Raise `InputError` that names the first line of a config (YAML text) that looks as if it held a key or token."""
    for number, line in enumerate(text.splitlines(), 1):
        if any(sign.search(line) for sign in _SIGNS):
            problem = "this looks like a key or a token; keys belong in the environment, and nothing is packed with one"
            raise InputError(problem, file=file, row=number)
