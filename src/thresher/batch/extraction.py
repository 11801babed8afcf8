"""Extract one segment: its records in order, each in a process of a pool, into one Parquet file that is committed."""

import asyncio
import json
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from thresher.archive.places import Place, place_of
from thresher.archive.records import ENDINGS, Record, read_records
from thresher.archive.segments import Draft, Entry, Segments, read_entry
from thresher.batch.inputs import Segment
from thresher.crawling.harvest import PROBE
from thresher.crawling.pool import PageKilled, Pool
from thresher.errors import BackendError, ExtractionError, NotHtml, PageTooLarge
from thresher.export.parquet import arrow_library, row_of, schema
from thresher.extraction.contract import Favour
from thresher.extraction.extractor import extract
from thresher.html.tree import MAX_SIZE
from thresher.model import Page
from thresher.version import __version__

COLUMNS = (("source", "text"), ("offset", "number"), ("record", "text"), ("fetched_at", "moment"), ("faults", "text"))
MOMENTS = ("published", "fetched_at")
GROUP_ROWS = 500  # in memory
MAX_TOLD = 100  # broken records of a segment that are named
REASONS = {NotHtml: "not-html", PageTooLarge: "too-large"}
AHEAD = 8  # records in memory that wait for one process
ATTEMPTS = 2  # at a page that took its process down: somebody else may have killed it
Tell = Callable[[int, int], None]  # records so far, and bytes of the input


@dataclass(frozen=True, slots=True)
class Wishes:
    """How pages are read; plain values, which travel to other machines."""

    algorithm: str | None = None
    favour: Favour = "balance"
    timeout_s: float = 20.0
    memory_bytes: int = 1_500_000_000

    @property
    def identity(self) -> str:
        """What makes the output another one: the wishes that a result depends on, and the version."""
        return json.dumps([__version__, self.algorithm, self.favour])


@dataclass(slots=True)
class Report:
    """What became of the records of a segment."""

    source: str
    records: int = 0
    documents: int = 0
    skipped: dict[str, int] = field(default_factory=dict)  # by reason
    broken: int = 0
    told: list[str] = field(default_factory=list)  # the first of the broken records, each with what is wrong
    sha256: str = ""  # of the output
    bytes: int = 0  # of the input
    again: bool = False  # it was done before
    error: str = ""  # why the segment could not be done at all


def extract_segment(segment: Segment, output: str, wishes: Wishes, pool: Pool, ahead: int, tell: Tell) -> Report:
    """Extract a segment into its own file of the output, unless it is there; return what became of the records."""
    writer = Segments(place_of(output), segment.id(wishes.identity))
    if writer.last:
        return _report(writer.last, again=True)
    report = Report(segment.source, bytes=segment.bytes)
    with TemporaryDirectory(prefix="thresher-") as folder:
        path = Path(folder) / "rows.parquet"
        with arrow_library()[1].ParquetWriter(path, schema(*COLUMNS), compression="zstd") as rows:
            keeper = _Keeper(report, rows, tell)
            asyncio.run(_gather(segment, wishes, pool, ahead, keeper))
            keeper.flush()
        report.skipped = dict(sorted(keeper.skipped.items()))
        name = f"documents/{segment.id(wishes.identity)}.parquet"
        return _report(writer.commit([Draft(path, name, report.documents)], "done", facts=asdict(report)))


def report_of(place: Place, name: str, *, again: bool = False) -> Report:
    """Return the report of a committed segment, by the name of its entry."""
    return _report(read_entry(place, name), again=again)


def _report(entry: Entry, *, again: bool = False) -> Report:
    return Report(**{**entry.facts, "sha256": entry.files[0].sha256, "again": again})


class _Keeper:
    """Counts what became of records, and writes the rows of those that gave one, a group at a time."""

    def __init__(self, report: Report, writer: Any, tell: Tell) -> None:
        self._report, self._writer, self._tell = report, writer, tell
        self._rows: list[dict[str, Any]] = []
        self.skipped: Counter[str] = Counter()

    def take(self, record: Record, source: str, row: dict[str, Any]) -> None:
        """Keep the row of a record, or the reason why there is none."""
        self._report.records += 1
        self._tell(1, record.offset)
        if row.get("broken"):
            self._report.broken += 1
            if len(self._report.told) < MAX_TOLD:
                self._report.told.append(f"{source}, at or behind byte {record.offset}: {row['broken']}")
        elif row.get("reason"):
            self.skipped[row["reason"]] += 1
        else:
            self._report.documents += 1
            self._rows.append(row)
        if len(self._rows) >= GROUP_ROWS:
            self.flush()

    def flush(self) -> None:
        """Write the rows that wait."""
        for row in self._rows:
            for part in (row, *row["posts"]):
                part.update((name, datetime.fromisoformat(part[name])) for name in MOMENTS if part.get(name))
        if self._rows:
            self._writer.write_table(arrow_library()[0].Table.from_pylist(self._rows, schema=schema(*COLUMNS)))
        self._rows = []


