"""Many pages of `thresher extract`: read and fetched side by side, extracted in processes of their own, in order.

    inputs → read a file, or fetch a URL when its host is due → a process of the pool → record → one file, or a folder

No more than AHEAD inputs are looked at before the oldest of them is written, so memory does not grow with their number.
"""

import asyncio
import hashlib
import os
import re
import sys
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from thresher.cli import exits, extract_records, output
from thresher.cli.extract_inputs import STDIN, Input, Inputs, read
from thresher.cli.extract_records import Joined, Record, Wishes, is_folder
from thresher.cli.progress import Display
from thresher.cli.terminal import counted, say
from thresher.config import Settings
from thresher.crawling.harvest import PROBE
from thresher.crawling.pool import PageKilled, Pool, cores
from thresher.crawling.reasons import meaning_of
from thresher.errors import ThresherError, UsageError
from thresher.model import Page

AHEAD = 500  # inputs under way or waiting for an older one to be written
STEM_BYTES = 120  # of a file's name that tell people its input
DIGEST_CHARS = 16  # of its hash: 64 bits, so that not even a hundred million inputs are likely to share one
Answer = Page | ThresherError
Use = Callable[[Answer], Awaitable[Any]]
Asker = Callable[[str, Use], Awaitable[Any]]  # fetches a URL, and returns what its use returned
_UNSAFE = re.compile(r"[^\w.-]+")


def extract_many(
    inputs: Inputs, wishes: Wishes, path: str | None, chosen: Settings, *, jobs: int | None, progress: str, quiet: bool
) -> int:
    """Extract all inputs to standard output, a file or a folder; return the exit code."""
    if not inputs.count:
        raise UsageError("there is nothing to extract: no pages in the given folders or lists")
    if wishes.model:
        extract_records.document_of(PROBE, wishes)  # a model that cannot be used is told before any page is read
    sink = Folder(path, wishes) if path and is_folder(path) else OneFile(path, wishes, several=inputs.several)
    told = Progress("none" if quiet or (sink.is_on_screen and progress == "auto") else progress, inputs.count)

    def take(record: Record) -> None:
        told.took(record)
        if record.text is None:
            told.display.say(f"thresher: {record.error}")
            return
        if record.remark and not quiet:
            told.display.say(f"thresher: {record.remark}")
        sink.add(record)

    size = min(jobs or chosen.extractors or cores(), inputs.count)
    timeout_s, memory_bytes = chosen.extract_timeout_s, chosen.extract_memory_bytes
    probe = extract_records.request(PROBE, "probe", wishes)
    pool = Pool(extract_records.answer, size, timeout_s=timeout_s, memory_bytes=memory_bytes, probe=probe)
    try:
        with told.display.open():
            _run(Batch(inputs, wishes, pool, take, size), chosen)
    finally:
        pool.close()
        sink.close()
    if not quiet and (told.failed or isinstance(sink, Folder)):
        where = f" to {path}" if isinstance(sink, Folder) else ""
        say(f"thresher: {counted(told.done, 'page')} extracted{where}, {told.failed} failed")
    return told.exit_code


def _run(batch: "Batch", chosen: Settings) -> None:
    """Run a batch to its end; a crawler is started only where something is to be fetched."""
    if not batch.inputs.urls:
        asyncio.run(batch.work(None))
        return
    from thresher.crawling.single import fetching
    from thresher.wiring import fetch_options

    options = fetch_options(chosen).starting_at(batch.inputs.urls.values())
    fetching(batch.work, options, delay_s=chosen.delay_s)


class OneFile:
    """Standard output or the file of -o, opened when there is something to write: what was there stays till then."""

    def __init__(self, path: str | None, wishes: Wishes, *, several: bool) -> None:
        self._path = None if path in (None, "-") else Path(str(path))
        self._wishes = wishes
        self._several = several
        self._open = ExitStack()
        self._joined: Joined | None = None if self._path else self._opened()
        self.is_on_screen = self._path is None and sys.stdout.isatty()

    def _opened(self) -> Joined:
        joined = Joined(self._open.enter_context(output.opened(self._path)), self._wishes, several=self._several)
        self._open.callback(joined.close)
        return joined

    def add(self, record: Record) -> None:
        """Write one more record."""
        self._joined = self._joined or self._opened()
        self._joined.add(record.text or "")

    def close(self) -> None:
        """End the file."""
        self._open.close()


class Folder:
    """A folder with a file for each input, named after it; a file is there whole or not at all."""

    is_on_screen = False

    def __init__(self, path: str, wishes: Wishes) -> None:
        self._path = Path(path)
        self._wishes = wishes
        try:
            self._path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot write to {path}: {error.strerror}") from error

    def add(self, record: Record) -> None:
        """Write the file of a record."""
        name = file_name(record.source, "txt" if self._wishes.links_only else self._wishes.format_)
        with output.opened(self._path / name) as stream:
            joined = Joined(stream, self._wishes, several=False)
            joined.add(record.text or "")
            joined.close()

    def close(self) -> None:
        """Nothing is open between two records."""


