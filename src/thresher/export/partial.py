"""Partial exports: what an interrupted export has written stands beside its target, with a note of how far it came."""

import hashlib
import json
import os
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
    bytes: int = 0


class Partial:
    """A file that is written beside its target and can be gone on with; also when its writer was killed."""

    def __init__(self, target: Path, what: str) -> None:
        self._given, self._target, self._what = target, target.resolve(), what
        self._aside = self._target.with_name(f".{target.name}.partial")
        self._note = self._target.with_name(f".{target.name}.partial.json")
        self.progress = Progress(what)

    def left(self) -> Progress:
        """Return how far an earlier attempt at the same export came; nothing done where there is none."""
        try:
            progress = Progress(**json.loads(self._note.read_text("utf-8")))
            enough = self._aside.stat().st_size >= progress.bytes
        except (OSError, ValueError, TypeError):
            return Progress(self._what)
        return progress if enough and progress.what == self._what else Progress(self._what)

    @contextmanager
    def opened(self, begin: Progress) -> Iterator["Hashing"]:
        """Give the file to write behind what was written before; it is put in its place when the body ends."""
        try:
            if self._target.exists() and not self._target.is_file():
                raise UsageError(f"cannot write {self._given}: it is no file")
            stream = self._aside.open("r+b" if begin.documents else "w+b")
        except OSError as error:
            raise UsageError(f"cannot write {self._given}: {error.strerror}") from error
        with stream:
            stream.truncate(begin.bytes)
            written = Hashing(stream)
            self.progress = begin
            yield written
            stream.flush()
        self._aside.replace(self._target)
        self._note.unlink(missing_ok=True)

    def keep(self, written: "Hashing", documents: int, last: str | None) -> None:
        """Note how far the file has come."""
        self.progress = Progress(self._what, documents, last, written.flushed())
        fresh = self._note.with_name(f"{self._note.name}.{os.getpid()}")
        fresh.write_text(json.dumps(asdict(self.progress)), "utf-8")
        fresh.replace(self._note)


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
