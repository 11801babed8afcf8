"""CSV: a document a row, the text last; no cell is a formula to a spreadsheet unless that is asked for."""

import csv
import io
from collections.abc import Iterable, Iterator

from thresher.export.contract import Posts
from thresher.export.texts import whole_text
from thresher.model import Document

FIELDS = (
    "url",
    "kind",
    "title",
    "published",
    "authors",
    "language",
    "site",
    "site_name",
    "description",
    "sources",
    "text",
)

# What makes spreadsheets read a cell as a formula, or look behind it for one; the full-width forms do so in some.
_ACTIVE = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def cell(value: object, *, raw: bool = False) -> str:
    """Return a value as the text of a cell; unless `raw`, an apostrophe stands before what a spreadsheet might run."""
    text = "" if value is None else str(value)
    return f"'{text}" if not raw and isinstance(value, str) and text.startswith(_ACTIVE) else text


def row(values: Iterable[object], *, raw: bool = False) -> str:
    """Return a row with its line end."""
    line = io.StringIO()
    csv.writer(line).writerow([cell(value, raw=raw) for value in values])
    return line.getvalue()


def facts_of(document: Document) -> tuple[object, ...]:
    """Return the values of FIELDS but the text."""
    return (
        document.url,
        document.kind.value,
        document.title,
        document.published.isoformat() if document.published else None,
        "; ".join(document.authors),
        document.language,
        document.site,
        document.site_name,
        document.description,
        "; ".join(document.sources),
    )


def pieces_of(document: Document, posts: Posts, *, raw: bool = False) -> Iterator[str]:
    """Yield a row piece by piece: a long thread is never in memory."""
    yield row(facts_of(document), raw=raw).removesuffix("\r\n") + ',"'
    clean = raw
    for piece in whole_text(document, posts):
        yield (piece if clean else cell(piece)).replace('"', '""')
        clean = clean or bool(piece)
    yield '"\r\n'
