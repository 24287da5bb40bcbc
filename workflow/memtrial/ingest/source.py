"""A benchmark file as a stream: a JSON list, plain or gzipped, one top-level item in memory at a time."""

from __future__ import annotations

import codecs
import gzip
import hashlib
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, cast

import ijson
from ijson.backends import yajl2_c

from memtrial.errors import InputError
from memtrial.ingest.surrogates import SurrogateRepair

CHUNK = 1 << 16
_GZIP_MAGIC = b"\x1f\x8b"
_BYTE_ORDER_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_KEYS_SHOWN = 12

OnRead = Callable[[int, int], None]


class Source:
    """A benchmark file. `sha256` and `size` (bytes) are of the decompressed content, known once `rows` is exhausted.

    So is `lone_surrogates`: how many escapes of half a surrogate pair were read as U+FFFD.
    `on_read(done, total)` is told the bytes of the file (as it lies on disk) that have been read.
    """

    def __init__(self, path: Path, on_read: OnRead | None = None) -> None:
        self.path = path
        self.size = 0
        self._digest = hashlib.sha256()
        self._on_read = on_read
        self._repair = SurrogateRepair()

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()

    @property
    def lone_surrogates(self) -> int:
        return self._repair.count

    def rows(self, layouts: str) -> Iterator[Any]:
        """The items of the top-level list, in order; integers stay `int`, fractions become `Decimal`.

        Raises `InputError` naming the file, and for broken JSON the byte, if it cannot be read as a JSON list, and if
        an object has a key twice; `layouts` says in words which layouts are known.
        """
        count = 0
        repeated: list[tuple[_Object, str]] = []
        with open_plain(self.path) as (stream, raw):
            tap = _Tap(stream, self._seen(raw), self._repair)
            _require_list(tap, self.path, layouts)
            try:
                for item in yajl2_c.items(tap, "item", buf_size=CHUNK, map_type=partial(_Object, repeated)):
                    if repeated and _holds(item, repeated[0][0]):
                        problem = "expected each key once in an object, found it again"
                        raise InputError(problem, file=self.path.name, row=count, field=repeated[0][1])
                    yield item
                    count += 1
            except (ijson.JSONError, UnicodeDecodeError) as error:
                raise self._broken(error, count, tap.given - tap.last) from error
            except (OSError, EOFError, zlib.error) as error:
                raise _unreadable(self.path, error) from error

    def _seen(self, raw: BinaryIO) -> Callable[[bytes], None]:
        total = os.fstat(raw.fileno()).st_size

        def seen(data: bytes) -> None:
            self._digest.update(data)
            self.size += len(data)
            if self._on_read:
                self._on_read(raw.tell(), total)

        return seen

    def _broken(self, error: Exception, count: int, certain: int) -> InputError:
        """The fault lies beyond the first `certain` bytes: feed the others one by one to find where."""
        reason = str(error) if isinstance(error, UnicodeDecodeError) or not error.args else error.args[0]
        reason = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
        events: Any = ijson.sendable_list()
        parser = yajl2_c.basic_parse_coro(events)
        offset = 0
        with open_plain(self.path) as (stream, _):
            tap = _Tap(stream, lambda data: None, SurrogateRepair())
            try:
                while data := tap.read():
                    whole = offset + len(data) <= certain
                    for part in [data] if whole else (data[i : i + 1] for i in range(len(data))):
                        parser.send(part)
                        offset += len(part)
                        events.clear()
            except (ijson.JSONError, UnicodeDecodeError):
                pass
        place = f"at byte {offset}, after {count} whole rows"
        return InputError(f"not valid JSON {place}: {reason.strip().splitlines()[0]}", file=self.path.name)


class _Object(dict[str, Any]):
    """A JSON object that puts itself on the list `repeated` with a key that it has already.

    An exception would not come through ijson, which reads ahead of the items that it gives.
    """

    __slots__ = ("_repeated",)

    def __init__(self, repeated: list[tuple[_Object, str]]) -> None:
        self._repeated = repeated

    def __setitem__(self, key: str, value: Any) -> None:
        if key in self:
            self._repeated.append((self, key))
        super().__setitem__(key, value)


def _holds(whole: Any, part: _Object) -> bool:
    inner = whole.values() if isinstance(whole, dict) else whole if isinstance(whole, list) else ()
    return whole is part or any(_holds(item, part) for item in inner)


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
    """Passes reads through `repair` and shows what it reads to `seen`; `head` is the first chunk, still to be read.

    `given` counts the bytes passed on, `last` those of the last read that gave any.
    """

    def __init__(self, stream: BinaryIO, seen: Callable[[bytes], None], repair: SurrogateRepair) -> None:
        self._stream, self._seen, self._repair = stream, seen, repair
        self.head = b""
        self.given = self.last = 0

    def fill(self) -> None:
        self.head = self._stream.read(CHUNK)

    def read(self, size: int = -1, /) -> bytes:
        """About `CHUNK` bytes; none at the end."""
        if size == 0:  # ijson asks so whether it gets bytes
            return b""
        given = b""
        while not given:
            data, self.head = self.head or self._stream.read(CHUNK), b""
            self._seen(data)
            given = self._repair.feed(data)
            if not data:
                break
        self.given += len(given)
        self.last = len(given) or self.last
        return given


def _require_list(tap: _Tap, path: Path, layouts: str) -> None:
    try:
        tap.fill()
    except (OSError, EOFError, zlib.error) as error:
        raise _unreadable(path, error) from error
    if tap.head.startswith(_BYTE_ORDER_MARKS):
        raise InputError("expected UTF-8 without a byte order mark, found one at the beginning", file=path.name)
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
    except (ijson.JSONError, UnicodeDecodeError):
        events.append(("", "map_key", "… (broken JSON)"))
    keys = [value for prefix, event, value in events if event == "map_key" and not prefix]
    return ", ".join(keys[:_KEYS_SHOWN]) + (", …" if len(keys) > _KEYS_SHOWN else "")
