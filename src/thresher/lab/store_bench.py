"""`thresher bench store`: how fast each store writes and reads real documents, and how large they get.

The yardstick is what a Scrapy tutorial shows: an item pipeline that inserts address, title, author, date, text and raw
HTML into one table of SQLite and commits after each item. It keeps no versions, copies, posts, fates or log of changes
and compresses nothing; the stores do all that, one document in a transaction as well.
"""

import random
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from urllib.request import Request, urlopen

from thresher import sqlite
from thresher.errors import BackendError, MissingExtra
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

AT = datetime(2026, 11, 1, tzinfo=UTC)
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


def measure(names: Iterable[str], records: Sequence[Record], tell: Callable[[str], None]) -> Iterator[Measured]:
    """Measure the yardstick and then each store; one that is not installed is told and passed over."""
    for name in (YARDSTICK, *names):
        try:
            with _bench(name) as bench:
                tell(f"{name} …")
                yield _measured(name, bench, records)
        except (BackendError, MissingExtra) as error:
            tell(f"{name} is left out: {error}")


def _measured(name: str, bench: _Bench, records: Sequence[Record]) -> Measured:
    empty = bench.size()
    began = time.perf_counter()
    for record in records:
        bench.write(record)
    written_s = time.perf_counter() - began
    urls = [record.fate.url for record in records]
    random.Random(1).shuffle(urls)
    began = time.perf_counter()
    for url in urls:
        if bench.read(url) is None:
            raise AssertionError(f"{name} has lost {url}")
    read_s = time.perf_counter() - began
    count = len(records)
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
