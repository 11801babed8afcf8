"""Records: the pages of WARC and ARC files, one by one; what is broken is told and passed over."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from typing import Any, BinaryIO

from thresher.errors import MissingExtra, UsageError
from thresher.html.tree import MAX_SIZE
from thresher.model import Page
from thresher.urls import canonical

GZIP = b"\x1f\x8b\x08"
READ_BYTES = 1 << 20
ENDINGS = (".warc", ".warc.gz", ".arc", ".arc.gz")
HTML_TYPES = ("text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml")
NOT_KNOWN = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Record:
    """One record: its page, or why there is none."""

    offset: int  # in the file, in bytes; of a broken one that of the last that could be read
    id: str = ""
    page: Page | None = None
    skipped: str = ""  # why it is none to read: http-404, not-html …
    broken: str = ""  # what is wrong with it


def read_records(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Yield the responses and resources of a WARC or ARC file, compressed or not; the stream can be sought in."""
    yield from _arc(stream) if name.endswith((".arc", ".arc.gz")) else _warc(stream)


def _warc(stream: BinaryIO) -> Iterator[Record]:
    warc = library("fastwarc.warc")
    begin = 0
    end = stream.seek(0, 2)
    while begin < end:
        stream.seek(begin)
        at = begin
        try:
            for record in warc.ArchiveIterator(stream, parse_http=False):
                at = record.stream_pos
                declared = record.content_length
                if not record.headers.get("Content-Length"):
                    raise OSError("the record is cut off")
                if record.record_type not in (warc.WarcRecordType.response, warc.WarcRecordType.resource):
                    continue
                if declared > MAX_SIZE:
                    yield Record(at, record.record_id or "", skipped="too-large")
                    continue
                record.freeze()
                if record.content_length != declared:
                    raise OSError(f"{declared} bytes were announced, {record.content_length} are there")
                yield _record(record, at)
            return
        except (OSError, ValueError, UnicodeError) as error:
            yield Record(at, broken=str(error))
        begin = _next_record(stream, at + 1, end)


def _record(record: Any, at: int) -> Record:
    """Return the record of a response or resource that is whole."""
    named = record.record_id or ""
    url = (record.headers.get("WARC-Target-URI") or "").strip("<> ")
    if not url.startswith(("http://", "https://")):
        return Record(at, named, skipped="not-http")
    if record.is_http:
        record.parse_http(auto_decode="all")
        status, headers = record.http_headers.status_code or 0, record.http_headers.items()
    else:
        status, headers = 200, [("content-type", record.headers.get("Content-Type") or "")]
    kinds = [value for key, value in headers if key.lower() == "content-type"]
    skipped = reason_to_skip(status, kinds[0] if kinds else "")
    if skipped:
        return Record(at, named, skipped=skipped)
    body = record.reader.read(MAX_SIZE + 1)
    return _page(at, named, url, status, list(headers), body, record.record_date)


def _page(
    at: int, named: str, url: str, status: int, headers: list[tuple[str, str]], body: bytes, moment: datetime | None
) -> Record:
    if len(body) > MAX_SIZE:
        return Record(at, named, skipped="too-large")
    if not body.strip():
        return Record(at, named, skipped="empty")
    try:
        address = canonical(url)
    except UsageError as error:
        return Record(at, named, broken=str(error))
    kept: dict[str, str] = {}
    for key, value in headers:
        kept[key.lower()] = f"{kept[key.lower()]}, {value}" if key.lower() in kept else value
    when = (moment or NOT_KNOWN).astimezone(UTC) if moment is None or moment.tzinfo else moment.replace(tzinfo=UTC)
    return Record(at, named, Page(address, status, body, when, kept))


def reason_to_skip(status: int, content_type: str) -> str:
    """Say why an answer is not worth reading; empty for a page."""
    kind = content_type.partition(";")[0].strip().lower()
    if not 200 <= status < 300:
        return f"http-{status}"
    return "not-html" if kind and kind not in HTML_TYPES else ""


def _next_record(stream: BinaryIO, after: int, end: int) -> int:
    """Return where the next record begins behind a broken one: a compressed one, or one after an empty line."""
    stream.seek(after)
    kept = b""
    at = after
    while chunk := stream.read(READ_BYTES):
        window = kept + chunk
        for place in _marks(window):
            if window[place : place + 5] == b"WARC/" or _unpacks(window[place:]):
                return at - len(kept) + place
        at += len(chunk)
        kept = window[-512:]
    return end


def _marks(window: bytes) -> Iterator[int]:
    place = -1
    while (place := window.find(GZIP, place + 1)) >= 0:
        yield place
    place = window.find(b"\r\n\r\nWARC/1.")
    if place >= 0:
        yield place + 4


def _unpacks(data: bytes) -> bool:
    try:
        return zlib.decompressobj(zlib.MAX_WBITS + 16).decompress(data[:4096], 5) == b"WARC/"
    except zlib.error:
        return False


def _arc(stream: BinaryIO) -> Iterator[Record]:
    """Yield the records of an ARC file; behind a broken one nothing can be found."""
    reading, exceptions = library("warcio.archiveiterator"), library("warcio.exceptions")
    archive = reading.ArchiveIterator(stream, arc2warc=True)
    at = 0
    try:
        for record in archive:
            if record.rec_type != "response":
                continue
            status = int(record.http_headers.get_statuscode() or 0) if record.http_headers else 200
            headers = list(record.http_headers.headers) if record.http_headers else []
            kinds = [value for key, value in headers if key.lower() == "content-type"]
            skipped = reason_to_skip(status, kinds[0] if kinds else "")
            body = b"" if skipped else record.content_stream().read(MAX_SIZE + 1)
            at = archive.get_record_offset()  # reads the rest of the record
            if skipped:
                yield Record(at, skipped=skipped)
                continue
            moment = datetime.fromisoformat(record.rec_headers.get_header("WARC-Date"))
            url = record.rec_headers.get_header("WARC-Target-URI")
            yield _page(at, "", url, status, headers, body, moment)
    except (exceptions.ArchiveLoadFailed, OSError, ValueError, zlib.error) as error:
        yield Record(at, broken=str(error))


def library(name: str) -> Any:
    """Return a module that reads archives; raise MissingExtra where it is not installed."""
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingExtra(f"WARC needs a library ({error}): pip install 'thresher[warc]'") from error
