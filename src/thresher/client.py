"""A thin client of the HTTP API, for notebooks and other programs.

with Client("https://thresher.example.org", token) as client:
    for hit in client.search("harbour date:7d"):
        print(hit["title"], hit["url"])

What comes back is the JSON of docs/api.md as dicts. Every path that has no method here is reached by `get` and `send`.
"""

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Literal, Self

from thresher.errors import MissingExtra, ThresherError, Unreachable

try:
    import httpx
except ImportError as error:  # pragma: no cover
    raise MissingExtra("the client needs an extra: pip install 'thresher[client]'") from error

PAGE = 100  # hits or items that are asked for at a time
TIMEOUT_S = 60.0
LONG_S = 240.0  # for what the server fetches first
TRIES = 4  # of a request that only reads, while the server is busy
LONGEST_WAIT_S = 60.0
BUSY = (429, 503)
Json = dict[str, Any]


class ApiError(ThresherError):
    """What the server refused: its status, and the problem details (RFC 9457) that it told."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        super().__init__(f"{status}: {problem.get('detail') or problem.get('title') or 'no reason was told'}")
        self.status = status
        self.problem = dict(problem)


class Client:
    """Talks to one server with one token; use it in a `with` block or call `close()`."""

    def __init__(
        self,
        server: str = "http://127.0.0.1:8000",
        token: str = "",
        *,
        timeout_s: float = TIMEOUT_S,
        transport: "httpx.BaseTransport | None" = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        base = f"{server.rstrip('/')}/api/v1"
        self._http = httpx.Client(base_url=base, headers=headers, timeout=timeout_s, transport=transport)
        self._sleep = sleep

    def search(self, query: str = "", *, sort: str = "relevance", limit: int | None = None) -> Iterator[Json]:
        """Iterate over the documents that a query finds, best first, or all of them by "date" or "seen"."""
        given, after = 0, None
        while limit is None or given < limit:
            many = PAGE if limit is None else min(PAGE, limit - given)
            page = self.get("/search", q=query, sort=sort, limit=many, after=after)
            yield from page["hits"]
            given, after = given + len(page["hits"]), page["next"]
            if after is None:
                return

    def count(self, query: str = "") -> int:
        """Count what a query finds."""
        return int(self.get("/search", q=query, limit=1)["total"])

    def facets(self, query: str = "", **params: Any) -> Json:
        """Count what a query finds by site, source, language, author, kind and time."""
        return dict(self.get("/facets", q=query, **params))

    def document(self, url: str) -> Json | None:
        """Return a stored document; None when there is none."""
        try:
            return dict(self.get("/documents", url=url))
        except ApiError as error:
            if error.status != 404:
                raise
            return None

    def why(self, url: str) -> Json:
        """Say what happened to a URL."""
        return dict(self.get("/why", url=url))

    def extract(self, *, url: str | None = None, html: str | None = None, **how: Any) -> Json:
        """Return the document of a page, given as HTML or by its URL; nothing is stored."""
        sent = {name: value for name, value in (("url", url), ("html", html)) if value is not None}
        return dict(self.send("POST", "/extract", {**sent, **how}))

    def probe(self, url: str) -> Json:
        """Say what a crawl would do with a URL; nothing is stored."""
        return dict(self.send("POST", "/probe", {"url": url}))

    def export(self, query: str, path: str | Path, *, format: Literal["jsonl", "csv"] = "jsonl") -> int:
        """Write all documents that a query finds to a file, and return how many they are.

        The file appears when it is complete: what was broken off or damaged on the way raises ThresherError.
        """
        target = Path(path)
        part = target.with_name(f"{target.name}.part")
        try:
            with part.open("wb") as file, self._streamed("/export", {"q": query, "format": format}) as answer:
                count = _checked(answer.iter_bytes(), file, format)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
        return count

    def sources(self) -> Iterator[Json]:
        """Iterate over the sources, by name."""
        return self.items("/sources")

    def follow(self, url: str, **more: Any) -> Json:
        """Follow a site, feed or forum from now on; `name`, `tags`, `channel` … as in docs/api.md."""
        return dict(self.send("POST", "/sources", {"url": url, **more}))

    def crawl(self, urls: Sequence[str], **options: Any) -> Json:
        """Start a crawl and return how it stands; `limit`, `max_depth`, `include` … as in docs/api.md."""
        return dict(self.send("POST", "/runs", {"urls": list(urls), **options}))

    def progress(self, run: int) -> Iterator[Json]:
        """Yield how a crawl stands whenever that changes, until it is over."""
        with self._streamed(f"/runs/{run}/events", {}) as answer:
            for line in answer.iter_lines():
                if line.startswith("data: ") and (facts := json.loads(line.removeprefix("data: "))):
                    yield facts

    def items(self, path: str, **params: Any) -> Iterator[Json]:
        """Iterate over a list that comes in pages: /sources, /stories …"""
        after = None
        while True:
            page = self.get(path, limit=PAGE, after=after, **params)
            yield from page["items"]
            after = page["next"]
            if after is None:
                return

    def get(self, path: str, **params: Any) -> Any:
        """Return what a path answers, below /api/v1; a server that is busy is asked again when it says so."""
        asked = {name: value for name, value in params.items() if value is not None}
        for left in reversed(range(TRIES)):
            answer = self._answered("GET", path, params=asked)
            if answer.status_code not in BUSY or not left:
                break
            self._sleep(_wait_s(answer))
        return _content(answer)

    def send(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Send a change and return what comes back, None for nothing; it is sent once."""
        return _content(self._answered(method, path, json=body or {}, timeout=LONG_S))

    def close(self) -> None:
        """Let go of the connection."""
        self._http.close()

    def __enter__(self) -> Self:
        """Return the client itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Let go of the connection."""
        self.close()

    def _answered(self, method: str, path: str, **sent: Any) -> "httpx.Response":
        try:
            return self._http.request(method, path, **sent)
        except httpx.HTTPError as error:
            raise Unreachable(f"{self._http.base_url}: {error or type(error).__name__}") from error

    @contextmanager
    def _streamed(self, path: str, params: Mapping[str, Any]) -> Iterator["httpx.Response"]:
        try:
            with self._http.stream("GET", path, params=dict(params), timeout=LONG_S) as answer:
                if answer.is_error:
                    answer.read()
                    _content(answer)
                yield answer
        except httpx.HTTPError as error:
            raise Unreachable(f"{self._http.base_url}: {error or type(error).__name__}") from error


