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
from thresher.export.partial import EVERY, Hashing, Partial, Progress
from thresher.model import Document

FORMATS = ("jsonl", "csv", "md", "parquet")
RESUMABLE = ("jsonl", "csv")


def writer_of(
    format_: str, path: Path | None, *, raw_csv: bool = False, what: str = "", resume: bool = False
) -> Writer:
    """Return a writer of one of FORMATS to a file (a folder for md) or, without a path, to standard output.

    When it is told what it exports, one of RESUMABLE keeps what it has written when it is interrupted; `resume` goes on
    with that, if it was the same.
    """
    is_file = path is not None and str(path) != "-" and (not path.exists() or path.is_file())
    kept = Partial(path, f"{what} as {format_}, {raw_csv}") if path and is_file and what else None
    if format_ == "csv":
        pieces_of = partial(csv_rows.pieces_of, raw=raw_csv)
        return OneFile(path, pieces_of, header=csv_rows.row(csv_rows.FIELDS), kept=kept, resume=resume)
    if format_ == "parquet":
        return ParquetFile(path)
    return MarkdownFolder(path) if format_ == "md" else OneFile(path, jsonl.pieces_of, kept=kept, resume=resume)


class OneFile:
    """Writes documents one after the other into one file, each in the pieces that a format makes of it."""

    def __init__(
        self,
        path: Path | None,
        pieces_of: Callable[[Document, Posts], Iterator[str]],
        *,
        header: str = "",
        kept: Partial | None = None,
        resume: bool = False,
    ) -> None:
        self._path, self._kept = path, kept
        self._pieces_of = pieces_of
        self._header = header
        self._stack = ExitStack()
        self._begin = kept.left() if kept and resume else Progress(kept.progress.what if kept else "")
        self._documents, self._last = self._begin.documents, self._begin.last

    @property
    def before(self) -> tuple[int, str | None]:
        """How many documents an earlier attempt has written, and the URL of the last of them."""
        return self._begin.documents, self._begin.last

    def restart(self) -> None:
        """Begin anew: what an earlier attempt wrote is not the beginning of this one. To be called before entering."""
        self._begin = Progress(self._begin.what)
        self._documents, self._last = 0, None

    def __enter__(self) -> Self:
        """Open the file."""
        self._stream: Hashed | Hashing
        if self._kept:
            self._stream = self._stack.enter_context(self._kept.opened(self._begin))
        else:
            self._stream = self._stack.enter_context(hashed_file(self._path))
        if not self._begin.documents:
            self._stream.write(self._header)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Put the file in its place; remove it after an error, unless it can be gone on with."""
        self._stack.__exit__(kind, error, at)

    def add(self, document: Document, posts: Posts) -> None:
        """Write a document and its posts."""
        for piece in self._pieces_of(document, posts):
            self._stream.write(piece)
        self._documents, self._last = self._documents + 1, document.url
        if self._kept and isinstance(self._stream, Hashing) and self._documents % EVERY == 0:
            self._kept.keep(self._stream, self._documents, self._last)

    @property
    def receipt(self) -> Receipt:
        """What was written."""
        return Receipt(self._documents, self._stream.sha256, self._path)
