"""A news site on loopback that publishes when it is told to, and remembers what it was asked for."""

import random
import threading
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TypeVar

from thresher.lab.watch_web import Item, Outlet, Pages

AnySite = TypeVar("AnySite", bound="NewsSite")

STORY = (
    "Nobody at the harbour could say how long it would take, and the people who waited there went home in the rain.",
    "The council met in the evening, heard three engineers, and decided after two hours to look at the plans again.",
    "An old boatman remembered a winter in which the same had happened twice, and how the mail came on sledges.",
    "Shops along the quay stayed open until midnight, sold soup to everybody who came in, and ran out of bread at ten.",
    "On the next morning the schools began an hour late, because half of the teachers live across the bay.",
)


class NewsSite:
    """Feeds under /NAME/feed, their articles under /NAME/NUMBER."""

    def __init__(self) -> None:
        self.articles: dict[str, list[str]] = {}  # texts, by feed
        self.moved: dict[str, str] = {}  # path → path, for good
        self.asked: list[str] = []
        self.answered_unchanged = 0
        self.down: set[str] = set()  # paths that answer with an error
        self.url = ""

    def publish(self, feed: str, *texts: str) -> None:
        """Add articles to a feed."""
        self.articles.setdefault(feed, []).extend(texts)

    def reply(self, path: str, known: str | None) -> tuple[int, dict[str, str], str]:
        """Return status, headers and body; 304 for a page that is known by its ETag."""
        self.asked.append(path)
        status, headers, body = (500, {}, "sorry") if path in self.down else self.answer(path)
        if status != 200:
            return status, headers, body
        etag = f'"{zlib.crc32(body.encode()):08x}"'
        self.answered_unchanged += known == etag
        return (304, {"ETag": etag}, "") if known == etag else (status, headers | {"ETag": etag}, body)

    def answer(self, path: str) -> tuple[int, dict[str, str], str]:
        """Return status, headers and body."""
        if path in self.moved:
            return 301, {"Location": self.moved[path]}, ""
        _, feed, *rest = path.split("/")
        if feed not in self.articles or not rest:
            return 404, {}, "nothing here"
        if rest[0] == "feed":
            numbers = range(len(self.articles[feed]))[-20:]
            items = "".join(f"<item><link>{self.url}/{feed}/{number}</link></item>" for number in numbers)
            return 200, {"Content-Type": "application/rss+xml"}, f"<rss><channel>{items}</channel></rss>"
        return 200, {"Content-Type": "text/html"}, page(self.articles[feed][int(rest[0])], f"{feed} {rest[0]}")


class ForumSite(NewsSite):
    """A board under /board/1/ and its threads, with the posts that there are at a time."""

    def __init__(self, posts: Sequence[Item]) -> None:
        super().__init__()
        self._pages = Pages(Outlet("forum", "forum", "", tuple(posts)), seed=1)
        self.now = 0.0

    def answer(self, path: str) -> tuple[int, dict[str, str], str]:
        """Return status, headers and body."""
        kind, body = self._pages.answer(path, self.now) or ("", "")
        return (200, {"Content-Type": kind}, body) if body else (404, {}, "nothing here")


def page(text: str, name: str) -> str:
    """An article about something, in its own words: those of the story in another order, lest it be a copy."""
    order = random.Random(name)
    stories = [" ".join(order.sample(words, len(words))) for words in map(str.split, STORY)]
    turned = (*stories[1:], stories[0])
    told = "".join(f"<p>{one} {other}</p>" for one, other in zip(stories, turned, strict=True))
    body = f"<p>{text} It was told in {name}.</p>{told}"
    head = f"<html><head><title>The news of {name} today</title></head><body>"
    return f"{head}<article><h1>The news of {name} today</h1>{body}</article></body></html>"


@contextmanager
def serving(site: AnySite) -> Iterator[AnySite]:
    """Serve a site for a while."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, headers, body = site.reply(self.path, self.headers["If-None-Match"])
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body.encode()))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            """Stay quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
