"""`thresher bench store`: how fast each store writes and reads real documents, and how large they get.

The yardstick is what a Scrapy tutorial shows: an item pipeline that inserts address, title, author, date, text and raw
HTML into one table of SQLite and commits after each item. It keeps no versions, copies, posts, fates or log of changes
and compresses nothing; the stores do all that, one document in a transaction as well.

Where there are fewer real pages than documents wanted, they come again and again under other addresses, their letters
and signs replaced by others, so that no two texts are alike. Raw pages alone are measured against a WARC file.
"""

import random
import re
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from importlib import import_module
from pathlib import Path
from urllib.request import Request, urlopen

from thresher import sqlite
from thresher.errors import BackendError, MissingExtra
from thresher.export.warc import WarcStream
from thresher.extraction.extractor import extract
from thresher.lab.pages import LabelledPage
from thresher.lab.servers import (
    new_database,
    new_mariadb_database,
    own_folder,
    own_mariadb,
    own_mongodb,
    own_postgresql,
    own_search_server,
)
from thresher.lab.tables import table
from thresher.model import Fate, Kind, Page
from thresher.store.contract import Record
from thresher.store.servers import server_store
from thresher.store.sql import sqlite_store
from thresher.urls import host_of

AT = datetime(2026, 11, 1, tzinfo=UTC)
MANY = 100  # pages of a site
_SCRIPTS = (  # first and last letter, and how far it goes each time
    *((ord(first), ord(last), 1) for first, last in ("az", "AZ", "αω", "ая")),
    (0x4E00, 0x9FA5, 131),
)
_TEXT = re.compile(r"(?<=>)[^<]+")
YARDSTICK = "plain pipeline"
STORES = ("sqlite", "postgresql", "mariadb", "mongodb", "opensearch")
JOURNALS = ("pg_wal", "journal", "translog", "ib_logfile0", "ibtmp1", "undo001", "undo002", "undo003")  # written anew
ITEMS = "CREATE TABLE items (url TEXT PRIMARY KEY, title TEXT, author TEXT, published TEXT, text TEXT, html BLOB)"


@dataclass(frozen=True, slots=True)
class Measured:
    """What one store did with the documents."""

    name: str
    writes_per_s: float
    reads_per_s: float
    bytes_each: float


@dataclass(frozen=True, slots=True)
class Raw:
    """What raw pages take on disk."""

    name: str
    pages: int
    html_each: float
    stored_each: float  # of the whole file: pages, fates, bodies and dictionaries
    warc_each: float  # of the WARC file and its index
    dictionaries: int


@dataclass(frozen=True, slots=True)
class _Bench:
    """A store that is measured."""

    write: Callable[[Record], object]
    read: Callable[[str], object]
    size: Callable[[], int]  # on disk


def records_of(pages: Sequence[LabelledPage]) -> list[Record]:
    """Extract real pages; return what a crawl would store of each, under addresses of their own."""
    records = []
    for number, page in enumerate(pages):
        url = f"https://{page.site or 'site.example'}/{number}"
        document = extract(page.html, url=url)
        if document.kind in (Kind.ARTICLE, Kind.THREAD):
            raw = Page(url, 200, page.html.encode("utf-8", "replace"), AT, {"content-type": "text/html"})
            records.append(Record(Fate(url, 1, "stored", "stored", AT, status=200), raw, document))
    return records


def more_of(records: Sequence[Record], count: int) -> Iterator[Record]:
    """Yield so many records: these, and then these again with other letters, as often as it takes."""
    for number in range(count):
        times, place = divmod(number, len(records))
        yield _changed(records[place], times) if times else records[place]


def _changed(record: Record, times: int) -> Record:
    document, page = record.document, record.page
    assert document
    assert page
    other = _other_signs(times)
    url = f"{record.fate.url}/{times}"
    blocks = tuple(
        replace(block, spans=tuple(replace(span, text=span.text.translate(other)) for span in block.spans))
        for block in document.blocks
    )
    posts = tuple(replace(post, text=post.text.translate(other)) for post in document.posts)
    body = _TEXT.sub(lambda found: found[0].translate(other), page.body.decode()).encode()
    return replace(
        record,
        fate=replace(record.fate, url=url),
        page=replace(page, url=url, body=body),
        document=replace(document, url=url, title=document.title.translate(other), blocks=blocks, posts=posts),
    )


@cache
def _other_signs(times: int) -> Mapping[int, int]:
    """Return other letters for Latin, Greek, Cyrillic and Chinese ones: those some places further on, in a circle."""
    table = {}
    for first, last, step in _SCRIPTS:
        size = last - first + 1
        table.update({first + place: first + (place + times * step) % size for place in range(size)})
    return table


def measure_raw(records: Sequence[Record]) -> Iterator[Raw]:
    """Measure what raw pages take in SQLite, and in a WARC file: all, and those of sites with many."""
    sites = Counter(host_of(record.fate.url) for record in records)
    many = [record for record in records if sites[host_of(record.fate.url)] >= MANY]
    for name, some in (("all", records), (f"of sites with {MANY} and more", many)):
        if some:
            yield _raw(name, some)


def _raw(name: str, records: Sequence[Record]) -> Raw:
    with own_folder() as folder:
        connection = sqlite.connect(folder / "corpus.db")
        store = sqlite_store(connection)
        with (folder / "pages.warc.gz").open("wb") as stream:
            warc = WarcStream(stream, "pages.warc.gz")
            for record in records:
                store.save(replace(record, document=None))
                assert record.page
                warc.add(record.page)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        lines = sum(len(line.encode()) for line in warc.lines)
        sizes = [(folder / name).stat().st_size for name in ("corpus.db", "pages.warc.gz")]
        html = sum(len(record.page.body) for record in records if record.page)
        (number,) = connection.execute("SELECT count(*) FROM dictionaries").fetchone()
        connection.close()
    count = len(records)
    return Raw(name, count, html / count, sizes[0] / count, (sizes[1] + lines) / count, number)


