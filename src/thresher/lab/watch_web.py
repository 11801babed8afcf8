"""A local web whose sources publish at known times: feeds, sites with a front page, news sitemaps and forum boards.

Each source has a loopback address of its own, as sources in the world do, so politeness to one never holds up another.
What a source shows depends on its plan and on the time of a clock that may go faster than the machine's. A process of
its own serves all of them, and writes a line for every request.
"""

import asyncio
import json
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from functools import lru_cache, partial
from html import escape
from pathlib import Path
from random import Random
from typing import Any

from thresher.lab.servers import OwnServer, dying_with_us, running
from thresher.model import Endpoint, EndpointKind, Source, SourceKind
from thresher.sample.dice import dice
from thresher.sample.prose import Writer, choices
from thresher.sample.skin import fill

HOUR_S = 3_600.0
LISTED = {"feed": 20, "site": 30, "sitemap": 100, "forum": 30}  # entries that an endpoint shows
SHARES = {"feed": 0.4, "site": 0.3, "forum": 0.2, "sitemap": 0.1}
PATHS = {"feed": "/feed.xml", "site": "/", "forum": "/board/1/", "sitemap": "/news-sitemap.xml"}
BEFORE_S = 2 * HOUR_S  # of publishing before anybody asks
AT_FIRST = 6  # entries, of a forum threads, that are there then at least
ROBOTS = "/robots.txt"  # there is none
OUTAGE_S = (300.0, 1_800.0)  # that each source is down once
POSTS_PER_PAGE = 10
POSTS_PER_THREAD = 12.0  # on average
POSTS_PER_ARTICLE = 4.0  # of a board, where others publish one article
EDITED = 0.1  # share of articles that are changed some minutes after they appeared
TOPICS = ("harbour", "railway", "grain", "tidal", "seabirds", "glacier", "library", "football")
_KINDS = {
    "feed": (SourceKind.FEED, EndpointKind.FEED),
    "site": (SourceKind.SITE, EndpointKind.LISTING),
    "sitemap": (SourceKind.SITE, EndpointKind.SITEMAP),
    "forum": (SourceKind.FORUM, EndpointKind.BOARD),
}


@dataclass(frozen=True, slots=True)
class Item:
    """An article, or a post of a thread."""

    at: float  # when it appears, in seconds since 1970
    number: int  # of the article; of the thread that it is a post of
    post: int = 0  # its place in a thread, from 1
    edited_at: float | None = None  # from when on its text is another


@dataclass(frozen=True, slots=True)
class Outlet:
    """One source: where it is, and all that it ever publishes, in order."""

    kind: str
    name: str
    origin: str
    items: tuple[Item, ...]
    down: tuple[float, float] = (0.0, 0.0)  # from when until when it answers with errors

    @property
    def endpoint(self) -> str:
        """The address that it is asked at."""
        return self.origin + PATHS[self.kind]

    def url_of(self, item: Item) -> str:
        """Return the address of an article, or of a thread."""
        return f"{self.origin}/topic/{item.number}/" if item.post else f"{self.origin}/news/{item.number}.html"

    def followed(self) -> tuple[Source, Endpoint]:
        """Return it as the catalog has it."""
        kind, endpoint = _KINDS[self.kind]
        source = Source(name=self.name, kind=kind, address=self.endpoint)
        return source, Endpoint(source=self.name, url=self.endpoint, kind=endpoint)


def outlets(count: int, *, seed: int, begin: float, lasts_s: float, per_hour: float, port: int) -> list[Outlet]:
    """Plan sources of all kinds, which publish so much an hour on average until a time has passed."""
    kinds = [kind for kind, share in SHARES.items() for _ in range(round(share * count))][:count]
    kinds += ["feed"] * (count - len(kinds))
    return [
        Outlet(
            kind,
            f"{kind}-{number}",
            f"http://127.7.{number // 200}.{number % 200 + 1}:{port}",
            _items(kind, dice(seed, "outlet", number), begin, lasts_s, per_hour),
            _outage(dice(seed, "outage", number), begin, lasts_s),
        )
        for number, kind in enumerate(kinds)
    ]


def _outage(chance: Random, begin: float, lasts_s: float) -> tuple[float, float]:
    down = begin + chance.uniform(0.1, 0.8) * lasts_s
    return down, down + chance.uniform(*OUTAGE_S)


