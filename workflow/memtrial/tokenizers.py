"""Named tokenizers, for budgets in the tokens that a reader is charged for.

A name is an encoding of tiktoken whose vocabulary litellm bundles, or a path to a `tokenizer.json` of the `tokenizers`
library. Nothing is fetched. Text that looks like a special token counts as the plain text that it is, no special
token is added, and a file's own truncation and padding are switched off.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from memtrial.errors import InputError
from memtrial.text import sha256

ENCODINGS = ("cl100k_base", "o200k_base")


class Counter:
    """Counts the tokens of a text; `facts` says for a receipt which tokenizer it is."""

    def __init__(self, count: Callable[[str], int], facts: dict[str, str]) -> None:
        self.count = count
        self.facts = facts


def load(name: str) -> Counter:
    """The tokenizer of a name. Raises `InputError` for a name that is neither an encoding nor a readable file."""
    if name in ENCODINGS:
        return _encoding(name)
    path = Path(name)
    if path.suffix == ".json" and path.is_file():
        return _file(path)
    known = ", ".join(ENCODINGS)
    raise InputError(f"no tokenizer is called {name!r}; give one of {known}, or a path to a tokenizer.json")


def _encoding(name: str) -> Counter:
    # Read when litellm is imported: without it the import asks the network for a price list.
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    # This import points tiktoken to the vocabularies that litellm bundles; tiktoken checks them by their digest.
    import litellm.litellm_core_utils.default_encoding  # noqa: F401
    import tiktoken

    encoding = tiktoken.get_encoding(name)

    def count(text: str) -> int:
        return len(encoding.encode_ordinary(text))

    return Counter(count, {"tokenizer": name, "library": f"tiktoken {tiktoken.__version__}"})


def _file(path: Path) -> Counter:
    import tokenizers

    content = path.read_bytes()
    try:
        tokenizer = tokenizers.Tokenizer.from_buffer(content)
    except Exception as error:  # the library raises plain `Exception` for a file that it cannot read
        raise InputError(f"not a tokenizer that the tokenizers library can read: {error}", file=path) from None
    tokenizer.no_truncation()
    tokenizer.no_padding()

    def count(text: str) -> int:
        return len(tokenizer.encode(text, add_special_tokens=False).ids)

    facts = {"tokenizer": path.name, "sha256": sha256(content), "library": f"tokenizers {tokenizers.__version__}"}
    return Counter(count, facts)
