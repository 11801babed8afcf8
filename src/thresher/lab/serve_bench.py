"""Measure the web application over a large embedded corpus: times of pages and searches, memory, many readers at once.

    fill the corpus (or take one that is there) ──▶ `thresher serve` ──▶ one reader, page after page: server times
                                                                    └──▶ many readers for a while, a crawl beside them

Server times are those of the Server-Timing header: from the moment the application sees a request to its first byte.
"""

import http.client
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from urllib.parse import quote

from thresher import wiring
from thresher.catalog.accounts import Role, Scope, Token, User
from thresher.config import Settings, environment_of
from thresher.errors import ThresherError
from thresher.index.contract import Given
from thresher.lab.search_corpus import DAYS, SINCE, Prose, documents, words_of
from thresher.lab.servers import dying_with_us
from thresher.model import Endpoint, EndpointKind, Fate, Judged, RunState, Source, SourceKind
from thresher.sample import SampleWeb, serve
from thresher.store.contract import Record
from thresher.web.accounts import hashed

BATCH = 64  # documents that are stored together
SECRET = "thr_of-the-bench"
PAGES = (
    *("/", "/search", "/stories", "/sources", "/crawls", "/crawls/1", "/crawls/1/report", "/crawls/1/pages"),
    *("/monitor", "/workers", "/logs", "/corpus", "/saved", "/alerts", "/label", "/settings", "/settings/machine"),
    *("/sources/of/source-1", "/sources/add", "/settings/users", "/settings/audit"),
)
API = ("/api/v1/stats", "/api/v1/stories", "/api/v1/sources", "/api/v1/runs", "/api/v1/volume", "/metrics")
CRAWL_PAGES = 20_000  # of the sample site that is crawled meanwhile: more than a minute is enough for
SOURCES = 60
SEEN_DAYS = 200  # over which documents came in, up to now
NOTED_DAYS = 57  # of them, the last, of which pages ask what became of each source's pages
ANSWER_S = 120.0  # a reader waits for
LOG = "serve-bench.log"


@dataclass(frozen=True, slots=True)
class Terms:
    """How much there is, and how it is read."""

    documents: int = 200_000
    queries: int = 200  # of each kind
    readers: int = 50
    seconds: float = 60.0
    pause_s: float = 1.0  # between two pages of a reader


@dataclass(slots=True)
class Asked:
    """The answers to one kind of request."""

    server_ms: list[float] = field(default_factory=list)
    client_ms: list[float] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)  # of the server; one reader alone
    wrong: Counter[str] = field(default_factory=Counter)  # by what was wrong


@dataclass(slots=True)
class Served:
    """What was measured."""

    documents: int
    stored_s: float = 0.0
    kinds: dict[str, Asked] = field(default_factory=dict)
    crowd: dict[str, Asked] = field(default_factory=dict)
    crawled: int = 0  # documents that the crawl stored meanwhile
    resident_bytes: dict[str, int] = field(default_factory=dict)  # of the server's process, by when
    locked: int = 0  # lines of the server's or the crawl's log that say "database is locked"


def measure_serving(prose: Prose, folder: Path, terms: Terms, say: Callable[[str], None]) -> Served:
    """Fill the corpus of a folder unless it is, serve it, and measure; raise ThresherError when that cannot be."""
    settings = Settings(data=str(folder))
    found = Served(terms.documents, stored_s=_fill(settings, prose, terms.documents, say))
    log = folder / LOG
    log.unlink(missing_ok=True)
    with _serving(folder, log) as (port, pid):
        reader = Reader(port)
        found.resident_bytes["at the start"] = resident(pid)
        say("one reader")
        for kind, path in _requests(prose, terms.queries, terms.documents):
            asked, before_ms = found.kinds.setdefault(kind, Asked()), cpu_ms(pid)
            reader.ask(path, asked)
            asked.cpu_ms.append(cpu_ms(pid) - before_ms)
        found.resident_bytes["after one reader"] = resident(pid)
        if terms.readers:
            _crowd(settings, prose, terms, port, found, say)
            found.resident_bytes["after many readers"] = resident(pid)
        found.resident_bytes["at most"] = resident(pid, "VmHWM")
    found.locked = sum("database is locked" in line for line in log.read_text(errors="replace").splitlines())
    return found


