"""Fetching: own copies, downloads, hashes; no test touches the network."""

from __future__ import annotations

import gzip
import io
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import pytest
import yaml

from memtrial.errors import InputError
from memtrial.ingest import fetch as module
from memtrial.ingest.fetch import fetch
from memtrial.ingest.registry import FORMATS
from memtrial.text import sha256

CONTENT = b'[{"a": 1}]'
ENTRY = {"name": "tiny", "url": "https://example.org/tiny.json", "sha256": sha256(CONTENT), "bytes": len(CONTENT)}
REGISTRY = Path(__file__).parents[2] / "resources" / "benchmarks.yaml"


@pytest.mark.parametrize("name", ["own.json", "own.json.gz"])
def test_an_own_copy_is_verified_and_stored_plain(tmp_path: Path, name: str) -> None:
    own = tmp_path / name
    own.write_bytes(gzip.compress(CONTENT) if name.endswith("gz") else CONTENT)
    steps: list[tuple[int, int | None]] = []
    result = fetch(ENTRY, own, tmp_path / "t" / "tiny.json", lambda done, total: steps.append((done, total)))
    assert result == {"sha256": sha256(CONTENT), "bytes": 10, "verified": True}
    assert (tmp_path / "t" / "tiny.json").read_bytes() == CONTENT
    assert steps == [(10, 10)]


def test_another_hash_names_both_and_leaves_nothing(tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    own.write_bytes(b"[]")
    with pytest.raises(InputError) as caught:
        fetch(ENTRY, own, tmp_path / "t" / "tiny.json")
    assert sha256(CONTENT) in str(caught.value)
    assert sha256(b"[]") in str(caught.value)
    assert not list((tmp_path / "t").iterdir())


def test_without_a_registered_hash_nothing_is_verified(tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    own.write_bytes(b"[]")
    assert not fetch(ENTRY | {"sha256": None, "bytes": None}, own, tmp_path / "tiny.json")["verified"]


def test_a_download(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def opened(url: str) -> Iterator[BinaryIO]:
        assert url == ENTRY["url"]
        yield io.BytesIO(CONTENT)

    monkeypatch.setattr(module, "open_url", opened)
    fetch(ENTRY, None, tmp_path / "tiny.json")
    assert (tmp_path / "tiny.json").read_bytes() == CONTENT


def test_no_network_says_how_to_give_an_own_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(url: str) -> Any:
        raise urllib.error.URLError("no route to host")

    monkeypatch.setattr(module, "open_url", opened)
    with pytest.raises(InputError, match=r"cannot be downloaded from https.*no route to host; get the file of tiny"):
        fetch(ENTRY, None, tmp_path / "tiny.json")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("url", "message"),
    [
        (None, "tiny, field 'url': no address.*benchmarks/own/tiny"),
        ("http://example.org/x", "expected an https address"),
    ],
)
def test_only_https_addresses(tmp_path: Path, url: str | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        fetch(ENTRY | {"url": url}, None, tmp_path / "tiny.json")


def test_a_redirect_away_from_https_is_refused() -> None:
    request = urllib.request.Request("https://example.org/x")
    with pytest.raises(urllib.error.URLError, match="not https"):
        module._OnlyHttps().redirect_request(request, None, 302, "Found", {}, "http://example.org/x")


def test_an_own_copy_that_cannot_be_read(tmp_path: Path) -> None:
    own = tmp_path / "own.json.gz"
    own.write_bytes(gzip.compress(CONTENT)[:-6])
    with pytest.raises(InputError, match=r"own.json.gz: cannot be read"):
        fetch(ENTRY, own, tmp_path / "tiny.json")


def test_the_registry_of_real_files() -> None:
    entries = yaml.safe_load(REGISTRY.read_text(encoding="utf-8"))
    for key, entry in entries.items():
        assert entry["name"] == key
        assert entry["format"] in FORMATS
        assert entry["licence"] and entry["citation"]
        assert entry["url"] is None or (entry["url"].startswith("https://") and entry["revision"] in entry["url"])
        assert entry["sha256"] is None or len(entry["sha256"]) == 64
    assert {name for f in FORMATS.values() for name in f.official} <= entries.keys()
