"""WARC 1.1: pages as the archives of the web keep them, with an index (CDXJ) by which players such as pywb find them.

Each page is a response with the request that asked for it; a page whose body was written before is a revisit, which
names the page that has it. The bodies are decompressed, as the store keeps them: headers that no longer hold are kept
under X-Crawler- names. Of a request its method, target and host are known; that is what its record says.
"""

import hashlib
import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from importlib import import_module
from io import BytesIO
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self
from urllib.parse import urlsplit

from thresher.errors import MissingExtra, UsageError
from thresher.export.contract import Receipt
from thresher.export.files import whole_file
from thresher.export.partial import EVERY, Partial
from thresher.model import Page
from thresher.version import __version__

MAX_DIGESTS = 1_000_000  # bodies that are remembered to be named by revisits
CHANGED = frozenset({"content-encoding", "transfer-encoding", "content-length"})  # by decompression
NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"


@dataclass(frozen=True, slots=True)
class Seen:
    """Where a body was written first."""

    url: str
    date: str


def warc_library() -> tuple[Any, Any]:
    """Return warcio's modules of writing and of headers; raise MissingExtra where it is not installed."""
    try:
        return import_module("warcio.warcwriter"), import_module("warcio.statusandheaders")
    except ImportError as error:
        raise MissingExtra(f"WARC needs a library ({error}): pip install 'thresher[warc]'") from error


class WarcStream:
    """Writes pages into an open file; `lines` are those of its index, to be sorted when all is written."""

    def __init__(self, stream: BinaryIO, name: str, digests: dict[str, Seen] | None = None) -> None:
        """`name` is the one that the file will have; `digests` are bodies that other files hold."""
        writing, self._headers = warc_library()
        self._stream, self._name = stream, name
        self._digests = {} if digests is None else digests
        self._writer = writing.WARCWriter(stream, gzip=True, warc_version="1.1")
        self.lines: list[str] = []

    def begin(self) -> None:
        """Write the record that describes the file."""
        told = {"software": f"Thresher/{__version__}", "format": "WARC File Format 1.1"}
        self._writer.write_record(self._writer.create_warcinfo_record(self._name, told))

    def add(self, page: Page) -> None:
        """Write a page: its response, or a revisit, and its request."""
        date = _date(page.fetched_at)
        about = {"WARC-Date": date} | ({"WARC-IP-Address": page.address} if page.address else {})
        head = self._headers.StatusAndHeaders(_status_line(page.status), _headers_of(page), protocol="HTTP/1.1")
        response = self._writer.create_warc_record(
            page.url, "response", BytesIO(page.body), len(page.body), warc_headers_dict=about, http_headers=head
        )
        digest = response.rec_headers.get_header("WARC-Payload-Digest")
        seen = self._digests.get(digest) if page.body else None
        if page.status == HTTPStatus.NOT_MODIFIED:
            response = self._writer.create_warc_record(
                page.url, "revisit", warc_headers_dict=about | {"WARC-Profile": NOT_MODIFIED}, http_headers=head
            )
        elif seen:
            response = self._writer.create_revisit_record(
                page.url, digest, seen.url, seen.date, http_headers=head, warc_headers_dict=about
            )
        elif page.body and len(self._digests) < MAX_DIGESTS:
            self._digests[digest] = Seen(page.url, date)
        begin = self._stream.tell()
        self._writer.write_record(response)
        self.lines.append(self._line(page, response, digest, begin))
        self._write_request(page, about, response)

    def _line(self, page: Page, response: Any, digest: str, begin: int) -> str:
        is_revisit = response.rec_type == "revisit"
        mime = page.content_type.partition(";")[0].strip().lower() or "unk"
        told = {
            "url": page.url,
            "mime": "warc/revisit" if is_revisit else mime,
            "status": str(page.status),
            "digest": digest.partition(":")[2],
            "length": str(self._stream.tell() - begin),
            "offset": str(begin),
            "filename": self._name,
        }
        moment = page.fetched_at.strftime("%Y%m%d%H%M%S")
        return f"{surt(page.url)} {moment} {json.dumps(told, ensure_ascii=False)}\n"

    def _write_request(self, page: Page, about: dict[str, str], response: Any) -> None:
        split = urlsplit(page.url)
        target = (split.path or "/") + (f"?{split.query}" if split.query else "")
        head = self._headers.StatusAndHeaders(f"GET {target} HTTP/1.1", [("Host", split.netloc)], is_http_request=True)
        answer = {"WARC-Concurrent-To": response.rec_headers.get_header("WARC-Record-ID")}
        self._writer.write_record(
            self._writer.create_warc_record(page.url, "request", warc_headers_dict=about | answer, http_headers=head)
        )


