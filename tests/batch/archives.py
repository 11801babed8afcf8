"""Archives for tests of batches."""

import gzip
from datetime import UTC, datetime
from pathlib import Path

from thresher.export.warc import WarcStream
from thresher.model import Page

AT = datetime(2026, 11, 1, tzinfo=UTC)
SENTENCE = "The ferry to the islands was late again on Tuesday, and people stood in the rain for more than an hour. "


def html(number: int) -> bytes:
    """Return an article by number."""
    title = f"The ferry number {number} is late"
    paragraphs = f"<p>{SENTENCE * 3}</p>" * 3
    return (
        f"<title>{title}</title><body><article><h1>{title}</h1>{paragraphs}<p>Number {number}.</p></article>".encode()
    )


def page(number: int, body: bytes | None = None, status: int = 200, kind: str = "text/html") -> Page:
    """Return an answer by number."""
    url = f"https://site{number % 3}.example/{number}"
    return Page(url, status, html(number) if body is None else body, AT, {"content-type": kind})


def warc(path: Path, *pages: Page) -> Path:
    """Write a WARC file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as stream:
        writer = WarcStream(stream, path.name)
        writer.begin()
        for each in pages:
            writer.add(each)
    return path


def arc(path: Path, *pages: Page) -> Path:
    """Write an ARC file of version 1, as the Internet Archive did before WARC."""
    members = [b"filedesc://x.arc 0.0.0.0 20080101000000 text/plain 77\n1 0 InternetArchive\n" + b"x" * 58 + b"\n\n"]
    for each in pages:
        answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + each.body
        head = f"{each.url} 127.0.0.1 20080102030405 text/html {len(answer)}\n".encode()
        members.append(head + answer + b"\n")
    path.write_bytes(b"".join(map(gzip.compress, members)))
    return path