def file_name(source: str, ending: str) -> str:
    """Name the file of an input: by what it is called, for people, and by a hash of it, so that no two share a name."""
    split = urlsplit(source) if Input(source).is_url else None
    called = f"{split.netloc}{split.path}" if split else "stdin" if source == STDIN else Path(source).stem
    stem = _UNSAFE.sub("-", called).encode("utf-8")[:STEM_BYTES].decode("utf-8", "ignore").strip("._-")
    digest = hashlib.sha256(os.fsencode(source)).hexdigest()[:DIGEST_CHARS]
    return f"{stem or 'page'}-{digest}.{ending}"


class Progress:
    """Counts records, and shows them."""

    def __init__(self, style: str, total: int) -> None:
        self.display = Display(style, total)
        self.done = self.failed = self.empty = 0
        self._total = total
        self._started = time.monotonic()

    def took(self, record: Record) -> None:
        """Count one more record."""
        self.failed += record.text is None
        self.done += record.text is not None
        self.empty += record.empty
        count = self.done + self.failed
        rate = count / max(time.monotonic() - self._started, 1e-6)
        view = {
            "inputs": self._total,
            "done": self.done,
            "failed": self.failed,
            "per_s": round(rate, 1),
            "eta_s": round((self._total - count) / rate),
            "last": record.source,
        }
        self.display.show(view, _words, done=count, total=self._total)

    @property
    def exit_code(self) -> int:
        """The exit code: failed where nothing could be read, empty where no page had a main text."""
        if self.failed:
            return exits.SOME_FAILED if self.done else exits.FAILED
        return exits.EMPTY if self.done == self.empty else exits.DONE


def _words(view: dict[str, Any], between: str) -> str:
    count = view["done"] + view["failed"]
    return (
        f"{count} of {counted(view['inputs'], 'page')}, {view['per_s']}/s, {view['eta_s']} s left{between}"
        f"{view['failed']} failed  {view['last']}"
    )


class Batch:
    """All inputs on their way; `take` is called with each record, in the order of the inputs."""

    def __init__(self, inputs: Inputs, wishes: Wishes, pool: Pool, take: Callable[[Record], None], size: int) -> None:
        self.inputs = inputs
        self._wishes = wishes
        self._pool = pool
        self._take = take
        self._size = size

    async def work(self, ask: Asker | None) -> None:
        """Do the work; what is under way is dropped when it is ended early."""
        room = asyncio.Semaphore(2 * self._size)  # files in memory
        ahead: deque[asyncio.Task[Record]] = deque()
        try:
            for each in self.inputs:
                if len(ahead) >= AHEAD:
                    self._take(await ahead.popleft())
                fetched = self._fetched(each, ask) if ask and each.is_url else self._read(each, room)
                ahead.append(asyncio.create_task(fetched))
            while ahead:
                self._take(await ahead.popleft())
        finally:
            for task in ahead:
                task.cancel()
            await asyncio.gather(*ahead, return_exceptions=True)

    async def _read(self, each: Input, room: asyncio.Semaphore) -> Record:
        async with room:
            return await self._record(each, await _read_aside(each))

    async def _fetched(self, each: Input, ask: Asker) -> Record:
        record: Record = await ask(each.source, lambda answer: self._record(each, answer))
        return record

    async def _record(self, each: Input, page: Answer) -> Record:
        if isinstance(page, ThresherError):
            return extract_records.failed(each.source, page)
        try:
            request = extract_records.request(page, each.source, self._wishes)
            return extract_records.read(await self._pool.ask(request))
        except PageKilled as killed:
            detail = f" ({killed.detail})" if killed.detail else ""
            return extract_records.failed(each.source, f"{killed}: {meaning_of(str(killed))}{detail}")


async def _read_aside(each: Input) -> Answer:
    """Read a file in a thread that nobody waits for at the end: a pipe or a network drive may never answer."""
    loop = asyncio.get_running_loop()
    answered: asyncio.Future[Answer] = loop.create_future()

    def settle(answer: Answer) -> None:
        if not answered.done():
            answered.set_result(answer)

    def run() -> None:
        try:
            answer: Answer = read(each.source, each.url)
        except ThresherError as error:
            answer = error
        with suppress(RuntimeError):  # the loop is closed: the command was interrupted
            loop.call_soon_threadsafe(settle, answer)

    threading.Thread(target=run, daemon=True).start()
    return await answered
