"""One page of `thresher extract` as one record: its document and where it came from, written in the format asked for.

The work is done here, or in a process of the pool when there are many pages.
"""

import json
import os
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TextIO

from thresher.cli import output
from thresher.cli.terminal import for_data
from thresher.errors import ExtractionError, NotHtml
from thresher.export import csv_rows
from thresher.extraction.contract import Favour, Pages
from thresher.extraction.discussion import Posts
from thresher.extraction.extractor import extract as extract_page
from thresher.model import Document, Kind, Page

_LISTS = (Kind.LISTING, Kind.BOARD)
_UNPRINTED = dict.fromkeys((*range(32), 127), "�")


@dataclass(frozen=True, slots=True)
class Wishes:
    """How the pages are read and written; plain values, for they travel to other processes."""

    format_: str = "md"
    named: bool = False  # Markdown, text and HTML say where each document came from, as the other formats always do
    raw_csv: bool = False
    links_only: bool = False
    images: bool = False
    algorithm: str | None = None
    model: str | None = None
    favour: Favour = "balance"
    posts: Posts = "threads"
    pages: Pages = "articles"
    min_confidence: float = 0.0  # of the text; what is less sure has none


@dataclass(frozen=True, slots=True)
class Record:
    """What one input gave: a text to write, or what is wrong with it."""

    source: str
    text: str | None = None  # None: the input could not be read
    error: str = ""
    remark: str = ""  # what is said of a page that is no article
    empty: bool = False  # the page has no main text


def document_of(page: Page, wishes: Wishes) -> Document:
    """Extract a page; raise ExtractionError for one that is empty, no HTML or too large."""
    if not page.body.strip():
        raise NotHtml("this is empty, not a web page")
    document = extract_page(
        page.body,
        page.url or None,
        content_type=page.content_type or None,
        fetched_at=page.fetched_at,
        favour=wishes.favour,
        algorithm=wishes.algorithm,
        model=wishes.model,
        posts=wishes.posts,
        pages=wishes.pages,
        images=wishes.images,
    )
    if document.chance_of("text") < wishes.min_confidence:
        return replace(document, blocks=(), posts=(), images=())
    return document


def record_of(document: Document, source: str, wishes: Wishes) -> Record:
    """Return the record of a document."""
    text = "".join(f"{link}\n" for link in document.links) if wishes.links_only else written(document, source, wishes)
    remark = "" if wishes.pages == "any" and document.text else _remark(document, source)
    return Record(source, text, remark=remark, empty=not document.text)


def failed(source: str, error: object) -> Record:
    """Return the record of an input that could not be read; the message names it once."""
    words = str(error)
    return Record(source, error=words if source in words else f"{source}: {words}")


def written(document: Document, source: str, wishes: Wishes) -> str:
    """Return a document in the format asked for, without what joins it to others."""
    name = source.translate(_UNPRINTED)
    if wishes.format_ == "csv":
        return csv_rows.row((name, *csv_rows.facts_of(document), document.text), raw=wishes.raw_csv)
    if wishes.format_ in ("json", "jsonl", "xml"):
        return output.whole(document, wishes.format_, source=name)
    text = output.whole(document, wishes.format_, source=name if wishes.named else None)
    if wishes.named and wishes.format_ == "md":
        return f"<!-- source: {name.replace('--', '-%2D')} -->\n\n{text}"
    return f"source: {name}\n\n{text}" if wishes.named and wishes.format_ == "txt" else text


def is_folder(path: str | None) -> bool:
    """Say whether -o names a folder: one that is there, or a name that ends like one."""
    return path is not None and (path.endswith(("/", os.sep)) or Path(path).is_dir())


class Joined:
    """Records as one file: a valid one of its format, also when it is closed early. One alone is no array."""

    def __init__(self, stream: TextIO, wishes: Wishes, *, several: bool) -> None:
        self._stream = for_data(stream)
        self._count = 0
        kind = "links" if wishes.links_only else wishes.format_
        self._before, self._between, self._after = _FRAMES.get(kind, ("", "", "")) if several else ("", "", "")
        if kind == "csv":
            self._before = csv_rows.row(("source", *csv_rows.FIELDS))

    def add(self, text: str) -> None:
        """Write one more record."""
        self._stream.write(self._between if self._count else self._before)
        self._stream.write(text.rstrip("\n") if self._between == _COMMA else text)
        self._count += 1

    def close(self) -> None:
        """Write what ends the file."""
        self._stream.write(self._after if self._count else self._before + self._after.lstrip("\n"))
        self._stream.flush()


_COMMA = ",\n"
_RULE = "\n---\n\n"
_FRAMES = {  # before, between and after records
    "json": ("[\n", _COMMA, "\n]\n"),
    "xml": ('<?xml version="1.0" encoding="UTF-8"?>\n<documents>\n', "", "</documents>\n"),
    "md": ("", _RULE, ""),
    "txt": ("", _RULE, ""),
}


def _remark(document: Document, source: str) -> str:
    """Return what to say of a page that is no article; empty for one that is."""
    source = "standard input" if source == "-" else source
    if not document.text:
        return f"no main text in {source}"
    if document.kind is Kind.OTHER:
        return f"{source} does not look like an article"
    return f"{source} looks like a {document.kind.value}, not an article" if document.kind in _LISTS else ""


def request(page: Page, source: str, wishes: Wishes) -> bytes:
    """Encode a page and what is wished of it for a pool process: a line of JSON, then the body."""
    head = {
        "source": source,
        "url": page.url,
        "content_type": page.content_type,
        "fetched_at": page.fetched_at.isoformat(),
        "wishes": asdict(wishes),
    }
    return json.dumps(head).encode() + b"\n" + page.body


def answer(encoded: bytes) -> bytes:
    """Decode a request, extract its page, encode its record."""
    head, body = encoded.split(b"\n", 1)
    told = json.loads(head)
    headers = {"content-type": told["content_type"]} if told["content_type"] else {}
    page = Page(told["url"], 200, body, datetime.fromisoformat(told["fetched_at"]), headers)
    wishes = Wishes(**told["wishes"])
    try:
        record = record_of(document_of(page, wishes), told["source"], wishes)
    except ExtractionError as error:
        record = failed(told["source"], error)
    return json.dumps(asdict(record)).encode()


def read(encoded: bytes) -> Record:
    """Decode what a pool process answered."""
    return Record(**json.loads(encoded))