def _items(kind: str, chance: Random, begin: float, lasts_s: float, per_hour: float) -> tuple[Item, ...]:
    """Draw what a source publishes: a steady trickle, and now and then several entries within a quarter of an hour."""
    rate = per_hour * chance.lognormvariate(-0.32, 0.8)  # whose mean is 1
    rate *= POSTS_PER_ARTICLE if kind == "forum" else 1.0
    time_s, end = begin - BEFORE_S, begin + lasts_s
    times = [time_s + chance.uniform(0, BEFORE_S) for _ in range(AT_FIRST)]
    while (time_s := time_s + chance.expovariate(rate / 2 / HOUR_S)) < end:
        burst = 3 if chance.random() < 0.25 else 1
        times += [min(time_s + chance.uniform(0, 900), end) for _ in range(burst)]
    times.sort()
    if kind == "forum":
        return _posts(chance, times)
    return tuple(
        Item(at, number, edited_at=at + chance.uniform(300, 3000) if chance.random() < EDITED else None)
        for number, at in enumerate(times, start=1)
    )


def _posts(chance: Random, times: Sequence[float]) -> tuple[Item, ...]:
    """Make posts of times: some begin a thread, the others are answers to a late one."""
    lengths: list[int] = []
    items = []
    for at in times:
        if len(lengths) < AT_FIRST or chance.random() < 1 / POSTS_PER_THREAD:
            lengths.append(0)
        thread = next((n for n, length in enumerate(lengths, 1) if not length), 0)
        thread = thread or max(1, len(lengths) - int(chance.expovariate(1.5)))
        lengths[thread - 1] += 1
        items.append(Item(at, thread, lengths[thread - 1]))
    return tuple(items)


