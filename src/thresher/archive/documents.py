"""Archives: documents as JSON lines or Parquet, or pages as WARC, appended to a place a segment at a time.

    ROOT/documents/day=2026-11-19/site=a.example/WRITER-000000001.parquet
    ROOT/documents/day=2026-11-19/WRITER-000000001.jsonl.gz
    ROOT/archive/WRITER-000000001.warc.gz, ROOT/indexes/WRITER-000000001.cdxj   (what pywb calls a collection)

A day is the one on which the documents were saved. Nothing is ever changed: a document that was saved again has another
row, and of several the one with the latest `last_seen` counts.
"""

import gzip
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

from thresher.archive.places import Place
from thresher.archive.segments import Draft, Entry, Segments, committed
from thresher.errors import UsageError
from thresher.export.parquet import arrow_library, row_of, schema
from thresher.export.warc import MAX_DIGESTS, Seen, WarcStream
from thresher.model import Page
from thresher.store.contract import Stored

FORMATS = ("parquet", "jsonl", "warc")
STORED = (("key", "text"), ("run", "number"), ("first_seen", "moment"), ("last_seen", "moment"))
NO_SITE = "__HIVE_DEFAULT_PARTITION__"  # what Hive, Spark and others write for no value
COMPRESSION = 6


class Archive:
    """Appends to a place under the name of one writer."""

    def __init__(self, place: Place, format_: str, writer: str = "thresher") -> None:
        if format_ not in FORMATS:
            raise UsageError(f"an archive is one of {', '.join(FORMATS)}, not {format_!r}")
        self.format = format_
        self._segments = Segments(place, writer)
        self._writer = writer
        self._digests = known_digests(place) if format_ == "warc" else {}

    @property
    def cursor(self) -> str:
        """How far the writer has come, in its own words; empty at the beginning."""
        return self._segments.cursor

    def append(self, documents: Sequence[Stored], cursor: str) -> Entry:
        """Commit documents, with all their posts, and the cursor; raise UsageError for an archive of pages."""
        if self.format == "warc":
            raise UsageError("an archive of WARC files holds pages, not documents")
        draft = parquet_drafts if self.format == "parquet" else jsonl_drafts
        return self._commit(lambda folder, name: draft(documents, folder, name), cursor)

    def append_pages(self, pages: Iterable[Page], cursor: str) -> Entry:
        """Commit raw pages and the cursor; raise UsageError for an archive of documents."""
        if self.format != "warc":
            raise UsageError(f"an archive of {self.format} files holds documents, not pages")
        return self._commit(lambda folder, name: warc_drafts(pages, folder, name, self._digests), cursor)

    def _commit(self, draft: Callable[[Path, str], list[Draft]], cursor: str) -> Entry:
        name = f"{self._writer}-{self._segments.sequence:09}"
        with TemporaryDirectory(prefix="thresher-") as folder:
            return self._segments.commit(draft(Path(folder), name), cursor, facts={"format": self.format})


def parquet_drafts(documents: Iterable[Stored], folder: Path, name: str) -> list[Draft]:
    """Write a file for each day and site; both are in the names of folders, and not in the files."""
    arrow, parquet = arrow_library()
    columns = schema(*STORED)
    columns = columns.remove(columns.get_field_index("site"))
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for stored in documents:
        row = row_of(stored.document, lambda posts=stored.document.posts: posts)  # type: ignore[misc]
        del row["site"]
        site = quote(stored.document.site, safe="") if stored.document.site else NO_SITE
        groups[f"documents/{_day(stored)}/site={site}"].append(row | _facts(stored))
    drafts = []
    for number, (inside, rows) in enumerate(sorted(groups.items())):
        path = folder / f"{number}.parquet"
        parquet.write_table(arrow.Table.from_pylist(rows, schema=columns), path, compression="zstd")
        drafts.append(Draft(path, f"{inside}/{name}.parquet", len(rows)))
    return drafts


def jsonl_drafts(documents: Iterable[Stored], folder: Path, name: str) -> list[Draft]:
    """Write a file for each day: what Document.to_dict() gives, and what the store knows of it."""
    groups: dict[str, list[Stored]] = defaultdict(list)
    for stored in documents:
        groups[_day(stored)].append(stored)
    drafts = []
    for number, (day, members) in enumerate(sorted(groups.items())):
        path = folder / f"{number}.jsonl.gz"
        with path.open("wb") as file, gzip.GzipFile("", "wb", COMPRESSION, file, mtime=0) as stream:
            for stored in members:
                facts = {key: str(value) if key.endswith("seen") else value for key, value in _facts(stored).items()}
                stream.write(json.dumps(stored.document.to_dict() | facts, ensure_ascii=False).encode() + b"\n")
        drafts.append(Draft(path, f"documents/{day}/{name}.jsonl.gz", len(members)))
    return drafts


def warc_drafts(pages: Iterable[Page], folder: Path, name: str, digests: dict[str, Seen]) -> list[Draft]:
    """Write one WARC file and its index; bodies that are in `digests` are not written again."""
    path, index = folder / "pages.warc.gz", folder / "pages.cdxj"
    with path.open("wb") as file:
        stream = WarcStream(file, f"{name}.warc.gz", digests)
        stream.begin()
        for page in pages:
            stream.add(page)
    index.write_text("".join(sorted(stream.lines)), "utf-8", errors="replace")
    rows = len(stream.lines)
    return [Draft(path, f"archive/{name}.warc.gz", rows), Draft(index, f"indexes/{name}.cdxj", rows)]


def known_digests(place: Place) -> dict[str, Seen]:
    """Return which bodies the WARC files of a place hold, from their indexes: the first MAX_DIGESTS of them."""
    found: dict[str, Seen] = {}
    for name in (file.name for file in committed(place) if file.name.endswith(".cdxj")):
        for line in place.read(name).decode().splitlines():
            _, moment, told = line.split(" ", 2)
            fields = json.loads(told)
            if fields["mime"] == "warc/revisit":
                continue
            if len(found) >= MAX_DIGESTS:
                return found
            date = datetime.strptime(moment, "%Y%m%d%H%M%S").strftime("%Y-%m-%dT%H:%M:%SZ")
            found[f"sha1:{fields['digest']}"] = Seen(fields["url"], date)
    return found


def _day(stored: Stored) -> str:
    return f"day={stored.last_seen:%Y-%m-%d}"


def _facts(stored: Stored) -> dict[str, Any]:
    return {"key": stored.key, "run": stored.run, "first_seen": stored.first_seen, "last_seen": stored.last_seen}