class Reader:
    """Asks the application for pages, one after another."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._connection: http.client.HTTPConnection | None = None

    def ask(self, path: str, into: Asked) -> None:
        """Ask for a page, and note how long it took or what was wrong with it."""
        began_s = time.perf_counter()
        try:
            answer, body = self._get(path)
        except (OSError, http.client.HTTPException) as error:
            self._connection = None
            into.wrong[f"{path.partition('?')[0]}: {type(error).__name__}: {error}"] += 1
            return
        into.client_ms.append((time.perf_counter() - began_s) * 1_000)
        told = re.search(r"dur=([\d.]+)", answer.getheader("server-timing", ""))
        into.server_ms.append(float(told[1]) if told else 0.0)
        if answer.status not in (200, 202):  # 202: a report is being worked out
            into.wrong[f"{path.partition('?')[0]}: {answer.status} {body[-200:]!r}"] += 1

    def _get(self, path: str) -> tuple[http.client.HTTPResponse, bytes]:
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=ANSWER_S)
        self._connection.request("GET", path, headers={"authorization": f"Bearer {SECRET}"})
        answer = self._connection.getresponse()
        return answer, answer.read()


def resident(pid: int, field_: str = "VmRSS") -> int:
    """Return the resident memory of a process, now or (VmHWM) at most."""
    told = re.search(rf"{field_}:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(told[1]) * 1024 if told else 0


def cpu_ms(pid: int) -> float:
    """Return the CPU time of a process, all its threads together."""
    spent = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):  # a thread that has just ended
            spent += int((task / "schedstat").read_text().split()[0])
    return spent / 1e6


def _fill(settings: Settings, prose: Prose, count: int, say: Callable[[str], None]) -> float:
    """Store what is missing of so many documents as a crawl does; return the seconds that it took."""
    corpus = wiring.open_corpus(settings, create=True)
    began_s = time.perf_counter()
    try:
        there = corpus.index.count()
        if not there:
            now = datetime.now(UTC)
            corpus.store.start_run(["https://www.site0.example/"], {"scope": {}}, now)
            for number in range(SOURCES):
                address = f"https://www.site{number}.example/"
                source = Source(name=f"source-{number}", kind=SourceKind.FEED, address=address, created_at=now)
                corpus.catalog().add(
                    source, [Endpoint(source=source.name, url=f"{address}feed", kind=EndpointKind.FEED)]
                )
        given, now = islice(_up_to_now(prose, count), there, None), datetime.now(UTC)
        while batch := list(islice(given, BATCH)):
            with corpus.together():
                _store(corpus.store.save, batch)
                corpus.index.add([each.document for each in batch], batch[-1].seen_at, run=1)
                if batch[-1].seen_at > now - timedelta(days=NOTED_DAYS):
                    corpus.catalog().note([_judged(each) for each in batch])
            there += len(batch)
            if there % (BATCH * 100) < BATCH:
                say(f"{there:,} documents stored, {there / (time.perf_counter() - began_s):,.0f} a second")
        corpus.store.end_run(1, RunState.FINISHED, datetime.now(UTC))
        corpus.index.flush()
    finally:
        corpus.close()
    _make_reader(settings)
    return time.perf_counter() - began_s


def _up_to_now(prose: Prose, count: int) -> Iterator[Given]:
    """Yield documents that came in over the last months, one as long after another, none published after that."""
    now = datetime.now(UTC)
    shift, apart = now - SINCE - timedelta(days=DAYS), timedelta(days=SEEN_DAYS) / count
    for number, given in enumerate(documents(prose, count)):
        seen_at, published = now - (count - number) * apart, given.document.published
        if published:
            published = min(published + shift, seen_at - timedelta(minutes=10 + number % 4_000))
        yield replace(given, seen_at=seen_at, document=replace(given.document, published=published))


def _judged(given: Given) -> Judged:
    document = given.document
    return Judged(
        source=document.sources[0],
        url=document.url or "",
        at=given.seen_at,
        stored=True,
        reason="article",
        length=len(document.text),
        text_hash=document.text_hash,
    )


def _store(save: Callable[[Record], object], batch: Sequence[Given]) -> None:
    for given in batch:
        assert given.document.url
        fate = Fate(given.document.url, 1, "stored", "article", given.seen_at, status=200)
        save(Record(fate, document=given.document))


def _make_reader(settings: Settings) -> None:
    """Make an account and its token, unless they are there."""
    accounts, now = wiring.open_accounts(settings), datetime.now(UTC)
    try:
        if accounts.token(hashed(SECRET)) is None:
            accounts.add_user(User("reader", Role.ADMIN, "no password", now))
            accounts.add_token(Token(hashed(SECRET), "reader", "bench", Scope.ADMIN, now))
    finally:
        accounts.close()


@contextmanager
def _serving(folder: Path, log: Path) -> Iterator[tuple[int, int]]:
    """Run `thresher serve`; give its port and process id."""
    arguments = ["--data", str(folder), "serve", "--port", "0", "--requests-per-min", "0"]
    with log.open("a") as out:
        process = subprocess.Popen([*dying_with_us(), *_thresher(), *arguments], stdout=out, stderr=out)
        try:
            yield _port_told(process, log), process.pid
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(ANSWER_S)


def _port_told(process: "subprocess.Popen[bytes]", log: Path) -> int:
    while process.poll() is None:
        if told := re.search(r"Thresher is at http://127\.0\.0\.1:(\d+)/", log.read_text(errors="replace")):
            return int(told[1])
        time.sleep(0.05)
    raise ThresherError(f"thresher serve did not start: {log.read_text(errors='replace')[-500:]}")


def _thresher() -> list[str]:
    return [sys.executable, "-m", "thresher"]


def _requests(prose: Prose, queries: int, count: int) -> Iterator[tuple[str, str]]:
    """Yield kinds of requests with their paths, mixed as somebody who reads would send them."""
    rng = random.Random(5)
    given = list(islice(documents(prose, count), 0, 2_000, 10))
    words = [word for each in given for word in words_of(each, rng)]
    for number in range(queries):
        word = rng.choice(words)
        asked = rng.choice((word, f'"{word}"', f"{word} {rng.choice(words)}", f"{word} site:www.site3.example"))
        yield "search page", f"/search?q={quote(asked)}"
        yield "search API", f"/api/v1/search?q={quote(asked)}"
        yield "document page", f"/document?url={quote(str(rng.choice(given).document.url))}"
        if number % 10 == 0:
            yield "facets API", f"/api/v1/facets?q={quote(asked)}"
    for path in PAGES + API:
        for _ in range(5):
            yield path, path


def _crowd(
    settings: Settings, prose: Prose, terms: Terms, port: int, found: Served, say: Callable[[str], None]
) -> None:
    """Let many read at once while a crawl writes."""
    say(f"{terms.readers} readers for {terms.seconds:g} s while a crawl writes")
    before = _count(settings)
    lock = threading.Lock()
    paths = [each for each in _requests(prose, terms.queries, terms.documents) if each[0] != "/stories"]
    with _crawling(settings) as crawl:
        ends_at = time.monotonic() + terms.seconds

        def read(number: int) -> None:
            rng, reader, asked = random.Random(number), Reader(port), Asked()
            while time.monotonic() < ends_at:
                kind, path = rng.choice(paths)
                reader.ask(path, asked)
                with lock:
                    _merge(found.crowd.setdefault(kind if "API" in kind or "page" in kind else "other", Asked()), asked)
                time.sleep(rng.uniform(0, 2 * terms.pause_s))

        with ThreadPoolExecutor(terms.readers) as pool:
            list(pool.map(read, range(terms.readers)))
        if crawl.poll() not in (None, 0):
            raise ThresherError(f"the crawl beside the readers ended with {crawl.returncode}")
    found.crawled = _count(settings) - before


def _merge(into: Asked, asked: Asked) -> None:
    into.server_ms += asked.server_ms
    into.client_ms += asked.client_ms
    into.wrong += asked.wrong
    asked.server_ms, asked.client_ms, asked.wrong = [], [], Counter()


@contextmanager
def _crawling(settings: Settings) -> Iterator["subprocess.Popen[bytes]"]:
    """Crawl a sample site into the corpus, until the `with` block ends."""
    known = replace(settings, allowed_addresses=("127.0.0.1",), delay_s=0.0, extractors=1)
    seed = int(time.time())  # other pages each time: what is stored already would not be written again
    with serve(SampleWeb(pages=CRAWL_PAGES, seed=seed, crawl_delay_s=None)) as running:
        command = [*dying_with_us(), *_thresher(), "crawl", *running.starts, "--quiet"]
        with (Path(settings.data) / LOG).open("a") as log:
            crawl = subprocess.Popen(command, stdout=log, stderr=log, env=environment_of(known))
            try:
                yield crawl
            finally:
                with suppress(ProcessLookupError):
                    crawl.send_signal(signal.SIGINT)
                crawl.wait(ANSWER_S)


def _count(settings: Settings) -> int:
    corpus = wiring.open_corpus(settings)
    try:
        return corpus.index.count()
    finally:
        corpus.close()
