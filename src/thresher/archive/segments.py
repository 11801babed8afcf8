"""Segments: files that are committed together, however the writer dies.

    1. files ──copied──▶ _aside/            nobody reads there
    2. entry ──────────▶ _manifest/         the commit: one file, whole or not there
    3. _aside/ ──renamed─▶ their places     done again by `recover` if the writer died here

Before step 2 nothing has happened, and what lies aside is removed by the next writer of the same name; behind it
everything has. Each writer has a name and numbers its entries, so several may append at once. An entry keeps the
writer's cursor: whoever reads it knows what was committed, and repeats neither more nor less than what was not.
Directories whose names begin with an underscore are passed over by Spark, pandas, DuckDB and Hive.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from thresher.archive.places import Place
from thresher.errors import BackendError, Damaged, UsageError

ASIDE = "_aside"
MANIFEST = "_manifest"
NAME_CHARS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._")


@dataclass(frozen=True, slots=True)
class File:
    """A committed file."""

    name: str
    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Entry:
    """What one commit added and removed."""

    writer: str
    sequence: int
    at: str
    cursor: str  # how far the writer has come, in its own words
    files: tuple[File, ...] = ()
    removed: tuple[str, ...] = ()  # files that others were made from
    facts: Mapping[str, Any] = field(default_factory=dict)  # what else the writer says of it


@dataclass(frozen=True, slots=True)
class Draft:
    """A finished local file that is to be committed under a name."""

    path: Path
    name: str
    rows: int


class Segments:
    """Commits files to a place under the name of one writer; only one process may use a name at a time."""

    def __init__(self, place: Place, writer: str) -> None:
        if not writer or not NAME_CHARS.issuperset(writer):
            raise UsageError(f"the name of a writer has letters, digits, dots and underscores, not {writer!r}")
        self.place, self._writer = place, writer
        self.last = self.recover()

    @property
    def cursor(self) -> str:
        """The cursor of the last commit; empty before the first."""
        return self.last.cursor if self.last else ""

    @property
    def sequence(self) -> int:
        """The number of the next commit."""
        return self.last.sequence + 1 if self.last else 1

    def recover(self) -> Entry | None:
        """Finish the last commit, remove what never came to one, and return the last entry of this writer."""
        mine = [name for name in self.place.names(MANIFEST) if name.startswith(f"{MANIFEST}/{self._writer}-")]
        last = read_entry(self.place, max(mine)) if mine else None
        if last:
            self._settle(last)
        for name in self.place.names(ASIDE):
            if name.startswith(f"{ASIDE}/{self._writer}-"):
                self.place.remove(name)
        return last

    def commit(
        self,
        drafts: Sequence[Draft],
        cursor: str,
        *,
        removed: Sequence[str] = (),
        facts: Mapping[str, Any] | None = None,
        at: datetime | None = None,
    ) -> Entry:
        """Put files in their places and note the cursor, all or nothing; they are read from local disk."""
        sequence = self.sequence
        files = []
        for number, draft in enumerate(drafts):
            with draft.path.open("rb") as stream:
                sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
            files.append(File(draft.name, draft.rows, draft.path.stat().st_size, sha256))
            self.place.put(draft.path, _aside(self._writer, sequence, number))
        moment = (at or datetime.now(UTC)).isoformat(timespec="seconds")
        entry = Entry(self._writer, sequence, moment, cursor, tuple(files), tuple(removed), dict(facts or {}))
        self._write(entry)
        self.last = entry
        self._settle(entry)
        return entry

    def _write(self, entry: Entry) -> None:
        with TemporaryDirectory(prefix="thresher-") as folder:
            path = Path(folder) / "entry.json"
            path.write_text(json.dumps(asdict(entry), ensure_ascii=False, indent=1), "utf-8")
            self.place.put(path, f"{MANIFEST}/{self._writer}-{entry.sequence:09}.json")

    def _settle(self, entry: Entry) -> None:
        """Bring the files of an entry to their places; what was done before is left as it is."""
        waiting = set(self.place.names(ASIDE))
        for number, file in enumerate(entry.files):
            aside = _aside(self._writer, entry.sequence, number)
            if aside in waiting:
                self.place.move(aside, file.name)
        for name in entry.removed:
            self.place.remove(name)


def _aside(writer: str, sequence: int, number: int) -> str:
    return f"{ASIDE}/{writer}-{sequence:09}-{number:06}"


def read_entry(place: Place, name: str) -> Entry:
    """Return an entry of the manifest; raise Damaged when it cannot be read."""
    try:
        data = json.loads(place.read(name))
        files = tuple(File(**file) for file in data.pop("files"))
        return Entry(**{**data, "files": files, "removed": tuple(data["removed"])})
    except (ValueError, TypeError, KeyError) as error:
        raise Damaged(f"{place.url}/{name} cannot be read: {error}") from error


def entries(place: Place) -> Iterator[Entry]:
    """Yield all entries of a place's manifest, those of each writer in order."""
    for name in place.names(MANIFEST):
        if name.endswith(".json") and not name.rpartition("/")[2].startswith("."):
            yield read_entry(place, name)


def committed(place: Place) -> list[File]:
    """Return the files that are part of a place, by name: those that were committed and not replaced by others."""
    files: dict[str, File] = {}
    removed: set[str] = set()
    for entry in entries(place):
        files.update((file.name, file) for file in entry.files)
        removed.update(entry.removed)
    return [files[name] for name in sorted(files.keys() - removed)]


def check(place: Place) -> Iterator[str]:
    """Yield what is wrong with the files of a place: missing, changed, or there without having been committed."""
    known = {file.name: file for file in committed(place)}
    present = {name for name in place.names() if not name.startswith("_")}
    for name, file in known.items():
        if name not in present:
            yield f"{name} is missing"
            continue
        try:
            same = hashlib.sha256(place.read(name)).hexdigest() == file.sha256
        except BackendError as error:
            yield str(error)
            continue
        if not same:
            yield f"{name} is not what was written: its sha-256 differs"
    for name in sorted(present - known.keys()):
        yield f"{name} is no file of this archive"
