"""The formats that a corpus is exported in, each with its writer."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from thresher.export import csv_rows, jsonl
from thresher.export.contract import Posts, Receipt, Writer
from thresher.export.files import hashed_file
from thresher.export.markdown_folder import MarkdownFolder
from thresher.model import Document

FORMATS = ("jsonl", "csv", "md")


def writer_of(format_: str, path: Path | None, *, raw_csv: bool = False) -> Writer:
    """Return a writer of one of FORMATS to a file (a folder for md) or, without a path, to standard output."""
    if format_ == "csv":
        return OneFile(path, partial(csv_rows.pieces_of, raw=raw_csv), header=csv_rows.row(csv_rows.FIELDS))
    return MarkdownFolder(path) if format_ == "md" else OneFile(path, jsonl.pieces_of)


class OneFile:
    """Writes documents one after the other into one file, each in the pieces that a format makes of it."""

    def __init__(
        self, path: Path | None, pieces_of: Callable[[Document, Posts], Iterator[str]], *, header: str = ""
    ) -> None:
        self._path = path
        self._pieces_of = pieces_of
        self._header = header
        self._stack = ExitStack()
        self._documents = 0

    def __enter__(self) -> Self:
        """Open the file."""
        self._stream = self._stack.enter_context(hashed_file(self._path))
        self._stream.write(self._header)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Put the file in its place, or remove it."""
        self._stack.__exit__(kind, error, at)

    def add(self, document: Document, posts: Posts) -> None:
        """Write a document and its posts."""
        for piece in self._pieces_of(document, posts):
            self._stream.write(piece)
        self._documents += 1

    @property
    def receipt(self) -> Receipt:
        """What was written."""
        return Receipt(self._documents, self._stream.sha256, self._path)