def _content(answer: "httpx.Response") -> Any:
    if answer.is_error:
        try:
            told = answer.json()
        except ValueError:
            told = {"detail": answer.reason_phrase}
        raise ApiError(answer.status_code, told if isinstance(told, dict) else {})
    return answer.json() if answer.content else None


def _wait_s(answer: "httpx.Response") -> float:
    told = answer.headers.get("retry-after", "")
    return min(float(told), LONGEST_WAIT_S) if told.isascii() and told.isdigit() else 1.0


def _checked(pieces: Iterator[bytes], file: IO[bytes], format_: str) -> int:
    """Write an export without its last line, and compare it with what that says; return the number of documents."""
    digest, kept = hashlib.sha256(), b""
    for piece in pieces:
        kept += piece
        cut = kept.rfind(b"\n", 0, len(kept) - 1) + 1  # what is behind may be the last line
        digest.update(kept[:cut])
        file.write(kept[:cut])
        kept = kept[cut:]
    try:
        if format_ == "csv":
            mark, count, sha256 = kept.decode().strip().split(",")
            end: Json = {"documents": int(count), "sha256": sha256} if mark == "#end" else {}
        else:
            end = json.loads(kept)["end"]
    except (ValueError, KeyError, TypeError):
        raise ThresherError("this export was broken off: its last line is missing") from None
    if end.get("sha256") != digest.hexdigest():
        raise ThresherError("this export was damaged on its way: its hash is not the one that was sent")
    return int(end["documents"])
