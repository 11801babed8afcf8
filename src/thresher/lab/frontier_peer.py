"""scrapy-redis beside our frontier: its duplicates filter and its priority queue, as its scheduler calls them."""

from collections.abc import Iterator
from contextlib import nullcontext
from importlib import import_module
from itertools import islice
from typing import Any

from thresher.errors import MissingExtra
from thresher.frontier.server import Server
from thresher.lab.frontier_bench import Bytes, used_bytes
from thresher.lab.watch import Watch
from thresher.model import Link

SEEN, QUEUE = "peer:dupefilter", "peer:requests"


class Peer:
    """A spider's scheduler: filter and queue over one connection."""

    def __init__(self, url: str) -> None:
        """Connect; raise MissingExtra when scrapy-redis is not installed."""
        try:
            import redis
            from scrapy import Request, Spider

            dupefilter: Any = import_module("scrapy_redis.dupefilter")
            queue: Any = import_module("scrapy_redis.queue")
        except ImportError as error:
            raise MissingExtra(f"scrapy-redis is not installed ({error}): pip install 'thresher[peers]'") from error
        self._client = redis.Redis.from_url(url)
        self._request: Any = Request
        spider = Spider(name="peer")
        self._seen, self._queue = (
            dupefilter.RFPDupeFilter(self._client, SEEN),
            queue.PriorityQueue(self._client, spider, QUEUE),
        )

    def push(self, source: Iterator[Link], count: int, watch: Watch | None = None) -> None:
        """Enqueue so many requests, as its scheduler does."""
        requests = [self._made(link) for link in islice(source, count)]
        with watch.running() if watch else nullcontext():
            for request in requests:
                if not self._seen.request_seen(request):
                    self._queue.push(request)

    def pop(self, count: int, watch: Watch) -> None:
        """Take so many requests from the queue."""
        with watch.running():
            for _ in range(count):
                self._queue.pop()

    def _made(self, link: Link) -> Any:
        headers, meta = {"Referer": link.found_on}, {"depth": link.depth}
        return self._request(link.url, priority=link.priority, meta=meta, headers=headers)


def peer_bytes(url: str, source: Iterator[Link], count: int) -> Bytes:
    """Measure the memory of so many requests on a server that holds nothing else."""
    server = Server(url)
    server.call("FLUSHALL")
    before = used_bytes(server)
    Peer(url).push(source, count)
    whole = used_bytes(server) - before
    known = int(server.call("MEMORY", "USAGE", SEEN, "SAMPLES", 0))
    server.call("FLUSHALL")
    return Bytes(known / count, whole / count)
