"""The log of a data folder: lines of the Elastic Common Schema that every process appends to, in a few bounded files.

    any process ──note, logging──▶ LogHandler ──one write per line──▶ logs/thresher.jsonl, .1, .2 …
    people      ◀──read, follow── newest first, by level, worker, source or words; repeats folded

Each line is written with one call to a file that is open for appending, so lines of several processes never mix. Who
finds the file full renames it under a lock; a line that comes in that moment ends up in the file before.
"""

import fcntl
import json
import logging
import os
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ecs_logging import StdlibFormatter

from thresher.text import printable, squeeze
from thresher.urls.secrets import masked_text

ECS = {  # our word → where the Elastic Common Schema has it; its own names go where it has none
    "time": "@timestamp",
    "level": "log.level",
    "role": "service.node.role",
    "worker": "service.node.name",
    "job": "thresher.job",
    "source": "thresher.source",
    "url": "url.full",
    "run": "thresher.run",
    "reason": "event.reason",
    "message": "message",
}
FIELDS = tuple(ECS)
FACTS = {name: ECS[name] for name in ("job", "source", "url", "run", "reason")} | {  # what a note may tell besides
    "state": "event.outcome",  # what became of a page: success, failure, unknown (it is tried again)
    "status": "http.response.status_code",
    "lag_s": "thresher.lag_s",  # from the publication of a document to its arrival
    "domain": "url.domain",
    "bytes": "http.response.body.bytes",
    "extract_s": "thresher.extract_s",  # that reading the page took, with the wait for a process
    "trace": "trace.id",  # where pages are traced (tracing.py)
}
LEVELS = ("info", "warning", "error")  # the least serious first
FOLDER, NAME = "logs", "thresher.jsonl"
MAX_BYTES = 8_000_000  # of one file
KEPT = 4  # full files besides the one that is written
MAX_CHARS = {"message": 2_000, "full": 500}  # of a value, by the last part of its name; the rest is cut off
MAX_VALUE_CHARS = 200  # of all others
CHUNK_BYTES = 65_536
TAIL = 2_000  # lines that are looked at for each line that is wanted, at most
ONLY_FILE = "thresher.log"  # the logger of what goes to the file and not to the terminal
_VARIES = re.compile(r"https?://\S+|\d+")

