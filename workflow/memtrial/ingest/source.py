"""A benchmark file as a stream: a JSON list, plain or gzipped, one top-level item in memory at a time."""

from __future__ import annotations

import gzip
import hashlib
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

import ijson
from ijson.backends import yajl2_c

from memtrial.errors import InputError

CHUNK = 1 << 16
_GZIP_MAGIC = b"\x1f\x8b"
_KEYS_SHOWN = 12

OnRead = Callable[[int, int], None]


class Source:
    """A benchmark file. `sha256` and `size` (bytes) are of the decompressed content, known once `rows` is exhausted.

    `on_read(done, total)` is told the bytes of the file (as it lies on disk) that have been read.
    """

    def __init__(self, path: Path, on_read: OnRead | None = None) -> None:
        self.path = path
        self.size = 0
        self._digest = hashlib.sha256()
        self._on_read = on_read
        self._last = 0

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()

    def rows(self, layouts: str) -> Iterator[Any]:
        """The items of the top-level list, in order; integers stay `int`, fractions become `Decimal`.

        Raises `InputError` naming the file, and for broken JSON the byte, if it cannot be read as a JSON list;
        `layouts` says in words which layouts are known.
        """
        count = 0
        with open_plain(self.path) as (stream, raw):
            tap = _Tap(stream, self._seen(raw))
            _require_list(tap, self.path, layouts)
            try:
                for item in yajl2_c.items(tap, "item", buf_size=CHUNK):
                    yield item
                    count += 1
            except ijson.JSONError as error:
                raise self._broken(error, count) from error
            except (OSError, EOFError, zlib.error) as error:
                raise _unreadable(self.path, error) from error

    def _seen(self, raw: BinaryIO) -> Callable[[bytes], None]:
        total = os.fstat(raw.fileno()).st_size

        def seen(data: bytes) -> None:
            self._digest.update(data)
            self.size += len(data)
            self._last = len(data) or self._last
            if self._on_read:
                self._on_read(raw.tell(), total)

        return seen

    def _broken(self, error: Exception, count: int) -> InputError:
        """The fault lies in the chunk read last: feed that one byte by byte to find where."""
        reason = error.args[0] if error.args else error
        reason = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
        events: Any = ijson.sendable_list()
        parser = yajl2_c.basic_parse_coro(events)
        start, offset = self.size - self._last, 0
        with open_plain(self.path) as (stream, _):
            try:
                while data := stream.read(CHUNK if offset < start else 1):
                    parser.send(data)
                    offset += len(data)
                    events.clear()
            except ijson.JSONError:
                pass
        place = f"at byte {offset}, after {count} whole rows"
        return InputError(f"not valid JSON {place}: {reason.strip().splitlines()[0]}", file=self.path.name)


@contextmanager
def open_plain(path: Path) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """(decompressed stream, raw file) of a plain or gzipped file, told apart by content, not by name.

    Raises `InputError` if the file cannot be opened, or is called `.gz` and is not.
    """
    try:
        raw = path.open("rb")
    except OSError as error:
        raise _unreadable(path, error) from error
    with raw:
        zipped = raw.peek(2)[:2] == _GZIP_MAGIC
        if path.suffix == ".gz" and not zipped:
            raise InputError("expected gzipped content, found another beginning", file=path.name)
        if not zipped:
            yield raw, raw
            return
        with gzip.GzipFile(fileobj=raw) as stream:
            yield cast(BinaryIO, stream), raw


def _unreadable(path: Path, error: Exception) -> InputError:
    return InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}", file=path.name)


class _Tap:
    """Passes reads through and shows them to `seen`; `head` is the first chunk, still to be read."""

    def __init__(self, stream: BinaryIO, seen: Callable[[bytes], None]) -> None:
        self._stream, self._seen = stream, seen
        self.head = b""

    def fill(self) -> None:
        self.head = self._stream.read(CHUNK)

    def read(self, size: int = -1, /) -> bytes:
        if size == 0:  # ijson asks so whether it gets bytes
            return b""
        data, self.head = (self.head, b"") if self.head else (self._stream.read(size), b"")
        self._seen(data)
        return data


def _require_list(tap: _Tap, path: Path, layouts: str) -> None:
    try:
        tap.fill()
    except (OSError, EOFError, zlib.error) as error:
        raise _unreadable(path, error) from error
    first = tap.head.lstrip()[:1]
    if first == b"{":
        raise InputError(f"unknown layout: an object with the keys {_keys(tap.head)}; known: {layouts}", file=path.name)
    if first not in (b"[", b""):
        raise InputError(f"expected a JSON list, found {tap.head.lstrip()[:20]!r}", file=path.name)


def _keys(head: bytes) -> str:
    """Top-level keys of an object, as far as the first chunk shows them."""
    events: Any = ijson.sendable_list()
    parser = yajl2_c.parse_coro(events)
    try:
        parser.send(head)
    except ijson.JSONError:
        events.append(("", "map_key", "… (broken JSON)"))
    keys = [value for prefix, event, value in events if event == "map_key" and not prefix]
    return ", ".join(keys[:_KEYS_SHOWN]) + (", …" if len(keys) > _KEYS_SHOWN else "")
