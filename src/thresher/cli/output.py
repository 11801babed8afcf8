"""Documents as Markdown, text, JSON, JSON lines, CSV, HTML or XML, to standard output or a file."""

import io
import json
import re
from collections.abc import Iterable
from typing import TextIO
from xml.etree import ElementTree

from thresher.cli.terminal import for_data
from thresher.export import csv_rows
from thresher.export.files import text_file as opened
from thresher.model import Document
from thresher.model.rendering.render import to_html, to_text, to_xml

__all__ = ["FORMATS", "opened", "whole", "write"]

FORMATS = ("md", "txt", "json", "jsonl", "csv", "html", "xml")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(documents: Iterable[Document], format_: str, stream: TextIO, *, raw_csv: bool = False) -> None:
    """Write documents one after the other in one of FORMATS; on a terminal, without what it would obey."""
    stream = for_data(stream)
    if format_ == "csv":
        stream.write(csv_rows.row(csv_rows.FIELDS))
        for document in documents:
            stream.write(csv_rows.row((*csv_rows.facts_of(document), document.text), raw=raw_csv))
        return
    for number, document in enumerate(documents):
        if number and format_ in ("md", "txt"):
            stream.write("\n---\n\n")
        stream.write(whole(document, format_))


def whole(document: Document, format_: str, *, source: str | None = None) -> str:
    """Return a document in one of FORMATS but CSV, with a line end; `source` is told by JSON, HTML and XML."""
    if format_ == "md":
        return document.markdown() or "\n"
    if format_ == "html":
        return to_html(document, source=source)
    if format_ == "txt":
        return to_text(document) or "\n"
    if format_ == "xml":
        return _xml(document, source) + "\n"
    values = ({"source": source} if source is not None else {}) | document.to_dict()
    return json.dumps(values, ensure_ascii=False, indent=2 if format_ == "json" else None) + "\n"


def _xml(document: Document, source: str | None) -> str:
    root = ElementTree.Element("document", kind=document.kind.value)
    values = dict(zip(csv_rows.FIELDS, csv_rows.facts_of(document), strict=False))
    for name, value in {"source": source, **values}.items():
        if name != "kind" and value:
            ElementTree.SubElement(root, name).text = _valid(str(value))
    root.append(ElementTree.fromstring(f"<text>{_valid(to_xml(document))}</text>"))
    for post in document.posts:
        about = {"position": str(post.position), "author": _valid(post.author or "")}
        ElementTree.SubElement(root, "post", about).text = _valid(post.text)
    buffer = io.StringIO()
    ElementTree.ElementTree(root).write(buffer, encoding="unicode")
    return buffer.getvalue()


def _valid(text: str) -> str:
    """Return a text with what XML cannot hold replaced."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
