"""The formats that a corpus is exported in, each with its writer."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from thresher.export import csv_rows, jsonl
from thresher.export.contract import Posts, Receipt, Writer
from thresher.export.files import Hashed, hashed_file
from thresher.export.markdown_folder import MarkdownFolder
from thresher.export.parquet import ParquetFile
from thresher.export.partial import EVERY, Hashing, Partial
from thresher.model import Document

FORMATS = ("jsonl", "csv", "md", "parquet")


def writer_of(format_: str, path: Path | None, *, raw_csv: bool = False, kept: Partial | None = None) -> Writer:
    """Return a writer of one of FORMATS to a file (a folder for md) or, without a path, to standard output.

    With `kept` (see kept_for) it goes on where that begins, and leaves what it has written when it is interrupted.
    """
    if format_ == "csv":
        pieces_of = partial(csv_rows.pieces_of, raw=raw_csv)
        return OneFile(path, pieces_of, header=csv_rows.row(csv_rows.FIELDS), kept=kept)
    if format_ == "parquet":
        return ParquetFile(path, kept)
    return MarkdownFolder(path, kept) if format_ == "md" else OneFile(path, jsonl.pieces_of, kept=kept)


def kept_for(path: Path | None, what: str, *, resume: bool = False) -> Partial | None:
    """Return what keeps an export of so named contents that is interrupted; None for standard output or a device."""
    if path is None or str(path) == "-" or (path.exists() and not (path.is_file() or path.is_dir())):
        return None
    return Partial(path, what, resume=resume)


class OneFile:
    """Writes documents one after the other into one file, each in the pieces that a format makes of it."""

    def __init__(
        self,
        path: Path | None,
        pieces_of: Callable[[Document, Posts], Iterator[str]],
        *,
        header: str = "",
        kept: Partial | None = None,
    ) -> None:
        self._path, self._kept = path, kept
        self._pieces_of = pieces_of
        self._header = header
        self._stack = ExitStack()
        self._documents = 0

    def __enter__(self) -> Self:
        """Open the file."""
        self._stream: Hashed | Hashing
        if self._kept:
            self._documents = self._kept.begin.documents
            self._stream = Hashing(self._stack.enter_context(self._kept.file()))
        else:
            self._stream = self._stack.enter_context(hashed_file(self._path))
        if not self._documents:
            self._stream.write(self._header)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Put the file in its place; remove it after an error, unless it can be gone on with."""
        self._stack.__exit__(kind, error, at)

    def add(self, document: Document, posts: Posts) -> None:
        """Write a document and its posts."""
        for piece in self._pieces_of(document, posts):
            self._stream.write(piece)
        self._documents += 1
        if self._kept and isinstance(self._stream, Hashing) and self._documents % EVERY == 0:
            self._kept.keep(self._documents, document.url, self._stream.flushed())

    @property
    def receipt(self) -> Receipt:
        """What was written."""
        return Receipt(self._documents, self._stream.sha256, self._path)
