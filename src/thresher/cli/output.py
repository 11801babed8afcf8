"""Documents as Markdown, text, JSON, JSON lines, CSV, HTML or XML, to standard output or a file."""

import io
import json
from collections.abc import Iterable
from typing import TextIO
from xml.etree import ElementTree

from thresher.export import csv_rows
from thresher.export.files import text_file as opened
from thresher.model import Document
from thresher.model.rendering.render import to_text

__all__ = ["FORMATS", "opened", "write"]

FORMATS = ("md", "txt", "json", "jsonl", "csv", "html", "xml")


def write(documents: Iterable[Document], format_: str, stream: TextIO, *, raw_csv: bool = False) -> None:
    """Write documents one after the other in one of FORMATS."""
    if format_ == "csv":
        stream.write(csv_rows.row(csv_rows.FIELDS))
        for document in documents:
            stream.write(csv_rows.row((*csv_rows.facts_of(document), document.text), raw=raw_csv))
        return
    for number, document in enumerate(documents):
        if number and format_ in ("md", "txt"):
            stream.write("\n---\n\n")
        stream.write(_whole(document, format_))


def _whole(document: Document, format_: str) -> str:
    """Return a document as text that ends with a line end."""
    if format_ == "md":
        return document.markdown() or "\n"
    if format_ == "html":
        return document.html()
    if format_ == "txt":
        return to_text(document) or "\n"
    if format_ == "xml":
        return _xml(document) + "\n"
    return json.dumps(document.to_dict(), ensure_ascii=False, indent=2 if format_ == "json" else None) + "\n"


def _xml(document: Document) -> str:
    root = ElementTree.Element("document", kind=document.kind.value)
    for name, value in zip(csv_rows.FIELDS, csv_rows.facts_of(document), strict=False):
        if name != "kind" and value:
            ElementTree.SubElement(root, name).text = str(value)
    body = ElementTree.SubElement(root, "text")
    for block in document.blocks:
        ElementTree.SubElement(body, block.tag).text = block.text
    for post in document.posts:
        element = ElementTree.SubElement(root, "post", position=str(post.position), author=post.author or "")
        element.text = post.text
    buffer = io.StringIO()
    ElementTree.ElementTree(root).write(buffer, encoding="unicode")
    return buffer.getvalue()
