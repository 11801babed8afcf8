"""Partial exports: what an interrupted export has written stands beside its target, with a note of how far it came.

.NAME.partial        a file, or a folder: of Markdown, or of the groups of rows of a Parquet file
.NAME.partial.json   how far it is whole
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

from thresher.errors import UsageError

EVERY = 100  # documents between two notes


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an export has come."""

    what: str = ""  # what is exported, in which format
    documents: int = 0
    last: str | None = None  # the URL of the last of them
    bytes: int = 0  # of a file; of a Parquet file, groups of rows


class Partial:
    """A file or folder that is written beside its target and can be gone on with; also when its writer was killed.

    `begin` is how far an earlier attempt at the same export came; nothing where there is none, or without `resume`.
    """

    def __init__(self, target: Path, what: str, *, resume: bool = False) -> None:
        self._given, self._target, self._what = target, target.resolve(), what
        self.aside = self._target.with_name(f".{target.name}.partial")
        self._note = self._target.with_name(f".{target.name}.partial.json")
        self.begin = self._left() if resume else Progress(what)

    def restart(self) -> None:
        """Begin anew: what an earlier attempt wrote is not the beginning of this one."""
        self.begin = Progress(self._what)

    def _left(self) -> Progress:
        try:
            progress = Progress(**json.loads(self._note.read_text("utf-8")))
            is_enough = self.aside.is_dir() or self.aside.stat().st_size >= progress.bytes
        except (OSError, ValueError, TypeError):
            return Progress(self._what)
        return progress if is_enough and progress.what == self._what else Progress(self._what)

    @contextmanager
    def file(self) -> Iterator[BinaryIO]:
        """Give the file to write behind what was written before; it is put in its place when the body ends."""
        with self._told():
            if self._target.exists() and not self._target.is_file():
                raise UsageError(f"cannot write {self._given}: it is not a file")
            stream = self.aside.open("r+b" if self.begin.documents else "w+b")
        with stream:
            stream.truncate(self.begin.bytes)
            stream.seek(0, os.SEEK_END)
            yield stream
            stream.flush()
        self.done(self.aside)

    @contextmanager
    def folder(self) -> Iterator[Path]:
        """Give the folder to write into, with what was written before, if anything; `done` puts it in its place."""
        with self._told():
            if not self.begin.documents:
                shutil.rmtree(self.aside, ignore_errors=True)
            self.aside.mkdir(parents=True, exist_ok=True)
        yield self.aside

    def done(self, written: Path) -> None:
        """Put what was written in its place, and forget the rest."""
        with self._told():
            written.replace(self._target)
        self._note.unlink(missing_ok=True)
        shutil.rmtree(self.aside, ignore_errors=True)

    def keep(self, documents: int, last: str | None, size: int = 0) -> None:
        """Note how far it has come: documents, the URL of the last one, and bytes of the file."""
        fresh = self._note.with_name(f"{self._note.name}.{os.getpid()}")
        fresh.write_text(json.dumps(asdict(Progress(self._what, documents, last, size))), "utf-8")
        fresh.replace(self._note)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise UsageError(f"cannot write {self._given}: {error.strerror}") from error


class Hashing:
    """A binary file with the SHA-256 of all that is in it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        stream.seek(0)
        self._hash = hashlib.sha256()
        while chunk := stream.read(1 << 20):
            self._hash.update(chunk)

    def write(self, text: str) -> int:
        """Write text as UTF-8."""
        self.write_bytes(text.encode("utf-8", "replace"))
        return len(text)

    def write_bytes(self, data: bytes) -> None:
        """Write bytes."""
        self._hash.update(data)
        self._stream.write(data)

    def flushed(self) -> int:
        """Hand everything over to the system; return how many bytes there are."""
        self._stream.flush()
        return self._stream.tell()

    @property
    def sha256(self) -> str:
        """The hash of all bytes, in hexadecimal digits."""
        return self._hash.hexdigest()
