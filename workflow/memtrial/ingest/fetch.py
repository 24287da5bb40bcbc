"""Benchmark files from their public address, or from an own copy: verified by SHA-256 and stored as plain JSON."""

from __future__ import annotations

import hashlib
import urllib.error
import urllib.request
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from memtrial.errors import InputError
from memtrial.ingest.source import open_plain
from memtrial.store import atomic

Progress = Callable[[int, int | None], None]
_CHUNK = 1 << 20
_TIMEOUT_SECONDS = 60


def fetch(
    entry: Mapping[str, Any], own_copy: Path | None, target: Path, progress: Progress | None = None
) -> dict[str, Any]:
    """Store the registered file `entry` (of `resources/benchmarks.yaml`) at `target`, from `own_copy` if there is one.

    `progress(done, total)` counts bytes of content; the total is null where unknown. `target` appears whole or not at
    all. Returns `sha256` and `bytes` of the decompressed content and whether it was `verified` by a registered hash.

    Raises `InputError` if the file cannot be had, naming how to give an own copy, or if its hash is another.
    """
    digest = hashlib.sha256()
    done = 0
    with atomic(target) as draft, draft.open("wb") as out:
        for data in _own(own_copy) if own_copy else _remote(entry):
            out.write(data)
            digest.update(data)
            done += len(data)
            if progress:
                progress(done, entry.get("bytes"))
        _verify(entry, digest.hexdigest(), done, str(own_copy or entry["url"]))
    return {"sha256": digest.hexdigest(), "bytes": done, "verified": bool(entry.get("sha256"))}


def _verify(entry: Mapping[str, Any], found: str, size: int, origin: str) -> None:
    expected = entry.get("sha256")
    if expected and found != expected:
        known = f"{entry['bytes']} bytes, " if entry.get("bytes") else ""
        problem = f"expected {entry['name']} ({known}SHA-256 {expected}), found {size} bytes, SHA-256 {found}"
        raise InputError(problem, file=origin)


def _own(path: Path) -> Iterator[bytes]:
    with open_plain(path) as (stream, _):
        try:
            while data := stream.read(_CHUNK):
                yield data
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(f"cannot be read: {error}", file=path) from error


def _remote(entry: Mapping[str, Any]) -> Iterator[bytes]:
    url = entry.get("url")
    if not url:
        raise InputError(f"no address of its file is registered; {_advice(entry)}", file=entry["name"], field="url")
    if not url.startswith("https://"):
        raise InputError(f"expected an https address, found {url}", file=entry["name"], field="url")
    try:
        with open_url(url) as response:
            while data := response.read(_CHUNK):
                yield data
    except OSError as error:  # URLError, timeouts and broken connections are all of this kind
        reason = getattr(error, "reason", None) or error
        raise InputError(f"cannot be downloaded from {url}: {reason}; {_advice(entry)}", file=entry["name"]) from error


def _advice(entry: Mapping[str, Any]) -> str:
    return (
        f"get the file of {entry['name']} yourself and put it at resources/benchmarks/own/{entry['name']}.json (or .gz)"
    )


class _OnlyHttps(urllib.request.HTTPRedirectHandler):
    """Refuses to be sent from https to anything else."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        if not newurl.startswith("https://"):
            raise urllib.error.URLError(f"redirected to {newurl}, which is not https")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


@contextmanager
def open_url(url: str) -> Iterator[BinaryIO]:
    """The content at an https address as a stream."""
    opener = urllib.request.build_opener(_OnlyHttps)
    with opener.open(url, timeout=_TIMEOUT_SECONDS) as response:
        yield response
