"""What a writer promises: documents one by one, however many, then a receipt.

    with WRITERS["jsonl"](path) as writer:      nothing stands under `path` yet
        writer.add(document, posts)             …
    writer.receipt                              the file is in its place, whole

To add a format, write a class with these methods in a module of its own and name it in formats.py.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from thresher.model import Document, Post

# The posts of a document, asked for as often as they are needed: a thread may have more than fit in memory.
Posts = Callable[[], Iterable[Post]]


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was written: how many documents, and the sha-256 of the file (of its list of files, for a folder)."""

    documents: int
    sha256: str
    path: Path | None  # None: standard output


class Writer(Protocol):
    """Writes documents in one format; a context manager, whose body is the whole export.

    It keeps no document once `add` has returned. What it writes is moved to its place when the body ends without an
    error, and removed otherwise. It raises UsageError when the place cannot be written to.
    """

    @property
    def receipt(self) -> Receipt:
        """What was written; to be asked for when the body is over."""

    def __enter__(self) -> Self:
        """Open the place to write to."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Move what was written to its place, or remove it after an error."""

    def add(self, document: Document, posts: Posts) -> None:
        """Write a document, whose own `posts` are not looked at, and its posts."""
