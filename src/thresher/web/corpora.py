"""The corpus as the web application reaches it: opened in a few threads, each of which serves one request at a time.

    request ──await read(work)──▶ one of a few reader threads, each with a corpus of its own
            ──await recent(key, work)──▶ the same, once for all who ask, and kept if it is dear (recent.py)
            ──await write(work)─▶ the one writer thread
            ──await accounts(work)▶ the thread of the accounts, which no slow search holds up

A server that went away is asked anew by the next request: what was opened is let go after an Unreachable.
"""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar

from thresher import wiring
from thresher.api.corpus import Corpus
from thresher.catalog.accounts import Accounts
from thresher.catalog.contract import Catalog
from thresher.config import Settings
from thresher.crawling.corpus import Corpus as Parts
from thresher.errors import BackendError, ThresherError, Unreachable
from thresher.index.contract import Index
from thresher.store.contract import Store
from thresher.web.recent import Recent

AHEAD = 8  # pieces of a stream that wait to be sent
TIME_LIMIT_S = 30.0  # of one piece of work; a search has a shorter one of its own
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class OpenCorpus:
    """A corpus as one thread has it open."""

    corpus: Corpus  # what thresher.open() gives: documents, search, facets, stories
    parts: Parts  # what it consists of, the frontier too

    @property
    def store(self) -> Store:
        """Documents, pages, runs and fates."""
        return self.parts.store

    @property
    def index(self) -> Index:
        """What is searched."""
        return self.parts.index

    @property
    def catalog(self) -> Catalog:
        """Sources, and how they fare."""
        return self.parts.catalog()

    def close(self) -> None:
        """Let go of everything."""
        self.corpus.close()


class _Closing(Protocol):
    def close(self) -> None: ...


R = TypeVar("R", bound=_Closing)


class _Lane(Generic[R]):
    """Threads that each open a resource when they first need it, and keep it."""

    def __init__(self, name: str, threads: int, opener: Callable[[], R]) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._opener = opener
        self._mine = threading.local()
        self._opened: list[R] = []

    async def run(self, work: Callable[[R], T], time_limit_s: float) -> T:
        future = asyncio.get_running_loop().run_in_executor(self._pool, self._call, work)
        try:
            return await asyncio.wait_for(future, time_limit_s)
        except TimeoutError:
            raise Unreachable(f"this took longer than {time_limit_s:g} s; the database is busy or away") from None

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
        for opened in self._opened:
            with suppress(BackendError):
                opened.close()
        self._opened.clear()

    def _call(self, work: Callable[[R], T]) -> T:
        opened: R | None = getattr(self._mine, "opened", None)
        if opened is None:
            opened = self._mine.opened = self._opener()
            self._opened.append(opened)
        try:
            return work(opened)
        except Unreachable:
            self._let_go(opened)
            raise

    def _let_go(self, opened: R) -> None:
        self._mine.opened = None
        self._opened.remove(opened)
        with suppress(BackendError):
            opened.close()


class Corpora:
    """The corpus, opened once for each of a few threads; made where there is none yet."""

    def __init__(self, settings: Settings, *, threads: int = 4) -> None:
        self.settings = settings
        self._readers = _Lane("reader", threads, self._open)
        self._writer = _Lane("writer", 1, self._open)
        self._accounts = _Lane("accounts", 1, lambda: wiring.open_accounts(settings))
        self._recent = Recent()

    async def read(self, work: Callable[Concatenate[OpenCorpus, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run work(corpus, …) in a reader thread; raise what it raises, Unreachable when it takes too long."""
        return await self._readers.run(lambda corpus: work(corpus, *args, **kwargs), TIME_LIMIT_S)

    async def recent(
        self, key: Hashable, work: Callable[Concatenate[OpenCorpus, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Return what work(corpus, …) gave under this key a moment ago if that was dear, else run it as `read` does.

        All who ask share the result: it must not be changed.
        """

        def timed(corpus: OpenCorpus) -> tuple[T, float]:
            began_s = time.thread_time()
            return work(corpus, *args, **kwargs), time.thread_time() - began_s

        return await self._recent.get(key, lambda: self._readers.run(timed, TIME_LIMIT_S))

    async def write(self, work: Callable[Concatenate[OpenCorpus, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run work(corpus, …) in the writer thread, one at a time; raise as `read` does."""
        try:
            return await self._writer.run(lambda corpus: work(corpus, *args, **kwargs), TIME_LIMIT_S)
        finally:
            self._recent.forget()

    async def accounts(self, work: Callable[Concatenate[Accounts, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run work(accounts, …) in the thread of the accounts; raise as `read` does."""
        return await self._accounts.run(lambda accounts: work(accounts, *args, **kwargs), TIME_LIMIT_S)

    async def stream(self, work: Callable[[OpenCorpus], Iterator[bytes]]) -> AsyncIterator[bytes]:
        """Yield what a generator yields that reads the corpus in a thread of its own, however long that takes.

        It reads no further ahead than a few pieces, and is closed when nobody listens any more.
        """
        loop, pieces = asyncio.get_running_loop(), asyncio.Queue[bytes | BaseException | None](AHEAD)
        gone = threading.Event()

        def put(piece: bytes | BaseException | None) -> None:
            asyncio.run_coroutine_threadsafe(pieces.put(piece), loop).result()

        def run() -> None:
            end: BaseException | None = None
            try:
                with closing(self._open()) as corpus:
                    for piece in takewhile(lambda _: not gone.is_set(), work(corpus)):
                        put(piece)
            except ThresherError as error:
                end = error
            put(end)

        reading = asyncio.create_task(asyncio.to_thread(run))
        try:
            while (piece := await pieces.get()) is not None:
                if isinstance(piece, BaseException):
                    raise piece
                yield piece
        finally:
            gone.set()
            while not reading.done():  # let it put what it holds, and see that nobody listens
                with suppress(asyncio.QueueEmpty):
                    pieces.get_nowait()
                await asyncio.sleep(0)
                await asyncio.wait({reading}, timeout=0.05)

    def close(self) -> None:
        """Wait for the work in hand, and close everything."""
        for lane in (self._readers, self._writer, self._accounts):
            lane.close()

    def _open(self) -> OpenCorpus:
        parts = wiring.open_corpus(self.settings, create=True, lean=True)
        return OpenCorpus(Corpus(parts), parts)


def nothing_passed(*_: Any) -> None:
    """Do nothing: work that only asks whether the database answers."""
