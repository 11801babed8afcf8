"""Crawls from Python: `thresher.crawl()`."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import TracebackType
from typing import Any, Literal, Self, get_args, overload

from thresher.api.corpus import Corpus, open, read_settings
from thresher.api.process import Child
from thresher.errors import ThresherError, UsageError
from thresher.model import Document

Reach = Literal["host", "subdomains", "any"]
REACHES: tuple[Reach, ...] = get_args(Reach)


@dataclass(frozen=True, slots=True)
class CrawlReport:
    """How a crawl ended."""

    run: int  # its number, as in `thresher search run:3`
    finished: bool  # False: it was stopped, and `thresher crawl --resume` goes on with it
    documents: int  # stored in this run; a thread or an article is one, however many pages it has
    pages: int  # fetched with success
    failures: int  # links that were given up
    outcomes: Mapping[str, int]  # URLs by what became of them, e.g. "skipped: listing"


@overload
def crawl(
    urls: str | Sequence[str],
    *,
    data: str | os.PathLike[str] | None = None,
    limit: int | None = None,
    max_depth: int | None = None,
    since: str | date | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    reach: Reach = "host",
    algorithm: str | None = None,
    refresh: bool = False,
    stream: Literal[False] = False,
    **settings: Any,
) -> CrawlReport: ...


@overload
def crawl(
    urls: str | Sequence[str],
    *,
    data: str | os.PathLike[str] | None = None,
    limit: int | None = None,
    max_depth: int | None = None,
    since: str | date | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    reach: Reach = "host",
    algorithm: str | None = None,
    refresh: bool = False,
    stream: Literal[True],
    **settings: Any,
) -> "Crawl": ...


def crawl(  # noqa: PLR0913  # the front door: one word for each wish
    urls: str | Sequence[str],
    *,
    data: str | os.PathLike[str] | None = None,
    limit: int | None = None,
    max_depth: int | None = None,
    since: str | date | None = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    reach: Reach = "host",
    algorithm: str | None = None,
    refresh: bool = False,
    stream: bool = False,
    **settings: Any,
) -> "CrawlReport | Crawl":
    """Collect pages from one or more URLs into a corpus, as `thresher crawl` does.

    Waits for the end and returns a CrawlReport; with `stream=True` it returns a Crawl at once, to iterate over for the
    documents as they are stored. `limit` is a number of pages, `reach` says how far from the hosts of the URLs to go,
    `include` and `exclude` are regular expressions that URLs must or must not match, and what is dated before the day
    `since` is left. Any setting may be given by name,
    e.g. `delay_s=0.5`.

    The crawl runs in a process of its own: call this as often as you like, also in a notebook. Ctrl-C finishes what is
    in flight and raises KeyboardInterrupt; nothing that was stored is lost. Raises only ThresherErrors: UsageError for
    a wrong argument, Unreachable and BackendError for servers, ThresherError when the process dies.
    """
    starts = [urls] if isinstance(urls, str) else list(urls)
    if not starts:
        raise UsageError("give a URL to start from")
    if reach not in REACHES:
        raise UsageError(f"reach: {reach!r} is not one of {', '.join(REACHES)}")
    if limit is not None and limit < 1:
        raise UsageError(f"limit: {limit!r} is not a number of pages")
    read_settings(data=data, **settings)  # a wrong one is told at once
    options = {
        "limit": limit,
        "max_depth": max_depth,
        "since": str(since) if since else None,
        "include": list(include),
        "exclude": list(exclude),
        "mode": reach,
        "algorithm": algorithm,
        "refresh": refresh,
    }
    folder = None if data is None else os.fspath(data)
    request = {"errand": "crawl", "starts": starts, "options": options, "data": folder, "settings": settings}
    crawl = Crawl(Child(request), {"path": folder, **settings})
    return crawl if stream else crawl.wait()


class Crawl:
    """A crawl that runs; iterate over it for documents, or wait for its end.

    An article comes as soon as it is stored. A thread, or an article that seems to have several pages, comes when the
    crawl is over, whole: its pages are stored one by one. Leaving the loop, or the `with` block, stops the crawl; what
    is in flight is finished first.
    """

    def __init__(self, child: Child, place: Mapping[str, Any]) -> None:
        self._child = child
        self._place = place  # what `open` is called with
        self._report: CrawlReport | None = None

    @property
    def pid(self) -> int:
        """The number of the process that crawls."""
        return self._child.pid

    @property
    def report(self) -> CrawlReport | None:
        """How the crawl ended; None while it runs, and when it was stopped before it began."""
        return self._report

    def __iter__(self) -> Iterator[Document]:
        """Iterate over the documents that this crawl stores, each once."""
        corpus: Corpus | None = None
        in_parts: dict[str, None] = {}
        given: set[str | None] = set()
        try:
            for url, is_part in self._stored():
                corpus = corpus or open(**self._place)
                if is_part:
                    in_parts[url] = None
                elif document := corpus.get(url):
                    given.add(document.url)
                    yield document
            for url in in_parts:
                if corpus and (document := corpus.get(url)) and document.url not in given:
                    given.add(document.url)
                    yield document
        finally:
            if corpus:
                corpus.close()
            self._child.end()

    def wait(self) -> CrawlReport:
        """Wait for the end of the crawl and return how it went."""
        for _ in self._stored():
            pass
        if self._report is None:
            raise ThresherError("the crawl was stopped before it began")
        return self._report

    def stop(self) -> None:
        """Ask the crawl to finish what is in flight and to end; the loop over it goes on until it has."""
        self._child.ask_to_end()

    def __enter__(self) -> Self:
        """Return the crawl itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Stop the crawl, and wait until it has ended."""
        self._child.end()

    def _stored(self) -> Iterator[tuple[str, bool]]:
        """Yield the URL of each page with a document and whether it may be one of several; keep the report."""
        for message in self._child.messages():
            if "report" in message:
                self._report = CrawlReport(**message["report"])
            else:
                yield message["stored"], message["in_parts"]
