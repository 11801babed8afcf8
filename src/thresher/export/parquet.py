"""Parquet: a document a row, its posts a list in it; read by pandas, DuckDB, Spark and others without our code."""

import hashlib
from collections.abc import Iterable
from contextlib import ExitStack
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from thresher.errors import MissingExtra, UsageError
from thresher.export.contract import Posts, Receipt
from thresher.export.files import whole_file
from thresher.export.partial import Partial
from thresher.export.texts import whole_text
from thresher.model import Document, Post
from thresher.model.codec import storable
from thresher.model.document import fields_of

BATCH = 1_000  # documents that are turned into columns together
GROUP_ROWS = 10_000
GROUP_BYTES = 32_000_000  # of text that a row group holds about, and memory while it is written
_TEXTS = ("url", "kind", "title", "text", "language", "site", "site_name", "description", "image", "canonical_url")
_LISTS = ("authors", "sources", "links")
_POST_TEXTS = ("id", "author", "text", "permalink", "reply_to")


class ParquetFile:
    """Writes documents into one Parquet file, a group of rows at a time.

    One that can be gone on with writes each group into a file of its own, and puts them together in the end: a Parquet
    file without its end cannot be read. The outcome is the same.
    """

    def __init__(self, path: Path | None, kept: Partial | None = None) -> None:
        if path is None or str(path) == "-":
            raise UsageError("Parquet cannot be written to standard output: give -o FILE")
        if kept and path.is_dir():
            raise UsageError(f"cannot write {path}: it is a folder")
        self._arrow, self._parquet = arrow_library()
        self._schema = schema()
        self._path, self._kept = path, kept
        self._stack = ExitStack()
        self._rows: list[dict[str, Any]] = []
        self._waiting_bytes = 0
        self.receipt = Receipt(0, "", path)
        self._documents = self._groups = 0

    def __enter__(self) -> Self:
        """Open the file, or the folder of groups."""
        if self._kept:
            self._folder = self._stack.enter_context(self._kept.folder())
            self._documents, self._groups = self._kept.begin.documents, self._kept.begin.bytes
        else:
            self._aside = self._stack.enter_context(whole_file(self._path))
            self._writer = self._open(self._aside)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Put the file in its place, or remove it, unless it can be gone on with."""
        if kind is None:
            self._write_group("")
        if not self._kept:
            self._writer.close()
            self._receive(self._aside)
        elif kind is None:
            whole = self._join()
            self._receive(whole)
            self._kept.done(whole)
        self._stack.__exit__(kind, error, at)

    def add(self, document: Document, posts: Posts) -> None:
        """Write a document and its posts."""
        row = row_of(document, posts)
        self._rows.append(row)
        self._waiting_bytes += len(row["text"]) + sum(len(post["text"] or "") for post in row["posts"])
        self._documents += 1
        if self._waiting_bytes > GROUP_BYTES or len(self._rows) >= GROUP_ROWS:
            self._write_group(document.url)

    def _write_group(self, last: str | None) -> None:
        if not self._rows:
            return
        group = self._arrow.Table.from_pylist(self._rows, schema=self._schema)
        self._rows, self._waiting_bytes = [], 0
        if not self._kept:
            self._writer.write_table(group)
            return
        with self._open(self._part(self._groups)) as writer:
            writer.write_table(group)
        self._groups += 1
        self._kept.keep(self._documents, last, self._groups)

    def _join(self) -> Path:
        """Return one file of all groups."""
        whole: Path = self._folder / "whole"
        with self._open(whole) as writer:
            for number in range(self._groups):
                writer.write_table(self._parquet.read_table(self._part(number)))
                self._part(number).unlink()
        return whole

    def _open(self, path: Path) -> Any:
        return self._parquet.ParquetWriter(path, self._schema, compression="zstd")

    def _part(self, number: int) -> Path:
        return self._folder / f"group-{number:06}"

    def _receive(self, path: Path) -> None:
        with path.open("rb") as written:
            self.receipt = Receipt(self._documents, hashlib.file_digest(written, "sha256").hexdigest(), self._path)


def table_of(documents: Iterable[Document]) -> Any:
    """Return documents, with their posts, as a table of Arrow; there must be memory for all of them."""
    arrow, columns = arrow_library()[0], schema()
    coming = iter(documents)
    batches = []
    while rows := [row_of(each, lambda posts=each.posts: posts) for each in islice(coming, BATCH)]:  # type: ignore[misc]
        batches.append(arrow.RecordBatch.from_pylist(rows, schema=columns))
    return arrow.Table.from_batches(batches, schema=columns)


def arrow_library() -> tuple[Any, Any]:
    """Return pyarrow and pyarrow.parquet; raise MissingExtra where they are not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtra(f"Parquet needs a library ({error}): pip install 'thresher[parquet]'") from error
    return pyarrow, pyarrow.parquet


def schema(*more: tuple[str, str]) -> Any:
    """Return the columns of a document as a schema of Arrow, with others (name, type) behind them."""
    arrow = arrow_library()[0]
    types = {"text": arrow.string(), "number": arrow.int64(), "moment": arrow.timestamp("us", tz="UTC")}
    moment, text = arrow.timestamp("us", tz="UTC"), arrow.string()
    post = [(name, text) for name in _POST_TEXTS] + [("published", moment), ("position", arrow.int64())]
    columns = [(name, text) for name in _TEXTS] + [(name, arrow.list_(text)) for name in _LISTS]
    columns += [("published", moment), ("confidence", arrow.float64()), ("posts", arrow.list_(arrow.struct(post)))]
    return arrow.schema(columns + [(name, types[kind]) for name, kind in more])


def row_of(document: Document, posts: Posts) -> dict[str, Any]:
    """Return the values of a document by column."""
    fields = fields_of(document)
    texts = {name: _clean(fields.get(name)) for name in _TEXTS}
    lists = {name: [_clean(value) for value in fields.get(name, ())] for name in _LISTS}
    return (
        texts
        | lists
        | {
            "url": _clean(document.url),
            "kind": document.kind.value,
            "title": _clean(document.title),
            "text": _clean("".join(whole_text(document, posts))),
            "published": _in_utc(document.published),
            "confidence": document.confidence,
            "posts": [_post(post) for post in posts()],
        }
    )


def _post(post: Post) -> dict[str, Any]:
    texts = {name: _clean(getattr(post, name)) for name in _POST_TEXTS}
    return texts | {"published": _in_utc(post.published), "position": post.position}


def _clean(text: str | None) -> str | None:
    return None if text is None else storable(text)


def _in_utc(moment: datetime | None) -> datetime | None:
    """Return a time in UTC; one without a zone is taken for UTC, as everywhere."""
    if moment is None or moment.tzinfo is None:
        return moment.replace(tzinfo=UTC) if moment else None
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        return moment.replace(tzinfo=UTC)