class Pages:
    """What one source answers at a time."""

    def __init__(self, outlet: Outlet, seed: int) -> None:
        self._outlet, self._seed = outlet, seed

    def answer(self, path: str, now: float) -> tuple[str, str] | None:
        """Return the type and the body of what lies at a path; None where there is nothing yet."""
        out = [item for item in self._outlet.items if item.at <= now]
        if path == PATHS[self._outlet.kind]:
            return self._list(out)
        parts = path.partition("?")[0].strip("/").split("/")
        number = parts[-1].removesuffix(".html") if len(parts) == 2 else ""
        own = [item for item in out if number.isdigit() and item.number == int(number)]
        if not own or parts[0] != ("topic" if own[0].post else "news"):
            return None
        if own[0].post:
            return self._thread(own, path.partition("?p=")[2])
        return "text/html; charset=utf-8", _article(self._seed, self._outlet.name, own[0], now)

    def _list(self, out: Sequence[Item]) -> tuple[str, str]:
        kind = self._outlet.kind
        if kind == "forum":
            return "text/html; charset=utf-8", self._board(out)
        newest = list(reversed(out[-LISTED[kind] :]))
        if kind == "feed":
            return "application/rss+xml", self._feed(newest)
        if kind == "sitemap":
            return "application/xml", self._sitemap(newest)
        cards = "".join(
            f'<article class="card"><h2><a href="/news/{item.number}.html">{self._title(item)}</a></h2>'
            f'<time datetime="{_moment(item.at).isoformat()}">{_shown(item.at)}</time>'
            f"<p>{self._teaser(item)}</p></article>\n"
            for item in newest
        )
        return "text/html; charset=utf-8", _page(self._outlet.name, f"<main><h1>Latest news</h1>{cards}</main>")

    def _feed(self, newest: Sequence[Item]) -> str:
        items = "".join(
            f"<item><title>{self._title(item)}</title><link>{self._outlet.url_of(item)}</link>"
            f"<pubDate>{format_datetime(_moment(item.at))}</pubDate></item>\n"
            for item in newest
        )
        return f'<?xml version="1.0"?>\n<rss version="2.0"><channel><title>News</title>{items}</channel></rss>'

    def _sitemap(self, newest: Sequence[Item]) -> str:
        rows = "".join(
            f"<url><loc>{self._outlet.url_of(item)}</loc><news:news><news:publication_date>"
            f"{_moment(item.at).isoformat()}</news:publication_date></news:news></url>\n"
            for item in newest
        )
        spaces = (
            'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
            'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
        )
        return f'<?xml version="1.0"?>\n<urlset {spaces}>{rows}</urlset>'

    def _board(self, out: Sequence[Item]) -> str:
        last = {item.number: item for item in out}  # the last post of each thread
        newest = sorted(last.values(), key=lambda item: -item.at)[: LISTED["forum"]]
        rows = "".join(
            fill(
                "flat",
                "row",
                {
                    "stripe": item.number % 2,
                    "thread": item.number,
                    "path": f"/topic/{item.number}/",
                    "title": self._title(item),
                    "author": self._nick(item.number, 1),
                    "replies": item.post - 1,
                    "views": 7 * item.post + item.number,
                    "last_shown": _shown(item.at),
                    "last_author": self._nick(item.number, item.post),
                },
            )
            for item in newest
        )
        slots = {"title": "Everything", "path": PATHS["forum"], "board": 1}
        return _framed("Everything", "forum", fill("flat", "board", slots, rows=rows, pager=""))

    def _thread(self, own: Sequence[Item], number: str) -> tuple[str, str] | None:
        at = int(number) if number.isdigit() else 1
        shown = own[(at - 1) * POSTS_PER_PAGE : at * POSTS_PER_PAGE]
        if not shown:
            return None
        path, title = f"/topic/{own[0].number}/", self._title(own[0])
        pages = -(-len(own) // POSTS_PER_PAGE)
        slots = {"board_path": PATHS["forum"], "board_title": "Everything", "path": path, "title": title}
        pager = " ".join(_pager(path, each, at) for each in range(1, pages + 1)) if pages > 1 else ""
        posts = "".join(self._post(item, title) for item in shown)
        main = fill("flat", "thread", slots, posts=posts, pager=pager)
        return "text/html; charset=utf-8", _framed(title, "topic", main)

    def _post(self, item: Item, title: str) -> str:
        writer = self._writer("post", item.number, item.post)
        text = f"{writer.write('sentence')} {writer.write('sentence')} {writer.write('comment')}"
        slots = {
            "id": item.number * 1_000 + item.post,
            "stripe": item.post % 2,
            "position": item.post,
            "published_shown": _shown(item.at),
            "author_path": f"/profile.php?id={item.post}",
            "author": self._nick(item.number, item.post),
            "rank": "Member",
            "location": "Harbour",
            "joined": "2019-04-02",
            "post_count": 40 + item.post,
            "subject": f"Re: {title}" if item.post > 1 else title,
        }
        body = f"<p>{escape(text)} (That was answer {item.post} here.)</p>"
        return fill("flat", "post", slots, quote="", body=body, edited="", signature="")

    def _nick(self, thread: int, post: int) -> str:
        return dice(self._seed, self._outlet.name, thread, post).choice(choices("en", (), "nick"))

    def _title(self, item: Item) -> str:
        return escape(_title(self._seed, self._outlet.name, item.number))

    def _teaser(self, item: Item) -> str:
        return escape(self._writer("teaser", item.number).write("sentence"))

    def _writer(self, *names: object) -> Writer:
        return _writer(self._seed, self._outlet.name, *names)


def _writer(seed: int, outlet: str, *names: object) -> Writer:
    chance = dice(seed, outlet, *names)
    return Writer("en", (chance.choice(TOPICS),), chance)


@lru_cache(100_000)
def _title(seed: int, outlet: str, number: int) -> str:
    return f"{_writer(seed, outlet, 'title', number).write('headline')} in week {number}"


@lru_cache(2_000)
def _paragraphs(seed: int, outlet: str, number: int) -> str:
    writer = _writer(seed, outlet, "article", number)
    texts = [" ".join(writer.write("sentence") for _ in range(4)) for _ in range(5)]
    return "".join(f"<p>{escape(text)}</p>\n" for text in texts)


def _article(seed: int, outlet: str, item: Item, now: float) -> str:
    title, edited = _title(seed, outlet, item.number), item.edited_at is not None and item.edited_at <= now
    added = "<p>This report was corrected: the council has not voted yet, and will not before the spring.</p>"
    dated = f'<time datetime="{_moment(item.at).isoformat()}">{_shown(item.at)}</time>'
    text = _paragraphs(seed, outlet, item.number) + (added if edited else "")
    return _page(title, f"<article><h1>{escape(title)}</h1>{dated}{text}</article>")


def _page(title: str, main: str) -> str:
    menu = "".join(f'<li><a href="/about/{word}">{word}</a></li>' for word in ("Contact", "Imprint", "Letters"))
    head = f'<html lang="en"><head><title>{escape(title)}</title></head>'
    return f"<!DOCTYPE html>\n{head}<body><nav><ul>{menu}</ul></nav>{main}<footer>The Courier</footer></body></html>"


def _framed(title: str, kind: str, main: str) -> str:
    return fill("flat", "frame", {"title": title, "kind": kind}, main=main, head="")


def _pager(path: str, number: int, here: int) -> str:
    if number == here:
        return fill("flat", "pager_here", {"label": number})
    target = path if number == 1 else f"{path}?p={number}"
    return fill("flat", "pager", {"path": target, "label": number}, rel=' rel="next"' if number == here + 1 else "")


def _moment(at: float) -> datetime:
    return datetime.fromtimestamp(at, UTC)


def _shown(at: float) -> str:
    return _moment(at).strftime("%Y-%m-%d %H:%M:%S")


@dataclass(frozen=True, slots=True)
class Asked:
    """One request that a source answered."""

    at: float  # of the sources' clock, in seconds since 1970
    url: str
    status: int


@dataclass(frozen=True, slots=True)
class Plan:
    """All that decides what is served at a time."""

    count: int
    seed: int
    begin: float  # from when on the clock goes faster, in seconds since 1970
    speed: float
    lasts_s: float  # of publishing
    per_hour: float
    port: int

    def outlets(self) -> list[Outlet]:
        """Return the sources."""
        return outlets(
            self.count,
            seed=self.seed,
            begin=self.begin,
            lasts_s=self.lasts_s,
            per_hour=self.per_hour,
            port=self.port,
        )

    def now(self) -> float:
        """Return the time of the sources' clock."""
        return self.begin + (time.time() - self.begin) * self.speed


@contextmanager
def serving(plan: Plan, folder: Path) -> Iterator[Callable[[], list[Asked]]]:
    """Serve a plan in a process of its own; give who may read what was asked for so far, oldest first."""
    folder.mkdir()
    log = folder / "requests"
    order = json.dumps({"plan": asdict(plan), "log": str(log)})
    command = [*dying_with_us(), sys.executable, "-m", __name__, order]
    first = plan.outlets()[0].origin.removeprefix("http://").partition(":")[0]
    server = OwnServer(command, folder, port=plan.port, url="", ready=lambda port: _listens(first, port))
    with running(server):
        yield lambda: [_asked(line) for line in log.read_text().splitlines()]


def _listens(host: str, port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((host, port)) == 0


def _asked(line: str) -> Asked:
    at, status, url = line.split(" ", 2)
    return Asked(float(at), url, int(status))


class _Server:
    """Answers requests for all sources, and writes each down."""

    def __init__(self, plan: Plan, log: Path) -> None:
        self._plan = plan
        self._log = log.open("a", buffering=1)
        self._outlets = plan.outlets()
        self._pages = {each.origin: (each.down, Pages(each, plan.seed)) for each in self._outlets}

    async def run(self) -> None:
        for outlet in reversed(self._outlets):  # when the first one listens, all do
            host = outlet.origin.removeprefix("http://").partition(":")[0]
            await asyncio.start_server(partial(self._serve, outlet.origin), host, self._plan.port)
        await asyncio.Event().wait()

    async def _serve(self, origin: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while request := await reader.readuntil(b"\r\n\r\n"):
                writer.write(self._answer(origin, request.decode("latin-1")))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def _answer(self, origin: str, request: str) -> bytes:
        first, *headers = request.split("\r\n")
        path = first.split(" ")[1]
        known = next((line.partition(": ")[2] for line in headers if line.lower().startswith("if-none-match:")), "")
        now = self._plan.now()
        (fails, works), pages = self._pages[origin]
        is_down = fails <= now < works and path != ROBOTS  # the time after which that is asked again cannot be scaled
        found = None if is_down else pages.answer(path, now)
        kind, body = found or ("text/plain", "nothing here")
        content = body.encode()
        etag = f'"{dice(body).getrandbits(64):016x}"'
        status = (500 if is_down else 404) if found is None else 304 if known == etag else 200
        self._log.write(f"{now:.3f} {status} {origin}{path}\n")
        words = {200: "OK", 304: "Not Modified", 404: "Not Found", 500: "Down"}[status]
        content = b"" if status == 304 else content
        head = f"HTTP/1.1 {status} {words}\r\nContent-Type: {kind}\r\nContent-Length: {len(content)}\r\n"
        return (head + (f"ETag: {etag}\r\n" if found else "") + "\r\n").encode() + content


def main(order: dict[str, Any]) -> None:
    """Serve until somebody ends the process."""
    asyncio.run(_Server(Plan(**order["plan"]), Path(order["log"])).run())


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