class WarcFile:
    """Writes one WARC file of pages; a context manager, which puts it in its place when its body is over."""

    def __init__(self, path: Path | None, kept: Partial | None = None) -> None:
        if path is None or str(path) == "-":
            raise UsageError("WARC cannot be written to standard output: give -o FILE")
        warc_library()
        self._path, self._kept = path, kept
        self._stack = ExitStack()
        self.receipt = Receipt(0, "", path)

    def __enter__(self) -> Self:
        """Open the file."""
        self._pages = self._kept.begin.documents if self._kept else 0
        if self._kept:
            self._aside, self._file = self._kept.aside, self._stack.enter_context(self._kept.file())
        else:
            self._aside = self._stack.enter_context(whole_file(self._path))
            self._file = self._stack.enter_context(self._aside.open("wb"))
        seen = digests_in(self._aside) if self._pages else None
        self._stream = WarcStream(self._file, self._path.name, seen)
        if not self._pages:
            self._stream.begin()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Put the file in its place, or remove it, unless it can be gone on with."""
        self._file.flush()
        with self._aside.open("rb") as written:
            sha256 = hashlib.file_digest(written, "sha256").hexdigest()
        self.receipt = Receipt(self._pages, sha256, self._path)
        self._stack.__exit__(kind, error, at)

    def add(self, page: Page) -> None:
        """Write a page."""
        self._stream.add(page)
        self._pages += 1
        if self._kept and self._pages % EVERY == 0:
            self._file.flush()
            self._kept.keep(self._pages, page.url, self._file.tell())


def digests_in(path: Path) -> dict[str, Seen]:
    """Return the bodies that a WARC file holds, and where each was written first."""
    found: dict[str, Seen] = {}
    with path.open("rb") as stream:
        for record in import_module("warcio.archiveiterator").ArchiveIterator(stream):
            told = record.rec_headers.get_header
            has_body = record.rec_type == "response" and record.http_headers.get_header("Content-Length") != "0"
            if has_body and len(found) < MAX_DIGESTS:
                found.setdefault(told("WARC-Payload-Digest"), Seen(told("WARC-Target-URI"), told("WARC-Date")))
    return found


def surt(url: str) -> str:
    """Return the key of a URL in an index: its host from right to left, then path and sorted query in small letters.

    So players find http and https, with www and without, in one place.
    """
    split = urlsplit(url)
    host = (split.hostname or "").removeprefix("www.")
    is_address = ":" in host or host.replace(".", "").isdigit()
    parts = [host] if is_address else host.split(".")[::-1]
    port = f":{split.port}" if split.port and split.port not in (80, 443) else ""
    query = "&".join(sorted(split.query.split("&"))) if split.query else ""
    path = split.path.rstrip("/") or "/"
    return f"{','.join(parts)}{port}){path}{f'?{query}' if query else ''}".lower()


def moved(lines: Iterator[str], begin: int, name: str) -> Iterator[str]:
    """Yield the lines of an index for records that now stand behind `begin` bytes of the file of a name."""
    for line in lines:
        key, moment, told = line.split(" ", 2)
        fields = json.loads(told)
        fields |= {"offset": str(int(fields["offset"]) + begin), "filename": name}
        yield f"{key} {moment} {json.dumps(fields, ensure_ascii=False)}\n"


def _date(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _status_line(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return f"{status} Unknown"


def _headers_of(page: Page) -> list[tuple[str, str]]:
    kept = [(f"X-Crawler-{name}" if name in CHANGED else name, value) for name, value in page.headers.items()]
    rendered = [("X-Crawler-Rendered", "true")] if page.rendered else []
    plain = [(name, " ".join(value.split())) for name, value in kept]
    return [*plain, *rendered, ("Content-Length", str(len(page.body)))]
