"""What a spec of kind `local` asks for: which weights, and what of the spec is in its requests.

Keys: `model`; `sha256` (of a model given by its path); `format`, `context_tokens`, `threads`; `parameters`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from memtrial.errors import InputError

FORMATS = ("auto", "chat", "completion")
DEFAULTS: dict[str, Any] = {"format": "auto", "context_tokens": 4096, "threads": 1}
# Queued here, a request would wait in vain for its time; the same question gets the same reply, so none is asked twice.
CALLS: dict[str, Any] = {"concurrency": 1, "attempts": 1, "timeout_s": 3600.0}
PARAMETERS: dict[str, Any] = {"max_tokens": 256, "seed": 0}
_HASH_DIGITS = 16


class Weights(NamedTuple):
    """A file of weights: its name in requests and answers, and the SHA-256 of its bytes."""

    name: str
    sha256: str

    @property
    def snapshot(self) -> str:
        """The name with the first digits of the hash, as requests and answers give it."""
        return f"{self.name}@{self.sha256[:_HASH_DIGITS]}"


# gemma3-270m: Gemma 3 270M, base model, 4 bit, Gemma Terms of Use (https://ai.google.dev/gemma/terms).
# smollm2-135m: SmolLM2 135M Instruct, 4 bit, Apache-2.0.
PACKAGED = {
    "gemma3-270m": Weights("gemma3-270m", "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"),
    "smollm2-135m": Weights("smollm2-135m", "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"),
}


def weights(spec: Mapping[str, Any]) -> Weights:
    """The weights that a spec asks for: `model` is a packaged name, or a path to a `.gguf` with its `sha256` beside it.

    Raises `InputError` where it is neither.
    """
    model, told = str(spec["model"]), spec.get("sha256")
    if model in PACKAGED:
        if told is not None:
            raise InputError(f"the hash of the packaged model '{model}' is known already", field="sha256")
        return PACKAGED[model]
    if not model.endswith(".gguf"):
        raise InputError(f"expected {' or '.join(PACKAGED)} or a path to a .gguf file, found '{model}'", field="model")
    if not re.fullmatch(r"[0-9a-f]{64}", str(told)):
        raise InputError("a model given by its path needs the SHA-256 of its file (see sha256sum)", field="sha256")
    return Weights(Path(model).stem, str(told))


def completes(spec: Mapping[str, Any]) -> bool:
    """Whether a spec is of a local model that continues a plain text, rather than replies to messages.

    `auto` is completion for the packaged base model and chat for any other. Raises `InputError` for unknown formats.
    """
    if spec["kind"] != "local":
        return False
    form = spec.get("format", DEFAULTS["format"])
    if form not in FORMATS:
        raise InputError(f"expected one of {', '.join(FORMATS)}, found '{form}'", field="format")
    return bool(form == "completion" or (form == "auto" and spec["model"] == "gemma3-270m"))


def request_parameters(spec: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """(model, parameters) of a spec's requests: what a reply depends on, so that the ledger never mixes two models.

    `parameters` of the spec may hold `max_tokens` and `seed`. Raises `InputError` for others and for unknown formats.
    """
    given = dict(spec.get("parameters", {}))
    if odd := given.keys() - PARAMETERS.keys():
        raise InputError(f"a local model takes {' and '.join(PARAMETERS)}", field=f"parameters.{min(odd)}")
    form = "completion" if completes(spec) else "chat"
    return weights(spec).snapshot, {"temperature": 0, **PARAMETERS, **given, "format": form}
