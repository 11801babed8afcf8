"""Files that are whole or not there: written aside, then renamed."""

import hashlib
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO

from thresher.errors import UsageError
from thresher.text import printable


class Hashed:
    """Text on its way to a file as UTF-8, with the sha-256 of all that was written.

    On a terminal it loses what that would obey.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._is_screen = stream.isatty()
        self._hash = hashlib.sha256()

    def write(self, text: str) -> int:
        """Write some text."""
        data = (printable(text) if self._is_screen else text).encode("utf-8", "replace")
        self._hash.update(data)
        self._stream.write(data)
        return len(text)

    @property
    def sha256(self) -> str:
        """The hash of all bytes so far, in hexadecimal digits."""
        return self._hash.hexdigest()


@contextmanager
def text_file(path: Path | None) -> Iterator[TextIO]:
    """Give standard output for None or "-", else a text file (UTF-8) that is put in its place when the body ends."""
    if path is None or str(path) == "-":
        yield sys.stdout
        sys.stdout.flush()
        return
    with whole_file(path) as place, place.open("w", encoding="utf-8", newline="") as stream:
        yield stream


@contextmanager
def hashed_file(path: Path | None) -> Iterator[Hashed]:
    """Give the same as something that keeps the sha-256 of what is written to it."""
    if path is None or str(path) == "-":
        yield Hashed(sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return
    with whole_file(path) as place, place.open("wb") as stream:
        yield Hashed(stream)


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Give a folder that is put in its place when the body ends; raise UsageError where something stands there."""
    target = path.resolve()
    aside = _name_aside(target)
    refuse_full(path)
    with _told(path):
        aside.mkdir(parents=True)
    try:
        yield aside
        with _told(path):
            aside.replace(target)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def refuse_full(path: Path) -> None:
    """Raise UsageError where something stands that is no empty folder."""
    with _told(path):
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise UsageError(f"{path} exists and is not empty: give a folder that does not exist yet")


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give the path of a file beside the one wanted, which it replaces in the end; a device or pipe itself."""
    target = path.resolve()
    if target.exists() and not target.is_file():
        with _told(path):
            target.open("ab").close()
        yield target
        return
    aside = _name_aside(target)
    with _told(path):
        aside.open("xb").close()
    try:
        yield aside
        with _told(path):
            aside.replace(target)
    finally:
        aside.unlink(missing_ok=True)


def _name_aside(target: Path) -> Path:
    return target.with_name(f".{target.name}.{os.getpid()}.partial")


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