def measure(
    names: Iterable[str], records: Sequence[Record], count: int, tell: Callable[[str], None]
) -> Iterator[Measured]:
    """Measure the yardstick and then each store with so many documents; one that is not installed is passed over."""
    for name in (YARDSTICK, *names):
        try:
            with _bench(name) as bench:
                tell(f"{name} …")
                measured = _measured(name, bench, records, count)
            rates = f"{measured.writes_per_s:,.1f} writes/s, {measured.reads_per_s:,.1f} reads/s"
            tell(f"  {rates}, {measured.bytes_each:,.0f} bytes/document")
            yield measured
        except (BackendError, MissingExtra) as error:
            tell(f"{name} is left out: {error}")


def _measured(name: str, bench: _Bench, records: Sequence[Record], count: int) -> Measured:
    empty, urls, written_s = bench.size(), [], 0.0
    for record in more_of(records, count):
        began = time.perf_counter()
        bench.write(record)
        written_s += time.perf_counter() - began
        urls.append(record.fate.url)
    random.Random(1).shuffle(urls)
    began = time.perf_counter()
    for url in urls:
        if bench.read(url) is None:
            raise AssertionError(f"{name} has lost {url}")
    read_s = time.perf_counter() - began
    return Measured(name, count / written_s, count / read_s, (bench.size() - empty) / count)


@contextmanager
def _bench(name: str) -> Iterator[_Bench]:
    if name == YARDSTICK:
        with own_folder() as folder:
            yield _pipeline(folder / "items.db")
    elif name == "sqlite":
        with own_folder() as folder:
            connection = sqlite.connect(folder / "corpus.db")
            store = sqlite_store(connection)

            def size() -> int:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                return _bytes_below(folder)

            yield _Bench(store.save, lambda url: store.document(url) and store.page(url), size)
            connection.close()
    else:
        with ExitStack() as stack:
            yield _server(name, stack)


def _pipeline(path: Path) -> _Bench:
    connection = sqlite3.connect(path)
    connection.execute(ITEMS)

    def process_item(record: Record) -> None:
        document, page = record.document, record.page
        if document and page:
            published = document.published.isoformat() if document.published else None
            row = (document.url, document.title, ", ".join(document.authors), published, document.text, page.body)
            connection.execute("INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?, ?, ?)", row)
            connection.commit()

    def read(url: str) -> object:
        return connection.execute("SELECT * FROM items WHERE url = ?", (url,)).fetchone()

    return _Bench(process_item, read, lambda: _bytes_below(path.parent))


def _server(name: str, stack: ExitStack) -> _Bench:
    if name == "postgresql":
        server = stack.enter_context(own_postgresql())
        url = new_database(server, "bench")
    elif name == "mariadb":
        server = stack.enter_context(own_mariadb())
        url = new_mariadb_database(server, "bench")
    elif name == "mongodb":
        server = stack.enter_context(own_mongodb())
        url = f"{server.url}bench"
    else:
        server = stack.enter_context(own_search_server(name))
        url = f"{server.url}/bench"
    store, close = server_store(url)
    stack.callback(close)

    def size() -> int:
        _settle(name, server.port)
        return _bytes_below(server.folder)

    return _Bench(store.save, lambda url: store.document(url) and store.page(url), size)


def _settle(name: str, port: int) -> None:
    """Let a server write to its files what it keeps in memory and in journals."""
    if name == "mongodb":
        with import_module("pymongo").MongoClient("127.0.0.1", port, directConnection=True) as client:
            client.admin.command("fsync")
    elif name == "opensearch":
        urlopen(Request(f"http://127.0.0.1:{port}/_flush?force=true", method="POST"), timeout=60).close()


def _bytes_below(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):  # a server tidies up
            if path.is_file() and not set(path.relative_to(folder).parts) & set(JOURNALS):
                total += path.stat().st_size
    return total


def table_of(measured: Sequence[Measured]) -> str:
    """Return figures and ratios to the yardstick, which comes first, as a Markdown table."""
    base = measured[0]
    header = ["store", "writes/s", "× yardstick", "reads/s", "× yardstick", "bytes/document", "× yardstick"]
    lines = []
    for each in measured:
        pairs = (
            (each.writes_per_s, base.writes_per_s),
            (each.reads_per_s, base.reads_per_s),
            (each.bytes_each, base.bytes_each),
        )
        lines.append([each.name, *(cell for one, other in pairs for cell in (f"{one:,.0f}", f"{one / other:.2f}"))])
    return table(header, lines)


def raw_table_of(raw: Sequence[Raw]) -> str:
    """Return what raw pages take, as a Markdown table."""
    header = ["raw pages", "number", "bytes of HTML", "SQLite", "WARC.gz", "SQLite / WARC.gz", "dictionaries"]
    cells = (
        (each.html_each, each.stored_each, each.warc_each, each.stored_each / each.warc_each, each.dictionaries)
        for each in raw
    )
    lines = [
        [each.name, f"{each.pages:,}", f"{html:,.0f}", f"{ours:,.0f}", f"{warc:,.0f}", f"{ratio:.2f}", str(number)]
        for each, (html, ours, warc, ratio, number) in zip(raw, cells, strict=True)
    ]
    return table(header, lines)