logging.getLogger(ONLY_FILE).addHandler(logging.NullHandler())  # without a file, these notes go nowhere


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which lines somebody wants to see; empty values let all pass."""

    level: str = ""  # this one and all that are more serious
    worker: str = ""  # or its beginning
    source: str = ""
    role: str = ""
    run: int | None = None
    words: str = ""  # in the message, the URL or the reason, whatever their case

    def admits(self, entry: Mapping[str, Any]) -> bool:
        """Say whether a line is wanted."""
        if self.level and _rank(entry.get("level")) < _rank(self.level):
            return False
        if self.worker and not str(entry.get("worker", "")).startswith(self.worker):
            return False
        if any(want and entry.get(name) != want for name, want in (("source", self.source), ("role", self.role))):
            return False
        if self.run is not None and entry.get("run") != self.run:
            return False
        text = " ".join(str(entry.get(name, "")) for name in ("message", "url", "reason", "source"))
        return self.words.casefold() in text.casefold()


@dataclass(frozen=True, slots=True)
class Folded:
    """A line, how often it came in a row with other numbers and URLs, and when it came first."""

    entry: Mapping[str, Any]
    count: int
    first_at: str


def note(level: str, message: str, **facts: Any) -> None:
    """Write a line to the log file of this process, if it has one; a terminal shows nothing of it.

    `facts` are values of FACTS.
    """
    logging.getLogger(ONLY_FILE).log(logging.getLevelNamesMapping()[level.upper()], message, extra=facts)


def write_to(data: Path, role: str, worker: str = "") -> None:
    """Let this process write what it logs into the log of a data folder, in place of any other one."""
    for handler in list(logging.root.handlers):
        if isinstance(handler, LogHandler):
            logging.root.removeHandler(handler)
            handler.close()
    logging.getLogger("thresher").setLevel(logging.INFO)
    logging.root.addHandler(LogHandler(data, role, worker))


class LogHandler(logging.Handler):
    """Appends what a process logs to the file; a line that cannot be written is lost, and the work goes on."""

    def __init__(self, data: Path, role: str, worker: str = "") -> None:
        super().__init__(logging.INFO)
        self._file = _LogFile(data / FOLDER / NAME)
        self.setFormatter(EcsFormatter(role, worker))

    def emit(self, record: logging.LogRecord) -> None:
        """Append one record."""
        with suppress(OSError):
            self._file.append(self.format(record).encode("utf-8", "replace") + b"\n")

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()


class EcsFormatter(StdlibFormatter):
    """Makes a record one line of JSON in the Elastic Common Schema, without control characters and secrets."""

    def __init__(self, role: str, worker: str = "") -> None:
        fixed = {"service.name": "thresher", "event.dataset": "thresher.log"}
        own = {ECS["role"]: role, ECS["worker"]: worker}
        left_out = ["process", "log.original", "log.origin", "error.stack_trace"]
        super().__init__(
            extra=fixed | {name: value for name, value in own.items() if value},
            exclude_fields=left_out,
            ensure_ascii=False,
        )

    def format_to_ecs(self, record: logging.LogRecord) -> dict[str, Any]:
        """Return what a record says; of what libraries hang on to it, only our facts are kept."""
        facts = {path: value for name, path in FACTS.items() if (value := getattr(record, name, None)) is not None}
        given = {"name": record.name, "levelname": LEVELS[_severity(record)], "created": record.created}
        told = {"msg": record.getMessage(), "exc_info": record.exc_info}
        return _cleaned(super().format_to_ecs(logging.makeLogRecord(given | told | facts)))


def read(data: Path, wanted: Wanted | None = None, *, limit: int = 200) -> list[dict[str, Any]]:
    """Return the latest lines that are wanted, the newest first; at most TAIL times `limit` lines are looked at."""
    chosen, found = wanted or Wanted(), []
    for looked, line in enumerate(_backwards(_files(data))):
        entry = _entry(line)
        if entry and chosen.admits(entry):
            found.append(entry)
        if len(found) >= limit or looked >= TAIL * limit:
            break
    return found


def follow(data: Path, wanted: Wanted | None = None) -> Iterator[dict[str, Any] | None]:
    """Yield the lines that come from now on, and None whenever there is none yet: the caller waits, and asks again."""
    chosen, path = wanted or Wanted(), data / FOLDER / NAME
    place, offset, rest = _place(path), _size(path), b""
    while True:
        now = _place(path)
        if now != place:  # the file was full: what came last is in the one before
            fresh = _bytes_from(path.with_suffix(".1.jsonl"), offset) + _bytes_from(path, 0)
            place, offset = now, _size(path)
        else:
            fresh = _bytes_from(path, offset)
            offset += len(fresh)
        *lines, rest = (rest + fresh).split(b"\n")
        yield from (entry for line in lines if (entry := _entry(line)) and chosen.admits(entry))
        if not fresh:
            yield None


def folded(entries: Iterable[Mapping[str, Any]]) -> list[Folded]:
    """Put lines that follow each other and differ in numbers and URLs alone into one; they come newest first."""
    found: list[Folded] = []
    for entry in entries:
        if found and _kind(found[-1].entry) == _kind(entry):
            found[-1] = replace(found[-1], count=found[-1].count + 1, first_at=str(entry.get("time", "")))
        else:
            found.append(Folded(entry, 1, str(entry.get("time", ""))))
    return found


class _LogFile:
    """The file that is written, changed for a new one when it is full."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._file = -1

    def append(self, line: bytes) -> None:
        """Append a line; raise OSError when that cannot be done."""
        with self._lock:
            if self._file < 0 or _place(self._path) != os.fstat(self._file).st_ino:
                self._open()
            if os.fstat(self._file).st_size + len(line) > MAX_BYTES:
                self._change()
                self._open()
            os.write(self._file, line)

    def close(self) -> None:
        """Close the file; the next line opens it again."""
        with self._lock:
            if self._file >= 0:
                os.close(self._file)
                self._file = -1

    def _open(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
        self._path.parent.mkdir(exist_ok=True)
        self._file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def _change(self) -> None:
        """Put full files one place further back, unless somebody else has just done so."""
        with self._path.with_suffix(".lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if _place(self._path) != os.fstat(self._file).st_ino:
                return
            for number in range(KEPT - 1, 0, -1):
                with suppress(FileNotFoundError):
                    _numbered(self._path, number).replace(_numbered(self._path, number + 1))
            with suppress(FileNotFoundError):
                self._path.replace(_numbered(self._path, 1))


def _files(data: Path) -> list[Path]:
    """Return the files of a log that are there, the newest first."""
    path = data / FOLDER / NAME
    return [each for each in (path, *(_numbered(path, number) for number in range(1, KEPT + 1))) if each.exists()]


def _numbered(path: Path, number: int) -> Path:
    return path.with_suffix(f".{number}.jsonl")


def _backwards(files: Iterable[Path]) -> Iterator[bytes]:
    """Yield the lines of files from the last one back, a chunk in memory at a time."""
    for path in files:
        with suppress(FileNotFoundError), path.open("rb") as file:
            end, rest = file.seek(0, os.SEEK_END), b""
            while end:
                start = max(end - CHUNK_BYTES, 0)
                file.seek(start)
                first, *lines = (file.read(end - start) + rest).split(b"\n")
                yield from (line for line in reversed(lines) if line)
                end, rest = start, first
            if rest:
                yield rest


def _bytes_from(path: Path, offset: int) -> bytes:
    try:
        with path.open("rb") as file:
            file.seek(offset)
            return file.read()
    except FileNotFoundError:
        return b""


def _entry(line: bytes) -> dict[str, Any] | None:
    """Return a line by our words for its fields; None for one that was cut off by a full disk."""
    try:
        told = json.loads(line)
    except ValueError:
        return None
    if not isinstance(told, dict):
        return None
    entry = {name: value for name, path in ECS.items() if (value := _at(told, path)) is not None}
    if fault := _at(told, "error.message"):
        entry["message"] = f"{entry.get('message', '')} ({_at(told, 'error.type')}: {fault})"
    return entry


def _at(told: Mapping[str, Any], path: str) -> Any:
    """Return the value at a dotted name, which may also be written as one; None when there is none."""
    if path in told:
        return told[path]
    value: Any = told
    for part in path.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _cleaned(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a line without control characters and secrets, each of bounded length."""
    clean: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, Mapping):
            clean[name] = _cleaned(value)
        elif isinstance(value, int | float):
            clean[name] = value
        elif value != "":
            clean[name] = squeeze(printable(masked_text(str(value))))[: MAX_CHARS.get(name, MAX_VALUE_CHARS)]
    return clean


def _kind(entry: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return what lines share that say the same of other pages."""
    rest = tuple(entry.get(name) for name in ("level", "role", "source", "reason"))
    return (*rest, _VARIES.sub("#", str(entry.get("message", ""))))


def _severity(record: logging.LogRecord) -> int:
    return min(max(record.levelno // 10 - 2, 0), 2)


def _rank(level: Any) -> int:
    return LEVELS.index(level) if level in LEVELS else 0


def _place(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        return -1


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
