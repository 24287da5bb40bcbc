"""A bundle opened for reading, zip or folder, without unpacking: names, streams, one file at a time on disk."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO

from memtrial.errors import InputError

CHUNK = 1 << 20


class Opened:
    """The files of a bundle by name (`/` between folders); `archive` is None for a folder."""

    def __init__(self, place: Path, archive: zipfile.ZipFile | None) -> None:
        self._place, self._archive = place, archive
        if archive:
            names = [info.filename for info in archive.infolist() if not info.is_dir()]
        else:
            names = [p.relative_to(place).as_posix() for p in place.rglob("*") if p.is_symlink() or not p.is_dir()]
        self.names = sorted(names)

    def open(self, name: str) -> IO[bytes]:
        """A file's bytes as a stream."""
        return self._archive.open(name) if self._archive else (self._place / name).open("rb")

    def text(self, name: str) -> str:
        """A small file's text."""
        with self.open(name) as stream:
            return stream.read().decode("utf-8")

    def digest(self, name: str) -> tuple[int, str]:
        """(bytes, SHA-256) of a file, a chunk in memory at a time."""
        digest, size = hashlib.sha256(), 0
        with self.open(name) as stream:
            while chunk := stream.read(CHUNK):
                digest.update(chunk)
                size += len(chunk)
        return size, digest.hexdigest()

    @contextmanager
    def local(self, name: str) -> Iterator[Path]:
        """A path at which a file lies for now, under its own last name; one of a zip lies in a temporary folder."""
        if not self._archive:
            yield self._place / name
            return
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / PurePosixPath(name).name
            with self.open(name) as stream, path.open("wb") as out:
                shutil.copyfileobj(stream, out, CHUNK)
            yield path


@contextmanager
def opened(path: Path) -> Iterator[Opened]:
    """A bundle's files. Raises `InputError` for what is no bundle, and for names that lead out of it or stand twice."""
    if path.is_dir():
        found = Opened(path, None)
        _check_names(path, found.names)
        if linked := [n for n in found.names if not (path / n).resolve().is_relative_to(path.resolve())]:
            raise InputError(f"'{linked[0]}' is a link that leads out of the bundle", file=path)
        yield found
        return
    if not path.exists():
        raise InputError("there is no such file or folder", file=path)
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, UnicodeDecodeError) as error:
        raise InputError(f"neither a folder nor a zip file that can be read: {error}", file=path) from None
    with archive:
        found = Opened(path, archive)
        _check_names(path, found.names)
        yield found


def _check_names(path: Path, names: list[str]) -> None:
    """Names are used to look things up and for temporary files alone; still, no honest bundle has such ones."""
    for before, name in zip(["", *names], names, strict=False):
        if name == before:
            raise InputError(f"'{name}' stands twice", file=path)
        if name.startswith("/") or "\\" in name or ".." in PurePosixPath(name).parts:
            raise InputError(f"'{name}' leads out of the bundle", file=path)
