"""Documents as Markdown, text, JSON, JSON lines, CSV, HTML or XML, to standard output or a file."""

import csv
import io
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO
from xml.etree import ElementTree

from thresher.errors import UsageError
from thresher.extraction.render import to_html, to_markdown
from thresher.extraction.render_posts import post_to_text
from thresher.model import Document, Kind
from thresher.model.codec import document_to_dict

FORMATS = ("md", "txt", "json", "jsonl", "csv", "html", "xml")
CSV_FIELDS = ("url", "kind", "title", "published", "authors", "language", "site", "text")


@contextmanager
def opened(path: Path | None) -> Iterator[TextIO]:
    """Give standard output, or the file of -o; raise UsageError when it cannot be written."""
    if path is None or str(path) == "-":
        yield sys.stdout
        sys.stdout.flush()
        return
    try:
        stream = path.open("w", encoding="utf-8", newline="")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
    with stream:
        yield stream


def write(documents: Iterable[Document], format_: str, stream: TextIO) -> None:
    """Write documents one after the other in one of FORMATS."""
    if format_ == "csv":
        rows = csv.writer(stream)
        rows.writerow(CSV_FIELDS)
        rows.writerows(_row(document) for document in documents)
        return
    for number, document in enumerate(documents):
        if number and format_ in ("md", "txt"):
            stream.write("\n---\n\n")
        stream.write(_whole(document, format_) + "\n")


def as_dict(document: Document) -> dict[str, object]:
    """Return what the JSON formats show: the fields, with the text and without the blocks it is made of."""
    values = document_to_dict(document)
    values.pop("blocks")
    return {
        "url": values.pop("url"),
        "kind": values.pop("kind"),
        "title": values.pop("title"),
        "text": document.text,
    } | values


def _whole(document: Document, format_: str) -> str:
    if format_ == "md":
        return to_markdown(document)
    if format_ == "html":
        return to_html(document)
    if format_ == "txt":
        return _text(document)
    if format_ == "xml":
        return _xml(document)
    return json.dumps(as_dict(document), ensure_ascii=False, indent=2 if format_ == "json" else None)


def _text(document: Document) -> str:
    """Title and text, the title once; the posts of a thread, and the comments below an article."""
    text = "" if document.kind is Kind.THREAD and document.posts else document.text
    first, _, rest = text.partition("\n")
    parts = [document.title, rest if document.title and first == document.title else text]
    return "\n\n".join(filter(None, (*parts, *map(post_to_text, document.posts))))


def _row(document: Document) -> list[str]:
    published = document.published.isoformat() if document.published else ""
    authors = "; ".join(document.authors)
    values = (document.url, document.kind.value, document.title, published, authors, document.language, document.site)
    return [value or "" for value in values] + [document.text]


def _xml(document: Document) -> str:
    root = ElementTree.Element("document", kind=document.kind.value)
    for name, value in zip(CSV_FIELDS, _row(document), strict=True):
        if name not in ("kind", "text") and value:
            ElementTree.SubElement(root, name).text = value
    body = ElementTree.SubElement(root, "text")
    for block in document.blocks:
        ElementTree.SubElement(body, block.tag).text = block.text
    for post in document.posts:
        element = ElementTree.SubElement(root, "post", position=str(post.position), author=post.author or "")
        element.text = post.text
    buffer = io.StringIO()
    ElementTree.ElementTree(root).write(buffer, encoding="unicode")
    return buffer.getvalue()
