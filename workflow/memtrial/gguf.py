"""What a GGUF file of model weights says about itself.

Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md (versions 2 and 3, little-endian).
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any, BinaryIO

from memtrial.errors import InputError

_MAGIC = b"GGUF"
_STRING, _ARRAY = 8, 9
_FORMATS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
# By the numbers of llama.cpp's `llama_ftype`; a dash stands for those no longer in use.
_QUANTISATIONS = ["F32", "F16", "Q4_0", "Q4_1", "-", "-", "-", "Q8_0", "Q5_0", "Q5_1", "Q2_K", "Q3_K_S", "Q3_K_M"]
_QUANTISATIONS += ["Q3_K_L", "Q4_K_S", "Q4_K_M", "Q5_K_S", "Q5_K_M", "Q6_K"]


def metadata(path: Path) -> dict[str, Any]:
    """The file's keys and values; lists (vocabularies) are left out. Raises `InputError` for what is no GGUF file."""
    try:
        with path.open("rb") as file:
            if file.read(4) != _MAGIC:
                raise InputError("expected a GGUF file", file=path)
            _, _, count = (_number(file, form) for form in "IQQ")
            found = {_text(file): _value(file, _number(file, "I")) for _ in range(count)}
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from None
    except (struct.error, KeyError, UnicodeDecodeError, MemoryError, OverflowError):
        raise InputError("expected a whole GGUF file, found a damaged one", file=path) from None
    return {key: value for key, value in found.items() if value is not None}


def quantisation(found: dict[str, Any]) -> str:
    """How the weights are stored, by llama.cpp's name (`Q4_K_M`).

    >>> quantisation({"general.file_type": 15})
    'Q4_K_M'
    """
    kind = found.get("general.file_type")
    if isinstance(kind, int) and 0 <= kind < len(_QUANTISATIONS):
        return _QUANTISATIONS[kind]
    return f"file type {kind}"


def _number(file: BinaryIO, form: str) -> Any:
    return struct.unpack(f"<{form}", file.read(struct.calcsize(form)))[0]


def _text(file: BinaryIO) -> str:
    size = _number(file, "Q")
    content = file.read(size)
    if len(content) < size:
        raise struct.error
    return content.decode("utf-8")


def _value(file: BinaryIO, kind: int) -> Any:
    if kind == _STRING:
        return _text(file)
    if kind != _ARRAY:
        return _number(file, _FORMATS[kind])
    inner, size = _number(file, "I"), _number(file, "Q")
    if inner in _FORMATS:
        file.seek(size * struct.calcsize(_FORMATS[inner]), 1)
        return None
    for _ in range(size):
        # Pieces of a vocabulary need not be whole characters, so they are not decoded.
        _value(file, inner) if inner == _ARRAY else file.seek(_number(file, "Q"), 1)
    return None