async def _gather(segment: Segment, wishes: Wishes, pool: Pool, ahead: int, keeper: _Keeper) -> None:
    """Hand rows to the keeper in the order of the records, however the processes finish."""
    waiting: deque[tuple[Record, str, Awaitable[dict[str, Any]] | None]] = deque()

    async def take() -> None:
        record, source, coming = waiting.popleft()
        keeper.take(record, source, await coming if coming else {"reason": record.skipped, "broken": record.broken})

    for record, source in _records(segment):
        if len(waiting) >= ahead:
            await take()
        coming = asyncio.ensure_future(_row(record, source, wishes, pool)) if record.page else None
        waiting.append((record, source, coming))
    while waiting:
        await take()


def _records(segment: Segment) -> Iterator[tuple[Record, str]]:
    place = place_of(segment.place)
    for name in segment.names:
        source = f"{place.url}/{name}"
        if not name.endswith(ENDINGS):
            yield _saved_page(place.read(name)), source
            continue
        with place.open(name) as stream:
            for record in read_records(stream, name):
                yield record, source


def _saved_page(body: bytes) -> Record:
    if len(body) > MAX_SIZE:
        return Record(0, skipped="too-large")
    return Record(0, page=Page("", 200, body, datetime.now(UTC))) if body.strip() else Record(0, skipped="empty")


async def _row(record: Record, source: str, wishes: Wishes, pool: Pool) -> dict[str, Any]:
    """Return the row of a record, or the reason why there is none."""
    assert record.page
    for attempt in range(ATTEMPTS):
        try:
            row: dict[str, Any] = json.loads(await pool.ask(request(record.page, wishes)))
        except PageKilled as killed:
            if attempt + 1 < ATTEMPTS and str(killed) == "extract-crash":
                continue
            return {"reason": str(killed)}
        where = {"source": source, "offset": record.offset, "record": record.id}
        saved = record.page.fetched_at.isoformat() if record.page.url else None
        return row if row.get("reason") else row | where | {"fetched_at": saved}
    raise AssertionError  # the last attempt returns


def request(page: Page, wishes: Wishes) -> bytes:
    """Encode a page for a process of the pool: a line of JSON, then the body."""
    head = {
        "url": page.url,
        "content_type": page.content_type,
        "fetched_at": page.fetched_at.isoformat() if page.url else None,
        "algorithm": wishes.algorithm,
        "favour": wishes.favour,
    }
    return json.dumps(head).encode() + b"\n" + page.body


def answer(encoded: bytes) -> bytes:
    """Decode a page, extract its document, and encode its row; or the reason why there is none."""
    head, body = encoded.split(b"\n", 1)
    told = json.loads(head)
    moment = datetime.fromisoformat(told["fetched_at"]) if told["fetched_at"] else None
    try:
        document = extract(
            body,
            told["url"] or None,
            content_type=told["content_type"] or None,
            fetched_at=moment,
            algorithm=told["algorithm"],
            favour=told["favour"],
        )
    except ExtractionError as error:
        return json.dumps({"reason": REASONS.get(type(error), "unreadable")}).encode()
    row = row_of(document, lambda: document.posts) | {"faults": " ".join(document.verdict.faults)}
    return json.dumps(row, default=datetime.isoformat, ensure_ascii=False).encode()


@cache
def pool_of(size: int, timeout_s: float, memory_bytes: int) -> Pool:
    """Return the pool of this process, the same one for each segment; it ends with the process."""
    probe = request(PROBE, Wishes())
    return Pool(answer, size, timeout_s=timeout_s, memory_bytes=memory_bytes, probe=probe)


def work(task: Mapping[str, Any]) -> dict[str, Any]:
    """Extract a segment on whatever machine this is; the task and the report are plain data."""
    wishes = Wishes(**task["wishes"])
    pool = pool_of(1, wishes.timeout_s, wishes.memory_bytes)
    segment = Segment.from_json(task["segment"])
    return asdict(done(segment, task["output"], wishes, pool, AHEAD))


def done(
    segment: Segment, output: str, wishes: Wishes, pool: Pool, ahead: int, tell: Tell = lambda records, offset: None
) -> Report:
    """Extract a segment; one that cannot be read or written gives a report that says why."""
    try:
        return extract_segment(segment, output, wishes, pool, ahead, tell)
    except BackendError as error:
        return Report(segment.source, bytes=segment.bytes, error=str(error))
